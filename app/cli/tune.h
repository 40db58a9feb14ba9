// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of tune: the request, the findings, and their output.
#pragma once

#include "app/cli/commands.h"
#include "engine/base/json_writer.h"
#include "engine/cost/meta_network.h"
#include "engine/search/tune/tuning.h"
#include "engine/session/scenario_options.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace syncopate::cli {

/// The arguments of `tune`.
struct TuneArguments {
    ScenarioOptions scenario;
    std::string method = "bo";
    std::string arch = "ps";
    std::vector<std::string> knobs; ///< "fusion" or "fusion=1MiB..128MiB"; empty: partition and credit
    std::string grid;               ///< "12x8"; "off": none; empty: the default for this number of knobs
    std::uint64_t evaluations = 0;  ///< 0: 30, or the whole grid
    unsigned threads = 0;
    std::string schedule;                                    ///< CSV file of conditions, empty = none
    std::int32_t length = 60;                                ///< training iterations under the schedule
    std::string measuredGrid, row;                           ///< folder, and "vggish,bsps,2,2"; empty = none, all
    std::string network;                                     ///< file of a trained meta-network; empty = the bundled one
    std::string train;                                       ///< file to write a trained one to; empty = none
    std::size_t test = 0;                                    ///< simulated conditions to test a network on; 0 = none
    std::size_t conditions = 600, epochs = 300, members = 3; ///< of training; conditions and epochs are those of each member
    bool newestLook = false;                                 ///< train or test on the newest look of the bandwidth alone
};

/// All results of the command.
struct TuneFindings {
    Tuning tuning, random;
    TuneStep usual; ///< the policy's default
    std::optional<Landscape> grid;
    TuneBound bound;
    std::string strategy, policy;            ///< of chosen(), as other commands take them; empty where a knob is the cluster's
    std::vector<std::uint64_t> judgedByRank; ///< empty if there are no ranks

    [[nodiscard]] const TuneStep &chosen() const { return tuning.path[*tuning.best()]; }
    /// The time of the fastest setting among the default, the grid and both tunings.
    [[nodiscard]] double bestSeconds() const {
        double best = std::min(chosen().iterationSeconds, random.path[random.best().value_or(0)].iterationSeconds);
        if (grid && grid->best())
            best = std::min(best, grid->points[*grid->best()].iterationSeconds);
        return std::min(best, usual.iterationSeconds);
    }
    [[nodiscard]] bool noGainPossible() const { return bound.isReached(usual.iterationSeconds); }
};

/// Writes one setting's members: its values by column, then its times.
void writeTuneSetting(JsonWriter &json, const TuneSpace &space, const TuneStep &step);
void writeTuneJson(const Common &common, const TuneSpace &space, const TuneFindings &findings);
[[nodiscard]] std::string tuneReport(const TuneSpace &space, const TuneFindings &findings, bool quiet);

/// The space given by --job, --arch and --knob.
[[nodiscard]] Result<std::vector<TuneAxis>> tuneAxesOf(const TuneArguments &arguments);
[[nodiscard]] Result<ScenarioRecipe> tuneRecipeOf(const Common &common, const TuneArguments &arguments);
/// --grid: the number of values for each knob; none for "off", and by default for more than three knobs. Errors: a text that is
/// no grid, one of another number of axes, one of more than maxSweepPoints.
[[nodiscard]] Result<std::vector<std::size_t>> tuneGridOf(const TuneArguments &arguments, std::size_t axes);

/// --schedule.
[[nodiscard]] Outcome tuneScheduled(const Common &common, const TuneArguments &arguments);
/// --train.
[[nodiscard]] Outcome tuneTrain(const Common &common, const TuneArguments &arguments);
/// --test.
[[nodiscard]] Outcome tuneTest(const Common &common, const TuneArguments &arguments);
/// --network: null if none is named.
[[nodiscard]] Result<std::shared_ptr<const MetaNetwork>> tuneNetworkOf(const TuneArguments &arguments);
/// Writes the member "meta_network": where the network of the findings comes from, and its errors.
void writeNetwork(JsonWriter &json, const MetaOrigin &origin);
/// --measured-grid.
[[nodiscard]] Outcome tuneMeasured(const Common &common, const TuneArguments &arguments);

} // namespace syncopate::cli

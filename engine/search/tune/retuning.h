// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/meta_network.h"
#include "engine/search/tune/conditions.h"
#include "engine/search/tune/tuning.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// When and how a job under changing conditions is tuned again (AutoByte, section III-C).
struct RetuningOptions {
    std::int32_t iterations = 60;
    std::string method = "bo";            ///< that tunes at the start, and again
    std::uint64_t evaluations = 30;       ///< of each tuning: predictions, which cost the job nothing
    std::vector<std::size_t> grid{12, 8}; ///< of further settings that the oracle knows besides the tuned ones; empty: none
    std::int32_t every = 10;              ///< iterations between two looks
    double minGain = 0.05;                ///< min predicted gain for a change
    double reconfigurationIterations = 1; ///< cost of a change, in iterations of the old setting
    std::uint64_t seed = 1;
    unsigned threads = 0;
    /// Adds three arms to the four: AutoByte's, where its network knows the knobs; random settings, tuned again as the method is;
    /// and the plain policy, fifo with its barrier.
    bool compares = false;
    std::shared_ptr<const MetaNetwork> network = nullptr; ///< AutoByte's; null: the shipped one
};

/// An iteration under changing conditions.
struct ConditionStep {
    double startSeconds = 0, seconds = 0; ///< without a reconfiguration before it
    std::size_t condition = 0;            ///< index into the schedule, at its start
    bool isMixed = false;                 ///< the condition changes during it
};

/// One way of setting the job.
struct RetuningArm {
    std::string name; ///< "default", "bo() once", "bo() re-tuned", "oracle", "autobyte", "random() re-tuned", "fifo"
    std::vector<ConditionStep> steps;
    struct Change {
        std::int32_t iteration = 0;
        double costSeconds = 0;
        std::vector<double> values; ///< from then on; empty for the plain policy, which has no such settings
    };
    std::vector<Change> changes; ///< the first holds from iteration 0 and costs nothing
    double totalSeconds = 0;     ///< including the cost of changes
    double samplesPerSecond = 0; ///< over all
    /// AutoByte's look at the job before an iteration.
    struct Look {
        std::int32_t iteration = 0;
        double measuredSamplesPerSecond = 0;  ///< of the iteration before
        double predictedSamplesPerSecond = 0; ///< of the proposed setting from now on
        double gain = 0;                      ///< predicted, over the present setting
        bool adapted = false;                 ///< the network had been off, and was adapted to the measurement
    };
    std::vector<Look> looks{};
    std::optional<MetaOrigin> network{}; ///< AutoByte's
};

/// The places of playRetuning()'s arms; the first is the default.
inline constexpr std::size_t onceArm = 1, retunedArm = 2, oracleArm = 3;
/// Policy and name of the arm of the plain policy, whose changes have no values.
inline constexpr const char *plainPolicy = "fifo";

/// Plays a job under a schedule four times: with its policy's default; with a tuner's choice for the first condition; with that
/// choice, re-examined every `every` iterations and changed where the predicted gain is `minGain` or more; and with the best
/// setting known for each condition, changed at once and for free. An iteration takes the steady-state time of its condition;
/// where a schedule in seconds changes during an iteration, the rest of it runs at the pace of the next condition, and AutoByte's
/// network learns nothing from its speed, which belongs to neither condition.
///
/// A look before an iteration knows only finished iterations, as a monitor does. Gains are predicted for the condition of the
/// iteration before, so a change that begins with the present iteration is seen at the next look.
///
/// AutoByte's arm simulates nothing to choose: it begins with a MetaTuner's proposal for the first condition. At each look it
/// receives the speed of the iteration before, which may adapt its network, and the metrics after it (metricsAfter()), and
/// changes where the network predicts `minGain` or more.
///
/// `axes` are of the policy: knobs of the cluster would undo the conditions. Errors: a condition under which the default cannot
/// be simulated, those of makeTuner(), `stop` was requested.
[[nodiscard]] Result<std::vector<RetuningArm>> playRetuning(const ScenarioRecipe &recipe, const std::vector<TuneAxis> &axes,
                                                            const ConditionSchedule &schedule, const RetuningOptions &options,
                                                            Judge &judge, std::stop_token stop = {});

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/rewrite/scenario.h"
#include "engine/strategy/arguments.h"

#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A judge's figures for a scenario. NaN = the judge does not provide the figure.
struct Verdict {
    double iterationSeconds = std::numeric_limits<double>::quiet_NaN(); ///< of a steady iteration; the mean where it was repeated
    double confidence = std::numeric_limits<double>::quiet_NaN();       ///< Recording::confidence; NaN where it was measured
    double spreadSeconds = 0; ///< standard deviation of the iteration time between repetitions; 0 where they are all the same
    double exposedSeconds = std::numeric_limits<double>::quiet_NaN();       ///< of that iteration, iterationStatistics()
    double communicationSeconds = std::numeric_limits<double>::quiet_NaN(); ///< the same
    double samplesPerSecond = std::numeric_limits<double>::quiet_NaN();
    /// Wall-clock time that the judge took. The one figure that differs between calls of a deterministic judge.
    double costSeconds = 0;
    std::vector<std::string> assumptions; ///< definition and model behind the figures
};

/// Says how long an iteration of a scenario takes: by simulating it, by running it, by looking it up. A search times its
/// candidates with a judge, so anything that can time a strategy can be used in searches.
class Judge {
public:
    Judge() = default;
    Judge(const Judge &) = delete;
    Judge &operator=(const Judge &) = delete;
    virtual ~Judge() = default;

    /// The expression that makeJudge() reads back as an equal judge: "simulated()".
    [[nodiscard]] virtual std::string text() const = 0;
    /// The files that it reads besides those that its expression names, by their paths.
    [[nodiscard]] virtual std::vector<std::string> files() const { return {}; }
    /// How many calls of judge() may run at once, at least 1.
    [[nodiscard]] virtual unsigned maxConcurrent() const { return std::numeric_limits<unsigned>::max(); }
    /// Whether the same scenario always has the same verdict, bit by bit, but for its cost.
    [[nodiscard]] virtual bool isDeterministic() const = 0;
    /// Called from several threads, never more than maxConcurrent() at once. Answers a stop request within 200 ms, with an error
    /// of kind Cancelled. Errors: the scenario cannot be run, or running it failed.
    [[nodiscard]] virtual Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) = 0;
    /// Whether the verdict follows the scenario's cluster; recorded times do not.
    [[nodiscard]] virtual bool followsCluster() const { return true; }
};

/// The judges that expressions may name, with their arguments:
///
///   simulated()    the event simulation of the scenario; deterministic, one run per thread
///   noisy(iterations=50, warmup=10, cv=5, seed=1)    the same with noise (engine/trial/noisy_judge.h)
///   command("program", timeout=600, jobs=1)    a user's program (engine/trial/command_judge.h)
///   imported("file")    recorded times (engine/trial/imported_judge.h)
[[nodiscard]] const std::vector<ExpressionInfo> &judges();

/// Errors: an unknown judge (lists all), an argument that it does not take. The place is a byte offset in `expression`.
[[nodiscard]] Result<std::unique_ptr<Judge>> makeJudge(std::string_view expression);

} // namespace syncopate

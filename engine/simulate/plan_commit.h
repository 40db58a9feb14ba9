// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace syncopate {

/// Messages between the optimizer and the enforcers.
struct CommitNetwork {
    double messageSeconds = 100e-6; ///< mean of a message, half of it fixed, half exponential
    double lossRatio = 0;           ///< share of messages that are lost
    double retrySeconds = 10e-3;    ///< a lost message is sent again after this long
    std::uint64_t seed = 1;
};

/// The outcome of a new plan.
struct CommitOutcome {
    bool committed = false;
    std::int32_t attempts = 0; ///< prepares that were sent out
    double decidedSeconds = 0; ///< when the optimizer decided
    /// Per process, the iteration from which it has the new plan, none if the plan was not committed. In two phases it is the
    /// same for all.
    std::vector<std::int32_t> changeAt;
    double stallSeconds = 0; ///< the longest that a process that was prepared waits for the decision
};

/// Changes the plan of all processes in the same iteration, as SYNDICATE does (section 5): the optimizer proposes an iteration;
/// an enforcer agrees where it can still begin it with the new plan, which is before it begins the iteration before (motifs may
/// run an iteration ahead), and from then on does not begin it before it hears the decision. The plan is committed where all
/// agree; where one does not, a later iteration is proposed, up to eight times. `startSeconds` of each process and iteration are
/// those of the old plan; `atSeconds`: when the optimizer has the new one.
[[nodiscard]] CommitOutcome commitInTwoPhases(const std::vector<std::vector<double>> &startSeconds, double atSeconds,
                                              const CommitNetwork &network);

/// Sends the plan out, and each process takes it for the first iteration that it begins afterwards: the behaviour that two phases
/// prevent.
[[nodiscard]] CommitOutcome commitAtOnce(const std::vector<std::vector<double>> &startSeconds, double atSeconds,
                                         const CommitNetwork &network);

} // namespace syncopate

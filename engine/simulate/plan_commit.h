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
    std::int32_t attempts = 0; ///< rounds of prepare messages
    double decidedSeconds = 0; ///< when the optimizer decided
    /// Per process, the iteration from which it has the new plan, none if the plan was not committed. In two phases it is the
    /// same for all.
    std::vector<std::int32_t> changeAt;
    double stallSeconds = 0; ///< max time that a prepared process waits for the decision
};

/// Changes the plan of all processes in the same iteration, as SYNDICATE does (section 5): the optimizer proposes an iteration;
/// an enforcer agrees if it has not begun the iteration before, since motifs may run an iteration ahead, and then does not begin
/// the proposed one until it hears the decision. The plan is committed if all agree; else a later iteration is proposed, up to
/// eight times. `startSeconds` of each process and iteration are those of the old plan; `atSeconds`: when the optimizer has the
/// new one.
[[nodiscard]] CommitOutcome commitInTwoPhases(const std::vector<std::vector<double>> &startSeconds, double atSeconds,
                                              const CommitNetwork &network);

/// Sends the plan out, and each process takes it for the first iteration that it begins afterwards: the behaviour that two phases
/// prevent.
[[nodiscard]] CommitOutcome commitAtOnce(const std::vector<std::vector<double>> &startSeconds, double atSeconds,
                                         const CommitNetwork &network);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/list_schedule.h"
#include "engine/simulate/planned_run.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The method by which a plan is found (SYNDICATE, section 6.1).
enum class PlanMethod : std::uint8_t {
    Fifo,      ///< collectives whole, as submitted, one at a time on the one channel that is fastest for all of them
    BsPlus,    ///< the same channel, last submitted first, with the best number of segments and splines (BS+)
    HandMade,  ///< the same channel, all-to-alls first, with the best number of segments and splines (HO)
    Exec,      ///< the execution plan is searched, channels take motifs as submitted (S-Exec)
    Sched,     ///< the same channel as FIFO, by critical path, with the best number of segments and splines (S-Sched)
    Syndicate, ///< execution plan and order together, which is the critical path's or the submission's
    Random,    ///< execution plans drawn at random, as many as Syndicate may judge: the control of its search
    Exhaustive ///< the best of all plans with whole collectives, where a DAG has few
};
inline constexpr std::int32_t planMethodCount = 8;
/// "fifo", "bs+", "ho", "exec", "sched", "syndicate", "random", "exhaustive"
[[nodiscard]] std::string_view nameOf(PlanMethod method);
[[nodiscard]] std::string_view titleOf(PlanMethod method); ///< as SYNDICATE's figures have it: "FIFO", "BS+", "S-Exec"
[[nodiscard]] bool isEnforced(PlanMethod method);          ///< ExecutionPlan::enforced of its plans
[[nodiscard]] bool isSearch(PlanMethod method);   ///< judges execution plans one after the other: Exec, Syndicate, Random
[[nodiscard]] bool isBaseline(PlanMethod method); ///< neither searches nor enumerates: Fifo, BsPlus, HandMade, Sched

/// What to plan, and how hard to search.
struct PlanRequest {
    std::shared_ptr<const TrainingDag> dag;
    std::vector<Channel> channels;
    MotifCosts costs;
    std::uint64_t seed = 1;
    /// Execution plans that the searches judge, in each of `chains` (Syndicate and Random: for either of their two orders). A
    /// chain of Exec or Syndicate ends early where more than half of its judged plans came after its best (section 4.3.1), once
    /// it has judged minEvaluations; Random judges all.
    std::int32_t evaluations = 4000;
    std::int32_t minEvaluations = 1000;
    std::int32_t chains = 2;
    /// Memory of a process that a plan's buffers may take (engine/simulate/plan_memory.h); 0 = any. Searches and Exhaustive take
    /// the best plan within it, or the one with the smallest excess; the baselines ignore it.
    double maxBytes = 0;
    double budgetSeconds = 0; ///< wall clock, shared by a search's chains; 0 = none. The result then depends on the machine
    double greed = 100;       ///< beta of Metropolis-Hastings, per share of the first plan's iteration
    std::int32_t maxSegments = 8;

    /// The share of maxBytes by which a plan that holds `bytes` exceeds it, ignoring rounding; 0 or below = it fits.
    [[nodiscard]] double excess(double bytes) const { return maxBytes > 0 ? bytes / maxBytes * (1 - 1e-12) - 1 : 0; }
};

/// The result of planning.
struct FoundPlan {
    PlanMethod method = PlanMethod::Fifo;
    ExecutionPlan plan;
    PlannedRun run;               ///< the plan as it is played, in its strict order
    double peakBytes = 0;         ///< peakMemoryBytes()
    std::int64_t evaluations = 0; ///< list schedules made
    std::vector<double> costs;    ///< of searches, each order's first chain: PlanStep::seconds
    std::vector<bool> accepted;   ///< of the same steps

    [[nodiscard]] bool fits(const PlanRequest &request) const { return request.excess(peakBytes) <= 0; }
};

/// The change that a step of a search makes to the plan it starts from.
enum class PlanProposal : std::uint8_t {
    Channel, ///< one motif goes to another channel
    Cut,     ///< one collective is cut at random, all on one channel
    Spread,  ///< one collective is cut at random, spread so that all channels end at once
    Draw,    ///< all collectives are drawn anew
};
[[nodiscard]] std::string_view nameOf(PlanProposal proposal); ///< "channel", "cut", "spread", "draw"

/// A step of a search.
struct PlanStep {
    std::int32_t chain = 0; ///< numbered through both orders of a search
    /// The cost of the proposal: the iteration time of its list schedule. With maxBytes that of its plan as played, plus 1e9 s
    /// times the share by which it exceeds the limit; infinite where the plan cannot be played.
    double seconds = 0;
    bool accepted = false; ///< by Metropolis-Hastings; of Random: the best of its chain so far
    PlanProposal proposal = PlanProposal::Draw;
    bool fits = true; ///< into maxBytes
};
/// Receives every step of every chain, on the thread that plans.
using PlanObserver = std::function<void(const PlanStep &)>;

/// Plans by one method. Deterministic without a budget in seconds: the same request gives the same plan. Errors: a DAG or
/// channels that validateDag() or validatePlan() refuse, more plans than Exhaustive plays in minutes, `stop` was requested.
[[nodiscard]] Result<FoundPlan> findPlan(const PlanRequest &request, PlanMethod method, const std::stop_token &stop = {},
                                         const PlanObserver &observer = {});
/// The methods to compare with `chosen`, in the order of PlanMethod: all, Exhaustive only where it takes about a second or
/// is the chosen one.
[[nodiscard]] std::vector<PlanMethod> comparedMethods(const PlanRequest &request, PlanMethod chosen);

/// Lower bound of the iteration of any plan that a search can find, and of any plan without measured collectives: the max of
/// compute; the longest path, with every collective spread over all channels; and the work on links. The last is the linear
/// program that spreads all collectives over channels at will, bounded by its dual: any prices of links that add up to 1 give a
/// bound, and the best of many are taken. Where groups differ in size, it is the max over processes, each alone with its own
/// groups: processes of smaller groups may be done earlier. If stopped early, it is still a bound, but a looser one.
[[nodiscard]] double planBoundSeconds(const PlanRequest &request, const std::stop_token &stop = {});
/// How far an iteration is above its bound, as a share of the bound: "12.3 % above". "above" where the bound is 0 and it is not.
/// For an iteration below it, the reason: its plan has motifs that MotifCosts::boundSeconds() leaves out, which searches do not
/// propose.
[[nodiscard]] std::string describeAboveBound(double iterationSeconds, double boundSeconds);

} // namespace syncopate

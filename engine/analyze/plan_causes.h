// SPDX-License-Identifier: GPL-3.0-or-later
// Why an iteration of a played plan is as long as it is. Its tasks are those of any run, so CauseFinder walks its critical path;
// what it cannot know is that a strict order is not a dependency (planGraph() makes edges of both), and how much of a motif is
// latency. Both follow from the plan.
#pragma once

#include "engine/analyze/causes.h"
#include "engine/plan/execution_plan.h"
#include "engine/plan/motif_costs.h"
#include "engine/plan/training_dag.h"

#include <string>
#include <vector>

namespace syncopate {

/// The share of a collective, or of the collectives on a channel, in the length of one iteration, in seconds.
struct PlanShare {
    std::string name;          ///< of the op, or of the channel
    double pathSeconds = 0;    ///< on the critical path, latency and sharing included
    double latencySeconds = 0; ///< of these: steps times latency, launches; 0 where the motif's time was measured
    double sharingSeconds = 0; ///< of these: added by other motifs at the same time
    /// Of pathSeconds: followed on the path by a motif that had waited only for the channel to be free. Another order, or another
    /// channel for either, can change that: it is not a dependency.
    double blockingSeconds = 0;
    double idleSeconds = 0; ///< the compute stream waits, at last for this
};

/// How collectives and channels divide an iteration of a plan. On the critical path: computePathSeconds and all pathSeconds (of
/// ops, or of channels) add up to it. In the compute stream: its work and all idleSeconds do.
struct PlanShares {
    double computePathSeconds = 0;
    std::vector<PlanShare> collectives{}; ///< with a share, the longest on the critical path first, then the most idle
    std::vector<PlanShare> channels{};    ///< of the plan, in its order
};

/// A played plan and its inputs, all of which must outlive this.
struct PlayedPlanView {
    const GraphRun &run;    ///< of planGraph()
    std::int32_t iteration; ///< the settled one, which starts at run.windowStartSeconds
    const TrainingDag &dag; ///< that the plan was played on
    const ExecutionPlan &plan;
    const MotifCosts &costs;
};

/// Marks latency in a chain of causes of `played`, and where a motif waited only for a channel (Cause::throughQueue). The sum of
/// seconds stays the same. O(chain * parents of an op).
[[nodiscard]] CauseChain planChain(const CauseChain &chain, const PlayedPlanView &played);
/// Divides the iteration whose critical path is `chain` (planChain()). O(tasks + pieces).
[[nodiscard]] PlanShares planShares(const CauseChain &chain, const CauseFinder &finder, const PlayedPlanView &played);
/// "prep: spline 1 of 2 of all_to_all, on e0"; compute-ops as `finder` names them.
[[nodiscard]] CauseWords planCauseWords(const Cause &cause, const CauseFinder &finder, const PlayedPlanView &played);

} // namespace syncopate

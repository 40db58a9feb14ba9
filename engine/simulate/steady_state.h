// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"
#include "engine/simulate/event_loop.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// The long-run pace of an unrolled schedule.
///
/// The last unrolled iteration alone proves nothing: schedules alternate, warm up for many iterations, or never repeat. But a
/// schedule is deterministic, so once every task of some iterations starts and ends exactly one period after its counterpart, it
/// does so for ever, and the mean over the period is the limit. Where no period shows, the pace is a mean with a confidence
/// interval.
struct SteadyState {
    double secondsPerStep = 0;             ///< time in which all replicas together take as many samples as one step of each has
    double windowStartSeconds = 0;         ///< of worker 0's last full iteration
    double fromSeconds = 0, toSeconds = 0; ///< the stretch of the schedule that secondsPerStep is the mean of
    std::int32_t period = 0;               ///< iterations after which the schedule repeats; 0 = no period found
    /// Of worker 0, those that make up the stretch if workers are in step and their iterations differ; else 1. One of them says
    /// little about the others, so figures are means over all.
    std::int32_t iterations = 1;
    /// By how much the long run may differ from secondsPerStep, as a share of it: 0 where a period was found, how much the
    /// iterations of the stretch differ where `isEven`, else half of a 95 % confidence interval; infinite where too few
    /// iterations were unrolled to tell, or there is no steady state. The change of links' token buckets is added.
    double confidence = 0;
    bool isEven = false; ///< no period, but iterations of equal length within steadyConfidence
    /// Links change their rates: the figure is of that stretch, and there is no steady state to find.
    bool isChanging = false;
    /// Token buckets of links empty or fill in the stretch: the figure is of that stretch alone.
    bool bucketsChange = false;
    /// The same, but within steadyConfidence: iterations repeat, and `confidence` is what the buckets change.
    bool bucketsDrift = false;
    [[nodiscard]] bool isExact() const { return period > 0; }
};

/// Half of the width of the interval below which unrolling further is pointless, relative to its middle.
inline constexpr double steadyConfidence = 1e-3;
/// The same for workers in step whose iterations differ for ever, where unrolling more costs more than the digit is worth.
inline constexpr double meanConfidence = 5e-3;

/// Start times of the iterations of each worker class, ascending: the first forward op of each.
[[nodiscard]] std::vector<std::vector<double>> iterationStarts(const TaskGraph &graph, const Schedule &schedule);

/// Workers in step (TaskGraph::workersInStep): the shortest period p of at most a third of the iterations such that the last p
/// iterations repeat the p before, task by task, and these, if p > 1, the p before them. Workers that drift apart: samples over
/// time while all of them are busy and warmed up, with the confidence of batch means. O(tasks) a candidate period, of which few
/// survive the comparison of iteration starts.
[[nodiscard]] SteadyState steadyState(const TaskGraph &graph, const Schedule &schedule);

/// Describes for readers of the figure what it is the mean of, and its confidence.
[[nodiscard]] std::string describeSteadyState(const SteadyState &state, const TaskGraph &graph);

} // namespace syncopate

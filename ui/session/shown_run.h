// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/comparable.h"
#include "engine/analyze/flows.h"
#include "engine/analyze/link_loads.h"
#include "engine/analyze/metrics.h"
#include "engine/export/export.h"
#include "engine/session/planned_work.h"
#include "engine/simulate/run.h"
#include "engine/strategy/lint.h"
#include "ui/session/shown_workers.h"
#include "ui/timeline/flow_arrows.h"
#include "ui/timeline/timeline_data.h"

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate::ui {

/// A recording, or a simulation with its recording, and everything that the views need from it, computed once on the worker
/// thread. Invalid if `stop` was requested in the meantime: the requester discards it.
class ShownRun final {
public:
    explicit ShownRun(std::shared_ptr<const Recording> recording, const std::stop_token &stop = {});
    explicit ShownRun(const std::shared_ptr<const Run> &run, const std::stop_token &stop = {});
    explicit ShownRun(const std::shared_ptr<const PlannedRecording> &plan, const std::stop_token &stop = {});

    [[nodiscard]] const Recording &recording() const { return *m_recording; }
    /// The simulation behind the recording, which lives as long as this does; null for measured, played or planned runs.
    [[nodiscard]] const Run *simulation() const { return m_simulation; }
    /// The plan that was played; null for everything else.
    [[nodiscard]] const PlannedRecording *plan() const { return m_plan; }
    [[nodiscard]] const TimelineData &timeline() const { return m_timeline; }
    /// The workers that have figures; at least one.
    [[nodiscard]] const std::vector<ShownWorker> &workers() const { return m_workers; }
    /// The last full iteration, or the mean of the last Recording::windowIterations, of the worker with the longest exposed
    /// communication.
    [[nodiscard]] const AreaStatistics &window() const { return m_window; }
    /// Only for simulations, like the rest down to servers(): empty for a mere recording.
    [[nodiscard]] const std::vector<VariableRow> &variables() const { return m_variables; }
    /// Per variable: time that its traffic of the last full iteration overlaps the communication exposed to worker 0.
    [[nodiscard]] const std::vector<double> &variableExposedSeconds() const { return m_variableExposed; }
    /// Known pitfalls of the strategy.
    [[nodiscard]] const std::vector<LintMark> &lintMarks() const { return m_lint; }
    /// The parameters that each node of the cluster serves.
    [[nodiscard]] const std::vector<ServerShare> &servers() const { return m_servers; }
    /// Per label of the timeline: whether it is about `variable` (its sync units and the layer that owns it).
    [[nodiscard]] std::vector<std::uint8_t> labelsOf(std::int32_t variable) const;
    /// The unit that a span of a run's timeline moves, if any.
    [[nodiscard]] UnitId unitOfTask(TaskId task) const;

    /// Per label: whether its name, or that of a variable it is about (labelsOf()), contains `text`. An empty text matches
    /// nothing.
    [[nodiscard]] std::vector<std::uint8_t> labelsMatching(const std::string &text) const;
    /// What `span` waited for and what waited for it: at most maxFlowArrows, each end on the lane nearest to the other end.
    [[nodiscard]] std::vector<SpanFlow> flowsOfSpan(const SpanRef &span) const;
    /// The same for all traffic of `variable` in the iteration that is shown.
    [[nodiscard]] std::vector<SpanFlow> flowsOfVariable(std::int32_t variable) const;
    /// For a plan, the critical path of its iteration, from span to span; otherwise empty.
    [[nodiscard]] std::vector<SpanFlow> criticalPath() const;

private:
    ShownRun(std::shared_ptr<const Recording> recording, const GraphRun *graph, const std::stop_token &stop,
             const std::vector<ChannelId> &laneChannels = {});
    [[nodiscard]] std::vector<double> exposedOfVariables(const Run &run, const std::stop_token &stop) const;
    /// Marks the labels that are about one of the `wanted` variables. Requires a simulation.
    void markLabels(const std::vector<std::uint8_t> &wanted, std::vector<std::uint8_t> &labels) const;
    /// Requires a graph. Made on first use, O(tasks + edges + spans): most runs of a dragged knob never need it.
    [[nodiscard]] const FlowFinder &flows() const;
    [[nodiscard]] std::vector<SpanFlow> toSpans(const std::vector<Flow> &flows, const SpanRef *selected) const;

    std::shared_ptr<const Recording> m_recording;
    // *m_recording, or null.
    const GraphRun *m_graph;
    const Run *m_simulation = nullptr;
    const PlannedRecording *m_plan = nullptr;
    std::vector<ShownWorker> m_workers;
    AreaStatistics m_window;
    TimelineData m_timeline; ///< its exposed lane belongs to the window's worker
    std::vector<VariableRow> m_variables;
    std::vector<double> m_variableExposed;
    std::vector<LintMark> m_lint;
    std::vector<ServerShare> m_servers;
    mutable std::once_flag m_flowsMade;
    mutable std::unique_ptr<const FlowFinder> m_flows;
};

/// Why the runs' figures for the quantity cannot be compared; empty = they can, or a run is missing.
[[nodiscard]] std::string whyNotComparable(Quantity quantity, const ShownRun *a, const ShownRun *b);

} // namespace syncopate::ui

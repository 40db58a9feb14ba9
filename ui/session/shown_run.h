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
#include "ui/timeline/flow_arrows.h"
#include "ui/timeline/timeline_data.h"

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate::ui {

/// A recording, or a simulation with its recording, with everything that the views ask of it, computed once on the worker thread.
/// Not to be asked anything when `stop` was requested meanwhile: whoever requested it wants it no more.
class ShownRun final {
public:
    explicit ShownRun(std::shared_ptr<const Recording> recording, const std::stop_token &stop = {});
    explicit ShownRun(const std::shared_ptr<const Run> &run, const std::stop_token &stop = {});
    explicit ShownRun(const std::shared_ptr<const PlannedRecording> &plan, const std::stop_token &stop = {});

    [[nodiscard]] const Recording &recording() const { return *m_recording; }
    /// The simulation behind the recording, which lives as long as this does; null for what was measured, played or planned.
    [[nodiscard]] const Run *simulation() const { return m_simulation; }
    /// The plan that was played; null for everything else.
    [[nodiscard]] const PlannedRecording *plan() const { return m_plan; }
    [[nodiscard]] const TimelineData &timeline() const { return m_timeline; }
    /// The last full iteration of the worker that communication exposes longest.
    [[nodiscard]] const AreaStatistics &window() const { return m_window; }
    /// Of a simulation, as the rest down to servers() is: empty for a mere recording.
    [[nodiscard]] const std::vector<VariableRow> &variables() const { return m_variables; }
    /// Per variable: its traffic of the last full iteration is under way while worker 0's compute stream idles.
    [[nodiscard]] const std::vector<double> &variableExposedSeconds() const { return m_variableExposed; }
    /// Known traps that the strategy walks into.
    [[nodiscard]] const std::vector<LintMark> &lintMarks() const { return m_lint; }
    /// What each node of the cluster keeps for parameter servers.
    [[nodiscard]] const std::vector<ServerShare> &servers() const { return m_servers; }
    /// Per label of the timeline: whether it is about `variable` (its sync units and the layer that owns it).
    [[nodiscard]] std::vector<std::uint8_t> labelsOf(std::int32_t variable) const;
    /// Index into the graph's units of the unit that a span of a run's timeline moves, -1 = none.
    [[nodiscard]] std::int32_t unitOfTask(std::int32_t task) const;

    /// Per label: its name contains `text`, or it is about a variable whose name does. Empty texts are in none.
    [[nodiscard]] std::vector<std::uint8_t> labelsMatching(const std::string &text) const;
    /// What `span` waited for and what waited for it: at most mostFlowArrows, each end on the lane nearest to the other.
    [[nodiscard]] std::vector<SpanFlow> flowsOfSpan(const SpanRef &span) const;
    /// The same of all traffic of `variable` in the iteration that is shown.
    [[nodiscard]] std::vector<SpanFlow> flowsOfVariable(std::int32_t variable) const;
    /// Of a plan: the critical path of its iteration, from span to span; empty for everything else.
    [[nodiscard]] std::vector<SpanFlow> criticalPath() const;

private:
    ShownRun(std::shared_ptr<const Recording> recording, const GraphRun *graph, const std::stop_token &stop,
             const std::vector<std::int32_t> &laneChannels = {});
    [[nodiscard]] std::vector<double> exposedOfVariables(const Run &run, const std::stop_token &stop) const;
    /// Of what has a graph. Made when first asked for: most runs of a dragged knob never are. O(tasks + edges + spans) then.
    [[nodiscard]] const FlowFinder &flows() const;
    [[nodiscard]] std::vector<SpanFlow> toSpans(const std::vector<Flow> &flows, const SpanRef *selected) const;

    std::shared_ptr<const Recording> m_recording;
    // *m_recording, or null.
    const GraphRun *m_graph;
    const Run *m_simulation = nullptr;
    const PlannedRecording *m_plan = nullptr;
    AreaStatistics m_window;
    TimelineData m_timeline; ///< its exposed lane is of the window's worker
    std::vector<VariableRow> m_variables;
    std::vector<double> m_variableExposed;
    std::vector<LintMark> m_lint;
    std::vector<ServerShare> m_servers;
    mutable std::once_flag m_flowsMade;
    mutable std::unique_ptr<const FlowFinder> m_flows;
};

/// Why figures of the quantity over the runs' windows cannot be compared; empty = they can, or a run is missing.
[[nodiscard]] std::string whyNotComparable(Quantity quantity, const ShownRun *a, const ShownRun *b);

} // namespace syncopate::ui

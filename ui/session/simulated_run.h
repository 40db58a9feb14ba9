// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/link_loads.h"
#include "engine/analyze/metrics.h"
#include "engine/export/export.h"
#include "engine/simulate/run.h"
#include "engine/strategy/lint.h"
#include "ui/timeline/timeline_data.h"

#include <memory>
#include <vector>

namespace syncopate::ui {

/// A Run with everything that the views ask of it, computed once on the worker thread.
class SimulatedRun final {
public:
    explicit SimulatedRun(std::shared_ptr<const Run> run);

    [[nodiscard]] const Run &run() const { return *m_run; }
    [[nodiscard]] const std::shared_ptr<const Run> &runPointer() const { return m_run; }
    [[nodiscard]] const TimelineData &timeline() const { return m_timeline; }
    /// Worker 0 over the last full iteration.
    [[nodiscard]] const AreaStatistics &window() const { return m_window; }
    [[nodiscard]] const std::vector<VariableRow> &variables() const { return m_variables; }
    /// Per variable: its traffic of the last full iteration is under way while worker 0's compute stream idles.
    [[nodiscard]] const std::vector<double> &variableExposedSeconds() const { return m_variableExposed; }
    /// Known traps that the strategy walks into; empty for what was measured.
    [[nodiscard]] const std::vector<LintMark> &lintMarks() const { return m_lint; }
    /// What each node of the cluster keeps for parameter servers.
    [[nodiscard]] const std::vector<ServerShare> &servers() const { return m_servers; }
    /// Per label of the timeline: whether it is about `variable` (its sync units and the layer that owns it).
    [[nodiscard]] std::vector<std::uint8_t> labelsOf(std::int32_t variable) const;
    /// Index into the graph's units of the unit that a span of a run's timeline moves, -1 = none.
    [[nodiscard]] std::int32_t unitOfTask(std::int32_t task) const;

private:
    [[nodiscard]] std::vector<double> exposedOfVariables() const;

    std::shared_ptr<const Run> m_run;
    TimelineData m_timeline;
    AreaStatistics m_window;
    std::vector<VariableRow> m_variables;
    std::vector<double> m_variableExposed;
    std::vector<LintMark> m_lint;
    std::vector<ServerShare> m_servers;
};

} // namespace syncopate::ui

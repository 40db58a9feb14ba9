// SPDX-License-Identifier: GPL-3.0-or-later
// The menu Compare: both sides, and the panels that study them.
#include "ui/runs/conditions_preset.h"
#include "ui/runs/sweep_preset.h"
#include "ui/runs/tune_preset.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/throughput/throughput_plot.h"
#include "ui/window/action_row_parts.h"
#include "ui/window/action_rows.h"
#include "ui/window/panes.h"

#include <utility>

namespace syncopate::ui {

using namespace rows;

namespace {

void toggleCompare(Session &session) {
    SessionState next = session.state();
    next.compare = !next.compare;
    const bool on = next.compare;
    session.change(std::move(next), on ? tr("Compare A and B") : tr("Show A alone"));
}

void swapSides(Session &session) {
    SessionState next = session.state();
    std::swap(next.sides[0], next.sides[1]);
    session.change(std::move(next), tr("Swap A and B"));
}

/// Requires a job that can have a side B, or a B that is shown already and can be put away.
std::function<QString()> needsTwoSides(const WindowParts &parts) {
    return [&session = parts.session, why = needsPlans(parts)] {
        return session.state().job && session.state().compare ? QString() : why();
    };
}

/// Panels that study A and B.
std::vector<ActionRow> studyRows(const WindowParts &parts) {
    const auto throughput = [&parts] {
        parts.panels.raise("throughput");
        parts.panels.throughput().plot().setFocus(Qt::ShortcutFocusReason);
    };
    return {
        {"explain",
         tr("&Explain the iteration"),
         {key("Ctrl+I")},
         tr("Why the iteration is as long as it is, and what would help"),
         raises(parts, "why")},
        {"sweep",
         tr("S&weep a knob"),
         {key("Ctrl+J")},
         tr("Iteration time over any knob, or any pair of knobs"),
         [&parts] { parts.panels.raiseRuns(parts.panels.sweeps()); },
         isNoRecordingOrDag(parts)},
        {"tune",
         tr("T&une the policy"),
         {key("Ctrl+G")},
         tr("How fast A trains over two settings of its policy, and what tuners choose"),
         [&parts] { parts.panels.raiseRuns(parts.panels.tuning()); },
         isNoRecording(parts)},
        {"conditions",
         tr("Changing con&ditions"),
         {},
         tr("How fast A trains while bandwidth, other jobs and stragglers change, tuned once and tuned again"),
         [&parts] { parts.panels.raiseRuns(parts.panels.conditions()); },
         isNoRecording(parts)},
        {"throughput",
         tr("Asynchronous t&hroughput"),
         {key("Ctrl+U")},
         tr("Throughput of asynchronous training over the number of workers"),
         throughput,
         isNoRecording(parts)},
        {"topology",
         tr("&Topology"),
         {key("Ctrl+T")},
         tr("The cluster, the load of its links, and its nodes to edit"),
         raises(parts, "topology")},
        {"query",
         tr("S&QL query"),
         {key("Ctrl+Shift+Q")},
         tr("Ask spans, tasks, variables, links and trials with SQL"),
         raises(parts, "query"),
         needsJob(parts)},
        {"difference",
         tr("Compare tr&aces"),
         {},
         tr("Compare the open profile with another trace, by op, layer and stream"),
         raises(parts, "difference"),
         [&session = parts.session] { return session.state().profile ? QString() : tr("Open a profile first"); }},
    };
}

} // namespace

std::vector<ActionRow> compareRows(const WindowParts &parts) {
    std::vector<ActionRow> rows{
        {"compare",
         tr("&Compare A/B"),
         {key("Ctrl+B")},
         tr("Show B beside A, with their difference"),
         [&parts] { toggleCompare(parts.session); },
         needsTwoSides(parts),
         parts.session.state().compare},
        {"lock",
         tr("&Lock axes"),
         {key("L")},
         tr("A and B show the same stretch of time, aligned at the iteration's start"),
         [&parts] { parts.panes.setLocked(!parts.panes.isLocked()); },
         needsJob(parts),
         parts.panes.isLocked()},
    };
    for (ActionRow &row : studyRows(parts))
        rows.push_back(std::move(row));
    rows.push_back({"swap",
                    tr("&Swap A and B"),
                    {key("X")},
                    tr("Swap A and B"),
                    [&parts] { swapSides(parts.session); },
                    needsTwoSides(parts),
                    {},
                    tr("Swap")});
    return rows;
}

std::vector<ActionRow> alignRows(const WindowParts &parts) {
    const auto row = [&parts](Alignment alignment, const QString &id, const QString &text, const QString &tip) {
        return ActionRow{id,
                         text,
                         {},
                         tip,
                         [&parts, alignment] { parts.panes.setAlignment(alignment); },
                         needsJob(parts),
                         alignment == parts.panes.alignment()};
    };
    return {row(Alignment::IterationStart, "alignStart", tr("Iteration &start"), tr("Both iterations start at the same place")),
            row(Alignment::BackwardStart, "alignBackward", tr("&Backward start"),
                tr("The first backward span of worker 0 stands at the same place")),
            row(Alignment::IterationEnd, "alignEnd", tr("Iteration &end"), tr("Both iterations end at the same place"))};
}

} // namespace syncopate::ui

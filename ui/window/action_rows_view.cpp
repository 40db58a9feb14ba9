// SPDX-License-Identifier: GPL-3.0-or-later
// The menu View.
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/action_row_parts.h"
#include "ui/window/action_rows.h"
#include "ui/window/bottom_panels.h"
#include "ui/window/main_window.h"
#include "ui/window/panes.h"
#include "ui/window/perspectives.h"

#include <QSettings>
#include <QStatusBar>
#include <memory>
#include <utility>

namespace syncopate::ui {

using namespace rows;

namespace {

/// Applies `change` to every pane.
template <class Change> std::function<void()> inEveryPane(const WindowParts &parts, Change change) {
    return [&panes = parts.panes, change] {
        for (TimelineView *pane : panes.views())
            change(*pane);
    };
}

} // namespace

std::vector<ActionRow> viewRows(const WindowParts &parts) {
    // The axis of the pane that had focus last: while axes are not locked, B has its own.
    return {
        {"zoomIn",
         tr("Zoom &in"),
         {QKeySequence::ZoomIn},
         tr("Zoom in; W in a timeline"),
         [&parts] { parts.panes.zoom(0.8); },
         needsJob(parts)},
        {"zoomOut",
         tr("Zoom &out"),
         {QKeySequence::ZoomOut},
         tr("Zoom out; S in a timeline"),
         [&parts] { parts.panes.zoom(1.25); },
         needsJob(parts)},
        {"fit",
         tr("&Fit selection or iteration"),
         {key("F")},
         tr("Fit the selected time, the selected span, or the iteration"),
         [&parts] { parts.panes.activeView().fitSelectionOrIteration(); },
         needsJob(parts),
         {},
         tr("Fit")},
        {"back",
         tr("&Back"),
         {key("Alt+Left")},
         tr("The view before"),
         [&parts] { parts.panes.activeView().axis().back(); },
         needsJob(parts)},
        {"forward",
         tr("For&ward"),
         {key("Alt+Right")},
         tr("The view after"),
         [&parts] { parts.panes.activeView().axis().forward(); },
         needsJob(parts)},
        {"lowerPanels",
         tr("Lower pan&els"),
         {key("Q")},
         tr("Hide the panels below the timelines, or show them again"),
         [bottom = std::make_shared<BottomPanels>(parts.window)] { bottom->toggle(); },
         needsJob(parts)},
        separator,
    };
}

std::vector<ActionRow> perspectiveRows(const WindowParts &parts) {
    std::vector<ActionRow> rows;
    Perspectives &perspectives = parts.panels.perspectives();
    for (const Perspective &one : Perspectives::all())
        rows.push_back({"perspective_" + one.id,
                        one.title,
                        {key(qPrintable(QStringLiteral("Ctrl+%1").arg(rows.size() + 1)))},
                        one.about,
                        [&perspectives, id = one.id] { perspectives.show(id); },
                        needsJob(parts),
                        one.id == perspectives.present()});
    return rows;
}

std::vector<ActionRow> themeRows(const WindowParts &parts) {
    std::vector<ActionRow> rows;
    for (const auto &[setting, text] : {std::pair{Theme::Setting::System, tr("As the &system")},
                                        {Theme::Setting::Dark, tr("&Dark")},
                                        {Theme::Setting::Light, tr("&Light")}})
        rows.push_back({"theme_" + Theme::nameOf(setting),
                        text,
                        {},
                        tr("Theme: %1").arg(QString(text).remove(QLatin1Char('&'))),
                        [&parts, setting = setting] { parts.theme.setSetting(setting); },
                        {},
                        parts.theme.setting() == setting});
    return rows;
}

std::vector<ActionRow> scaleRows(const WindowParts &parts) {
    const QString setting = QStringLiteral("scalePercent");
    const int present = QSettings().value(setting, 100).toInt();
    std::vector<ActionRow> rows;
    for (const int percent : {80, 90, 100, 110, 125, 150, 175, 200}) {
        const auto scale = [&parts, percent, setting] {
            QSettings().setValue(setting, percent);
            parts.window.statusBar()->showMessage(tr("%1 % from the next start on").arg(percent), 5000);
        };
        rows.push_back({QStringLiteral("scale%1").arg(percent),
                        tr("%1 %").arg(percent),
                        {},
                        tr("Size of all text and controls, from the next start on"),
                        scale,
                        {},
                        percent == present});
    }
    return rows;
}

std::vector<ActionRow> laneRows(const WindowParts &parts) {
    return {
        {"collapseAll",
         tr("&Collapse all workers"),
         {},
         tr("Only the first lane of every worker; C for one"),
         inEveryPane(parts, [](TimelineView &pane) { pane.setAllCollapsed(true); }),
         needsJob(parts)},
        {"expandAll",
         tr("&Expand all workers"),
         {},
         tr("All lanes of every worker"),
         inEveryPane(parts, [](TimelineView &pane) { pane.setAllCollapsed(false); }),
         needsJob(parts)},
        {"lanesAsSimulated",
         tr("As &simulated"),
         {},
         tr("Reset pinned, moved and collapsed lanes"),
         inEveryPane(parts, [](TimelineView &pane) { pane.setArrangement({}); }),
         needsJob(parts)},
    };
}

} // namespace syncopate::ui

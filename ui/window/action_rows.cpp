// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/action_rows.h"

#include "engine/job/catalogue.h"
#include "ui/help/about.h"
#include "ui/help/shortcut_sheet.h"
#include "ui/project/scenarios_panel.h"
#include "ui/runs/conditions_preset.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/searcher.h"
#include "ui/runs/sweep_preset.h"
#include "ui/runs/tune_preset.h"
#include "ui/theme/theme.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/throughput/throughput_plot.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/exports.h"
#include "ui/window/files.h"
#include "ui/window/main_window.h"
#include "ui/window/palette_entries.h"
#include "ui/window/panels.h"
#include "ui/window/panes.h"
#include "ui/window/perspectives.h"
#include "ui/window/tutorial.h"
#include "ui/window/window_actions.h"

#include <QApplication>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QStatusBar>
#include <QTableView>
#include <utility>

namespace syncopate::ui {

namespace {

const ActionRow separator{};

QString tr(const char *text) { return WindowActions::tr(text); }
QKeySequence key(const char *text) { return QKeySequence(WindowActions::tr(text)); }

std::function<QString()> needsJob(const WindowParts &parts) {
    return [&session = parts.session] { return withoutJob(session); };
}

std::function<void()> raises(const WindowParts &parts, const QString &panel) {
    return [&panels = parts.panels, panel] { panels.raise(panel); };
}

/// Does `change` to every pane.
template <class Change> std::function<void()> inEveryPane(const WindowParts &parts, Change change) {
    return [&panes = parts.panes, change] {
        for (TimelineView *pane : panes.views())
            change(*pane);
    };
}

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

void openPalette(const WindowParts &parts) {
    auto entries = paletteEntries(*parts.window.menuBar(), parts.session, parts.panels, parts.panes);
    (new CommandPalette(std::move(entries), &parts.window))->open();
}

void openShortcuts(MainWindow &window) {
    auto *sheet = new ShortcutSheet(*window.menuBar(), &window);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
}

QString whyNoExport(const Session &session) {
    if (session.run(Side::A) || session.run(Side::B))
        return {};
    return session.state().job ? tr("neither side could be simulated yet") : withoutJob(session);
}

QString whyNoStop(const Searcher &searcher) {
    if (searcher.status() != Searcher::Status::Running)
        return tr("no search is running");
    return searcher.isStopping() ? tr("it is stopping") : QString();
}

QString whyNoResume(const Searcher &searcher) {
    if (searcher.status() == Searcher::Status::Stopped)
        return {};
    return searcher.status() == Searcher::Status::Running ? tr("the search is running") : tr("no search was stopped");
}

} // namespace

QString withoutJob(const Session &session) { return session.state().job ? QString() : tr("nothing is loaded yet"); }

std::vector<ActionRow> openRows(const WindowParts &parts) {
    return {
        {"open",
         tr("&Open…"),
         {QKeySequence::Open},
         tr("Open a profile, job, cluster or project file"),
         [&parts] { parts.files.openDialog(); }},
        {"sample",
         tr("Open &sample"),
         {key("Ctrl+Shift+O")},
         tr("Open the bundled sample"),
         [&parts] { parts.session.openSample(); }},
    };
}

std::vector<ActionRow> projectRows(const WindowParts &parts) {
    const auto keep = [&parts] {
        parts.panels.raise("scenarios");
        parts.panels.scenarios().keep();
    };
    return {
        {"newWindow",
         tr("&New window"),
         {QKeySequence::New},
         tr("Another window, to load something else in"),
         [&parts] { parts.window.openWindow(); }},
        separator,
        {"save",
         tr("&Save project"),
         {QKeySequence::Save},
         tr("Save scenarios, views and what they were made from; changes after that are saved by themselves"),
         [&parts] { parts.files.saveProject(false); },
         needsJob(parts)},
        {"saveAs",
         tr("Save project &as…"),
         {key("Ctrl+Shift+S")},
         tr("Save the project under another name, and go on there"),
         [&parts] { parts.files.saveProject(true); },
         needsJob(parts)},
        {"keep",
         tr("&Keep this scenario"),
         {key("Ctrl+D")},
         tr("Keep what A and B are now, to come back to or to compare with"),
         keep,
         needsJob(parts)},
        separator,
    };
}

std::vector<ActionRow> catalogueRows(const WindowParts &parts) {
    std::vector<ActionRow> rows;
    for (const CatalogueJob &job : catalogueJobs())
        rows.push_back({"job_" + QString::fromStdString(job.name),
                        QString::fromStdString(job.title),
                        {},
                        QString::fromStdString(job.description),
                        [&parts, name = QString::fromStdString(job.name)] { parts.session.open(name); }});
    return rows;
}

std::vector<ActionRow> exportRows(const WindowParts &parts) {
    return {
        {"cluster",
         tr("Open c&luster…"),
         {key("Ctrl+L")},
         tr("Open a resource_spec.yml"),
         [&parts] { parts.files.openClusterDialog({}); }},
        separator,
        {"export",
         tr("&Export…"),
         {key("Ctrl+E")},
         tr("Export strategies, traces, tables, pictures, settings and reports"),
         [&parts] { parts.exports.openSheet(); },
         [&parts] { return whyNoExport(parts.session); }},
        separator,
        {"close",
         tr("Clos&e window"),
         {QKeySequence::Close},
         tr("Close this window; the last one quits"),
         [&parts] { parts.window.close(); }},
        {"quit", tr("&Quit"), {QKeySequence::Quit}, tr("Close all windows"), [] { QApplication::closeAllWindows(); }},
    };
}

std::vector<ActionRow> editRows(const WindowParts &parts) {
    return {
        separator,
        {"copyReadout",
         tr("Copy &readout"),
         {key("Ctrl+Shift+R")},
         tr("Copy the readout line; Ctrl+C in a timeline"),
         [&parts] { parts.panes.copyReadout(); },
         needsJob(parts)},
        {"copyPicture",
         tr("Copy &picture"),
         {key("Ctrl+Shift+C")},
         tr("Copy a picture of the panes"),
         [&parts] { parts.exports.copyPicture(); },
         needsJob(parts)},
        separator,
        {"find",
         tr("&Find in the timelines…"),
         {QKeySequence::Find},
         tr("Find spans by name or variable; / in a timeline"),
         parts.find,
         needsJob(parts)},
        {"note",
         tr("&Write a note…"),
         {},
         tr("A note on the selected stretch, span or the pointer's time; N in a timeline"),
         [&parts] { parts.panes.activeView().writeNote(); },
         needsJob(parts)},
        {"palette",
         tr("Find &anything…"),
         {key("Ctrl+K"), key("Ctrl+Shift+P")},
         tr("Find any action, job, cluster, variable or lane"),
         [&parts] { openPalette(parts); }},
    };
}

std::vector<ActionRow> viewRows(const WindowParts &parts) {
    // Of the pane that had the focus last: while axes are not locked, B has its own.
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
         tr("Fit the selection, or the iteration"),
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
                        tr("Theme: %1").arg(Theme::nameOf(setting)),
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
         tr("Nothing pinned, moved or collapsed"),
         inEveryPane(parts, [](TimelineView &pane) { pane.setArrangement({}); }),
         needsJob(parts)},
    };
}

namespace {

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
         [&parts] { parts.panels.raiseRuns(parts.panels.sweeps()); }},
        {"tune",
         tr("T&une the policy"),
         {key("Ctrl+G")},
         tr("How fast A trains over two settings of its policy, and what tuners choose"),
         [&parts] { parts.panels.raiseRuns(parts.panels.tuning()); }},
        {"conditions",
         tr("Changing con&ditions"),
         {},
         tr("How fast A trains while bandwidth, other jobs and stragglers change, tuned once and tuned again"),
         [&parts] { parts.panels.raiseRuns(parts.panels.conditions()); }},
        {"throughput",
         tr("Asynchronous t&hroughput"),
         {key("Ctrl+U")},
         tr("Throughput of asynchronous training over the number of workers"),
         throughput},
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
         needsJob(parts),
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
                    needsJob(parts),
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

std::vector<ActionRow> searchRows(const WindowParts &parts) {
    auto &panels = parts.panels;
    const auto run = [&panels] {
        panels.raiseRuns(panels.search());
        panels.search().focusSheet();
    };
    const auto showCandidates = [&panels] { panels.raiseTable(panels.search()); };
    const auto plan = [&panels] {
        panels.raiseRuns(panels.plans());
        panels.plans().focusSheet();
    };
    return {
        {"search",
         tr("&Run search…"),
         {key("Ctrl+R")},
         tr("Search for a strategy that is faster than every builder's"),
         run,
         needsJob(parts),
         {},
         tr("Search")},
        {"stopSearch",
         tr("&Stop search"),
         {},
         tr("Stop the search and keep what was found; Esc in its panel"),
         [&panels] { panels.search().stop(); },
         [&panels] { return whyNoStop(panels.searcher()); },
         {},
         tr("Stop")},
        {"resumeSearch",
         tr("R&esume search"),
         {},
         tr("Go on with the same seed, exactly as if it had not been stopped"),
         [&panels] { panels.search().resume(); },
         [&panels] { return whyNoResume(panels.searcher()); }},
        separator,
        {"showCandidates",
         tr("&Candidates"),
         {key("Ctrl+Shift+A")},
         tr("The table of what the search tried"),
         showCandidates,
         needsJob(parts)},
        separator,
        {"plan",
         tr("&Plan collectives…"),
         {key("Ctrl+Shift+L")},
         tr("Find out into which motifs, on which channels and in which order the collectives should run"),
         plan,
         needsJob(parts)},
    };
}

std::vector<ActionRow> helpRows(const WindowParts &parts) {
    return {
        {"tutorial",
         tr("&Tutorial: overlap in two minutes"),
         {},
         tr("Learn on the bundled sample what overlap is and what makes it better"),
         [&parts] { parts.tutorial.start(); }},
        {"keys",
         tr("&Shortcuts"),
         {key("F1"), key("?")},
         tr("What keys and mouse do"),
         [&parts] { openShortcuts(parts.window); }},
        {"about",
         tr("&About Syncopate"),
         {},
         tr("Versions and licence"),
         [&parts] { QMessageBox::about(&parts.window, tr("About Syncopate"), aboutText()); }},
    };
}

} // namespace syncopate::ui

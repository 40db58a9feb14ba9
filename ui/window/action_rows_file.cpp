// SPDX-License-Identifier: GPL-3.0-or-later
// The menus File and Edit.
#include "engine/job/catalogue.h"
#include "ui/project/scenarios_panel.h"
#include "ui/theme/sentences.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/action_row_parts.h"
#include "ui/window/action_rows.h"
#include "ui/window/command_palette.h"
#include "ui/window/exports.h"
#include "ui/window/files.h"
#include "ui/window/main_window.h"
#include "ui/window/palette_entries.h"
#include "ui/window/panes.h"

#include <QApplication>
#include <QMenuBar>
#include <utility>

namespace syncopate::ui {

using namespace rows;

namespace {

void openPalette(const WindowParts &parts) {
    auto entries = paletteEntries(*parts.window.menuBar(), parts.session, parts.panels, parts.panes);
    (new CommandPalette(std::move(entries), &parts.window))->open();
}

QString whyNoExport(const Session &session) {
    if (session.run(Side::A) || session.run(Side::B))
        return {};
    return session.state().job ? tr("neither side could be simulated yet") : whyNoJob(session);
}

} // namespace

std::vector<ActionRow> openRows(const WindowParts &parts) {
    return {
        {"open",
         tr("&Open…"),
         {QKeySequence::Open},
         tr("Open a profile, job, cluster or project file"),
         [&parts] { parts.files.openDialog(); }},
        {"openFolder",
         tr("Open &folder…"),
         {},
         tr("Open the traces of all ranks of a job, which are in one folder"),
         [&parts] { parts.files.openFolderDialog(); }},
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
         tr("Open another window, to load something else"),
         [&parts] { parts.window.openWindow(); }},
        separator,
        {"save",
         tr("&Save project"),
         {QKeySequence::Save},
         tr("Save scenarios, views and their inputs; later changes are saved automatically"),
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
         tr("Keep the present A and B, to return to them or to compare with them"),
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
                        said(job.description),
                        [&parts, name = QString::fromStdString(job.name)] { parts.session.open(name); }});
    return rows;
}

std::vector<ActionRow> exportRows(const WindowParts &parts) {
    return {
        {"cluster",
         tr("Open c&luster…"),
         {key("Ctrl+L")},
         tr("Open a cluster: resource_spec.yml, nvidia-smi topo -m, NCCL XML, ASTRA-sim network or InfraGraph"),
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
         tr("Find any action, job, cluster, knob, strategy, policy, kept scenario, variable or lane"),
         [&parts] { openPalette(parts); }},
    };
}

} // namespace syncopate::ui

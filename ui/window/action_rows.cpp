// SPDX-License-Identifier: GPL-3.0-or-later
// The menus Search and Help.
#include "ui/window/action_rows.h"
#include "ui/help/about.h"
#include "ui/help/shortcut_sheet.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/searcher.h"
#include "ui/session/simulate_side.h"
#include "ui/window/action_row_parts.h"
#include "ui/window/main_window.h"
#include "ui/window/tutorial.h"

#include <QMenuBar>
#include <QMessageBox>

namespace syncopate::ui {

using namespace rows;

namespace {

void openShortcuts(MainWindow &window) {
    auto *sheet = new ShortcutSheet(*window.menuBar(), &window);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
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

QString whyNoJob(const Session &session) { return session.state().job ? QString() : tr("nothing is loaded yet"); }

QString whyNotForRecordings(const Session &session) { return session.state().job ? whyNotSimulated(session.state()) : QString(); }

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
         needsTraining(parts),
         {},
         tr("Search")},
        {"stopSearch",
         tr("&Stop search"),
         {},
         tr("Stop the search and keep its results; Esc in its panel"),
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
         tr("The table of the search's candidates"),
         showCandidates,
         needsJob(parts)},
        separator,
        {"plan",
         tr("&Plan collectives…"),
         {key("Ctrl+Shift+L")},
         tr("Find the best motifs, channels and order for the collectives"),
         plan,
         needsPlans(parts)},
    };
}

std::vector<ActionRow> helpRows(const WindowParts &parts) {
    return {
        {"tutorial",
         tr("&Tutorial: overlap in two minutes"),
         {},
         tr("Learn on the bundled sample what overlap is and how to improve it"),
         [&parts] { parts.tutorial.start(); }},
        {"keys",
         tr("&Shortcuts"),
         {key("F1"), key("?")},
         tr("Keys and mouse gestures"),
         [&parts] { openShortcuts(parts.window); }},
        {"about",
         tr("&About Syncopate"),
         {},
         tr("Versions and licence"),
         [&parts] { QMessageBox::about(&parts.window, tr("About Syncopate"), aboutText()); }},
    };
}

} // namespace syncopate::ui

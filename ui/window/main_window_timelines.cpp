// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow's tools of timelines: search, notes, lanes, alignment of A and B, and the box that finds everything.
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "ui/inspector/inspector.h"
#include "ui/timeline/difference_strip.h"
#include "ui/timeline/notes_panel.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/variables/variables_panel.h"
#include "ui/window/command_palette.h"
#include "ui/window/main_window.h"
#include "ui/window/readout.h"
#include "ui/window/timeline_search.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMenuBar>
#include <QTableView>
#include <QTableWidget>
#include <algorithm>
#include <tuple>

namespace syncopate::ui {

void MainWindow::makeTimelineTools() {
    m_timelineSearch = new TimelineSearch(*m_searchBar, m_session, m_views, this);
    for (const Side side : {Side::A, Side::B}) {
        TimelineView *view = m_views[indexOf(side)];
        view->setNotes(&m_notes, static_cast<std::uint8_t>(indexOf(side)));
        connect(view, &TimelineView::copyWanted, this, [this] { QApplication::clipboard()->setText(m_readout->plainText()); });
        connect(view, &TimelineView::focused, this, [this, side] { m_active = side; });
        connect(view, &TimelineView::arrangementChanged, &m_keeper, &ProjectKeeper::touch);
        connect(view, &TimelineView::arrangementChanged, this, [this, side] { showOverviewLanes(side); });
    }
    connect(&m_notes, &Notes::changed, &m_keeper, &ProjectKeeper::touch);
    connect(m_notesPanel, &NotesPanel::noteWanted, this, &MainWindow::showNote);
    // Notes and lanes belong to what a side shows: they go with it, whether swapped or brought back by undo.
    connect(&m_session, &Session::stateChanged, this, [this] {
        const auto &sides = m_session.state().sides;
        if (sides[0] != sides[1] && sides[0] == m_knownSides[1] && sides[1] == m_knownSides[0]) {
            m_notes.swapSides();
            LaneArrangement a = m_views[0]->arrangement();
            m_views[0]->setArrangement(m_views[1]->arrangement());
            m_views[1]->setArrangement(std::move(a));
        }
        m_knownSides = sides;
    });
}

void MainWindow::makeTimelineActions(QMenu *edit, QMenu *view, QMenu *compareMenu) {
    edit->addSeparator();
    add(edit, QStringLiteral("find"), tr("&Find in the timelines…"), QKeySequence::Find,
        tr("Find spans by name or variable; / in a timeline"), [this] { m_timelineSearch->open(activeSide()); });
    add(edit, QStringLiteral("note"), tr("&Write a note…"), {},
        tr("A note on the selected stretch, span or the pointer's time; N in a timeline"), [this] { activeView().writeNote(); });
    QAction *everything = add(edit, QStringLiteral("palette"), tr("Find &anything…"), QKeySequence(tr("Ctrl+K")),
                              tr("Find any action, job, cluster, variable or lane"), [this] { openPalette(); });
    everything->setShortcuts({QKeySequence(tr("Ctrl+K")), QKeySequence(tr("Ctrl+Shift+P"))});

    QMenu *lanes = view->addMenu(tr("&Lanes"));
    add(lanes, QStringLiteral("collapseAll"), tr("&Collapse all workers"), {},
        tr("Only the first lane of every worker; C for one"), [this] {
            for (TimelineView *pane : m_views)
                pane->setAllCollapsed(true);
        });
    add(lanes, QStringLiteral("expandAll"), tr("&Expand all workers"), {}, tr("All lanes of every worker"), [this] {
        for (TimelineView *pane : m_views)
            pane->setAllCollapsed(false);
    });
    add(lanes, QStringLiteral("lanesAsSimulated"), tr("As &simulated"), {}, tr("Nothing pinned, moved or collapsed"), [this] {
        for (TimelineView *pane : m_views)
            pane->setArrangement({});
    });

    QMenu *align = compareMenu->addMenu(tr("&Align A and B by"));
    auto *group = new QActionGroup(this);
    for (const auto &[alignment, name, text, tip] :
         {std::tuple{Alignment::IterationStart, "alignStart", tr("Iteration &start"),
                     tr("Both iterations start at the same place")},
          {Alignment::BackwardStart, "alignBackward", tr("&Backward start"),
           tr("The first backward span of worker 0 stands at the same place")},
          {Alignment::IterationEnd, "alignEnd", tr("Iteration &end"), tr("Both iterations end at the same place")}}) {
        QAction *action =
            add(align, QString::fromLatin1(name), text, {}, tip, [this, alignment = alignment] { setAlignment(alignment); });
        action->setCheckable(true);
        action->setChecked(alignment == m_alignment);
        group->addAction(action);
    }
}

Side MainWindow::activeSide() const { return m_session.state().compare ? m_active : Side::A; }
TimelineView &MainWindow::activeView() const { return *m_views[indexOf(activeSide())]; }

void MainWindow::setAlignment(Alignment alignment) {
    m_alignment = alignment;
    showAlignment();
}

void MainWindow::showAlignment() {
    const TimelineData *a = m_views[0]->data(), *b = m_views[1]->data();
    const double offset = a && b && m_lock->isChecked() ? alignmentOffset(*a, *b, m_alignment) : 0;
    m_views[1]->setOffset(offset);
    m_overview->setOffset(offset);
    m_difference->setOffset(offset);
    m_readout->setOffset(offset);
    m_inspector->setOffset(offset);
}

void MainWindow::showOverviewLanes(Side side) {
    const TimelineView &view = *m_views[indexOf(side)];
    std::vector<std::size_t> lanes;
    for (const LaneLayout::Row &row : view.layout().rows()) // pinned ones first
        if (view.isPinned(row.lane) || view.data()->lane(row.lane).worker == 0)
            lanes.push_back(row.lane);
    lanes.resize(std::min(lanes.size(), OverviewStrip::mostLanes));
    m_overview->setLanes(indexOf(side), std::move(lanes));
}

void MainWindow::showNote(std::size_t number) {
    if (number >= m_notes.notes().size())
        return;
    const Note &note = m_notes.notes()[number];
    TimelineView &view = *m_views[note.side];
    view.axis().reveal(note.fromNanoseconds - view.offset(),
                       std::max(note.toNanoseconds, note.fromNanoseconds + view.axis().span() / 100) - view.offset());
    view.axis().setCursor(note.fromNanoseconds - view.offset());
}

void MainWindow::openPalette() {
    std::vector<PaletteEntry> entries;
    const QString noJob = tr("nothing is loaded yet");
    const auto plain = [](QString text) { return text.remove(QLatin1Char('&')); };
    const std::function<void(QMenu *, const QString &)> addMenu = [&](QMenu *menu, const QString &kind) {
        for (QAction *action : menu->actions()) {
            if (action->menu()) {
                // The catalogue has entries of its own below.
                if (action->menu()->objectName() != QLatin1String("catalogue"))
                    addMenu(action->menu(), kind + QStringLiteral(" › ") + plain(action->menu()->title()));
                continue;
            }
            if (action->isSeparator() || action->text().isEmpty() || action->objectName() == QLatin1String("palette"))
                continue;
            const bool enabled = action->isEnabled();
            QString hint = action->shortcut().toString(QKeySequence::NativeText);
            if (!enabled) {
                const QString why = action->property("whyNot").toString();
                hint = why.isEmpty() && !m_session.state().job ? noJob : why;
            }
            entries.push_back({kind, plain(action->text()), hint, enabled, [action] { action->trigger(); }});
        }
    };
    for (QAction *action : menuBar()->actions())
        if (action->menu())
            addMenu(action->menu(), plain(action->menu()->title()));
    for (const CatalogueJob &job : catalogueJobs())
        entries.push_back({tr("Job"), QString::fromStdString(job.title), QString::fromStdString(job.name), true,
                           [this, name = QString::fromStdString(job.name)] { m_session.open(name); }});
    const bool loaded = m_session.state().job != nullptr;
    for (const CatalogueCluster &cluster : catalogueClusters())
        entries.push_back({tr("Cluster"), QString::fromStdString(cluster.name),
                           loaded ? QString::fromStdString(cluster.description) : noJob, loaded,
                           [this, name = QString::fromStdString(cluster.name)] { m_session.openCluster(name); }});
    if (loaded) {
        for (const Variable &variable : m_session.state().job->variables)
            entries.push_back({tr("Variable"),
                               QString::fromStdString(variable.name),
                               {},
                               true,
                               [this, name = QString::fromStdString(variable.name)] { selectVariable(name); }});
        for (const Side side : {Side::A, Side::B}) {
            const TimelineView *view = m_views[indexOf(side)];
            for (std::size_t l = 0; view->data() && l < view->data()->laneCount(); ++l)
                entries.push_back({side == Side::A ? tr("Lane of A") : tr("Lane of B"),
                                   QString::fromStdString(view->data()->lane(l).name),
                                   {},
                                   true,
                                   [this, side, l] { m_views[indexOf(side)]->showLane(l); }});
        }
    }
    (new CommandPalette(std::move(entries), this))->open();
}

void MainWindow::selectVariable(const QString &name) {
    raisePanel(QStringLiteral("variables"));
    QTableView *table = m_variables->table();
    const QModelIndexList found =
        table->model()->match(table->model()->index(0, 0), Qt::DisplayRole, name, 1, Qt::MatchExactly | Qt::MatchCaseSensitive);
    if (found.isEmpty())
        return;
    table->selectRow(found.first().row());
    table->scrollTo(found.first());
}

} // namespace syncopate::ui

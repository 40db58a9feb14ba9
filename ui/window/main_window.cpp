// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/inspector/inspector.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/project/scenarios_panel.h"
#include "ui/runs/candidates_panel.h"
#include "ui/runs/search_panel.h"
#include "ui/runs/search_plot.h"
#include "ui/runs/sweeps_panel.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/timeline/difference_strip.h"
#include "ui/timeline/notes_panel.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/topology/topology_panel.h"
#include "ui/variables/variables_panel.h"
#include "ui/why/why_panel.h"
#include "ui/window/message_bar.h"
#include "ui/window/pane_lights.h"
#include "ui/window/panel_layout.h"
#include "ui/window/readout.h"
#include "ui/window/start_page.h"

#include <QAbstractItemView>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>
#include <QtGui/QDropEvent>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

MainWindow::MainWindow(Theme &theme, QWidget *parent) : QMainWindow(parent), m_theme(theme) {
    setObjectName(QStringLiteral("main"));
    setWindowTitle(tr("Syncopate"));
    setAcceptDrops(true);
    setCentralWidget(makeCentre());
    makeDocks();
    makeStatusBar();
    makeActions();
    connectSession();
    makeTimelineTools();
    resize(1440, 900);
    setMinimumSize(960, 600);
    m_initialLayout = saveState();
    showState();
}

MainWindow::~MainWindow() {
    // The panels go after the session and after what makes this a MainWindow. Closing (a floating one is a window of its own)
    // and losing the focus, which ends editing, they must not say anything any more.
    for (QWidget *widget : findChildren<QWidget *>())
        widget->blockSignals(true);
    for (QDockWidget *dock : findChildren<QDockWidget *>())
        dock->disconnect(); // destroyed() is never blocked
    hide();                 // leaving and losing the focus happen now, while what they ask is there
}

QWidget *MainWindow::makeCentre() {
    auto *centre = new QWidget;
    auto *outer = new QVBoxLayout(centre);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    m_messages = new MessageBar(m_theme);
    m_pages = new QStackedWidget;
    outer->addWidget(m_messages);
    outer->addWidget(m_pages, 1);

    auto *start = new StartPage(m_theme);
    connect(start, &StartPage::sampleWanted, this, [this] { m_session.openSample(); });
    connect(start, &StartPage::tutorialWanted, this, &MainWindow::startTutorial);
    connect(start, &StartPage::openWanted, this, &MainWindow::openDialog);
    connect(start, &StartPage::fileWanted, this, &MainWindow::openFile);
    connect(start, &StartPage::jobWanted, this, [this](const QString &name) { m_session.open(name); });
    m_pages->addWidget(start);

    m_explorer = new QWidget;
    auto *column = new QVBoxLayout(m_explorer);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_readout = new Readout(m_theme, m_session, m_axis);
    m_overview = new OverviewStrip(m_theme, m_axis);
    m_panes = new QSplitter(Qt::Vertical);
    m_panes->setChildrenCollapsible(false);
    m_panes->setHandleWidth(5);
    for (const Side side : {Side::A, Side::B}) {
        auto *view = new TimelineView(m_theme, m_axis, side == Side::A ? QStringLiteral("A") : QStringLiteral("B"));
        m_views[indexOf(side)] = view;
        m_panes->addWidget(view);
        connect(view, &TimelineView::spanSelected, this, [this, side] { showSpan(side); });
        connect(view, &TimelineView::gapClicked, this,
                [this, side](std::int32_t worker, double time) { explainGap(side, worker, time); });
    }
    m_lights = new PaneLights(m_session, m_views, this);
    m_difference = new DifferenceStrip(m_theme, m_axis);
    column->addWidget(m_readout);
    column->addWidget(m_overview);
    m_searchBar = new SearchBar;
    column->addWidget(m_searchBar);
    column->addWidget(m_panes, 1);
    column->addWidget(m_difference);
    m_pages->addWidget(m_explorer);
    m_views[0]->installEventFilter(this);
    return centre;
}

void MainWindow::makeDocks() {
    // Not animated: while docks move, Qt saves layouts that it cannot restore, and does not tell which tabs are in front.
    setDockOptions(AllowTabbedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::South);
    const auto dock = [this](const QString &name, const QString &title, QWidget *content, Qt::DockWidgetArea area) {
        auto *widget = new QDockWidget(title);
        widget->setObjectName(name);
        widget->setWidget(content);
        addDockWidget(area, widget);
        return widget;
    };
    m_knobs = new KnobsPanel(m_theme, m_session);
    m_inspector = new Inspector(m_theme, m_session, m_axis);
    m_variables = new VariablesPanel(m_theme, m_session);
    m_log = new QPlainTextEdit;
    m_log->setReadOnly(true);
    m_log->setFrameShape(QFrame::NoFrame);
    m_log->setMaximumBlockCount(5000);
    m_log->setAccessibleName(tr("Log"));
    m_log->setToolTip(tr("What was loaded, changed and exported, and what went wrong, with its time"));
    auto *knobs = dock(QStringLiteral("knobs"), tr("Knobs"), m_knobs, Qt::LeftDockWidgetArea);
    auto *inspector = dock(QStringLiteral("inspector"), tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
    auto *variables = dock(QStringLiteral("variables"), tr("Variables"), m_variables, Qt::BottomDockWidgetArea);
    m_scenarios = new ScenariosPanel(m_session, m_keeper);
    auto *scenarios = dock(QStringLiteral("scenarios"), tr("Scenarios"), m_scenarios, Qt::BottomDockWidgetArea);
    m_topology = new TopologyPanel(m_theme, m_session, m_axis);
    auto *topology = dock(QStringLiteral("topology"), tr("Topology"), m_topology, Qt::BottomDockWidgetArea);
    m_why = new WhyPanel(m_theme, m_session);
    auto *why = dock(QStringLiteral("why"), tr("Why"), m_why, Qt::BottomDockWidgetArea);
    m_sweeps = new SweepsPanel(m_theme, m_session);
    auto *sweeps = dock(QStringLiteral("sweeps"), tr("Sweeps"), m_sweeps, Qt::BottomDockWidgetArea);
    m_throughput = new ThroughputPanel(m_theme, m_session);
    auto *throughput = dock(QStringLiteral("throughput"), tr("Throughput"), m_throughput, Qt::BottomDockWidgetArea);
    m_notesPanel = new NotesPanel(m_notes);
    auto *notes = dock(QStringLiteral("notes"), tr("Notes"), m_notesPanel, Qt::BottomDockWidgetArea);
    m_searcher = new Searcher(this);
    m_search = new SearchPanel(m_theme, m_session, *m_searcher);
    auto *search = dock(QStringLiteral("search"), tr("Search"), m_search, Qt::BottomDockWidgetArea);
    m_candidates = new CandidatesPanel(m_theme, *m_searcher);
    auto *candidates = dock(QStringLiteral("candidates"), tr("Candidates"), m_candidates, Qt::BottomDockWidgetArea);
    auto *logDock = dock(QStringLiteral("log"), tr("Log"), m_log, Qt::BottomDockWidgetArea);
    // In the order of their tabs.
    QDockWidget *before = variables;
    for (QDockWidget *next : {why, sweeps, throughput, search, candidates, topology, scenarios, notes, logDock}) {
        tabifyDockWidget(before, next);
        before = next;
    }
    variables->raise();
    resizeDocks({knobs, inspector}, {256, 336}, Qt::Horizontal);
    resizeDocks({variables}, {214}, Qt::Vertical);
    connect(m_knobs, &KnobsPanel::clusterFileWanted, this, &MainWindow::openClusterDialog);
    connect(m_variables, &VariablesPanel::variableSelected, this, &MainWindow::lightVariable);
    connect(why, &QDockWidget::visibilityChanged, m_why, &WhyPanel::setSeen);
    connect(sweeps, &QDockWidget::visibilityChanged, m_sweeps, &SweepsPanel::setSeen);
    connect(throughput, &QDockWidget::visibilityChanged, m_throughput, &ThroughputPanel::setSeen);
    connect(throughput, &QDockWidget::visibilityChanged, this, [this, throughput](bool seen) {
        // Once the layout is done with what made it visible.
        QMetaObject::invokeMethod(
            this, [this, throughput, seen] { makeRoomFor(*throughput, seen); }, Qt::QueuedConnection);
    });
    connect(topology, &QDockWidget::visibilityChanged, m_topology, &TopologyPanel::setSeen);
    connect(m_topology, &TopologyPanel::saveWanted, this, &MainWindow::saveCluster);
    connect(m_knobs, &KnobsPanel::sweepWanted, this, [this](const QString &id) {
        raisePanel(QStringLiteral("sweeps"));
        m_sweeps->sweepKnob(id);
    });
    connect(m_candidates, &CandidatesPanel::wanted, m_search, &SearchPanel::put);
    connect(m_candidates, &CandidatesPanel::selected, &m_search->plot(), &SearchPlot::mark);
    connect(m_search, &SearchPanel::shown, m_candidates, &CandidatesPanel::select);
    connect(m_why, &WhyPanel::stretchWanted, this, &MainWindow::showStretch);
    connect(m_why, &WhyPanel::answerChanged, this, &MainWindow::showBounds);
    for (const QDockWidget *panel : findChildren<QDockWidget *>())
        if (panel != variables) // copies by itself
            for (QAbstractItemView *view : panel->widget()->findChildren<QAbstractItemView *>())
                copyRowsWithKeyboard(*view);
}

void MainWindow::makeStatusBar() {
    m_statusFile = new QLabel;
    m_statusCounts = new QLabel;
    m_progress = new QProgressBar;
    m_progress->setMaximumWidth(180);
    m_progress->setMaximumHeight(16);
    m_progress->setAccessibleName(tr("Loading"));
    m_cancel = new QPushButton(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop loading (Esc)"));
    m_cancel->setMaximumHeight(22);
    m_progress->hide();
    m_cancel->hide();
    statusBar()->addWidget(m_statusFile, 1);
    statusBar()->addPermanentWidget(m_statusCounts);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_cancel);
    connect(m_cancel, &QPushButton::clicked, &m_session, &Session::cancelLoad);
}

void MainWindow::connectSession() {
    connect(&m_session, &Session::stateChanged, this, &MainWindow::showState);
    connect(&m_session, &Session::runsChanged, this, &MainWindow::showRuns);
    connect(&m_session, &Session::staleChanged, this, [this](bool stale) {
        for (TimelineView *view : m_views)
            view->setStale(stale);
    });
    connect(&m_session, &Session::failed, this, [this](const Error &error, bool ofState) {
        m_messages->showError(error, ofState);
        log(tr("Error: %1").arg(QString::fromStdString(error.toString())));
    });
    connect(&m_session, &Session::message, this, &MainWindow::log);
    connect(&m_session, &Session::loadStarted, this, [this](const QString &what) {
        m_statusFile->setText(tr("Loading %1…").arg(QFileInfo(what).fileName()));
        m_progress->setRange(0, 0);
        m_progress->show();
        m_cancel->show();
        log(tr("Loading %1").arg(what));
    });
    connect(&m_session, &Session::loadProgress, this, [this](double fraction) {
        if (fraction < 0)
            return;
        m_progress->setRange(0, 1000);
        m_progress->setValue(static_cast<int>(fraction * 1000));
    });
    connect(&m_session, &Session::loadEnded, this, [this] {
        m_progress->hide();
        m_cancel->hide();
        showState();
    });
    connect(m_session.undoStack(), &QUndoStack::indexChanged, this, [this](int) {
        if (const QString text = m_session.undoStack()->undoText(); !text.isEmpty())
            log(text);
    });
}

void MainWindow::showState() {
    const SessionState &state = m_session.state();
    showNotesOfJob();
    m_pages->setCurrentIndex(state.job ? 1 : 0);
    showPanels(state.job != nullptr);
    m_views[1]->setVisible(state.compare);
    m_difference->setVisible(state.compare);
    m_compare->setChecked(state.compare);
    for (const Side side : {Side::A, Side::B})
        showSide(side);
    if (m_session.isLoading())
        return;
    m_statusFile->setText(state.job ? QFileInfo(QString::fromStdString(state.source)).fileName() : tr("Nothing is loaded"));
    m_statusFile->setToolTip(QString::fromStdString(state.source));
    showTitle();
    if (!state.job)
        m_statusCounts->clear();
}

void MainWindow::showPanels(bool show) {
    // Nothing loaded: panels without content would only be in the way of the start page.
    if (show == m_panelsShown)
        return;
    m_panelsShown = show;
    if (show) {
        if (!restorePanels(*this, m_layout))
            restorePanels(*this, m_layout = m_initialLayout);
        if (m_layout == m_initialLayout) // which was saved before there was a tab to be in front
            raisePanel(QStringLiteral("variables"));
        return;
    }
    m_layout = saveState();
    for (QDockWidget *dock : findChildren<QDockWidget *>())
        dock->hide();
}

void MainWindow::showSide(Side side) {
    const SideState &asked = m_session.state().side(side);
    const auto run = m_session.run(side);
    QStringList detail;
    if (asked.hasScenario())
        detail.push_back(QString::fromStdString(asked.policy));
    if (run)
        detail +=
            {secondsText(run->recording().iterationSeconds),
             tr("%1 samples/s").arg(run->recording().samplesPerSecond, 0, 'f', run->recording().samplesPerSecond < 100 ? 1 : 0)};
    m_views[indexOf(side)]->setTitle(QString::fromStdString(strategyTitle(asked)), detail.join(QStringLiteral("  ·  ")));
}

void MainWindow::showRuns() {
    std::array<std::shared_ptr<const TimelineData>, 2> data;
    for (const Side side : {Side::A, Side::B}) {
        const std::size_t s = indexOf(side);
        const auto run = m_session.run(side);
        // The timeline lives as long as the run that it is part of.
        if (run)
            data[s] = {run, &run->timeline()};
        const auto &error = m_session.error(side);
        m_views[s]->setData(data[s], error ? tr("Cannot be simulated: %1").arg(QString::fromStdString(error->toString()))
                                           : tr("Simulating…"));
        showSide(side);
        showOverviewLanes(side);
    }
    m_overview->setData(data[0], data[1]);
    m_difference->setData(data[0], data[1]);
    showAlignment();
    lightVariable(m_variables->selectedVariable());
    fitNewRuns();
    alignStrips();
    for (const Side side : {Side::A, Side::B})
        if (m_views[indexOf(side)]->selectedSpan())
            showSpan(side);
    if (!m_session.error(Side::A) && !m_session.error(Side::B))
        m_messages->clearTransient();
    const SessionState &state = m_session.state();
    if (const auto run = m_session.run(Side::A); run && state.job) {
        QStringList counts{tr("%1 layers").arg(state.job->layers.size()), tr("%1 variables").arg(state.job->variables.size()),
                           bytesText(static_cast<double>(state.job->parameterBytes()))};
        const Run *simulation = run->simulation();
        if (!simulation)
            counts += tr("%1 events recorded").arg(run->recording().events);
        else
            counts += {tr("%1 workers").arg(run->recording().workers),
                       tr("cluster %1")
                           .arg(QFileInfo(QString::fromStdString(state.clusterSource)).fileName() +
                                (state.clusterEdited ? tr(" (edited)") : QString())),
                       tr("%1 events in %2").arg(run->recording().events).arg(secondsText(simulation->wallSeconds))};
        m_statusCounts->setText(counts.join(QStringLiteral(" · ")));
    }
    if (!m_session.isStale() && state.job)
        Q_EMIT settled();
}

void MainWindow::fitNewRuns() {
    double iteration = 0;
    for (const Side side : {Side::A, Side::B})
        if (const auto run = m_session.run(side))
            iteration = std::max(iteration, static_cast<double>(run->timeline().iteration()));
    if (iteration <= 0)
        return;
    for (TimeAxis *axis : {&m_axis, &m_axisB})
        axis->setBounds(0, iteration);
    // Only a new job or cluster moves the view: axes stay where they are while knobs are turned.
    const SessionState &state = m_session.state();
    if (m_session.isStale())
        return;
    if (m_fittedJob == state.job && m_fittedCluster == state.cluster) {
        showViews();
        return;
    }
    m_fittedJob = state.job;
    m_fittedCluster = state.cluster;
    for (TimeAxis *axis : {&m_axis, &m_axisB}) {
        axis->setSelection({});
        axis->fit(0, iteration);
    }
    // The side with more lanes gets more room.
    m_panes->setSizes({m_views[0]->fullHeight(), m_views[1]->fullHeight()});
    showViews();
}

void MainWindow::alignStrips() {
    const QRect plot = m_views[0]->plotRect();
    m_difference->setPlotRange(plot.left(), plot.right() + 1);
}

void MainWindow::lightVariable(std::int32_t variable) {
    const auto &job = m_session.state().job;
    const bool inJob = job && variable >= 0 && static_cast<std::size_t>(variable) < job->variables.size();
    m_inspector->setVariable(inJob ? QString::fromStdString(job->variables[static_cast<std::size_t>(variable)].name) : QString());
    m_lights->setVariable(inJob ? variable : -1);
}

void MainWindow::showSpan(Side side) {
    const TimelineView &view = *m_views[indexOf(side)];
    const auto span = view.selectedSpan();
    m_inspector->showSpan(span ? view.describe(*span) : QString());
    m_lights->refresh(side);
}

void MainWindow::makeRoomFor(QDockWidget &dock, bool seen) {
    constexpr int enough = 360; // for knobs, a plot with its legend and a table
    if (dock.isFloating())
        return;
    // What docks are resized to includes their tabs.
    const auto resizeTo = [this](QDockWidget &one, int dockHeight) {
        int tabs = 0;
        for (const QTabBar *bar : findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly))
            for (int t = 0; t < bar->count() && bar->isVisible(); ++t)
                if (bar->tabText(t) == one.windowTitle())
                    tabs = bar->height();
        resizeDocks({&one}, {dockHeight + tabs}, Qt::Vertical);
    };
    if (seen && dock.isVisible()) {
        const int wanted = std::min(enough, height() * 2 / 5);
        if (dock.height() >= wanted)
            return;
        m_heightBefore = dock.height();
        resizeTo(dock, wanted);
        // The layout gives it a moment later, and less where there is less.
        m_heightGiven = wanted;
        constexpr int momentMs = 100;
        QTimer::singleShot(momentMs, &dock, [this, &dock] { m_heightGiven = dock.height(); });
    } else if (!seen && m_heightBefore) {
        const int before = *m_heightBefore;
        for (QDockWidget *other : tabifiedDockWidgets(&dock))
            if (m_heightBefore && !other->visibleRegion().isEmpty()) {
                m_heightBefore.reset();
                if (other->height() == m_heightGiven) // else the user has chosen a height since
                    resizeTo(*other, before);
            }
    }
}

void MainWindow::raisePanel(const QString &name) {
    auto *dock = findChild<QDockWidget *>(name);
    dock->show();
    dock->raise();
}

void MainWindow::showBounds() {
    const auto answer = m_why->isSeen() ? m_why->answer() : nullptr;
    for (const Side side : {Side::A, Side::B}) {
        std::vector<TimeMark> marks;
        if (answer && answer->question.side == side && answer->run == m_session.run(side))
            marks = {{answer->bounds.computeSeconds * 1e9, tr("compute bound")},
                     {answer->bounds.networkSeconds * 1e9, tr("network bound")},
                     {answer->bounds.dependencySeconds * 1e9, tr("dependency bound")}};
        m_views[indexOf(side)]->setMarks(std::move(marks));
    }
}

void MainWindow::showStretch(Side side, double fromSeconds, double toSeconds, std::int32_t task) {
    const auto run = m_session.run(side);
    if (!run)
        return;
    TimelineView &view = *m_views[indexOf(side)];
    const double origin = run->recording().windowStartSeconds;
    const double from = (fromSeconds - origin) * 1e9 - view.offset(), to = (toSeconds - origin) * 1e9 - view.offset();
    view.selectSpan(view.spanOfTask(task));
    view.axis().setSelection(TimeAxis::Range(from, to));
    view.axis().reveal(from, to);
}

void MainWindow::explainGap(Side side, std::int32_t worker, double relativeNanoseconds) {
    const auto run = m_session.run(side);
    if (!run)
        return;
    raisePanel(QStringLiteral("why"));
    m_why->askWait(side, worker, run->recording().windowStartSeconds + relativeNanoseconds * 1e-9);
}

bool MainWindow::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_views[0] && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &MainWindow::alignStrips, Qt::QueuedConnection);
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    for (const QUrl &url : urls)
        if (url.isLocalFile()) {
            openFile(url.toLocalFile());
            return;
        }
    m_messages->showError(
        {tr("Only files of this machine can be dropped.").toStdString(), tr("Save the file first.").toStdString(), {}, {}});
}

} // namespace syncopate::ui

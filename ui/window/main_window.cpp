// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/difference/difference_panel.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/profile_panel.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/query/query_panel.h"
#include "ui/runs/conditions_preset.h"
#include "ui/runs/plan_dag_page.h"
#include "ui/runs/plan_preset.h"
#include "ui/session/loaded_state.h"
#include "ui/theme/theme.h"
#include "ui/timeline/notes_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/topology/topology_panel.h"
#include "ui/variables/variables_panel.h"
#include "ui/why/why_panel.h"
#include "ui/window/exports.h"
#include "ui/window/files.h"
#include "ui/window/load_status.h"
#include "ui/window/message_bar.h"
#include "ui/window/panels.h"
#include "ui/window/panes.h"
#include "ui/window/perspectives.h"
#include "ui/window/project_views.h"
#include "ui/window/start_page.h"
#include "ui/window/timeline_search.h"
#include "ui/window/tutorial.h"
#include "ui/window/undo_in_fields.h"
#include "ui/window/window_actions.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>
#include <QtGui/QDropEvent>
#include <utility>

namespace syncopate::ui {

namespace {

const QString tracePerspective = QStringLiteral("trace");

/// Shows the worker of the side's selected span, else of the other side's; leaves the worker without either.
void showWorkerOfSpan(Panes &panes, Inspector &inspector, Side side) {
    for (const Side one : {side, side == Side::A ? Side::B : Side::A}) {
        const TimelineView &view = panes.view(one);
        if (const auto span = view.selectedSpan()) {
            inspector.showWorker(one, view.data()->lane(span->lane).worker);
            return;
        }
    }
    inspector.leaveWorker();
}

} // namespace

MainWindow::MainWindow(Theme &theme, QWidget *parent)
    : QMainWindow(parent), m_theme(theme), m_keeper(m_session, [this](Project &project) { m_projectViews->complete(project); }),
      m_messages(new MessageBar(theme)), m_pages(new QStackedWidget), m_panes(std::make_unique<Panes>(theme, m_session)) {
    setObjectName(QStringLiteral("main"));
    setWindowTitle(tr("Syncopate"));
    setAcceptDrops(true);
    m_files = std::make_unique<Files>(*this, m_session, m_keeper, *m_messages);
    setCentralWidget(makeCentre());
    m_panels = std::make_unique<Panels>(*this, theme, m_session, m_keeper, m_panes->axis(), m_panes->notes());
    m_status = std::make_unique<LoadStatus>(*statusBar(), m_session);
    m_projectViews = std::make_unique<ProjectViews>(m_session, m_keeper, *m_panes, *m_panels);
    m_exports = std::make_unique<Exports>(*this, theme, m_session, *m_panes, *m_panels, *m_messages);
    m_tutorial = std::make_unique<Tutorial>(*this, theme, m_session, m_panes->axis(), m_panels->why());
    const auto find = [this] { m_timelineSearch->open(m_panes->activeSide()); };
    m_actions = std::make_unique<WindowActions>(
        WindowParts{*this, theme, m_session, *m_panes, *m_panels, *m_files, *m_exports, *m_tutorial, find});
    new UndoInFields(this);
    connectSession();
    connectKeeper();
    connectPanes();
    connectPanels();
    // Must come after the views of new runs: it searches the runs that they show.
    m_timelineSearch = std::make_unique<TimelineSearch>(m_panes->searchBar(), m_session, m_panes->views());
    connect(this, &MainWindow::settled, m_tutorial.get(), &Tutorial::settle, Qt::QueuedConnection);
    resize(1440, 900);
    setMinimumSize(800, 440); // fits a 1920x1080 screen at scale 2
    m_panels->rememberInitialLayout();
    showState();
}

MainWindow::~MainWindow() {
    // The panels outlive the session and this object's MainWindow part. Closing (a floating one is a window of its own) and
    // losing focus, which ends editing, must not emit signals any more.
    for (QWidget *widget : findChildren<QWidget *>())
        widget->blockSignals(true);
    // destroyed() is never blocked. Qt's own connections stay: without one, its list of accessible objects keeps a dead dock, and
    // the next one at that address ends the program.
    for (QDockWidget *dock : findChildren<QDockWidget *>())
        disconnect(dock, nullptr, m_tutorial.get(), nullptr);
    hide(); // close and lose focus now, while everything they call still exists
}

QWidget *MainWindow::makeCentre() {
    auto *centre = new QWidget;
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_messages);
    column->addWidget(m_pages, 1);
    m_pages->addWidget(makeStartPage());
    m_pages->addWidget(&m_panes->widget());
    return centre;
}

QWidget *MainWindow::makeStartPage() {
    auto *start = new StartPage(m_theme);
    connect(start, &StartPage::sampleWanted, this, [this] { m_session.openSample(); });
    connect(start, &StartPage::tutorialWanted, this, [this] { m_tutorial->start(); });
    connect(start, &StartPage::openWanted, m_files.get(), &Files::openDialog);
    connect(start, &StartPage::fileWanted, m_files.get(), &Files::open);
    connect(start, &StartPage::jobWanted, this, [this](const QString &name) { m_session.open(name); });
    return start;
}

void MainWindow::connectSession() {
    connect(&m_session, &Session::stateChanged, this, &MainWindow::showState);
    connect(&m_session, &Session::stateChanged, m_panes.get(), &Panes::followSides);
    connect(&m_session, &Session::runsChanged, this, &MainWindow::showRuns);
    connect(&m_session, &Session::failed, this, [this](const Error &error, bool ofState) {
        m_messages->showError(
            error, ofState ? [this, error] { return m_session.error(Side::A) == error || m_session.error(Side::B) == error; }
                           : MessageBar::IsTrue());
        m_panels->log(tr("Error: %1").arg(QString::fromStdString(error.toString())));
    });
    connect(&m_session, &Session::message, m_panels.get(), &Panels::log);
    connect(&m_session, &Session::remarked, this, [this](const QString &text) {
        m_messages->showDone(text, {}, [this, job = m_session.state().job, cluster = m_session.state().cluster] {
            return m_session.state().job == job && m_session.state().cluster == cluster; // the text's subject
        });
        m_panels->log(text);
    });
    connect(&m_session, &Session::profileOpened, this, [this](const QString &remark) {
        if (remark.isEmpty()) // the sample presents strategies, not itself
            return;
        m_panels->log(remark);
        m_panels->perspectives().show(QStringLiteral("compare")); // it shows the measured run above its simulation
        m_panels->raise(QStringLiteral("profile"));
    });
    connect(&m_session, &Session::recordingOpened, this, [this] { m_panels->perspectives().show(tracePerspective); });
    connect(&m_session, &Session::stateChanged, this, [this] {
        const bool showedRecording = std::exchange(m_showsRecording, showsRecording(m_session.state()));
        if (showedRecording && !m_showsRecording && m_panels->perspectives().present() == tracePerspective)
            m_panels->perspectives().show(QStringLiteral("compare")); // a job has knobs and variables, too
    });
    connect(&m_session, &Session::loadStarted, m_panels.get(),
            [this](const QString &what) { m_panels->log(tr("Loading %1").arg(what)); });
    connect(&m_session, &Session::loadEnded, this, &MainWindow::showState);
    const auto fileRead = [this] { m_messages->clearError(true); };
    connect(&m_session, &Session::loaded, this, fileRead);
    connect(&m_session, &Session::projectRead, this, fileRead);
    connect(&m_session, &Session::planFileRead, this, fileRead);
    connect(m_session.undoStack(), &QUndoStack::indexChanged, m_panels.get(), [this, last = 0](int index) mutable {
        const QUndoStack &stack = *m_session.undoStack();
        const bool isUndone = index < std::exchange(last, index);
        if (const QString text = isUndone ? stack.redoText() : stack.undoText(); !text.isEmpty())
            m_panels->log(isUndone ? tr("Undo: %1").arg(text) : text);
        m_messages->clearError(false);
    });
}

void MainWindow::connectKeeper() {
    connect(&m_keeper, &ProjectKeeper::pathChanged, this, &MainWindow::showTitle);
    connect(&m_keeper, &ProjectKeeper::saved, this, [this](const QString &path) {
        if (path == m_keeper.path()) // else it is the session's own file, which is internal
            statusBar()->showMessage(tr("Saved %1").arg(QFileInfo(path).fileName()), 2000);
    });
    connect(&m_keeper, &ProjectKeeper::visited, this, [this](const QString &who) {
        m_messages->showDone(
            tr("This project was also opened in another window (%1), which works on a copy; changes in this window "
               "are still saved.")
                .arg(who));
    });
}

void MainWindow::connectPanes() {
    connect(m_panes.get(), &Panes::spanSelected, &m_panels->inspector(), &Inspector::showSpan);
    connect(m_panes.get(), &Panes::offsetChanged, &m_panels->inspector(), &Inspector::setOffset);
    connect(m_panes.get(), &Panes::offsetChanged, &m_panels->topology(), &TopologyPanel::setOffset);
    connect(m_panes.get(), &Panes::lockedChanged, &m_panels->topology(),
            [this] { m_panels->topology().setAxisOfB(m_panes->view(Side::B).axis()); });
    connect(m_panes.get(), &Panes::waitClicked, this, [this](Side side, std::int32_t worker, double seconds) {
        m_panels->raise(QStringLiteral("why"));
        m_panels->why().askWait(side, worker, seconds);
    });
}

void MainWindow::connectPanels() {
    connect(&m_panels->knobs(), &KnobsPanel::clusterFileWanted, m_files.get(), &Files::openClusterDialog);
    connect(&m_panels->knobs(), &KnobsPanel::openWanted, m_files.get(), &Files::openDialog);
    connect(&m_panels->perspectives(), &Perspectives::changed, this,
            [this] { m_panes->setTimelinesShown(m_panels->perspectives().showsTimelines()); });
    connect(&m_panels->profile(), &ProfilePanel::clusterFileWanted, m_files.get(), &Files::openClusterDialog);
    connect(&m_panels->profile(), &ProfilePanel::attachWanted, m_files.get(), &Files::attachSizesDialog);
    connect(&m_panels->profile(), &ProfilePanel::calibrateWanted, m_files.get(), &Files::calibrateDialog);
    connect(&m_panels->topology(), &TopologyPanel::saveRequested, m_files.get(), &Files::saveCluster);
    connect(&m_panels->variables(), &VariablesPanel::variableSelected, this, &MainWindow::lightVariable);
    connect(&m_panels->why(), &WhyPanel::stretchWanted, m_panes.get(), &Panes::showStretch);
    connect(&m_panels->why(), &WhyPanel::answerChanged, this, &MainWindow::showBounds);
    connect(&m_panels->query(), &QueryPanel::spanWanted, this,
            [this](Side side, const SpanRef &span) { m_panes->view(side).showSpan(span); });
    connect(&m_panels->plans().graph(), &PlanDagPage::spanWanted, this,
            [this](Side side, const SpanRef &span) { m_panes->view(side).showSpan(span); });
    for (const Side side : {Side::A, Side::B})
        connect(&m_panes->view(side), &TimelineView::spanSelected, this, [this, side] {
            m_panels->plans().graph().showSpan(side, m_panes->view(side).selectedSpan());
            showWorkerOfSpan(*m_panes, m_panels->inspector(), side);
        });
    connect(&m_panels->difference(), &DifferencePanel::spansWanted, this,
            [this](Side side, const std::vector<std::uint8_t> &labels, const SpanRef &first) {
                m_panes->view(side).setFound(labels);
                m_panes->view(side).showSpan(first);
            });
    connect(&m_panels->difference(), &DifferencePanel::spansCleared, this, [this] {
        for (const Side side : {Side::A, Side::B})
            m_panes->view(side).setFound({});
    });
    connect(&m_panels->conditions(), &ConditionsPreset::settingWritten, this, [this](const QString &path) {
        m_messages->showDone(tr("Saved %1").arg(path), QFileInfo(path).path());
        m_panels->log(tr("Saved %1").arg(path));
    });
    connect(&m_panels->notes(), &NotesPanel::noteWanted, m_panes.get(), &Panes::showNote);
}

void MainWindow::showState() {
    const bool loaded = m_session.state().job != nullptr;
    m_messages->hideUntrue();
    m_projectViews->showNotesOfJob();
    m_pages->setCurrentIndex(loaded ? 1 : 0);
    // The hidden page requests no space: the panels may have it.
    for (int page = 0; page < m_pages->count(); ++page) {
        const auto policy = page == m_pages->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        m_pages->widget(page)->setSizePolicy(policy, policy);
    }
    m_panels->show(loaded);
    m_panes->showState();
    m_status->showState();
    if (!m_session.isLoading())
        showTitle();
}

void MainWindow::showTitle() {
    const SessionState &state = m_session.state();
    const QString file = !m_keeper.path().isEmpty()     ? QFileInfo(m_keeper.path()).completeBaseName()
                         : !m_keeper.copyOf().isEmpty() ? tr("Copy of %1").arg(QFileInfo(m_keeper.copyOf()).completeBaseName())
                                                        : QFileInfo(QString::fromStdString(state.source)).fileName();
    setWindowTitle(state.job ? tr("%1 – Syncopate").arg(file) : tr("Syncopate"));
}

void MainWindow::showRuns() {
    m_panes->showRuns();
    lightVariable(m_panels->variables().selectedVariable());
    if (m_panes->fitNewRuns())
        m_projectViews->show();
    m_panes->alignStrips();
    for (const Side side : {Side::A, Side::B})
        if (m_panes->view(side).selectedSpan())
            m_panes->showSelectedSpan(side);
    m_messages->hideUntrue();
    m_status->showRuns();
    if (!m_session.isStale() && m_session.state().job)
        Q_EMIT settled();
}

void MainWindow::lightVariable(std::int32_t variable) {
    const auto &job = m_session.state().job;
    const bool inJob = job && variable >= 0 && static_cast<std::size_t>(variable) < job->variables.size();
    m_panels->inspector().setVariable(inJob ? QString::fromStdString(job->variables[static_cast<std::size_t>(variable)].name)
                                            : QString());
    m_panes->setLitVariable(inJob ? variable : -1);
}

void MainWindow::showBounds() {
    const auto answer = m_panels->why().isSeen() ? m_panels->why().answer() : nullptr;
    for (const Side side : {Side::A, Side::B}) {
        std::vector<TimeMark> marks;
        if (answer && answer->question.side == side && answer->run == m_session.run(side))
            marks = {{answer->bounds.computeSeconds * 1e9,
                      answer->bounds.hostWaitSeconds > 0 ? tr("compute and host bound") : tr("compute bound")},
                     {answer->bounds.networkSeconds * 1e9, tr("network bound")},
                     answer->run->plan() ? TimeMark{answer->bounds.planSeconds * 1e9, tr("bound of any plan")}
                                         : TimeMark{answer->bounds.dependencySeconds * 1e9, tr("dependency bound")}};
        m_panes->view(side).setMarks(std::move(marks));
    }
}

MainWindow *MainWindow::openWindow() {
    auto *window = new MainWindow(m_theme);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->m_keeper.setKeepsSessions(m_keepLayout);
    if (m_keepLayout) {
        saveLayout(); // the theme is the application's: restoring an older one would change it here, too
        window->restoreLayout();
    }
    window->move(pos() + QPoint(32, 32));
    // In an event of its own: creating a window and laying it out take about equally long.
    QMetaObject::invokeMethod(window, &QWidget::show, Qt::QueuedConnection);
    return window;
}

void MainWindow::restoreLayout() {
    m_keepLayout = true;
    const QSettings settings;
    m_theme.setSetting(Theme::settingFromName(settings.value(QStringLiteral("theme")).toString()));
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    if (const QByteArray layout = settings.value(QStringLiteral("layout")).toByteArray(); !layout.isEmpty())
        m_panels->setLayout(layout);
    m_panels->perspectives().setSettings({{QStringLiteral("present"), settings.value(QStringLiteral("perspective")).toString()}});
}

void MainWindow::saveLayout() const {
    QSettings settings;
    settings.setValue(QStringLiteral("theme"), Theme::nameOf(m_theme.setting()));
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    if (m_showsRecording && m_panels->perspectives().present() == tracePerspective)
        return; // the room of a recording is no start for a job
    settings.setValue(QStringLiteral("layout"), m_panels->layout());
    settings.setValue(QStringLiteral("perspective"), m_panels->perspectives().present());
}

void MainWindow::closeEvent(QCloseEvent *event) {
    if (m_keepLayout)
        saveLayout();
    m_keeper.close();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) { m_files->openDropped(event->mimeData()->urls()); }

KnobsPanel &MainWindow::knobs() { return m_panels->knobs(); }
VariablesPanel &MainWindow::variables() { return m_panels->variables(); }
Inspector &MainWindow::inspector() { return m_panels->inspector(); }
Perspectives &MainWindow::perspectives() { return m_panels->perspectives(); }
ProfilePanel &MainWindow::profile() { return m_panels->profile(); }
ScenariosPanel &MainWindow::scenarios() { return m_panels->scenarios(); }
WhyPanel &MainWindow::why() { return m_panels->why(); }
TopologyPanel &MainWindow::topology() { return m_panels->topology(); }
RunsPanel &MainWindow::runs() { return m_panels->runs(); }
SweepPreset &MainWindow::sweeps() { return m_panels->sweeps(); }
PlanPreset &MainWindow::plans() { return m_panels->plans(); }
ThroughputPanel &MainWindow::throughput() { return m_panels->throughput(); }
DifferencePanel &MainWindow::traceDifference() { return m_panels->difference(); }
Searcher &MainWindow::searcher() { return m_panels->searcher(); }
SearchPreset &MainWindow::search() { return m_panels->search(); }
RunsTable &MainWindow::candidates() { return m_panels->candidates(); }
NotesPanel &MainWindow::notesPanel() { return m_panels->notes(); }
TimelineView &MainWindow::view(Side side) { return m_panes->view(side); }
TimeAxis &MainWindow::axis() { return m_panes->axis(); }
Notes &MainWindow::notes() { return m_panes->notes(); }
SearchBar &MainWindow::searchBar() { return m_panes->searchBar(); }
Readout &MainWindow::readout() { return m_panes->readout(); }
DifferenceStrip &MainWindow::difference() { return m_panes->difference(); }
OverviewStrip &MainWindow::overview() { return m_panes->overview(); }
QAction *MainWindow::action(const QString &name) const { return m_actions->action(name); }
QImage MainWindow::picture(int scale) { return m_exports->picture(scale); }
Picture MainWindow::timelinePicture(bool wholeIteration) const { return m_exports->timelinePicture(wholeIteration); }

} // namespace syncopate::ui

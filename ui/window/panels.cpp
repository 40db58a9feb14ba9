// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panels.h"

#include "ui/difference/difference_panel.h"
#include "ui/export/model_table.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/profile_panel.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/project/scenarios_panel.h"
#include "ui/query/query_panel.h"
#include "ui/runs/conditions_preset.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/sweep_preset.h"
#include "ui/runs/tune_preset.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/theme.h"
#include "ui/throughput/setting_sheet.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/timeline/notes_panel.h"
#include "ui/topology/topology_panel.h"
#include "ui/variables/variables_panel.h"
#include "ui/why/why_panel.h"
#include "ui/window/panel_layout.h"
#include "ui/window/perspectives.h"

#include <QAbstractItemView>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLayout>
#include <QMainWindow>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTableView>
#include <QTime>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr int usualHeight = 214;    ///< pixels of the lower docks: ten variables
constexpr double usualShare = 0.24; ///< of the window's height, where that is less

/// Updates the layouts of a widget, and those in it, at once for widgets shown or hidden; Qt does so level by level, with an
/// event each.
void applyLayouts(const QWidget &widget) {
    for (const QWidget *child : widget.findChildren<QWidget *>(Qt::FindDirectChildrenOnly))
        applyLayouts(*child);
    if (QLayout *layout = widget.layout())
        layout->activate();
}

} // namespace

Panels::Panels(QMainWindow &window, Theme &theme, Session &session, ProjectKeeper &keeper, TimeAxis &axis, Notes &notes)
    : m_window(window) {
    makePanels(theme, session, keeper, axis, notes);
    arrange();
    connectPanels();
    m_perspectives = new Perspectives(*this);
}

void Panels::makePanels(Theme &theme, Session &session, ProjectKeeper &keeper, TimeAxis &axis, Notes &notes) {
    m_knobs = new KnobsPanel(theme, session);
    m_inspector = new Inspector(theme, session, axis);
    m_profile = new ProfilePanel(session);
    m_variables = new VariablesPanel(theme, session);
    m_topology = new TopologyPanel(theme, session, axis);
    m_why = new WhyPanel(theme, session);
    m_throughput = new ThroughputPanel(theme, session);
    m_notes = new NotesPanel(notes);
    m_searcher = new Searcher(&m_window); // its panels refer to it until they are destroyed with the window
    m_why->setSearched([searcher = m_searcher] {
        return bestTrials(searcher->plan() ? bestTrialOf(*searcher->plan(), searcher->history()) : std::nullopt,
                          searcher->past());
    });
    connect(m_searcher, &Searcher::statusChanged, m_why, [this] {
        if (m_searcher->status() != Searcher::Status::Running)
            m_why->searchesChanged();
    });
    m_runs = new RunsPanel;
    m_runs->add(*(m_search = new SearchPreset(theme, session, *m_searcher)));
    m_runs->add(*(m_sweeps = new SweepPreset(theme, session)));
    m_runs->add(*(m_plans = new PlanPreset(theme, session)));
    connect(&session, &Session::planFileRead, this, [this] { raiseRuns(*m_plans); });
    m_runs->add(*(m_tuning = new TunePreset(theme, session)));
    m_runs->add(*(m_conditions = new ConditionsPreset(theme, session)));
    m_scenarios = new ScenariosPanel(theme, session, keeper, *m_searcher, *m_search, *m_sweeps);
    m_query = new QueryPanel(session, *m_searcher);
    m_difference = new DifferencePanel(theme, session);
    makeLog();
}

void Panels::makeLog() {
    m_log = new QPlainTextEdit;
    m_log->setReadOnly(true);
    m_log->setFrameShape(QFrame::NoFrame);
    m_log->setMaximumBlockCount(5000);
    m_log->setAccessibleName(tr("Log"));
    m_log->setToolTip(tr("Log of loading, changes, exports and errors, with times"));
}

QDockWidget *Panels::addDock(const QString &name, const QString &title, QWidget *content, Qt::DockWidgetArea area) {
    auto *dock = new QDockWidget(title);
    dock->setObjectName(name);
    dock->setWidget(content);
    m_window.addDockWidget(area, dock);
    return dock;
}

QDockWidget *Panels::dock(const char *name) const { return m_window.findChild<QDockWidget *>(QString::fromLatin1(name)); }

void Panels::arrange() {
    // Not animated: while docks move, Qt saves layouts that it cannot restore, and does not report which tabs are in front.
    m_window.setDockOptions(QMainWindow::AllowTabbedDocks);
    m_window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_window.setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::South);
    auto *knobs = addDock(QStringLiteral("knobs"), tr("Knobs"), m_knobs, Qt::LeftDockWidgetArea);
    auto *inspector = addDock(QStringLiteral("inspector"), tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
    const auto below = [this](const QString &name, const QString &title, QWidget *content) {
        return addDock(name, title, content, Qt::BottomDockWidgetArea);
    };
    auto *profile = below(QStringLiteral("profile"), tr("Profile"), m_profile);
    auto *variables = below(QStringLiteral("variables"), tr("Variables"), m_variables);
    auto *scenarios = below(QStringLiteral("scenarios"), tr("Scenarios"), m_scenarios);
    auto *topology = below(QStringLiteral("topology"), tr("Topology"), m_topology);
    auto *why = below(QStringLiteral("why"), tr("Why"), m_why);
    auto *runs = below(QStringLiteral("runs"), tr("Runs"), m_runs);
    auto *throughput = below(QStringLiteral("throughput"), tr("Throughput"), m_throughput);
    auto *query = below(QStringLiteral("query"), tr("Query"), m_query);
    auto *difference = below(QStringLiteral("difference"), tr("Traces"), m_difference);
    auto *notes = below(QStringLiteral("notes"), tr("Notes"), m_notes);
    auto *log = below(QStringLiteral("log"), tr("Log"), m_log);
    // In tab order.
    QDockWidget *before = profile;
    for (QDockWidget *next : {variables, why, runs, throughput, topology, query, difference, scenarios, notes, log}) {
        m_window.tabifyDockWidget(before, next);
        before = next;
    }
    variables->raise();
    m_window.resizeDocks({knobs, inspector}, {256, 336}, Qt::Horizontal);
    m_window.resizeDocks({variables}, {usualHeight}, Qt::Vertical);
}

void Panels::fitToWindow() {
    const int fitting = static_cast<int>(usualShare * m_window.height());
    if (fitting < usualHeight)
        m_window.resizeDocks({dock("variables")}, {fitting}, Qt::Vertical);
}

void Panels::connectPanels() {
    m_window.installEventFilter(this);
    connect(dock("why"), &QDockWidget::visibilityChanged, m_why, &WhyPanel::setSeen);
    connect(dock("runs"), &QDockWidget::visibilityChanged, m_runs, &RunsPanel::setSeen);
    connect(dock("topology"), &QDockWidget::visibilityChanged, m_topology, &TopologyPanel::setSeen);
    connect(dock("throughput"), &QDockWidget::visibilityChanged, m_throughput, &ThroughputPanel::setSeen);
    connect(dock("scenarios"), &QDockWidget::visibilityChanged, m_scenarios, &ScenariosPanel::setSeen);
    // The price is the same wherever it is set.
    QDoubleSpinBox &price = m_throughput->sheet().priceBox();
    connect(&price, &QDoubleSpinBox::valueChanged, &m_scenarios->priceBox(), &QDoubleSpinBox::setValue);
    connect(&m_scenarios->priceBox(), &QDoubleSpinBox::valueChanged, &price, &QDoubleSpinBox::setValue);
    for (QDockWidget *roomy : roomyDocks())
        connect(roomy, &QDockWidget::visibilityChanged, this, [this, roomy](bool seen) {
            // Deferred until the layout pass that made it visible is over.
            QMetaObject::invokeMethod(
                this, [this, roomy, seen] { makeRoomFor(*roomy, seen); }, Qt::QueuedConnection);
        });
    connect(m_knobs, &KnobsPanel::sweepWanted, this, [this](const QString &id) {
        m_sweeps->sweepKnob(id); // before the panel is visible: otherwise the sweep of another knob starts first
        raiseRuns(*m_sweeps);
    });
    for (const QDockWidget *panel : docks())
        for (QAbstractItemView *view : panel->widget()->findChildren<QAbstractItemView *>())
            copyRowsWithKeyboard(*view);
    connect(m_variables, &VariablesPanel::copyWanted, this, [this] { copyRows(*m_variables->table()); });
}

void Panels::log(const QString &line) {
    m_log->appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + line);
}

QList<QDockWidget *> Panels::docks() const { return m_window.findChildren<QDockWidget *>(); }

void Panels::raise(const QString &name) {
    auto *panel = m_window.findChild<QDockWidget *>(name);
    panel->show();
    panel->raise();
}

RunsTable &Panels::candidates() { return m_search->table(); }

void Panels::chooseRuns(const RunPreset &preset) { m_runs->choose(preset); }

void Panels::raiseRuns(const RunPreset &preset) {
    chooseRuns(preset); // first, since a preset that becomes visible may start to run
    raise(QStringLiteral("runs"));
}

void Panels::raiseTable(const RunPreset &preset) {
    m_runs->choose(preset);
    raise(QStringLiteral("runs"));
    m_runs->showTable(preset);
}

QList<QDockWidget *> Panels::roomyDocks() const {
    return {dock("profile"), dock("throughput"), dock("runs"), dock("why"), dock("query"), dock("difference"), dock("scenarios")};
}

void Panels::selectVariable(const QString &name) {
    raise(QStringLiteral("variables"));
    QTableView *table = m_variables->table();
    const auto find = [&] {
        return table->model()->match(table->model()->index(0, 0), Qt::DisplayRole, name, 1,
                                     Qt::MatchExactly | Qt::MatchCaseSensitive);
    };
    QModelIndexList found = find();
    if (found.isEmpty()) { // the filter may hide it
        const QString filter = m_variables->filter()->text();
        m_variables->filter()->clear();
        found = find();
        if (found.isEmpty()) { // it is of a job that is gone
            m_variables->filter()->setText(filter);
            return;
        }
    }
    table->selectRow(found.first().row());
    table->scrollTo(found.first());
}

void Panels::show(bool show) {
    if (show == m_shown)
        return;
    m_shown = show;
    if (show) {
        if (!restore(m_layout))
            restore(m_layout = m_initialLayout);
        if (m_layout == m_initialLayout) { // it was saved before any tab was in front, for a window of its usual size
            raise(QStringLiteral("variables"));
            fitToWindow();
        }
        return;
    }
    m_layout = m_window.saveState();
    for (QDockWidget *panel : docks())
        panel->hide();
}

void Panels::rememberInitialLayout() { m_initialLayout = m_window.saveState(); }

void Panels::reset() {
    if (!m_shown) {
        m_layout = m_initialLayout;
        return;
    }
    restore(m_initialLayout);
    raise(QStringLiteral("variables"));
    fitToWindow();
}

void Panels::arrangeFor(const Perspective &perspective) {
    restore(m_initialLayout);
    for (QDockWidget *panel : docks()) {
        const Qt::DockWidgetArea area = m_window.dockWidgetArea(panel);
        panel->setVisible(area == Qt::LeftDockWidgetArea    ? perspective.knobs
                          : area == Qt::RightDockWidgetArea ? perspective.inspector
                                                            : !perspective.front.isEmpty());
    }
    if (perspective.front.isEmpty())
        return;
    raise(perspective.front);
    // Deferred until the layout has shown and hidden docks.
    QMetaObject::invokeMethod(
        this,
        [this, front = perspective.front, share = perspective.heightShare] {
            m_heightBefore.reset();
            applyLayouts(*m_window.centralWidget()); // timelines that were just hidden would still claim their room
            auto *panel = m_window.findChild<QDockWidget *>(front);
            resizeHeight(*panel, static_cast<int>(share * m_window.height()));
        },
        Qt::QueuedConnection);
}

QByteArray Panels::layout() const { return m_shown ? m_window.saveState() : m_layout; }

bool Panels::restore(const QByteArray &layout) {
    if (!restorePanels(m_window, layout))
        return false;
    m_heightBefore.reset(); // it was the former arrangement's
    return true;
}

void Panels::resizeHeight(QDockWidget &dock, int height) {
    int tabs = 0; // docks are resized together with them
    for (const QTabBar *bar : m_window.findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly))
        for (int t = 0; t < bar->count() && bar->isVisible(); ++t)
            if (bar->tabText(t) == dock.windowTitle())
                tabs = bar->height();
    m_window.resizeDocks({&dock}, {height + tabs}, Qt::Vertical);
}

void Panels::makeRoomFor(QDockWidget &dock, bool seen) {
    constexpr int enough = 360; // for knobs, a plot with its legend and a table
    constexpr int needed = 300; // for a plot of 200 pixels under its texts
    if (dock.isFloating())
        return;
    if (seen && dock.isVisible()) {
        const int wanted = std::min({enough, std::max(needed, m_window.height() * 2 / 5), m_window.height() / 2});
        if (dock.height() >= wanted)
            return;
        m_heightBefore = dock.height();
        resizeHeight(dock, wanted);
    } else if (!seen && m_heightBefore) {
        const int before = *m_heightBefore;
        for (QDockWidget *other : m_window.tabifiedDockWidgets(&dock))
            if (m_heightBefore && !other->visibleRegion().isEmpty() && !roomyDocks().contains(other)) {
                m_heightBefore.reset();
                resizeHeight(*other, before);
            }
    }
}

std::optional<int> Panels::bottomHeight() const {
    for (QDockWidget *panel : docks())
        if (m_window.dockWidgetArea(panel) == Qt::BottomDockWidgetArea && !panel->isFloating() &&
            !panel->visibleRegion().isEmpty())
            return panel->height();
    return {};
}

bool Panels::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::MouseButtonPress &&
        m_window.isSeparator(static_cast<const QMouseEvent *>(event)->position().toPoint()))
        m_heightAtPress = bottomHeight();
    // A click, or a drag of a separator beside the docks, chooses no height.
    if (event->type() == QEvent::MouseButtonRelease)
        if (const auto before = std::exchange(m_heightAtPress, {}); before && before != bottomHeight())
            m_heightBefore.reset();
    return QObject::eventFilter(watched, event);
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_preset.h"

#include "engine/session/dag_job.h"
#include "ui/runs/figure_line.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/plan_costs_page.h"
#include "ui/runs/plan_dag_page.h"
#include "ui/runs/plan_editor.h"
#include "ui/runs/plan_stack.h"
#include "ui/runs/run_text.h"
#include "ui/session/loaded_state.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QVBoxLayout>
#include <utility>

namespace syncopate::ui {

namespace {

RunPreset::Names planNames() {
    const auto tr = [](const char *text) { return PlanPreset::tr(text); };
    return {.id = QStringLiteral("plan"),
            .name = tr("Plan"),
            .toolTip = tr("Plans the collectives of a training DAG: their motifs, channels and order"),
            .stateName = tr("State of the planning"),
            .resume = tr("Again"),
            .resumeToolTip = tr("Plan from the start.")};
}

RunsTable::Words planWords() {
    const auto tr = [](const char *text) { return PlanPreset::tr(text); };
    return {.name = tr("Plans"),
            .toolTip = tr("The plan of each method. Click or B: set as B, Enter or A: set as A, Ctrl+C: copy rows."),
            .filterName = tr("Filter plans"),
            .filterExample = tr("Filter, such as idle<25"),
            .keys = tr("click or B: set as B   A: set as A"),
            .rows = [](int rows) { return PlanPreset::tr("%n plans", nullptr, rows); },
            .sortColumn = PlanModel::Method,
            .clickWantsB = true};
}

QString undoText(const std::string &title, Side side) {
    const QString name = QString::fromStdString(title);
    return side == Side::A ? PlanPreset::tr("%1 as A").arg(name) : PlanPreset::tr("%1 as B").arg(name);
}

/// `planner`: the maker of the plan, "" where it is a file's.
SessionState withPlan(SessionState state, Side side, std::shared_ptr<const PlannedWork> work, const std::string &planner) {
    SideState &target = state.side(side);
    Planned shown = planned(target.source, std::move(work));
    if (showsDag(state) && !planner.empty()) // its sides have planners where others have builders
        shown.before = Built{planner};
    target.source = std::move(shown);
    target.cluster = nullptr; // plans are made for the shared one
    target.clusterSource.clear();
    state.compare = state.compare || side == Side::B;
    return state;
}

} // namespace

PlanPreset::PlanPreset(const Theme &theme, Session &session, QObject *parent)
    : RunPreset(planNames(), parent), m_session(session), m_model(new PlanModel(m_planner)), m_sheet(new PlanSheet(session)),
      m_start(new QPushButton(tr("Plan"))), m_openPlan(new QPushButton(tr("Plan file…"))),
      m_bestLine(figureLine(tr("The plan of the chosen planner"))),
      m_plot(new HistoryPlot(theme, *m_model, tr("Planning: time of each proposal, best so far and share of accepted ones"))),
      m_stack(new PlanStack(theme)), m_graph(new PlanDagPage(theme, session, [this] { return planSettings(); })),
      m_costs(new PlanCostsPage(theme, session, [this] { return planSettings(); })), m_editor(new PlanEditor(session)),
      m_pages(new QTabWidget) {
    m_pages->setDocumentMode(true);
    m_pages->setAccessibleName(tr("View of the planning"));
    m_pages->setAccessibleDescription(tr("Proposals of the search, timelines of all planners, the graph of the DAG, costs of "
                                         "collectives over their size, or the editor of a plan"));
    m_pages->addTab(m_plot, tr("Proposals"));
    m_pages->addTab(m_stack, tr("Timelines"));
    m_pages->addTab(m_graph, tr("Graph"));
    m_pages->addTab(m_costs, tr("Costs"));
    auto *editorPage = new QScrollArea; // its table and order side by side may be wider than a small window
    editorPage->setWidget(m_editor);
    editorPage->setWidgetResizable(true);
    editorPage->setFrameShape(QFrame::NoFrame);
    editorPage->setFocusPolicy(Qt::NoFocus); // focus belongs to its controls
    m_pages->addTab(editorPage, tr("Editor"));
    m_pages->setTabToolTip(ProposalsPage, tr("Proposals of the search, and their outcome"));
    m_pages->setTabToolTip(TimelinesPage, tr("One iteration of every planner's plan, on one clock"));
    m_pages->setTabToolTip(GraphPage, tr("The DAG of the plan that B (or A) shows: its channels and its critical path"));
    m_pages->setTabToolTip(CostsPage,
                           tr("Time of each kind of collective over its size, by way and channel, with crossover points"));
    m_pages->setTabToolTip(EditorPage, tr("Motifs, channels and orders of the plan that B (or A) shows"));
    m_start->setDefault(true);
    m_start->setAutoDefault(true);
    setParts({.sheet = m_sheet,
              .below = makeButtons(),
              .figures = m_bestLine,
              .plot = m_pages,
              .table = new RunsTable(theme, m_model, planWords())});
    connectAll();
    refresh();
}

QWidget *PlanPreset::makeButtons() {
    auto *buttons = new QWidget;
    auto *row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_start, 1);
    row->addWidget(m_openPlan);
    return buttons;
}

void PlanPreset::connectAll() {
    connect(m_start, &QPushButton::clicked, this, &PlanPreset::start);
    connect(m_openPlan, &QPushButton::clicked, this,
            [this] { openDialog(tr("Open a plan for this DAG"), tr("Plans (*.json);;All files (*)")); });
    connect(&table(), &RunsTable::wanted, this, &PlanPreset::put);
    connect(&m_planner, &Planner::cleared, this, [this] { m_works = {}; });
    connect(&m_planner, &Planner::cleared, this, &PlanPreset::showTimelines);
    connect(&m_planner, &Planner::progressed, this, &PlanPreset::showTimelines);
    connect(&m_session, &Session::runsChanged, this, &PlanPreset::showTimelines);
    connect(m_stack, &PlanStack::rowClicked, this, &PlanPreset::rowClicked);
    connect(m_stack, &PlanStack::spanDragged, this,
            [this](int row, std::size_t lane, std::size_t span, std::size_t toLane, double seconds) {
                const TimelineData &data = *m_stack->rows()[static_cast<std::size_t>(row)].data;
                m_editor->shift(data.lane(lane).label[span], toLane, seconds);
            });
    connect(&m_planner, &Planner::cleared, &stateLine(), &RunStateLine::resetClock);
    connect(&m_planner, &Planner::statusChanged, this, &PlanPreset::refresh);
    connect(&m_planner, &Planner::progressed, this, &PlanPreset::refresh);
    connect(&m_session, &Session::stateChanged, this, &PlanPreset::refresh);
    connect(&m_session, &Session::planFileRead, this, &PlanPreset::take);
    connect(m_sheet, &PlanSheet::settingsChanged, this, &PlanPreset::settingsChanged);
    connect(m_sheet, &PlanSheet::checked, this, &PlanPreset::refresh);
    connect(m_sheet, &PlanSheet::taskChanged, m_graph, &PlanDagPage::refresh);
    connect(m_sheet, &PlanSheet::taskChanged, m_costs, &PlanCostsPage::refresh);
    connect(m_sheet, &PlanSheet::fileWanted, this, &PlanPreset::openDialog);
}

void PlanPreset::openDialog(const QString &title, const QString &filter) {
    const QString path = QFileDialog::getOpenFileName(m_start, title, {}, filter);
    if (!path.isEmpty())
        openFile(path);
}

void PlanPreset::openFile(const QString &path) { m_session.openPlanFile(path, planSettings()); }

void PlanPreset::take(const QString &path, const PlanFile &file) {
    if (const auto *work = std::get_if<std::shared_ptr<const PlannedWork>>(&file)) {
        show(*work, Side::B);
        return;
    }
    if (const auto *dag = std::get_if<std::shared_ptr<const TrainingDag>>(&file))
        m_sheet->chooseDag(*dag, path);
    else
        m_sheet->chooseCosts(std::get<std::shared_ptr<const MotifCosts>>(file), path);
    Q_EMIT settingsChanged(); // projects keep which rows are chosen
}

void PlanPreset::restore(const SessionState &state) {
    m_planner.clear();
    m_sheet->restore(state);
}

void PlanPreset::start() {
    if (!m_session.state().job || !m_session.state().cluster || !m_sheet->problem().isEmpty())
        return;
    m_planner.start(m_session.state(), planSettings());
}

void PlanPreset::focusSheet() { m_start->setFocus(Qt::ShortcutFocusReason); }

void PlanPreset::put(qint64 plan, Side side) {
    const PlanTask *task = m_planner.task();
    const FoundPlan *found = task && plan < 0 ? m_planner.found(methodOfPlan(plan)) : nullptr;
    // A plan for another job's layers cannot be put on a side.
    if (!found || (task->ofJob && m_planner.state().job != m_session.state().job))
        return;
    auto &work = m_works[static_cast<std::size_t>(found->method)];
    if (!work)
        work = std::make_shared<const PlannedWork>(plannedWork(*task, *found));
    m_session.change(withPlan(m_session.state(), side, work, std::string(nameOf(found->method))), undoText(work->title, side));
}

void PlanPreset::show(const std::shared_ptr<const PlannedWork> &work, Side side) {
    m_session.change(withPlan(m_session.state(), side, work, {}), undoText(work->title, side));
}

void PlanPreset::showTimelines() {
    std::vector<PlanStack::Row> rows;
    m_stackIds.clear();
    const auto figures = [](double seconds, double idle) {
        return tr("%1 · idle %2").arg(secondsText(seconds), percentText(idle));
    };
    for (std::int32_t m = 0; m < planMethodCount; ++m) {
        const auto method = static_cast<PlanMethod>(m);
        const FoundPlan *found = m_planner.found(method);
        if (!found)
            continue;
        rows.push_back({methodTitle(method), figures(found->run.iterationSeconds, found->run.computeIdleRatio()),
                        m_planner.timeline(method)});
        m_stackIds.push_back(planId(method));
    }
    const auto side = m_editor->side();
    if (const auto run = side ? m_session.run(*side) : nullptr; run && run->plan() && !m_session.error(*side)) {
        rows.push_back({tr("%1, to be edited").arg(*side == Side::A ? tr("A") : tr("B")),
                        figures(run->recording().iterationSeconds, run->plan()->computeIdleRatio),
                        std::shared_ptr<const TimelineData>(run, &run->timeline()), true});
        m_stackIds.push_back(0); // belongs to no method
    }
    m_stack->setRows(std::move(rows));
}

void PlanPreset::rowClicked(int row) {
    if (const RunId id = m_stackIds[static_cast<std::size_t>(row)]; id < 0)
        put(id, Side::B);
}

void PlanPreset::refresh() {
    setRunState(runState());
    const bool running = m_planner.status() == Planner::Status::Running;
    const QString reason = whyNotPlanned(m_session.state());
    const QString problem = m_sheet->problem();
    m_sheet->showDagRows();
    const bool startHadFocus = m_start->hasFocus();
    m_start->setEnabled(reason.isEmpty() && !running && problem.isEmpty());
    m_openPlan->setEnabled(reason.isEmpty());
    m_start->setToolTip(plainTip(!reason.isEmpty()    ? reason
                                 : running            ? tr("Planning is under way: stop it first.")
                                 : !problem.isEmpty() ? problem
                                                      : tr("Plan by all methods; earlier plans are cleared.")));
    m_openPlan->setToolTip(plainTip(tr("Show a plan from a file in B; it has to be for the DAG chosen above.")));
    if (startHadFocus && !m_start->isEnabled())
        stopButton().setFocus();
    const QString best = bestText();
    m_bestLine->setText(best);
    m_bestLine->setVisible(!best.isEmpty());
    QStringList notes;
    if (m_planner.task())
        for (const std::string &note : m_planner.task()->notes)
            notes.push_back(said(note));
    m_bestLine->setToolTip(plainTip(notes.join(QLatin1Char('\n'))));
    table().setEmptyText(m_planner.error() ? QString::fromStdString(m_planner.error()->toString())
                         : running         ? tr("Waiting for the first…")
                                           : tr("No plans yet."));
}

} // namespace syncopate::ui

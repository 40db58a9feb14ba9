// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_preset.h"

#include "engine/search/plan_methods.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/figure_line.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/plan_editor.h"
#include "ui/runs/plan_stack.h"
#include "ui/runs/run_text.h"
#include "ui/theme/format.h"
#include "ui/theme/number_box.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr int costsFileRow = 1; ///< of the box of costs; its last row opens another one

/// The row of the box of DAGs, as a project keeps it; a file's DAG is kept by the side that shows a plan of it.
const char *keyOf(int row) {
    return row == PlanPreset::RecordedDagRow ? "recorded" : row == PlanPreset::GradientsDagRow ? "gradients" : "file";
}

RunPreset::Names planNames() {
    const auto tr = [](const char *text) { return PlanPreset::tr(text); };
    return {.id = QStringLiteral("plan"),
            .name = tr("Plan"),
            .toolTip = tr("Plans the collectives of a training DAG: into which motifs, on which channels, in which order"),
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
            .rows = tr("%1 plans"),
            .sortColumn = PlanModel::Method,
            .clickWantsB = true};
}

} // namespace

PlanPreset::PlanPreset(const Theme &theme, Session &session, QObject *parent)
    : RunPreset(planNames(), parent), m_session(session), m_model(new PlanModel(m_planner)),
      m_method(new ArgumentSheet(planMethods(), tr("Planner"))),
      m_dagBox(makeFileBox({tr("the profile's collectives"), tr("the job's, data-parallel")}, tr("Open a DAG file…"),
                           tr("Training DAG"),
                           tr("What is planned: the collectives of the profile's step, where they were launched and waited for; "
                              "the job's layers with an all-reduce each; or a DAG from a file (docs/plan.md). The first two are "
                              "on all GPUs of the cluster."),
                           tr("Training DAGs (*.json);;All files (*)"))),
      m_costsBox(makeFileBox({tr("the channels' figures")}, tr("Open measured collectives…"), tr("Costs of motifs"),
                             tr("Time of a motif alone: steps × latency + bytes / bandwidth of its channel; or as measured, from "
                                "a CSV file (docs/plan.md)."),
                             tr("Measured collectives (*.csv);;All files (*)"))),
      m_start(new QPushButton(tr("Plan"))), m_openPlan(new QPushButton(tr("Plan file…"))),
      m_bestLine(figureLine(tr("The plan of the chosen planner"))),
      m_plot(new HistoryPlot(theme, *m_model, tr("Planning: time of each proposal, best so far and share of accepted ones"))),
      m_stack(new PlanStack(theme)), m_editor(new PlanEditor(session)), m_pages(new QTabWidget) {
    m_pages->setDocumentMode(true);
    m_pages->setAccessibleName(tr("View of the planning"));
    m_pages->setAccessibleDescription(tr("Proposals of the search, timelines of all planners, or the editor of a plan"));
    m_pages->addTab(m_plot, tr("Proposals"));
    m_pages->addTab(m_stack, tr("Timelines"));
    auto *editorPage = new QScrollArea; // its table and its order beside each other are wider than a small window leaves room for
    editorPage->setWidget(m_editor);
    editorPage->setWidgetResizable(true);
    editorPage->setFrameShape(QFrame::NoFrame);
    editorPage->setFocusPolicy(Qt::NoFocus); // its controls have it
    m_pages->addTab(editorPage, tr("Editor"));
    m_pages->setTabToolTip(ProposalsPage, tr("Proposals of the search, and their outcome"));
    m_pages->setTabToolTip(TimelinesPage, tr("One iteration of every planner's plan, on one clock"));
    m_pages->setTabToolTip(EditorPage, tr("Motifs, channels and orders of the plan that B (or A) shows"));
    m_start->setDefault(true);
    m_start->setAutoDefault(true);
    m_method->nameBox().setCurrentIndex(static_cast<int>(PlanMethod::Syndicate));
    setParts({.sheet = makeSheet(),
              .below = makeButtons(),
              .figures = m_bestLine,
              .plot = m_pages,
              .table = new RunsTable(theme, m_model, planWords())});
    connectAll();
    refresh();
}

QComboBox *PlanPreset::makeFileBox(const QStringList &usual, const QString &open, const QString &name, const QString &toolTip,
                                   const QString &filter) {
    auto *box = new QComboBox;
    box->addItems(usual + QStringList{open});
    box->setAccessibleName(name);
    box->setToolTip(plainTip(toolTip));
    box->setMinimumContentsLength(12);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    const int fileRow = static_cast<int>(usual.size());
    connect(box, &QComboBox::activated, this, [this, box, open, filter, fileRow](int row) {
        if (row < box->count() - 1)
            return;
        box->setCurrentIndex(box->count() > fileRow + 1 ? fileRow : 0); // until a file is read
        showDagRows();
        openDialog(open, filter);
    });
    return box;
}

void PlanPreset::showDagRows() {
    const bool recorded = plannedStep(m_session.state().profile.get(), PlannedCollectives::Recorded) != nullptr;
    QStandardItem *item = static_cast<QStandardItemModel *>(m_dagBox->model())->item(RecordedDagRow);
    item->setEnabled(recorded);
    item->setToolTip(
        plainTip(recorded ? tr("All-reduces, all-to-alls and the others that the profile recorded, with what each waited for.")
                          : tr("Nothing recorded: this is for PyTorch profiles of distributed training.")));
    if (m_dagBox->currentIndex() < FileDagRow)
        m_dagBox->setCurrentIndex(recorded && m_collectives == PlannedCollectives::Recorded ? RecordedDagRow : GradientsDagRow);
}

void PlanPreset::dagChosen(int row) {
    if (row < FileDagRow)
        m_collectives = row == RecordedDagRow ? PlannedCollectives::Recorded : PlannedCollectives::Gradients;
    Q_EMIT settingsChanged();
}

QWidget *PlanPreset::makeSheet() {
    m_budget =
        numberBox<QSpinBox>(1, 1'000'000, PlanSettings{}.evaluations, tr("Budget"),
                            tr("Max. execution plans that S-Exec and SYNDICATE judge in each chain; a chain ends earlier where "
                               "more than half of them came after its best. Random draws as many as SYNDICATE may judge."));
    m_budget->setSuffix(tr(" evals"));
    m_seed = numberBox<QSpinBox>(0, 2147483647, 1, tr("Seed"), tr("The same seed finds the same plans."));
    m_seed->setPrefix(tr("seed "));
    for (QSpinBox *box : {m_budget, m_seed})
        box->setKeyboardTracking(true); // or saving by a shortcut would lose what is being typed
    m_memory = new QLineEdit;
    m_memory->setPlaceholderText(tr("any"));
    m_memory->setAccessibleName(tr("Memory"));
    m_memory->setToolTip(plainTip(tr("Memory that the buffers of the plan's collectives may take in a process, such as 2GiB; "
                                     "empty: no limit. It bounds S-Exec, SYNDICATE and Random.")));
    m_memory->setMaxLength(32);
    auto *extent = new QWidget;
    auto *row = new QHBoxLayout(extent);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_budget, 1);
    row->addWidget(m_seed, 1);
    m_method->addRow(tr("DAG"), m_dagBox);
    m_method->addRow(tr("Costs"), m_costsBox);
    m_method->addRow(tr("Budget"), extent);
    m_method->addRow(tr("Memory"), m_memory);
    ArgumentSheet::alignLabels({m_method});
    auto *sheet = new QWidget;
    auto *column = new QVBoxLayout(sheet);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_method);
    column->addStretch();
    return sheet;
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
    connect(m_method, &ArgumentSheet::changed, this, &PlanPreset::settingsChanged);
    connect(m_method, &ArgumentSheet::changed, this, &PlanPreset::refresh);
    for (QSpinBox *box : {m_budget, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &PlanPreset::settingsChanged);
    connect(m_memory, &QLineEdit::textChanged, this, &PlanPreset::settingsChanged);
    connect(m_memory, &QLineEdit::textChanged, this, &PlanPreset::refresh);
    connect(m_dagBox, &QComboBox::activated, this, &PlanPreset::dagChosen);
}

void PlanPreset::openDialog(const QString &title, const QString &filter) {
    const QString path = QFileDialog::getOpenFileName(m_start, title, {}, filter);
    if (!path.isEmpty())
        openFile(path);
}

void PlanPreset::openFile(const QString &path) { m_session.openPlanFile(path, planSettings()); }

void PlanPreset::take(const QString &path, const PlanFile &file) {
    if (const auto *dag = std::get_if<std::shared_ptr<const TrainingDag>>(&file))
        chooseDag(*dag, path);
    else if (const auto *costs = std::get_if<std::shared_ptr<const MotifCosts>>(&file))
        chooseCosts(*costs, path);
    else
        show(*std::get<std::shared_ptr<const PlannedWork>>(file), Side::B);
}

namespace {

/// Makes `name` the file of the box, at its row `fileRow`, and chooses it.
void chooseFile(QComboBox &box, int fileRow, const QString &name, const QString &from) {
    if (box.count() > fileRow + 1)
        box.removeItem(fileRow);
    box.insertItem(fileRow, name);
    box.setItemData(fileRow, plainTip(from), Qt::ToolTipRole);
    box.setCurrentIndex(fileRow);
}

} // namespace

void PlanPreset::forgetFiles() {
    m_dag.reset();
    m_costs.reset();
    for (const auto &[box, fileRow] : {std::pair(m_dagBox, static_cast<int>(FileDagRow)), std::pair(m_costsBox, costsFileRow)}) {
        if (box->count() > fileRow + 1)
            box->removeItem(fileRow);
        box->setCurrentIndex(0);
    }
    m_collectives = PlannedCollectives::Recorded;
    showDagRows();
}

void PlanPreset::chooseDag(std::shared_ptr<const TrainingDag> dag, const QString &from) {
    m_dag = std::move(dag);
    chooseFile(*m_dagBox, FileDagRow,
               tr("%1, %2 processes").arg(QString::fromStdString(m_dag->name), QString::number(m_dag->processes)), from);
}

void PlanPreset::chooseCosts(std::shared_ptr<const MotifCosts> costs, const QString &from) {
    m_costs = std::move(costs);
    chooseFile(*m_costsBox, costsFileRow, tr("%1 measured curves").arg(m_costs->curves.size()), from);
}

PlanSettings PlanPreset::planSettings() const {
    PlanSettings settings;
    if (m_dagBox->currentIndex() == FileDagRow)
        settings.dag = m_dag;
    settings.collectives = m_collectives;
    if (m_costsBox->currentIndex() == costsFileRow)
        settings.costs = m_costs;
    settings.method = m_method->text();
    settings.seed = static_cast<std::uint64_t>(m_seed->value());
    settings.evaluations = m_budget->value();
    settings.maxBytes = readMemoryBound(m_memory->text().trimmed().toStdString()).value_or(0.0);
    return settings;
}

QString PlanPreset::problem() const {
    if (!m_method->problem().isEmpty())
        return m_method->problem();
    const auto bound = readMemoryBound(m_memory->text().trimmed().toStdString());
    return bound ? QString() : tr("Memory: %1").arg(QString::fromStdString(bound.error().toString()));
}

QJsonObject PlanPreset::settings() const {
    const DagRow wanted = m_collectives == PlannedCollectives::Recorded ? RecordedDagRow : GradientsDagRow;
    const bool isFile = m_dagBox->currentIndex() >= FileDagRow;
    return {{QStringLiteral("planner"), QString::fromStdString(m_method->text())},
            {QStringLiteral("evaluations"), m_budget->value()},
            {QStringLiteral("seed"), m_seed->value()},
            {QStringLiteral("memory"), m_memory->text()},
            {QStringLiteral("dag"), QLatin1String(keyOf(isFile ? FileDagRow : wanted))}};
}

void PlanPreset::setSettings(const QJsonObject &settings) {
    // An expression of a newer version, which is not known here, leaves the sheet as it is; boxes keep to their ranges.
    static_cast<void>(m_method->setText(settings.value(QStringLiteral("planner")).toString().toStdString()));
    m_budget->setValue(settings.value(QStringLiteral("evaluations")).toInt(m_budget->value()));
    m_seed->setValue(settings.value(QStringLiteral("seed")).toInt(m_seed->value()));
    m_memory->setText(settings.value(QStringLiteral("memory")).toString());
    const QString dag = settings.value(QStringLiteral("dag")).toString();
    for (const DagRow row : {RecordedDagRow, GradientsDagRow})
        if (dag == QLatin1String(keyOf(row))) {
            m_dagBox->setCurrentIndex(row);
            m_collectives = row == RecordedDagRow ? PlannedCollectives::Recorded : PlannedCollectives::Gradients;
        }
    showDagRows();
}

void PlanPreset::restore(const SessionState &state) {
    m_planner.clear();
    forgetFiles();
    for (const SideState &side : state.sides)
        if (const auto *planned = std::get_if<Planned>(&side.source)) {
            const PlannedWork &work = *planned->work;
            if (!work.ofJob)
                chooseDag(std::shared_ptr<const TrainingDag>(planned->work, &work.dag), tr("kept in the project"));
            if (!work.costs.curves.empty())
                chooseCosts(std::shared_ptr<const MotifCosts>(planned->work, &work.costs), tr("kept in the project"));
        }
}

void PlanPreset::start() {
    if (!m_session.state().job || !m_session.state().cluster || !problem().isEmpty())
        return;
    m_planner.start(m_session.state(), planSettings());
}

void PlanPreset::focusSheet() { m_start->setFocus(Qt::ShortcutFocusReason); }

void PlanPreset::put(qint64 plan, Side side) {
    const PlanTask *task = m_planner.task();
    const FoundPlan *found = task && plan < 0 ? m_planner.found(methodOfPlan(plan)) : nullptr;
    // Of another job's layers there is nothing to put anywhere.
    if (found && (!task->ofJob || m_planner.state().job == m_session.state().job))
        show(plannedWork(*task, *found), side);
}

void PlanPreset::show(PlannedWork work, Side side) {
    const QString name = QString::fromStdString(work.title);
    SessionState next = m_session.state();
    SideState &target = next.side(side);
    target.source = planned(target.source, std::make_shared<const PlannedWork>(std::move(work)));
    target.cluster = nullptr; // plans are made for the shared one
    target.clusterSource.clear();
    next.compare = next.compare || side == Side::B;
    m_session.change(std::move(next), side == Side::A ? tr("%1 as A").arg(name) : tr("%1 as B").arg(name));
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
        m_stackIds.push_back(0); // of no method
    }
    m_stack->setRows(std::move(rows));
}

void PlanPreset::rowClicked(int row) {
    if (const RunId id = m_stackIds[static_cast<std::size_t>(row)]; id < 0)
        put(id, Side::B);
}

QString PlanPreset::staleness() const {
    if (!m_planner.task())
        return {};
    const SessionState &planned = m_planner.state(), &present = m_session.state();
    if ((m_planner.task()->ofJob || m_planner.task()->ofRecording) && planned.job != present.job)
        return tr("of another job; plan again for this one");
    const bool same = planned.cluster == present.cluster &&
                      static_cast<const ClusterKnobs &>(planned) == static_cast<const ClusterKnobs &>(present);
    return same ? QString() : tr("planned before the knobs were turned");
}

QString PlanPreset::stateText() const {
    const int found = m_planner.foundCount();
    switch (m_planner.status()) {
    case Planner::Status::Running:
        return tr("%1 plans… %2 evaluations").arg(methodTitle(m_planner.working())).arg(m_planner.steps().size());
    case Planner::Status::Stopped:
        return tr("stopped with %1 of %2 plans").arg(found).arg(planMethodCount);
    case Planner::Status::Done:
        return tr("%1 plans, seed %2").arg(found).arg(m_planner.task()->request.seed);
    case Planner::Status::Failed:
        return tr("Cannot plan: %1").arg(QString::fromStdString(m_planner.error()->toString()));
    default:
        if (const QString problem = this->problem(); !problem.isEmpty())
            return problem;
        return m_session.state().job ? tr("Plan compares %1 planners on this cluster's channels.").arg(planMethodCount)
                                     : tr("Nothing is loaded yet.");
    }
}

RunState PlanPreset::runState() const {
    using Phase = RunState::Phase;
    RunState state{.text = stateText(),
                   .done = static_cast<std::uint64_t>(m_planner.foundCount()),
                   .total = static_cast<std::uint64_t>(planMethodCount)};
    switch (m_planner.status()) {
    case Planner::Status::Idle:
        state.total = 0;
        break;
    case Planner::Status::Running:
        state.phase = Phase::Running;
        break;
    case Planner::Status::Stopped:
        state.phase = Phase::Stopped;
        break;
    case Planner::Status::Done:
    case Planner::Status::Failed:
        state.phase = Phase::Ended;
        break;
    }
    if (const QString stale = staleness(); !stale.isEmpty())
        state.text += QStringLiteral(" · ") + stale;
    return state;
}

QString PlanPreset::bestText() const {
    const FoundPlan *chosen = m_planner.task() ? m_planner.found(m_planner.task()->method) : nullptr;
    if (!chosen)
        return {};
    const double seconds = chosen->run.iterationSeconds, bound = m_planner.boundSeconds();
    QString text = tr("%1 %2 · compute idle %3")
                       .arg(methodTitle(chosen->method), secondsText(seconds))
                       .arg(percentText(chosen->run.computeIdleRatio()));
    if (bound > 0)
        text += tr(" · %1 above the lower bound %2").arg(percentText(seconds / bound - 1), secondsText(bound));
    for (const HistoryModel::Level &level : m_model->levels())
        if ((level.kind == HistoryModel::Level::Kind::Bar || level.name == methodTitle(PlanMethod::Random)) &&
            level.name != methodTitle(chosen->method))
            text += std::abs(seconds / level.value - 1) < 5e-4
                        ? tr(" · as fast as %1").arg(level.name)
                        : tr(" · %1 against %2").arg(changeText(seconds / level.value - 1), level.name);
    if (const PlanRequest &request = m_planner.task()->request; !chosen->fits(request))
        text += tr(" · holds %1, more than the %2 allowed").arg(bytesText(chosen->peakBytes), bytesText(request.maxBytes));
    if (!chosen->run.isSteady)
        text += tr(" · its schedule does not repeat");
    return text;
}

void PlanPreset::refresh() {
    setRunState(runState());
    const bool running = m_planner.status() == Planner::Status::Running;
    const bool loaded = m_session.state().job && m_session.state().cluster;
    const QString problem = this->problem();
    showDagRows();
    const bool startHadFocus = m_start->hasFocus();
    m_start->setEnabled(loaded && !running && problem.isEmpty());
    m_openPlan->setEnabled(loaded);
    m_start->setToolTip(plainTip(!loaded              ? tr("Nothing is loaded yet.")
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
            notes.push_back(QString::fromStdString(note));
    m_bestLine->setToolTip(plainTip(notes.join(QLatin1Char('\n'))));
    table().setEmptyText(m_planner.error() ? QString::fromStdString(m_planner.error()->toString())
                         : running         ? tr("Waiting for the first…")
                                           : tr("No plans yet."));
}

} // namespace syncopate::ui

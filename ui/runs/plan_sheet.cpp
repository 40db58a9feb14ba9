// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_sheet.h"

#include "engine/search/plan_methods.h"
#include "engine/session/dag_job.h"
#include "ui/runs/argument_sheet.h"
#include "ui/theme/number_box.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr int costsFileRow = 1; ///< in the box of costs; its last row opens a file

/// The row of the box of DAGs, as a project keeps it; a DAG from a file is kept by the side that shows a plan of it.
const char *keyOf(int row) {
    return row == PlanSheet::RecordedDagRow ? "recorded" : row == PlanSheet::GradientsDagRow ? "gradients" : "file";
}

constexpr const char *ofChannels = "channels"; ///< the costs that need no file

/// Puts the file `name` into row `fileRow` of the box, and chooses it.
void chooseFile(QComboBox &box, int fileRow, const QString &name, const QString &from) {
    if (box.count() > fileRow + 1)
        box.removeItem(fileRow);
    box.insertItem(fileRow, name);
    box.setItemData(fileRow, plainTip(from), Qt::ToolTipRole);
    box.setCurrentIndex(fileRow);
}

} // namespace

PlanSheet::PlanSheet(const Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_method(new ArgumentSheet(planMethods(), tr("Planner"))),
      m_dagBox(makeFileBox(
          {tr("the profile's collectives"), tr("the job's, data-parallel")}, tr("Open a DAG file…"), tr("Training DAG"),
          tr("What to plan: the collectives of the profile's step, as they were launched and waited for; the job's layers with "
             "one all-reduce each; or a DAG from a file (docs/plan.md). The first two use all GPUs of the cluster."),
          tr("Training DAGs (*.json *.et *.dag);;All files (*)"))),
      m_costsBox(makeFileBox({tr("the channels' figures")}, tr("Open measured collectives…"), tr("Costs of motifs"),
                             tr("Time of a motif alone: steps × latency + bytes / bandwidth of its channel; or as measured, from "
                                "a CSV file (docs/plan.md)."),
                             tr("Measured collectives (*.csv);;All files (*)"))) {
    m_method->nameBox().setCurrentIndex(static_cast<int>(PlanMethod::Syndicate));
    makeFields();
    m_usual = settings();
    connectAll();
}

QComboBox *PlanSheet::makeFileBox(const QStringList &usual, const QString &open, const QString &name, const QString &toolTip,
                                  const QString &filter) {
    auto *box = new QComboBox;
    box->addItems(usual + QStringList{open});
    box->setAccessibleName(name);
    box->setToolTip(plainTip(toolTip));
    box->setMinimumContentsLength(12);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    const auto chosen = std::make_shared<int>(0);
    connect(box, &QComboBox::currentIndexChanged, this, [box, chosen](int row) {
        if (row >= 0 && row < box->count() - 1)
            *chosen = row;
    });
    connect(box, &QComboBox::activated, this, [this, box, open, filter, chosen](int row) {
        if (row < box->count() - 1)
            return;
        box->setCurrentIndex(std::min(*chosen, box->count() - 2)); // until a file is read
        showDagRows();
        Q_EMIT fileWanted(open, filter);
    });
    return box;
}

void PlanSheet::makeFields() {
    m_budget = numberBox<QSpinBox>(
        1, 1'000'000, PlanSettings{}.evaluations, tr("Budget"),
        tr("Maximum number of execution plans that S-Exec and SYNDICATE judge in each chain; a chain ends early after more than "
           "half of them without an improvement. Random draws as many as SYNDICATE may judge."));
    m_budget->setSuffix(tr(" evals"));
    m_seed = numberBox<QSpinBox>(0, 2147483647, 1, tr("Seed"), tr("The same seed finds the same plans."));
    m_seed->setPrefix(tr("seed "));
    for (QSpinBox *box : {m_budget, m_seed})
        box->setKeyboardTracking(true); // else saving by shortcut would lose half-typed text
    m_memory = new QLineEdit;
    m_memory->setPlaceholderText(tr("any"));
    m_memory->setAccessibleName(tr("Memory"));
    m_memory->setToolTip(plainTip(tr("Memory that the buffers of the plan's collectives may take in a process, such as 2GiB; "
                                     "empty: no limit. It bounds S-Exec, SYNDICATE and Random.")));
    m_memory->setMaxLength(32);
    fitNumber(*m_budget, 2000);
    fitNumber(*m_seed, 999);
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
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_method);
    column->addStretch();
}

void PlanSheet::connectAll() {
    connect(m_method, &ArgumentSheet::changed, this, &PlanSheet::settingsChanged);
    connect(m_method, &ArgumentSheet::changed, this, &PlanSheet::checked);
    for (QSpinBox *box : {m_budget, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &PlanSheet::settingsChanged);
    connect(m_memory, &QLineEdit::textChanged, this, &PlanSheet::settingsChanged);
    connect(m_memory, &QLineEdit::textChanged, this, &PlanSheet::checked);
    connect(m_dagBox, &QComboBox::activated, this, &PlanSheet::dagChosen);
    connect(m_costsBox, &QComboBox::activated, this, &PlanSheet::settingsChanged);
    for (QComboBox *box : {m_dagBox, m_costsBox})
        connect(box, &QComboBox::currentIndexChanged, this, &PlanSheet::taskChanged);
}

void PlanSheet::showDagRows() {
    const bool isDag = showsDag(m_session.state());
    const auto *model = static_cast<QStandardItemModel *>(m_dagBox->model());
    model->item(GradientsDagRow)->setEnabled(!isDag);
    model->item(GradientsDagRow)->setToolTip(isDag ? plainTip(tr("The job is a training DAG, which has no layers.")) : QString());
    const bool recorded = plannedStep(m_session.state().profile.get(), PlannedCollectives::Recorded) != nullptr;
    QStandardItem *item = model->item(RecordedDagRow);
    item->setEnabled(recorded);
    item->setToolTip(plainTip(
        recorded ? tr("All-reduces, all-to-alls and the other collectives of the profile, with their dependencies.")
                 : tr("No collectives were recorded: this is for PyTorch profiles and Chakra traces of distributed training.")));
    if (m_dagBox->currentIndex() < FileDagRow)
        m_dagBox->setCurrentIndex(recorded && m_collectives == PlannedCollectives::Recorded ? RecordedDagRow : GradientsDagRow);
}

void PlanSheet::dagChosen(int row) {
    if (row < FileDagRow)
        m_collectives = row == RecordedDagRow ? PlannedCollectives::Recorded : PlannedCollectives::Gradients;
    Q_EMIT settingsChanged();
    Q_EMIT taskChanged();
}

void PlanSheet::forgetFiles() {
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

void PlanSheet::chooseDag(std::shared_ptr<const TrainingDag> dag, const QString &from) {
    m_dag = std::move(dag);
    chooseFile(*m_dagBox, FileDagRow, tr("%1, %n processes", nullptr, m_dag->processes).arg(QString::fromStdString(m_dag->name)),
               from);
    Q_EMIT taskChanged();
}

void PlanSheet::chooseCosts(std::shared_ptr<const MotifCosts> costs, const QString &from) {
    m_costs = std::move(costs);
    chooseFile(*m_costsBox, costsFileRow, tr("%n measured curves", nullptr, static_cast<int>(m_costs->curves.size())), from);
    Q_EMIT taskChanged();
}

PlanSettings PlanSheet::planSettings() const {
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

QString PlanSheet::problem() const {
    if (!m_method->problem().isEmpty())
        return m_method->problem();
    const auto bound = readMemoryBound(m_memory->text().trimmed().toStdString());
    return bound ? QString() : tr("Memory: %1").arg(QString::fromStdString(bound.error().toString()));
}

QJsonObject PlanSheet::settings() const {
    const DagRow wanted = m_collectives == PlannedCollectives::Recorded ? RecordedDagRow : GradientsDagRow;
    const bool isFile = m_dagBox->currentIndex() >= FileDagRow;
    return {
        {QStringLiteral("planner"), QString::fromStdString(m_method->text())},
        {QStringLiteral("evaluations"), m_budget->value()},
        {QStringLiteral("seed"), m_seed->value()},
        {QStringLiteral("memory"), m_memory->text()},
        {QStringLiteral("dag"), QLatin1String(keyOf(isFile ? FileDagRow : wanted))},
        {QStringLiteral("costs"), QLatin1String(m_costsBox->currentIndex() == costsFileRow ? keyOf(FileDagRow) : ofChannels)}};
}

void PlanSheet::setSettings(const QJsonObject &settings) {
    // An expression from a newer version, unknown here, leaves the sheet unchanged; boxes keep to their ranges.
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
    if (settings.value(QStringLiteral("costs")).toString() == QLatin1String(ofChannels))
        m_costsBox->setCurrentIndex(0);
}

void PlanSheet::restore(const SessionState &state) {
    forgetFiles();
    setSettings(m_usual);
    const auto hasReadDag = [](const PlannedWork &work) { return !work.ofJob && !work.ofRecording; };
    const auto hasReadCosts = [](const PlannedWork &work) { return !work.clusterCosts && !work.costs.curves.empty(); };
    std::shared_ptr<const PlannedWork> from;
    for (const Side side : {Side::A, Side::B})
        if (const auto *planned = std::get_if<Planned>(&state.side(side).source); planned && (side == Side::A || state.compare))
            if (hasReadDag(*planned->work) || hasReadCosts(*planned->work))
                from = planned->work;
    if (from && hasReadDag(*from))
        chooseDag(std::shared_ptr<const TrainingDag>(from, &from->dag), tr("kept in the project"));
    if (from && hasReadCosts(*from))
        chooseCosts(std::shared_ptr<const MotifCosts>(from, &from->costs), tr("kept in the project"));
}

} // namespace syncopate::ui

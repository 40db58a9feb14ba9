// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/conditions_model.h"

#include "engine/job/batch.h"
#include "ui/runs/run_text.h"
#include "ui/theme/format.h"
#include "ui/theme/rate_unit.h"

#include <algorithm>
#include <utility>

namespace syncopate::ui {

ConditionsModel::ConditionsModel(QObject *parent) : RunsModel(parent) { setColumns({}); }

void ConditionsModel::setRun(std::shared_ptr<const ConditionsRun> run) {
    if (run == m_run)
        return;
    beginResetModel();
    clearPins();
    m_run = std::move(run);
    m_iteration = 0;
    setColumns(m_run && m_run->hasArms() ? declareColumns() : std::vector<Column>());
    endResetModel();
}

void ConditionsModel::setIteration(std::size_t iteration) {
    m_iteration = iteration;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int ConditionsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_run ? 0 : static_cast<int>(m_run->arms.size());
}

std::vector<RunsModel::Column> ConditionsModel::declareColumns() const {
    const auto speed = [this](int row) {
        return samplesOnly(m_run->statesBatch(), m_run->speedOf(static_cast<std::size_t>(row), m_iteration));
    };
    const auto setting = [this](int row) {
        const std::vector<double> &values = m_run->settingOf(static_cast<std::size_t>(row), m_iteration);
        return values.empty() ? QString::fromLatin1(plainPolicy)
                              : QString::fromStdString(syncopate::describe(m_run->plan.axes, values));
    };
    std::vector<Column> columns{
        {tr("Tuned"),
         tr("The default; tuned for the first condition; tuned again; the best known setting of each condition at once. Beside "
            "them "
            "AutoByte, where partition and credit are tuned; random settings, tuned again as often; and the plain policy, fifo."),
         {QStringLiteral("tuned"), FilterField::Kind::Text},
         140,
         [](int row) { return static_cast<double>(row); },
         [this](int row) { return QString::fromStdString(armOf(row).name); }},
        figure(
            tr("Total"), tr("Time of all iterations, with the cost of changes of the setting."),
            {QStringLiteral("total"), FilterField::Kind::Seconds}, 80, [this](int row) { return armOf(row).totalSeconds; },
            secondsText),
        figure(
            tr("Samples/s"),
            tr("Samples of all workers per second, over all iterations.") + QLatin1Char('\n') + unknownBatchText(),
            {QStringLiteral("samples"), FilterField::Kind::Number}, 80,
            [this](int row) { return samplesOnly(m_run->statesBatch(), armOf(row).samplesPerSecond); }, samplesText),
        figure(
            tr("Regret"), tr("How much longer it takes than the oracle."), {QStringLiteral("regret"), FilterField::Kind::Number},
            64, [this](int row) { return armOf(row).totalSeconds / m_run->arms[oracleArm].totalSeconds - 1; }, percentText),
        figure(
            tr("Changes"), tr("How often the setting was changed after the start."),
            {QStringLiteral("changes"), FilterField::Kind::Number}, 64,
            [this](int row) { return static_cast<double>(armOf(row).changes.size() - 1); },
            [](double value) { return QString::number(value, 'f', 0); }),
        figure(tr("At the mark"), tr("Samples per second in the marked iteration.") + QLatin1Char('\n') + unknownBatchText(),
               {QStringLiteral("marked"), FilterField::Kind::Number}, 84, speed, samplesText),
        {tr("Setting at the mark"),
         tr("Setting in effect in the marked iteration."),
         {QStringLiteral("setting"), FilterField::Kind::Text},
         260,
         [](int row) { return static_cast<double>(row); },
         setting}};
    columns[3].filterScale = 100;
    return columns;
}

QString ConditionsModel::describe(int row) const {
    QStringList lines{QString::fromStdString(armOf(row).name)};
    for (const RetuningArm::Change &change : armOf(row).changes) {
        if (lines.size() > 20) {
            lines << QStringLiteral("…");
            break;
        }
        const QString setting = QString::fromStdString(syncopate::describe(m_run->plan.axes, change.values));
        lines << (change.costSeconds > 0 ? tr("from iteration %1: %2 (the change took %3)")
                                               .arg(QString::number(change.iteration), setting, secondsText(change.costSeconds))
                                         : tr("from iteration %1: %2").arg(QString::number(change.iteration), setting));
    }
    if (armOf(row).network)
        lines << networkText(*armOf(row).network);
    return lines.join(QLatin1Char('\n'));
}

} // namespace syncopate::ui

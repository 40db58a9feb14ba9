// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/sweep_model.h"

#include "engine/job/batch.h"
#include "engine/session/dag_job.h"
#include "ui/knobs/knob_names.h"
#include "ui/runs/run_text.h"
#include "ui/theme/format.h"

#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {

/// Whether `b` is the same sweep as `a` with more points done. With another state its points are other scenarios; its columns,
/// too, may be others: without a batch it has steps per second.
bool goesOn(const Sweep &a, const Sweep &b) { return a.x == b.x && a.y == b.y && a.state == b.state && a.done <= b.done; }

} // namespace

SweepModel::SweepModel(QObject *parent) : RunsModel(parent) { setColumns({}); }

void SweepModel::setSweep(std::shared_ptr<const Sweep> sweep) {
    if (m_sweep && sweep && goesOn(*m_sweep, *sweep)) {
        m_sweep = std::move(sweep);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    if (!m_sweep && !sweep)
        return;
    beginResetModel();
    clearPins();
    m_sweep = std::move(sweep);
    setColumns(m_sweep ? declareColumns() : std::vector<Column>());
    endResetModel();
}

int SweepModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_sweep ? 0 : static_cast<int>(m_sweep->size());
}

double SweepModel::xOf(RunId point) const {
    return m_sweep->x.values[static_cast<std::size_t>(point) / (m_sweep->y ? m_sweep->y->values.size() : 1)];
}

std::optional<double> SweepModel::yOf(RunId point) const {
    return m_sweep->y ? std::optional(m_sweep->y->values[static_cast<std::size_t>(point) % m_sweep->y->values.size()])
                      : std::nullopt;
}

const SweepPoint &SweepModel::pointOf(Side side, int row) const {
    return m_sweep->points[indexOf(side)][static_cast<std::size_t>(row)];
}

RunsModel::Column SweepModel::dimensionColumn(std::size_t dimension, std::function<double(int row)> value) const {
    const Dimension &swept = scenarioSpace()[dimension];
    return figure(knobName(swept), knobDescription(swept), {QString::fromStdString(swept.id), filterKindOf(swept.unit)}, 110,
                  std::move(value), [&swept](double at) { return QString::fromStdString(swept.format(at)); });
}

void SweepModel::addSide(std::vector<Column> &columns, Side side) const {
    const bool two = m_sweep->state.compare;
    const QString name = side == Side::A ? QStringLiteral("A") : QStringLiteral("B");
    const QString before = two ? name + QLatin1Char(' ') : QString();
    const QString filter = two ? QLatin1Char('_') + name.toLower() : QString();
    columns.push_back(figure(
        before + (two ? tr("iteration") : tr("Iteration")), tr("Simulated time of a steady iteration, in seconds."),
        {QStringLiteral("iteration") + filter, FilterField::Kind::Seconds}, 96,
        [this, side](int row) { return pointOf(side, row).iterationSeconds; }, secondsText));
    if (showsDag(m_sweep->state)) // without samples
        return;
    const bool samples = statesBatch(*m_sweep->state.job);
    const QString rate = samples ? (two ? tr("samples/s") : tr("Samples/s")) : (two ? tr("steps/s") : tr("Steps/s"));
    columns.push_back(figure(
        before + rate,
        samples ? tr("Samples of all workers per second.") : tr("Steps of all workers per second: the batch is not known."),
        {QStringLiteral("samples") + filter, FilterField::Kind::Number}, 96,
        [this, side](int row) { return pointOf(side, row).samplesPerSecond; }, samplesText));
}

std::vector<RunsModel::Column> SweepModel::declareColumns() const {
    std::vector<Column> columns{dimensionColumn(m_sweep->x.dimension, [this](int row) { return xOf(row); })};
    if (m_sweep->y)
        columns.push_back(dimensionColumn(m_sweep->y->dimension, [this](int row) { return *yOf(row); }));
    addSide(columns, Side::A);
    if (!m_sweep->state.compare)
        return columns;
    addSide(columns, Side::B);
    columns.push_back(figure(
        tr("B − A"), tr("Iteration of B less that of A, in seconds."), {QStringLiteral("difference"), FilterField::Kind::Seconds},
        110, [this](int row) { return pointOf(Side::B, row).iterationSeconds - pointOf(Side::A, row).iterationSeconds; },
        [](double value) { return signedText(value, secondsText(std::abs(value))); }));
    return columns;
}

QString SweepModel::describe(int row) const {
    const Dimension &x = scenarioSpace()[m_sweep->x.dimension];
    QStringList lines{tr("%1 %2").arg(knobName(x), QString::fromStdString(x.format(xOf(row))))};
    if (m_sweep->y) {
        const Dimension &y = scenarioSpace()[m_sweep->y->dimension];
        lines.front() += tr(", %1 %2").arg(knobName(y), QString::fromStdString(y.format(*yOf(row))));
    }
    for (const Side side : {Side::A, Side::B}) {
        if (side == Side::B && !m_sweep->state.compare)
            break;
        const SweepPoint &point = pointOf(side, row);
        const QString name = side == Side::A ? QStringLiteral("A") : QStringLiteral("B");
        if (!point.error.empty())
            lines << tr("%1: cannot be simulated: %2").arg(name, point.error.c_str());
        else if (!std::isnan(point.iterationSeconds))
            lines << tr("%1: %2 an iteration").arg(name, secondsText(point.iterationSeconds));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace syncopate::ui

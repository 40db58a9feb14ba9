// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/throughput/points_model.h"

#include "ui/theme/explained.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/rate_unit.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace syncopate::ui {

QString rateText(double perSecond) {
    if (!(perSecond > 0) || !std::isfinite(perSecond))
        return QString::number(perSecond);
    const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(perSecond))), 0, 9);
    return QString::number(perSecond, 'f', decimals);
}

void PointsModel::show(const CurveEntry &entry, const CurveOptions &options) {
    std::map<std::int32_t, Row> rows;
    if (entry.forecast)
        for (const CurvePoint &point : entry.forecast->prediction.points)
            rows[point.throughput.workers] = {point.throughput.workers, &point, 0, 0};
    for (const MeasuredPoint &point : entry.measured.points) {
        Row &row = rows[point.workers];
        row.workers = point.workers;
        // Steps without a prediction have no batch size yet; their rows are added with the forecast. Samples beside a curve that
        // counts steps are not comparable.
        if (entry.forecast ? !hasComparablePoints(entry) : entry.measured.inSteps)
            continue;
        const double batch = entry.forecast ? entry.forecast->batchSize() : 1;
        row.measured =
            (row.measured * row.measuredCount + entry.measured.samplesPerSecond(point, batch)) / (row.measuredCount + 1);
        ++row.measuredCount;
    }
    std::vector<Row> made;
    made.reserve(rows.size());
    for (const auto &[workers, row] : rows)
        made.push_back(row);
    // If only the numbers change, the rows keep their selection.
    const bool same =
        made.size() == m_rows.size() &&
        std::equal(made.begin(), made.end(), m_rows.begin(), [](const Row &a, const Row &b) { return a.workers == b.workers; });
    if (!same)
        beginResetModel();
    m_rows = std::move(made);
    m_forecast = entry.forecast; // names the rates of the header
    m_options = options;
    if (!same)
        endResetModel();
    else if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, Predicted, Predicted);
}

int PointsModel::rowOf(std::int32_t workers) const {
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &row) { return row.workers == workers; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int PointsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int PointsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

double PointsModel::costPerMillion(const Row &row) const {
    return 1e6 *
           costPerSample(row.point->throughput.samplesPerSecond, row.workers + m_forecast->servers(), m_options.pricePerNodeHour);
}

QString PointsModel::text(const Row &row, int column) const {
    const QString none = QStringLiteral("–");
    if (column == Workers)
        return QString::number(row.workers);
    if (column == Measured)
        return row.measuredCount == 0 ? none : rateText(row.measured);
    if (!row.point)
        return none;
    const Throughput &t = row.point->throughput;
    switch (column) {
    case Predicted:
        return rateText(t.samplesPerSecond);
    case Interval:
        return QStringLiteral("± %1 %").arg(t.samplesPerSecond > 0 ? 50 * (t.high - t.low) / t.samplesPerSecond : 0, 0, 'f', 1);
    case ErrorColumn: {
        if (row.measuredCount == 0)
            return none;
        const double error = t.samplesPerSecond / row.measured - 1;
        return signedText(error, QStringLiteral("%1 %").arg(100 * std::abs(error), 0, 'f', 1));
    }
    case Cynthia:
        return rateText(row.point->cynthia);
    case Queueing:
        return rateText(row.point->queueing);
    case Busiest:
        if (const Utilisation *busiest = busiestOf(t))
            return tr("%1 % %2").arg(100 * busiest->busy, 0, 'f', 0).arg(QString::fromStdString(busiest->name()));
        return none;
    case Cost:
        return m_options.pricePerNodeHour > 0 && countsSamples(*m_forecast) ? rateText(costPerMillion(row)) : none;
    default:
        return {};
    }
}

QVariant PointsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= m_rows.size())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::TextAlignmentRole:
        return QVariant(index.column() == Busiest ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (index.column() == Busiest && row.point) {
            QStringList lines;
            for (const Utilisation &u : row.point->throughput.utilisation)
                lines += tr("%1: %2 % of the time").arg(QString::fromStdString(u.name())).arg(100 * u.busy, 0, 'f', 1);
            return plainTip(lines.join(QLatin1Char('\n')));
        }
        if (index.column() == Measured && row.measuredCount > 1)
            return plainTip(tr("Mean of %1 runs").arg(row.measuredCount));
        return row.point ? tr("Enter: show these workers' steps in B") : tr("Beyond the predicted curve");
    default:
        return {};
    }
}

QVariant PointsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(section == Busiest ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return plainTip(definitionOf(section));
    if (role == Qt::DisplayRole && section == Predicted)
        return rateUnitText(!m_forecast || countsSamples(*m_forecast));
    return role == Qt::DisplayRole ? nameOf(section) : QVariant();
}

QString PointsModel::nameOf(int column) {
    switch (column) {
    case Workers:
        return tr("workers");
    case Predicted:
        return rateUnitText(true);
    case Interval:
        return tr("interval");
    case Measured:
        return tr("measured");
    case ErrorColumn:
        return tr("error");
    case Cynthia:
        return QStringLiteral("Cynthia");
    case Queueing:
        return tr("queueing");
    case Busiest:
        return tr("busiest");
    case Cost:
        return tr("per million");
    default:
        return {};
    }
}

QString PointsModel::definitionOf(int column) {
    switch (column) {
    case Workers:
        return tr("Number of workers, each training asynchronously");
    case Predicted:
        return tr("Predicted samples (or steps, where the batch is not known: see Settings) per second of all workers together");
    case Interval:
        return tr("95 % confidence interval of the simulated mean (batch means): how well this number of steps determines it, "
                  "not how accurate the model is");
    case Measured:
        return tr("Samples per second that were measured, from the imported table");
    case ErrorColumn:
        return tr("(predicted − measured) / measured");
    case Cynthia:
        return tr("Samples per second. %1").arg(explained("Cynthia"));
    case Queueing:
        return tr("Samples per second by the phase-based queueing model");
    case Busiest:
        return tr("The resource that is busy for the largest share of the time; at 100 % it is saturated");
    case Cost:
        return tr("Price of a million samples, in the unit of the price per node and hour; servers are nodes, too");
    default:
        return {};
    }
}

} // namespace syncopate::ui

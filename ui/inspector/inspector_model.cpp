// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/inspector_model.h"

#include "engine/analyze/comparable.h"
#include "engine/job/batch.h"
#include "ui/theme/explained.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"

#include <QSize>
#include <cmath>
#include <limits>

namespace syncopate::ui {

namespace {

enum class Kind : std::uint8_t { Seconds, Ratio, Rate, Bytes, Count };

constexpr double unknown = std::numeric_limits<double>::quiet_NaN(); ///< the side lacks the figure

struct Metric {
    const char *name;
    QString definition;
    Kind kind;
    int better; ///< -1: lower is better, +1: higher is better, 0: neither
    double (*value)(const Recording &run, const AreaStatistics &area);
    Quantity quantity = Quantity::Device;
};

// One table: a metric a row.
const std::vector<Metric> &metrics() {
    static const std::vector<Metric> all{
        {QT_TR_NOOP("Iteration"), explained("Iteration time"), Kind::Seconds, -1,
         [](const Recording &run, const AreaStatistics &) { return run.iterationSeconds; }, Quantity::Length},
        {QT_TR_NOOP("Samples/s"), explained("Throughput"), Kind::Rate, 1,
         [](const Recording &run, const AreaStatistics &) {
             return run.samplesPerSecond > 0 && statesBatch(*run.job) ? run.samplesPerSecond : unknown;
         },
         Quantity::Length},
        {QT_TR_NOOP("Compute"), explained("Compute"), Kind::Seconds, 0,
         [](const Recording &, const AreaStatistics &a) { return a.computeSeconds; }},
        {QT_TR_NOOP("· forward"),
         {},
         Kind::Seconds,
         0,
         [](const Recording &, const AreaStatistics &a) { return a.forwardSeconds; }},
        {QT_TR_NOOP("· backward"),
         {},
         Kind::Seconds,
         0,
         [](const Recording &, const AreaStatistics &a) { return a.backwardSeconds; }},
        {QT_TR_NOOP("· update"),
         {},
         Kind::Seconds,
         0,
         [](const Recording &, const AreaStatistics &a) { return a.updateSeconds; }},
        {QT_TR_NOOP("Communication"), explained("Communication"), Kind::Seconds, -1,
         [](const Recording &, const AreaStatistics &a) { return a.communicationSeconds; }, Quantity::Length},
        {QT_TR_NOOP("· push"),
         {},
         Kind::Seconds,
         0,
         [](const Recording &, const AreaStatistics &a) { return a.pushSeconds; },
         Quantity::Messages},
        {QT_TR_NOOP("· pull"),
         {},
         Kind::Seconds,
         0,
         [](const Recording &, const AreaStatistics &a) { return a.pullSeconds; },
         Quantity::Messages},
        {QT_TR_NOOP("· all-reduce"),
         {},
         Kind::Seconds,
         0,
         [](const Recording &, const AreaStatistics &a) { return a.allReduceSeconds; },
         Quantity::Length},
        {QT_TR_NOOP("· transfers"), InspectorModel::tr("Pushes, pulls and collectives that the stretch touches."), Kind::Count, 0,
         [](const Recording &, const AreaStatistics &a) { return static_cast<double>(a.transfers); }, Quantity::Messages},
        {QT_TR_NOOP("· shortest"), InspectorModel::tr("The shortest of the transfers, from its start to its end."), Kind::Seconds,
         0, [](const Recording &, const AreaStatistics &a) { return a.shortestTransferSeconds; }, Quantity::Messages},
        {QT_TR_NOOP("· average"), InspectorModel::tr("Mean length of the transfers."), Kind::Seconds, 0,
         [](const Recording &, const AreaStatistics &a) { return a.meanTransferSeconds; }, Quantity::Messages},
        {QT_TR_NOOP("· longest"), InspectorModel::tr("The longest of the transfers."), Kind::Seconds, 0,
         [](const Recording &, const AreaStatistics &a) { return a.longestTransferSeconds; }, Quantity::Messages},
        {QT_TR_NOOP("Overlapped"), explained("Overlapped communication"), Kind::Seconds, 1,
         [](const Recording &, const AreaStatistics &a) { return a.overlappedSeconds; }},
        {QT_TR_NOOP("Overlap"), explained("Overlap"), Kind::Ratio, 1,
         [](const Recording &, const AreaStatistics &a) { return a.communicationSeconds > 0 ? a.overlapRatio() : unknown; }},
        {QT_TR_NOOP("Exposed"), explained("Exposed communication"), Kind::Seconds, -1,
         [](const Recording &, const AreaStatistics &a) { return a.exposedSeconds; }},
        {QT_TR_NOOP("Wait"), explained("Wait"), Kind::Seconds, -1,
         [](const Recording &, const AreaStatistics &a) { return a.waitSeconds; }},
        {QT_TR_NOOP("· for the host"), explained("Host wait"), Kind::Seconds, -1, hostWaitSeconds},
        {QT_TR_NOOP("· while copying"), explained("Copying"), Kind::Seconds, -1,
         [](const Recording &, const AreaStatistics &a) { return a.copySeconds; }},
    };
    return all;
}

struct VariableMetric {
    const char *name; ///< "%1" is the variable's name
    QString definition;
    Kind kind;
    int better;
    double (*value)(const VariableArea &area);
};

const std::vector<VariableMetric> &variableMetrics() {
    static const std::vector<VariableMetric> all{
        {"%1", InspectorModel::tr("Traffic of this variable, or of the bucket that holds it, is under way."), Kind::Seconds, -1,
         [](const VariableArea &area) { return area.trafficSeconds; }},
        {QT_TR_NOOP("· exposed"),
         InspectorModel::tr("Its traffic is under way while the compute stream waits for communication."), Kind::Seconds, -1,
         [](const VariableArea &area) { return area.exposedSeconds; }},
        {QT_TR_NOOP("· moved"),
         InspectorModel::tr("Bytes of its traffic that ended here, as the worker sends and receives them."), Kind::Bytes, 0,
         [](const VariableArea &area) { return area.sizeBytes; }},
    };
    return all;
}

QString text(Kind kind, double value) {
    switch (kind) {
    case Kind::Seconds:
        return secondsText(value);
    case Kind::Ratio:
        return QStringLiteral("%1 %").arg(100 * value, 0, 'f', 1);
    case Kind::Rate:
        return value < 1 ? figureText(value) : QString::number(value, 'f', value < 100 ? 2 : value < 1000 ? 1 : 0);
    case Kind::Bytes:
        return bytesText(value);
    case Kind::Count:
        return QString::number(value, 'f', 0);
    }
    return {};
}

/// A difference of two shares is in points: 99.8 % is 9.5 points more than 90.3 %, and 10.5 % more.
QString differenceText(Kind kind, double value) {
    return kind == Kind::Ratio ? InspectorModel::tr("%1 pp").arg(100 * value, 0, 'f', 1) : text(kind, value);
}

} // namespace

InspectorModel::InspectorModel(const Theme &theme, QObject *parent) : QAbstractTableModel(parent), m_theme(theme) {}

void InspectorModel::set(std::shared_ptr<const ShownRun> a, std::shared_ptr<const ShownRun> b,
                         const std::array<std::optional<AreaStatistics>, 2> &areas, const QString &variable,
                         const std::array<std::optional<VariableArea>, 2> &variables) {
    const int fixed = static_cast<int>(metrics().size()), extra = static_cast<int>(variableMetrics().size());
    const bool grows = m_variable.isEmpty() && !variable.isEmpty(), shrinks = !m_variable.isEmpty() && variable.isEmpty();
    if (grows)
        beginInsertRows({}, fixed, fixed + extra - 1);
    if (shrinks)
        beginRemoveRows({}, fixed, fixed + extra - 1);
    m_variable = variable;
    if (grows)
        endInsertRows();
    if (shrinks)
        endRemoveRows();
    m_variables = variables;
    m_runs = {std::move(a), std::move(b)};
    m_areas = areas;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void InspectorModel::setStale(std::array<bool, 2> stale) {
    if (stale == m_stale)
        return;
    m_stale = stale;
    Q_EMIT dataChanged(index(0, AColumn), index(rowCount() - 1, DeltaColumn), {Qt::ForegroundRole});
    Q_EMIT headerDataChanged(Qt::Horizontal, AColumn, DeltaColumn);
}

int InspectorModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(metrics().size() + (m_variable.isEmpty() ? 0 : variableMetrics().size()));
}
int InspectorModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

struct InspectorModel::Shown {
    QString name;
    QString definition;
    Kind kind;
    int better;
    Quantity quantity = Quantity::Messages;
};

InspectorModel::Shown InspectorModel::shownIn(std::size_t row) const {
    if (row < metrics().size()) {
        const Metric &metric = metrics()[row];
        return {tr(metric.name), metric.definition, metric.kind, metric.better, metric.quantity};
    }
    const VariableMetric &own = variableMetrics()[row - metrics().size()];
    return {row == metrics().size() ? m_variable.section(QLatin1Char('/'), -2) : tr(own.name), own.definition, own.kind,
            own.better};
}

std::optional<double> InspectorModel::valueOf(std::size_t row, std::size_t side) const {
    if (!m_runs[side])
        return {};
    if (row < metrics().size()) {
        constexpr std::size_t ofRun = 2; // iteration and samples, whichever the worker
        if (row >= ofRun && !m_areas[side])
            return {};
        const double value = metrics()[row].value(m_runs[side]->recording(), m_areas[side].value_or(AreaStatistics{}));
        return std::isnan(value) ? std::nullopt : std::optional(value);
    }
    if (!m_variables[side])
        return {};
    return variableMetrics()[row - metrics().size()].value(*m_variables[side]);
}

QVariant InspectorModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid()) // views ask so when there is no current cell to copy
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    if (role == Qt::TextAlignmentRole && index.column() != MetricColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::SizeHintRole && index.column() == MetricColumn && row == metrics().size())
        return QSize(1, 1); // a variable's name is cut rather than figures
    if (role == Qt::ToolTipRole) {
        if (const std::string why = index.column() == DeltaColumn ? whyNoDelta(row) : std::string(); !why.empty())
            return plainTip(said(why));
        const QString definition = shownIn(row).definition;
        const QString name = row == metrics().size() ? m_variable + QLatin1Char('\n') : QString();
        const QString unit = index.column() == DeltaColumn && shownIn(row).kind == Kind::Ratio
                                 ? QLatin1Char('\n') + tr("pp: percentage points")
                                 : QString();
        return definition.isEmpty() ? QVariant() : plainTip(name + definition + unit);
    }
    switch (index.column()) {
    case MetricColumn:
        return role == Qt::DisplayRole || role == Qt::UserRole ? QVariant(shownIn(row).name) : QVariant();
    case AColumn:
        return ofSide(row, 0, role);
    case BColumn:
        return ofSide(row, 1, role);
    default:
        return delta(row, role);
    }
}

QVariant InspectorModel::ofSide(std::size_t row, std::size_t side, int role) const {
    const auto value = valueOf(row, side);
    if (role == Qt::DisplayRole)
        return value ? text(shownIn(row).kind, *value) : QStringLiteral("–");
    if (role == Qt::ForegroundRole && m_stale[side])
        return m_theme.color(ColorId::DimText);
    return value && role == Qt::UserRole ? QVariant(*value) : QVariant();
}

std::string InspectorModel::whyNoDelta(std::size_t row) const {
    if (!m_runs[0] || !m_runs[1])
        return {};
    return whyNotComparable(shownIn(row).quantity, m_runs[0]->recording(), m_areas[0].value_or(AreaStatistics{}),
                            m_runs[1]->recording(), m_areas[1].value_or(AreaStatistics{}));
}

QVariant InspectorModel::delta(std::size_t row, int role) const {
    const auto a = valueOf(row, 0), b = valueOf(row, 1);
    if (!a || !b || !whyNoDelta(row).empty())
        return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant();
    const Shown shown = shownIn(row);
    const double delta = *b - *a;
    const bool same =
        shown.kind == Kind::Seconds ? sameSeconds(*a, *b) : text(shown.kind, std::abs(delta)) == text(shown.kind, 0);
    switch (role) {
    case Qt::DisplayRole:
        if (same)
            return QStringLiteral("0");
        return (delta < 0 ? QStringLiteral("▼ ") : QStringLiteral("▲ ")) +
               signedText(delta, differenceText(shown.kind, std::abs(delta)));
    case Qt::UserRole:
        // Sorting by difference sorts by magnitude; rows that are not in seconds come last.
        return shown.kind == Kind::Seconds ? std::abs(delta) : -1 / (1 + std::abs(delta));
    case Qt::ForegroundRole:
        if (m_stale[0] || m_stale[1])
            return m_theme.color(ColorId::DimText);
        if (same || shown.better == 0)
            return {};
        return m_theme.color((delta > 0) == (shown.better > 0) ? ColorId::Better : ColorId::Worse);
    default:
        return {};
    }
}

QVariant InspectorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == MetricColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case MetricColumn:
        return tr("Metric");
    case AColumn:
        return m_stale[0] ? tr("A before") : QStringLiteral("A");
    case BColumn:
        return m_stale[1] ? tr("B before") : QStringLiteral("B");
    case DeltaColumn:
        return tr("B − A");
    default:
        return {};
    }
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/candidates_model.h"

#include "ui/theme/format.h"

#include <cmath>
#include <limits>

namespace syncopate::ui {

namespace {

QString percentText(double share) {
    if (std::abs(share) < 5e-7)
        return QStringLiteral("0");
    return signedText(share, QStringLiteral("%1 %").arg(std::abs(share) * 100, 0, 'f', 1));
}

double changeOf(const CandidateMetrics &metrics, const Searcher &searcher) {
    const double baseline = searcher.tally().bestBaseline();
    return std::isfinite(baseline) && baseline > 0 ? searcher.valueOf(metrics) / baseline - 1
                                                   : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

QString candidateName(const SearchHistory &history, CandidateId id) {
    return id >= 0 ? CandidatesModel::tr("trial %1").arg(id)
                   : QString::fromStdString(history.baselines[static_cast<std::size_t>(-1 - id)].builder);
}

QString candidateText(const Searcher &searcher, CandidateId id) {
    const SearchHistory &history = searcher.history();
    const auto index = static_cast<std::size_t>(id < 0 ? -1 - id : id);
    const CandidateMetrics &m = id < 0 ? history.baselines[index].metrics : history.trials[index].metrics;
    const std::string &error = id < 0 ? history.baselines[index].error : history.trials[index].error;
    QStringList lines;
    if (!error.empty())
        return CandidatesModel::tr("%1: cannot be simulated: %2").arg(candidateName(history, id), QString::fromStdString(error));
    lines << CandidatesModel::tr("%1: %2 an iteration, %3 exposed")
                 .arg(candidateName(history, id), secondsText(m.iterationSeconds), secondsText(m.exposedSeconds));
    if (const double change = changeOf(m, searcher); !std::isnan(change))
        lines << CandidatesModel::tr("%1 against the best baseline").arg(percentText(change));
    lines << CandidatesModel::tr("%1 variables (%2) on %3 servers, at most %4 on one")
                 .arg(m.psVariables)
                 .arg(bytesText(m.psBytes))
                 .arg(m.servers)
                 .arg(bytesText(m.largestServerBytes));
    lines << CandidatesModel::tr("%1 partitioned, %2 shards, %3 all-reduce groups")
                 .arg(m.partitionedVariables)
                 .arg(m.shards)
                 .arg(m.groups);
    return lines.join(QLatin1Char('\n'));
}

CandidatesModel::CandidatesModel(Searcher &searcher, QObject *parent) : QAbstractTableModel(parent), m_searcher(searcher) {
    connect(&searcher, &Searcher::cleared, this, [this] {
        beginResetModel();
        m_baselines = m_trials = 0;
        m_pins.clear();
        endResetModel();
    });
    connect(&searcher, &Searcher::progressed, this, &CandidatesModel::grow);
}

void CandidatesModel::grow() {
    const auto baselines = static_cast<int>(m_searcher.history().baselines.size());
    const auto trials = static_cast<int>(m_searcher.history().trials.size());
    if (baselines > m_baselines) {
        beginInsertRows({}, m_baselines, baselines - 1);
        m_baselines = baselines;
        endInsertRows();
        Q_EMIT dataChanged(index(0, Change), index(baselines - 1, Change)); // against the best of more baselines
    }
    if (trials > m_trials) {
        beginInsertRows({}, m_baselines + m_trials, m_baselines + trials - 1);
        m_trials = trials;
        endInsertRows();
    }
}

int CandidatesModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : m_baselines + m_trials; }
int CandidatesModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

CandidateId CandidatesModel::candidateOf(int row) const { return row < m_baselines ? -1 - row : row - m_baselines; }

int CandidatesModel::rowOf(CandidateId id) const {
    const std::int64_t row = id < 0 ? -1 - id : id + m_baselines;
    return (id < 0 ? row < m_baselines : id < m_trials) ? static_cast<int>(row) : -1;
}

void CandidatesModel::setPinned(CandidateId id, bool pinned) {
    const int row = rowOf(id);
    if (row < 0 || pinned == isPinned(id))
        return;
    if (pinned)
        m_pins.insert(id);
    else
        m_pins.erase(id);
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    Q_EMIT pinsChanged();
}

const CandidateMetrics &CandidatesModel::metricsOf(int row) const {
    const SearchHistory &history = m_searcher.history();
    return row < m_baselines ? history.baselines[static_cast<std::size_t>(row)].metrics
                             : history.trials[static_cast<std::size_t>(row - m_baselines)].metrics;
}

const std::string &CandidatesModel::errorOf(int row) const {
    const SearchHistory &history = m_searcher.history();
    return row < m_baselines ? history.baselines[static_cast<std::size_t>(row)].error
                             : history.trials[static_cast<std::size_t>(row - m_baselines)].error;
}

QVariant CandidatesModel::sortValue(int row, int column) const {
    const CandidateMetrics &m = metricsOf(row);
    switch (column) {
    case Pin:
        return isPinned(candidateOf(row)) ? 0 : 1;
    case Name:
        return static_cast<qlonglong>(candidateOf(row));
    case Iteration:
        return m.iterationSeconds;
    case Change:
        return changeOf(m, m_searcher);
    case Exposed:
        return m.exposedSeconds;
    case Samples:
        return m.samplesPerSecond;
    case PsVariables:
        return m.psVariables;
    case PsBytes:
        return m.psBytes;
    case Servers:
        return m.servers;
    case ServerBytes:
        return m.largestServerBytes;
    case Partitioned:
        return m.partitionedVariables;
    case Shards:
        return m.shards;
    default:
        return m.groups;
    }
}

QString CandidatesModel::text(int row, int column) const {
    const QVariant value = sortValue(row, column);
    if (value.userType() == QMetaType::Double && std::isnan(value.toDouble()))
        return QStringLiteral("–");
    switch (column) {
    case Pin:
        return value.toInt() == 0 ? QStringLiteral("★") : QStringLiteral("☆");
    case Name:
        return candidateName(m_searcher.history(), candidateOf(row));
    case Iteration:
    case Exposed:
        return secondsText(value.toDouble());
    case Change:
        return percentText(value.toDouble());
    case Samples:
        return QString::number(value.toDouble(), 'f', value.toDouble() < 100 ? 1 : 0);
    case PsBytes:
    case ServerBytes:
        return bytesText(value.toDouble());
    default:
        return QString::number(value.toInt());
    }
}

QVariant CandidatesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid()) // as views ask when there is no current cell to copy
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::UserRole:
        return sortValue(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return QVariant((index.column() == Pin    ? Qt::AlignHCenter
                         : index.column() == Name ? Qt::AlignLeft
                                                  : Qt::AlignRight) |
                        Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (index.column() == Pin)
            return isPinned(candidateOf(index.row())) ? tr("Pinned: stays on top (P)") : tr("Pin to the top (P)");
        return candidateText(m_searcher, candidateOf(index.row()));
    case Qt::AccessibleTextRole:
        if (index.column() == Pin)
            return isPinned(candidateOf(index.row())) ? tr("pinned") : tr("not pinned");
        return text(index.row(), index.column());
    default:
        return {};
    }
}

QVariant CandidatesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    struct Header {
        const char *name, *definition;
    };
    static const std::array<Header, ColumnCount> headers{{
        {"★", QT_TR_NOOP("Pinned rows stay on top (P).")},
        {QT_TR_NOOP("Candidate"), QT_TR_NOOP("A builder's strategy, or the number of a trial.")},
        {QT_TR_NOOP("Iteration"), QT_TR_NOOP("Simulated time of a steady iteration, in seconds.")},
        {QT_TR_NOOP("vs baseline"), QT_TR_NOOP("The objective against the best builder's; below zero is a hit.")},
        {QT_TR_NOOP("Exposed"), QT_TR_NOOP("Worker 0 communicates while its compute stream waits, in seconds of an iteration.")},
        {QT_TR_NOOP("Samples/s"), QT_TR_NOOP("Samples of all workers per second.")},
        {QT_TR_NOOP("PS vars"), QT_TR_NOOP("Variables kept on parameter servers; the others are all-reduced.")},
        {QT_TR_NOOP("PS size"), QT_TR_NOOP("Bytes of the variables on parameter servers.")},
        {QT_TR_NOOP("Servers"), QT_TR_NOOP("Parameter servers that hold a variable or a part of one.")},
        {QT_TR_NOOP("Most on one"), QT_TR_NOOP("Bytes of the variables on the server that holds most.")},
        {QT_TR_NOOP("Partitioned"), QT_TR_NOOP("Variables in more than one part.")},
        {QT_TR_NOOP("Shards"), QT_TR_NOOP("Parts in all, a whole variable being one.")},
        {QT_TR_NOOP("Groups"), QT_TR_NOOP("All-reduce groups: what is in one is reduced together.")},
    }};
    const Header &header = headers[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return section == Pin ? QString::fromUtf8(header.name) : tr(header.name);
    if (role == Qt::ToolTipRole) {
        const auto fields = filterFields();
        return section == Pin ? tr(header.definition)
                              : tr(header.definition) + QLatin1Char('\n') +
                                    tr("In filters: %1").arg(fields[static_cast<std::size_t>(section)].name);
    }
    return {};
}

std::vector<FilterField> CandidatesModel::filterFields() {
    using Kind = FilterField::Kind;
    // In the order of the columns.
    return {{QStringLiteral("pinned"), Kind::Number},      {QStringLiteral("candidate"), Kind::Text},
            {QStringLiteral("iteration"), Kind::Seconds},  {QStringLiteral("change"), Kind::Number},
            {QStringLiteral("exposed"), Kind::Seconds},    {QStringLiteral("samples"), Kind::Number},
            {QStringLiteral("ps"), Kind::Number},          {QStringLiteral("ps_size"), Kind::Bytes},
            {QStringLiteral("servers"), Kind::Number},     {QStringLiteral("most"), Kind::Bytes},
            {QStringLiteral("partitioned"), Kind::Number}, {QStringLiteral("shards"), Kind::Number},
            {QStringLiteral("groups"), Kind::Number}};
}

FilterValue CandidatesModel::filterValue(int row, std::size_t field) const {
    switch (field) {
    case Pin:
        return isPinned(candidateOf(row)) ? 1.0 : 0.0;
    case Name:
        return text(row, Name);
    case Change:
        return changeOf(metricsOf(row), m_searcher) * 100; // written in percent, as it is shown
    default:
        return sortValue(row, static_cast<int>(field)).toDouble();
    }
}

CandidatesProxy::CandidatesProxy(CandidatesModel &model, QObject *parent) : QSortFilterProxyModel(parent), m_candidates(model) {
    setSourceModel(&model);
    setSortRole(Qt::UserRole);
    setDynamicSortFilter(true);
}

void CandidatesProxy::setExpression(const FilterExpression &expression) {
    m_expression = expression;
    invalidateFilter();
}

bool CandidatesProxy::filterAcceptsRow(int row, const QModelIndex &) const {
    return m_candidates.isPinned(m_candidates.candidateOf(row)) ||
           m_expression.matches([&](std::size_t field) { return m_candidates.filterValue(row, field); });
}

bool CandidatesProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const {
    const bool a = m_candidates.isPinned(m_candidates.candidateOf(left.row()));
    const bool b = m_candidates.isPinned(m_candidates.candidateOf(right.row()));
    const bool ascending = sortOrder() == Qt::AscendingOrder;
    if (a != b)
        return a == ascending;
    const double x = left.data(Qt::UserRole).toDouble(), y = right.data(Qt::UserRole).toDouble();
    if (std::isnan(x) || std::isnan(y)) // what has no figure is last, whatever the order
        return std::isnan(x) != std::isnan(y) && std::isnan(y) == ascending;
    return x < y;
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/variables/variables_model.h"

#include "ui/window/format.h"

namespace syncopate::ui {

namespace {

QString shapeText(const Variable &variable) {
    QStringList sizes;
    for (const std::int64_t size : variable.shape)
        sizes.push_back(QString::number(size));
    return sizes.isEmpty() ? VariablesModel::tr("scalar") : sizes.join(QStringLiteral(" × "));
}

} // namespace

void VariablesModel::set(std::shared_ptr<const Job> job, std::shared_ptr<const SimulatedRun> a,
                         std::shared_ptr<const SimulatedRun> b) {
    // A run of an older job says nothing about this one's variables.
    const auto ofJob = [&job](std::shared_ptr<const SimulatedRun> run) {
        return run && run->run().scenario.job == job ? std::move(run) : nullptr;
    };
    const bool sameJob = job == m_job;
    if (!sameJob)
        beginResetModel();
    m_runs = {ofJob(std::move(a)), ofJob(std::move(b))};
    if (sameJob) {
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, SynchroniserA), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    m_job = std::move(job);
    m_layerOf.assign(m_job ? m_job->variables.size() : 0, 0);
    if (m_job)
        for (std::size_t l = 0; l < m_job->layers.size(); ++l)
            for (const std::int32_t v : m_job->layers[l].variables)
                m_layerOf[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(l);
    endResetModel();
}

int VariablesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_job ? 0 : static_cast<int>(m_job->variables.size());
}
int VariablesModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant VariablesModel::ofJob(std::size_t v, int column, bool forSorting) const {
    const Variable &variable = m_job->variables[v];
    switch (column) {
    case Name:
        return QString::fromStdString(variable.name);
    case Shape:
        return forSorting ? QVariant(static_cast<qlonglong>(variable.elementCount())) : QVariant(shapeText(variable));
    case Bytes:
        return forSorting ? QVariant(static_cast<qlonglong>(variable.sizeBytes()))
                          : QVariant(bytesText(static_cast<double>(variable.sizeBytes())));
    case LayerName:
        return forSorting ? QVariant(m_layerOf[v])
                          : QVariant(QString::fromStdString(m_job->layers[static_cast<std::size_t>(m_layerOf[v])].name));
    default:
        return {};
    }
}

QVariant VariablesModel::ofSide(std::size_t side, std::size_t v, int column, bool forSorting) const {
    if (!m_runs[side] || m_runs[side]->run().isMeasured() || v >= m_runs[side]->variables().size())
        return forSorting ? QVariant() : QVariant(QStringLiteral("–"));
    const VariableRow &row = m_runs[side]->variables()[v];
    switch (column) {
    case SynchroniserA:
        return QString::fromStdString(row.synchroniser);
    case WhereA:
        if (!row.destination.empty())
            return QString::fromStdString(row.destination);
        return row.group >= 0 ? tr("group %1").arg(row.group, forSorting ? 8 : 0) : QString();
    case PartsA:
        return row.parts;
    case TimeA:
        return forSorting ? QVariant(row.communicationSeconds) : QVariant(secondsText(row.communicationSeconds));
    case ExposedA: {
        const double exposed = m_runs[side]->variableExposedSeconds()[v];
        return forSorting ? QVariant(exposed) : QVariant(secondsText(exposed));
    }
    default:
        return {};
    }
}

QVariant VariablesModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int column = index.column();
    const auto v = static_cast<std::size_t>(index.row());
    if (role == Qt::TextAlignmentRole) {
        const bool number = column == Bytes || column == PartsA || column == TimeA || column == ExposedA || column == PartsB ||
                            column == TimeB || column == ExposedB || column == Delta;
        return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && (column == Name || column == LayerName || column == WhereA || column == WhereB))
        return data(index, Qt::DisplayRole);
    if (role != Qt::DisplayRole && role != Qt::UserRole)
        return {};
    const bool forSorting = role == Qt::UserRole;
    if (column < SynchroniserA)
        return ofJob(v, column, forSorting);
    if (column < SynchroniserB)
        return ofSide(0, v, column, forSorting);
    if (column < Delta)
        return ofSide(1, v, column - SynchroniserB + SynchroniserA, forSorting);
    if (!m_runs[0] || !m_runs[1] || m_runs[0]->run().isMeasured() || m_runs[1]->run().isMeasured())
        return forSorting ? QVariant() : QVariant(QStringLiteral("–"));
    const double a = m_runs[0]->variableExposedSeconds()[v], b = m_runs[1]->variableExposedSeconds()[v];
    if (forSorting)
        return b - a;
    return std::abs(b - a) < 1e-9 ? QStringLiteral("0") : signedText(b - a, secondsText(std::abs(b - a)));
}

QVariant VariablesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    struct Header {
        const char *name, *definition;
    };
    static const std::array<Header, ColumnCount> headers{{
        {QT_TR_NOOP("Variable"), ""},
        {QT_TR_NOOP("Shape"), ""},
        {QT_TR_NOOP("Size"), QT_TR_NOOP("Bytes of the variable, and of its gradient.")},
        {QT_TR_NOOP("Layer"), QT_TR_NOOP("The layer whose backward completes the gradient.")},
        {QT_TR_NOOP("A"), QT_TR_NOOP("How A keeps the variable the same on all workers.")},
        {QT_TR_NOOP("A where"), QT_TR_NOOP("The server that reduces it, or the all-reduce group (bucket) it belongs to.")},
        {QT_TR_NOOP("A parts"), QT_TR_NOOP("Pieces that it is synchronised in.")},
        {QT_TR_NOOP("A comm."),
         QT_TR_NOOP("Its traffic is under way (push and pull, or the all-reduce of its group), worker 0.")},
        {QT_TR_NOOP("A exposed"), QT_TR_NOOP("Its traffic is under way while the compute stream waits.")},
        {QT_TR_NOOP("B"), QT_TR_NOOP("How B keeps the variable the same on all workers.")},
        {QT_TR_NOOP("B where"), QT_TR_NOOP("The server that reduces it, or the all-reduce group (bucket) it belongs to.")},
        {QT_TR_NOOP("B parts"), QT_TR_NOOP("Pieces that it is synchronised in.")},
        {QT_TR_NOOP("B comm."),
         QT_TR_NOOP("Its traffic is under way (push and pull, or the all-reduce of its group), worker 0.")},
        {QT_TR_NOOP("B exposed"), QT_TR_NOOP("Its traffic is under way while the compute stream waits.")},
        {QT_TR_NOOP("Exposed B − A"), QT_TR_NOOP("Difference of the exposed times.")},
    }};
    const Header &header = headers[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return tr(header.name);
    if (role == Qt::ToolTipRole && *header.definition)
        return tr(header.definition);
    return {};
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_model.h"

#include "ui/theme/plain_text.h"

#include <cmath>
#include <utility>

namespace syncopate::ui {

void RunsModel::setColumns(std::vector<Column> columns, bool withPins) {
    m_withPins = withPins;
    if (!withPins) {
        m_columns = std::move(columns);
        return;
    }
    m_columns.clear();
    m_columns.push_back({QStringLiteral("★"),
                         tr("Pinned rows stay on top (P)."),
                         {QStringLiteral("pinned"), FilterField::Kind::Number},
                         26,
                         [this](int row) { return isPinned(idOf(row)) ? 0.0 : 1.0; },
                         [this](int row) {
                             if (!canPin(idOf(row)))
                                 return QString();
                             return isPinned(idOf(row)) ? QStringLiteral("★") : QStringLiteral("☆");
                         }});
    for (Column &column : columns)
        m_columns.push_back(std::move(column));
}

RunsModel::Column RunsModel::figure(const QString &name, const QString &definition, FilterField filter, int width,
                                    std::function<double(int row)> value, const std::function<QString(double)> &text) {
    return {name, definition, std::move(filter), width, value, [value, text](int row) { return text(value(row)); }};
}

int RunsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_columns.size()); }

void RunsModel::setPinned(RunId id, bool pinned) {
    const int row = rowOf(id);
    if (row < 0 || pinned == isPinned(id) || (pinned && !canPin(id)))
        return;
    if (pinned)
        m_pins.insert(id);
    else
        m_pins.erase(id);
    Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
    Q_EMIT pinsChanged();
}

QVariant RunsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid()) // views ask so when there is no current cell to copy
        return {};
    const int row = index.row();
    const Column &column = m_columns[static_cast<std::size_t>(index.column())];
    const bool isPin = m_withPins && index.column() == pinColumn;
    const auto text = [&] { return std::isnan(column.value(row)) ? QStringLiteral("–") : column.text(row); };
    switch (role) {
    case Qt::DisplayRole:
        return text();
    case Qt::UserRole:
        return column.value(row);
    case Qt::TextAlignmentRole:
        return QVariant((isPin                                           ? Qt::AlignHCenter
                         : column.filter.kind == FilterField::Kind::Text ? Qt::AlignLeft
                                                                         : Qt::AlignRight) |
                        Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (isPin)
            return !canPin(idOf(row))    ? tr("Cannot be pinned: projects do not keep it")
                   : isPinned(idOf(row)) ? tr("Pinned: stays on top (P)")
                                         : tr("Pin to the top (P)");
        return plainTip(describe(row));
    case Qt::AccessibleTextRole:
        if (isPin)
            return isPinned(idOf(row)) ? tr("pinned") : tr("not pinned");
        return text();
    default:
        return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column &column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return column.name;
    if (role == Qt::ToolTipRole)
        return plainTip(m_withPins && section == pinColumn
                            ? column.definition
                            : column.definition + QLatin1Char('\n') + tr("In filters: %1").arg(column.filter.name));
    return {};
}

std::vector<FilterField> RunsModel::filterFields() const {
    std::vector<FilterField> fields;
    for (const Column &column : m_columns)
        fields.push_back(column.filter);
    return fields;
}

FilterValue RunsModel::filterValue(int row, std::size_t field) const {
    if (field >= m_columns.size()) // after a reset a proxy filters once by the expression for the columns before
        return {};
    const Column &column = m_columns[field];
    if (m_withPins && field == pinColumn)
        return isPinned(idOf(row)) ? 1.0 : 0.0;
    if (column.filter.kind == FilterField::Kind::Text)
        return column.text(row);
    return column.value(row) * column.filterScale;
}

RunsProxy::RunsProxy(RunsModel &model, QObject *parent) : QSortFilterProxyModel(parent), m_runs(model) {
    setSourceModel(&model);
    setSortRole(Qt::UserRole);
    setDynamicSortFilter(true);
}

void RunsProxy::setExpression(const FilterExpression &expression) {
    m_expression = expression;
    invalidateFilter();
}

bool RunsProxy::filterAcceptsRow(int row, const QModelIndex &) const {
    return m_runs.isPinned(m_runs.idOf(row)) ||
           m_expression.matches([&](std::size_t field) { return m_runs.filterValue(row, field); });
}

bool RunsProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const {
    const bool a = m_runs.isPinned(m_runs.idOf(left.row()));
    const bool b = m_runs.isPinned(m_runs.idOf(right.row()));
    const bool ascending = sortOrder() == Qt::AscendingOrder;
    if (a != b)
        return a == ascending;
    const double x = left.data(Qt::UserRole).toDouble(), y = right.data(Qt::UserRole).toDouble();
    if (std::isnan(x) || std::isnan(y)) // rows without a figure are last in either order
        return std::isnan(x) != std::isnan(y) && std::isnan(y) == ascending;
    return x < y;
}

} // namespace syncopate::ui

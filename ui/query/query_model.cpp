// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/query/query_model.h"

#include "engine/base/text.h"
#include "ui/theme/plain_text.h"

#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

QString shown(const std::string &text) { return QString::fromStdString(visibleText(text)); }

/// Six significant digits to read; exports have all of them.
QString shown(double number) { return QString::number(number, 'g', 6); }

} // namespace

void QueryModel::set(std::shared_ptr<const QueryResult> result) {
    beginResetModel();
    m_result = std::move(result);
    m_order.clear();
    m_spanColumn = -1;
    if (m_result) {
        const auto found = std::find(m_result->columns.begin(), m_result->columns.end(), "span_id");
        if (found != m_result->columns.end())
            m_spanColumn = static_cast<int>(found - m_result->columns.begin());
    }
    endResetModel();
}

void QueryModel::setOrder(std::vector<std::size_t> order) {
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> rows;
    for (const QModelIndex &index : before)
        rows.push_back(resultRow(index.row()));
    m_order = std::move(order);
    std::vector<int> shownAs(static_cast<std::size_t>(rowCount()));
    for (int row = 0; row < rowCount(); ++row)
        shownAs[resultRow(row)] = row;
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after.append(index(shownAs[rows[static_cast<std::size_t>(i)]], before[i].column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

std::size_t QueryModel::resultRow(int row) const {
    const auto number = static_cast<std::size_t>(row);
    return m_order.empty() ? number : m_order[number];
}

std::optional<std::int64_t> QueryModel::spanKey(int row) const {
    if (m_spanColumn < 0 || row < 0 || row >= rowCount())
        return {};
    const auto *key = std::get_if<std::int64_t>(&at(index(row, m_spanColumn)));
    return key ? std::optional(*key) : std::nullopt;
}

const QueryValue &QueryModel::at(const QModelIndex &index) const {
    return m_result->rows[resultRow(index.row())][static_cast<std::size_t>(index.column())];
}

int QueryModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_result ? 0 : static_cast<int>(m_result->rows.size());
}

int QueryModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_result ? 0 : static_cast<int>(m_result->columns.size());
}

QVariant QueryModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || !m_result)
        return {};
    const QueryValue &value = at(index);
    const auto *real = std::get_if<double>(&value);
    const auto *text = std::get_if<std::string>(&value);
    switch (role) {
    case Qt::DisplayRole:
        return text ? shown(*text) : real ? shown(*real) : QString::fromStdString(textOf(value));
    case Qt::ToolTipRole:
        return text ? plainTip(shown(*text)) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (text ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

QVariant QueryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || !m_result)
        return {};
    return shown(m_result->columns[static_cast<std::size_t>(section)]);
}

} // namespace syncopate::ui

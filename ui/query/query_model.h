// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/query/query.h"

#include <QAbstractTableModel>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// The rows of a query's result, sortable.
class QueryModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void set(std::shared_ptr<const QueryResult> result);
    /// Shows row order[i] of the result as row i (rowOrder()); empty = in the order of the answer.
    void setOrder(std::vector<std::size_t> order);
    [[nodiscard]] const std::vector<std::size_t> &order() const { return m_order; }
    [[nodiscard]] const std::shared_ptr<const QueryResult> &result() const { return m_result; }
    /// The key in the column span_id of a row; none without such a column.
    [[nodiscard]] std::optional<std::int64_t> spanKey(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] std::size_t resultRow(int row) const;
    [[nodiscard]] const QueryValue &at(const QModelIndex &index) const;

    std::shared_ptr<const QueryResult> m_result;
    std::vector<std::size_t> m_order;
    int m_spanColumn = -1;
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Trials of a search and points of a sweep as rows of one kind of table: figures in columns that can be sorted, filtered by
// expressions and pinned. The models that inherit this declare the columns.
#pragma once

#include "ui/tables/filter_expression.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

namespace syncopate::ui {

/// Identifies a row in any order: a candidate of a search, or the index of a sweep's point.
using RunId = std::int64_t;

/// Rows of a run. The first column shows whether a row is pinned, unless the table has no pins; the others are declared.
/// Qt::UserRole holds a column's sort key.
class RunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int pinColumn = 0;

    /// A column of the table.
    struct Column {
        QString name, definition; ///< shown in the header
        FilterField filter;
        int width = 0;                        ///< pixels
        std::function<double(int row)> value; ///< sort key; NaN: none
        std::function<QString(int row)> text; ///< called only if there is a value
        double filterScale = 1;               ///< of values in filters: 100 if they are written in percent
    };

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] virtual RunId idOf(int row) const = 0;
    [[nodiscard]] virtual int rowOf(RunId id) const = 0; ///< -1 = none
    /// Describes a row in a few lines.
    [[nodiscard]] virtual QString describe(int row) const = 0;

    /// Whether column `pinColumn` shows pins.
    [[nodiscard]] bool hasPins() const { return m_withPins; }
    [[nodiscard]] bool isPinned(RunId id) const { return m_pins.contains(id); }
    /// Whether a row may be pinned at all: rows that projects do not keep may not.
    [[nodiscard]] virtual bool canPin(RunId /*id*/) const { return true; }
    void setPinned(RunId id, bool pinned);
    [[nodiscard]] const std::set<RunId> &pins() const { return m_pins; }

    [[nodiscard]] const std::vector<Column> &columns() const { return m_columns; }
    /// The columns' names in filters, and a row's value for one of them; nothing for a field that the columns lack.
    [[nodiscard]] std::vector<FilterField> filterFields() const;
    [[nodiscard]] FilterValue filterValue(int row, std::size_t field) const;

Q_SIGNALS:
    void pinsChanged();

protected:
    using QAbstractTableModel::QAbstractTableModel;
    /// Sets the columns after the pins; call in the constructor or while the model is being reset.
    void setColumns(std::vector<Column> columns, bool withPins = true);
    void clearPins() { m_pins.clear(); }
    /// A numeric column.
    [[nodiscard]] static Column figure(const QString &name, const QString &definition, FilterField filter, int width,
                                       std::function<double(int row)> value, const std::function<QString(double)> &text);

private:
    std::vector<Column> m_columns;
    bool m_withPins = true;
    std::set<RunId> m_pins;
};

/// Sorted and filtered; pinned rows are on top in any order, even if the filter excludes them.
class RunsProxy final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit RunsProxy(RunsModel &model, QObject *parent = nullptr);
    void setExpression(const FilterExpression &expression);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    RunsModel &m_runs;
    FilterExpression m_expression;
};

} // namespace syncopate::ui

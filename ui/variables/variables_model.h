// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/shown_run.h"
#include "ui/tables/filter_expression.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <array>

namespace syncopate::ui {

/// One row per variable of the job: what it is, how A and B synchronise it, and how long that takes. Qt::UserRole holds the sort
/// key of a column.
class VariablesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Name,
        Shape,
        Bytes,
        LayerName,
        SynchroniserA,
        WhereA,
        PartsA,
        TimeA,
        ExposedA,
        MarksA,
        SynchroniserB,
        WhereB,
        PartsB,
        TimeB,
        ExposedB,
        MarksB,
        Delta,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void set(std::shared_ptr<const Job> job, std::shared_ptr<const ShownRun> a, std::shared_ptr<const ShownRun> b);

    [[nodiscard]] static std::vector<FilterField> filterFields();
    /// `field`: an index into filterFields(). Nothing for a side without a simulation.
    [[nodiscard]] FilterValue filterValue(int row, std::size_t field) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// Emits dataChanged only for the columns that differ from `before`: views redraw every named cell, at each step of a dragged
    /// knob.
    void announce(const std::array<std::shared_ptr<const ShownRun>, 2> &before);
    [[nodiscard]] QVariant ofJob(std::size_t variable, int column, bool forSorting) const;
    /// The mark saying why the policy ignores the strategy's setting in a cell of `WhereA`; null if it is used.
    [[nodiscard]] const LintMark *ignoredIn(std::size_t side, std::size_t variable) const;
    [[nodiscard]] bool policyFuses(std::size_t side) const;
    [[nodiscard]] QVariant whereColour(std::size_t side, std::size_t variable) const;
    [[nodiscard]] QString whereTip(std::size_t side, std::size_t variable) const;
    [[nodiscard]] QVariant marksOf(std::size_t side, std::size_t variable, int role) const;
    [[nodiscard]] QString marksTip(std::size_t side, std::size_t variable) const;
    [[nodiscard]] QVariant cellTip(const QModelIndex &index) const;
    [[nodiscard]] QVariant valueOf(std::size_t variable, int column, bool forSorting) const; ///< for columns without marks
    [[nodiscard]] QVariant deltaOf(std::size_t variable, bool forSorting) const;
    [[nodiscard]] QVariant ofSide(std::size_t side, std::size_t variable, int column, bool forSorting) const;

    std::shared_ptr<const Job> m_job;
    std::array<std::shared_ptr<const ShownRun>, 2> m_runs;
    std::vector<std::int32_t> m_layerOf;
    std::array<std::vector<std::vector<std::size_t>>, 2> m_marks; ///< per side and variable: indices into the run's lintMarks()
};

/// The variables that match an expression, sorted by Qt::UserRole.
class VariablesProxy final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit VariablesProxy(VariablesModel &variables);

    void setExpression(FilterExpression expression);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    VariablesModel &m_variables;
    FilterExpression m_expression;
};

} // namespace syncopate::ui

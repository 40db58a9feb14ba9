// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/searcher.h"
#include "ui/tables/filter_expression.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <set>
#include <vector>

namespace syncopate::ui {

/// Which entry of a search: a trial by its number, or baseline i as -1 - i.
using CandidateId = std::int64_t;

/// "trial 17", or a baseline's builder.
[[nodiscard]] QString candidateName(const SearchHistory &history, CandidateId id);
/// What a candidate is, in a few lines, for tooltips.
[[nodiscard]] QString candidateText(const Searcher &searcher, CandidateId id);

/// One row per baseline and trial of a search. Qt::UserRole holds what a column sorts by.
class CandidatesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Pin,
        Name,
        Iteration,
        Change,
        Exposed,
        Samples,
        PsVariables,
        PsBytes,
        Servers,
        ServerBytes,
        Partitioned,
        Shards,
        Groups,
        ColumnCount
    };

    explicit CandidatesModel(Searcher &searcher, QObject *parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] CandidateId candidateOf(int row) const;
    [[nodiscard]] int rowOf(CandidateId id) const; ///< -1 = none
    [[nodiscard]] bool isPinned(CandidateId id) const { return m_pins.contains(id); }
    void setPinned(CandidateId id, bool pinned);
    [[nodiscard]] const std::set<CandidateId> &pins() const { return m_pins; }

    /// The columns' names in filters, and a row's value of one.
    [[nodiscard]] static std::vector<FilterField> filterFields();
    [[nodiscard]] FilterValue filterValue(int row, std::size_t field) const;

Q_SIGNALS:
    void pinsChanged();

private:
    [[nodiscard]] const CandidateMetrics &metricsOf(int row) const;
    [[nodiscard]] const std::string &errorOf(int row) const;
    [[nodiscard]] QVariant sortValue(int row, int column) const;
    [[nodiscard]] QString text(int row, int column) const;
    void grow();

    Searcher &m_searcher;
    // How much of the history the views know of: rows are trials after baselines, and all baselines come first.
    int m_baselines = 0, m_trials = 0;
    std::set<CandidateId> m_pins;
};

/// Sorted and filtered; pinned rows are on top whatever the order, and whether the filter lets them through or not.
class CandidatesProxy final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit CandidatesProxy(CandidatesModel &model, QObject *parent = nullptr);
    void setExpression(const FilterExpression &expression);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    CandidatesModel &m_candidates;
    FilterExpression m_expression;
};

} // namespace syncopate::ui

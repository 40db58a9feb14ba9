// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/area.h"

#include <QAbstractTableModel>
#include <array>

namespace syncopate::ui {

class Theme;

/// Metric, A, B, B minus A: of the last full iteration or of a selected stretch of time. Qt::UserRole holds the number.
class InspectorModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { MetricColumn, AColumn, BColumn, DeltaColumn, ColumnCount };

    explicit InspectorModel(const Theme &theme, QObject *parent = nullptr);

    /// Null runs show dashes. The traffic of `variable` makes rows of its own at the end, unless its name is empty.
    void set(std::shared_ptr<const ShownRun> a, std::shared_ptr<const ShownRun> b, const std::array<AreaStatistics, 2> &areas,
             const QString &variable = {}, const std::array<std::optional<VariableArea>, 2> &variables = {});

    /// Marks the figures of a side that belong to an older state, and differences from them.
    void setStale(std::array<bool, 2> stale);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// What a row shows: a metric, or one of the variable's.
    struct Shown;
    [[nodiscard]] Shown shownIn(std::size_t row) const;
    [[nodiscard]] std::optional<double> valueOf(std::size_t row, std::size_t side) const; ///< null: there is none
    [[nodiscard]] QVariant ofSide(std::size_t row, std::size_t side, int role) const;
    /// Why the sides' values are no difference of one thing; empty: they are.
    [[nodiscard]] std::string whyNoDelta(std::size_t row) const;
    [[nodiscard]] QVariant delta(std::size_t row, int role) const;

    const Theme &m_theme;
    std::array<std::shared_ptr<const ShownRun>, 2> m_runs;
    std::array<AreaStatistics, 2> m_areas;
    std::array<bool, 2> m_stale{};
    QString m_variable;
    std::array<std::optional<VariableArea>, 2> m_variables;
};

} // namespace syncopate::ui

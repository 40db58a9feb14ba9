// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/area.h"

#include <QAbstractTableModel>
#include <array>

namespace syncopate::ui {

class Theme;

/// Metric, A, B and B minus A for the last full iteration or a selected stretch of time. Qt::UserRole holds the number.
class InspectorModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { MetricColumn, AColumn, BColumn, DeltaColumn, ColumnCount };

    explicit InspectorModel(const Theme &theme, QObject *parent = nullptr);

    /// Null runs and areas show dashes. Unless its name is empty, the traffic of `variable` adds rows of its own at the end.
    void set(std::shared_ptr<const ShownRun> a, std::shared_ptr<const ShownRun> b,
             const std::array<std::optional<AreaStatistics>, 2> &areas, const QString &variable = {},
             const std::array<std::optional<VariableArea>, 2> &variables = {});

    /// Marks the figures of a side as belonging to an older state, and the differences that use them.
    void setStale(std::array<bool, 2> stale);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// What a row shows: a general metric, or one of the selected variable.
    struct Shown;
    [[nodiscard]] Shown shownIn(std::size_t row) const;
    [[nodiscard]] std::optional<double> valueOf(std::size_t row, std::size_t side) const; ///< null: no value
    [[nodiscard]] QVariant ofSide(std::size_t row, std::size_t side, int role) const;
    /// Why the difference of the two sides' values means nothing; empty if it does mean something.
    [[nodiscard]] std::string whyNoDelta(std::size_t row) const;
    [[nodiscard]] QVariant delta(std::size_t row, int role) const;

    const Theme &m_theme;
    std::array<std::shared_ptr<const ShownRun>, 2> m_runs;
    std::array<std::optional<AreaStatistics>, 2> m_areas;
    std::array<bool, 2> m_stale{};
    QString m_variable;
    std::array<std::optional<VariableArea>, 2> m_variables;
};

} // namespace syncopate::ui

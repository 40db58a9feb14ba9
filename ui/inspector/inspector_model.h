// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/simulated_run.h"

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

    /// Null runs show dashes. `areas` are worker 0's.
    void set(std::shared_ptr<const SimulatedRun> a, std::shared_ptr<const SimulatedRun> b,
             const std::array<AreaStatistics, 2> &areas);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const Theme &m_theme;
    std::array<std::shared_ptr<const SimulatedRun>, 2> m_runs;
    std::array<AreaStatistics, 2> m_areas;
};

} // namespace syncopate::ui

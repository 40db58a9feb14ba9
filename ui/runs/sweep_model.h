// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/runs_model.h"
#include "ui/runs/sweeper.h"

#include <memory>

namespace syncopate::ui {

/// One row per point of a sweep: the values of the swept dimensions, named and formatted by the space, and the times of the
/// sides. A row's id is the index of its point.
class SweepModel final : public RunsModel {
    Q_OBJECT
public:
    explicit SweepModel(QObject *parent = nullptr);

    /// Shows a sweep; null shows none. Pins stay as long as the same sweep continues.
    void setSweep(std::shared_ptr<const Sweep> sweep);
    [[nodiscard]] const std::shared_ptr<const Sweep> &sweep() const { return m_sweep; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] RunId idOf(int row) const override { return row; }
    [[nodiscard]] int rowOf(RunId id) const override { return id >= 0 && id < rowCount() ? static_cast<int>(id) : -1; }
    [[nodiscard]] QString describe(int row) const override;

    /// The values of the swept dimensions at a point.
    [[nodiscard]] double xOf(RunId point) const;
    [[nodiscard]] std::optional<double> yOf(RunId point) const;

private:
    [[nodiscard]] const SweepPoint &pointOf(Side side, int row) const;
    [[nodiscard]] Column dimensionColumn(std::size_t dimension, std::function<double(int row)> value) const;
    void addSide(std::vector<Column> &columns, Side side) const;
    [[nodiscard]] std::vector<Column> declareColumns() const;

    std::shared_ptr<const Sweep> m_sweep;
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/trace_difference.h"
#include "ui/runs/runs_model.h"

#include <memory>
#include <vector>

namespace syncopate::ui {

/// How the spans of two traces are grouped before their times are summed.
enum class DifferenceBy : std::uint8_t { Op, Layer, Stream };

/// Two traces by op, layer or stream: seconds per step and rank in A and in B, and the difference.
class DifferenceModel final : public RunsModel {
    Q_OBJECT
public:
    explicit DifferenceModel(QObject *parent = nullptr);

    /// Null clears the table.
    void set(std::shared_ptr<const TraceDifference> difference, DifferenceBy by);
    [[nodiscard]] const std::shared_ptr<const TraceDifference> &difference() const { return m_difference; }
    [[nodiscard]] const DifferenceRow &at(int row) const { return rows()[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] RunId idOf(int row) const override { return row; }
    [[nodiscard]] int rowOf(RunId id) const override { return id < rowCount() ? static_cast<int>(id) : -1; }
    [[nodiscard]] QString describe(int row) const override;
    [[nodiscard]] bool canPin(RunId /*id*/) const override { return false; }

private:
    void declareColumns();
    [[nodiscard]] const std::vector<DifferenceRow> &rows() const;

    std::shared_ptr<const TraceDifference> m_difference;
    DifferenceBy m_by = DifferenceBy::Op;
    std::vector<double> m_nameRanks; ///< per row its place in the alphabet
};

} // namespace syncopate::ui

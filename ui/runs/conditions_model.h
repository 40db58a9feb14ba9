// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/conditions_run.h"
#include "ui/runs/runs_model.h"

#include <memory>

namespace syncopate::ui {

/// One row per arm of a ConditionsRun: over the whole run, and at the marked iteration. A row's id is the arm's number.
class ConditionsModel final : public RunsModel {
    Q_OBJECT
public:
    explicit ConditionsModel(QObject *parent = nullptr);

    /// Shows a run; null shows none.
    void setRun(std::shared_ptr<const ConditionsRun> run);
    [[nodiscard]] const std::shared_ptr<const ConditionsRun> &run() const { return m_run; }
    void setIteration(std::size_t iteration);
    [[nodiscard]] std::size_t iteration() const { return m_iteration; } ///< of the run

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] RunId idOf(int row) const override { return row; }
    [[nodiscard]] int rowOf(RunId id) const override { return id >= 0 && id < rowCount() ? static_cast<int>(id) : -1; }
    [[nodiscard]] QString describe(int row) const override;

private:
    [[nodiscard]] const RetuningArm &armOf(int row) const { return m_run->arms[static_cast<std::size_t>(row)]; }
    [[nodiscard]] std::vector<Column> declareColumns() const;

    std::shared_ptr<const ConditionsRun> m_run;
    std::size_t m_iteration = 0;
};

} // namespace syncopate::ui

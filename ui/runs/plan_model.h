// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/history_model.h"
#include "ui/runs/planner.h"

namespace syncopate::ui {

/// The row of a method's plan.
[[nodiscard]] constexpr RunId planId(PlanMethod method) { return -1 - static_cast<RunId>(method); }
[[nodiscard]] constexpr PlanMethod methodOfPlan(RunId id) { return static_cast<PlanMethod>(-1 - id); }

/// The planner's name in tables and lines.
[[nodiscard]] QString methodTitle(PlanMethod method);

/// One row per method that has planned. Its trials are the proposals of the search being shown; they have no rows, since only
/// their times are known.
class PlanModel final : public HistoryModel {
    Q_OBJECT
public:
    /// In the order of the columns.
    enum Column { Pin, Method, Iteration, Idle, Gap, AgainstFifo, Memory, Schedules };

    explicit PlanModel(Planner &planner, QObject *parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] RunId idOf(int row) const override { return planId(m_methods[static_cast<std::size_t>(row)]); }
    [[nodiscard]] int rowOf(RunId id) const override;
    [[nodiscard]] QString describe(int row) const override;
    [[nodiscard]] bool canPin(RunId /*id*/) const override { return false; }

    [[nodiscard]] std::size_t trials() const override { return m_accepted.size(); }
    [[nodiscard]] std::size_t budget() const override;
    [[nodiscard]] double valueOf(std::size_t trial) const override;
    [[nodiscard]] double hitRateAt(std::size_t trial) const override;
    [[nodiscard]] QString rateName() const override { return tr("acceptance"); }
    [[nodiscard]] QString rateMeaning() const override { return tr("Accepted proposals / proposals so far."); }
    [[nodiscard]] QString trialName() const override { return tr("evaluation"); }
    [[nodiscard]] bool hasTrialRows() const override { return false; }
    [[nodiscard]] QString describeTrial(std::size_t trial) const override;
    /// The methods' plans as they are played, the best method that does not search as the bar, and the lower bound.
    [[nodiscard]] std::vector<Level> levels() const override;
    [[nodiscard]] QString valueName() const override { return tr("iteration"); }
    [[nodiscard]] QStringList groups() const override { return {tr("accepted"), tr("rejected")}; }
    [[nodiscard]] std::size_t groupOf(std::size_t trial) const override { return m_planner.steps()[trial].accepted ? 0 : 1; }

private:
    void declareColumns();
    void add(PlanMethod method);
    void grow();
    [[nodiscard]] const FoundPlan &planOf(int row) const { return *m_planner.found(m_methods[static_cast<std::size_t>(row)]); }
    [[nodiscard]] double gapOf(const FoundPlan &found) const;

    Planner &m_planner;
    std::vector<PlanMethod> m_methods;     ///< by row
    std::vector<std::uint32_t> m_accepted; ///< number of proposals accepted up to each step
};

} // namespace syncopate::ui

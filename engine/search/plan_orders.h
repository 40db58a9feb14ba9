// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/planned_run.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <vector>

namespace syncopate {

/// A plan and what it costs: the iteration that playing it gives, or more than any iteration where it takes too much memory.
struct RankedPlan {
    double seconds = std::numeric_limits<double>::infinity();
    ExecutionPlan plan;
};

/// The best plans of those that were played, best first; of equally good ones, what came first. Each is there once.
class BestPlans {
public:
    explicit BestPlans(std::size_t most) : m_most(most) {}
    void keep(const ExecutionPlan &plan, double seconds);
    [[nodiscard]] std::vector<RankedPlan> &plans() { return m_plans; }

private:
    std::size_t m_most;
    std::vector<RankedPlan> m_plans;
};

/// Improves the strict orders of plans by local search. Greedy lists, which the orders come from, never leave a channel idle for
/// what is more urgent a moment later, and never run something late to keep others in time; the best order may.
///
/// A step moves one entry of a channel's order by up to eight places, by an iteration, or to another channel.
class OrderImprover {
public:
    /// No plan is faster than `boundSeconds`; at most `plays` are played; `costOf` says what a played one costs; `isOver` asks
    /// whether time is up. All outlive the improver.
    OrderImprover(const TrainingDag &dag, const MotifCosts &costs, double boundSeconds, std::int64_t plays,
                  std::function<double(const PlannedRun &)> costOf, std::function<bool()> isOver, const std::stop_token &stop)
        : m_dag(dag), m_costs(costs), m_boundSeconds(boundSeconds), m_playsLeft(plays), m_costOf(std::move(costOf)),
          m_isOver(std::move(isOver)), m_stop(stop) {}

    /// Replaces `best` where a better plan is found. With `walksOn`, also goes on from plans that are no better, the best of them
    /// first and each once: where few plans there are, to all of them. Plays `most` plans. Errors: `stop` was requested.
    [[nodiscard]] Result<void> improve(RankedPlan &best, bool walksOn, std::int64_t most);
    [[nodiscard]] std::int64_t playsLeft() const { return m_playsLeft; }

private:
    const TrainingDag &m_dag;
    const MotifCosts &m_costs;
    double m_boundSeconds;
    std::int64_t m_playsLeft;
    std::function<double(const PlannedRun &)> m_costOf;
    std::function<bool()> m_isOver;
    const std::stop_token &m_stop;
};

} // namespace syncopate

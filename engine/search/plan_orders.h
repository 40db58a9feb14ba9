// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/best_kept.h"
#include "engine/simulate/planned_run.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace syncopate {

/// A plan and its cost: the iteration time when played, or a value above any iteration time where it takes too much memory.
using RankedPlan = Ranked<ExecutionPlan>;

/// Improves the strict orders of plans by local search. Orders come from greedy list schedules, which never leave a channel idle
/// for something more urgent a moment later, and never delay something to keep others in time; the best order may do both.
///
/// A step moves one entry of a channel's order by up to eight places, by an iteration, or to another channel.
class OrderImprover {
public:
    /// No plan is faster than `boundSeconds`; at most `plays` plans are played; `costOf` gives the cost of a played plan;
    /// `isOver` says whether time is up. All must outlive the improver.
    OrderImprover(const TrainingDag &dag, const MotifCosts &costs, double boundSeconds, std::int64_t plays,
                  std::function<double(const PlannedRun &)> costOf, std::function<bool()> isOver, const std::stop_token &stop)
        : m_dag(dag), m_costs(costs), m_boundSeconds(boundSeconds), m_playsLeft(plays), m_costOf(std::move(costOf)),
          m_isOver(std::move(isOver)), m_stop(stop) {}

    /// Replaces `best` if it finds a better plan. With `walksOn`, it also goes on from plans that are no better, the best of them
    /// first and each once; where there are few plans, this reaches all. Plays at most `most` plans. Errors: `stop` was
    /// requested.
    [[nodiscard]] Result<void> improve(RankedPlan &best, bool walksOn, std::int64_t most);
    [[nodiscard]] std::int64_t playsLeft() const { return m_playsLeft; }

private:
    struct Walk;

    /// The cost of a plan, which takes a play; none if its orders contradict the DAG.
    [[nodiscard]] Result<std::optional<double>> play(const ExecutionPlan &plan);
    /// Tries the moves of `from` until one is better than `best`; false if the plays or the time are used up.
    [[nodiscard]] Result<bool> tryMoves(const RankedPlan &from, Walk &walk, RankedPlan &best);

    const TrainingDag &m_dag;
    const MotifCosts &m_costs;
    double m_boundSeconds;
    std::int64_t m_playsLeft;
    std::function<double(const PlannedRun &)> m_costOf;
    std::function<bool()> m_isOver;
    const std::stop_token &m_stop;
};

} // namespace syncopate

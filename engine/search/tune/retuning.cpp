// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/retuning.h"

#include "engine/search/tune/tuners.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace syncopate {

namespace {

using Values = std::vector<double>;

/// What settings do under each condition; conditions that mean the same share their answers.
class Conditions {
public:
    Conditions(const ScenarioRecipe &recipe, const std::vector<TuneAxis> &axes, const ConditionSchedule &schedule,
               const RetuningOptions &options, Judge &judge, std::stop_token stop)
        : m_recipe(recipe), m_axes(axes), m_schedule(schedule), m_options(options), m_judge(judge), m_stop(std::move(stop)) {
        for (std::size_t i = 0; i < schedule.conditions.size(); ++i)
            m_firstAlike.push_back(static_cast<std::size_t>(
                std::find_if(schedule.conditions.begin(), schedule.conditions.end(),
                             [&](const Condition &other) { return other.sameAs(schedule.conditions[i]); }) -
                schedule.conditions.begin()));
    }

    Result<double> seconds(std::size_t condition, const Values &values) {
        const auto key = std::pair(m_firstAlike[condition], values);
        if (const auto known = m_seconds.find(key); known != m_seconds.end())
            return known->second;
        const TuneSpace *space = TRY(spaceOf(condition));
        const auto verdict = TRY(m_judge.judge(TRY(space->scenarioOf(values)), m_stop));
        return m_seconds[key] = verdict.iterationSeconds;
    }

    /// What the tuner finds for the condition.
    Result<Values> tuned(std::size_t condition) {
        const std::size_t first = m_firstAlike[condition];
        if (const auto known = m_tuned.find(first); known != m_tuned.end())
            return known->second;
        const TuneSpace *space = TRY(spaceOf(condition));
        const auto tuner = TRY(makeTuner(m_options.method, *space, m_options.seed));
        const Tuning tuning = TRY(runTuning(*tuner, m_judge, {m_options.evaluations, m_options.threads}, m_stop));
        if (!tuning.best())
            return fail("no setting can be simulated under a condition: " + tuning.path.front().error,
                        "tune other knobs, or narrower ones");
        return m_tuned[first] = tuning.path[*tuning.best()].values;
    }

    /// The best of the grid, of what was tuned for any condition, and of the default.
    Result<Values> best(std::size_t condition) {
        const std::size_t first = m_firstAlike[condition];
        if (const auto known = m_best.find(first); known != m_best.end())
            return known->second;
        const TuneSpace *space = TRY(spaceOf(condition));
        std::vector<Values> candidates{space->defaultValues()};
        for (std::size_t other = 0; other < m_schedule.conditions.size(); ++other)
            if (m_firstAlike[other] == other)
                candidates.push_back(TRY(tuned(other)));
        if (!m_options.grid.empty()) {
            const auto map = TRY(landscapeOf(*space, m_options.grid, m_judge, m_options.threads, m_stop));
            if (const auto fastest = map.best())
                candidates.push_back(map.points[*fastest].values);
        }
        Values best;
        double minSeconds = std::numeric_limits<double>::infinity();
        for (Values &values : candidates) {
            const auto taken = seconds(condition, values);
            if (!taken && taken.error().isCancelled())
                return cancelled();
            if (taken && *taken < minSeconds) {
                minSeconds = *taken;
                best = std::move(values);
            }
        }
        if (best.empty())
            return fail("no setting can be simulated under a condition", "tune other knobs, or narrower ones");
        return m_best[first] = best;
    }

    Result<const TuneSpace *> spaceOf(std::size_t condition) {
        auto &space = m_spaces[m_firstAlike[condition]];
        if (!space) {
            auto recipe = underCondition(m_recipe, m_schedule.conditions[condition]);
            space = std::make_unique<TuneSpace>(TRY(TuneSpace::make(std::move(recipe), m_axes)));
        }
        return space.get();
    }

private:
    const ScenarioRecipe &m_recipe;
    const std::vector<TuneAxis> &m_axes;
    const ConditionSchedule &m_schedule;
    const RetuningOptions &m_options;
    Judge &m_judge;
    std::stop_token m_stop;
    std::vector<std::size_t> m_firstAlike; ///< of each condition, the first that means the same
    std::map<std::size_t, std::unique_ptr<TuneSpace>> m_spaces;
    std::map<std::pair<std::size_t, Values>, double> m_seconds;
    std::map<std::size_t, Values> m_tuned, m_best;
};

/// Looks at the condition before an iteration and says which setting the job shall have; its present one: no change.
using Choose = std::function<Result<Values>(std::int32_t iteration, std::size_t condition, const Values &present)>;

Result<RetuningArm> play(std::string name, Values values, bool changesCost, const ConditionSchedule &schedule,
                         const RetuningOptions &options, Conditions &conditions, const Choose &choose) {
    RetuningArm arm{std::move(name), {}, {{0, 0, values}}, 0, 0};
    double now = 0;
    for (std::int32_t i = 0; i < options.iterations; ++i) {
        const std::size_t condition = schedule.at(schedule.inSeconds ? now : i);
        const Values next = TRY(choose(i, condition, values));
        if (next != values) {
            const double cost = changesCost ? options.reconfigurationIterations * TRY(conditions.seconds(condition, values)) : 0;
            now += cost;
            arm.changes.push_back({i, cost, next});
            values = next;
        }
        const double seconds = TRY(conditions.seconds(condition, values));
        arm.steps.push_back({now, seconds, condition});
        now += seconds;
    }
    arm.totalSeconds = now;
    return arm;
}

} // namespace

Result<std::vector<RetuningArm>> playRetuning(const ScenarioRecipe &recipe, const std::vector<TuneAxis> &axes,
                                              const ConditionSchedule &schedule, const RetuningOptions &options, Judge &judge,
                                              std::stop_token stop) {
    Conditions conditions(recipe, axes, schedule, options, judge, std::move(stop));
    const TuneSpace *space = TRY(conditions.spaceOf(0));
    const auto tuner = TRY(makeTuner(options.method, *space, options.seed));
    const Values usual = space->defaultValues(), once = TRY(conditions.tuned(0));
    const Choose keep = [](std::int32_t, std::size_t, const Values &present) -> Result<Values> { return present; };
    const Choose trigger = [&](std::int32_t iteration, std::size_t condition, const Values &present) -> Result<Values> {
        if (iteration == 0 || iteration % options.every != 0)
            return present;
        const Values proposed = TRY(conditions.tuned(condition));
        const double before = TRY(conditions.seconds(condition, present)), after = TRY(conditions.seconds(condition, proposed));
        return before / after - 1 >= options.minGain ? proposed : present;
    };
    const Choose oracle = [&](std::int32_t, std::size_t condition, const Values &) { return conditions.best(condition); };
    std::vector<RetuningArm> arms;
    arms.push_back(TRY(play("default", usual, false, schedule, options, conditions, keep)));
    arms.push_back(TRY(play(tuner->text() + " once", once, false, schedule, options, conditions, keep)));
    arms.push_back(TRY(play(tuner->text() + " re-tuned", once, true, schedule, options, conditions, trigger)));
    arms.push_back(TRY(play("oracle", TRY(conditions.best(0)), false, schedule, options, conditions, oracle)));
    const auto scenario = TRY(space->defaultScenario());
    const double samples = scenario.job->batchSize * scenario.cluster->replicaCount() * options.iterations;
    for (RetuningArm &arm : arms)
        arm.samplesPerSecond = samples / arm.totalSeconds;
    return arms;
}

} // namespace syncopate

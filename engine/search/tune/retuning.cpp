// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/retuning.h"

#include "engine/base/numbers.h"
#include "engine/job/batch.h"
#include "engine/search/tune/meta_tuner.h"
#include "engine/search/tune/tuners.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <utility>

namespace syncopate {

namespace {

using Values = std::vector<double>;

/// Iteration times of settings under each condition; equal conditions share their results.
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

    /// Under the plain policy, which has nothing to tune.
    Result<double> plainSeconds(std::size_t condition) {
        const std::size_t first = m_firstAlike[condition];
        if (const auto known = m_plain.find(first); known != m_plain.end())
            return known->second;
        const TuneSpace *space = TRY(spaceOf(condition));
        ScenarioRecipe recipe = space->recipe();
        recipe.policy = TRY(parsePolicy(plainPolicy));
        const auto verdict = TRY(m_judge.judge(TRY(makeScenario(recipe)), m_stop));
        return m_plain[first] = verdict.iterationSeconds;
    }

    /// The metrics that the job's monitors report for an iteration under the condition.
    Result<RuntimeMetrics> metrics(std::size_t condition) {
        const std::size_t first = m_firstAlike[condition];
        if (const auto known = m_metrics.find(first); known != m_metrics.end())
            return known->second;
        const TuneSpace *space = TRY(spaceOf(condition));
        return m_metrics[first] = TRY(runtimeMetricsOf(TRY(space->defaultScenario())));
    }

    /// The metrics that they report after these iterations, at least one.
    Result<RuntimeMetrics> metricsAfter(std::span<const ConditionStep> steps) {
        std::vector<RuntimeMetrics> looks;
        for (const ConditionStep &step : steps.last(std::min(steps.size(), bandwidthLooks)))
            looks.push_back(TRY(metrics(step.condition)));
        return syncopate::metricsAfter(looks);
    }

    /// The best setting that the tuner finds for the condition.
    Result<Values> tuned(std::size_t condition, const std::string &method) {
        const std::pair key(m_firstAlike[condition], method);
        if (const auto known = m_tuned.find(key); known != m_tuned.end())
            return known->second;
        const TuneSpace *space = TRY(spaceOf(condition));
        const auto tuner = TRY(makeTuner(method, *space, m_options.seed, m_options.network));
        const Tuning tuning = TRY(runTuning(*tuner, m_judge, {m_options.evaluations, m_options.threads}, m_stop));
        if (!tuning.best())
            return fail("no setting can be simulated under a condition: " + tuning.path.front().error,
                        "tune other knobs, or narrower ones");
        return m_tuned[key] = tuning.path[*tuning.best()].values;
    }

    /// The best of: the grid, all settings tuned for any condition, the default, and all settings that an arm has tried under it
    /// so far.
    Result<Values> best(std::size_t condition) {
        const std::size_t first = m_firstAlike[condition];
        if (const auto known = m_best.find(first); known != m_best.end())
            return known->second;
        std::vector<Values> tried = TRY(candidates(condition));
        Values best;
        double minSeconds = infinity;
        for (Values &values : tried) {
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
    /// The settings that best() chooses from.
    Result<std::vector<Values>> candidates(std::size_t condition) {
        const TuneSpace *space = TRY(spaceOf(condition));
        std::vector<Values> candidates{space->defaultValues()};
        for (std::size_t other = 0; other < m_schedule.conditions.size(); ++other)
            if (m_firstAlike[other] == other)
                candidates.push_back(TRY(tuned(other, m_options.method)));
        for (const auto &known : m_seconds)
            if (known.first.first == m_firstAlike[condition])
                candidates.push_back(known.first.second);
        if (!m_options.grid.empty()) {
            const auto map = TRY(landscapeOf(*space, m_options.grid, m_judge, m_options.threads, m_stop));
            if (const auto fastest = map.best())
                candidates.push_back(map.points[*fastest].values);
        }
        return candidates;
    }

    const ScenarioRecipe &m_recipe;
    const std::vector<TuneAxis> &m_axes;
    const ConditionSchedule &m_schedule;
    const RetuningOptions &m_options;
    Judge &m_judge;
    std::stop_token m_stop;
    std::vector<std::size_t> m_firstAlike; ///< per condition: the first equal one
    std::map<std::size_t, std::unique_ptr<TuneSpace>> m_spaces;
    std::map<std::pair<std::size_t, Values>, double> m_seconds;
    std::map<std::pair<std::size_t, std::string>, Values> m_tuned;
    std::map<std::size_t, Values> m_best;
    std::map<std::size_t, double> m_plain;
    std::map<std::size_t, RuntimeMetrics> m_metrics;
};

/// The moment before an iteration.
struct Moment {
    std::size_t condition = 0;            ///< of the iteration to come, which only an oracle knows
    std::span<const ConditionStep> steps; ///< that are over
    [[nodiscard]] std::int32_t iteration() const { return static_cast<std::int32_t>(steps.size()); }
};

/// Returns the setting to use in the next iteration; the present one means no change.
using Choose = std::function<Result<Values>(const Moment &moment, const Values &present)>;

Result<Values> keep(const Moment & /*moment*/, const Values &present) { return present; }

/// Plays the arms of one job under one schedule.
class Player {
public:
    Player(const ConditionSchedule &schedule, const RetuningOptions &options, Conditions &conditions, double samplesPerIteration)
        : m_schedule(schedule), m_options(options), m_conditions(conditions), m_samplesPerIteration(samplesPerIteration) {}

    /// Empty `values` stand for the plain policy.
    Result<RetuningArm> play(std::string name, Values values, bool changesCost, const Choose &choose) {
        RetuningArm arm{std::move(name), {}, {{0, 0, values}}, 0, 0};
        double now = 0;
        for (std::int32_t i = 0; i < m_options.iterations; ++i) {
            const std::size_t condition = m_schedule.at(m_schedule.inSeconds ? now : i);
            const Values next = TRY(choose({condition, arm.steps}, values));
            if (next != values) {
                const double cost =
                    changesCost ? TRY(secondsFrom(now, condition, values, m_options.reconfigurationIterations)) : 0;
                now += cost;
                arm.changes.push_back({i, cost, next});
                values = next;
            }
            const std::size_t begun = m_schedule.at(m_schedule.inSeconds ? now : i); // a change may have taken until another
            const double seconds = TRY(secondsFrom(now, begun, values, 1));
            const bool isMixed = m_schedule.inSeconds && begun + 1 < m_schedule.conditions.size() &&
                                 m_schedule.conditions[begun + 1].from < now + seconds;
            arm.steps.push_back({now, seconds, begun, isMixed});
            now += seconds;
        }
        arm.totalSeconds = now;
        arm.samplesPerSecond = m_samplesPerIteration * m_options.iterations / now;
        return arm;
    }

    /// Starts from the setting tuned for the first condition and tunes again by simulation as conditions change.
    Result<RetuningArm> playRetuned(const std::string &name, const std::string &method) {
        const Choose trigger = [&](const Moment &moment, const Values &present) -> Result<Values> {
            if (!looksAt(moment.iteration()))
                return present;
            const std::size_t condition = moment.steps.back().condition;
            const Values proposed = TRY(m_conditions.tuned(condition, method));
            const double before = TRY(m_conditions.seconds(condition, present)),
                         after = TRY(m_conditions.seconds(condition, proposed));
            return before / after - 1 >= m_options.minGain ? proposed : present;
        };
        return play(name, TRY(m_conditions.tuned(0, method)), true, trigger);
    }

    /// AutoByte: takes metrics and measured speeds, and follows the network's proposals.
    Result<RetuningArm> playAutoByte(const TuneSpace &space) {
        MetaTuner tuner = TRY(MetaTuner::make(space, m_options.network));
        std::vector<RetuningArm::Look> looks;
        const Choose trigger = [&](const Moment &moment, const Values &present) -> Result<Values> {
            if (!looksAt(moment.iteration()))
                return present;
            const double measured = m_samplesPerIteration / moment.steps.back().seconds;
            const RuntimeMetrics metrics = TRY(m_conditions.metricsAfter(moment.steps));
            const std::size_t adaptations = tuner.adaptations();
            if (!moment.steps.back().isMixed)
                tuner.observe(metrics, present, measured);
            const auto proposal = tuner.propose(metrics, present);
            looks.push_back(
                {moment.iteration(), measured, proposal.samplesPerSecond, proposal.gain, tuner.adaptations() > adaptations});
            return proposal.gain >= m_options.minGain ? proposal.values : present;
        };
        const Values first = tuner.propose(TRY(m_conditions.metrics(0)), space.defaultValues()).values;
        RetuningArm arm = TRY(play("autobyte", first, true, trigger));
        arm.looks = std::move(looks);
        arm.network = tuner.origin();
        return arm;
    }

private:
    [[nodiscard]] bool looksAt(std::int32_t iteration) const { return iteration > 0 && iteration % m_options.every == 0; }
    /// Seconds of iterations that begin at `now` under `condition`. Where a schedule in seconds changes during one, the rest of
    /// it runs at the pace of the next condition.
    Result<double> secondsFrom(double now, std::size_t condition, const Values &values, double iterations) {
        double seconds = 0;
        for (double left = iterations;; ++condition) {
            const double pace = TRY(secondsOf(condition, values)), rest = left * pace;
            const bool isLast = !m_schedule.inSeconds || condition + 1 == m_schedule.conditions.size();
            const double until = isLast ? infinity : m_schedule.conditions[condition + 1].from - now;
            if (seconds + rest <= until)
                return seconds + rest;
            left -= (until - seconds) / pace;
            seconds = until;
        }
    }
    Result<double> secondsOf(std::size_t condition, const Values &values) {
        return values.empty() ? m_conditions.plainSeconds(condition) : m_conditions.seconds(condition, values);
    }

    const ConditionSchedule &m_schedule;
    const RetuningOptions &m_options;
    Conditions &m_conditions;
    double m_samplesPerIteration;
};

} // namespace

Result<std::vector<RetuningArm>> playRetuning(const ScenarioRecipe &recipe, const std::vector<TuneAxis> &axes,
                                              const ConditionSchedule &schedule, const RetuningOptions &options, Judge &judge,
                                              std::stop_token stop) {
    Conditions conditions(recipe, axes, schedule, options, judge, std::move(stop));
    const TuneSpace *space = TRY(conditions.spaceOf(0));
    const auto tuner = TRY(makeTuner(options.method, *space, options.seed, options.network));
    const auto scenario = TRY(space->defaultScenario());
    Player player(schedule, options, conditions, countOfStep(*scenario.job) * scenario.cluster->replicaCount());
    std::vector<RetuningArm> arms, more;
    arms.push_back(TRY(player.play("default", space->defaultValues(), false, keep)));
    arms.push_back(TRY(player.play(tuner->text() + " once", TRY(conditions.tuned(0, options.method)), false, keep)));
    arms.push_back(TRY(player.playRetuned(tuner->text() + " re-tuned", options.method)));
    if (options.compares) {
        if (MetaTuner::tunes(*space))
            more.push_back(TRY(player.playAutoByte(*space)));
        more.push_back(TRY(player.playRetuned("random() re-tuned", "random()")));
        more.push_back(TRY(player.play(plainPolicy, {}, false, keep)));
    }
    // The oracle uses all settings that the others tried, so it is played last.
    const Choose oracle = [&](const Moment &moment, const Values &) { return conditions.best(moment.condition); };
    arms.push_back(TRY(player.play("oracle", TRY(conditions.best(0)), false, oracle)));
    std::move(more.begin(), more.end(), std::back_inserter(arms));
    return arms;
}

} // namespace syncopate

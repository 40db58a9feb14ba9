// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/run.h"

#include "engine/base/rounding.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/rewrite/change_credit.h"
#include "engine/rewrite/rewrite.h"
#include "engine/simulate/event_loop.h"
#include "engine/simulate/run_timeline.h"
#include "engine/simulate/simulated_iteration.h"
#include "engine/simulate/steady_state.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace syncopate {

namespace {

/// Unrolling further costs more than a knob's response allows: the figure then carries its confidence.
constexpr std::int32_t maxIterations = 64;
constexpr std::int32_t maxDriftingIterations = 4096;
/// Before this many, two stretches may both lie in the time until a bound of staleness or a full server makes itself felt.
constexpr std::int32_t minDriftingIterations = 32;
constexpr std::size_t maxTasks = 500'000;

struct Unrolled {
    TaskGraph graph;
    Schedule schedule;
    SteadyState steady;
    bool isFurther = false; ///< the graph is of more iterations than the scenario's
};

/// Whether two figures are one within their intervals.
bool agree(const SteadyState &a, const SteadyState &b) {
    return std::abs(a.secondsPerStep - b.secondsPerStep) <= (a.confidence + b.confidence + steadyConfidence) * b.secondsPerStep;
}

/// Whether simulating twice as many iterations is worthwhile. `half`: the result of half as many. Batches of drifting workers
/// that lie within one transient agree with each other even if later ones do not, so they count only when the next stretch
/// agrees, too.
bool isWorthMore(const TaskGraph &graph, const std::optional<SteadyState> &half, const SteadyState &steady,
                 std::int32_t iterations) {
    if (steady.isChanging || steady.isExact() || !graph.reachesSteady)
        return false;
    const bool isSettled = graph.workersInStep ? steady.confidence <= meanConfidence
                                               : iterations >= minDriftingIterations && steady.confidence <= steadyConfidence &&
                                                     half && std::isfinite(half->confidence) && agree(*half, steady);
    return !isSettled && 2 * iterations <= (graph.workersInStep ? maxIterations : maxDriftingIterations) &&
           2 * graph.size() <= maxTasks;
}

/// The iteration that a run's figures are of, or the iterations that they are the means of.
std::pair<Nanoseconds, Nanoseconds> windowOf(const SteadyState &steady) {
    if (steady.iterations > 1)
        return {toNanoseconds(steady.fromSeconds), toNanoseconds(steady.toSeconds)};
    const Nanoseconds from = toNanoseconds(steady.windowStartSeconds);
    return {from, from + toNanoseconds(steady.secondsPerStep)};
}

enum class Extent { Whole, Window };

/// Whether all that happens in the window has been played, or would go on beyond it. Where the device waits for the host within
/// an op, its end has to be known.
bool isWindowPlayed(const Job &job, const TaskGraph &graph, const SteadyState &steady) {
    return graph.workersInStep && graph.capacityChanges.empty() && !(job.hostSeconds() > 0) && std::isfinite(steady.toSeconds) &&
           windowOf(steady).second <= toNanoseconds(steady.toSeconds);
}

/// The graph of `scenario`, in the memory of another.
Result<TaskGraph> graphOf(const Scenario &scenario, SimulationMemory &memory, const std::stop_token &stop) {
    if (memory.made && changeCredit(*memory.made, scenario, memory.graph))
        return std::move(memory.graph);
    return rewrite(scenario, stop, Unroll::ByRepetition, std::move(memory.graph));
}

/// Unrolls until the schedule is steady. For iterations in step, all figures of n of them are known when the last one starts, and
/// further iterations change nothing before it: they are played up to there, and on to twice as many if the schedule does not
/// repeat. In the end everything is played, or as much as `extent` asks for. `change` is applied to each graph before it is
/// played.
Result<Unrolled> unroll(Scenario scenario, const std::stop_token &stop, Progress *progress, Extent extent,
                        SimulationMemory memory = {}, const GraphChange &change = {}) {
    const auto changed = [&change](TaskGraph graph) {
        if (change)
            change(graph);
        return graph;
    };
    Playback playback(changed(TRY(graphOf(scenario, memory, stop))), std::move(memory.schedule));
    Unrolled unrolled;
    for (std::optional<SteadyState> half;; half = unrolled.steady) {
        const TaskGraph &graph = playback.graph();
        if (graph.workersInStep && graph.capacityChanges.empty())
            playback.playToIteration(graph.iterations - 1, stop, progress);
        else
            playback.playToEnd(stop, progress);
        if (stop.stop_requested())
            return cancelled();
        unrolled.steady = steadyState(graph, playback.schedule());
        if (!isWorthMore(graph, half, unrolled.steady, scenario.iterations))
            break;
        scenario.iterations *= 2;
        unrolled.isFurther = true;
        if (!playback.unrollFurther(scenario.iterations))
            playback.extend(changed(TRY(rewrite(scenario, stop))));
    }
    if (extent == Extent::Whole || !isWindowPlayed(*scenario.job, playback.graph(), unrolled.steady)) {
        playback.playToEnd(stop, progress);
        if (!playback.schedule().complete)
            return stop.stop_requested() ? cancelled() : internalError("the simulation came to a halt before every task had run");
    }
    unrolled.graph = playback.takeGraph();
    unrolled.schedule = playback.takeSchedule();
    return unrolled;
}

double samplesPerSecondOf(const Scenario &scenario, double iterationSeconds) {
    return iterationSeconds > 0 ? scenario.cluster->replicaCount() * countOfStep(*scenario.job) / iterationSeconds : 0;
}

std::vector<std::string> assumptionsOf(const TaskGraph &graph, const SteadyState &steady) {
    std::vector<std::string> assumptions = graph.assumptions;
    if (std::string note = describeSteadyState(steady, graph); !note.empty())
        assumptions.push_back(std::move(note));
    return assumptions;
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

enum class Spans { All, OfWindow };

Result<std::shared_ptr<const Run>> simulated(const Scenario &scenario, const std::stop_token &stop, Progress *progress,
                                             Spans spans) {
    const auto begin = std::chrono::steady_clock::now();
    Unrolled unrolled = TRY(unroll(scenario, stop, progress, Extent::Whole));
    auto run = std::make_shared<Run>();
    run->scenario = scenario;
    run->job = scenario.job;
    run->graph = std::move(unrolled.graph);
    run->workers = scenario.cluster->replicaCount();
    run->iterationSeconds = unrolled.steady.secondsPerStep;
    run->confidence = unrolled.steady.confidence;
    run->windowStartSeconds = unrolled.steady.windowStartSeconds;
    run->samplesPerSecond = samplesPerSecondOf(scenario, run->iterationSeconds);
    run->windowIterations = unrolled.steady.iterations;
    constexpr double rounding = 2e-9; // statistics count in whole nanoseconds
    const auto [from, to] = windowOf(unrolled.steady);
    const TimeWindow measured{static_cast<double>(from) * 1e-9 - rounding, static_cast<double>(to) * 1e-9 + rounding};
    Schedule &schedule = unrolled.schedule;
    run->timeline = makeTimeline(*scenario.job, run->graph, schedule, spans == Spans::All ? TimeWindow{} : measured, stop);
    if (stop.stop_requested()) // discard incomplete results
        return cancelled();
    const auto starts = iterationStarts(run->graph, schedule);
    for (const double start : starts.front())
        run->timeline.iterationStart.push_back(toNanoseconds(start));
    run->events = schedule.events;
    run->assumptions = assumptionsOf(run->graph, unrolled.steady);
    run->readySeconds = std::move(schedule.readySeconds);
    run->startSeconds = std::move(schedule.startSeconds);
    run->endSeconds = std::move(schedule.endSeconds);
    run->wallSeconds = secondsSince(begin);
    return run;
}

} // namespace

Result<std::shared_ptr<const Run>> simulate(const Scenario &scenario, std::stop_token stop, Progress *progress) {
    return simulated(scenario, stop, progress, Spans::All);
}

Result<std::shared_ptr<const Run>> simulateFigures(const Scenario &scenario, std::stop_token stop) {
    return simulated(scenario, stop, nullptr, Spans::OfWindow);
}

Result<double> iterationSecondsWith(const GraphChange &change, const Scenario &scenario, std::stop_token stop) {
    return TRY(unroll(scenario, stop, nullptr, Extent::Window, {}, change)).steady.secondsPerStep;
}

Result<SimulatedIteration> simulateIteration(const Scenario &scenario, std::stop_token stop) {
    SimulationMemory memory;
    return simulateIteration(scenario, memory, std::move(stop));
}

Result<SimulatedIteration> simulateIteration(const Scenario &scenario, SimulationMemory &memory, std::stop_token stop) {
    const auto begin = std::chrono::steady_clock::now();
    Unrolled unrolled = TRY(unroll(scenario, stop, nullptr, Extent::Window, std::exchange(memory, {})));
    SimulatedIteration iteration;
    iteration.iterationSeconds = unrolled.steady.secondsPerStep;
    iteration.confidence = unrolled.steady.confidence;
    iteration.samplesPerSecond = samplesPerSecondOf(scenario, iteration.iterationSeconds);
    iteration.window = windowOf(unrolled.steady);
    iteration.windowIterations = unrolled.steady.iterations;
    iteration.spans =
        spansWithin(*scenario.job, unrolled.graph, unrolled.schedule, iteration.window.first, iteration.window.second);
    iteration.assumptions = assumptionsOf(unrolled.graph, unrolled.steady);
    memory = {std::move(unrolled.graph), std::move(unrolled.schedule),
              unrolled.isFurther ? std::nullopt : std::optional(scenario)};
    iteration.wallSeconds = secondsSince(begin);
    return iteration;
}

SimulationMemory SimulationMemories::take(const Scenario &scenario) {
    const std::scoped_lock lock(m_mutex);
    if (m_free.empty())
        return {};
    const auto fits = [&](const SimulationMemory &memory) { return memory.made && differInCreditAlone(*memory.made, scenario); };
    auto taken = std::find_if(m_free.begin(), m_free.end(), fits);
    if (taken == m_free.end())
        --taken;
    SimulationMemory memory = std::move(*taken);
    m_free.erase(taken);
    return memory;
}

Result<SimulatedIteration> SimulationMemories::simulateIteration(const Scenario &scenario, std::stop_token stop) {
    SimulationMemory memory = take(scenario);
    auto iteration = TRY(syncopate::simulateIteration(scenario, memory, std::move(stop)));
    const std::scoped_lock lock(m_mutex);
    m_free.push_back(std::move(memory));
    return iteration;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/run.h"

#include "engine/base/rounding.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/rewrite/rewrite.h"
#include "engine/simulate/event_loop.h"
#include "engine/simulate/run_timeline.h"
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
};

/// Whether two figures are one within their intervals.
bool agree(const SteadyState &a, const SteadyState &b) {
    return std::abs(a.secondsPerStep - b.secondsPerStep) <= (a.confidence + b.confidence + steadyConfidence) * b.secondsPerStep;
}

/// Whether simulating twice as many iterations is worthwhile. `half`: what half as many gave. Batches of drifting workers that
/// lie within one transient agree with each other whatever comes later, so they are believed when the next stretch agrees, too.
bool isWorthMore(const TaskGraph &graph, const std::optional<SteadyState> &half, const SteadyState &steady,
                 std::int32_t iterations) {
    if (steady.isChanging || steady.isExact())
        return false;
    const bool isSettled = graph.workersInStep ? steady.confidence <= meanConfidence
                                               : iterations >= minDriftingIterations && steady.confidence <= steadyConfidence &&
                                                     half && std::isfinite(half->confidence) && agree(*half, steady);
    return !isSettled && 2 * iterations <= (graph.workersInStep ? maxIterations : maxDriftingIterations) &&
           2 * graph.size() <= maxTasks;
}

/// Unrolls until the schedule is steady. For iterations in step, everything about n of them is known when the last one starts,
/// and further iterations change nothing before it: they are played up to there, and on to twice as many if the schedule does not
/// repeat.
Result<Unrolled> unroll(Scenario scenario, const std::stop_token &stop, Progress *progress) {
    Playback playback(TRY(rewrite(scenario, stop)));
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
        playback.extend(TRY(rewrite(scenario, stop)));
    }
    playback.playToEnd(stop, progress);
    if (!playback.schedule().complete)
        return stop.stop_requested() ? cancelled() : internalError("the simulation came to a halt before every task had run");
    unrolled.graph = playback.takeGraph();
    unrolled.schedule = playback.takeSchedule();
    return unrolled;
}

enum class Spans { All, OfWindow };

Result<std::shared_ptr<const Run>> simulated(const Scenario &scenario, const std::stop_token &stop, Progress *progress,
                                             Spans spans) {
    const auto begin = std::chrono::steady_clock::now();
    Unrolled unrolled = TRY(unroll(scenario, stop, progress));
    auto run = std::make_shared<Run>();
    run->scenario = scenario;
    run->job = scenario.job;
    run->graph = std::move(unrolled.graph);
    run->workers = scenario.cluster->replicaCount();
    run->iterationSeconds = unrolled.steady.secondsPerStep;
    run->confidence = unrolled.steady.confidence;
    run->windowStartSeconds = unrolled.steady.windowStartSeconds;
    if (run->iterationSeconds > 0)
        run->samplesPerSecond = run->workers * countOfStep(*scenario.job) / run->iterationSeconds;
    constexpr double rounding = 2e-9; // statistics count in whole nanoseconds
    const TimeWindow measured{run->windowStartSeconds - rounding, run->windowStartSeconds + run->iterationSeconds + rounding};
    run->timeline =
        makeTimeline(*scenario.job, run->graph, unrolled.schedule, spans == Spans::All ? TimeWindow{} : measured, stop);
    if (stop.stop_requested()) // discard what is incomplete
        return cancelled();
    const auto starts = iterationStarts(run->graph, unrolled.schedule);
    for (const double start : starts.front())
        run->timeline.iterationStart.push_back(toNanoseconds(start));
    run->events = unrolled.schedule.events;
    run->assumptions = run->graph.assumptions;
    if (std::string note = describeSteadyState(unrolled.steady, run->graph); !note.empty())
        run->assumptions.push_back(std::move(note));
    run->readySeconds = std::move(unrolled.schedule.readySeconds);
    run->startSeconds = std::move(unrolled.schedule.startSeconds);
    run->endSeconds = std::move(unrolled.schedule.endSeconds);
    run->wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return run;
}

} // namespace

Result<std::shared_ptr<const Run>> simulate(const Scenario &scenario, std::stop_token stop, Progress *progress) {
    return simulated(scenario, stop, progress, Spans::All);
}

Result<std::shared_ptr<const Run>> simulateFigures(const Scenario &scenario, std::stop_token stop) {
    return simulated(scenario, stop, nullptr, Spans::OfWindow);
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/run.h"

#include "engine/base/units.h"
#include "engine/rewrite/rewrite.h"
#include "engine/simulate/event_loop.h"
#include "engine/simulate/run_timeline.h"
#include "engine/simulate/steady_state.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace syncopate {

Result<std::shared_ptr<const Run>> simulate(const Scenario &scenario, std::stop_token stop, Progress *progress) {
    const auto begin = std::chrono::steady_clock::now();
    auto graph = TRY(rewrite(scenario, stop));
    auto run = std::make_shared<Run>();
    run->scenario = scenario;
    run->job = scenario.job;
    run->graph = std::move(graph);
    Schedule schedule = runEventLoop(run->graph, stop, progress);
    if (!schedule.complete)
        return stop.stop_requested() ? cancelled() : internalError("the simulation came to a halt before every task had run");

    // Start of each worker's iterations: the first op of each.
    const std::size_t classes = run->graph.workerNames.size();
    std::vector<std::vector<double>> starts;
    for (std::size_t w = 0; w < classes; ++w)
        starts.emplace_back(static_cast<std::size_t>(run->graph.workerIterations[w]), std::numeric_limits<double>::infinity());
    for (std::size_t t = 0; t < run->graph.size(); ++t)
        if (run->graph.kind[t] == TaskKind::Forward) {
            double &start =
                starts[static_cast<std::size_t>(run->graph.worker[t])][static_cast<std::size_t>(run->graph.iteration[t])];
            start = std::min(start, schedule.startSeconds[t]);
        }
    run->workers = scenario.cluster->replicaCount();
    const double samplesPerStep = run->workers * scenario.job->batchSize;
    const std::size_t last = starts.front().size() - 1;
    std::string ofWhat;
    if (run->graph.workersInStep) {
        run->windowStartSeconds = starts.front()[last - 1];
        run->iterationSeconds = starts.front()[last] - starts.front()[last - 1];
        if (run->iterationSeconds > 0)
            run->samplesPerSecond = samplesPerStep / run->iterationSeconds;
        ofWhat = fmt::format("iteration {} of {} ({} to {})", last, last + 1, formatSeconds(starts.front()[last - 1]),
                             formatSeconds(starts.front()[last]));
    } else {
        const SteadyState steady = steadyState(run->graph, starts);
        run->samplesPerSecond = steady.stepsPerSecond * scenario.job->batchSize;
        ofWhat = fmt::format("the time from {} to {}", formatSeconds(steady.fromSeconds), formatSeconds(steady.toSeconds));
        run->iterationSeconds = run->samplesPerSecond > 0 ? samplesPerStep / run->samplesPerSecond : 0;
        run->windowStartSeconds = starts.front()[last - 1];
    }
    run->timeline = makeTimeline(*scenario.job, run->graph, schedule, stop);
    if (stop.stop_requested()) // what is not whole
        return cancelled();
    for (const double start : starts.front())
        run->timeline.iterationStart.push_back(static_cast<Nanoseconds>(std::llround(start * 1e9)));
    run->events = schedule.events;
    run->assumptions = run->graph.assumptions;
    if (!run->graph.capacityChanges.empty())
        run->assumptions.push_back(
            fmt::format("Links change their rates: the figures are those of {}, no steady state.", ofWhat));
    run->readySeconds = std::move(schedule.readySeconds);
    run->startSeconds = std::move(schedule.startSeconds);
    run->endSeconds = std::move(schedule.endSeconds);
    run->wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return run;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
// Steps played from a template: ops per second, and how the cost of an event grows with the number of workers. CPU time.
#include "engine/job/catalogue.h"
#include "engine/predict/generate.h"

#include <benchmark/benchmark.h>

using namespace syncopate;

namespace {

void play(benchmark::State &state, std::int32_t workers, std::int32_t servers, double window, std::int32_t steps) {
    const Job job = *catalogueJob("resnet50");
    StepSet set = *stepSetFromJob(job);
    for (int s = 1; s < 50; ++s) { // steps differ by up to a twentieth
        set.seconds.push_back(set.seconds.front());
        for (double &seconds : set.seconds.back())
            seconds *= 1 + 0.001 * s;
    }
    std::vector<double> bytes;
    for (const Variable &variable : job.variables)
        bytes.push_back(static_cast<double>(variable.sizeBytes()));
    set = *withPlacement(set, placeGreedily(bytes, servers), servers);
    const PredictMachines machines = *machinesOf(withDedicatedServers(uniformCluster(workers, 10), servers), servers);
    GenerateOptions options;
    options.steps = steps;
    options.windowBytes = window;
    double ops = 0, events = 0;
    for (auto _ : state) {
        const auto made = generateTrace(set, machines, options);
        ops += static_cast<double>(made->ops);
        events += static_cast<double>(made->events);
    }
    state.counters["ops/s"] = benchmark::Counter(ops, benchmark::Counter::kIsRate);
    state.counters["s/event"] = benchmark::Counter(events, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void resnetWorkers(benchmark::State &state) {
    const auto workers = static_cast<std::int32_t>(state.range(0));
    play(state, workers, 1, 65536, std::max(20, 2000 / workers));
}
BENCHMARK(resnetWorkers)->Arg(1)->Arg(2)->Arg(4)->Arg(10)->Arg(32)->Arg(128)->Arg(512)->Unit(benchmark::kMillisecond);

void resnetTwoServers(benchmark::State &state) { play(state, static_cast<std::int32_t>(state.range(0)), 2, 65536, 100); }
BENCHMARK(resnetTwoServers)->Arg(2)->Arg(10)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();

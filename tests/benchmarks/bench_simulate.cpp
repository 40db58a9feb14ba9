// SPDX-License-Identifier: GPL-3.0-or-later
// Engine budgets of docs/performance.md. CPU time; run on a quiet machine: bench_simulate --benchmark_repetitions=5
#include "engine/job/catalogue.h"
#include "engine/job/job_file.h"
#include "engine/rewrite/rewrite.h"
#include "engine/simulate/event_loop.h"
#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cmath>
#include <memory>

using namespace syncopate;

namespace {

Scenario scenarioOf(const char *job, int workers, int servers, const char *builder, const char *policy, int iterations) {
    Scenario s;
    s.job = std::make_shared<const Job>(*catalogueJob(job));
    s.cluster = std::make_shared<const Cluster>(withDedicatedServers(uniformCluster(workers, 25), servers));
    s.strategy = std::make_shared<const Strategy>(*buildStrategy(builder, *s.job, *s.cluster));
    s.policy = *parsePolicy(policy);
    s.iterations = iterations;
    return s;
}

void simulateOne(benchmark::State &state, const Scenario &scenario) {
    double events = 0;
    for (auto _ : state) {
        auto run = simulate(scenario);
        events += static_cast<double>((*run)->events);
        benchmark::DoNotOptimize(run);
    }
    state.counters["events/s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
}

void bertPs(benchmark::State &state) {
    simulateOne(state, scenarioOf("bert_large", 16, 4, "PSLoadBalancing", "fifo(barrier=off)", 4));
}
void bertPsUnfolded(benchmark::State &state) {
    Scenario s = scenarioOf("bert_large", 16, 4, "PSLoadBalancing", "fifo(barrier=off)", 4);
    s.fold = false;
    simulateOne(state, s);
}
void bertPsColocated(benchmark::State &state) {
    simulateOne(state, scenarioOf("bert_large", 16, 0, "PSLoadBalancing", "fifo(barrier=off)", 4));
}
/// With latency no two messages of a worker end at the same time.
void bertPsColocatedLatency(benchmark::State &state) {
    Scenario s = scenarioOf("bert_large", 16, 0, "PSLoadBalancing", "fifo(barrier=off)", 4);
    Cluster cluster = *s.cluster;
    cluster.latencySeconds = 50e-6;
    s.cluster = std::make_shared<const Cluster>(std::move(cluster));
    simulateOne(state, s);
}
/// Asynchronous training with four resources per worker (its compute, uplink and downlink, the servers' links): W workers of
/// different speeds, each simulated individually. The event loop alone. The cost of an op should grow about as log W.
void asynchronousPs(benchmark::State &state) {
    const auto workers = static_cast<int>(state.range(0));
    Scenario s = scenarioOf("resnet50", workers, static_cast<int>(state.range(1)), "PSLoadBalancing(sync=false)",
                            "fifo(barrier=off)", workers > 64 ? 6 : 24);
    Cluster cluster = *s.cluster;
    for (std::size_t n = 0; n < static_cast<std::size_t>(workers); ++n) // all different: multiples of the golden ratio
        cluster.nodes[n].computeScale = 1 + 0.1 * std::fmod(static_cast<double>(n) * 0.6180339887498949, 1);
    s.cluster = std::make_shared<const Cluster>(std::move(cluster));
    s.fold = false;
    const TaskGraph graph = *rewrite(s);
    const auto ops = static_cast<double>(
        std::count_if(graph.kind.begin(), graph.kind.end(), [](TaskKind kind) { return kind != TaskKind::Join; }));
    for (auto _ : state)
        benchmark::DoNotOptimize(runEventLoop(graph));
    const double runs = static_cast<double>(state.iterations()) * ops;
    state.counters["ops/s"] = benchmark::Counter(runs, benchmark::Counter::kIsRate);
    state.counters["s/op"] = benchmark::Counter(runs, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["ops"] = ops;
}
/// 16 workers as 4 nodes of 4 GPUs, every node a server too.
void bertPsB7(benchmark::State &state) {
    Scenario s = scenarioOf("bert_large", 16, 0, "PSLoadBalancing", "fifo(barrier=off)", 4);
    s.cluster = std::make_shared<const Cluster>(*catalogueCluster("B7"));
    s.strategy = std::make_shared<const Strategy>(*buildStrategy("PSLoadBalancing", *s.job, *s.cluster));
    simulateOne(state, s);
}
/// Unrolls servers on workers' nodes until their schedule repeats, from 4 iterations on.
void bertSteadyB7(benchmark::State &state, const char *builder, const char *policy) {
    Scenario s = scenarioOf("bert_large", 16, 0, builder, policy, 4);
    s.cluster = std::make_shared<const Cluster>(*catalogueCluster("B7"));
    s.strategy = std::make_shared<const Strategy>(*buildStrategy(builder, *s.job, *s.cluster));
    simulateOne(state, s);
}
/// 256 workers and 16 servers, folded or with each worker simulated individually.
void bertPsManyWorkers(benchmark::State &state) {
    Scenario s = scenarioOf("bert_large", 256, 16, "PSLoadBalancing", "fifo(barrier=off)", 4);
    s.fold = state.range(0) != 0;
    simulateOne(state, s);
}
void bertAllReduce(benchmark::State &state) {
    simulateOne(state, scenarioOf("bert_large", 16, 0, "AllReduce(chunk_size=1)", "fifo", 4));
}
void bertDdp(benchmark::State &state) { simulateOne(state, scenarioOf("bert_large", 16, 0, "AllReduce", "ddp", 4)); }
void resnetRing512Folded(benchmark::State &state) {
    simulateOne(state, scenarioOf("resnet50", 512, 0, "AllReduce(chunk_size=1)", "fifo(form=flows)", 4));
}

/// Each of 512 nodes and every message: 84 million per iteration (161 tensors, 2 x 511 steps, 512 nodes). Three iterations are
/// simulated, so a third of the time is one iteration's.
void resnetRing512(benchmark::State &state) {
    Scenario s = scenarioOf("resnet50", 512, 0, "AllReduce(chunk_size=1)", "fifo(form=flows)", 3);
    if (auto golden = readJobFile(SYNCOPATE_SOURCE "/tests/data/golden/ring/resnet50.job.json")) {
        s.job = std::make_shared<const Job>(std::move(*golden));
        s.strategy = std::make_shared<const Strategy>(*buildStrategy("AllReduce(chunk_size=1)", *s.job, *s.cluster));
    }
    Cluster cluster = *s.cluster;
    cluster.latencySeconds = 50e-6;
    s.cluster = std::make_shared<const Cluster>(std::move(cluster));
    s.fold = state.range(0) != 0;
    double messages = 0;
    for (auto _ : state) {
        auto run = simulate(s);
        messages += static_cast<double>((*run)->events) / 2;
        benchmark::DoNotOptimize(run);
    }
    state.counters["messages"] = messages / static_cast<double>(state.iterations());
    state.counters["messages/s"] = benchmark::Counter(messages, benchmark::Counter::kIsRate);
}

/// The event loop alone, on a graph built beforehand: ring steps of every node, 64 workers.
void eventLoop(benchmark::State &state) {
    Scenario s = scenarioOf("resnet50", 64, 0, "AllReduce(chunk_size=16)", "fifo(form=flows)", 3);
    s.fold = false;
    const TaskGraph graph = *rewrite(s);
    double events = 0;
    for (auto _ : state)
        events += static_cast<double>(runEventLoop(graph).events);
    state.counters["events/s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
    state.counters["tasks"] = static_cast<double>(graph.size());
}

} // namespace

BENCHMARK(bertPs)->Unit(benchmark::kMillisecond);
BENCHMARK(bertPsUnfolded)->Unit(benchmark::kMillisecond);
BENCHMARK(bertPsColocated)->Unit(benchmark::kMillisecond);
BENCHMARK(bertPsColocatedLatency)->Unit(benchmark::kMillisecond);
BENCHMARK(asynchronousPs)->ArgsProduct({{1, 2, 5, 10, 32, 128, 512}, {1, 2}})->Unit(benchmark::kMillisecond);
BENCHMARK(bertPsB7)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bertSteadyB7, PS_fifo, "PS", "fifo")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bertSteadyB7, PartitionedPS_fifo, "PartitionedPS", "fifo")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bertSteadyB7, PSLoadBalancing_fifo, "PSLoadBalancing", "fifo")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bertSteadyB7, PS_p3, "PS", "p3")->Unit(benchmark::kMillisecond);
BENCHMARK(bertPsManyWorkers)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(bertPsManyWorkers)->Arg(0)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(bertAllReduce)->Unit(benchmark::kMillisecond);
BENCHMARK(bertDdp)->Unit(benchmark::kMillisecond);
BENCHMARK(resnetRing512Folded)->Unit(benchmark::kMillisecond);
BENCHMARK(resnetRing512)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(resnetRing512)->Arg(0)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(eventLoop)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();

// SPDX-License-Identifier: GPL-3.0-or-later
// Plans per second on SYNDICATE's A2, and the cost of a schedule as DAGs grow: docs/plan.md. bench_plan --benchmark_repetitions=3
#include "engine/base/rng.h"
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/plan/dag_catalogue.h"
#include "engine/search/plan_search.h"

#include <array>
#include <benchmark/benchmark.h>
#include <memory>
#include <vector>

using namespace syncopate;

namespace {

PlanRequest requestFor(const char *dag) {
    const Cluster cluster = *catalogueCluster("syndicate");
    PlanRequest request;
    request.channels = planChannels(cluster);
    request.costs = modelledCosts(cluster, request.channels);
    request.dag = std::make_shared<const TrainingDag>(*catalogueDag(dag, 128, 8));
    return request;
}

std::size_t drawn(Rng &rng, std::size_t count) { return static_cast<std::size_t>(rng.next() % count); }

/// A random way to carry out an op.
ListedOp drawnOp(const PlanRequest &request, const DagOp &op, Rng &rng) {
    constexpr std::array<std::int32_t, 4> counts{1, 2, 4, 8};
    MotifCut cut{.segments = counts[drawn(rng, 4)]};
    if (op.collective == CollectiveKind::AllToAll)
        cut.splines = counts[drawn(rng, 3)];
    else
        cut.partition = drawn(rng, 2) == 0 ? 8 : 1;
    const auto motifs = cutMotifs(*op.collective, cut, request.dag->processes);
    std::vector<ChannelId> channels;
    std::vector<double> seconds;
    for (const Motif &motif : motifs) {
        channels.emplace_back(drawn(rng, request.channels.size()));
        seconds.push_back(request.costs.seconds(motif, op, request.dag->processes, request.channels[channels.back().index()]));
    }
    return ListedOp::of(motifs, channels, seconds);
}

/// optSched of A2 with one comm-op changed each time and no caching. The variants were made beforehand.
void optSchedOneOpChanged(benchmark::State &state) {
    const PlanRequest request = requestFor("syndicate:a2");
    const TrainingDag dag = withSubmission(*request.dag, true);
    const ListScheduler scheduler(dag, request.channels, request.costs.slowdowns);
    Rng rng(1);
    std::vector<std::vector<ListedOp>> variants(dag.ops.size());
    std::vector<const ListedOp *> listed(dag.ops.size(), nullptr);
    for (const DagOpId op : dag.submissionOrder) {
        const std::size_t o = op.index();
        for (int v = 0; v < 64; ++v)
            variants[o].push_back(drawnOp(request, dag.ops[o], rng));
        listed[o] = &variants[o].front();
    }
    ListWorkspace workspace;
    double motifs = 0, sum = 0;
    for (auto _ : state) {
        const std::size_t o = dag.submissionOrder[drawn(rng, dag.submissionOrder.size())].index();
        listed[o] = &variants[o][drawn(rng, 64)];
        sum += scheduler.iterationSeconds(listed, MotifOrder::CriticalPath, workspace);
        motifs += static_cast<double>(workspace.opOf.size());
    }
    benchmark::DoNotOptimize(sum);
    state.counters["evaluations/s"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
    state.counters["motifs"] = motifs / static_cast<double>(state.iterations());
}
BENCHMARK(optSchedOneOpChanged);

/// The actual search: proposals, pricing of new motifs, new or cached schedules, and playing the best.
void searchOfA2(benchmark::State &state) {
    PlanRequest request = requestFor("syndicate:a2");
    request.evaluations = request.minEvaluations = 4000;
    double evaluations = 0;
    for (auto _ : state)
        evaluations += static_cast<double>(findPlan(request, PlanMethod::Syndicate)->evaluations);
    state.counters["evaluations/s"] = benchmark::Counter(evaluations, benchmark::Counter::kIsRate);
}
BENCHMARK(searchOfA2)->Unit(benchmark::kMillisecond);

/// One schedule of this many ops: a chain of compute-ops, each followed by an all-reduce.
void optSchedByOps(benchmark::State &state) {
    TrainingDag dag{.name = "chain", .processes = 128, .ops = {}, .computeOrder = {}, .submissionOrder = {}};
    for (std::int32_t o = 0; o < state.range(0); ++o) {
        DagOp op{.name = std::to_string(o)};
        if (o % 2 == 0)
            op.seconds = 1e-3;
        else {
            op.collective = CollectiveKind::AllReduce;
            op.parents = {DagOpId(o - 1)};
            dag.ops.back().previousParents = {DagOpId(o)};
        }
        (o % 2 == 0 ? dag.computeOrder : dag.submissionOrder).emplace_back(o);
        dag.ops.push_back(std::move(op));
    }
    const std::vector<Channel> channels{{"c", {"l"}, 1e9, 0}};
    const ListScheduler scheduler(dag, channels);
    const ListedOp each = ListedOp::of({{CollectiveKind::AllReduce}}, {ChannelId(0)}, {5e-4});
    std::vector<const ListedOp *> listed(dag.ops.size(), nullptr);
    for (const DagOpId op : dag.submissionOrder)
        listed[op.index()] = &each;
    ListWorkspace workspace;
    for (auto _ : state)
        benchmark::DoNotOptimize(scheduler.iterationSeconds(listed, MotifOrder::CriticalPath, workspace));
}
BENCHMARK(optSchedByOps)->Arg(100)->Arg(1000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();

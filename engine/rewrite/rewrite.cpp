// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/rewrite.h"

#include "engine/base/units.h"
#include "engine/rewrite/kernels.h"
#include "engine/rewrite/pace.h"
#include "engine/rewrite/shape_units.h"
#include "engine/rewrite/sync_units.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace syncopate {

namespace {

/// Barrier mode: the copies back (in unit order on the compute stream, as DDP's finalize_backward does), then the update.
void closeIteration(RewriteContext &context, const std::vector<ComputeOps> &ops,
                    const std::vector<std::vector<std::int32_t>> &done, const std::vector<std::int32_t> &computeQueues,
                    std::int32_t iteration) {
    const double perByte = context.job.hostSecondsPerByteAfterReceive;
    GraphBuilder &builder = context.builder;
    const auto layers = static_cast<std::int64_t>(context.job.layers.size());
    for (std::size_t w = 0; w < ops.size(); ++w) {
        if (ops[w].empty())
            continue;
        std::int32_t before = -1;
        for (std::size_t u = 0; u < done.size(); ++u) {
            if (perByte <= 0) {
                builder.addEdge(done[u][w], ops[w].update);
                continue;
            }
            TaskRow copy;
            copy.kind = TaskKind::HostCopy;
            copy.worker = static_cast<std::int32_t>(w);
            copy.queue = computeQueues[w];
            copy.fixedSeconds = context.units[u].sizeBytes * perByte;
            copy.unit = static_cast<std::int32_t>(u);
            copy.iteration = iteration;
            copy.orderKey = static_cast<std::int64_t>(iteration) * 4 * layers + 4 * layers - 1;
            const std::int32_t task = builder.addTask(copy);
            builder.addEdge(done[u][w], task);
            if (before >= 0) {
                builder.addEdge(before, task);
            } else {
                for (const std::int32_t op : ops[w].backward)
                    builder.addEdge(op, task);
            }
            before = task;
        }
        if (before >= 0)
            builder.addEdge(before, ops[w].update);
    }
}

/// Per-layer mode: a layer's update waits for that layer's own variables.
void closeLayers(RewriteContext &context, const std::vector<ComputeOps> &ops,
                 const std::vector<std::vector<std::int32_t>> &done) {
    std::vector<std::int32_t> layerOf(context.job.variables.size(), 0);
    for (std::size_t l = 0; l < context.job.layers.size(); ++l)
        for (const std::int32_t v : context.job.layers[l].variables)
            layerOf[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(l);
    for (std::size_t u = 0; u < done.size(); ++u) {
        std::vector<std::int32_t> layers;
        for (const std::int32_t v : context.units[u].variables)
            layers.push_back(layerOf[static_cast<std::size_t>(v)]);
        std::sort(layers.begin(), layers.end());
        layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
        for (std::size_t w = 0; w < ops.size(); ++w)
            for (std::size_t i = 0; i < layers.size() && !ops[w].empty(); ++i)
                context.builder.addEdge(done[u][w], ops[w].layerUpdate[static_cast<std::size_t>(layers[i])]);
    }
}

/// What the next iteration waits for.
void linkIterations(RewriteContext &context, const std::vector<ComputeOps> &before, const std::vector<ComputeOps> &next) {
    const Job &job = context.job;
    for (std::size_t w = 0; w < next.size(); ++w) {
        if (next[w].empty())
            continue;
        for (std::size_t l = 0; l < job.layers.size(); ++l) {
            if (job.layers[l].parents.empty()) {
                if (context.policy.barrier) {
                    context.builder.addEdge(before[w].update, next[w].forward[l]);
                    continue;
                }
                // The worker's program goes on to the next iteration when its backward pass is through.
                for (std::size_t root = 0; root < job.layers.size(); ++root)
                    if (job.layers[root].parents.empty())
                        context.builder.addEdge(before[w].backward[root], next[w].forward[l]);
            }
            if (!context.policy.barrier && before[w].layerUpdate[l] >= 0)
                context.builder.addEdge(before[w].layerUpdate[l], next[w].forward[l]);
        }
    }
}

/// Of the strategy's gradients and of the job itself.
std::set<CollectiveKind> collectiveKinds(const Job &job, const std::vector<SyncUnit> &units) {
    std::set<CollectiveKind> kinds;
    for (const SyncUnit &unit : units)
        if (unit.kind == SynchronizerKind::AllReduce)
            kinds.insert(unit.sparse ? CollectiveKind::AllGather : CollectiveKind::AllReduce);
    for (const Layer &layer : job.layers)
        for (const CommOp &op : layer.collectives)
            kinds.insert(op.kind);
    return kinds;
}

void backgroundAssumptions(const Scenario &scenario, TaskGraph &graph) {
    if (scenario.background.empty())
        return;
    if (graph.capacityChanges.empty()) {
        graph.assumptions.emplace_back("Background traffic takes nothing: it is on no link that this strategy uses.");
        return;
    }
    std::set<std::int32_t> links;
    for (const CapacityChange &change : graph.capacityChanges)
        links.insert(change.link);
    graph.assumptions.push_back(fmt::format(
        "Background traffic takes a share of {} of the {} links for a while, and what is left is shared; policies and measured "
        "collectives do not know of it.",
        links.size(), graph.links.size()));
}

void stateAssumptions(const Scenario &scenario, const Placement &placement, const Pace &pace, TaskGraph &graph) {
    const Cluster &cluster = *scenario.cluster;
    auto &notes = graph.assumptions;
    if (pace.inStep) {
        notes.push_back(
            fmt::format("{} iterations are unrolled; the iteration time is the distance of the last two iteration starts.",
                        graph.iterations));
    } else {
        notes.push_back(
            fmt::format("Workers may drift apart: up to {} iterations are unrolled, the first {} left out; throughput "
                        "is samples over time while all workers are busy, and the iteration time is that of as many "
                        "samples as all replicas take in one step.",
                        *std::max_element(pace.iterations.begin(), pace.iterations.end()),
                        *std::max_element(pace.warmUp.begin(), pace.warmUp.end())));
        if (!pace.reachesSteady)
            notes.push_back(
                fmt::format("The staleness of {} is not reached in {} iterations: the figures are those before it is.",
                            pace.staleness, graph.iterations));
    }
    const bool apart = std::any_of(graph.units.begin(), graph.units.end(), [](const SyncUnit &u) { return u.staleness > 0; });
    if (apart &&
        std::any_of(placement.workers.begin(), placement.workers.end(), [&](const WorkerClass &w) { return w.nodes.size() > 1; }))
        notes.emplace_back("Identical workers start together and, sharing links fairly, stay together: a lower bound of their "
                           "asynchronous throughput.");
    notes.emplace_back("Links share bandwidth max-min fairly; a node is one worker whose devices compute in step.");
    notes.push_back(
        fmt::format("Links reach {:.3g} of their stated rate, collectives {:.3g} of that; {} latency and {} per message.",
                    cluster.linkEfficiency, cluster.collectiveEfficiency, formatSeconds(cluster.latencySeconds),
                    formatSeconds(cluster.messageSeconds)));
    if (std::any_of(graph.units.begin(), graph.units.end(), [](const SyncUnit &u) { return u.sparse && u.touchedShare < 1; }))
        notes.emplace_back(
            "Sparse gradients are the rows that the job states, with 8 bytes of index each; replicas touch different "
            "rows; collectives gather them.");
    if (std::any_of(graph.units.begin(), graph.units.end(), [](const SyncUnit &u) { return u.sparse && u.touchedShare >= 1; }))
        notes.emplace_back(
            "Sparse gradients of which the job does not say how many rows they have count as all rows, with 8 bytes of "
            "index each: an upper bound.");
    if (std::any_of(placement.workers.begin(), placement.workers.end(), [](const WorkerClass &w) { return w.nodes.size() > 1; }))
        notes.emplace_back("Identical nodes are folded: one is simulated for all of them, which is exact.");
    if (std::any_of(graph.units.begin(), graph.units.end(), [](const SyncUnit &u) { return u.wireBytes < u.sizeBytes; }))
        notes.push_back(scenario.job->compressionRatio > 0
                            ? fmt::format("Compressors send {:.3g} of the bytes.", scenario.job->compressionRatio)
                            : "Compressors halve float32 traffic (a cast to float16).");
    backgroundAssumptions(scenario, graph);
    if (const std::string &own = scenario.policy.kind().assumption; !own.empty())
        notes.push_back(own);
    if (!placement.servers.empty())
        notes.emplace_back("The server's own arithmetic is free.");
    if (scenario.collectiveCurves && scenario.policy.form == CollectiveForm::Analytic)
        for (const CollectiveCurve &curve : *scenario.collectiveCurves)
            if (curve.ranks == placement.replicas)
                notes.push_back(fmt::format("{} takes what was measured with {} ranks; it holds its channel, not the links.",
                                            nameOf(curve.kind), curve.ranks));
}

} // namespace

Result<TaskGraph> rewrite(const Scenario &scenario, const std::stop_token &stop) {
    if (!scenario.job || !scenario.cluster || !scenario.strategy)
        return fail("the scenario is incomplete", "give it a job, a cluster and a strategy");
    if (scenario.iterations < 3 || scenario.iterations > 10000)
        return fail(fmt::format("{} iterations cannot be simulated", scenario.iterations), "use 3 to 10000");
    TRY(checkBackground(scenario.background));
    const TrainingNodes nodes = trainingNodes(*scenario.cluster);
    auto whole = TRY(partitionVariables(*scenario.job, *scenario.strategy));
    auto made = TRY(shapeUnits(*scenario.job, std::move(whole), scenario.policy, nodes));
    GraphBuilder builder;
    builder.graph().units = std::move(made);
    // The graph's vector moves with the graph; kernels only read it until then.
    const std::vector<SyncUnit> units = builder.graph().units;
    // Workers that answer for themselves through a transfer destination queue up there: none is like the others.
    const bool alike = std::none_of(units.begin(), units.end(),
                                    [](const SyncUnit &unit) { return unit.staleness > 0 && !unit.transferDestination.empty(); });
    const std::vector<NicChange> nicChanges =
        nicChangesOf(scenario.background, scenario.cluster->replicaNodes(), scenario.cluster->serverNodes());
    auto placement = place(*scenario.cluster, units, nicChanges, scenario.fold && alike, builder);
    if (!placement)
        return Unexpected(placement.error());
    const std::set<CollectiveKind> collectives = collectiveKinds(*scenario.job, units);
    if (!Collectives::foldsExactly(scenario.policy, *placement, collectives)) {
        builder = GraphBuilder();
        builder.graph().units = units;
        placement = place(*scenario.cluster, units, nicChanges, false, builder);
        if (!placement)
            return Unexpected(placement.error());
    }
    const Pace pace = paceWorkers(*scenario.job, *scenario.cluster, units, *placement, scenario.iterations);
    const std::int32_t iterations = *std::max_element(pace.iterations.begin(), pace.iterations.end());

    RewriteContext context{*scenario.job, *scenario.cluster, scenario.policy, units, *placement, builder, {}};
    context.stop = stop;
    context.discipline = disciplineOf(scenario.policy, nodes);
    context.curves = scenario.collectiveCurves.get();
    context.children.resize(scenario.job->layers.size());
    for (std::size_t l = 0; l < scenario.job->layers.size(); ++l)
        for (const std::int32_t parent : scenario.job->layers[l].parents)
            context.children[static_cast<std::size_t>(parent)].push_back(static_cast<std::int32_t>(l));
    context.layersOfVariable.resize(scenario.job->variables.size());
    for (std::size_t l = 0; l < scenario.job->layers.size(); ++l)
        for (const std::int32_t v : scenario.job->layers[l].variables)
            context.layersOfVariable[static_cast<std::size_t>(v)].push_back(static_cast<std::int32_t>(l));

    double tasks = 5.0 * iterations * static_cast<double>(units.size());
    for (const std::int32_t own : pace.iterations)
        tasks += own * (8.0 * static_cast<double>(units.size()) + 3.0 * static_cast<double>(scenario.job->layers.size()));
    if (!collectives.empty())
        tasks += Collectives::taskEstimate(scenario.policy, *placement) * iterations * static_cast<double>(units.size());
    if (tasks > 3e7) // some 4 GB
        return fail(fmt::format("the scenario needs about {:.0f} million tasks", tasks / 1e6),
                    "use the analytic collectives, fewer parts, workers or iterations");
    const auto room = static_cast<std::size_t>(std::min(tasks, 1e6));
    builder.reserve(room, 2 * room);

    std::vector<std::int32_t> computeQueues;
    for (std::size_t w = 0; w < placement->workers.size(); ++w) {
        TaskQueue compute;
        compute.name = builder.graph().workerNames[w] + " compute";
        compute.worker = static_cast<std::int32_t>(w);
        compute.byPriority = true; // program order among what is ready
        computeQueues.push_back(builder.addQueue(compute));
    }
    builder.graph().workerIterations = pace.iterations;
    builder.graph().workerWarmUp = pace.warmUp;
    builder.graph().workersInStep = pace.inStep;
    Synchroniser synchroniser(context);
    std::vector<ComputeOps> before;
    for (std::int32_t i = 0; i < iterations; ++i) {
        std::vector<ComputeOps> ops = replicate(context, computeQueues, i);
        if (!before.empty())
            linkIterations(context, before, ops);
        const auto done = synchroniser.synchronise(ops, i);
        if (stop.stop_requested()) // what is not whole
            return cancelled();
        synchroniser.jobCollectives(ops, context.children, i);
        if (scenario.policy.barrier)
            closeIteration(context, ops, done, computeQueues, i);
        else
            closeLayers(context, ops, done);
        before = std::move(ops);
    }
    builder.graph().iterations = pace.iterations.front();
    stateAssumptions(scenario, *placement, pace, builder.graph());
    return builder.take();
}

} // namespace syncopate

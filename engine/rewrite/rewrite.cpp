// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/rewrite.h"

#include "engine/graph/repeat_iterations.h"
#include "engine/rewrite/assumptions.h"
#include "engine/rewrite/choose_servers.h"
#include "engine/rewrite/kernels.h"
#include "engine/rewrite/pace.h"
#include "engine/rewrite/parameter_gathers.h"
#include "engine/rewrite/program_order.h"
#include "engine/rewrite/shape_units.h"
#include "engine/rewrite/sync_units.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace syncopate {

namespace {

/// Barrier mode: the copies back (in unit order on the compute stream, as in DDP's finalize_backward), then the update.
void closeIteration(RewriteContext &context, const std::vector<ComputeOps> &ops, const std::vector<std::vector<TaskId>> &done,
                    const std::vector<QueueId> &computeQueues, std::int32_t iteration) {
    const double perByte = context.job.hostSecondsPerByteAfterReceive;
    GraphBuilder &builder = context.builder;
    const ProgramOrder order(context.job.layers.size(), iteration);
    for (std::size_t w = 0; w < ops.size(); ++w) {
        if (ops[w].empty())
            continue;
        TaskId before;
        for (std::size_t u = 0; u < done.size(); ++u) {
            if (perByte <= 0) {
                builder.addEdge(done[u][w], ops[w].update);
                continue;
            }
            TaskRow copy;
            copy.kind = TaskKind::HostCopy;
            copy.worker = WorkerClassId(w);
            copy.queue = computeQueues[w];
            copy.fixedSeconds = context.units[u].sizeBytes / context.units[u].shards * perByte;
            copy.unit = UnitId(u);
            copy.iteration = iteration;
            copy.orderKey = order.beforeUpdate();
            const TaskId task = builder.addTask(copy);
            builder.addEdge(done[u][w], task);
            if (before.exists()) {
                builder.addEdge(before, task);
            } else {
                for (const TaskId op : ops[w].backward)
                    builder.addEdge(op, task);
            }
            before = task;
        }
        if (before.exists())
            builder.addEdge(before, ops[w].update);
    }
}

/// Per-layer mode: a layer's update waits for its own variables.
void closeLayers(RewriteContext &context, const std::vector<ComputeOps> &ops, const std::vector<std::vector<TaskId>> &done) {
    for (std::size_t u = 0; u < done.size(); ++u) {
        const std::vector<std::int32_t> layers = layersOf(context.units[u], context.layersOfVariable);
        for (std::size_t w = 0; w < ops.size(); ++w)
            for (std::size_t i = 0; i < layers.size() && !ops[w].empty(); ++i)
                context.builder.addEdge(done[u][w], ops[w].layerUpdate[static_cast<std::size_t>(layers[i])]);
    }
}

/// Adds the edges by which an iteration waits for the previous one.
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
                // The worker's program enters the next iteration when its backward pass is done.
                for (std::size_t root = 0; root < job.layers.size(); ++root)
                    if (job.layers[root].parents.empty())
                        context.builder.addEdge(before[w].backward[root], next[w].forward[l]);
            }
            if (!context.policy.barrier && before[w].layerUpdate[l].exists())
                context.builder.addEdge(before[w].layerUpdate[l], next[w].forward[l]);
        }
    }
}

/// Kinds of the collectives of the strategy's gradients and of the job itself.
std::set<CollectiveKind> collectiveKinds(const Job &job, const std::vector<SyncUnit> &units, const Discipline &discipline) {
    std::set<CollectiveKind> kinds;
    for (const SyncUnit &unit : units) {
        if (unit.kind != SynchronizerKind::AllReduce)
            continue;
        if (unit.sparse)
            kinds.insert(CollectiveKind::AllGather);
        else if (discipline.splitsAllReduce || discipline.sharding || unit.reduction != Reduction::AllReduce)
            kinds.insert({halvesOf(unit.reduction).first, halvesOf(unit.reduction).second});
        else
            kinds.insert(CollectiveKind::AllReduce);
        if (discipline.gather && isShardable(unit))
            kinds.insert(CollectiveKind::AllGather);
    }
    for (const Layer &layer : job.layers)
        for (const CommOp &op : layer.collectives)
            kinds.insert(op.kind);
    return kinds;
}

/// Places worker classes and servers of one graph, folded where one node represents its class exactly.
Result<Placement> placeNodes(const Scenario &scenario, const std::vector<SyncUnit> &units,
                             const std::set<CollectiveKind> &collectives, const Discipline &discipline, GraphBuilder &builder) {
    const Cluster &cluster = *scenario.cluster;
    const bool answersAtOnce = cluster.host.answersAtOnce(discipline.serverThreads.value_or(cluster.host.threads));
    const std::vector<NicChange> nicChanges = nicChangesOf(scenario.background, cluster.replicaNodes(), cluster.serverNodes());
    // Asynchronous workers queue up at a transfer destination, as at a server that takes time to answer, so no two are alike. If
    // nodes have several NICs, each worker shares a server's NIC with different others.
    const bool oneNic = std::all_of(cluster.nodes.begin(), cluster.nodes.end(), [](const Node &node) { return node.nics == 1; });
    const bool alike = std::none_of(units.begin(), units.end(), [&](const SyncUnit &unit) {
        return (unit.kind == SynchronizerKind::ParameterServer && !oneNic) ||
               (unit.staleness > 0 && (!unit.transferDestination.empty() || !cluster.host.isFreeForServers())) ||
               (unit.kind == SynchronizerKind::ParameterServer && !answersAtOnce);
    });
    const std::vector<std::int32_t> rankNodes = rankNodesOf(*scenario.strategy, cluster);
    const bool folds = scenario.fold && alike && scenario.linkModel == LinkModel::Fluid;
    auto placement = TRY(place(cluster, units, nicChanges, scenario.policy, folds, builder));
    placement.rankNodes = rankNodes;
    if (Collectives::foldsExactly(scenario.policy, placement, collectives))
        return placement;
    builder = GraphBuilder(builder.take()); // its links and queues are dropped, the memory of its columns is kept
    placement = TRY(place(cluster, units, nicChanges, scenario.policy, false, builder));
    placement.rankNodes = rankNodes;
    return placement;
}

/// Fails if the rounds of an all-to-all, which the plan lists message by message, would not fit into memory.
Result<void> checkAllToAll(const Cluster &cluster, const std::set<CollectiveKind> &collectives) {
    constexpr double maxListed = 1e8; // some 2 GB
    const double messages = collectives.contains(CollectiveKind::AllToAll) ? Collectives::maxAllToAllMessages(cluster) : 0;
    if (messages > maxListed)
        return fail(fmt::format("an all-to-all among {} replicas has up to {:.0f} million messages", cluster.replicaCount(),
                                messages / 1e6),
                    "use fewer workers");
    return {};
}

/// Estimates the number of tasks of the job's own collectives in an iteration. `units`: as in Collectives::taskEstimate().
double estimateJobCollectives(const Scenario &scenario, const Placement &placement, double units) {
    std::map<CollectiveKind, double> counts;
    for (const Layer &layer : scenario.job->layers)
        for (const CommOp &op : layer.collectives)
            ++counts[op.kind];
    double tasks = 0;
    for (const auto &[kind, count] : counts)
        if (placement.replicas > 1)
            tasks += count * Collectives::taskEstimate(scenario.policy, placement, kind, units);
    return tasks;
}

/// Estimates the number of tasks of the graph; fails if they would not fit into memory. `gathers`: of parameters, in an
/// iteration.
Result<double> estimateTasks(const Scenario &scenario, const std::vector<SyncUnit> &units, const Placement &placement,
                             const Pace &pace, const Discipline &discipline, bool hasCollectives, std::size_t gathers) {
    const auto unitCount = static_cast<double>(units.size()), layers = static_cast<double>(scenario.job->layers.size());
    const std::int32_t iterations = *std::max_element(pace.iterations.begin(), pace.iterations.end());
    double tasks = 5.0 * iterations * unitCount;
    for (const std::int32_t own : pace.iterations)
        tasks += own * (8.0 * unitCount + 3.0 * layers);
    const double parts = unitCount + static_cast<double>(gathers), ringUnits = std::max(1.0, parts);
    if (hasCollectives && parts > 0) // a sharded unit has three of about half an all-reduce
        tasks += Collectives::taskEstimate(scenario.policy, placement, CollectiveKind::AllReduce, ringUnits) * iterations *
                 (unitCount * (discipline.sharding ? 1.5 : 1) + static_cast<double>(gathers));
    tasks += iterations * estimateJobCollectives(scenario, placement, ringUnits);
    if (scenario.cluster->host.collectiveSeconds > 0)
        for (const std::int32_t own : pace.iterations) // launches
            tasks += own * static_cast<double>(gathers);
    constexpr double mostTasks = 3e7; // some 4 GB
    if (tasks > mostTasks)
        return fail(fmt::format("the scenario needs about {:.0f} million tasks", tasks / 1e6),
                    "use the analytic collectives, fewer parts, workers or iterations");
    return tasks;
}

void indexLayers(RewriteContext &context) {
    const std::vector<Layer> &layers = context.job.layers;
    context.children.resize(layers.size());
    context.layersOfVariable.resize(context.job.variables.size());
    for (std::size_t l = 0; l < layers.size(); ++l) {
        for (const std::int32_t parent : layers[l].parents)
            context.children[static_cast<std::size_t>(parent)].push_back(static_cast<std::int32_t>(l));
        for (const std::int32_t v : layers[l].variables)
            context.layersOfVariable[static_cast<std::size_t>(v)].push_back(static_cast<std::int32_t>(l));
    }
}

/// Sets the shares of the parameters that a replica updates.
void indexShares(RewriteContext &context) {
    context.keptShares.assign(context.job.variables.size(), 1);
    for (const SyncUnit &unit : context.units)
        for (const std::int32_t v : unit.variables)
            context.keptShares[static_cast<std::size_t>(v)] = 1.0 / unit.updaters;
    double all = 0, kept = 0;
    for (std::size_t v = 0; v < context.keptShares.size(); ++v) {
        const auto bytes = static_cast<double>(context.job.variables[v].sizeBytes());
        all += bytes;
        kept += bytes * context.keptShares[v];
    }
    context.keptOfAll = all > 0 ? kept / all : 1;
}

std::vector<QueueId> addComputeQueues(GraphBuilder &builder, std::size_t workers) {
    std::vector<QueueId> queues;
    for (std::size_t w = 0; w < workers; ++w) {
        TaskQueue compute;
        compute.name = builder.graph().workerNames[w] + " compute";
        compute.worker = WorkerClassId(w);
        compute.byPriority = true; // program order among ready ops
        queues.push_back(builder.addQueue(compute));
    }
    return queues;
}

/// Iterations that kernels add before they would add the same again: the first, and one that follows another.
constexpr std::int32_t iterationsOfKernels = 2;

/// Whether kernels add the same to every iteration. They do not where staleness lets workers look back at earlier iterations.
bool treatsIterationsAlike(const TaskGraph &graph) {
    return graph.workersInStep &&
           std::all_of(graph.units.begin(), graph.units.end(), [](const SyncUnit &unit) { return unit.staleness == 0; });
}

/// Adds iterations; incomplete if the context is stopped.
void addIterations(RewriteContext &context, std::int32_t iterations) {
    const std::vector<QueueId> computeQueues = addComputeQueues(context.builder, context.placement.workers.size());
    Synchroniser synchroniser(context);
    std::vector<ComputeOps> before;
    for (std::int32_t i = 0; i < iterations && !context.stop.stop_requested(); ++i) {
        std::vector<ComputeOps> ops = replicate(context, computeQueues, i);
        if (!before.empty())
            linkIterations(context, before, ops);
        const auto done = synchroniser.synchronise(ops, i);
        if (context.stop.stop_requested())
            return;
        synchroniser.jobCollectives(ops, context.children, i);
        if (context.policy.barrier)
            closeIteration(context, ops, done, computeQueues, i);
        else
            closeLayers(context, ops, done);
        before = std::move(ops);
    }
}

} // namespace

Result<TaskGraph> rewrite(const Scenario &scenario, const std::stop_token &stop, Unroll unroll, TaskGraph memory) {
    if (!scenario.job || !scenario.cluster || !scenario.strategy)
        return fail("the scenario is incomplete", "give it a job, a cluster and a strategy");
    if (scenario.iterations < 3 || scenario.iterations > 10000)
        return fail(fmt::format("{} iterations cannot be simulated", scenario.iterations), "use 3 to 10000");
    TRY(checkBackground(scenario.background));
    const TrainingNodes nodes = trainingNodes(*scenario.cluster);
    auto whole = TRY(partitionVariables(*scenario.job, *scenario.strategy));
    auto units = TRY(shapeUnits(*scenario.job, std::move(whole), scenario.policy, nodes));
    chooseServers(*scenario.job, *scenario.cluster, scenario.policy, units);
    const Discipline discipline = disciplineOf(scenario.policy, nodes);
    const std::set<CollectiveKind> collectives = collectiveKinds(*scenario.job, units, discipline);
    TRY(checkAllToAll(*scenario.cluster, collectives));
    GraphBuilder builder(std::move(memory));
    auto placement = TRY(placeNodes(scenario, units, collectives, discipline, builder));
    if (discipline.sharding)
        shardUnits(*scenario.job, placement.replicas, units);
    shareUpdates(discipline, placement.replicas, units);
    const Pace pace = paceWorkers(*scenario.job, *scenario.cluster, units, placement, scenario.iterations);
    auto gathered = TRY(gatherPieces(*scenario.job, units, discipline));
    const double tasks = TRY(estimateTasks(scenario, units, placement, pace, discipline, !collectives.empty(), gathered.size()));
    TaskGraph &graph = builder.graph();
    graph.linkModel = scenario.linkModel;
    graph.units = std::move(units); // where kernels read them, too
    graph.workerIterations = pace.iterations;
    graph.workerWarmUp = pace.warmUp;
    graph.workersInStep = pace.inStep;
    graph.reachesSteady = pace.reachesSteady;
    graph.iterations = pace.iterations.front();
    RewriteContext context{*scenario.job, *scenario.cluster, scenario.policy, graph.units, placement, builder, {}};
    context.stop = stop;
    context.discipline = discipline;
    context.gatheredBytes = std::move(gathered);
    if (scenario.collectiveCurves)
        context.curves = *scenario.collectiveCurves;
    for (const MeasuredCollective &measured : scenario.cluster->collectives)
        context.curves.push_back(curveThrough(measured));
    indexLayers(context);
    indexShares(context);
    const std::int32_t iterations = *std::max_element(pace.iterations.begin(), pace.iterations.end());
    const bool repeats = unroll == Unroll::ByRepetition && treatsIterationsAlike(graph) && iterations > iterationsOfKernels;
    const std::int32_t added = repeats ? iterationsOfKernels : iterations;
    const auto room = static_cast<std::size_t>(std::min(tasks, 1e6));
    builder.reserve(room, 2 * room * static_cast<std::size_t>(added) / static_cast<std::size_t>(iterations));
    addIterations(context, added);
    if (stop.stop_requested()) // discard incomplete results
        return cancelled();
    stateAssumptions(scenario, context, pace, graph);
    TaskGraph made = builder.take();
    if (repeats && !repeatIterations(made, iterations, stop))
        return rewrite(scenario, stop, Unroll::ByKernels);
    if (stop.stop_requested()) // as above
        return cancelled();
    return made;
}

bool unrollFurther(TaskGraph &graph, std::int32_t iterations) {
    if (!treatsIterationsAlike(graph) || !repeatIterations(graph, iterations))
        return false;
    graph.iterations = iterations;
    graph.workerIterations.assign(graph.workerIterations.size(), iterations);
    graph.workerWarmUp.assign(graph.workerWarmUp.size(), iterations - 2);
    graph.assumptions.front() = unrolledNote(iterations);
    return true;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/collectives.h"

#include "engine/graph/task_kind.h"
#include "engine/rewrite/kernels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate {

namespace {

/// Steps as separate tasks can be inspected one by one, which is of no use beyond some ten thousand.
constexpr double maxRingSteps = 20000;

/// The worker class of every training node, in the order in which plans number nodes.
std::vector<WorkerClassId> classesByNode(const Placement &placement) {
    std::vector<WorkerClassId> classes;
    for (const auto &[node, workerClass] : placement.trainingNodes())
        classes.push_back(workerClass);
    return classes;
}

std::vector<std::int32_t> replicasOf(const Placement &placement) {
    std::vector<std::int32_t> replicas;
    for (const WorkerClassId w : classesByNode(placement))
        replicas.push_back(placement[w].replicas);
    return replicas;
}

} // namespace

Collectives::Collectives(RewriteContext &context, QueueId channels)
    : m_context(context), m_channels(channels),
      m_named(context.cluster, context.policy, context.discipline, context.placement.replicas) {}

std::pair<TaskId, TaskId> Collectives::add(CollectiveKind kind, const TaskRow &row, double sizeBytes, bool isLaunched) {
    Ends whole;
    for (const CollectivePlan &plan : plansOf(kind)) {
        TaskRow planRow = row;
        planRow.kind = taskKindOf(plan.kind);
        const bool first = !whole.first.exists();
        const Ends ends = m_context.policy.form == CollectiveForm::Analytic
                              ? addAnalytic(plan, planRow, sizeBytes, isLaunched && first)
                              : addPlan(plan, planRow, sizeBytes);
        if (first)
            whole.first = ends.first;
        else
            m_context.builder.addEdge(whole.second, ends.first);
        whole.second = ends.second;
    }
    return whole;
}

std::pair<TaskId, TaskId> Collectives::gather(const TaskRow &row, double sizeBytes) {
    return add(CollectiveKind::AllGather, row, sizeBytes * m_context.placement.replicas);
}

const std::vector<CollectivePlan> &Collectives::plansOf(CollectiveKind kind) {
    auto &plans = m_plans[kind];
    if (plans.empty())
        plans = planCollective(kind, m_context.policy.algorithm, replicasOf(m_context.placement), m_context.placement.rankNodes);
    return plans;
}

bool Collectives::foldsExactly(const CommPolicy &policy, const Placement &placement, const std::set<CollectiveKind> &kinds) {
    if (policy.form == CollectiveForm::Analytic || kinds.empty())
        return true;
    const std::vector<std::int32_t> replicas = replicasOf(placement);
    if (placement.workers.size() > 1)
        return replicas.size() == placement.workers.size(); // nothing is folded
    if (placement.replicas < 2)
        return true;
    return std::all_of(kinds.begin(), kinds.end(), [&](CollectiveKind kind) {
        const auto plans = planCollective(kind, policy.algorithm, replicas, placement.rankNodes);
        return std::all_of(plans.begin(), plans.end(), [&](const CollectivePlan &p) {
            // Where collectives share connections, those in different rounds of a plan that is no ring have other partners.
            const auto isInside = [](const CollectiveRound &round) { return round.between.empty(); };
            const bool onePartner =
                !placement.collectivesShare || std::all_of(p.phases.begin(), p.phases.end(), [&](const CollectivePhase &phase) {
                    return phase.isRing || std::all_of(phase.rounds.begin(), phase.rounds.end(), isInside);
                });
            return onePartner && isSymmetric(p, replicas.size());
        });
    });
}

double Collectives::maxAllToAllMessages(const Cluster &cluster) {
    // In a round the ranks are shifted: the nodes' ranges of them then overlap in at most twice as many pieces as there are
    // nodes.
    const double replicas = cluster.replicaCount(), nodes = static_cast<double>(cluster.trainingNodes().size());
    return replicas * std::min(replicas, 2 * nodes);
}

double Collectives::taskEstimate(const CommPolicy &policy, const Placement &placement, CollectiveKind kind, double units) {
    if (policy.form == CollectiveForm::Analytic || placement.replicas < 2)
        return 4;
    double tasks = 4;
    for (const CollectivePlan &plan : planCollective(kind, policy.algorithm, replicasOf(placement), placement.rankNodes))
        for (const CollectivePhase &phase : plan.phases)
            for (const CollectiveRound &round : phase.rounds) {
                const double messages = static_cast<double>(round.between.size() + round.inside.size()) /
                                        (placement.workers.size() == 1 ? placement.workers.front().multiplicity() : 1);
                if (phase.isRing) { // each step is a task, or one task does all
                    const double steps = phase.repeat * messages;
                    tasks += steps * units > maxRingSteps ? 1 : steps;
                } else {
                    tasks += (phase.isPipelined ? 2 * 64.0 : 1.0) * phase.repeat * messages; // a message, and its flight
                }
            }
    return tasks;
}

double Collectives::messageSeconds() const {
    const Cluster &cluster = m_context.cluster;
    return cluster.messageSeconds + cluster.latencySeconds + cluster.host.sendSeconds + cluster.host.receiveSeconds +
           cluster.host.collectiveMessageSeconds;
}

Collectives::Ends Collectives::addPlan(const CollectivePlan &plan, const TaskRow &row, double sizeBytes) {
    GraphBuilder &builder = m_context.builder;
    TaskRow open = row; // takes the channel; a later task gives it back
    open.kind = TaskKind::Join;
    open.queue = m_channels;
    open.holdsSlot = true;
    const TaskId begin = builder.addTask(open);
    TaskId last = begin;
    for (const CollectivePhase &phase : plan.phases) {
        TaskRow inner = row;
        inner.windowBytes = 0;
        const Ends ends = phase.isRing ? addRing(phase, inner, sizeBytes) : addRounds(phase, inner, sizeBytes);
        builder.addEdge(last, ends.first);
        last = ends.second;
    }
    TaskRow close = row;
    close.kind = TaskKind::Join;
    close.releases = m_channels;
    const TaskId end = builder.addTask(close);
    builder.addEdge(last, end);
    return {begin, end};
}

Collectives::Ends Collectives::addRing(const CollectivePhase &phase, const TaskRow &row, double sizeBytes) {
    const CollectiveRound &round = phase.rounds.front();
    const bool inside = !round.inside.empty();
    const double share = round.between.empty() ? round.inside.front().share : round.between.front().share;
    return ringSteps(row, phase.repeat, share * sizeBytes / m_context.placement.streams, inside);
}

Collectives::Ends Collectives::ringSteps(const TaskRow &about, std::int32_t steps, double stepBytes, bool inside) {
    GraphBuilder &builder = m_context.builder;
    const std::vector<RingHop> &hops = ringHops(inside);
    TaskRow row = about;
    const double units = static_cast<double>(std::max<std::size_t>(1, m_context.units.size() + m_context.gatheredBytes.size()));
    if (static_cast<double>(steps) * static_cast<double>(hops.size()) * units > maxRingSteps) {
        row.ring = shapeOf(steps, inside);
        row.sizeBytes = steps * stepBytes;
        const TaskId task = builder.addTask(row);
        return {task, task};
    }
    row.kind = TaskKind::Join;
    const Ends ends{builder.addTask(row), builder.addTask(row)};
    stepTasks(about, steps, stepBytes, hops, ends);
    return ends;
}

void Collectives::stepTasks(const TaskRow &about, std::int32_t steps, double stepBytes, const std::vector<RingHop> &hops,
                            Ends ends) {
    GraphBuilder &builder = m_context.builder;
    TaskRow row = about;
    row.kind = TaskKind::RingStep;
    row.sizeBytes = stepBytes;
    std::vector<TaskId> previous(hops.size(), ends.first), current(hops.size());
    for (std::int32_t step = 0; step < steps; ++step) {
        for (std::size_t h = 0; h < hops.size(); ++h) {
            row.worker = hops[h].worker;
            row.path = hops[h].lane.path;
            row.fixedSeconds = hops[h].lane.fixedSeconds;
            current[h] = builder.addTask(row);
            // A sender forwards what it received in the previous step, once its own last send is out.
            if (step == 0) {
                builder.addEdge(ends.first, current[h]);
                continue;
            }
            const std::size_t before = (h + hops.size() - 1) % hops.size();
            builder.addEdge(previous[before], current[h]);
            if (before != h)
                builder.addEdge(previous[h], current[h]);
        }
        std::swap(previous, current);
    }
    for (const TaskId last : previous)
        builder.addEdge(last, ends.second);
}

const std::vector<Collectives::RingHop> &Collectives::ringHops(bool inside) {
    std::vector<RingHop> &hops = inside ? m_hops : m_outsideHops;
    if (!hops.empty())
        return hops;
    // The ring visits the replicas in device order. Hops inside a node each have a device's port to themselves and are all alike,
    // so one represents them. With folding (one class), one node's hops represent those of every node.
    const Placement &placement = m_context.placement;
    const double message = m_context.cluster.messageSeconds;
    const std::size_t classes = placement.workers.size();
    for (std::size_t w = 0; w < classes; ++w) {
        const WorkerClassId worker(w);
        const WorkerClass &from = placement[worker];
        if (inside && from.replicas > 1)
            hops.push_back({{m_context.placement.ringFabricPath(m_context.builder, worker), message}, worker});
        if (classes > 1 || from.nodes.size() > 1)
            hops.push_back({{pathBetween(worker, WorkerClassId((w + 1) % classes)), messageSeconds()}, worker});
    }
    return hops;
}

PathId Collectives::pathBetween(WorkerClassId from, WorkerClassId to) {
    const auto [known, fresh] = m_paths.try_emplace({from, to});
    if (fresh)
        known->second = m_context.placement.streamsPath(m_context.builder, from, to);
    return known->second;
}

RingId Collectives::shapeOf(std::int32_t steps, bool inside) {
    const auto [known, fresh] = m_shapes.try_emplace({steps, inside});
    if (fresh) {
        RingShape shape;
        for (const RingHop &hop : ringHops(inside))
            shape.lanes.push_back(hop.lane);
        shape.steps = steps;
        known->second = m_context.builder.addRing(std::move(shape));
    }
    return known->second;
}

/// The steps of one chunk of a collective: a step waits for its nodes' previous steps, and until the same step of the previous
/// chunk is sent.
class Collectives::ChunkSteps {
public:
    /// `before`: the tasks of the previous chunk, in the order of the plan; empty for the first chunk.
    ChunkSteps(GraphBuilder &builder, std::size_t nodes, TaskId first, const std::vector<TaskId> &before)
        : m_builder(builder), m_before(before), m_last(nodes, {first}), m_now(nodes) {}

    /// Adds a step inside a node.
    void add(const TaskRow &row, std::int32_t node) {
        const TaskId task = m_builder.addTask(row);
        waitFor(node, task);
        passOn(node, task);
        follow(task);
    }

    /// Adds a message, which arrives `flightSeconds` after it is sent.
    void add(const TaskRow &row, std::int32_t from, std::int32_t to, double flightSeconds) {
        const TaskId sent = m_builder.addTask(row);
        waitFor(from, sent);
        if (to != from)
            waitFor(to, sent);
        TaskId arrived = sent;
        if (flightSeconds > 0) {
            TaskRow flight = row;
            flight.kind = TaskKind::Join;
            flight.path = {};
            flight.sizeBytes = 0;
            flight.fixedSeconds = flightSeconds;
            arrived = m_builder.addTask(flight);
            m_builder.addEdge(sent, arrived);
        }
        passOn(to, arrived);
        if (to != from)
            passOn(from, sent);
        follow(sent);
    }

    void endRound() {
        for (std::size_t n = 0; n < m_now.size(); ++n)
            if (!m_now[n].empty())
                m_last[n] = std::exchange(m_now[n], {});
    }

    /// Connects each node's last steps to the end of the collective; returns the chunk's tasks.
    std::vector<TaskId> finish(const Ends &ends) {
        for (const std::vector<TaskId> &tasks : m_last)
            for (const TaskId task : tasks)
                if (task != ends.first)
                    m_builder.addEdge(task, ends.second);
        return std::move(m_made);
    }

private:
    void waitFor(std::int32_t node, TaskId task) {
        for (const TaskId before : m_last[static_cast<std::size_t>(node)])
            m_builder.addEdge(before, task);
    }

    /// Adds a task that the node waits for in the next round.
    void passOn(std::int32_t node, TaskId task) { m_now[static_cast<std::size_t>(node)].push_back(task); }

    void follow(TaskId task) {
        if (!m_before.empty())
            m_builder.addEdge(m_before[m_made.size()], task);
        m_made.push_back(task);
    }

    GraphBuilder &m_builder;
    const std::vector<TaskId> &m_before;
    std::vector<std::vector<TaskId>> m_last, m_now; ///< per node: its tasks of the previous and of the current round
    std::vector<TaskId> m_made;
};

void Collectives::addRound(const CollectiveRound &round, const TaskRow &about, double sizeBytes,
                           const std::vector<WorkerClassId> &classes, bool isPipelined, ChunkSteps &steps) {
    const bool folded = m_context.placement.workers.size() == 1; // node 0 stands for all (foldsExactly())
    const double flightSeconds = isPipelined ? m_context.cluster.latencySeconds : 0;
    TaskRow row = about;
    row.kind = TaskKind::RingStep;
    row.fixedSeconds = messageSeconds() - flightSeconds;
    for (const NodeMessage &m : round.between) {
        if (folded && m.from != 0)
            continue;
        const WorkerClassId sender = classes[static_cast<std::size_t>(m.from)];
        row.worker = sender;
        const std::int32_t to = folded ? 0 : m.to;
        row.path = pathBetween(sender, classes[static_cast<std::size_t>(to)]);
        row.sizeBytes = m.share * sizeBytes / m_context.placement.streams;
        steps.add(row, m.from, to, flightSeconds);
    }
    row.kind = TaskKind::LocalReduce;
    row.fixedSeconds = m_context.cluster.messageSeconds;
    for (const PortLoad &load : round.inside) {
        if (folded && load.node != 0)
            continue;
        const WorkerClassId worker = classes[static_cast<std::size_t>(load.node)];
        row.worker = worker;
        row.path = m_context.placement.fabricPath(m_context.builder, worker);
        row.sizeBytes = load.share * sizeBytes;
        steps.add(row, load.node);
    }
    steps.endRound();
}

Collectives::Ends Collectives::addRounds(const CollectivePhase &phase, const TaskRow &about, double sizeBytes) {
    GraphBuilder &builder = m_context.builder;
    const std::vector<WorkerClassId> classes = classesByNode(m_context.placement);
    const bool folded = m_context.placement.workers.size() == 1; // node 0 stands for all (foldsExactly())
    TaskRow row = about;
    row.kind = TaskKind::Join;
    const Ends ends{builder.addTask(row), builder.addTask(row)};
    const std::size_t nodes = folded ? 1 : classes.size();
    const std::int32_t chunks = phase.isPipelined ? chunkCount(sizeBytes) : 1;
    std::vector<TaskId> before;
    for (std::int32_t chunk = 0; chunk < chunks; ++chunk) {
        ChunkSteps steps(builder, nodes, ends.first, before);
        for (std::int32_t time = 0; time < phase.repeat; ++time)
            for (const CollectiveRound &round : phase.rounds)
                addRound(round, row, sizeBytes / chunks, classes, chunks > 1, steps);
        before = steps.finish(ends);
    }
    return ends;
}

} // namespace syncopate

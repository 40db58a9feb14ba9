// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_graph.h"

#include "engine/graph/graph_builder.h"
#include "engine/graph/task_kind.h"
#include "engine/plan/channel_links.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace syncopate {

namespace {

class PlanGraph {
public:
    PlanGraph(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs, std::int32_t iterations)
        : m_dag(dag), m_plan(plan), m_costs(costs), m_iterations(iterations), m_ranges(plan.rangesByOp(dag.ops.size())) {}

    Result<TaskGraph> make() {
        addResources();
        for (std::int32_t i = 0; i < m_iterations; ++i)
            addTasks(i);
        for (std::int32_t i = 0; i < m_iterations; ++i)
            addDependencies(i);
        addComputeOrder();
        for (const auto &order : m_plan.orders)
            addOrder(order);
        TaskGraph &graph = m_builder.graph();
        graph.workerNames = {fmt::format("processes 0\u2013{}", m_dag.processes - 1)};
        graph.workerMultiplicity = graph.workerReplicas = {m_dag.processes};
        graph.workerSlowdown = {1};
        graph.workerIterations = {m_iterations};
        graph.workerWarmUp = {0};
        graph.iterations = m_iterations;
        TaskGraph finished = m_builder.take();
        TRY(findDeadlock(finished));
        return finished;
    }

private:
    [[nodiscard]] TaskId motifTask(MotifId motif, std::int32_t iteration) const {
        return m_motifTasks[static_cast<std::size_t>(iteration) * m_plan.motifs.size() + motif.index()];
    }
    [[nodiscard]] TaskId doneTask(DagOpId op, std::int32_t iteration) const {
        return m_doneTasks[static_cast<std::size_t>(iteration) * m_dag.ops.size() + op.index()];
    }

    void addResources() {
        m_computeQueue = m_builder.addQueue({.name = "compute", .worker = WorkerClassId(0)});
        const ChannelLinks links(m_plan.channels, m_costs.slowdowns);
        for (const FluidLink &link : links.links())
            m_builder.addLink(link);
        for (const Channel &channel : m_plan.channels)
            m_queues.push_back(m_builder.addQueue({.name = channel.name, .worker = WorkerClassId(0)}));
        std::map<std::pair<ChannelId, double>, PathId> paths; // by channel and weight
        for (const PlannedMotif &planned : m_plan.motifs) {
            const DagOp &op = m_dag.ops[planned.op.index()];
            SyncUnit unit;
            unit.name = fmt::format("{}: {}", op.name, nameOf(planned.motif));
            m_builder.graph().units.push_back(std::move(unit));
            const double seconds = m_costs.seconds(planned.motif, op, m_dag.processes, m_plan.channels[planned.channel.index()]);
            const double weight = links.weight(planned.channel, seconds);
            const auto [path, isNew] = paths.try_emplace({planned.channel, weight});
            if (isNew)
                path->second = m_builder.addPath(links.hops(planned.channel, weight));
            m_uses.push_back({path->second, seconds});
        }
    }

    /// Adds an op's own task and, for a comm-op, those of its motifs; the op is done when they are.
    void addTasks(std::int32_t iteration) {
        std::vector<TaskId> done(m_dag.ops.size());
        for (std::size_t o = 0; o < m_dag.ops.size(); ++o) {
            const DagOp &op = m_dag.ops[o];
            TaskRow row{.worker = WorkerClassId(0), .layer = LayerId(o), .iteration = iteration};
            if (op.isCompute()) {
                row.kind = op.backward && DagOpId(o) != m_dag.computeOrder.front() ? TaskKind::Backward : TaskKind::Forward;
                row.queue = m_computeQueue;
                row.fixedSeconds = op.seconds;
            }
            done[o] = m_builder.addTask(row);
        }
        m_doneTasks.insert(m_doneTasks.end(), done.begin(), done.end());
        for (std::size_t m = 0; m < m_plan.motifs.size(); ++m) {
            const PlannedMotif &planned = m_plan.motifs[m];
            m_motifTasks.push_back(m_builder.addTask({.kind = taskKindOf(planned.motif.kind),
                                                      .worker = WorkerClassId(0),
                                                      .queue = m_queues[planned.channel.index()],
                                                      .path = m_uses[m].path,
                                                      .sizeBytes = m_uses[m].seconds,
                                                      .layer = LayerId(planned.op.index()),
                                                      .unit = UnitId(m),
                                                      .iteration = iteration}));
        }
    }

    void addDependencies(std::int32_t iteration) {
        for (std::size_t o = 0; o < m_dag.ops.size(); ++o) {
            const DagOp &op = m_dag.ops[o];
            const auto waitsFor = [&](TaskId child) {
                for (const DagOpId parent : op.parents)
                    m_builder.addEdge(doneTask(parent, iteration), child);
                if (iteration > 0)
                    for (const DagOpId parent : op.previousParents)
                        m_builder.addEdge(doneTask(parent, iteration - 1), child);
            };
            const DagOpId self(o);
            const ExecutionPlan::Range &motifs = m_ranges[o];
            if (op.isCompute() || motifs.count == 0) {
                waitsFor(doneTask(self, iteration));
                continue;
            }
            TaskId begin = motifTask(motifs.first, iteration);
            if (motifs.count > 1) { // a task in between makes parents + motifs edges out of their product
                begin = m_builder.addTask({.worker = WorkerClassId(0), .layer = LayerId(o), .iteration = iteration});
                for (std::int32_t m = 0; m < motifs.count; ++m)
                    m_builder.addEdge(begin, motifTask(motifs.at(m), iteration));
            }
            waitsFor(begin);
            for (std::int32_t m = 0; m < motifs.count; ++m) {
                const TaskId task = motifTask(motifs.at(m), iteration);
                m_builder.addEdge(task, doneTask(self, iteration));
                for (const std::int32_t before : m_plan.motifs[motifs.at(m).index()].motif.after)
                    m_builder.addEdge(motifTask(motifs.at(before), iteration), task);
            }
        }
    }

    void follow(TaskId task, TaskId &last) {
        if (last.exists())
            m_builder.addEdge(last, task);
        last = task;
    }

    void addComputeOrder() {
        TaskId last;
        for (std::int32_t i = 0; i < m_iterations; ++i)
            for (const DagOpId op : m_dag.computeOrder)
                follow(doneTask(op, i), last);
    }

    /// Appends the order of every iteration, one after the other, leaving out entries of iterations that are not unrolled.
    void addOrder(const std::vector<OrderEntry> &order) {
        std::int32_t ahead = 0, behind = 0;
        TaskId last;
        for (const OrderEntry &entry : order) {
            ahead = std::max(ahead, entry.iterationOffset);
            behind = std::min(behind, entry.iterationOffset);
        }
        for (std::int32_t base = -ahead; base < m_iterations - behind; ++base)
            for (const OrderEntry &entry : order)
                if (const std::int32_t i = base + entry.iterationOffset; i >= 0 && i < m_iterations)
                    follow(motifTask(entry.motif, i), last);
    }

    /// Runs all tasks that can run; any that are left wait for each other.
    [[nodiscard]] Result<void> findDeadlock(const TaskGraph &graph) const {
        std::vector<std::uint32_t> waiting = graph.parentCount;
        std::vector<TaskId> ready;
        for (std::size_t t = 0; t < graph.size(); ++t)
            if (waiting[t] == 0)
                ready.emplace_back(t);
        std::size_t ran = 0;
        for (; ran < ready.size(); ++ran) {
            const std::size_t t = ready[ran].index();
            for (std::uint32_t e = graph.successorOffsets[t]; e < graph.successorOffsets[t + 1]; ++e)
                if (--waiting[graph.successors[e].index()] == 0)
                    ready.push_back(graph.successors[e]);
        }
        if (ran == graph.size())
            return {};
        return fail("the order of the motifs contradicts the DAG, training would stand still: " + describeCycle(graph, waiting),
                    "place motifs after the motifs that their op's parents wait for");
    }

    /// Following a waiting task to one that it waits for must come back to a task seen before: that is the cycle.
    [[nodiscard]] std::string describeCycle(const TaskGraph &graph, const std::vector<std::uint32_t> &waiting) const {
        std::vector<TaskId> parent(graph.size());
        TaskId at(0);
        for (std::size_t t = 0; t < graph.size(); ++t)
            if (waiting[t] > 0) {
                at = TaskId(t);
                for (std::uint32_t e = graph.successorOffsets[t]; e < graph.successorOffsets[t + 1]; ++e)
                    parent[graph.successors[e].index()] = TaskId(t);
            }
        std::vector<bool> seen(graph.size(), false);
        while (!seen[at.index()] && parent[at.index()].exists()) {
            seen[at.index()] = true;
            at = parent[at.index()];
        }
        std::string text;
        const TaskId first = at;
        for (std::int32_t shown = 0; shown < 8; ++shown) {
            if (graph.kind[at.index()] != TaskKind::Join)
                text += (text.empty() ? "" : " waits for ") + nameOfTask(graph, at);
            at = parent[at.index()];
            if (at == first)
                break;
        }
        return text;
    }

    [[nodiscard]] std::string nameOfTask(const TaskGraph &graph, TaskId task) const {
        const UnitId motif = graph.unit[task.index()];
        const std::string &name =
            motif.exists() ? graph.units[motif.index()].name : m_dag.ops[graph.layer[task.index()].index()].name;
        return fmt::format("\"{}\" of iteration {}", name, graph.iteration[task.index()]);
    }

    const TrainingDag &m_dag;
    const ExecutionPlan &m_plan;
    const MotifCosts &m_costs;
    std::int32_t m_iterations;
    std::vector<ExecutionPlan::Range> m_ranges;
    GraphBuilder m_builder;
    QueueId m_computeQueue;
    struct Use {
        PathId path;
        double seconds = 0; ///< alone
    };
    std::vector<Use> m_uses;                       ///< per motif
    std::vector<QueueId> m_queues;                 ///< per channel
    std::vector<TaskId> m_doneTasks, m_motifTasks; ///< iterations x ops, iterations x motifs
};

} // namespace

Result<TaskGraph> planGraph(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs, std::int32_t iterations) {
    return PlanGraph(dag, plan, costs, iterations).make();
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/causes.h"

#include "engine/graph/task_hops.h"
#include "engine/network/tcp_paths.h"
#include "engine/simulate/host_share.h"

#include <algorithm>

namespace syncopate {

namespace {

/// The tasks in topological order, parents first.
std::vector<TaskId> parentsFirst(const TaskGraph &graph) {
    std::vector<std::uint32_t> left = graph.parentCount;
    std::vector<TaskId> order;
    for (std::size_t t = 0; t < graph.size(); ++t)
        if (left[t] == 0)
            order.emplace_back(t);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t t = order[i].index();
        for (std::uint32_t s = graph.successorOffsets[t]; s < graph.successorOffsets[t + 1]; ++s)
            if (const TaskId child = graph.successors[s]; --left[child.index()] == 0)
                order.push_back(child);
    }
    return order;
}

/// Seconds per iteration if every worker goes at its own pace of `compute` seconds: replicas per second add up. How workers share
/// links depends on these paces.
double secondsAtOwnPace(const GraphRun &run, const std::vector<double> &compute) {
    double stepsPerSecond = 0;
    for (std::size_t w = 0; w < compute.size(); ++w)
        if (compute[w] > 0)
            stepsPerSecond += run.graph.workerReplicas[w] / compute[w];
    return stepsPerSecond > 0 ? run.workers / stepsPerSecond : 0;
}

/// Whether a task's flow shares its links with other flows, but not with TCP's connections.
bool isBesideConnections(const TaskGraph &graph, TaskId task) {
    const PathId path = graph.path[task.index()];
    return graph.linkModel == LinkModel::Tcp && path.exists() && !isConnection(graph, path);
}

/// Busy seconds of one iteration, by resource.
struct BusySeconds {
    std::vector<double> compute, host; ///< by worker; host: the part of compute in which its device waits for the host
    std::vector<double> link,
        beside; ///< by link; beside: those of flows that share it with flows, but not with TCP's connections
    std::vector<double> queue, transfer; ///< by queue; transfer: of bytes at their paths' rates

    explicit BusySeconds(const TaskGraph &graph)
        : compute(graph.workerNames.size(), 0), host(compute), link(graph.links.size(), 0), beside(link),
          queue(graph.queues.size(), 0), transfer(queue) {}

    /// Adds a task, except for its time in a queue.
    void add(const TaskGraph &graph, TaskId task, const Job *job) {
        const WorkerClassId worker = graph.worker[task.index()];
        if (isCompute(graph.kind[task.index()]) && worker.exists()) {
            const double seconds = graph.fixedSeconds[task.index()];
            compute[worker.index()] += seconds;
            if (job)
                host[worker.index()] += hostShareOf(*job, graph, task) * seconds;
        }
        std::vector<double> &own = isBesideConnections(graph, task) ? beside : link;
        forEachHop(graph, task, [&](const PathHop &hop, double bytes) {
            own[hop.link.index()] += bytes / graph.links[hop.link.index()].bytesPerSecond;
        });
    }
};

/// Iterations that the task's worker plays. All do the same.
std::int32_t iterationsOf(const TaskGraph &graph, TaskId task) {
    const WorkerClassId worker = graph.worker[task.index()];
    return worker.exists() ? graph.workerIterations[worker.index()] : graph.iterations;
}

/// Bounds by the link and by the queue that are busy for longest.
void boundByBusiest(const GraphRun &run, const BusySeconds &busy, IterationBounds &bounds) {
    const TaskGraph &graph = run.graph;
    for (std::size_t l = 0; l < busy.link.size(); ++l) {
        double seconds = std::max(busy.link[l], busy.beside[l]);
        if (seconds > run.iterationSeconds * (1 + 1e-9)) // the rest came out of its token bucket, while that lasts
            seconds = std::max(0.0, seconds - graph.links[l].burstBytes / graph.links[l].bytesPerSecond);
        if (seconds > bounds.networkSeconds) {
            bounds.networkSeconds = seconds;
            bounds.busiestLink = LinkId(l);
        }
    }
    for (std::size_t q = 0; q < busy.queue.size(); ++q)
        if (const double seconds = busy.queue[q] / graph.queues[q].slotCount; seconds > bounds.queueSeconds) {
            bounds.queueSeconds = seconds;
            bounds.busiestQueue = QueueId(q);
        }
    for (std::size_t q = 0; q < busy.transfer.size(); ++q)
        bounds.queueTransferSeconds = std::max(bounds.queueTransferSeconds, busy.transfer[q] / graph.queues[q].slotCount);
}

} // namespace

double IterationBounds::largestOfAnyParts() const { return std::max(computeSeconds, networkSeconds); }

double IterationBounds::largest() const { return std::max({computeSeconds, networkSeconds, queueSeconds, dependencySeconds}); }

double CauseFinder::longestDependencySeconds() const {
    constexpr std::size_t maxWorkers = 4; // equal nodes are one worker; of others a few are enough for a bound
    if (!m_run.graph.workersInStep)
        return 0;
    const std::vector<TaskId> order = parentsFirst(m_run.graph);
    double longest = 0;
    for (std::size_t w = 0; w < std::min(m_run.graph.workerNames.size(), maxWorkers); ++w)
        longest = std::max(longest, longestDependencySeconds(WorkerClassId(w), order));
    return longest;
}

double CauseFinder::longestDependencySeconds(WorkerClassId worker, const std::vector<TaskId> &order) const {
    const TaskGraph &graph = m_run.graph;
    const std::int32_t explained = graph.iterations - m_fromEnd;
    const TaskId begin = firstForward(worker, explained), end = firstForward(worker, explained + 1);
    if (!begin.exists() || !end.exists())
        return 0;
    const double windowStart = m_run.startSeconds[begin.index()], windowEnd = m_run.startSeconds[end.index()];
    const auto isForward = [&](std::size_t t, std::int32_t iteration) {
        return graph.kind[t] == TaskKind::Forward && graph.worker[t] == worker && graph.iteration[t] == iteration;
    };
    constexpr double unreached = -1;
    // Earliest end by dependencies alone, relative to the window's first forward.
    std::vector<double> reach(graph.size(), unreached);
    double longest = 0;
    for (const TaskId task : order) {
        const std::size_t t = task.index();
        double start = isForward(t, explained) && m_run.startSeconds[t] <= windowStart ? 0 : unreached;
        for (std::uint32_t p = m_parents.offsets[t]; p < m_parents.offsets[t + 1]; ++p)
            if (const TaskId parent = m_parents.tasks[p]; reach[parent.index()] >= 0)
                start = std::max(start, reach[parent.index()] + graph.flightSeconds[parent.index()]);
        if (start < 0)
            continue;
        reach[t] = start + secondsBeforeFlow(graph, task) + aloneSeconds(task);
        if (isForward(t, explained + 1) && m_run.startSeconds[t] <= windowEnd)
            longest = std::max(longest, start);
    }
    return longest;
}

IterationBounds CauseFinder::bounds() const {
    const TaskGraph &graph = m_run.graph;
    IterationBounds bounds;
    BusySeconds busy(graph);
    for (std::size_t t = 0; t < graph.size(); ++t) {
        const TaskId task(t);
        if (graph.iteration[t] != iterationsOf(graph, task) - m_fromEnd) // the explained one is complete
            continue;
        busy.add(graph, task, m_job);
        if (const QueueId q = graph.queue[t]; q.exists() && q == graph.releases[t] && !isCompute(graph.kind[t])) {
            const double alone = aloneSeconds(task);
            busy.queue[q.index()] += secondsBeforeFlow(graph, task) + alone;
            busy.transfer[q.index()] += alone;
        }
    }
    const auto busiest = std::max_element(busy.compute.begin(), busy.compute.end());
    if (busiest != busy.compute.end()) {
        bounds.computeSeconds = graph.workersInStep ? *busiest : secondsAtOwnPace(m_run, busy.compute);
        if (*busiest > 0) // where workers drift apart, all wait for about the same share
            bounds.hostWaitSeconds =
                busy.host[static_cast<std::size_t>(busiest - busy.compute.begin())] / *busiest * bounds.computeSeconds;
    }
    if (!graph.workersInStep)
        return bounds;
    boundByBusiest(m_run, busy, bounds);
    bounds.dependencySeconds = longestDependencySeconds();
    return bounds;
}

} // namespace syncopate

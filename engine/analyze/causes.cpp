// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/causes.h"

#include "engine/graph/task_hops.h"
#include "engine/simulate/bursts.h"
#include "engine/simulate/host_share.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace syncopate {

namespace {

constexpr auto at = [](const auto &column, TaskId task) { return column[task.index()]; };

} // namespace

CauseKind causeKindOf(TaskKind kind) {
    switch (kind) {
    case TaskKind::Forward:
        return CauseKind::Forward;
    case TaskKind::Backward:
        return CauseKind::Backward;
    case TaskKind::Update:
    case TaskKind::HostCopy:
    case TaskKind::Encode:
    case TaskKind::Decode:
        return CauseKind::Update;
    case TaskKind::Host:
        return CauseKind::Host;
    default:
        return CauseKind::Latency;
    }
}

CauseFinder::CauseFinder(const GraphRun &run, std::int32_t iteration, const Job *job)
    : m_run(run), m_job(job && job->hostSeconds() > 0 ? job : nullptr), m_fromEnd(run.graph.iterations - iteration),
      m_parents(run.graph) {
    const TaskGraph &graph = run.graph;
    m_releaseOffsets.assign(graph.queues.size() + 1, 0);
    for (const QueueId queue : graph.releases)
        if (queue.exists())
            ++m_releaseOffsets[queue.index() + 1];
    std::partial_sum(m_releaseOffsets.begin(), m_releaseOffsets.end(), m_releaseOffsets.begin());
    m_releases.resize(m_releaseOffsets.back());
    std::vector<std::uint32_t> next(m_releaseOffsets.begin(), m_releaseOffsets.end() - 1);
    for (std::size_t t = 0; t < graph.size(); ++t)
        if (const QueueId queue = graph.releases[t]; queue.exists())
            m_releases[next[queue.index()]++] = TaskId(t);
    for (std::size_t q = 0; q < graph.queues.size(); ++q)
        std::sort(m_releases.begin() + m_releaseOffsets[q], m_releases.begin() + m_releaseOffsets[q + 1],
                  [&](TaskId a, TaskId b) { return std::pair(at(run.endSeconds, a), a) < std::pair(at(run.endSeconds, b), b); });
}

TaskId CauseFinder::lastParent(TaskId task) const {
    TaskId last;
    for (std::uint32_t p = at(m_parents.offsets, task); p < at(m_parents.offsets, task.next()); ++p) {
        const TaskId parent = m_parents.tasks[p];
        // Among parents that end together, the one that started last explains most of the delay.
        if (!last.exists() || std::pair(m_run.arrivalSeconds(parent), at(m_run.startSeconds, parent)) >
                                  std::pair(m_run.arrivalSeconds(last), at(m_run.startSeconds, last)))
            last = parent;
    }
    return last;
}

TaskId CauseFinder::releaserOf(TaskId task, const std::vector<TaskId> &visited) const {
    const QueueId queue = at(m_run.graph.queue, task);
    if (!queue.exists())
        return {};
    const double start = at(m_run.startSeconds, task);
    const auto begin = m_releases.begin() + m_releaseOffsets[queue.index()],
               end = m_releases.begin() + m_releaseOffsets[queue.index() + 1];
    const auto before = [&](TaskId t, double seconds) { return at(m_run.endSeconds, t) < seconds; };
    // A slot changes hands instantly, so a task that ended at that moment passed it on. If there are several, take the one that
    // held it longest.
    TaskId best;
    for (auto it = std::lower_bound(begin, end, start, before); it != end && at(m_run.endSeconds, *it) == start; ++it)
        if (*it != task && std::find(visited.begin(), visited.end(), *it) == visited.end() &&
            (!best.exists() || at(m_run.startSeconds, *it) < at(m_run.startSeconds, best)))
            best = *it;
    return best;
}

LinkId CauseFinder::slowestLink(TaskId task) const {
    LinkId slowest;
    double minRate = std::numeric_limits<double>::infinity();
    forEachHop(m_run.graph, task, [&](const PathHop &hop, double) {
        const double rate = m_run.graph.links[hop.link.index()].bytesPerSecond / hop.weight;
        if (rate < minRate) {
            minRate = rate;
            slowest = hop.link;
        }
    });
    return slowest;
}

double CauseFinder::aloneSeconds(TaskId task) const {
    const TaskGraph &graph = m_run.graph;
    const bool tokens = usesTokens(at(graph.kind, task));
    double seconds = 0, burstBytes = tokens ? std::numeric_limits<double>::infinity() : 0; // max bytes that pass at once
    forEachHop(graph, task, [&](const PathHop &hop, double bytes) {
        const FluidLink &link = graph.links[hop.link.index()];
        if (tokens && !link.isFabric) // a push or pull stands for those of all folded nodes; alone, it is one of them
            bytes /= hop.weight;
        if (tokens)
            burstBytes = std::min(burstBytes, link.burstBytes);
        seconds = std::max(seconds, std::max(0.0, bytes - (tokens ? link.burstBytes : 0)) / link.bytesPerSecond);
    });
    if (const PathId path = at(graph.path, task); path.exists())
        seconds = std::max(seconds, std::max(0.0, at(graph.sizeBytes, task) - burstBytes) / graph.pathLimits[path.index()]);
    return seconds;
}

double CauseFinder::busyUntil(TaskId task) const {
    const double start = at(m_run.startSeconds, task), end = at(m_run.endSeconds, task);
    const double share = m_job ? hostShareOf(*m_job, m_run.graph, task) : 0;
    return share > 0 ? std::max(start, end - share * (end - start)) : end;
}

void CauseFinder::addPieces(TaskId task, QueueId throughQueue, double from, double until, CauseChain &chain) const {
    // From `until` backwards: latency, sharing, transfer, fixed time (a ring has it in every step; here all of it comes first).
    // Anything before `from` is cut off.
    const double start = at(m_run.startSeconds, task), end = at(m_run.endSeconds, task);
    const double flowing = std::min(end, start + secondsBeforeFlow(m_run.graph, task));
    const double alone = std::min(end, flowing + aloneSeconds(task));
    const CauseKind kind = causeKindOf(at(m_run.graph.kind, task));
    const auto add = [&](CauseKind piece, double pieceStart, double pieceEnd) {
        pieceStart = std::max(pieceStart, from);
        if (pieceStart >= pieceEnd)
            return;
        chain.causes.push_back({piece, task, pieceStart, pieceEnd, throughQueue});
        throughQueue = {};
    };
    // All the time of a task without traffic is fixed, regardless of rounding.
    const bool moves =
        (at(m_run.graph.path, task).exists() || at(m_run.graph.ring, task).exists()) && at(m_run.graph.sizeBytes, task) > 0;
    const double busy = moves ? flowing : busyUntil(task);
    add(CauseKind::Latency, end, until);
    add(CauseKind::Sharing, moves ? alone : end, end);
    add(CauseKind::Transfer, moves ? flowing : end, moves ? alone : end);
    add(CauseKind::HostWait, moves ? end : busy, end);
    add(kind, start, busy);
}

CauseChain CauseFinder::ofStart(TaskId task, double fromSeconds) const {
    CauseChain chain;
    chain.fromSeconds = fromSeconds;
    chain.toSeconds = std::max(fromSeconds, at(m_run.startSeconds, task));
    std::vector<TaskId> instant; // visited at this moment, so that tasks without duration cannot form a loop
    double moment = chain.toSeconds;
    QueueId throughQueue; // of the next piece, beyond tasks without duration
    while (moment > fromSeconds) {
        TaskId cause;
        if (at(m_run.startSeconds, task) > at(m_run.readySeconds, task)) {
            cause = releaserOf(task, instant);
            if (cause.exists())
                throughQueue = at(m_run.graph.queue, task);
        }
        const bool throughSlot = cause.exists();
        if (!throughSlot)
            cause = lastParent(task);
        const double until = !cause.exists() ? 0 : throughSlot ? at(m_run.endSeconds, cause) : m_run.arrivalSeconds(cause);
        if (!cause.exists() || until < moment) {
            // Only at the start of the run can a task be queued although no task left the queue at that moment.
            chain.causes.push_back({CauseKind::Start, task, fromSeconds, moment, {}});
            break;
        }
        const std::size_t before = chain.causes.size();
        addPieces(cause, throughQueue, fromSeconds, std::min(until, moment), chain);
        if (chain.causes.size() > before)
            throughQueue = {};
        task = cause;
        if (at(m_run.startSeconds, task) < moment)
            instant.clear();
        instant.push_back(task);
        moment = at(m_run.startSeconds, task);
    }
    std::reverse(chain.causes.begin(), chain.causes.end());
    for (const Cause &cause : chain.causes)
        chain.secondsByKind[static_cast<std::size_t>(cause.kind)] += cause.seconds();
    return chain;
}

TaskId CauseFinder::firstForward(WorkerClassId worker, std::int32_t iteration) const {
    const TaskGraph &graph = m_run.graph;
    TaskId first;
    for (std::size_t t = 0; t < graph.size(); ++t)
        if (graph.kind[t] == TaskKind::Forward && graph.worker[t] == worker && graph.iteration[t] == iteration &&
            (!first.exists() || m_run.startSeconds[t] < at(m_run.startSeconds, first)))
            first = TaskId(t);
    return first;
}

CauseChain CauseFinder::ofIteration() const {
    const TaskId next = firstForward(WorkerClassId(0), m_run.graph.iterations - m_fromEnd + 1);
    return next.exists() ? ofStart(next, m_run.windowStartSeconds) : CauseChain{};
}

CauseChain CauseFinder::ofPeriod() const {
    const std::int32_t explained = m_run.graph.iterations - m_fromEnd;
    const TaskId next = firstForward(WorkerClassId(0), explained + 1), before = firstForward(WorkerClassId(0), explained - 1);
    if (!next.exists() || !before.exists())
        return ofIteration();
    const double from = at(m_run.startSeconds, before), to = m_run.windowStartSeconds;
    constexpr double alike = 1e-6; // of an iteration
    if (std::abs(at(m_run.startSeconds, next) - 2 * to + from) > alike * (to - from))
        return ofIteration();
    CauseChain chain = ofStart(next, from);
    chain.toSeconds = to;
    chain.secondsByKind = {};
    std::erase_if(chain.causes, [to](const Cause &cause) { return cause.startSeconds >= to; });
    for (Cause &cause : chain.causes) {
        cause.endSeconds = std::min(cause.endSeconds, to);
        chain.secondsByKind[static_cast<std::size_t>(cause.kind)] += cause.seconds();
    }
    return chain;
}

CauseChain CauseFinder::ofWait(std::int32_t worker, double seconds) const {
    const TaskGraph &graph = m_run.graph;
    TaskId next;
    double begin = 0;
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (graph.worker[t] != WorkerClassId(worker) || !isCompute(graph.kind[t]) || m_run.endSeconds[t] <= m_run.startSeconds[t])
            continue;
        if (const double busy = busyUntil(TaskId(t)); busy <= seconds)
            begin = std::max(begin, busy);
        else if (m_run.startSeconds[t] <= seconds)
            return {}; // busy
        else if (!next.exists() || m_run.startSeconds[t] < at(m_run.startSeconds, next))
            next = TaskId(t);
    }
    return next.exists() ? ofStart(next, begin) : CauseChain{};
}

} // namespace syncopate

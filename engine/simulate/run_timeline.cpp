// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/run_timeline.h"

#include "engine/base/rounding.h"
#include "engine/base/stoppable_sort.h"
#include "engine/simulate/host_share.h"
#include "engine/timeline/first_free.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace syncopate {

namespace {

enum class Row : std::uint8_t { Compute, Host, Push, Pull, Collective, Local };
constexpr std::size_t rowCount = 6;
/// All collectives are on one lane, which has the name of the most common one. Projects keep lanes by their names, so it stays.
constexpr const char *rowNames[rowCount] = {"compute", "host", "push", "pull", "all-reduce", "inside the node"};

struct LaneOf {
    Row row;
    Category category;
};

LaneOf laneOf(TaskKind kind) {
    switch (kind) {
    case TaskKind::Forward:
        return {Row::Compute, Category::Forward};
    case TaskKind::Backward:
        return {Row::Compute, Category::Backward};
    case TaskKind::Update:
        return {Row::Compute, Category::Update};
    case TaskKind::HostCopy:
    case TaskKind::Encode:
    case TaskKind::Decode:
        return {Row::Compute, Category::OtherCompute};
    case TaskKind::Host: // a process's part in sending and receiving, so it counts as communication
        return {Row::Host, Category::OtherComm};
    case TaskKind::Push:
        return {Row::Push, Category::Push};
    case TaskKind::Pull:
        return {Row::Pull, Category::Pull};
    case TaskKind::AllReduce:
    case TaskKind::RingStep:
    case TaskKind::ReduceScatter:
    case TaskKind::AllGather:
    case TaskKind::Reduce:
    case TaskKind::Broadcast:
    case TaskKind::AllToAll:
    case TaskKind::Permute:
        return {Row::Collective, Category::AllReduce};
    case TaskKind::Transfer:
    case TaskKind::LocalReduce:
    case TaskKind::LocalBroadcast:
    case TaskKind::Join:
        return {Row::Local, Category::OtherComm};
    }
    return {Row::Local, Category::OtherComm};
}

/// Each label once: layers first, then units, then the update and the gathers of all parameters, which belong to neither, then
/// those of sharded units' traffic.
struct Labels {
    std::int32_t firstUnit, update, parameters;
    std::vector<std::int32_t> variable; ///< per unit, -1 = several; cached because tasks ask in random order
    std::vector<std::int32_t> gather{}; ///< per unit, where any is sharded: that of its gathers, and one more that of its scatter
};

Labels makeLabels(const Job &job, const TaskGraph &graph, std::vector<std::string> &labels) {
    labels.reserve(job.layers.size() + graph.units.size() + 2);
    for (const Layer &layer : job.layers)
        labels.push_back(layer.name);
    Labels places{static_cast<std::int32_t>(labels.size()), 0, 0, {}};
    places.variable.reserve(graph.units.size());
    for (const SyncUnit &unit : graph.units) {
        labels.push_back(unit.name);
        places.variable.push_back(unit.variables.size() == 1 ? unit.variables.front() : -1);
    }
    places.update = static_cast<std::int32_t>(labels.size());
    labels.emplace_back("update");
    places.parameters = places.update + 1;
    labels.emplace_back("all-gather of parameters");
    if (std::any_of(graph.units.begin(), graph.units.end(), [](const SyncUnit &unit) { return unit.shards > 1; }))
        for (const SyncUnit &unit : graph.units) {
            places.gather.push_back(static_cast<std::int32_t>(labels.size()));
            labels.push_back("all-gather of " + unit.name);
            labels.push_back("reduce-scatter of " + unit.name);
        }
    return places;
}

void append(Lane &lane, Nanoseconds start, Nanoseconds end, Category category, std::int32_t label, std::int32_t variable,
            TaskId task, double bytes) {
    lane.start.push_back(start);
    lane.end.push_back(end);
    lane.category.push_back(category);
    lane.label.push_back(label);
    lane.variable.push_back(variable);
    lane.task.push_back(task.number());
    lane.sizeBytes.push_back(bytes);
}

/// A task and its start, side by side so that sorting does not jump about in the columns.
struct StartOf {
    double seconds;
    TaskId task;
};

/// Whether a task has a span.
bool takesTime(const TaskGraph &graph, const Schedule &schedule, std::size_t t) {
    return graph.kind[t] != TaskKind::Join && schedule.endSeconds[t] > schedule.startSeconds[t];
}

/// Whether a task is of servers without a worker: their work, or a message between them.
bool isOfServers(const TaskGraph &graph, std::size_t t) {
    return !graph.worker[t].exists() && (graph.kind[t] == TaskKind::Host || graph.kind[t] == TaskKind::Transfer);
}

/// Tasks with a duration per (worker, row), then per queue those of servers without a worker, in ascending order. A collective is
/// on every worker's row. Incomplete if stopped.
std::vector<std::vector<StartOf>> rowsOf(const TaskGraph &graph, const Schedule &schedule, const TimeWindow &window,
                                         const std::stop_token &stop) {
    const std::size_t workers = graph.workerNames.size();
    std::vector<std::vector<StartOf>> rows(workers * rowCount + graph.queues.size());
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (t % stopInterval == 0 && stop.stop_requested())
            return rows;
        const double start = schedule.startSeconds[t], end = schedule.endSeconds[t];
        if (!takesTime(graph, schedule, t) || end < window.from || start > window.to)
            continue;
        const auto row = static_cast<std::size_t>(laneOf(graph.kind[t]).row);
        const StartOf begun{start, TaskId(t)};
        if (graph.worker[t].exists()) {
            rows[graph.worker[t].index() * rowCount + row].push_back(begun);
        } else if (isOfServers(graph, t)) {
            rows[workers * rowCount + graph.queue[t].index()].push_back(begun);
        } else {
            for (std::size_t w = 0; w < workers; ++w)
                rows[w * rowCount + row].push_back(begun);
        }
    }
    return rows;
}

/// Lane `number` (from 0) of row `index` of rowsOf().
Lane newLane(const TaskGraph &graph, std::size_t index, std::size_t number) {
    const std::size_t worker = index / rowCount, row = index % rowCount, workers = graph.workerNames.size();
    Lane fresh;
    if (worker < workers) {
        fresh.name = graph.workerNames[worker] + " " + rowNames[row];
        fresh.worker = static_cast<std::int32_t>(worker);
        fresh.isCompute = row == static_cast<std::size_t>(Row::Compute);
    } else {
        fresh.name = graph.queues[index - workers * rowCount].name;
    }
    if (number > 0)
        fresh.name += " " + std::to_string(number + 1);
    return fresh;
}

/// Label and variable of a task.
std::pair<std::int32_t, std::int32_t> aboutOf(const TaskGraph &graph, TaskId task, const Labels &labels) {
    const std::size_t t = task.index();
    if (const UnitId unit = graph.unit[t]; unit.exists() && !labels.gather.empty() && graph.units[unit.index()].shards > 1 &&
                                           laneOf(graph.kind[t]).category == Category::AllReduce)
        return {labels.gather[unit.index()] + (graph.layer[t].exists() ? 0 : 1), labels.variable[unit.index()]};
    if (const UnitId unit = graph.unit[t]; unit.exists())
        return {labels.firstUnit + unit.number(), labels.variable[unit.index()]};
    if (graph.layer[t].exists())
        return {graph.layer[t].number(), -1};
    return {graph.kind[t] == TaskKind::Update ? labels.update : labels.parameters, -1};
}

/// The part of a compute task's duration that its stream spends waiting for the host, at its end: all but 1 ns at most.
Nanoseconds hostWaitOf(const Job &job, const TaskGraph &graph, TaskId task, Nanoseconds taken) {
    return std::min(roundToInteger(hostShareOf(job, graph, task) * static_cast<double>(taken)), taken - 1);
}

} // namespace

Timeline makeTimeline(const Job &job, const TaskGraph &graph, const Schedule &schedule, const TimeWindow &window,
                      const std::stop_token &stop) {
    Timeline timeline;
    timeline.waitsAreTraffic = true;
    const bool waits = job.hostSeconds() > 0;
    const Labels labels = makeLabels(job, graph, timeline.labels);
    std::vector<std::vector<StartOf>> rows = rowsOf(graph, schedule, window, stop);
    const std::size_t serverRows = graph.workerNames.size() * rowCount;
    std::map<std::string, std::size_t> lanesOfName; // connections of several servers may have the name of one peer
    // Rows are in ascending order of tasks, so a stable sort keeps that order among equal starts.
    const auto startsBefore = [](const StartOf &a, const StartOf &b) { return a.seconds < b.seconds; };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<StartOf> &tasks = rows[i];
        sortUnlessStopped(tasks, startsBefore, stop);
        const std::size_t firstLane = timeline.lanes.size();
        FirstFree free;
        for (std::size_t n = 0; n < tasks.size(); ++n) {
            if (n % stopInterval == 0 && stop.stop_requested())
                return timeline;
            const TaskId task = tasks[n].task;
            const std::size_t t = task.index();
            const Nanoseconds start = toNanoseconds(tasks[n].seconds);
            const Nanoseconds end = toNanoseconds(schedule.endSeconds[t]);
            if (end <= start)
                continue;
            const std::size_t number = free.at(start);
            if (firstLane + number == timeline.lanes.size())
                timeline.lanes.push_back(
                    newLane(graph, i, i < serverRows ? number : lanesOfName[graph.queues[i - serverRows].name]++));
            free.take(number, end);
            Lane &lane = timeline.lanes[firstLane + number];
            const auto [label, variable] = aboutOf(graph, task, labels);
            const Nanoseconds wait = waits && lane.isCompute ? hostWaitOf(job, graph, task, end - start) : 0;
            append(lane, start, end - wait, laneOf(graph.kind[t]).category, label, variable, task, graph.sizeBytes[t]);
            if (waits && lane.isCompute)
                lane.hostUntil.push_back(end);
            timeline.duration = std::max(timeline.duration, end);
        }
    }
    return timeline;
}

namespace {

/// The first and last worker whose lanes show the task; the number of workers stands for servers.
std::pair<std::size_t, std::size_t> ownersOf(const TaskGraph &graph, TaskId task) {
    const std::size_t workers = graph.workerNames.size();
    if (const WorkerClassId worker = graph.worker[task.index()]; worker.exists())
        return {worker.index(), worker.index()};
    if (isOfServers(graph, task.index()))
        return {workers, workers};
    return {0, workers - 1}; // a collective is every worker's
}

} // namespace

std::vector<WorkerSpans> spansWithin(const Job &job, const TaskGraph &graph, const Schedule &schedule, Nanoseconds from,
                                     Nanoseconds to) {
    const bool waits = job.hostSeconds() > 0;
    std::vector<WorkerSpans> all(graph.workerNames.size() + 1);
    const auto add = [&](std::vector<WorkerSpans::Span> &spans, Nanoseconds start, Nanoseconds end) {
        if (end > from && start < to && start < end) // a wait may have no length
            spans.emplace_back(std::max(from, start), std::min(to, end));
    };
    // Most tasks are outside by more than a rounding to nanoseconds, and need no rounding.
    const double early = secondsOf(from) * (1 - 1e-12) - 1e-9, late = secondsOf(to) * (1 + 1e-12) + 1e-9;
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (schedule.endSeconds[t] < early || schedule.startSeconds[t] > late || !takesTime(graph, schedule, t))
            continue;
        const Nanoseconds start = toNanoseconds(schedule.startSeconds[t]), end = toNanoseconds(schedule.endSeconds[t]);
        if (end <= start)
            continue;
        const bool isCompute = laneOf(graph.kind[t]).row == Row::Compute;
        const Nanoseconds wait = waits && isCompute ? hostWaitOf(job, graph, TaskId(t), end - start) : 0;
        const auto [first, last] = ownersOf(graph, TaskId(t));
        for (std::size_t w = first; w <= last; ++w) {
            add(isCompute ? all[w].compute : all[w].communication, start, end - wait);
            add(all[w].hostWaits, end - wait, end);
        }
    }
    return all;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/run_timeline.h"

#include "engine/base/stoppable_sort.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace syncopate {

namespace {

Nanoseconds toNanoseconds(double seconds) { return static_cast<Nanoseconds>(std::llround(seconds * 1e9)); }

enum class Row : std::uint8_t { Compute, Push, Pull, AllReduce, Local };
constexpr std::size_t rowCount = 5;
constexpr const char *rowNames[rowCount] = {"compute", "push", "pull", "all-reduce", "inside the node"};

struct Kind {
    Row row;
    Category category;
};

Kind kindOf(TaskKind kind) {
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
        return {Row::AllReduce, Category::AllReduce};
    case TaskKind::Transfer:
    case TaskKind::LocalReduce:
    case TaskKind::LocalBroadcast:
    case TaskKind::Join:
        return {Row::Local, Category::OtherComm};
    }
    return {Row::Local, Category::OtherComm};
}

/// Labels once each: layers first, then units, then the two that belong to neither.
struct Labels {
    std::int32_t firstUnit, update, other;
};

Labels makeLabels(const Job &job, const TaskGraph &graph, std::vector<std::string> &labels) {
    labels.reserve(job.layers.size() + graph.units.size() + 2);
    for (const Layer &layer : job.layers)
        labels.push_back(layer.name);
    Labels places{static_cast<std::int32_t>(labels.size()), 0, 0};
    for (const SyncUnit &unit : graph.units)
        labels.push_back(unit.name);
    places.update = static_cast<std::int32_t>(labels.size());
    labels.emplace_back("update");
    places.other = places.update + 1;
    labels.emplace_back("task");
    return places;
}

void append(Lane &lane, Nanoseconds start, Nanoseconds end, Category category, std::int32_t label, std::int32_t variable,
            std::int32_t task, double bytes) {
    lane.start.push_back(start);
    lane.end.push_back(end);
    lane.category.push_back(category);
    lane.label.push_back(label);
    lane.variable.push_back(variable);
    lane.task.push_back(task);
    lane.sizeBytes.push_back(bytes);
}

} // namespace

Timeline makeTimeline(const Job &job, const TaskGraph &graph, const Schedule &schedule, const std::stop_token &stop) {
    Timeline timeline;
    timeline.waitsAreTraffic = true;
    const Labels labels = makeLabels(job, graph, timeline.labels);
    const std::size_t workers = graph.workerNames.size();
    // Tasks per (worker, row). A collective is on every worker's row.
    std::vector<std::vector<std::int32_t>> rows(workers * rowCount);
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (t % stopInterval == 0 && stop.stop_requested())
            return timeline;
        if (graph.kind[t] == TaskKind::Join || !(schedule.endSeconds[t] > schedule.startSeconds[t]))
            continue;
        const auto row = static_cast<std::size_t>(kindOf(graph.kind[t]).row);
        if (graph.worker[t] >= 0) {
            rows[static_cast<std::size_t>(graph.worker[t]) * rowCount + row].push_back(static_cast<std::int32_t>(t));
        } else {
            for (std::size_t w = 0; w < workers; ++w)
                rows[w * rowCount + row].push_back(static_cast<std::int32_t>(t));
        }
    }
    for (std::size_t w = 0; w < workers; ++w) {
        for (std::size_t r = 0; r < rowCount; ++r) {
            auto &tasks = rows[w * rowCount + r];
            // They are in ascending order: those that start together stay so.
            const auto startsBefore = [&](std::int32_t a, std::int32_t b) {
                return schedule.startSeconds[static_cast<std::size_t>(a)] < schedule.startSeconds[static_cast<std::size_t>(b)];
            };
            sortUnlessStopped(tasks, startsBefore, stop);
            const std::size_t firstLane = timeline.lanes.size();
            for (std::size_t n = 0; n < tasks.size(); ++n) {
                if (n % stopInterval == 0 && stop.stop_requested())
                    return timeline;
                const std::int32_t task = tasks[n];
                const auto t = static_cast<std::size_t>(task);
                const Nanoseconds start = toNanoseconds(schedule.startSeconds[t]);
                const Nanoseconds end = toNanoseconds(schedule.endSeconds[t]);
                if (end <= start)
                    continue;
                std::size_t lane = firstLane;
                while (lane < timeline.lanes.size() && timeline.lanes[lane].end.back() > start)
                    ++lane;
                if (lane == timeline.lanes.size()) {
                    Lane fresh;
                    fresh.name = graph.workerNames[w] + " " + rowNames[r];
                    if (lane > firstLane)
                        fresh.name += " " + std::to_string(lane - firstLane + 1);
                    fresh.worker = static_cast<std::int32_t>(w);
                    fresh.isCompute = r == static_cast<std::size_t>(Row::Compute);
                    timeline.lanes.push_back(std::move(fresh));
                }
                const std::int32_t unit = graph.unit[t];
                std::int32_t label = labels.other;
                std::int32_t variable = -1;
                if (unit >= 0) {
                    label = labels.firstUnit + unit;
                    const auto &variables = graph.units[static_cast<std::size_t>(unit)].variables;
                    variable = variables.size() == 1 ? variables.front() : -1;
                } else if (graph.layer[t] >= 0) {
                    label = graph.layer[t];
                } else if (graph.kind[t] == TaskKind::Update) {
                    label = labels.update;
                }
                append(timeline.lanes[lane], start, end, kindOf(graph.kind[t]).category, label, variable, task,
                       graph.sizeBytes[t]);
                timeline.duration = std::max(timeline.duration, end);
            }
        }
    }
    return timeline;
}

} // namespace syncopate

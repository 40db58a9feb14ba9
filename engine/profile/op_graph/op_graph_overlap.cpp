// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/tensorflow/tensorflow.h"
#include "engine/timeline/time_ranges.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

/// The task of each resource. An accelerator's streams and copies do not name theirs: where only one worker was recorded, and
/// receives tensors that kernels may hide, they are its own; else each accelerator counts as a task.
std::vector<std::string> taskNames(const OpGraph &graph) {
    std::vector<std::string> names;
    std::set<std::string> workers;
    for (const ProfiledResource &resource : graph.resources) {
        const bool device = resource.kind == ProfiledResource::Kind::Device;
        names.push_back(device && !resource.job.empty() ? fmt::format("{}:{}", resource.job, resource.task)
                        : device                        ? resource.name
                                                        : resource.name.substr(0, resource.name.rfind('/')));
        if (device && !resource.isServer())
            workers.insert(names.back());
    }
    const bool receives = std::any_of(graph.ops.begin(), graph.ops.end(),
                                      [&](const ProfiledOp &op) { return graph.stageOf(op) == OpStage::Downlink; });
    if (workers.size() == 1 && receives)
        for (std::size_t r = 0; r < names.size(); ++r)
            if (graph.resources[r].kind != ProfiledResource::Kind::Device)
                names[r] = *workers.begin();
    return names;
}

} // namespace

std::vector<OverlapFigures> overlapFigures(const OpGraph &graph) {
    struct Task {
        OverlapFigures figures;
        TimeRanges compute, communication, copies;
    };
    std::map<std::string, Task> tasks;
    std::vector<Task *> taskOf; // per resource
    for (const std::string &name : taskNames(graph))
        taskOf.push_back(&tasks[name]);
    // Where accelerators were traced, kernels are a worker's compute; its devices' ops only launch them.
    const bool kernels = std::any_of(graph.resources.begin(), graph.resources.end(),
                                     [](const ProfiledResource &r) { return r.kind == ProfiledResource::Kind::Stream; });
    for (const ProfiledOp &op : graph.ops) {
        const ProfiledResource &resource = graph.resourceOf(op);
        const bool device = resource.kind == ProfiledResource::Kind::Device;
        Task &task = *taskOf[static_cast<std::size_t>(op.resource)];
        if (op.type == "RecvTensor") {
            task.communication.emplace_back(op.start, op.end);
            ++task.figures.communicationKernels;
        } else if (resource.kind == ProfiledResource::Kind::Copies) {
            task.copies.emplace_back(op.start, op.end);
            ++task.figures.copies;
        } else if (!device || !kernels || resource.isServer()) {
            task.compute.emplace_back(op.start, op.end);
            ++task.figures.computeKernels;
        }
    }
    std::vector<OverlapFigures> all;
    for (auto &[name, task] : tasks) {
        const TimeRanges compute = unite(std::move(task.compute)), communication = unite(std::move(task.communication));
        TimeRanges any = std::move(task.copies);
        any.insert(any.end(), compute.begin(), compute.end());
        any.insert(any.end(), communication.begin(), communication.end());
        OverlapFigures &figures = task.figures;
        figures.device = name;
        figures.computeSeconds = secondsOf(lengthOf(compute));
        figures.communicationSeconds = secondsOf(lengthOf(communication));
        figures.hiddenSeconds = secondsOf(lengthOf(intersect(compute, communication)));
        figures.busySeconds = secondsOf(lengthOf(unite(std::move(any))));
        if (figures.busySeconds > 0)
            all.push_back(std::move(figures));
    }
    return all;
}

} // namespace syncopate

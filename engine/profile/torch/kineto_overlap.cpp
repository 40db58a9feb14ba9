// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/read_limits.h"
#include "engine/profile/torch/kineto.h"
#include "engine/profile/torch/kineto_analysis.h"

#include <fmt/format.h>
#include <map>

namespace syncopate {

namespace kineto {

std::vector<OverlapFigures> overlapFigures(const TraceEvents &trace, const Analysis &analysis) {
    struct Device {
        OverlapFigures figures;
        TimeRanges compute, communication, copies;
    };
    std::map<std::string, Device> devices;
    std::vector<Device *> ofRow(trace.rows.size(), nullptr);
    const auto deviceOf = [&](std::uint32_t row) -> Device & {
        if (!ofRow[row])
            ofRow[row] = &devices[trace.rows[row].device ? trace.rows[row].process : "cpu"];
        return *ofRow[row];
    };
    for (std::size_t i = 0; i < analysis.work.size(); ++i) {
        if (analysis.stopsAt(i))
            return {};
        const Work &work = analysis.work[i];
        Device &device = deviceOf(work.row);
        (work.copy ? device.copies : device.compute).emplace_back(work.start, work.end);
        ++(work.copy ? device.figures.copies : device.figures.computeKernels);
    }
    for (const Collective &collective : analysis.collectives) {
        Device &device = deviceOf(trace.events[collective.event].row);
        device.communication.emplace_back(collective.start, collective.end);
        ++device.figures.communicationKernels;
    }
    std::vector<OverlapFigures> all;
    for (auto &[name, device] : devices) {
        const auto seconds = [](Nanoseconds time) { return static_cast<double>(time) * 1e-9; };
        OverlapFigures &figures = device.figures;
        figures.rank = trace.rank;
        figures.device = name;
        const TimeRanges compute = unite(std::move(device.compute)), communication = unite(std::move(device.communication));
        figures.computeSeconds = seconds(lengthOf(compute));
        figures.communicationSeconds = seconds(lengthOf(communication));
        figures.hiddenSeconds = seconds(lengthOf(intersect(compute, communication)));
        TimeRanges any = std::move(device.copies);
        any.insert(any.end(), compute.begin(), compute.end());
        any.insert(any.end(), communication.begin(), communication.end());
        figures.busySeconds = seconds(lengthOf(unite(std::move(any))));
        all.push_back(std::move(figures));
    }
    return all;
}

} // namespace kineto

Result<std::vector<OverlapFigures>> measureTraceOverlap(const TraceEvents &trace, const std::string &name,
                                                        const std::stop_token &stop) {
    kineto::Analysis analysis;
    analysis.stop = stop;
    kineto::findContexts(trace, analysis);
    if (stop.stop_requested())
        return cancelled(name);
    kineto::collectWork(trace, analysis);
    if (stop.stop_requested())
        return cancelled(name);
    if (analysis.collectives.empty())
        TRY(inFile(kineto::requireDeviceWork(trace, analysis), name));
    std::vector<OverlapFigures> figures = kineto::overlapFigures(trace, analysis);
    if (stop.stop_requested())
        return cancelled(name);
    if (figures.empty())
        return fail(fmt::format("none of the {} events is a kernel, a copy or an op", trace.eventCount),
                    "record with torch.profiler, activities CPU and CUDA", name);
    return figures;
}

Result<std::vector<OverlapFigures>> measureKinetoOverlap(ByteSource &source, const std::string &name, std::stop_token stop) {
    return withinMemory(name, recordLess, [&]() -> Result<std::vector<OverlapFigures>> {
        const auto trace = TRY(inFile(readTraceEvents(source, stop), name));
        return measureTraceOverlap(trace, name, stop);
    });
}

} // namespace syncopate

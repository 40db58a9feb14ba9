// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/baselines.h"

#include <algorithm>
#include <limits>
#include <map>

namespace syncopate {

StepPhases phasesOf(const StepSet &set, const Generated &oneWorker, double bytesPerSecond) {
    struct Ends {
        double start = std::numeric_limits<double>::infinity(), down = 0;
        double firstUp = std::numeric_limits<double>::infinity(), up = 0, end = 0;
    };
    std::map<StepId, Ends> steps;
    StepPhases mean;
    for (const TraceChunk &chunk : oneWorker.trace) {
        if (chunk.worker != WorkerId(0))
            continue;
        Ends &step = steps[chunk.step];
        step.start = std::min(step.start, chunk.startSeconds);
        step.end = std::max(step.end, chunk.endSeconds);
        switch (set.graph.ops[chunk.op.index()].resource) {
        case StepResource::Downlink:
            step.down = std::max(step.down, chunk.endSeconds);
            break;
        case StepResource::Uplink:
            step.firstUp = std::min(step.firstUp, chunk.startSeconds);
            step.up = std::max(step.up, chunk.endSeconds);
            break;
        case StepResource::Worker:
            mean.busyComputeSeconds += chunk.endSeconds - chunk.startSeconds;
            break;
        case StepResource::Server:
            break;
        }
    }
    if (steps.empty())
        return mean;
    const auto count = static_cast<double>(steps.size());
    for (const auto &[number, step] : steps) {
        const double downEnd = std::max(step.start, step.down);
        const double upStart = std::max(downEnd, std::min(step.firstUp, step.end));
        const double upEnd = std::max(upStart, step.up);
        mean.downlinkSeconds += (downEnd - step.start) / count;
        mean.computeSeconds += (upStart - downEnd) / count;
        mean.uplinkSeconds += (upEnd - upStart) / count;
        mean.updateSeconds += (step.end - upEnd) / count;
    }
    mean.busyComputeSeconds /= count;
    std::map<std::pair<StepResource, std::int32_t>, double> bytes;
    for (const StepOp &op : set.graph.ops)
        if (isTransfer(op.resource))
            bytes[{op.resource, op.server}] += op.sizeBytes;
    for (const auto &[link, sum] : bytes)
        mean.transferSeconds = std::max(mean.transferSeconds, sum / bytesPerSecond);
    return mean;
}

double cynthiaSamplesPerSecond(const StepPhases &phases, double batchSize, std::int32_t workers, double linkShare) {
    const double step = phases.stepSeconds();
    if (!(step > 0))
        return 0;
    const double utilisation = phases.transferSeconds * linkShare / step;
    const double seconds = phases.busyComputeSeconds * std::max(1.0, workers * utilisation) + 2 * phases.transferSeconds;
    return seconds > 0 ? workers * batchSize / seconds : 0;
}

double queueingSamplesPerSecond(const StepPhases &phases, double batchSize, std::int32_t workers, double linkShare) {
    const double ownDown = phases.downlinkSeconds * linkShare, ownUp = phases.uplinkSeconds * linkShare;
    const double delay = phases.stepSeconds() - ownDown - ownUp;
    double downQueue = 0, upQueue = 0, rate = 0;
    for (std::int32_t w = 1; w <= workers; ++w) {
        const double down = ownDown * (1 + downQueue), up = ownUp * (1 + upQueue);
        const double cycle = down + up + delay;
        if (!(cycle > 0))
            return 0;
        rate = w / cycle;
        downQueue = rate * down;
        upQueue = rate * up;
    }
    return rate * batchSize;
}

} // namespace syncopate

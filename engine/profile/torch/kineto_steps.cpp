// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto_analysis.h"

#include <algorithm>
#include <array>
#include <limits>

namespace syncopate::kineto {

Nanoseconds outside(const TimeRanges &ranges, Nanoseconds from, Nanoseconds to) {
    if (to <= from)
        return 0;
    Nanoseconds left = to - from;
    auto range = std::partition_point(ranges.begin(), ranges.end(), [&](const auto &r) { return r.second <= from; });
    for (; range != ranges.end() && range->first < to; ++range)
        left -= std::min(to, range->second) - std::max(from, range->first);
    return left;
}

TimeRanges communicationOf(const Analysis &analysis, std::int32_t step) {
    TimeRanges ranges;
    for (const std::uint32_t index : analysis.stepCollectives[static_cast<std::size_t>(step)])
        ranges.emplace_back(analysis.collectives[index].start, analysis.collectives[index].end);
    return unite(std::move(ranges));
}

namespace {

/// Finds where each step's work begins and ends, and whether it is a complete training step.
std::vector<StepMeasure> boundSteps(const Analysis &analysis) {
    const std::size_t count = analysis.steps.size();
    std::vector<StepMeasure> measures(count);
    for (std::size_t i = 0; i < count; ++i) {
        measures[i].start = std::numeric_limits<Nanoseconds>::max();
        measures[i].lastWork = std::numeric_limits<Nanoseconds>::min();
    }
    std::vector<std::array<bool, 3>> has(count, {false, false, false});
    for (const Work &work : analysis.work) {
        if (work.step < 0)
            continue;
        StepMeasure &measure = measures[static_cast<std::size_t>(work.step)];
        if (work.row == analysis.mainStream || !analysis.onDevice)
            measure.start = std::min(measure.start, work.start);
        measure.lastWork = std::max(measure.lastWork, work.end);
        has[static_cast<std::size_t>(work.step)][static_cast<std::size_t>(work.phase)] = true;
    }
    for (const Collective &collective : analysis.collectives) {
        if (collective.step >= 0) {
            StepMeasure &measure = measures[static_cast<std::size_t>(collective.step)];
            measure.lastWork = std::max(measure.lastWork, collective.end);
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        StepMeasure &measure = measures[i];
        const StepWindow &window = analysis.steps[i];
        if (measure.start == std::numeric_limits<Nanoseconds>::max()) {
            measure.start = measure.end = measure.lastWork = window.start;
            continue;
        }
        measure.complete = has[i][0] && has[i][1];
        if (!analysis.onDevice) {
            measure.start = std::min(measure.start, window.start);
            measure.end = std::max(measure.lastWork, window.end);
        } else if (i + 1 < count && measures[i + 1].start != std::numeric_limits<Nanoseconds>::max() &&
                   measures[i + 1].start > measure.start) {
            measure.end = measures[i + 1].start;
        } else {
            // The last step ends after the time that the host took for it, or with its last work if that is later.
            measure.end = std::max(measure.lastWork, measure.start + (analysis.stepsMarked ? window.end - window.start : 0));
        }
    }
    return measures;
}

} // namespace

std::vector<StepMeasure> measureSteps(const Analysis &analysis) {
    std::vector<StepMeasure> measures = boundSteps(analysis);
    // Communication is hidden by work of any step.
    TimeRanges busy;
    busy.reserve(analysis.work.size());
    for (const Work &work : analysis.work)
        busy.emplace_back(work.start, work.end);
    busy = unite(std::move(busy));
    for (std::size_t i = 0; i < measures.size(); ++i) {
        if (analysis.stop.stop_requested())
            return measures;
        StepMeasure &measure = measures[i];
        const auto step = static_cast<std::int32_t>(i);
        const TimeRanges communication = communicationOf(analysis, step);
        measure.communication = lengthOf(communication);
        for (const auto &[from, to] : communication)
            measure.exposed += outside(busy, from, to);
        sweepStep(
            analysis, measure, communication, step,
            [&](const Work &work, Nanoseconds time) { measure.busy[static_cast<std::size_t>(work.phase)] += time; },
            [&](const Work &, Nanoseconds time) { measure.idle += time; });
    }
    return measures;
}

} // namespace syncopate::kineto

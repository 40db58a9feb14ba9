// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/metrics.h"

#include "engine/analyze/communication_statistics.h"
#include "engine/base/rounding.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate {

namespace {

double seconds(const TimeRanges &ranges) { return secondsOf(lengthOf(ranges)); }

/// The statistics in seconds, except those of single transfers.
constexpr double AreaStatistics::*secondsMembers[] = {
    &AreaStatistics::windowSeconds,     &AreaStatistics::computeSeconds, &AreaStatistics::forwardSeconds,
    &AreaStatistics::backwardSeconds,   &AreaStatistics::updateSeconds,  &AreaStatistics::communicationSeconds,
    &AreaStatistics::pushSeconds,       &AreaStatistics::pullSeconds,    &AreaStatistics::allReduceSeconds,
    &AreaStatistics::overlappedSeconds, &AreaStatistics::exposedSeconds, &AreaStatistics::waitSeconds,
    &AreaStatistics::hostWaitSeconds,   &AreaStatistics::copySeconds};

/// Adds transfers to the statistics, given their number and their shortest, mean and longest durations.
void addTransfers(AreaStatistics &s, std::size_t count, double shortest, double mean, double longest) {
    if (count == 0)
        return;
    s.shortestTransferSeconds = s.transfers == 0 ? shortest : std::min(s.shortestTransferSeconds, shortest);
    s.longestTransferSeconds = std::max(s.longestTransferSeconds, longest);
    s.transfers += count;
    s.meanTransferSeconds += (mean - s.meanTransferSeconds) * static_cast<double>(count) / static_cast<double>(s.transfers);
}

/// Activity in a window that a single worker's lanes do not show.
struct Surroundings {
    TimeRanges traffic; ///< of any worker or server
    /// Simulated runs: no worker computes and nothing is under way, so the next transfer waits to be sent.
    TimeRanges waits;
};

/// `a` without `b`; both are sorted and free of overlaps.
TimeRanges subtract(const TimeRanges &a, const TimeRanges &b) {
    TimeRanges left;
    std::size_t j = 0;
    for (auto [from, to] : a) {
        while (j < b.size() && b[j].second <= from)
            ++j;
        for (std::size_t k = j; k < b.size() && b[k].first < to; ++k) {
            if (from < b[k].first)
                left.emplace_back(from, b[k].first);
            from = std::max(from, b[k].second);
        }
        if (from < to)
            left.emplace_back(from, to);
    }
    return left;
}

/// Whether span `i` is compute of the lane's worker. Other lanes show work for it: a server's updates, asynchronous copies, or
/// whole programs beside their kernels.
bool isWorkersCompute(const Lane &lane, std::size_t i) { return lane.isCompute && isCompute(lane.category[i]); }

/// Visits a lane's spans within a window, in order.
template <class Visit> void eachSpan(const Lane &lane, Nanoseconds from, Nanoseconds to, Visit visit) {
    auto i = static_cast<std::size_t>(std::upper_bound(lane.end.begin(), lane.end.end(), from) - lane.end.begin());
    for (; i < lane.size() && lane.start[i] < to; ++i)
        visit(i, TimeRange{std::max(from, lane.start[i]), std::min(to, lane.end[i])});
}

/// Visits the intervals in a window in which a lane's stream waits for the host, in order.
template <class Visit> void eachHostWait(const Lane &lane, Nanoseconds from, Nanoseconds to, Visit visit) {
    const auto &until = lane.hostUntil;
    auto i = static_cast<std::size_t>(std::upper_bound(until.begin(), until.end(), from) - until.begin());
    for (; i < until.size() && lane.end[i] < to; ++i)
        if (lane.end[i] < until[i])
            visit(TimeRange{std::max(from, lane.end[i]), std::min(to, until[i])});
}

Surroundings surroundingsOf(const Timeline &timeline, Nanoseconds from, Nanoseconds to, const std::stop_token &stop) {
    Surroundings around;
    TimeRanges anything;
    for (const Lane &lane : timeline.lanes) {
        if (stop.stop_requested())
            return around;
        eachSpan(lane, from, to, [&](std::size_t i, const TimeRange &span) {
            anything.push_back(span);
            if (isCommunication(lane.category[i]))
                around.traffic.push_back(span);
        });
        eachHostWait(lane, from, to, [&](const TimeRange &wait) { anything.push_back(wait); });
    }
    around.traffic = unite(std::move(around.traffic), stop);
    if (timeline.waitsAreTraffic)
        around.waits = subtract({{from, to}}, unite(std::move(anything), stop));
    return around;
}

/// Where communication makes a worker wait; its compute stream is busy, copies or waits for the host during `taken`.
TimeRanges exposedOf(const Surroundings &around, const TimeRanges &taken) {
    TimeRanges exposed = subtract(around.traffic, taken);
    exposed.insert(exposed.end(), around.waits.begin(), around.waits.end());
    return unite(std::move(exposed), {});
}

AreaStatistics ofWorker(const Timeline &timeline, Nanoseconds from, Nanoseconds to, std::int32_t worker,
                        const Surroundings &around, const std::stop_token &stop) {
    AreaStatistics s;
    s.worker = worker;
    TimeRanges byCategory[categoryCount];
    TimeRanges compute, communication, host, copies;
    for (const Lane &lane : timeline.lanes) {
        if (stop.stop_requested())
            return s;
        if (lane.worker != worker)
            continue;
        eachSpan(lane, from, to, [&](std::size_t i, const TimeRange &span) {
            if (isWorkersCompute(lane, i))
                compute.push_back(span);
            if (!isCompute(lane.category[i]) || lane.isCompute)
                byCategory[static_cast<std::size_t>(lane.category[i])].push_back(span);
            if (lane.category[i] == Category::Copy)
                copies.push_back(span);
            if (isCommunication(lane.category[i])) {
                communication.push_back(span);
                const double length = static_cast<double>(lane.end[i] - lane.start[i]) * 1e-9;
                addTransfers(s, 1, length, length, length);
            }
            ++s.spans;
        });
        eachHostWait(lane, from, to, [&](const TimeRange &wait) { host.push_back(wait); });
    }
    const auto busy = [&](Category c) { return seconds(unite(std::move(byCategory[static_cast<std::size_t>(c)]), stop)); };
    compute = unite(std::move(compute), stop);
    communication = unite(std::move(communication), stop);
    host = subtract(unite(std::move(host), stop), compute);
    copies = subtract(unite(std::move(copies), stop), compute);
    s.windowSeconds = static_cast<double>(to - from) * 1e-9;
    s.computeSeconds = seconds(compute);
    s.forwardSeconds = busy(Category::Forward);
    s.backwardSeconds = busy(Category::Backward);
    s.updateSeconds = busy(Category::Update);
    s.pushSeconds = busy(Category::Push);
    s.pullSeconds = busy(Category::Pull);
    s.allReduceSeconds = busy(Category::AllReduce);
    s.communicationSeconds = seconds(communication);
    s.overlappedSeconds = seconds(intersect(compute, communication));
    s.waitSeconds = s.windowSeconds - s.computeSeconds;
    s.hostWaitSeconds = seconds(host);
    s.copySeconds = seconds(copies);
    s.exposedSeconds = seconds(subtract(subtract(exposedOf(around, compute), host), copies));
    return s;
}

/// Of a simulation all workers up to the last one that has a lane; of a measurement those that have one: a device without a
/// usable span leaves a gap.
std::vector<std::int32_t> workersOf(const Timeline &timeline) {
    std::int32_t count = 0;
    for (const Lane &lane : timeline.lanes)
        count = std::max(count, lane.worker + 1);
    std::vector<bool> counts(static_cast<std::size_t>(count), timeline.waitsAreTraffic);
    for (const Lane &lane : timeline.lanes)
        if (lane.worker >= 0)
            counts[static_cast<std::size_t>(lane.worker)] = true;
    std::vector<std::int32_t> workers;
    for (std::int32_t w = 0; w < count; ++w)
        if (counts[static_cast<std::size_t>(w)])
            workers.push_back(w);
    return workers;
}

} // namespace

AreaStatistics perIteration(AreaStatistics all, std::int32_t iterations) {
    for (const auto member : secondsMembers)
        all.*member /= iterations;
    for (std::size_t *const count : {&all.spans, &all.transfers})
        *count = static_cast<std::size_t>(std::llround(static_cast<double>(*count) / iterations));
    return all;
}

TimeRanges exposedIntervals(const Timeline &timeline, std::int32_t worker, const std::stop_token &stop) {
    const Surroundings around = surroundingsOf(timeline, 0, timeline.duration, stop);
    TimeRanges taken;
    for (const Lane &lane : timeline.lanes)
        if (lane.worker == worker && !stop.stop_requested())
            eachSpan(lane, 0, timeline.duration, [&](std::size_t i, const TimeRange &span) {
                if (isWorkersCompute(lane, i) || lane.category[i] == Category::Copy)
                    taken.push_back(span);
            });
    for (const Lane &lane : timeline.lanes)
        if (lane.worker == worker)
            eachHostWait(lane, 0, timeline.duration, [&](const TimeRange &wait) { taken.push_back(wait); });
    return exposedOf(around, unite(std::move(taken), stop));
}

std::pair<Nanoseconds, Nanoseconds> iterationWindow(const Recording &recording) {
    if (recording.windowIterations > 1) {
        const auto &starts = recording.timeline.iterationStart;
        return {starts[starts.size() - 1 - static_cast<std::size_t>(recording.windowIterations)], starts.back()};
    }
    const Nanoseconds from = toNanoseconds(recording.windowStartSeconds);
    return {from, from + toNanoseconds(recording.iterationSeconds)};
}

std::pair<Nanoseconds, Nanoseconds> lastIteration(const Recording &recording) {
    const Nanoseconds from = toNanoseconds(recording.windowStartSeconds);
    if (!(recording.iterationSeconds > 0))
        return {0, recording.timeline.duration};
    const auto &starts = recording.timeline.iterationStart;
    const auto next = std::upper_bound(starts.begin(), starts.end(), from);
    if (recording.measured || next == starts.end())
        return {from, from + toNanoseconds(recording.iterationSeconds)};
    return {from, *next};
}

AreaStatistics iterationStatistics(const Recording &recording, const std::stop_token &stop) {
    const Timeline &timeline = recording.timeline;
    const auto [from, to] = iterationWindow(recording);
    const Surroundings around = surroundingsOf(timeline, from, to, stop);
    const std::vector<std::int32_t> workers = workersOf(timeline);
    AreaStatistics worst = ofWorker(timeline, from, to, workers.empty() ? 0 : workers.front(), around, stop);
    for (std::size_t w = 1; w < workers.size(); ++w)
        if (AreaStatistics one = ofWorker(timeline, from, to, workers[w], around, stop);
            one.exposedSeconds > worst.exposedSeconds)
            worst = one;
    return perIteration(worst, recording.windowIterations);
}

CommunicationStatistics communicationStatistics(const SimulatedIteration &iteration) {
    std::vector<WorkerSpans> workers = iteration.spans; // of each worker, and last the servers'
    std::size_t count = workers.size() - 1;
    TimeRanges anything;
    Surroundings around;
    for (WorkerSpans &own : workers) {
        for (auto *spans : {&own.compute, &own.communication, &own.hostWaits}) {
            *spans = unite(std::move(*spans), {});
            anything.insert(anything.end(), spans->begin(), spans->end());
        }
        around.traffic.insert(around.traffic.end(), own.communication.begin(), own.communication.end());
    }
    around.traffic = unite(std::move(around.traffic), {});
    around.waits = subtract({iteration.window}, unite(std::move(anything), {}));
    const auto isIdle = [](const WorkerSpans &own) {
        return own.compute.empty() && own.communication.empty() && own.hostWaits.empty();
    };
    while (count > 1 && isIdle(workers[count - 1])) // its iterations are over: a timeline has no lane of it
        --count;
    CommunicationStatistics worst;
    for (std::size_t w = 0; w < count; ++w) {
        const TimeRanges host = subtract(workers[w].hostWaits, workers[w].compute);
        const double exposed = seconds(subtract(exposedOf(around, workers[w].compute), host));
        if (w == 0 || exposed > worst.exposedSeconds)
            worst = {seconds(workers[w].communication), exposed};
    }
    worst.communicationSeconds /= iteration.windowIterations;
    worst.exposedSeconds /= iteration.windowIterations;
    return worst;
}

AreaStatistics areaStatistics(const Timeline &timeline, Nanoseconds from, Nanoseconds to, std::int32_t worker,
                              const std::stop_token &stop, std::span<const std::int32_t> multiplicity) {
    if (to < from)
        std::swap(from, to);
    const Surroundings around = surroundingsOf(timeline, from, to, stop);
    if (worker >= 0)
        return ofWorker(timeline, from, to, worker, around, stop);
    const std::vector<std::int32_t> classes = workersOf(timeline);
    const auto standsFor = [&](std::int32_t w) {
        const auto number = static_cast<std::size_t>(w);
        return static_cast<std::size_t>(number < multiplicity.size() ? multiplicity[number] : 1);
    };
    std::size_t workers = 0;
    for (const std::int32_t w : classes)
        workers += standsFor(w);
    AreaStatistics sum;
    for (const std::int32_t w : classes) {
        const AreaStatistics one = ofWorker(timeline, from, to, w, around, stop);
        const double share = static_cast<double>(standsFor(w)) / static_cast<double>(workers);
        for (const auto member : secondsMembers)
            sum.*member += one.*member * share;
        sum.spans += one.spans * standsFor(w);
        addTransfers(sum, one.transfers * standsFor(w), one.shortestTransferSeconds, one.meanTransferSeconds,
                     one.longestTransferSeconds);
    }
    return sum;
}

} // namespace syncopate

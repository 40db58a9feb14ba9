// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/slowdown.h"

#include "engine/timeline/time_ranges.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

constexpr double underCommunication = 0.9; ///< share of an op's time; from here on it is under communication
constexpr double minMatched = 0.8;         ///< share of either profile's compute; below it the models differ
constexpr double minClear = 0.5, maxClear = 2;

/// When a worker communicates.
class Communication {
public:
    Communication(const Timeline &timeline, std::int32_t worker) {
        TimeRanges all;
        for (const Lane &lane : timeline.lanes)
            for (std::size_t i = 0; lane.worker == worker && i < lane.size(); ++i)
                if (isCommunication(lane.category[i]))
                    all.emplace_back(lane.start[i], lane.end[i]);
        m_ranges = unite(std::move(all));
        Nanoseconds before = 0;
        for (const auto &[from, to] : m_ranges) {
            m_before.push_back(before);
            before += to - from;
        }
    }
    [[nodiscard]] Nanoseconds within(Nanoseconds from, Nanoseconds to) const { return until(to) - until(from); }

private:
    [[nodiscard]] Nanoseconds until(Nanoseconds time) const {
        const auto after =
            std::partition_point(m_ranges.begin(), m_ranges.end(), [&](const TimeRange &range) { return range.first < time; });
        if (after == m_ranges.begin())
            return 0;
        const auto at = static_cast<std::size_t>(after - m_ranges.begin()) - 1;
        return m_before[at] + std::min(time, m_ranges[at].second) - m_ranges[at].first;
    }
    TimeRanges m_ranges;
    std::vector<Nanoseconds> m_before; ///< total length of the ranges before each
};

struct Op {
    Nanoseconds start = 0, end = 0;
    Nanoseconds communicating = 0;                                                   ///< part of its time
    [[nodiscard]] double length() const { return static_cast<double>(end - start); } ///< nanoseconds
};

/// A worker's ops in one step, by name and sorted by start. Names live as long as the timeline.
using StepOps = std::map<std::string_view, std::vector<Op>>;

/// The ops of each worker in each step.
std::vector<StepOps> stepsOf(const Timeline &timeline) {
    std::map<std::int32_t, std::vector<const Lane *>> workers;
    for (const Lane &lane : timeline.lanes)
        if (lane.isCompute)
            workers[lane.worker].push_back(&lane);
    std::vector<StepOps> steps;
    const auto &starts = timeline.iterationStart;
    for (const auto &[worker, lanes] : workers) {
        const Communication communication(timeline, worker);
        const std::size_t first = steps.size();
        steps.resize(first + starts.size());
        for (const Lane *lane : lanes)
            for (std::size_t i = 0; i < lane->size(); ++i) {
                const auto after = std::upper_bound(starts.begin(), starts.end(), lane->start[i]);
                if (after == starts.begin() || isCommunication(lane->category[i]) || lane->end[i] <= lane->start[i])
                    continue;
                const auto step = first + static_cast<std::size_t>(after - starts.begin()) - 1;
                const std::string_view name = timeline.labels[static_cast<std::size_t>(lane->label[i])];
                steps[step][name].push_back({lane->start[i], lane->end[i], communication.within(lane->start[i], lane->end[i])});
            }
    }
    std::erase_if(steps, [](const StepOps &step) { return step.empty(); });
    for (StepOps &step : steps)
        for (auto &[name, ops] : step)
            std::sort(ops.begin(), ops.end(), [](const Op &a, const Op &b) { return a.start < b.start; });
    return steps;
}

/// The median; of two middle values the larger one, so that it is always one of the values.
double upperMedian(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double computeOf(const std::vector<StepOps> &steps) {
    double length = 0;
    for (const StepOps &step : steps)
        for (const auto &[name, ops] : step)
            for (const Op &op : ops)
                length += op.length();
    return length;
}

/// Number of ops per step by name: the median over the steps, where steps without the name count as 0.
std::map<std::string_view, std::size_t> countsOf(const std::vector<StepOps> &steps) {
    std::map<std::string_view, std::vector<double>> counts;
    for (const StepOps &step : steps)
        for (const auto &[name, ops] : step)
            counts[name].push_back(static_cast<double>(ops.size()));
    std::map<std::string_view, std::size_t> usual;
    for (auto &[name, found] : counts) {
        found.resize(steps.size(), 0);
        usual[name] = static_cast<std::size_t>(upperMedian(found));
    }
    return usual;
}

/// Durations of ops by name and index in the step, from steps in which no communication ran alongside them.
using AloneTimes = std::map<std::string_view, std::vector<double>>;

AloneTimes aloneTimes(const std::vector<StepOps> &steps, const std::map<std::string_view, std::size_t> &counts) {
    AloneTimes times;
    for (const auto &[name, count] : counts) {
        std::vector<std::vector<double>> found(count);
        for (const StepOps &step : steps) {
            const auto ops = step.find(name);
            for (std::size_t k = 0; ops != step.end() && ops->second.size() == count && k < count; ++k)
                if (ops->second[k].communicating == 0)
                    found[k].push_back(ops->second[k].length());
        }
        auto &medians = times[name];
        for (auto &durations : found)
            medians.push_back(durations.empty() ? 0 : upperMedian(std::move(durations)));
    }
    return times;
}

/// Total durations of ops in one profile (under communication, or clear of it), and of the same ops alone in the other.
struct Compared {
    double beside = 0, alone = 0;
    std::vector<double> ratios;
    void add(double besideLength, double aloneLength) {
        beside += besideLength;
        alone += aloneLength;
        ratios.push_back(besideLength / aloneLength);
    }
};

double quantile(std::vector<double> values, double share) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Compute in `steps` by ops that occur equally often in a step of `others`.
double matchedCompute(const std::vector<StepOps> &steps, const std::map<std::string_view, std::size_t> &own,
                      const std::map<std::string_view, std::size_t> &others) {
    double length = 0;
    for (const StepOps &step : steps)
        for (const auto &[name, ops] : step)
            if (const auto other = others.find(name); other != others.end() && other->second == own.at(name))
                for (const Op &op : ops)
                    length += op.length();
    return length;
}

Result<std::vector<StepOps>> readSteps(const ImportedProfile &profile) {
    auto steps = stepsOf(profile.timeline);
    if (steps.empty())
        return fail("it has no ops in time that belong to training steps", "give a profile of training steps with kernels or ops",
                    profile.file);
    return steps;
}

/// Adds a step's ops `under` communication, and those `clear` of it, together with their times alone.
void compare(const StepOps &step, const AloneTimes &times, Compared &under, Compared &clear) {
    for (const auto &[name, ops] : step) {
        const auto partner = times.find(name);
        if (partner == times.end() || partner->second.size() != ops.size())
            continue;
        for (std::size_t k = 0; k < ops.size(); ++k) {
            const double own = ops[k].length(), other = partner->second[k];
            const double covered = static_cast<double>(ops[k].communicating);
            if (other > 0 && covered >= underCommunication * own)
                under.add(own, other);
            else if (other > 0 && covered == 0)
                clear.add(own, other);
        }
    }
}

} // namespace

Result<Slowdown> measureSlowdown(const ImportedProfile &alone, const ImportedProfile &beside) {
    const auto aloneSteps = TRY(readSteps(alone)), besideSteps = TRY(readSteps(beside));
    const auto aloneCounts = countsOf(aloneSteps), besideCounts = countsOf(besideSteps);
    Slowdown slowdown;
    slowdown.matchedShare = matchedCompute(besideSteps, besideCounts, aloneCounts) / computeOf(besideSteps);
    const double share =
        std::min(slowdown.matchedShare, matchedCompute(aloneSteps, aloneCounts, besideCounts) / computeOf(aloneSteps));
    if (!(share >= minMatched))
        return fail(fmt::format("the steps of {} do not have the same ops: only {:.0f} % of the compute has a partner",
                                alone.file, 100 * share),
                    "give two profiles of one model with one batch size, the one with and the other without communication",
                    beside.file);
    const AloneTimes times = aloneTimes(aloneSteps, aloneCounts);
    Compared under, clear;
    for (const StepOps &step : besideSteps)
        compare(step, times, under, clear);
    if (under.ratios.empty())
        return fail("no op that runs alone in the other profile lies under communication",
                    "give a profile in which communication overlaps compute", beside.file);
    slowdown.factor = under.beside / under.alone;
    slowdown.lower = quantile(under.ratios, 0.25);
    slowdown.upper = quantile(under.ratios, 0.75);
    slowdown.ops = under.ratios.size();
    slowdown.seconds = 1e-9 * under.beside;
    std::vector<double> misses;
    for (const double ratio : under.ratios)
        misses.push_back(std::abs(slowdown.factor / ratio - 1));
    slowdown.error = fitError(std::move(misses));
    slowdown.clearOps = clear.ratios.size();
    slowdown.clearFactor = clear.ratios.empty() ? 1 : clear.beside / clear.alone;
    if (!(slowdown.clearFactor >= minClear && slowdown.clearFactor <= maxClear))
        return fail(fmt::format("ops beside which nothing communicates take {:.3g} times what they take in {}",
                                slowdown.clearFactor, alone.file),
                    "give two profiles with one batch size on one kind of device", beside.file);
    return slowdown;
}

double communicatingShare(const ImportedProfile &profile) {
    double compute = 0, covered = 0;
    for (const StepOps &step : stepsOf(profile.timeline))
        for (const auto &[name, ops] : step)
            for (const Op &op : ops) {
                compute += op.length();
                covered += static_cast<double>(op.communicating);
            }
    return compute > 0 ? covered / compute : 0;
}

} // namespace syncopate

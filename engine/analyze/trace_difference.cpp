// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/trace_difference.h"

#include "engine/base/rounding.h"
#include "engine/profile/recording/recording.h"
#include "engine/timeline/time_ranges.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace syncopate {

namespace {

/// Seconds and number of spans by name.
using Sums = std::map<std::string, std::pair<double, double>>;

/// The steps to compare, ascending: the complete ones, if the reader knows which those are.
TimeRanges windowsOf(const ImportedProfile &profile) {
    std::set<std::int32_t> complete;
    for (const StepSample &sample : profile.samples)
        complete.insert(sample.step);
    TimeRanges windows;
    for (std::size_t s = 0; s < profile.steps.size(); ++s) {
        const ProfileStep &step = profile.steps[s];
        if (!complete.empty() && !complete.contains(static_cast<std::int32_t>(s)))
            continue;
        const double length = step.lengthSeconds > 0 ? step.lengthSeconds : step.endSeconds - step.startSeconds;
        if (length > 0)
            windows.emplace_back(toNanoseconds(step.startSeconds), toNanoseconds(step.startSeconds + length));
    }
    std::ranges::sort(windows);
    return windows;
}

/// Whether one of the united ranges contains `time`.
bool isWithin(const TimeRanges &ranges, Nanoseconds time) {
    const auto after = std::ranges::upper_bound(ranges, time, {}, &TimeRange::first);
    return after != ranges.begin() && time < std::prev(after)->second;
}

struct Sides {
    Sums ops, layers, streams;
    ComparedTrace trace;
};

void addLayers(Sides &side, const Job &job) {
    std::map<std::string, int> seen;
    const auto add = [&](const std::string &name, double seconds) {
        if (seconds > 0) {
            side.layers[name].first += seconds;
            side.layers[name].second += 1;
        }
    };
    for (const Layer &layer : job.layers) {
        const int occurrence = ++seen[layer.name]; // a name may occur twice: the second is compared with the second
        const std::string name = occurrence == 1 ? layer.name : fmt::format("{} ({})", layer.name, occurrence);
        add(name + ", forward", layer.forwardSeconds);
        add(name + ", backward", layer.backwardSeconds);
    }
    add("update", job.updateSeconds);
}

/// Sums over a trace per step and rank.
Result<Sides> sumsOf(const ImportedProfile &profile, const TimeRanges &windows) {
    Sides side;
    const Timeline &timeline = profile.timeline;
    side.trace = {profile.file, static_cast<std::int64_t>(windows.size()),
                  static_cast<std::int64_t>(std::max<std::size_t>(1, profile.ranks.size())), 0};
    for (const auto &[from, to] : windows)
        side.trace.stepSeconds += static_cast<double>(to - from) * 1e-9 / static_cast<double>(windows.size());
    if (windows.empty())
        side.trace.stepSeconds = static_cast<double>(timeline.duration) * 1e-9;
    // In double, because made-up times of a damaged file could overflow a sum of integers.
    std::vector<std::pair<double, std::int64_t>> byLabel(timeline.labels.size());
    const auto steps = static_cast<double>(std::max<std::size_t>(1, windows.size()));
    const auto add = [](Sums &sums, const std::string &name, const std::pair<double, std::int64_t> &sum, double shares) {
        if (sum.second == 0)
            return;
        sums[name].first += sum.first * 1e-9 / shares;
        sums[name].second += static_cast<double>(sum.second) / shares;
    };
    const TimeRanges covered = unite(windows); // steps of a damaged trace may overlap
    for (const Lane &lane : timeline.lanes) {
        std::pair<double, std::int64_t> ofLane;
        for (std::size_t s = 0; s < lane.size(); ++s) {
            if (!windows.empty() && !isWithin(covered, lane.start[s]))
                continue;
            for (auto *sum : {&ofLane, &byLabel[static_cast<std::size_t>(lane.label[s])]}) {
                sum->first += static_cast<double>(lane.end[s] - lane.start[s]);
                ++sum->second;
            }
        }
        add(side.streams, lane.name, ofLane, steps); // a lane belongs to one rank
    }
    for (std::size_t l = 0; l < byLabel.size(); ++l)
        add(side.ops, timeline.labels[l], byLabel[l], steps * static_cast<double>(side.trace.ranks));
    if (side.streams.empty())
        return fail("no span of the trace lies in its steps", "record whole steps", profile.file);
    addLayers(side, profile.job);
    return side;
}

std::vector<DifferenceRow> rowsOf(const Sums &a, const Sums &b) {
    std::map<std::string, DifferenceRow> byName;
    for (const auto &[sums, side] : {std::pair(&a, 0U), std::pair(&b, 1U)})
        for (const auto &[name, sum] : *sums) {
            DifferenceRow &row = byName[name];
            row.name = name;
            row.seconds[side] = sum.first;
            row.count[side] = sum.second;
        }
    std::vector<DifferenceRow> rows;
    for (auto &[name, row] : byName)
        rows.push_back(std::move(row));
    std::ranges::stable_sort(rows, std::greater<>(), [](const DifferenceRow &row) { return std::abs(row.change()); });
    return rows;
}

/// Adds `note` if no names match: other models, or other names for the same one.
void noteNames(std::vector<std::string> &notes, const std::vector<DifferenceRow> &rows, const char *note) {
    if (!rows.empty() && std::ranges::none_of(rows, &DifferenceRow::isInBoth))
        notes.emplace_back(note);
}

} // namespace

double DifferenceRow::change() const {
    constexpr double resolution = 1e-9; // seconds, and a share of the compared values
    const double change = seconds[1] - seconds[0];
    return std::abs(change) <= resolution * (1 + std::max(seconds[0], seconds[1])) ? 0 : change;
}

Result<TraceDifference> compareTraces(const ImportedProfile &a, const ImportedProfile &b) {
    const TimeRanges ofA = windowsOf(a), ofB = windowsOf(b);
    if (ofA.empty() != ofB.empty())
        return fail("this trace marks no steps, the other one does: a whole trace cannot be compared with a step",
                    "record both with steps, or both without", ofA.empty() ? a.file : b.file);
    const Sides first = TRY(sumsOf(a, ofA)), second = TRY(sumsOf(b, ofB));
    TraceDifference difference{{first.trace, second.trace},
                               rowsOf(first.ops, second.ops),
                               rowsOf(first.layers, second.layers),
                               rowsOf(first.streams, second.streams),
                               {}};
    if (ofA.empty())
        difference.notes.emplace_back("Neither trace marks steps: all of both is compared, however long each was recorded.");
    for (const ImportedProfile *profile : {&a, &b})
        if (isRecordingOnly(profile->job)) {
            difference.layers.clear();
            difference.notes.push_back(
                fmt::format("Layers are not compared: {} holds no training step that they could be found in.", profile->file));
            break;
        }
    noteNames(difference.notes, difference.ops, "No op has the same name in both: no two of them are compared.");
    noteNames(difference.notes, difference.layers, "No layer has the same name in both: no two of them are compared.");
    noteNames(difference.notes, difference.streams, "No stream has the same name in both: no two of them are compared.");
    if (first.trace.ranks != second.trace.ranks)
        difference.notes.push_back(fmt::format("{} ranks against {}: ops are means over the ranks, streams are per rank.",
                                               first.trace.ranks, second.trace.ranks));
    return difference;
}

} // namespace syncopate

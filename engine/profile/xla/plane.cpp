// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/xla/plane.h"

#include "engine/base/stoppable_sort.h"
#include "engine/profile/recording/recording_builder.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace syncopate::xplane {

namespace {

constexpr std::int64_t picosecondsOfNanosecond = 1000;
constexpr std::string_view startMark = "-start", doneMark = "-done";

/// What an event tells of a collective; Whole: from the start to the end.
enum class Part : std::uint8_t { Whole, Start, Done };

using Time = std::pair<std::int64_t, std::int64_t>; ///< ns, and ps after that

struct Found {
    Time begin, end;
    Part part;
    const Line *line;
    Event *event;
};

/// Whether a mark is in the name, as in "all-reduce-start" and "all-reduce-start.3".
bool isMarked(std::string_view name, std::string_view mark) {
    const std::size_t at = name.find(mark), after = at + mark.size();
    return at != std::string_view::npos && (after == name.size() || name[after] == '.');
}

/// The name of the start op whose transfer a done op waits for: its operand, which may have another number, or without a text
/// the op of the same number.
std::string startOf(std::string_view done) {
    const std::string_view name = shortName(done);
    const std::size_t call = done.find("-done(", name.size());
    const std::size_t operand = call == std::string_view::npos ? call : done.find('%', call);
    if (operand != std::string_view::npos)
        return std::string(done.substr(operand + 1, done.find_first_of("), ", operand) - operand - 1));
    return std::string(name).replace(name.find(doneMark), doneMark.size(), startMark);
}

/// The start op's name, if the text is of a part of an asynchronous collective.
std::optional<std::pair<std::string, Part>> partOf(std::string_view text) {
    if (!isCommunication(categoryOfKernel(text)))
        return std::nullopt;
    const std::string_view name = shortName(text);
    if (isMarked(name, startMark))
        return std::pair(std::string(name), Part::Start);
    if (isMarked(name, doneMark))
        return std::pair(startOf(text), Part::Done);
    return std::nullopt;
}

Time timeOf(const Line &line, std::int64_t offset) {
    return {line.timestamp + offset / picosecondsOfNanosecond, offset % picosecondsOfNanosecond};
}

/// Whether both ends of an event can be told in nanoseconds.
bool hasTime(const Line &line, const Event &event) {
    constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
    return !event.isLeftOut && event.offset >= 0 && event.duration >= 0 && event.duration <= latest - event.offset &&
           line.timestamp >= -RecordingBuilder::maxTime && line.timestamp <= RecordingBuilder::maxTime;
}

/// Joins the parts of one collective, which is on its way once at a time; they are in the order of time.
void join(const std::vector<Found> &parts, Plane &plane) {
    const Found *open = nullptr; // a transfer that a done op may end
    const auto include = [&](const Found &part) {
        part.event->isLeftOut = true;
        if (part.part == Part::Done)
            plane.doneOf[open->event->metadata] = part.event->metadata;
    };
    for (const Found &part : parts) {
        const bool inWhole = open && open->part == Part::Whole && part.begin <= open->end;
        if (part.part == Part::Whole) {
            const Found *const before = std::exchange(open, &part);
            if (before && before->part == Part::Start && part.begin <= before->end)
                include(*before);
        } else if (inWhole) {
            include(part);
        } else if (part.part == Part::Start) {
            open = &part;
        } else if (open && open->part == Part::Start && open->line == part.line) {
            open->event->duration =
                std::max(open->event->duration, part.event->offset + part.event->duration - open->event->offset);
            include(part);
            open = nullptr;
        }
    }
}

} // namespace

Use useOf(const Plane &plane, const Line &line) {
    if (plane.name.starts_with("/device:") && plane.name.find("CUSTOM") == std::string::npos) {
        if (line.name.starts_with("Stream #") || line.name == "XLA Ops")
            return Use::Compute;
        if (line.name == "Steps")
            return Use::Steps;
        if (line.name == "Async XLA Ops")
            return Use::Asynchronous;
        return line.name == "XLA Modules" ? Use::Lane : Use::No;
    }
    return plane.name.starts_with("/host:CPU") ? Use::Lane : Use::No;
}

std::string_view shortName(std::string_view name) {
    if (!name.starts_with('%'))
        return name;
    return name.substr(1, name.find(" = ") == std::string_view::npos ? std::string_view::npos : name.find(" = ") - 1);
}

void joinAsyncCollectives(Plane &plane, const std::stop_token &stop) {
    std::map<std::string, std::size_t> numbers;                                // by the start op's name
    std::unordered_map<std::int64_t, std::pair<std::size_t, Part>> partsNamed; // by metadata
    for (const auto &[metadata, text] : plane.names)
        if (auto part = partOf(text))
            partsNamed.emplace(
                metadata, std::pair(numbers.try_emplace(std::move(part->first), numbers.size()).first->second, part->second));
    if (partsNamed.empty())
        return;
    std::vector<std::vector<Found>> collectives(numbers.size());
    for (Line &line : plane.lines) {
        const Use use = useOf(plane, line);
        if (use != Use::Compute && use != Use::Asynchronous)
            continue;
        for (Event &event : line.events) {
            const auto known = partsNamed.find(event.metadata);
            if (known == partsNamed.end() || !hasTime(line, event))
                continue;
            const auto &[number, part] = known->second;
            if (use == Use::Asynchronous && part == Part::Done)
                continue; // has spans of start ops only
            collectives[number].push_back({timeOf(line, event.offset), timeOf(line, event.offset + event.duration),
                                           use == Use::Asynchronous ? Part::Whole : part, &line, &event});
        }
    }
    const auto earlier = [](const Found &a, const Found &b) { return std::pair(a.begin, a.part) < std::pair(b.begin, b.part); };
    for (std::vector<Found> &parts : collectives) {
        sortUnlessStopped(parts, earlier, stop);
        if (stop.stop_requested())
            return;
        join(parts, plane);
    }
}

} // namespace syncopate::xplane

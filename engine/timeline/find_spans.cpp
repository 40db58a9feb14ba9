// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timeline/find_spans.h"

#include <algorithm>
#include <limits>

namespace syncopate {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// A span's place in the order of starts, then of lanes. Starts ascend within a lane, so places differ by these two unless spans
/// of no length share a start; the span's number then decides.
struct Place {
    Nanoseconds start;
    std::size_t lane;
    std::size_t span;
    auto operator<=>(const Place &) const = default; // NOLINT(modernize-use-nullptr): a zero that the compiler writes
};

Place placeOf(const Timeline &timeline, const SpanRef &span) {
    return {timeline.lanes[span.lane].start[span.span], span.lane, span.span};
}

/// First span of `lane` (index `l`) that is not before `place`.
std::size_t lowerBound(const Lane &lane, std::size_t l, const Place &place) {
    auto i = static_cast<std::size_t>(std::lower_bound(lane.start.begin(), lane.start.end(), place.start) - lane.start.begin());
    while (i < lane.size() && lane.start[i] == place.start && Place{lane.start[i], l, i} < place)
        ++i;
    return i;
}

bool isWanted(const Lane &lane, std::size_t i, const std::vector<std::uint8_t> &wanted) {
    const auto label = static_cast<std::size_t>(lane.label[i]);
    return label < wanted.size() && wanted[label] != 0;
}

/// The first wanted span of lane `l` from index `i` on, if it comes before `best`.
std::optional<Place> firstFrom(const Lane &lane, std::size_t l, std::size_t i, const std::vector<std::uint8_t> &wanted,
                               const std::optional<Place> &best) {
    while (i < lane.size() && !isWanted(lane, i, wanted) && !(best && lane.start[i] > best->start))
        ++i;
    const bool found = i < lane.size() && isWanted(lane, i, wanted) && (!best || Place{lane.start[i], l, i} < *best);
    return found ? std::optional(Place{lane.start[i], l, i}) : std::nullopt;
}

/// The last wanted span before index `i`, if it comes after `best`.
std::optional<Place> lastBefore(const Lane &lane, std::size_t l, std::size_t i, const std::vector<std::uint8_t> &wanted,
                                const std::optional<Place> &best) {
    while (i > 0 && !isWanted(lane, i - 1, wanted) && !(best && lane.start[i - 1] < best->start))
        --i;
    const bool found = i > 0 && isWanted(lane, i - 1, wanted) && (!best || Place{lane.start[i - 1], l, i - 1} > *best);
    return found ? std::optional(Place{lane.start[i - 1], l, i - 1}) : std::nullopt;
}

} // namespace

bool containsIgnoringCase(std::string_view text, std::string_view part) {
    return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) { return lower(a) == lower(b); }) !=
               text.end() ||
           part.empty();
}

std::vector<std::uint8_t> labelsContaining(const Timeline &timeline, std::string_view text) {
    std::vector<std::uint8_t> wanted(timeline.labels.size(), 0);
    for (std::size_t l = 0; !text.empty() && l < wanted.size(); ++l)
        wanted[l] = containsIgnoringCase(timeline.labels[l], text);
    return wanted;
}

std::optional<SpanRef> neighbour(const Timeline &timeline, const std::vector<std::uint8_t> &wanted,
                                 const std::optional<SpanRef> &from, bool forward) {
    constexpr Place farthest{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<std::size_t>::max(), 0};
    constexpr Place nearest{std::numeric_limits<Nanoseconds>::min(), 0, 0};
    const Place here = from ? placeOf(timeline, *from) : forward ? nearest : farthest;
    std::optional<Place> best;
    for (std::size_t l = 0; l < timeline.lanes.size(); ++l) {
        const Lane &lane = timeline.lanes[l];
        const std::size_t i = lowerBound(lane, l, here);
        const bool isOwn = from && from->lane == l;
        const auto nearer =
            forward ? firstFrom(lane, l, i + (isOwn ? 1 : 0), wanted, best) : lastBefore(lane, l, i, wanted, best);
        if (nearer)
            best = nearer;
    }
    return best ? std::optional(SpanRef{best->lane, best->span}) : std::nullopt;
}

} // namespace syncopate

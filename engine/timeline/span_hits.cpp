// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timeline/span_hits.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t spansPerCount = 1024;

/// Index of the first span of lane `l` that is not before `span` in the order of starts, then of lanes.
std::size_t firstNotBefore(const Timeline &timeline, std::size_t l, const SpanRef &span) {
    if (l == span.lane)
        return span.span;
    const auto &starts = timeline.lanes[l].start;
    const Nanoseconds start = timeline.lanes[span.lane].start[span.span];
    const auto found = l < span.lane ? std::upper_bound(starts.begin(), starts.end(), start)
                                     : std::lower_bound(starts.begin(), starts.end(), start);
    return static_cast<std::size_t>(found - starts.begin());
}

} // namespace

SpanHits::SpanHits(const Timeline &timeline, std::vector<std::uint8_t> wanted, const std::stop_token &stop)
    : m_timeline(&timeline), m_wanted(std::move(wanted)), m_before(timeline.lanes.size()) {
    for (std::size_t l = 0; l < timeline.lanes.size(); ++l) {
        const Lane &lane = timeline.lanes[l];
        std::vector<std::uint32_t> &before = m_before[l];
        before.reserve(lane.size() / spansPerCount + 2);
        std::uint32_t count = 0;
        for (std::size_t i = 0; i < lane.size(); ++i) {
            if (i % spansPerCount == 0) {
                if (stop.stop_requested()) {
                    m_before.clear(); // counts of some lanes alone would give wrong answers
                    m_wanted.clear();
                    m_total = 0;
                    return;
                }
                before.push_back(count);
            }
            count += isWanted(lane, i);
        }
        before.push_back(count);
        m_total += count;
    }
}

bool SpanHits::isWanted(const Lane &lane, std::size_t span) const {
    const std::int32_t label = lane.label[span];
    return label >= 0 && static_cast<std::size_t>(label) < m_wanted.size() && m_wanted[static_cast<std::size_t>(label)] != 0;
}

bool SpanHits::contains(const SpanRef &span) const {
    return m_timeline && span.lane < m_timeline->lanes.size() && span.span < m_timeline->lanes[span.lane].size() &&
           isWanted(m_timeline->lanes[span.lane], span.span);
}

std::size_t SpanHits::before(const SpanRef &span) const {
    std::size_t count = 0;
    for (std::size_t l = 0; l < m_before.size(); ++l) {
        const std::size_t end = firstNotBefore(*m_timeline, l, span);
        count += m_before[l][end / spansPerCount];
        for (std::size_t i = end / spansPerCount * spansPerCount; i < end; ++i)
            count += isWanted(m_timeline->lanes[l], i);
    }
    return count;
}

std::size_t SpanHits::atOrAfter(std::size_t l, std::size_t span) const {
    const Lane &lane = m_timeline->lanes[l];
    const auto &before = m_before[l];
    while (span < lane.size()) {
        const std::size_t b = span / spansPerCount;
        if (before[b + 1] == before[b]) {
            // The counts ascend, so blocks without a hit are skipped all at once.
            const auto next = std::upper_bound(before.begin() + static_cast<std::ptrdiff_t>(b) + 1, before.end(), before[b]);
            if (next == before.end())
                return lane.size();
            span = static_cast<std::size_t>(next - before.begin() - 1) * spansPerCount;
            continue;
        }
        if (isWanted(lane, span))
            return span;
        ++span;
    }
    return lane.size();
}

std::size_t SpanHits::endOfLastBefore(std::size_t l, std::size_t end) const {
    const Lane &lane = m_timeline->lanes[l];
    const auto &before = m_before[l];
    while (end > 0) {
        const std::size_t b = (end - 1) / spansPerCount;
        if (before[b + 1] == before[b]) {
            const auto first = std::lower_bound(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(b) + 1, before[b]);
            end = static_cast<std::size_t>(first - before.begin()) * spansPerCount;
            continue;
        }
        if (isWanted(lane, end - 1))
            return end;
        --end;
    }
    return 0;
}

std::optional<SpanRef> SpanHits::neighbour(const std::optional<SpanRef> &from, bool forward) const {
    std::optional<SpanRef> best;
    const auto place = [this](const SpanRef &span) {
        return std::tuple(m_timeline->lanes[span.lane].start[span.span], span.lane, span.span);
    };
    for (std::size_t l = 0; l < m_before.size(); ++l) {
        const std::size_t size = m_timeline->lanes[l].size();
        std::optional<SpanRef> one;
        if (forward) {
            const std::size_t begin = from ? firstNotBefore(*m_timeline, l, *from) + (l == from->lane) : 0;
            if (const std::size_t i = atOrAfter(l, begin); i < size)
                one = SpanRef{l, i};
        } else if (const std::size_t end = endOfLastBefore(l, from ? firstNotBefore(*m_timeline, l, *from) : size); end > 0) {
            one = SpanRef{l, end - 1};
        }
        if (one && (!best || (forward ? place(*one) < place(*best) : place(*one) > place(*best))))
            best = one;
    }
    return best;
}

std::optional<SpanRef> SpanHits::firstFrom(Nanoseconds time) const {
    std::optional<SpanRef> best;
    for (std::size_t l = 0; l < m_before.size(); ++l) {
        const Lane &lane = m_timeline->lanes[l];
        const auto begin = std::lower_bound(lane.start.begin(), lane.start.end(), time) - lane.start.begin();
        const std::size_t i = atOrAfter(l, static_cast<std::size_t>(begin));
        if (i < lane.size() && (!best || lane.start[i] < m_timeline->lanes[best->lane].start[best->span]))
            best = SpanRef{l, i};
    }
    return best;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timeline/timeline.h"

#include "engine/base/phrase.h"

#include <algorithm>

namespace syncopate {

namespace {
/// A power of two. With three categories, a row for every 16 spans takes 5 % of the memory of the spans.
constexpr std::size_t spansPerBlock = 16;
} // namespace

const char *nameOf(Category category) {
    switch (category) {
    case Category::Forward:
        return translatable("forward");
    case Category::Backward:
        return translatable("backward");
    case Category::Update:
        return translatable("update");
    case Category::AllReduce:
        return translatable("all-reduce");
    case Category::Push:
        return translatable("push");
    case Category::Pull:
        return translatable("pull");
    case Category::OtherCompute:
        return translatable("other compute");
    case Category::OtherComm:
        return translatable("other communication");
    case Category::Host:
        return translatable("host");
    case Category::Copy:
        return translatable("copy");
    }
    return "";
}

std::size_t Timeline::spanCount() const {
    std::size_t count = 0;
    for (const Lane &lane : lanes)
        count += lane.size();
    return count;
}

LaneIndex::LaneIndex(const Lane &lane) : m_lane(&lane), m_blocks((lane.size() + spansPerBlock - 1) / spansPerBlock) {
    std::array<bool, categoryCount> has{};
    for (const Category category : lane.category)
        has[static_cast<std::size_t>(category)] = true;
    for (std::size_t c = 0; c < categoryCount; ++c)
        if (has[c]) {
            m_placeOf[c] = static_cast<std::uint8_t>(m_categories.size());
            m_categories.push_back(c);
        }
    m_rows.reserve((m_blocks + 1) * (1 + m_categories.size()));
    BusyTimes sum{};
    for (std::size_t block = 0; block <= m_blocks; ++block) {
        const std::size_t first = block * spansPerBlock, end = std::min(first + spansPerBlock, lane.size());
        m_rows.push_back(block < m_blocks ? lane.end[end - 1] : std::numeric_limits<Nanoseconds>::max());
        for (const std::size_t c : m_categories)
            m_rows.push_back(sum[c]);
        for (std::size_t i = first; i < end; ++i)
            sum[static_cast<std::size_t>(lane.category[i])] += lane.end[i] - lane.start[i];
    }
}

LaneIndex::Place LaneIndex::placeOf(Nanoseconds time, std::size_t block, std::size_t step) const {
    // Spans do not overlap, so ends ascend like starts.
    const auto isBefore = [&](std::size_t blocks) { return block + blocks <= m_blocks && row(block + blocks - 1)[0] <= time; };
    if (step > 1 && isBefore(step - 1))
        block += step - 1;
    // Doubles the step until it is too far, then halves it.
    for (step = 1; isBefore(step); step *= 2)
        block += step;
    for (step /= 2; step > 0; step /= 2)
        block += isBefore(step) ? step : 0;
    const std::size_t n = m_lane->size();
    const Nanoseconds *const ends = m_lane->end.data();
    std::size_t span = std::min(block * spansPerBlock, n);
    for (step = spansPerBlock / 2; step > 0; step /= 2)
        span += span + step <= n && ends[span + step - 1] <= time ? step : 0;
    return {block, span};
}

std::size_t LaneIndex::firstEndingAfter(Nanoseconds time) const { return placeOf(time).span; }

std::int64_t LaneIndex::spanAt(Nanoseconds time) const {
    const std::size_t i = firstEndingAfter(time);
    return i < m_lane->size() && m_lane->start[i] <= time ? static_cast<std::int64_t>(i) : -1;
}

void LaneIndex::busyBefore(Nanoseconds time, const Place &place, BusyTimes &sums) const {
    const Nanoseconds *const before = row(place.block) + 1;
    for (std::size_t c = 0; c < m_categories.size(); ++c)
        sums[c] = before[c];
    const Nanoseconds *const starts = m_lane->start.data(), *const ends = m_lane->end.data();
    const Category *const categories = m_lane->category.data();
    for (std::size_t i = place.block * spansPerBlock; i < place.span; ++i)
        sums[m_placeOf[static_cast<std::size_t>(categories[i])]] += ends[i] - starts[i];
    if (place.span < m_lane->size() && starts[place.span] < time)
        sums[m_placeOf[static_cast<std::size_t>(categories[place.span])]] += time - starts[place.span];
}

BusyTimes LaneIndex::busy(Nanoseconds from, Nanoseconds to) const {
    BusyWalk walk(*this);
    walk.moveTo(from);
    BusyTimes busy{};
    walk.advanceTo(std::max(from, to), [&busy](std::size_t category, Nanoseconds time) { busy[category] = time; });
    return busy;
}

void BusyWalk::go(Nanoseconds time) {
    const LaneIndex::Place place = m_index->placeOf(time, m_place.block, m_step);
    m_step = place.block - m_place.block;
    m_place = place;
    m_time = time;
    m_now = 1 - m_now;
    m_index->busyBefore(time, place, m_busy[m_now]);
}

} // namespace syncopate

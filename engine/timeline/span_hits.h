// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/span_ref.h"
#include "engine/timeline/timeline.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace syncopate {

/// Answers questions about the spans of a timeline that have a wanted label: how many there are, how many come before one of
/// them, and which is next, in the order of starts, then of lanes. They are counted once per block of spans, so a question need
/// not look at every span. Build O(spans), 4 bytes per 1024 spans; a question at most O(lanes (log spans + blocks passed over +
/// 1024)).
class SpanHits final {
public:
    SpanHits() = default;
    /// `wanted` has a flag per label. When `stop` was requested there is no hit, and no label is wanted. The timeline must
    /// outlive it.
    SpanHits(const Timeline &timeline, std::vector<std::uint8_t> wanted, const std::stop_token &stop = {});

    [[nodiscard]] const std::vector<std::uint8_t> &wanted() const { return m_wanted; }
    [[nodiscard]] std::size_t total() const { return m_total; }
    [[nodiscard]] bool contains(const SpanRef &span) const;
    /// The number of wanted spans before `span`, which need not be one of them.
    [[nodiscard]] std::size_t before(const SpanRef &span) const;
    /// The next (or previous) wanted span after `from`, which need not be one of them; without `from` the first (last) one. Null
    /// if there is none.
    [[nodiscard]] std::optional<SpanRef> neighbour(const std::optional<SpanRef> &from, bool forward) const;
    /// The first wanted span that starts at or after `time`.
    [[nodiscard]] std::optional<SpanRef> firstFrom(Nanoseconds time) const;

private:
    [[nodiscard]] bool isWanted(const Lane &lane, std::size_t span) const;
    /// Number of the first wanted span of lane `l` from number `span` on; the lane's size if there is none.
    [[nodiscard]] std::size_t atOrAfter(std::size_t l, std::size_t span) const;
    /// One more than the number of the last wanted span of lane `l` before number `end`; 0 if there is none.
    [[nodiscard]] std::size_t endOfLastBefore(std::size_t l, std::size_t end) const;

    const Timeline *m_timeline = nullptr;
    std::vector<std::uint8_t> m_wanted;
    std::vector<std::vector<std::uint32_t>> m_before; ///< per lane and block: how many of the lane come before the block
    std::size_t m_total = 0;
};

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
// Overlapping transfers get lanes of their own ("push", "push 2", ...): with many servers a worker has hundreds. A stack is such
// a group of lanes, and its strip shows, in the height of one lane, how much of the group's link they use together. Strips are
// made once, on the worker thread, in O(spans log lanes); a query costs O(log spans).
#pragma once

#include "engine/timeline/timeline.h"

#include <cstddef>
#include <stop_token>
#include <vector>

namespace syncopate::ui {

/// How much of a link the transfers of a stack use together, over time: 0 = idle, 1 = full. A transfer is assumed to flow evenly
/// over its span.
class LaneStrip final {
public:
    /// `lanes`: the stack's. `capacity`: bytes per second of their link; 0 = unknown: the share is that of busy lanes.
    LaneStrip(const std::vector<const Lane *> &lanes, double capacity, const std::stop_token &stop = {});

    /// Mean share within [from, to), absolute nanoseconds; 0 for an empty stretch. May exceed 1: a transfer
    /// whose rate changed is spread evenly over its span.
    [[nodiscard]] double share(Nanoseconds from, Nanoseconds to) const;
    /// Share times nanoseconds until `time`.
    [[nodiscard]] double areaUntil(Nanoseconds time) const;

    /// How much span number `span` of `lane` adds to the share while it lasts.
    [[nodiscard]] double shareOf(const Lane &lane, std::size_t span) const;
    /// The link is known, so that shares are of its rate.
    [[nodiscard]] bool isOfLink() const { return m_capacity > 0; }

private:
    /// From `time` on the share is `share`; `area` is its integral up to `time`.
    struct Knee {
        Nanoseconds time = 0;
        double share = 0, area = 0;
    };
    double m_capacity;
    std::size_t m_lanes;
    std::vector<Knee> m_knees; ///< ascending in time
};

/// Which lanes of a timeline form stacks: adjacent lanes of one worker called "X", "X 2", "X 3" and so on that are not compute
/// streams. A single lane is a stack of one.
class LaneStacks final {
public:
    LaneStacks() = default;
    explicit LaneStacks(const Timeline &timeline);

    /// First lane of the stack that `lane` belongs to.
    [[nodiscard]] std::size_t first(std::size_t lane) const { return m_first[lane]; }
    /// The size of the stack whose first lane is `lane`; 0 for other lanes.
    [[nodiscard]] std::size_t size(std::size_t lane) const { return m_size[lane]; }

private:
    std::vector<std::size_t> m_first, m_size;
};

} // namespace syncopate::ui

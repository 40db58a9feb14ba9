// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers that overlap are on lanes of their own ("push", "push 2", ...): with many servers a worker has hundreds. A stack is
// such a row of lanes, and its strip says in the height of one lane how much of the row's link they take together. Strips are
// made once, on the worker thread, in O(spans log lanes); a question costs O(log spans).
#pragma once

#include "engine/timeline/timeline.h"

#include <cstddef>
#include <stop_token>
#include <vector>

namespace syncopate::ui {

/// How much of a link the transfers of a stack take together, over time: 0 = idle, 1 = full. A transfer counts as flowing evenly
/// over its span.
class LaneStrip final {
public:
    /// `lanes`: of the stack. `capacity`: bytes per second of their link; 0 = not known: the share of the lanes that are busy.
    LaneStrip(const std::vector<const Lane *> &lanes, double capacity, const std::stop_token &stop = {});

    /// Mean share within [from, to), absolute nanoseconds; 0 where the stretch is empty. Not above 1 but by rounding.
    [[nodiscard]] double share(Nanoseconds from, Nanoseconds to) const;
    /// Share times nanoseconds until `time`.
    [[nodiscard]] double areaUntil(Nanoseconds time) const;

    /// What `lane`'s span number `span` adds to the share while it lasts.
    [[nodiscard]] double shareOf(const Lane &lane, std::size_t span) const;
    /// The link is known, so that a share is of its rate.
    [[nodiscard]] bool isOfLink() const { return m_capacity > 0; }

private:
    /// From `time` on the share is `share`; `area` is its integral until there.
    struct Knee {
        Nanoseconds time = 0;
        double share = 0, area = 0;
    };
    double m_capacity;
    std::size_t m_lanes;
    std::vector<Knee> m_knees; ///< ascending in time
};

/// Which lanes of a timeline make stacks: neighbours of one worker called "X", "X 2", "X 3" and so on, which are no compute
/// streams. Lanes that are alone are stacks of one.
class LaneStacks final {
public:
    LaneStacks() = default;
    explicit LaneStacks(const Timeline &timeline);

    /// First lane of the stack that `lane` is in.
    [[nodiscard]] std::size_t first(std::size_t lane) const { return m_first[lane]; }
    /// How many lanes the stack has whose first lane is `lane`; 0 for the others.
    [[nodiscard]] std::size_t size(std::size_t lane) const { return m_size[lane]; }

private:
    std::vector<std::size_t> m_first, m_size;
};

} // namespace syncopate::ui

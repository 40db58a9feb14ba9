// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/string_table.h"
#include "engine/timeline/timeline.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Makes a Timeline of spans that may overlap. Spans of a group go to as few lanes as possible, at most `maxLanes`: further
/// spans start where the last lane is free, and keep their end, unless it is earlier: then they are empty. Add spans of a group
/// in the order of their starts.
class LanePacker {
public:
    static constexpr std::size_t maxLanes = 64;

    /// Returns the group's number. Groups appear in the order in which they were added.
    std::size_t addGroup(std::string name, std::int32_t worker, bool isCompute);
    /// Returns the number of a label, adding it if it is new; labels are numbered in the order of their first use.
    std::int32_t label(std::string_view text) { return static_cast<std::int32_t>(m_labels.intern(text)); }
    /// Adds a span, `start` and `end` from the timeline's start and not negative. `label` as label() numbers it, `task` the
    /// profile's event number, `sizeBytes` 0 = no traffic. O(lanes of the group).
    void add(std::size_t group, Nanoseconds start, Nanoseconds end, Category category, std::int32_t label, std::int32_t task,
             double sizeBytes);
    /// Groups without spans are left out.
    [[nodiscard]] Timeline take();

private:
    struct Group {
        std::string name;
        std::int32_t worker;
        bool isCompute;
        std::vector<Lane> lanes;
    };
    std::vector<Group> m_groups;
    Timeline m_timeline;
    StringTable m_labels;
};

} // namespace syncopate

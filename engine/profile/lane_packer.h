// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/timeline.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace syncopate {

/// Makes a Timeline of spans that may overlap: those of a group go to as few lanes as it takes, at most `mostLanes` (what would
/// need more starts where the last lane is free). Spans of a group come in the order of their starts.
class LanePacker {
public:
    static constexpr std::size_t mostLanes = 64;

    /// Groups appear in the order in which they were added.
    std::size_t addGroup(std::string name, std::int32_t worker, bool isCompute);
    void add(std::size_t group, Nanoseconds start, Nanoseconds end, Category category, std::string_view label, std::int32_t task,
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
    std::unordered_map<std::string, std::int32_t> m_labels;
};

} // namespace syncopate

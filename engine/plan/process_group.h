// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace syncopate {

/// The processes of 0 .. N-1 that run a collective together: they agree in p mod stride and in p / (stride * size), so that all
/// groups of one size run at once. {8, 1} are the processes of a node of eight, {16, 8} one of each of sixteen nodes.
struct ProcessGroup {
    std::int32_t size = 0;   ///< members, 0 = all processes
    std::int32_t stride = 1; ///< between the numbers of two neighbours
    std::int32_t every = 1;  ///< only processes whose number is a multiple of this take part: the roots of smaller groups

    /// Of the payload that a reduce-scatter has left over smaller groups, a process holds one of this many parts: part
    /// (p / every) mod shards(), where parts are dealt out in turn.
    [[nodiscard]] std::int32_t shards() const { return stride / every; }
    [[nodiscard]] std::int32_t sizeAmong(std::int32_t processes) const { return size > 0 ? size : processes / stride; }
    bool operator==(const ProcessGroup &) const = default;
};

/// Whether the groups divide `processes` into equal ones.
[[nodiscard]] inline bool fits(const ProcessGroup &group, std::int32_t processes) {
    if (group.size < 0 || group.size == 1 || group.stride < 1 || group.every < 1 || group.stride % group.every != 0 ||
        processes % group.stride != 0)
        return false;
    const std::int32_t size = group.sizeAmong(processes);
    return size >= 2 && processes / group.stride % size == 0;
}

} // namespace syncopate

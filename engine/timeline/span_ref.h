// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace syncopate {

/// Refers to a span of a timeline by the number of its lane and its number in the lane.
struct SpanRef {
    std::size_t lane = 0;
    std::size_t span = 0;
    bool operator==(const SpanRef &) const = default;
};

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace syncopate {

/// One span of a timeline: the lane's number and the span's in it.
struct SpanRef {
    std::size_t lane = 0;
    std::size_t span = 0;
    bool operator==(const SpanRef &) const = default;
};

} // namespace syncopate

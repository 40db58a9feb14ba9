// SPDX-License-Identifier: GPL-3.0-or-later
// Tells from one rank's send and receive whether they are its part of a permute. A trace of one rank shows only what that rank
// does; where all ranks are equal, the one that it receives from must send as far as it sends itself.
#pragma once

#include <cstdint>
#include <optional>

namespace syncopate {

/// The ends of a transfer, by rank or by place in a group; -1 = not recorded.
struct TransferEnds {
    std::int64_t from = -1, to = -1;
};

/// A permute among equal ranks.
struct PermuteShift {
    std::int64_t shift = 0; ///< from the one that sends to the one that gets
    std::int64_t ranks = 0; ///< how many there are; 0 = not known
};

/// The permute of which the two are one rank's part, among `ranks` (0 = not known; a receive that comes round the end then tells
/// how many they are). Null where an end was not recorded, or where no shift has both.
[[nodiscard]] std::optional<PermuteShift> permuteShift(const TransferEnds &sent, const TransferEnds &got, std::int64_t ranks = 0);

} // namespace syncopate

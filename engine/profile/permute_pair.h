// SPDX-License-Identifier: GPL-3.0-or-later
// Recognises a permute from one rank's send and receive. A trace shows only what its own rank does; if all ranks do the same, the
// rank that it receives from sends as far ahead as it does itself.
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
    std::int64_t shift = 0; ///< from the sender to the receiver
    std::int64_t ranks = 0; ///< their number; 0 = not known
};

/// The permute among `ranks` in which one rank has these two transfers. If `ranks` is 0 (not known), a receive that wraps around
/// the end tells their number. Null if an end was not recorded, or if no shift yields both transfers.
[[nodiscard]] std::optional<PermuteShift> permuteShift(const TransferEnds &sent, const TransferEnds &got, std::int64_t ranks = 0);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/permute_pair.h"

#include <algorithm>
#include <cstdlib>

namespace syncopate {

std::optional<PermuteShift> permuteShift(const TransferEnds &sent, const TransferEnds &got, std::int64_t ranks) {
    constexpr std::int64_t maxRank = 65535;
    for (const std::int64_t rank : {sent.from, sent.to, got.from, got.to})
        if (rank < 0 || rank > maxRank)
            return std::nullopt;
    const std::int64_t ahead = sent.to - sent.from, behind = got.to - got.from, around = std::abs(ahead - behind);
    if (sent.from != got.to || ahead == 0 || behind == 0)
        return std::nullopt;
    const std::int64_t last = std::max({sent.from, sent.to, got.from});
    if (ranks > 0 ? last >= ranks || around % ranks != 0 : around > 0 && around <= last)
        return std::nullopt;
    return PermuteShift{ahead, ranks > 0 ? ranks : around};
}

} // namespace syncopate

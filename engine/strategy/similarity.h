// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/strategy/strategy.h"

#include <cstddef>
#include <unordered_set>
#include <vector>

namespace syncopate {

/// sim of Eq. 11, first approach (AutoSync's supplement, section 7): over all variables, the share of synchronisation-affecting
/// choices that two strategies of one job make alike, 0 to 1; 1 for equal ones. The choices of a variable are its axis, number of
/// parts, and, averaged over the parts where both have equally many (the first part's otherwise): kind, destination and transfer
/// destination, proxy, staleness, spec, compressor and group. O(shards). Strategies of different jobs have similarity 0.
[[nodiscard]] double similarity(const Strategy &a, const Strategy &b);

/// The measure of diversity that AutoSync's released search uses instead: how many variables of a strategy have a node config
/// that no strategy picked before has for that variable, group and placement left aside. O(shards) a strategy.
class ConfigNovelty {
public:
    /// Share of the variables whose node config is new, 0 to 1.
    [[nodiscard]] double noveltyOf(const Strategy &strategy) const;
    /// From now on `strategy` is among those picked.
    void pick(const Strategy &strategy);

private:
    std::vector<std::unordered_set<std::size_t>> m_seen; ///< per variable, hashes of node configs
};

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/link_paths.h"
#include "engine/plan/motif_costs.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// The links of a process's channels as fluid links that carry one second of a motif alone per second. Motifs of channels that
/// share a link share its rate. Two links that have slowdowns carry less than two together: while motifs with the factors f and g
/// use them, each moves at 2 / (f + g). Both lose the same share, since the cause is the host they have in common. That is exact
/// for one motif on each of two links; where channels share one of them, each of its motifs counts.
class ChannelLinks {
public:
    /// Both must outlive it.
    ChannelLinks(const std::vector<Channel> &channels, const std::vector<LinkSlowdown> &slowdowns);

    /// The links that channels name, then one for every pair that slow each other down: "e0 and e1 together".
    [[nodiscard]] const std::vector<FluidLink> &links() const { return m_links; }
    /// The hops over links() of a motif of `weight` on `channel`, by weight(). Motifs of a channel with the same weight have the
    /// same.
    [[nodiscard]] std::vector<PathHop> hops(ChannelId channel, double weight) const;
    [[nodiscard]] double weight(ChannelId channel, double aloneSeconds) const;

private:
    const std::vector<Channel> &m_channels;
    const std::vector<LinkSlowdown> &m_slowdowns;
    std::vector<FluidLink> m_links;
    std::vector<std::vector<LinkId>> m_own, m_pairs; ///< per channel, of m_links
};

} // namespace syncopate

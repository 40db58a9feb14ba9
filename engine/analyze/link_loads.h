// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/run.h"

#include <array>
#include <cstdint>
#include <vector>

namespace syncopate {

/// The links of one node; none = none of the scenario's traffic crosses it. Folded nodes share the links that stand for each of
/// them. Of several NICs the first, which has as many connections as any other.
struct NodeLinks {
    LinkId transmit, receive;
    std::vector<LinkId> lanes; ///< inside the node: between its devices, from and to them, then its host's
};
/// One entry per node of the scenario's cluster.
[[nodiscard]] std::vector<NodeLinks> linksOfNodes(const Run &run);

/// The bytes that cross each link of a run until any moment. A message counts as flowing evenly between the end of its fixed time
/// and its end: exact over whole messages, a mean within one. Build O(hops log hops), query O(log hops).
class LinkLoads {
public:
    explicit LinkLoads(const Run &run);

    /// Bytes over `link` within [from, to), seconds of the run.
    [[nodiscard]] double bytes(LinkId link, double from, double to) const;
    /// The share of the link's capacity that those bytes use: 0 idle, 1 full.
    [[nodiscard]] double share(LinkId link, double from, double to) const;

private:
    /// A link's bytes until `seconds`, and its rate in bytes/s from there on.
    struct Knee {
        double seconds = 0, bytes = 0, rate = 0;
    };
    [[nodiscard]] double until(LinkId link, double seconds) const;

    std::vector<double> m_rates;
    std::vector<std::vector<Knee>> m_knees; ///< per link, ascending in time
};

/// The variables that a node's CPU keeps as a parameter server: the bytes of the variables (or parts) that are reduced there, and
/// their number.
struct ServerShare {
    double bytes = 0;
    std::int32_t units = 0;
};
/// One entry per node of the scenario's cluster.
[[nodiscard]] std::vector<ServerShare> serverShares(const Run &run);

} // namespace syncopate

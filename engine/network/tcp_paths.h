// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/fluid.h"
#include "engine/network/network.h"
#include "engine/network/tcp_links.h"

#include <cstddef>
#include <vector>

namespace syncopate {

/// Whether the flows of a path are TCP connections: it leaves one node over NICs and enters one other. Paths inside a node are
/// not, nor are those of analytic collectives, which cross the NICs of all nodes both ways and stand for many messages at once.
[[nodiscard]] bool isConnection(const LinkPaths &network, PathId path);

/// The paths of a task graph over TCP. The problem: a flow of a graph is independent of the others on its path, with a rate limit
/// of its own, while a connection delivers its bytes in order. So each path has a pool of connections: a flow takes the idle one
/// that was used last, with the congestion window that this has reached, and a new one where all are busy. Links serve
/// connections as TcpLinks does; acknowledgements take the opposite directions (FluidLink::opposite) of the NICs on their way.
/// Other flows share links max-min fairly among themselves; they and the queues do not see each other. Deterministic; O(links of
/// the path * log segments in flight) for each segment.
class TcpPaths {
public:
    /// `network` must outlive it; NetworkOverTime applies its capacityChanges. Token buckets are the links' own;
    /// TcpOptions::burstBytes is ignored.
    explicit TcpPaths(const LinkPaths &network, const TcpOptions &options = {});

    void start(FlowId flow, PathId path, double bytes, double now);
    void setCapacity(LinkId link, double bytesPerSecond) {
        m_fluid.setCapacity(link, bytesPerSecond);
        m_tcp.setCapacity(link, bytesPerSecond);
    }
    /// When the next segment moves or the next other flow ends; infinity if nothing is under way.
    [[nodiscard]] double next(double now);
    /// Makes all moves of `now`, the time of next(), and those within rounding of it, and appends the flows that have arrived:
    /// first those that are no connections, as FluidLinks has them, then connections in the order of their last segments. Stops
    /// after 65,536 moves; next() is then within rounding of `now` again, and the next call goes on.
    void advance(double now, std::vector<NetworkEvent> &seen);
    /// Connections opened so far.
    [[nodiscard]] std::size_t connectionCount() const { return m_uses.size(); }

private:
    struct Pool {
        bool isConnection = false;
        std::vector<PathId> idle; ///< connections, the last one used last
    };
    /// The path of a connection, and its present flow.
    struct Use {
        PathId path;
        FlowId flow;
    };
    PathId connect(PathId path);

    const LinkPaths &m_network;
    FluidLinks m_fluid;
    TcpLinks m_tcp;
    std::vector<Pool> m_pools; ///< per path
    std::vector<Use> m_uses;   ///< per connection
    double m_nextFluid = 0;
    std::vector<NetworkEvent> m_moved; ///< scratch of advance()
};

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tcp_paths.h"

#include <algorithm>

namespace syncopate {

namespace {

/// At most this many moves are made at once: all segments of a burst (FluidLink::burstBytes) pass at one time.
constexpr int tcpMovesAtOnce = 1 << 16;

std::vector<TcpLink> tcpLinksOf(const LinkPaths &network) {
    std::vector<TcpLink> links;
    for (const FluidLink &link : network.links)
        links.push_back({link.bytesPerSecond, link.burstBytes});
    return links;
}

/// A direction of a node's NIC.
bool isNic(const FluidLink &link) { return !link.isFabric && !link.nodes.empty(); }

} // namespace

bool isConnection(const LinkPaths &network, PathId path) {
    const std::vector<std::int32_t> *from = nullptr, *to = nullptr;
    for (const PathHop &hop : network.hopsOf(path)) {
        const FluidLink &link = network.links[hop.link.index()];
        if (!isNic(link))
            continue;
        const std::vector<std::int32_t> *&end = link.receives ? to : from;
        if (end != nullptr && *end != link.nodes)
            return false;
        end = &link.nodes;
    }
    return from != nullptr && to != nullptr && *from != *to;
}

TcpPaths::TcpPaths(const LinkPaths &network, const TcpOptions &options)
    : m_network(network), m_fluid(network), m_tcp(tcpLinksOf(network), options), m_pools(network.pathCount()) {
    for (std::size_t p = 0; p < m_pools.size(); ++p)
        m_pools[p].isConnection = syncopate::isConnection(network, PathId(p));
}

PathId TcpPaths::connect(PathId path) {
    const auto hops = m_network.hopsOf(path);
    std::vector<LinkId> back;
    for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop)
        if (const LinkId opposite = m_network.links[hop->link.index()].opposite; opposite.exists())
            back.push_back(opposite);
    m_uses.push_back({path, {}});
    return m_tcp.connect({hops.begin(), hops.end()}, std::move(back), m_network.pathLimits[path.index()]);
}

void TcpPaths::start(FlowId flow, PathId path, double bytes, double now) {
    Pool &pool = m_pools[path.index()];
    if (!pool.isConnection) {
        m_fluid.start(flow, path, bytes, now);
        return;
    }
    PathId connection;
    if (pool.idle.empty()) {
        connection = connect(path);
    } else {
        connection = pool.idle.back();
        pool.idle.pop_back();
    }
    m_uses[connection.index()].flow = flow;
    m_tcp.start(FlowId(connection.number()), connection, bytes, now);
}

double TcpPaths::next(double now) {
    m_nextFluid = m_fluid.next(now);
    return std::min(m_nextFluid, m_tcp.next(now));
}

void TcpPaths::advance(double now, std::vector<NetworkEvent> &seen) {
    const double momentEnd = now * (1 + momentRounding);
    if (m_nextFluid <= momentEnd)
        m_fluid.advance(std::max(now, m_nextFluid), seen);
    m_moved.clear();
    for (int moves = 0; moves < tcpMovesAtOnce && m_tcp.next(now) <= momentEnd; ++moves)
        m_tcp.advance(now, m_moved);
    for (const NetworkEvent &event : m_moved) {
        if (event.kind != NetworkEvent::Kind::Arrived)
            continue;
        const PathId connection(event.flow.number());
        const Use &use = m_uses[connection.index()];
        seen.push_back({use.flow});
        m_pools[use.path.index()].idle.push_back(connection);
    }
}

static_assert(Network<TcpPaths>);

} // namespace syncopate

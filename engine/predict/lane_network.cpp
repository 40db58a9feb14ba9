// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/lane_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace syncopate {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Flows that stand for one of weight 1 on average where sharing is uneven: shares then come in steps of about an eighth.
constexpr double flowsPerWeight = 8;

/// Whether any of it takes something: then every link counts, also those that could not be full by themselves.
bool takesShares(const std::vector<BackgroundTraffic> &background) {
    return std::any_of(background.begin(), background.end(), [](const BackgroundTraffic &traffic) { return traffic.share > 0; });
}

} // namespace

LaneNetwork::LaneNetwork(const StepTemplate &step, const PredictMachines &machines, const GenerateOptions &options)
    : m_machines(machines), m_options(options), m_links(makeLinks(machines, takesShares(options.background))),
      m_fluid(m_links.graph), m_lanesEach(step.laneCount()), m_shareRng(Rng(options.seed).next()) {
    const std::size_t lanes = machines.workerNode.size() * static_cast<std::size_t>(m_lanesEach);
    m_flows.assign(lanes, 0);
    m_paths.assign(lanes, -1);
    for (std::size_t id = 0; id < lanes; ++id) {
        const auto own = static_cast<std::int32_t>(id % static_cast<std::size_t>(m_lanesEach));
        if (step.isTransferLane(own))
            m_paths[id] =
                (step.isUplink(own)
                     ? m_links.upPath
                     : m_links.downPath)[id / static_cast<std::size_t>(m_lanesEach) * static_cast<std::size_t>(step.servers) +
                                         static_cast<std::size_t>((own - 1) % step.servers)];
    }
    if (options.sharing == LinkSharing::Tcp)
        connect(step);
    planBackground();
}

void LaneNetwork::connect(const StepTemplate &step) {
    m_tcp.emplace(m_machines.nodeBytesPerSecond, m_options.tcp);
    m_connections.assign(m_paths.size(), -1);
    for (std::size_t id = 0; id < m_paths.size(); ++id) {
        const auto own = static_cast<std::int32_t>(id % static_cast<std::size_t>(m_lanesEach));
        if (!step.isTransferLane(own))
            continue;
        const std::int32_t worker = m_machines.workerNode[id / static_cast<std::size_t>(m_lanesEach)];
        const std::int32_t server = m_machines.serverNode[static_cast<std::size_t>((own - 1) % step.servers)];
        if (worker == server)
            continue;
        m_connections[id] = step.isUplink(own) ? m_tcp->connect(worker, server) : m_tcp->connect(server, worker);
        m_laneOfConnection.push_back(static_cast<std::int32_t>(id));
    }
}

void LaneNetwork::planBackground() {
    std::vector<std::pair<std::int32_t, BackgroundTraffic>> entries;
    for (const BackgroundTraffic &traffic : m_options.background) {
        const auto &nodes = traffic.server ? m_machines.serverNode : m_machines.workerNode;
        if (static_cast<std::size_t>(traffic.index) < nodes.size())
            entries.emplace_back(2 * nodes[static_cast<std::size_t>(traffic.index)] + (traffic.up ? 0 : 1), traffic);
    }
    m_changes = rateChangesOf(entries);
}

bool LaneNetwork::start(std::int32_t lane, double bytes, double now) {
    if (isConnection(lane)) {
        m_tcp->write(m_connections[static_cast<std::size_t>(lane)], bytes, now);
        return true;
    }
    const std::int32_t path = m_paths[static_cast<std::size_t>(lane)];
    if (path < 0 || !(bytes > 0))
        return false;
    std::int32_t flows = 1;
    if (m_options.sharing == LinkSharing::Uneven)
        flows = std::max(1, static_cast<std::int32_t>(std::lround(-flowsPerWeight * std::log1p(-m_shareRng.uniform(0, 1)))));
    m_flows[static_cast<std::size_t>(lane)] = flows;
    for (std::int32_t i = 0; i < flows; ++i)
        m_fluid.start(lane, path, bytes / flows, now);
    return true;
}

bool LaneNetwork::send(const Errand &errand, std::int32_t lane, double now) {
    if (!isConnection(lane))
        return false;
    auto id = static_cast<std::int32_t>(m_errands.size());
    if (m_freeErrands.empty()) {
        m_errands.push_back(errand);
    } else {
        id = m_freeErrands.back();
        m_freeErrands.pop_back();
        m_errands[static_cast<std::size_t>(id)] = errand;
    }
    m_tcp->message(m_connections[static_cast<std::size_t>(lane)], id, now);
    return true;
}

double LaneNetwork::next(double now) {
    m_fluid.settle(now);
    m_nextFlow = m_fluid.idle() ? infinity : m_fluid.nextEnd();
    m_nextMove = m_tcp ? m_tcp->next() : infinity;
    const double nextChange = m_nextChange < m_changes.size() ? m_changes[m_nextChange].seconds : infinity;
    return std::min({m_nextFlow, m_nextMove, nextChange});
}

void LaneNetwork::change(double now) {
    for (; m_nextChange < m_changes.size() && m_changes[m_nextChange].seconds <= now; ++m_nextChange) {
        const RateChange &change = m_changes[m_nextChange];
        const double rate = change.left * m_machines.nodeBytesPerSecond[static_cast<std::size_t>(change.link / 2)];
        m_fluid.setCapacity(change.link, rate);
        if (m_tcp)
            m_tcp->setCapacity(change.link, rate);
    }
}

void LaneNetwork::advance(double now, std::vector<Event> &seen) {
    change(now);
    if (m_nextFlow <= now) {
        m_endedFlows.clear();
        m_fluid.collect(now, m_endedFlows);
        for (const std::int32_t lane : m_endedFlows)
            if (--m_flows[static_cast<std::size_t>(lane)] == 0)
                seen.push_back({Event::Kind::Ended, lane, {}});
    }
    if (m_nextMove > now)
        return;
    m_moved.clear();
    m_tcp->move(m_moved);
    for (const TcpLinks::Event &event : m_moved) {
        switch (event.kind) {
        case TcpLinks::Kind::Written:
            seen.push_back({Event::Kind::Written, m_laneOfConnection[static_cast<std::size_t>(event.id)], {}});
            break;
        case TcpLinks::Kind::Arrived:
            seen.push_back({Event::Kind::Arrived, m_laneOfConnection[static_cast<std::size_t>(event.id)], {}});
            break;
        case TcpLinks::Kind::Message:
            seen.push_back({Event::Kind::Message, -1, m_errands[static_cast<std::size_t>(event.id)]});
            m_freeErrands.push_back(event.id);
            break;
        }
    }
}

} // namespace syncopate

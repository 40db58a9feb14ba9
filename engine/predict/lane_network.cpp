// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/lane_network.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate {

namespace {

/// Mean number of flows per transfer where sharing is uneven: weights are then rounded to eighths of their mean.
constexpr double flowsPerWeight = 8;

/// The links, with the capacity that background traffic leaves. If there is any, every link is kept, even those that could not
/// become a bottleneck by themselves.
PredictLinks linksOf(const PredictMachines &machines, const GenerateOptions &options) {
    const std::vector<BackgroundTraffic> &background = options.background;
    const auto takes = [](const BackgroundTraffic &traffic) { return traffic.share > 0; };
    PredictLinks links = makeLinks(machines, {.all = std::any_of(background.begin(), background.end(), takes),
                                              .severalFlows = options.sharing == LinkSharing::Uneven});
    const Nics nics(machines);
    for (const NicChange &change : nicChangesOf(background, machines.workerNode, machines.serverNode))
        for (std::int32_t nic = nics.first(change.node); nic < nics.first(change.node + 1); ++nic)
            links.network.capacityChanges.push_back({change.seconds, LinkId(2 * nic + (change.up ? 0 : 1)),
                                                     change.left * nics.bytesPerSecond()[static_cast<std::size_t>(nic)]});
    return links;
}

} // namespace

LaneNetwork::LaneNetwork(const StepTemplate &step, const PredictMachines &machines, const GenerateOptions &options)
    : m_options(options), m_network(linksOf(machines, options)),
      m_links(
          options.sharing == LinkSharing::Tcp
              ? Links(std::in_place_type<Tcp>, m_network.network.capacityChanges, Nics(machines).bytesPerSecond(), options.tcp)
              : Links(std::in_place_type<Fluid>, m_network.network.capacityChanges, m_network.network)),
      m_lanesPerWorker(step.laneCount()), m_shareRng(Rng(options.seed).next()) {
    const std::size_t lanes = machines.workerNode.size() * static_cast<std::size_t>(m_lanesPerWorker);
    m_flows.assign(lanes, 0);
    m_paths.assign(lanes, {});
    if (Tcp *tcp = std::get_if<Tcp>(&m_links))
        connect(step, machines, tcp->links());
    else
        findPaths(step);
}

void LaneNetwork::findPaths(const StepTemplate &step) {
    for (std::size_t id = 0; id < m_paths.size(); ++id) {
        const auto lane = static_cast<std::int32_t>(id % static_cast<std::size_t>(m_lanesPerWorker));
        if (!step.isTransferLane(lane))
            continue;
        const auto &paths = step.isUplink(lane) ? m_network.upPath : m_network.downPath;
        m_paths[id] = paths[id / static_cast<std::size_t>(m_lanesPerWorker) * static_cast<std::size_t>(step.servers) +
                            step.serverOf(lane).index()];
    }
}

void LaneNetwork::connect(const StepTemplate &step, const PredictMachines &machines, TcpLinks &links) {
    const Nics nics(machines);
    for (std::size_t id = 0; id < m_paths.size(); ++id) {
        const auto lane = static_cast<std::int32_t>(id % static_cast<std::size_t>(m_lanesPerWorker));
        if (!step.isTransferLane(lane))
            continue;
        const std::size_t w = id / static_cast<std::size_t>(m_lanesPerWorker), s = step.serverOf(lane).index();
        const std::int32_t worker = machines.workerNode[w], server = machines.serverNode[s];
        if (worker == server)
            continue;
        const std::int32_t there = nics.of(server, w), here = nics.of(worker, s);
        const double limit = machines.limits.between(worker, server);
        m_paths[id] = step.isUplink(lane) ? links.connect(here, there, limit) : links.connect(there, here, limit);
    }
}

bool LaneNetwork::start(LaneId lane, double bytes, double now) {
    const PathId path = m_paths[lane.index()];
    if (!path.exists())
        return false;
    if (Tcp *tcp = std::get_if<Tcp>(&m_links)) {
        tcp->start(FlowId(lane.number()), path, bytes, now);
        return true;
    }
    if (!(bytes > 0))
        return false;
    std::int32_t flows = 1;
    if (m_options.sharing == LinkSharing::Uneven)
        flows = std::max(1, static_cast<std::int32_t>(std::lround(-flowsPerWeight * std::log1p(-m_shareRng.uniform(0, 1)))));
    m_flows[lane.index()] = flows;
    Fluid &fluid = std::get<Fluid>(m_links);
    for (std::int32_t i = 0; i < flows; ++i)
        fluid.start(FlowId(lane.number()), path, bytes / flows, now);
    return true;
}

bool LaneNetwork::send(const Errand &errand, LaneId lane, double now) {
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
    std::get<Tcp>(m_links).links().message(FlowId(id), m_paths[lane.index()], now);
    return true;
}

double LaneNetwork::next(double now) {
    return std::visit([now](auto &links) { return links.next(now); }, m_links);
}

void LaneNetwork::advance(double now, std::vector<Event> &seen) {
    m_seen.clear();
    std::visit([this, now](auto &links) { links.advance(now, m_seen); }, m_links);
    for (const NetworkEvent &event : m_seen) {
        const LaneId lane(event.flow.number()); // of all but messages, whose flows have their errands' numbers
        switch (event.kind) {
        case NetworkEvent::Kind::Written:
            seen.push_back({Event::Kind::Written, lane, {}});
            break;
        case NetworkEvent::Kind::Arrived:
            if (isTcp())
                seen.push_back({Event::Kind::Arrived, lane, {}});
            else if (--m_flows[lane.index()] == 0)
                seen.push_back({Event::Kind::Ended, lane, {}});
            break;
        case NetworkEvent::Kind::Message:
            seen.push_back({Event::Kind::Message, {}, m_errands[event.flow.index()]});
            m_freeErrands.push_back(event.flow.number());
            break;
        }
    }
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/choose_servers.h"

#include "engine/strategy/policy.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace syncopate {

namespace {

struct Server {
    std::int32_t node;
    std::string device;
};

/// Dedicated servers come first, as BytePS numbers them, then those on training nodes; `colocated` is the number of the latter.
std::vector<Server> serversOf(const Cluster &cluster, const std::vector<SyncUnit> &units, std::size_t &colocated) {
    std::vector<Server> servers;
    for (const SyncUnit &unit : units)
        if (unit.kind == SynchronizerKind::ParameterServer &&
            std::none_of(servers.begin(), servers.end(), [&](const Server &s) { return s.device == unit.destination; }))
            servers.push_back({cluster.nodeOf(unit.destination), unit.destination});
    std::sort(servers.begin(), servers.end(),
              [](const Server &a, const Server &b) { return a.node != b.node ? a.node < b.node : a.device < b.device; });
    const auto colocatedBegin = std::stable_partition(servers.begin(), servers.end(), [&](const Server &s) {
        return std::find(cluster.serverOnly.begin(), cluster.serverOnly.end(), s.node) != cluster.serverOnly.end();
    });
    colocated = static_cast<std::size_t>(servers.end() - colocatedBegin);
    return servers;
}

/// Rank of each variable's name in alphabetical order.
std::vector<std::size_t> alphabeticalRanks(const Job &job) {
    std::vector<std::size_t> order(job.variables.size()), ranks(job.variables.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return job.variables[a].name < job.variables[b].name; });
    for (std::size_t i = 0; i < order.size(); ++i)
        ranks[order[i]] = i;
    return ranks;
}

} // namespace

void chooseServers(const Job &job, const Cluster &cluster, const CommPolicy &policy, std::vector<SyncUnit> &units) {
    const auto &serverOf = policy.kind().serverOf;
    if (!serverOf)
        return;
    Piece piece;
    const std::vector<Server> servers = serversOf(cluster, units, piece.colocatedServers);
    if (servers.empty())
        return;
    piece.servers = servers.size();
    piece.workers = cluster.nodes.size() - cluster.serverOnly.size();
    const std::vector<std::size_t> ranks = alphabeticalRanks(job);
    std::vector<std::size_t> parts(job.variables.size(), 0);
    for (SyncUnit &unit : units) {
        if (unit.kind != SynchronizerKind::ParameterServer)
            continue;
        const auto variable = static_cast<std::size_t>(unit.variables.front());
        piece.tensor = ranks[variable];
        piece.part = parts[variable]++;
        if (const auto chosen = serverOf(policy, piece))
            unit.destination = servers[*chosen].device;
    }
}

} // namespace syncopate

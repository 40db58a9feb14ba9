// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/step_player.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace syncopate {

namespace {

using Edges = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// Successors of each op, those with the smaller place first.
void successors(const Edges &edges, std::size_t count, const std::vector<std::int64_t> &place,
                std::vector<std::uint32_t> &offsets, std::vector<std::int32_t> &out) {
    Edges sorted = edges;
    std::stable_sort(sorted.begin(), sorted.end(), [&](const auto &a, const auto &b) {
        return std::pair(a.first, place[static_cast<std::size_t>(a.second)]) <
               std::pair(b.first, place[static_cast<std::size_t>(b.second)]);
    });
    offsets.assign(count + 1, 0);
    for (const auto &[before, after] : sorted) {
        ++offsets[static_cast<std::size_t>(before) + 1];
        out.push_back(after);
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
}

} // namespace

StepTemplate makeTemplate(const StepGraph &graph, const std::vector<std::int64_t> &transferRank) {
    StepTemplate made;
    const std::size_t n = graph.ops.size();
    made.servers = graph.servers;
    std::vector<std::int64_t> place(n);
    for (std::size_t i = 0; i < n; ++i)
        place[i] = graph.ops[i].resource == StepResource::Downlink && !transferRank.empty() ? transferRank[i] : graph.ops[i].rank;
    successors(graph.edges, n, place, made.childOffsets, made.children);
    successors(graph.nextEdges, n, place, made.nextOffsets, made.next);
    made.waits.assign(n, 0);
    for (const auto &edge : graph.edges)
        ++made.waits[static_cast<std::size_t>(edge.second)];
    made.waitsLater = made.waits;
    for (const auto &edge : graph.nextEdges)
        ++made.waitsLater[static_cast<std::size_t>(edge.second)];
    for (std::size_t i = 0; i < n; ++i) {
        if (made.waits[i] == 0)
            made.firstRoots.push_back(static_cast<std::int32_t>(i));
        if (made.waitsLater[i] == 0) {
            made.roots.push_back(static_cast<std::int32_t>(i));
            made.waitsLater[i] = 1;
        }
        const StepOp &op = graph.ops[i];
        std::int32_t lane = 0;
        if (op.resource != StepResource::Worker)
            lane = 1 + op.server +
                   made.servers * (op.resource == StepResource::Downlink ? 0
                                   : op.resource == StepResource::Uplink ? 1
                                                                         : 2);
        made.lane.push_back(lane);
    }
    for (auto *roots : {&made.firstRoots, &made.roots})
        std::stable_sort(roots->begin(), roots->end(), [&](std::int32_t a, std::int32_t b) {
            return place[static_cast<std::size_t>(a)] < place[static_cast<std::size_t>(b)];
        });
    return made;
}

PredictLinks makeLinks(const PredictMachines &machines, bool all) {
    PredictLinks made;
    const auto rate = [&](std::int32_t node) { return machines.nodeBytesPerSecond[static_cast<std::size_t>(node)]; };
    for (std::size_t node = 0; node < machines.nodeBytesPerSecond.size(); ++node)
        for (const char *direction : {" tx", " rx"})
            made.network.addLink({"node " + std::to_string(node) + direction,
                                  machines.nodeBytesPerSecond[node],
                                  {static_cast<std::int32_t>(node)}});
    // What can come in at most: a link that carries all of it is never full before another is.
    double workersTogether = 0, serversTogether = 0;
    for (const std::int32_t node : std::set<std::int32_t>(machines.workerNode.begin(), machines.workerNode.end()))
        workersTogether += rate(node);
    const std::set<std::int32_t> servers(machines.serverNode.begin(), machines.serverNode.end());
    for (const std::int32_t node : servers)
        serversTogether += rate(node);
    // A node that is both worker and server has traffic of two kinds on each link.
    const auto both = [&](std::int32_t node) {
        return servers.contains(node) &&
               std::find(machines.workerNode.begin(), machines.workerNode.end(), node) != machines.workerNode.end();
    };
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> known;
    for (std::size_t w = 0; w < machines.workerNode.size(); ++w)
        for (std::size_t m = 0; m < machines.serverNode.size(); ++m) {
            const std::int32_t worker = machines.workerNode[w], server = machines.serverNode[m];
            if (worker == server) {
                made.downPath.push_back(-1);
                made.upPath.push_back(-1);
                continue;
            }
            const bool needsWorker = all || both(worker) || rate(worker) < serversTogether;
            const bool needsServer = all || !needsWorker || both(server) || rate(server) < workersTogether;
            for (const bool up : {false, true}) {
                const std::int32_t atWorker = needsWorker ? 2 * worker + (up ? 0 : 1) : -1;
                const std::int32_t atServer = needsServer ? 2 * server + (up ? 1 : 0) : -1;
                const auto [path, fresh] = known.try_emplace({atWorker, atServer}, -1);
                if (fresh) {
                    std::vector<PathHop> hops;
                    for (const std::int32_t link : {atWorker, atServer})
                        if (link >= 0)
                            hops.push_back({link, 1});
                    path->second = made.network.addPath(hops);
                }
                (up ? made.upPath : made.downPath).push_back(path->second);
            }
        }
    return made;
}

} // namespace syncopate

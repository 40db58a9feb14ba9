// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/rng.h"
#include "engine/predict/generate.h"
#include "engine/rewrite/orders.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace syncopate {

Result<PredictMachines> machinesOf(const Cluster &cluster, std::int32_t servers) {
    if (servers < 1 || servers > 10000)
        return fail(fmt::format("{} parameter servers", servers), "use 1 to 10000");
    PredictMachines machines;
    machines.messageSeconds = cluster.messageSeconds + cluster.latencySeconds;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
        const Node &node = cluster.nodes[n];
        machines.nodeBytesPerSecond.push_back(node.bandwidthBytesPerSecond * cluster.linkEfficiency);
        const auto index = static_cast<std::int32_t>(n);
        if (std::find(cluster.serverOnly.begin(), cluster.serverOnly.end(), index) != cluster.serverOnly.end()) {
            machines.serverNode.push_back(index);
            continue;
        }
        for (std::int32_t r = 0; r < node.replicaCount(); ++r) {
            machines.workerNode.push_back(index);
            machines.workerScale.push_back(node.computeScale);
        }
    }
    if (machines.workerNode.empty())
        return fail("the cluster has no worker", "add a node with a GPU or CPU");
    if (machines.serverNode.empty()) {
        for (std::int32_t m = 0; m < servers; ++m) {
            machines.serverNode.push_back(static_cast<std::int32_t>(machines.nodeBytesPerSecond.size()));
            machines.nodeBytesPerSecond.push_back(machines.nodeBytesPerSecond.front());
        }
    } else if (static_cast<std::int32_t>(machines.serverNode.size()) != servers) {
        return fail(fmt::format("the cluster has {} dedicated servers, not {}", machines.serverNode.size(), servers),
                    "ask for as many, or take server_only out of the cluster");
    }
    return machines;
}

namespace {

std::vector<std::int64_t> recordedRanks(const StepSet &set) {
    std::vector<std::int64_t> ranks;
    for (const StepOp &op : set.graph.ops)
        ranks.push_back(op.rank);
    return ranks;
}

} // namespace

Result<std::vector<std::int64_t>> transferRanks(const StepSet &set, TransferOrder order, const Job *job, double bytesPerSecond,
                                                std::uint64_t seed) {
    const std::size_t n = set.graph.ops.size();
    std::vector<std::int64_t> ranks = recordedRanks(set);
    switch (order) {
    case TransferOrder::Recorded:
        return std::vector<std::int64_t>();
    case TransferOrder::Reverse:
        for (std::int64_t &rank : ranks)
            rank = -rank;
        return ranks;
    case TransferOrder::Random: { // Fisher and Yates
        Rng rng(seed);
        std::iota(ranks.begin(), ranks.end(), 0);
        for (std::size_t i = n; i > 1; --i)
            std::swap(ranks[i - 1], ranks[static_cast<std::size_t>(rng.next() % i)]);
        return ranks;
    }
    case TransferOrder::Tic:
    case TransferOrder::Tac:
        break;
    }
    if (job == nullptr || !(bytesPerSecond > 0))
        return fail("the orders tic and tac need the layers of the job", "give a job, or a profile whose layers are known");
    std::vector<double> seconds(job->layers.size(), 0);
    for (const StepOp &op : set.graph.ops)
        if (op.resource == StepResource::Downlink && op.layer >= 0 && static_cast<std::size_t>(op.layer) < seconds.size())
            seconds[static_cast<std::size_t>(op.layer)] += op.sizeBytes / bytesPerSecond;
    const auto made = order == TransferOrder::Tic ? ticOrder(*job, seconds) : tacOrder(*job, seconds);
    if (!made)
        return Unexpected(made.error());
    for (std::size_t i = 0; i < n; ++i)
        if (const std::int32_t layer = set.graph.ops[i].layer; layer >= 0 && static_cast<std::size_t>(layer) < made->size())
            ranks[i] = (*made)[static_cast<std::size_t>(layer)];
    return ranks;
}

} // namespace syncopate

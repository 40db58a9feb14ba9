// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/rng.h"
#include "engine/predict/generate.h"
#include "engine/strategy/layer_orders.h"

#include <algorithm>
#include <numeric>

namespace syncopate {

namespace {

/// The step's ops as layers of a job, so that TicTac's orders see the same DAG: a transfer down becomes a layer without time or
/// parents, any other op one with its mean seconds over the steps. `layerOf` maps ops to layers.
Job asJob(const StepSet &set, std::vector<std::int32_t> &layerOf) {
    const std::size_t n = set.graph.ops.size();
    std::vector<std::vector<std::int32_t>> parents(n), children(n);
    std::vector<std::int32_t> waits(n, 0);
    for (const auto &[before, after] : set.graph.edges) {
        parents[static_cast<std::size_t>(after)].push_back(before);
        children[static_cast<std::size_t>(before)].push_back(after);
        ++waits[static_cast<std::size_t>(after)];
    }
    std::vector<std::int32_t> ready;
    for (std::size_t i = 0; i < n; ++i)
        if (waits[i] == 0)
            ready.push_back(static_cast<std::int32_t>(i));
    layerOf.assign(n, -1);
    Job job;
    for (std::size_t done = 0; done < ready.size(); ++done) {
        const auto op = static_cast<std::size_t>(ready[done]);
        layerOf[op] = static_cast<std::int32_t>(done);
        Layer layer;
        if (!isTransfer(set.graph.ops[op].resource))
            for (const auto &seconds : set.seconds)
                layer.forwardSeconds += seconds[op] / static_cast<double>(set.seconds.size());
        for (const std::int32_t parent : parents[op])
            layer.parents.push_back(layerOf[static_cast<std::size_t>(parent)]);
        job.layers.push_back(std::move(layer));
        for (const std::int32_t child : children[op])
            if (--waits[static_cast<std::size_t>(child)] == 0)
                ready.push_back(child);
    }
    return job;
}

} // namespace

Result<std::vector<std::int64_t>> transferRanks(const StepSet &set, TransferOrder order, double bytesPerSecond,
                                                std::uint64_t seed) {
    TRY(validateStepSet(set));
    const std::size_t n = set.graph.ops.size();
    std::vector<std::int64_t> ranks;
    if (order == TransferOrder::Recorded)
        return ranks;
    for (const StepOp &op : set.graph.ops)
        ranks.push_back(op.rank);
    if (order == TransferOrder::Reverse) {
        for (std::int64_t &rank : ranks)
            rank = -rank;
        return ranks;
    }
    if (order == TransferOrder::Random) { // Fisher-Yates shuffle
        Rng rng(seed);
        std::iota(ranks.begin(), ranks.end(), 0);
        for (std::size_t i = n; i > 1; --i)
            std::swap(ranks[i - 1], ranks[static_cast<std::size_t>(rng.next() % i)]);
        return ranks;
    }
    if (!(bytesPerSecond > 0))
        return fail("the orders tic and tac need the time of a transfer", "give a bandwidth");
    std::vector<std::int32_t> layerOf;
    const Job job = asJob(set, layerOf);
    std::vector<double> seconds(job.layers.size(), 0);
    for (std::size_t i = 0; i < n; ++i)
        if (set.graph.ops[i].resource == StepResource::Downlink && set.graph.ops[i].sizeBytes > 0)
            seconds[static_cast<std::size_t>(layerOf[i])] = set.graph.ops[i].sizeBytes / bytesPerSecond;
    const auto rankOfLayer = TRY(order == TransferOrder::Tic ? ticOrder(job, seconds) : tacOrder(job, seconds));
    for (std::size_t i = 0; i < n; ++i) // among transfers that TicTac does not order, the first recorded
        ranks[i] = transferPriority(rankOfLayer[static_cast<std::size_t>(layerOf[i])], ranks[i]);
    return ranks;
}

} // namespace syncopate

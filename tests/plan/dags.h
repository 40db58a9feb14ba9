// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/rng.h"
#include "engine/cluster/cluster.h"
#include "engine/plan/execution_plan.h"
#include "engine/plan/motif_costs.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace syncopate::testing {

constexpr DagOpId operator""_op(unsigned long long number) { return DagOpId(static_cast<std::size_t>(number)); }
constexpr MotifId operator""_motif(unsigned long long number) { return MotifId(static_cast<std::size_t>(number)); }
constexpr ChannelId operator""_channel(unsigned long long number) { return ChannelId(static_cast<std::size_t>(number)); }
constexpr ProcessId operator""_process(unsigned long long number) { return ProcessId(static_cast<std::size_t>(number)); }

inline DagOp computeOp(std::string name, double seconds, std::vector<DagOpId> parents = {},
                       std::vector<DagOpId> previousParents = {}) {
    return {.name = std::move(name),
            .seconds = seconds,
            .parents = std::move(parents),
            .previousParents = std::move(previousParents)};
}
inline DagOp commOp(std::string name, CollectiveKind kind, double bytes, std::vector<DagOpId> parents,
                    std::vector<DagOpId> previousParents = {}) {
    return {.name = std::move(name),
            .collective = kind,
            .sizeBytes = bytes,
            .parents = std::move(parents),
            .previousParents = std::move(previousParents)};
}

/// For two processes, submitted in the order of the ops.
inline TrainingDag dagOf(std::vector<DagOp> ops, std::int32_t processes = 2) {
    TrainingDag dag{.name = "made", .processes = processes, .ops = std::move(ops), .computeOrder = {}, .submissionOrder = {}};
    for (std::size_t o = 0; o < dag.ops.size(); ++o)
        (dag.ops[o].isCompute() ? dag.computeOrder : dag.submissionOrder).emplace_back(o);
    return dag;
}

/// forward, backward, and an all-reduce that the next forward waits for.
inline TrainingDag dataParallel(double forward, double backward, double reduce) {
    return dagOf({computeOp("fwd", forward, {}, {2_op}), computeOp("bwd", backward, {0_op}),
                  commOp("ar", CollectiveKind::AllReduce, reduce, {1_op})});
}

/// One iteration: a chain of forward ops, then backward ops, and collectives between random ones of them.
inline TrainingDag smallRandomDag(Rng &rng) {
    const auto upTo = [&rng](int n) { return static_cast<std::int32_t>(rng.next() % static_cast<std::uint64_t>(n)); };
    const auto seconds = [&] { return 0.5 * (1 + upTo(6)); };
    std::vector<DagOp> ops;
    const std::int32_t computes = 2 + upTo(2);
    for (std::int32_t c = 0; c < computes; ++c)
        ops.push_back(computeOp("compute " + std::to_string(c), seconds()));
    const std::int32_t comms = 2 + upTo(2);
    for (std::int32_t c = 0; c < comms; ++c) {
        const bool reduce = upTo(2) == 0;
        const std::int32_t after = upTo(computes), self = computes + c;
        ops.push_back(commOp("comm " + std::to_string(c), reduce ? CollectiveKind::AllReduce : CollectiveKind::AllToAll,
                             (reduce ? 1 : 2) * seconds(), {DagOpId(after)}));
        if (upTo(5) == 0) // data: depends on nothing in its iteration
            ops.back().parents.clear();
        // Read by a later op of the iteration, or by one of the next.
        if (after + 1 < computes && upTo(2) == 0)
            ops[static_cast<std::size_t>(after + 1 + upTo(computes - after - 1))].parents.emplace_back(self);
        else
            ops[static_cast<std::size_t>(upTo(computes))].previousParents.emplace_back(self);
    }
    return dagOf(std::move(ops));
}

/// A plan by hand: motifs, and the order in which each channel runs them.
inline ExecutionPlan planOf(const TrainingDag &dag, std::vector<Channel> channels, std::vector<PlannedMotif> motifs,
                            std::vector<std::vector<OrderEntry>> orders) {
    return {"made", dag.name, std::move(channels), std::move(motifs), std::move(orders)};
}

/// Plans each collective of `dag`, cut according to `cuts`, in the order of the ops, on the channel in `channels`.
inline ExecutionPlan cutPlan(const TrainingDag &dag, const std::vector<MotifCut> &cuts, const std::vector<ChannelId> &channels,
                             std::vector<Channel> all) {
    ExecutionPlan plan{"plan", dag.name, std::move(all), {}, {}};
    plan.orders.resize(plan.channels.size());
    for (std::size_t c = 0; c < dag.submissionOrder.size(); ++c) {
        const DagOpId o = dag.submissionOrder[c];
        const DagOp &op = dag.ops[o.index()];
        for (Motif &motif : cutMotifs(*op.collective, cuts[c], dag.groupSize(op))) {
            plan.orders[channels[c].index()].push_back({MotifId(plan.motifs.size()), 0});
            plan.motifs.push_back({o, std::move(motif), channels[c]});
        }
    }
    return plan;
}

/// A channel on its own link at one byte per second: an all-reduce of two processes takes as many seconds as it has bytes.
inline Channel unitChannel(const std::string &name) { return {name, {name}, 1, 0}; }

/// The cluster, having measured all-reduces among four of its GPUs: of 1 kB to 1 GB from `seconds` to twice that.
inline Cluster withAllReduces(Cluster cluster, double seconds) {
    cluster.collectives = {{CollectiveKind::AllReduce, 4, {{1e3, seconds}, {1e9, 2 * seconds}}}};
    return cluster;
}

} // namespace syncopate::testing

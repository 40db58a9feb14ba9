// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/policy.h"

#include "engine/strategy/layer_orders.h"

#include <algorithm>

namespace syncopate {

const Policy *findPolicy(std::string_view name, std::span<const Policy *const> known) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const Policy *policy) { return policy->name == name; });
    return found == known.end() ? nullptr : *found;
}

Discipline disciplineOf(const CommPolicy &policy, const TrainingNodes &nodes) {
    return policy.kind().queues ? policy.kind().queues(policy, nodes) : Discipline{};
}

bool sendsWhatIsReady(const CommPolicy &policy) {
    const Policy &kind = policy.kind();
    return !kind.fuse && !kind.order && !kind.cut && disciplineOf(policy, {}) == Discipline{};
}

bool choosesServers(const CommPolicy &policy) {
    const auto &serverOf = policy.kind().serverOf;
    return serverOf && serverOf(policy, Piece{});
}

PolicyKnob partitionKnob() {
    return {.id = "partition",
            .label = "Partition",
            .about = "tensors are cut into pieces of this many bytes",
            .min = 16.0 * 1024,
            .max = 256.0 * 1024 * 1024,
            .remedyFactors = {0.5, 2}};
}

PolicyKnob creditKnob() {
    return {.id = "credit",
            .label = "Credit",
            .about = "bytes that may be under way at the same time; for byteps, in the sums over a machine's devices",
            .min = 64.0 * 1024,
            .max = 1024.0 * 1024 * 1024};
}

std::optional<std::size_t> serverInTurn(const CommPolicy &, const Piece &piece) {
    return (piece.tensor + piece.part) % piece.servers;
}

Discipline orderedQueues(const CommPolicy &, const TrainingNodes &) { return {.orderedCollectives = true, .orderedPulls = true}; }

std::vector<double> layerTransferSeconds(const Traffic &traffic) {
    // From the job, not from messages: one of these may have variables of several layers.
    std::vector<double> seconds(traffic.job.layers.size(), 0);
    for (std::size_t v = 0; v < traffic.layerOfVariable.size(); ++v)
        seconds[static_cast<std::size_t>(traffic.layerOfVariable[v])] +=
            traffic.job.variables[v].gradientBytes() / traffic.nodes.minBytesPerSecond;
    return seconds;
}

std::vector<std::int64_t> prioritiesByLayer(const Traffic &traffic, const std::vector<std::int32_t> &rankOfLayer) {
    const std::size_t count = traffic.messages.size();
    std::vector<std::int64_t> priorities;
    priorities.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::int64_t first = std::numeric_limits<std::int32_t>::max();
        for (const std::int32_t v : traffic.messages[i].variables) {
            const std::int32_t layer = traffic.layerOfVariable[static_cast<std::size_t>(v)];
            first = std::min<std::int64_t>(first, rankOfLayer[static_cast<std::size_t>(layer)]);
        }
        priorities.push_back(transferPriority(first, static_cast<std::int64_t>(count - i)));
    }
    return priorities;
}

} // namespace syncopate

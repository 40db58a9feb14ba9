// SPDX-License-Identifier: GPL-3.0-or-later
// Sends messages in the worst order for the next forward pass.
#include "engine/base/phrase.h"
#include "engine/strategy/policy.h"

#include <numeric>

namespace syncopate::policy {

namespace {

Result<std::vector<std::int64_t>> order(const CommPolicy &, const Traffic &traffic) {
    std::vector<std::int32_t> rank(traffic.job.layers.size());
    std::iota(rank.rbegin(), rank.rend(), 0);
    return prioritiesByLayer(traffic, rank);
}

} // namespace

const Policy &reverse() {
    static const Policy policy{
        .name = "reverse",
        .about = translatable("whole messages, in the reverse order of the forward pass"),
        .barrier = false,
        .order = order,
        .queues = orderedQueues,
        .assumption = orderedQueuesAssumption,
    };
    return policy;
}

} // namespace syncopate::policy

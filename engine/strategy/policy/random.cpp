// SPDX-License-Identifier: GPL-3.0-or-later
// Sends messages in one random permutation, the same in all iterations.
#include "engine/base/phrase.h"
#include "engine/base/rng.h"
#include "engine/strategy/policy.h"

#include <numeric>
#include <utility>

namespace syncopate::policy {

namespace {

Result<std::vector<std::int64_t>> order(const CommPolicy &policy, const Traffic &traffic) {
    std::vector<std::int64_t> priorities(traffic.messages.size());
    std::iota(priorities.begin(), priorities.end(), 0);
    Rng rng(static_cast<std::uint64_t>(policy.value("seed")));
    for (std::size_t i = priorities.size(); i > 1; --i) // Fisher-Yates shuffle
        std::swap(priorities[i - 1], priorities[static_cast<std::size_t>(rng.uniform(0, static_cast<double>(i)))]);
    return priorities;
}

} // namespace

const Policy &random() {
    static const Policy policy{
        .name = "random",
        .about = translatable("whole messages in an order drawn from the seed"),
        .barrier = false,
        .parameters = {{.key = "seed", .unit = ParameterUnit::Integer, .usual = 1}},
        .order = order,
        .queues = orderedQueues,
        .assumption = orderedQueuesAssumption,
    };
    return policy;
}

} // namespace syncopate::policy

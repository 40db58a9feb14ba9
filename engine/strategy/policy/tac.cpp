// SPDX-License-Identifier: GPL-3.0-or-later
// TicTac's timing-aware communication.
#include "engine/base/phrase.h"
#include "engine/strategy/layer_orders.h"
#include "engine/strategy/policy.h"

namespace syncopate::policy {

namespace {

Result<std::vector<std::int64_t>> order(const CommPolicy &, const Traffic &traffic) {
    return prioritiesByLayer(traffic, TRY(tacOrder(traffic.job, layerTransferSeconds(traffic))));
}

} // namespace

const Policy &tac() {
    static const Policy policy{
        .name = "tac",
        .about = translatable("TicTac's order from the time that each layer's parameters take"),
        .barrier = false,
        .order = order,
        .queues = orderedQueues,
        .assumption = orderedQueuesAssumption,
    };
    return policy;
}

} // namespace syncopate::policy

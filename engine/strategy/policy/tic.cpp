// SPDX-License-Identifier: GPL-3.0-or-later
// TicTac's timing-independent communication.
#include "engine/base/phrase.h"
#include "engine/strategy/layer_orders.h"
#include "engine/strategy/policy.h"

namespace syncopate::policy {

namespace {

Result<std::vector<std::int64_t>> order(const CommPolicy &, const Traffic &traffic) {
    return prioritiesByLayer(traffic, TRY(ticOrder(traffic.job, layerTransferSeconds(traffic))));
}

} // namespace

const Policy &tic() {
    static const Policy policy{
        .name = "tic",
        .about = translatable("TicTac's order from the graph alone"),
        .barrier = false,
        .order = order,
        .queues = orderedQueues,
        .assumption = orderedQueuesAssumption,
    };
    return policy;
}

} // namespace syncopate::policy

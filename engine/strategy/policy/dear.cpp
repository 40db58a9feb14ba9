// SPDX-License-Identifier: GPL-3.0-or-later
// DeAR (Zhang et al., ICDCS 2023): splits an all-reduce into two halves, one under each pass.
#include "engine/base/phrase.h"
#include "engine/strategy/policy.h"

#include <algorithm>

namespace syncopate::policy {

namespace {

/// As released (dear_dopt.py): joins whole layers in forward order while they stay below the threshold; a larger layer goes
/// alone.
Result<std::vector<Fusion>> fuseLayers(const CommPolicy &policy, const Traffic &traffic) {
    const double threshold = policy.value("threshold");
    std::vector<Fusion> groups; // in forward order
    bool open = false;
    double groupBytes = 0;
    for (std::size_t end = traffic.messages.size(); end > 0;) {
        const LayerId layer = traffic.messages[end - 1].lastLayer;
        Fusion fusion; // the layer's messages
        double bytes = 0;
        for (; end > 0 && traffic.messages[end - 1].lastLayer == layer; --end) {
            const Message &message = traffic.messages[end - 1];
            if (!message.isCollective || message.isSparse) {
                groups.push_back({.messages = {end - 1}});
                open = false;
                continue;
            }
            fusion.messages.push_back(end - 1);
            bytes += message.sizeBytes;
        }
        if (fusion.messages.empty())
            continue;
        if (!open || !(groupBytes + bytes < threshold)) {
            groups.emplace_back();
            groupBytes = 0;
            open = true;
        }
        groupBytes += bytes;
        auto &messages = groups.back().messages;
        messages.insert(messages.end(), fusion.messages.begin(), fusion.messages.end());
    }
    for (Fusion &group : groups) // groups are in the order of readiness
        std::sort(group.messages.begin(), group.messages.end());
    std::reverse(groups.begin(), groups.end());
    return groups;
}

} // namespace

const Policy &dear() {
    static const Policy policy{
        .name = "dear",
        .about = translatable("reduce-scatter under the backward pass, all-gather under the next forward"),
        .barrier = false,
        .opens = ncclConnections,
        .parameters = {{.key = "threshold", // THRESHOLD of the release
                        .usual = 25.0 * 1024 * 1024,
                        .knob = PolicyKnob{.id = "threshold",
                                           .label = "Group threshold",
                                           .about = "layers are fused into groups below this many bytes",
                                           .min = 64.0 * 1024,
                                           .max = 1024.0 * 1024 * 1024,
                                           .remedyFactors = {0.5, 2}}}},
        .fuse = fuseLayers,
        .fusedName = "group",
        .queues = [](const CommPolicy &,
                     const TrainingNodes &) { return Discipline{.orderedCollectives = true, .splitsAllReduce = true}; },
        .assumption = "All-gathers begin when every reduce-scatter of the step is over, in the order of the next forward; sparse "
                      "gradients are gathered at once.",
    };
    return policy;
}

} // namespace syncopate::policy

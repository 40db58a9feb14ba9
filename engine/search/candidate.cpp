// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/candidate.h"

#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace syncopate {

CandidateMetrics describeStrategy(const Job &job, const Strategy &strategy) {
    CandidateMetrics metrics;
    std::unordered_map<std::string_view, double> loads;
    std::unordered_set<std::int32_t> groups;
    const auto count = [&](const Synchronizer &synchronizer, double bytes) {
        ++metrics.shards;
        if (synchronizer.kind == SynchronizerKind::AllReduce) {
            groups.insert(synchronizer.group);
            return false;
        }
        metrics.psBytes += bytes;
        loads[synchronizer.reductionDestination] += bytes;
        return true;
    };
    for (std::size_t v = 0; v < strategy.nodes.size(); ++v) {
        const NodeConfig &node = strategy.nodes[v];
        bool served = false;
        metrics.partitionedVariables += node.isPartitioned() ? 1 : 0;
        forEachShard(node, job.variables[v],
                     [&](const Synchronizer &synchronizer, double bytes) { served |= count(synchronizer, bytes); });
        metrics.psVariables += served ? 1 : 0;
    }
    metrics.servers = static_cast<std::int32_t>(loads.size());
    metrics.groups = static_cast<std::int32_t>(groups.size());
    for (const auto &[server, load] : loads)
        metrics.largestServerBytes = std::max(metrics.largestServerBytes, load);
    return metrics;
}

CandidateMetrics describeCandidate(const Scenario &scenario, const Verdict &verdict) {
    CandidateMetrics metrics = describeStrategy(*scenario.job, *scenario.strategy);
    metrics.iterationSeconds = verdict.iterationSeconds;
    metrics.confidence = verdict.confidence;
    metrics.spreadSeconds = verdict.spreadSeconds;
    metrics.exposedSeconds = verdict.exposedSeconds;
    metrics.communicationSeconds = verdict.communicationSeconds;
    metrics.samplesPerSecond = verdict.samplesPerSecond;
    return metrics;
}

} // namespace syncopate

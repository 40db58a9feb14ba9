// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/scenario_lint.h"

#include "engine/rewrite/choose_servers.h"
#include "engine/rewrite/shape_units.h"
#include "engine/rewrite/sync_units.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

/// The loads of servers as the policy places them.
Result<ServerBytes> chosenLoads(const Scenario &scenario) {
    auto whole = TRY(partitionVariables(*scenario.job, *scenario.strategy));
    auto units = TRY(shapeUnits(*scenario.job, std::move(whole), scenario.policy, trainingNodes(*scenario.cluster)));
    chooseServers(*scenario.job, *scenario.cluster, scenario.policy, units);
    ServerBytes loads;
    for (const SyncUnit &unit : units)
        if (unit.kind == SynchronizerKind::ParameterServer && unit.touchedShare > 0)
            loads[unit.destination] += unit.sizeBytes / unit.touchedShare; // of all rows, as in lint()
    return loads;
}

bool usesAllServers(const Strategy &strategy, const Cluster &cluster) {
    std::set<std::string_view> used;
    const auto use = [&used](const Synchronizer &s) {
        if (s.kind == SynchronizerKind::ParameterServer)
            used.insert(s.reductionDestination);
    };
    for (const NodeConfig &node : strategy.nodes)
        forEachSynchronizer(node, use);
    return std::ranges::all_of(cluster.reductionDevices(), [&used](const std::string &server) { return used.contains(server); });
}

/// The marks on loads of servers that the policy chooses.
std::vector<LintMark> lintChosenLoads(const Scenario &scenario) {
    const Cluster &cluster = *scenario.cluster;
    const bool usesAll = usesAllServers(*scenario.strategy, cluster);
    const auto isAsFast = [&](const Node &node) {
        return node.bandwidthBytesPerSecond == cluster.nodes.front().bandwidthBytesPerSecond;
    };
    if (usesAll && std::ranges::all_of(cluster.nodes, isAsFast))
        return {};
    const auto loads = chosenLoads(scenario);
    if (!loads) // as a simulation says
        return {};
    std::vector<LintMark> marks = lintSpeeds(cluster, *loads);
    for (LintMark &mark : marks) // the strategy only says which servers there are
        mark.remedy = "leave slow servers out of the strategy, or choose a policy that keeps its placement";
    if (auto unbalanced = lintBalance(*loads, cluster.reductionDevices().size()); unbalanced && !usesAll) {
        unbalanced->remedy = "use all of the cluster's servers, as PSLoadBalancing does";
        marks.insert(marks.begin(), std::move(*unbalanced));
    }
    return marks;
}

} // namespace

std::vector<LintMark> lintScenario(const Scenario &scenario) {
    std::vector<LintMark> marks = lint(*scenario.job, *scenario.cluster, *scenario.strategy);
    const auto erase = [&marks](std::initializer_list<std::string_view> rules) {
        std::erase_if(marks, [&](const LintMark &mark) { return std::ranges::find(rules, mark.rule) != rules.end(); });
    };
    if (const Policy &kind = scenario.policy.kind(); kind.fuse || !kind.joinsGroups) // it does not send groups as such
        erase({"one-group", "tiny-collectives", "mixed-group"});
    std::vector<LintMark> ofPolicy = lintPolicy(*scenario.strategy, scenario.policy);
    const auto isPlacement = [](const LintMark &mark) { return mark.rule == "placement-ignored"; };
    std::vector<LintMark> ofLoads;
    if (std::ranges::any_of(ofPolicy, isPlacement)) { // servers carry what the policy gives them
        erase({"unbalanced-servers", "slow-server", "few-parts"});
        ofLoads = lintChosenLoads(scenario);
    }
    for (std::vector<LintMark> more : {std::move(ofLoads), std::move(ofPolicy), lintChannels(*scenario.cluster, scenario.policy),
                                       lintCredit(*scenario.strategy, scenario.policy, trainingNodes(*scenario.cluster)),
                                       lintBackground(*scenario.cluster, scenario.background)})
        marks.insert(marks.end(), more.begin(), more.end());
    return marks;
}

} // namespace syncopate

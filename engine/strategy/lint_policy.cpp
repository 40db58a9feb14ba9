// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/lint.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace syncopate {

namespace {

/// `rings`, `nccl`: whether the strategy asks for that spec.
std::vector<LintMark> specMarks(bool rings, bool nccl, const CommPolicy &policy) {
    std::vector<LintMark> marks;
    if (rings && policy.algorithm != CollectiveAlgorithm::Ring)
        marks.push_back({LintSeverity::Warning,
                         "spec-contradicted",
                         {},
                         "the strategy asks for all_reduce_spec=RING, and the policy simulates another algorithm",
                         "choose algorithm=ring, or all_reduce_spec=NCCL or AUTO"});
    if (nccl && policy.algorithm != CollectiveAlgorithm::Ring && policy.algorithm != CollectiveAlgorithm::Tree)
        marks.push_back(
            {LintSeverity::Note,
             "spec-contradicted",
             {},
             "the strategy asks for all_reduce_spec=NCCL, and the policy simulates an algorithm that NCCL's all-reduce "
             "does not have",
             "choose algorithm=ring or tree, or all_reduce_spec=AUTO"});
    return marks;
}

} // namespace

std::vector<LintMark> lintChannels(const Cluster &cluster, const CommPolicy &policy) {
    std::vector<LintMark> marks;
    const bool flows = policy.form == CollectiveForm::Flows;
    if (!cluster.namedChannels.empty() && flows)
        marks.push_back(
            {LintSeverity::Warning,
             "channels-ignored",
             {},
             fmt::format("the cluster names {} channels, and collectives as flows are on the nodes' NICs, {} at a time",
                         cluster.namedChannels.size(), cluster.channels),
             "choose form=analytic"});
    else if (!cluster.namedChannels.empty() && policy.algorithm != CollectiveAlgorithm::Ring)
        marks.push_back(
            {LintSeverity::Note,
             "algorithm-ignored",
             {},
             "a collective on a named channel takes the time of a ring for each device of a node, whatever the algorithm",
             "choose algorithm=ring, or a cluster without named channels"});
    const std::int32_t replicas = cluster.replicaCount();
    const auto isUsed = [&](const MeasuredCollective &measured) { return measured.ranks == replicas; };
    if (!cluster.collectives.empty() && flows)
        marks.push_back(
            {LintSeverity::Warning,
             "curves-ignored",
             {},
             fmt::format("the cluster has measured times of {} collectives, and collectives as flows do not take them",
                         cluster.collectives.size()),
             "choose form=analytic"});
    else if (!cluster.collectives.empty() && std::none_of(cluster.collectives.begin(), cluster.collectives.end(), isUsed))
        marks.push_back(
            {LintSeverity::Note,
             "curves-ignored",
             {},
             fmt::format("the cluster's measured collectives have other numbers of ranks than its {} replicas", replicas),
             "calibrate with logs of as many ranks"});
    return marks;
}

std::vector<LintMark> lintCredit(const Strategy &strategy, const CommPolicy &policy, const TrainingNodes &nodes) {
    const auto key = policy.keyOfKnob(creditKnob().id);
    bool allReduces = false;
    for (const NodeConfig &node : strategy.nodes)
        allReduces |= anySynchronizer(node, [](const Synchronizer &s) { return s.kind == SynchronizerKind::AllReduce; });
    if (!key || policy.value(*key) == CommPolicy(policy.kind()).value(*key) || !disciplineOf(policy, nodes).creditOfNodeSum ||
        allReduces || nodes.maxReplicas > 1)
        return {};
    return {{LintSeverity::Note,
             "credit-ignored",
             {},
             fmt::format("the credit of {} limits the sums over a machine's devices, and here every machine has one",
                         policy.kind().name),
             "leave the credit as it is: it changes nothing; bytescheduler's is held until a partition is pulled"}};
}

std::vector<LintMark> lintPolicy(const Strategy &strategy, const CommPolicy &policy) {
    const Policy &kind = policy.kind();
    std::map<std::int64_t, std::size_t> members; // per all-reduce group
    std::set<std::string> servers;
    bool rings = false, nccl = false, proxies = false;
    std::size_t cutInTwo = 0; // reduced by two collectives instead of an all-reduce
    const auto note = [&](const Synchronizer &synchronizer) {
        if (synchronizer.kind != SynchronizerKind::AllReduce) {
            servers.insert(synchronizer.reductionDestination);
            proxies = proxies || synchronizer.localReplication;
            return;
        }
        ++members[synchronizer.group];
        cutInTwo += synchronizer.reduction == Reduction::AllReduce ? 0 : 1;
        rings = rings || synchronizer.spec == AllReduceSpec::Ring;
        nccl = nccl || synchronizer.spec == AllReduceSpec::Nccl;
    };
    for (const NodeConfig &node : strategy.nodes)
        forEachSynchronizer(node, note);
    std::vector<LintMark> marks;
    std::size_t joined = 0;
    for (const auto &[group, count] : members)
        joined += count > 1 ? 1 : 0;
    if (joined > 0 && (kind.fuse || !kind.joinsGroups))
        marks.push_back({LintSeverity::Note,
                         "groups-ignored",
                         {},
                         fmt::format("{} all-reduce groups join several variables, and {} {}", joined, kind.name,
                                     kind.fuse ? "fuses messages by rules of its own" : "sends every variable by itself"),
                         "choose fifo, which joins a strategy's groups, or leave the groups as they are: they change nothing"});
    if (cutInTwo > 0 && kind.fuse)
        marks.push_back({LintSeverity::Note,
                         "reductions-ignored",
                         {},
                         fmt::format("{} variables or parts are reduced by two collectives, and {} all-reduces its buckets",
                                     cutInTwo, kind.name),
                         "choose fifo, which reduces each as the strategy says"});
    if (servers.size() > 1 && choosesServers(policy))
        marks.push_back({LintSeverity::Note,
                         "placement-ignored",
                         {},
                         fmt::format("the strategy places variables on {} servers, and {} chooses among them itself",
                                     servers.size(), kind.name),
                         policy.has("hash") ? "give the policy hash=strategy, which keeps the strategy's placement"
                                            : "choose a policy that leaves variables where they are, such as fifo"});
    if (proxies && disciplineOf(policy, TrainingNodes{}).pullsOncePerNode)
        marks.push_back({LintSeverity::Note,
                         "proxies-ignored",
                         {},
                         fmt::format("the strategy has proxies, and {} pulls a value once a machine without them", kind.name),
                         "leave them as they are: they change nothing"});
    for (LintMark &mark : specMarks(rings, nccl, policy))
        marks.push_back(std::move(mark));
    return marks;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/lint.h"
#include "engine/strategy/policy.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <string>

namespace syncopate {

namespace {

template <class Visit> void eachSynchronizer(const Strategy &strategy, Visit visit) {
    for (const NodeConfig &node : strategy.nodes) {
        if (node.parts.empty())
            visit(node.synchronizer);
        for (const PartConfig &part : node.parts)
            visit(part.synchronizer);
    }
}

} // namespace

std::vector<LintMark> lintPolicy(const Strategy &strategy, const CommPolicy &policy) {
    const Policy &kind = policy.kind();
    std::map<std::int64_t, std::size_t> members; // of the all-reduce groups
    std::set<std::string> servers;
    bool rings = false;
    eachSynchronizer(strategy, [&](const Synchronizer &synchronizer) {
        if (synchronizer.kind != SynchronizerKind::AllReduce) {
            servers.insert(synchronizer.reductionDestination);
            return;
        }
        ++members[synchronizer.group];
        rings = rings || synchronizer.spec == AllReduceSpec::Ring;
    });
    std::vector<LintMark> marks;
    std::size_t joined = 0;
    for (const auto &[group, count] : members)
        joined += count > 1 ? 1 : 0;
    if (joined > 0 && (kind.fuse || !kind.joinsGroups))
        marks.push_back({LintSeverity::Note,
                         "groups-ignored",
                         {},
                         fmt::format("{} all-reduce groups join several variables, and {} {}", joined, kind.name,
                                     kind.fuse ? "fuses what it sends by rules of its own" : "sends every variable by itself"),
                         "choose fifo, which joins a strategy's groups, or leave the groups as they are: they change nothing"});
    if (servers.size() > 1 && kind.serverOf && kind.serverOf(policy, Piece{.servers = servers.size()}))
        marks.push_back({LintSeverity::Note,
                         "placement-ignored",
                         {},
                         fmt::format("the strategy places variables on {} servers, and {} chooses among them itself",
                                     servers.size(), kind.name),
                         "give the policy the parameter that keeps the strategy's placement (byteps: hash=strategy)"});
    if (rings && policy.algorithm != CollectiveAlgorithm::Ring)
        marks.push_back({LintSeverity::Warning,
                         "spec-contradicted",
                         {},
                         "the strategy asks for all_reduce_spec=RING, and the policy simulates another algorithm",
                         "choose algorithm=ring, or all_reduce_spec=NCCL or AUTO"});
    return marks;
}

} // namespace syncopate

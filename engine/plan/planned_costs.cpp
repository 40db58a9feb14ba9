// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/planned_costs.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t maxListedGroups = 8;
constexpr double smallestBytes = 1024, largestBytes = 1024.0 * 1024 * 1024;

/// From small messages to large ones, including all sizes that the DAG has or that were measured.
std::pair<double, double> curveRange(const std::vector<double> &sizes, const MotifCosts &costs) {
    double min = smallestBytes, max = largestBytes;
    const auto include = [&](double bytes) {
        min = std::min(min, bytes);
        max = std::max(max, bytes);
    };
    for (const double size : sizes)
        include(size);
    for (const MotifCurve &curve : costs.curves)
        for (const CollectiveSample &sample : curve.samples)
            include(sample.sizeBytes);
    return {std::max(min, 1.0), max};
}

/// Of a permute the members from a sender to its receiver, which decide how many transfers leave a node; 0 of other kinds.
std::int32_t aheadOf(const DagOp &op, std::int32_t processes) {
    if (op.collective != CollectiveKind::Permute)
        return 0;
    if (op.isUneven()) // the same shift may be another place in each group
        return op.shift;
    const std::int32_t members = op.membersAmong(processes);
    return (op.shift % members + members) % members;
}

/// The kinds and groups of the DAG with their sizes, still without costs.
void collectKinds(PlannedCosts &planned, const TrainingDag &dag, std::optional<CollectiveKind> only) {
    std::set<std::tuple<CollectiveKind, std::int32_t, std::int32_t, std::vector<std::int32_t>, std::int32_t>>
        leftOut; // a DAG may have thousands of groups
    for (const DagOpId op : dag.submissionOrder) {
        const DagOp &of = dag.ops[op.index()];
        if (only && of.collective != only)
            continue;
        const std::int32_t ahead = aheadOf(of, dag.processes);
        auto kind = std::find_if(planned.kinds.begin(), planned.kinds.end(), [&](const PlannedCost &each) {
            return each.like.collective == of.collective && each.like.group == of.group &&
                   each.like.groupSizes == of.groupSizes && aheadOf(each.like, dag.processes) == ahead;
        });
        if (kind == planned.kinds.end() && planned.kinds.size() == maxPlannedKinds) {
            leftOut.emplace(*of.collective, of.group.size, of.group.stride, of.groupSizes, ahead);
            continue;
        }
        if (kind == planned.kinds.end())
            kind = planned.kinds.insert(kind, PlannedCost{of, {}, {}});
        if (of.sizeBytes > 0)
            kind->sizesBytes.push_back(of.sizeBytes);
    }
    planned.kindsLeftOut = leftOut.size();
}

} // namespace

PlannedCosts plannedCosts(const TrainingDag &dag, const std::vector<Channel> &channels, const MotifCosts &costs,
                          std::optional<CollectiveKind> only, const std::stop_token &stop) {
    PlannedCosts planned{channels, dag.processes, {}};
    collectKinds(planned, dag, only);
    for (PlannedCost &kind : planned.kinds) {
        if (stop.stop_requested())
            break;
        std::sort(kind.sizesBytes.begin(), kind.sizesBytes.end());
        kind.sizesBytes.erase(std::unique(kind.sizesBytes.begin(), kind.sizesBytes.end()), kind.sizesBytes.end());
        const auto [min, max] = curveRange(kind.sizesBytes, costs);
        kind.costs = costCurves(kind.like, planned.processes, planned.channels, costs, min, max);
    }
    return planned;
}

std::string membersOf(const DagOp &op, std::int32_t processes) {
    if (!op.isUneven())
        return std::to_string(op.membersAmong(processes));
    if (op.groupSizes.size() <= maxListedGroups)
        return fmt::format("{}", fmt::join(op.groupSizes, "+"));
    const auto [min, max] = std::ranges::minmax(op.groupSizes);
    return fmt::format("{}-{}", min, max);
}

std::string nameOf(const PlannedCosts &costs, const PlannedCost &of) {
    const std::int32_t among = of.like.membersAmong(costs.processes);
    std::string name = fmt::format("{} among {}", nameOf(*of.like.collective), membersOf(of.like, costs.processes));
    if (of.like.group.stride > 1 && among < costs.processes)
        name += fmt::format(", {} apart", of.like.group.stride);
    if (of.like.collective == CollectiveKind::Permute)
        name += fmt::format(", shift {}", of.like.shift);
    return name;
}

std::string wayOf(const MotifCut &cut) {
    if (cut.splines > 1)
        return fmt::format("{} splines", cut.splines);
    if (cut.ring)
        return "ring";
    return cut.tree > 1        ? fmt::format("tree of {}", cut.tree)
           : cut.partition > 1 ? fmt::format("groups of {}", cut.partition)
                               : "whole";
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/strategy/strategy.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace syncopate {

/// How the variables of one stretch of layers and one class of sizes are synchronised.
struct RuleCell {
    bool served = false;  ///< by parameter servers; else all-reduced. Sparse variables are always served
    double partBytes = 0; ///< variables are cut into parts of about this size; 0 = whole
    bool proxy = false;   ///< a cached copy on each node, of whole or split variables
    bool operator==(const RuleCell &) const = default;
};

/// A strategy as a person would state it: stretches of layers times classes of sizes, each with one way of being synchronised,
/// and two numbers for all. Independent draws for each variable are all average; one coherent rule is what differs, and what can
/// be read. Builders' strategies lie in this space or close by: AllReduce (one cell, groups), PSLoadBalancing (served),
/// PartitionedPS (served, cut), Parallax (sparse variables are served anyway).
struct Rule {
    static constexpr std::size_t maxStretches = 3, maxClasses = 3;
    std::vector<double> layerBounds; ///< where stretches end, as shares of all layers, ascending, below 1; up to 2
    std::vector<double> sizeBounds;  ///< where classes end, bytes, ascending; up to 2
    std::array<std::array<RuleCell, maxClasses>, maxStretches> cells;
    double groupBytes = 0;   ///< all-reduced variables that follow each other are joined up to this size; 0 = each alone
    std::size_t servers = 1; ///< how many of the reduction devices serve, in their order

    [[nodiscard]] const RuleCell &cellOf(double layerShare, double sizeBytes) const;
    bool operator==(const Rule &) const = default;
};

/// The strategy that a rule states for a job on a cluster with reduction devices: served shards go, the largest first, to the
/// server with the fewest bytes. Variables are cut along the first dimension that has more than one row (sparse ones: rows only;
/// those of control flow stay whole), into at most `maxParts`. O(shards log shards).
[[nodiscard]] Strategy strategyOf(const Rule &rule, const Job &job, const Cluster &cluster);
inline constexpr std::int64_t maxRuleParts = 1000;

/// "layers up to 40 %, up to 1 MiB: all-reduced; ...": for people.
[[nodiscard]] std::string describe(const Rule &rule);

} // namespace syncopate

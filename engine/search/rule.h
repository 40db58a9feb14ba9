// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/strategy/strategy.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// How variables are cut into parts. The last three are those of AutoDist's builders.
enum class RuleCut : std::uint8_t {
    Size,    ///< into parts of about RuleCell::partBytes, 0 = whole; along the dimension with most rows where the first is short
    Divisor, ///< dimension 0 into its smallest divisor above 1
    Uneven,  ///< dimension 0 into the smallest count that does not divide it
    RandomAxis, ///< a random dimension, drawn with seed 0, into its smallest divisor above 1
};

/// How the variables of one stretch of layers and one class of sizes are synchronised.
struct RuleCell {
    bool served = false; ///< by parameter servers; else all-reduced
    RuleCut cut = RuleCut::Size;
    double partBytes = 0;  ///< of RuleCut::Size
    bool proxy = false;    ///< a cached copy on each node, of whole or split variables
    double groupBytes = 0; ///< all-reduced variables that follow each other are joined up to this size; 0 = each alone
    Reduction reduction = Reduction::AllReduce; ///< of variables that are not served
    bool operator==(const RuleCell &) const = default;
};

/// The server to which a served shard goes.
enum class RulePlacement : std::uint8_t {
    LargestFirst, ///< the largest shard first, each to the server with the fewest bytes for its bandwidth
    InOrder,      ///< in the variables' order, the parts of each over the servers by load: PSLoadBalancing and PartitionedPS
};

/// A strategy as a person would state it: stretches of layers times classes of sizes, each with one way of being synchronised,
/// and a few numbers for all. The problem with independent draws for each variable is that all of them are average; one coherent
/// rule makes a difference, and can be read. All of AutoDist's builders are rules (ruleOfBuilder()).
struct Rule {
    static constexpr std::size_t maxStretches = 3, maxClasses = 3;
    std::vector<double> layerBounds; ///< where stretches end, as shares of all layers, ascending, below 1; up to 2
    std::vector<double> sizeBounds;  ///< where classes end, bytes, ascending; up to 2
    std::array<std::array<RuleCell, maxClasses>, maxStretches> cells;
    std::int32_t groupCount = 0; ///< above 0: groups of this many neighbours in the variables' order, and groupBytes is not used
    std::size_t servers = 1;     ///< number of reduction devices that serve, in their order
    RulePlacement placement = RulePlacement::LargestFirst;
    bool sparseServed = true; ///< sparse variables are served in any cell; else as their cell says (all-reduced: gathered)

    [[nodiscard]] const RuleCell &cellOf(double layerShare, double sizeBytes) const;
    bool operator==(const Rule &) const = default;
};

/// One variable that is an exception to a rule.
struct VariableChange {
    std::size_t variable = 0; ///< into Job::variables
    bool served = false;
    bool proxy = false;
    std::int32_t parts = 1;   ///< as many as it can be cut into, at most
    std::int32_t server = -1; ///< of all its shards; -1 = as the rule places them
    bool alone = false;       ///< all-reduced, each part in a group of its own
    bool operator==(const VariableChange &) const = default;
};

/// Makes the strategy of a rule for a job on a cluster with reduction devices. `changes` are by variable, each at most once.
/// Variables of control flow stay whole (except with PartitionedAR's cuts, which ignore control flow); sparse ones are cut along
/// dimension 0 only, and none into more than maxRuleParts. Sparse variables have no proxies. O(shards log shards).
[[nodiscard]] Strategy strategyOf(const Rule &rule, const std::vector<VariableChange> &changes, const Job &job,
                                  const Cluster &cluster);
inline constexpr std::int64_t maxRuleParts = 1000;
/// The node config that strategyOf() makes for one variable, but without servers and groups, which depend on all others.
[[nodiscard]] NodeConfig nodeConfigOf(const Rule &rule, const std::vector<VariableChange> &changes, const Job &job,
                                      const Cluster &cluster, std::size_t variable);

/// The rule equivalent to a builder with the same chunk size (where it has one) and proxies: equal strategies except for the
/// all-reduce spec, which is NCCL in rules, and parts beyond maxRuleParts. Errors: an unknown builder.
[[nodiscard]] Result<Rule> ruleOfBuilder(const std::string &builder, std::int32_t chunkSize, bool proxy, const Cluster &cluster);

/// "layers up to 40 %, below 1 MiB: all-reduced; ...": for people.
[[nodiscard]] std::string describe(const Rule &rule);

} // namespace syncopate

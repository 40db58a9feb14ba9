// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/background.h"
#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/strategy.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace syncopate {

struct TrainingNodes;

/// How bad a trap is.
enum class LintSeverity : std::uint8_t {
    Note,    ///< costs a little, or may be intended
    Warning, ///< costs time
    Error,   ///< AutoDist refuses to run it, or runs something else
};
[[nodiscard]] const char *nameOf(LintSeverity severity); ///< "note", "warning", "error"

/// One trap that a strategy walks into.
struct LintMark {
    LintSeverity severity = LintSeverity::Note;
    std::string rule;     ///< "prime-dimension", stable, for filters
    std::string variable; ///< empty for a mark on the whole strategy
    std::string text;     ///< what is wrong, with the numbers
    std::string remedy;   ///< what to do
    bool operator==(const LintMark &) const = default;
};

/// Known traps of strategies, worst first, then by variable in the job's order:
///
///   prime-dimension       a dimension split into single rows, as PartitionedPS and PartitionedAR do where it is prime
///   split-filter          TensorFlow's convolution kernel split along its height or width, whatever the number of servers
///   unpartitionable       a large kernel left whole because its first dimension is 1, which the builders cannot split
///   many-parts            more than 10,000 parts in all
///   few-parts             a variable in fewer parts than servers that is larger than a server's share
///   unbalanced-servers    the busiest server carries more than 1.25 times the mean
///   slow-server           a server whose link is slower than others' carries more than its share by bandwidth
///   sparse-all-reduce     sparse gradients by all-reduce on several nodes, which AutoDist's runtime refuses
///   sparse-proxy          a proxy of a sparse variable
///   one-group             every all-reduced variable in one group: nothing is sent before the last gradient
///   tiny-collectives      groups below 64 KiB, bound by latency
///   mixed-group           variables of one group with different types, specs or compressors
///   useless-compressor    a compressor on a type other than float32
///   mixed-consistency     variables that differ in synchrony or staleness
///   unknown-server        a reduction destination that the cluster does not have
///   other-replicas        replicas that are not the cluster's
///   scattered-replicas    replicas listed in an order that leaves nodes more often than needed; collectives follow it
///   one-node-ps           a parameter server on a single node of several GPUs
///   no-variable           a node config whose variable the job does not have
///
/// Builders' traps: AutoDist's own code (docs and measurements in petuum/autodist), and AutoDist, sections 3.2 and 3.3. Bytes are
/// those of the variables. O((variables + parts) log). Any input is accepted; an empty vector means that nothing was found.
[[nodiscard]] std::vector<LintMark> lint(const Job &job, const Cluster &cluster, const Strategy &strategy);

/// Bytes of variables on each server, by its device.
using ServerBytes = std::map<std::string, double>;
/// Times the mean: a larger load is unbalanced.
inline constexpr double unbalancedLoad = 1.25;
/// The mean of `servers`, as many as the cluster has reduction devices.
[[nodiscard]] double meanLoad(const ServerBytes &loads, std::size_t servers);
/// The server with the largest load, of equal ones the first; the end where there is none.
[[nodiscard]] ServerBytes::const_iterator busiestServer(const ServerBytes &loads);
/// The mark unbalanced-servers, if the loads of `servers` are.
[[nodiscard]] std::optional<LintMark> lintBalance(const ServerBytes &loads, std::size_t servers);
/// The marks slow-server: of a server with less than two thirds of the fastest node's bandwidth that carries more than its share
/// of the loads by bandwidth, and no less than the mean or 1.25 times that share.
[[nodiscard]] std::vector<LintMark> lintSpeeds(const Cluster &cluster, const ServerBytes &loads);

/// background-nowhere    background traffic of a worker or server that the cluster lacks: it takes nothing. One mark for each.
[[nodiscard]] std::vector<LintMark> lintBackground(const Cluster &cluster, const std::vector<BackgroundTraffic> &background);

///   groups-ignored        the policy fuses by itself, or sends each variable alone: the strategy's groups change nothing
///   reductions-ignored    the policy fuses by itself, and all-reduces variables that the strategy reduces by two collectives
///   placement-ignored     the policy chooses servers itself
///   proxies-ignored       the policy pulls once a machine in any case
///   spec-contradicted     all_reduce_spec=RING beside another algorithm of the policy's, or NCCL beside one that NCCL lacks
[[nodiscard]] std::vector<LintMark> lintPolicy(const Strategy &strategy, const CommPolicy &policy);

///   channels-ignored      named channels beside collectives that are played as flows
///   algorithm-ignored     named channels beside another algorithm than a ring
///   curves-ignored        measured collectives beside collectives that are played as flows, or none of this number of ranks
[[nodiscard]] std::vector<LintMark> lintChannels(const Cluster &cluster, const CommPolicy &policy);

///   credit-ignored        a credit of the sums over a node's devices, where every node that trains has one device
[[nodiscard]] std::vector<LintMark> lintCredit(const Strategy &strategy, const CommPolicy &policy, const TrainingNodes &nodes);

} // namespace syncopate

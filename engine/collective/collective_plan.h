// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"
#include "engine/strategy/comm_policy.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// A message of one node to another in a round. Devices of a node are added up, as they share its NIC.
struct NodeMessage {
    std::int32_t from = 0, to = 0;
    double share = 0; ///< of the collective's bytes S
};

/// The load of the busiest device port inside a node in a round, as a share of S.
struct PortLoad {
    std::int32_t node = 0;
    double share = 0;
};

/// Messages that may be under way at the same time. A node starts its part of a round when it has done its part of the
/// round before.
struct CollectiveRound {
    std::vector<NodeMessage> between;
    std::vector<PortLoad> inside;
};

/// Consecutive rounds of a collective that are repeated or pipelined as a whole.
struct CollectivePhase {
    std::vector<CollectiveRound> rounds;
    std::int32_t repeat = 1;  ///< how often its rounds are done
    bool isRing = false;      ///< one round, over all replicas node after node, or over nodes where nothing moves inside
    bool isPipelined = false; ///< S is cut into chunks (chunkCount()), each of which goes through all rounds
};

/// Steps of a collective over nodes with `replicas` devices each, phase after phase. All closed forms below are for n equal
/// nodes of one device, a message taking L + bytes / B:
///
///   ring            2(n-1) (L + S/nB)                      reduce-scatter, all-gather: half of it
///   tree            2 ceil(log2 n) (L + S/B)
///   hd              2 log2 n L + 2 (n-1)/n S/B             n not a power of two: the n - p replicas beyond the power of
///                                                          two p first give theirs to a partner and get the sum at last
///   hierarchical    as ring over the nodes, plus 2 (g-1) S/gF for g devices per node with a port of F each
///   reduce          (n-1) L + (n - 2 + k) S/kB             a chain, in k chunks, the next sent while one is in flight; broadcast
///                                                          alike; a host's time for a message is in S/kB, not in L
///   all-to-all      (n-1) (L + S/nB)                       S is all that one replica sends
struct CollectivePlan {
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::vector<CollectivePhase> phases;
};

/// The collectives, one after the other, that `algorithm` makes of `kind`: two for rsag and breduce, else one. Kinds other
/// than AllReduce have one algorithm each (ring, chain, pairwise). `replicas` of every node, at least two in
/// all. `order` has the node of each rank where ranks do not go node after node: rings, trees and chains go by rank, so an order
/// that leaves a node often loads its NIC as often.
[[nodiscard]] std::vector<CollectivePlan> planCollective(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                                         const std::vector<std::int32_t> &replicas,
                                                         const std::vector<std::int32_t> &order = {});

/// Whether every node sends and receives the same in every round, so that one node stands for all.
[[nodiscard]] bool isSymmetric(const CollectivePlan &plan, std::size_t nodes);

/// Chunks of a pipelined phase: of 512 KiB, as NCCL's buffers hold, but at most 64.
[[nodiscard]] std::int32_t chunkCount(double sizeBytes);

} // namespace syncopate

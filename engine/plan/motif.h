// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/training_dag.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// Part `index` of `of` equal ones.
struct Slice {
    std::int32_t index = 0;
    std::int32_t of = 1;
    bool operator==(const Slice &) const = default;
};

/// A piece of a comm-op that is dispatched as a whole (SYNDICATE, section 4.2). Segmentation cuts the payload, splining the
/// pattern of transfers: appendix A.1 has the all-to-all's, Fig. 9 a broadcast, and docs/plan.md derives the others. Motifs c of
/// k of N members (ranges end before their second number):
///   all-to-all, all-gather   member i sends to (i + c N/k) .. (i + (c+1) N/k) mod N, of an all-gather its own part to each;
///   reduce-scatter           member i sends so, too: to each member its part, which adds it to its own;
///   broadcast                the first member sends its payload to members c N/k .. (c+1) N/k, itself (nothing) included;
///   reduce                   it adds the payloads of these to its own;
///   permute                  members c N/k .. (c+1) N/k send.
/// Splines are sent directly, in any order or at once; the whole, except of all-to-all and permute, is a ring or a tree. Some
/// collectives are motifs of other kinds or among fewer processes, one after the other (MotifRule).
struct Motif {
    CollectiveKind kind = CollectiveKind::AllReduce;
    Slice segment{};
    Slice spline{};
    std::vector<std::int32_t> after{}; ///< motifs of the same comm-op that must be done before, by their number in it
    ProcessGroup group{};              ///< among the members of the comm-op's own group, which are numbered from 0
    bool operator==(const Motif &) const = default;
};

/// Whether motifs of a kind have splines. An all-reduce has none: it becomes a ring or a tree first, whose motifs have them.
[[nodiscard]] bool hasSplines(CollectiveKind kind);

/// Other members that a member sends to or, of reductions, receives from in a motif in which all members send directly: n/k, and
/// one less of the first spline. Of broadcast and reduce the first member's.
[[nodiscard]] double directPeers(const Motif &motif, std::int32_t members);

/// Bytes that one process sends to others, of a comm-op among `processes`. All-to-all of B bytes: B/n to each other process of
/// the spline; all-reduce, as a ring: 2 (n-1)/n B; reduce-scatter and all-gather: half of that, and B/n to each other process of
/// a spline; reduce, broadcast and permute (of the senders of the spline): B, and of splines what the first member sends or, of a
/// reduce, receives: B of each other process in it. n is the number of members of the motif's group, B its segment, divided by
/// the shards except in all-to-alls and permutes.
[[nodiscard]] double sentBytes(const Motif &motif, double opBytes, std::int32_t processes);

/// A rule of the motif algebra (SYNDICATE, appendix A.1): one motif becomes several that do the same.
enum class MotifRule : std::uint8_t {
    Segment,   ///< any kind: k parts of the payload
    Spline,    ///< all but all-reduces: k parts of the pattern
    Ring,      ///< all-reduce: reduce-scatter, then all-gather
    Tree,      ///< all-reduce: reduces in groups of k, an all-reduce of their roots, broadcasts in the groups
    Partition, ///< groups of k neighbours, and one of each (Centauri's group partition). All-reduce: reduce-scatter in the
               ///< groups, all-reduce of each part across them, all-gather. Others in the two steps that their kind has
};

/// The motifs with motif `at` rewritten, k being the count of the rule (Ring has none). Motifs that waited for it wait for the
/// last of its pieces. Rules compose in any order. Errors: a motif that the rule does not apply to, a k that does not divide its
/// processes.
[[nodiscard]] Result<std::vector<Motif>> rewriteMotif(const std::vector<Motif> &motifs, std::size_t at, MotifRule rule,
                                                      std::int32_t k, std::int32_t processes);

/// How a comm-op is cut into motifs.
struct MotifCut {
    std::int32_t segments = 1;
    std::int32_t splines = 1;   ///< of all but all-reduces; divides the number of processes
    bool ring = false;          ///< of an all-reduce: reduce-scatter, then all-gather
    std::int32_t tree = 1;      ///< of an all-reduce: fan-in of a recursive tree, 1 = none
    std::int32_t partition = 1; ///< processes of the inner groups, 1 = none; not with a tree, ring, or splines
    bool operator==(const MotifCut &) const = default;
};
/// `processes` matters only with a tree or a partition, which have to divide it.
[[nodiscard]] std::vector<Motif> cutMotifs(CollectiveKind kind, const MotifCut &cut, std::int32_t processes = 0);

inline constexpr std::size_t maxMotifs = 1024; ///< of one comm-op

/// The work left for proofs of motifs. The collectives of a plan share one, so that no plan takes longer than a second or two,
/// however many collectives a file has.
struct ProofBudget {
    std::int64_t moves = 50'000'000; ///< of chunks among processes, or comparisons of two motifs

    /// Takes `wanted` moves from the budget; false if fewer are left.
    [[nodiscard]] bool take(std::int64_t wanted) {
        moves -= wanted;
        return moves >= 0;
    }
};

/// Checks that motifs do exactly the work of the collective of `processes`, nothing missing and nothing twice. Parts of the same
/// collective have to cover its payload and pattern once; motifs of other kinds or among groups are proved by moving symbolic
/// chunks (movesAllChunks()). At most maxMotifs, which are compared pair by pair. The error names the motif, or says that
/// `budget` does not suffice.
[[nodiscard]] Result<void> checkMotifs(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes,
                                       ProofBudget &budget);
/// The same of one collective alone.
[[nodiscard]] Result<void> checkMotifs(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes);

/// "segment 2 of 4 of all_to_all".
[[nodiscard]] std::string nameOf(const Motif &motif);

} // namespace syncopate

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
/// pattern of transfers: motif c of k of an all-to-all among N sends from process i to (i + c N/k) .. (i + (c+1) N/k - 1) mod N.
/// An all-reduce may be two motifs one after the other, reduce-scatter and all-gather (appendix A.1).
struct Motif {
    CollectiveKind kind = CollectiveKind::AllReduce;
    Slice segment{};
    Slice spline{};
    std::vector<std::int32_t> after{}; ///< motifs of the same comm-op that must be done before, by their number in it
    bool operator==(const Motif &) const = default;
};

/// Bytes that one process sends to others. All-to-all of B bytes: B/N to each other process of the spline; all-reduce, as a ring:
/// 2 (N-1)/N B; reduce-scatter and all-gather: half of that; reduce and broadcast: B.
[[nodiscard]] double sentBytes(const Motif &motif, double opBytes, std::int32_t processes);

/// How a comm-op is cut into motifs.
struct MotifCut {
    std::int32_t segments = 1;
    std::int32_t splines = 1; ///< of an all-to-all; divides the number of processes
    bool ring = false;        ///< of an all-reduce: reduce-scatter, then all-gather
    bool operator==(const MotifCut &) const = default;
};
[[nodiscard]] std::vector<Motif> cutMotifs(CollectiveKind kind, const MotifCut &cut);

inline constexpr std::size_t maxMotifs = 1024; ///< of one comm-op

/// Whether motifs do what the collective does, neither less nor anything twice: the payload and pattern of the whole are covered
/// once, and an all-gather waits for the reduce-scatter of what it gathers. At most
/// maxMotifs, which are compared pair by pair. The error names the motif.
[[nodiscard]] Result<void> checkMotifs(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes);

/// "segment 2 of 4 of all_to_all".
[[nodiscard]] std::string nameOf(const Motif &motif);

} // namespace syncopate

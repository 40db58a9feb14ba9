// SPDX-License-Identifier: GPL-3.0-or-later
// The common part of an MSCCL++ plan and of the program in its Python DSL that makes the same plan: the comm-op, as far as
// MSCCL++ can express it.
#pragma once

#include "engine/plan/execution_plan.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate {

/// A comm-op among the processes of a node. Each motif is a thread block; buffers are cut into ranks * segments equal chunks.
struct MscclppOp {
    std::string title;           ///< of the plan: letters, digits and underscores
    std::string_view collective; ///< MSCCL++'s name for the kind
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::vector<Motif> motifs; ///< of that kind, segments of one size
    std::int32_t ranks = 0;

    [[nodiscard]] std::int32_t segments() const { return motifs.front().segment.of; }
    /// Whether the result is in the input's buffer, or (all-gather) the input in the output's.
    [[nodiscard]] bool isInPlace() const { return kind != CollectiveKind::AllToAll; }
    /// Whether each process sums up its part of all others' inputs, rather than sends to them.
    [[nodiscard]] bool reduces() const { return kind == CollectiveKind::AllReduce || kind == CollectiveKind::ReduceScatter; }
    /// How far ahead of itself a process sends in the motif, from first up to second, which is excluded.
    [[nodiscard]] std::pair<std::int32_t, std::int32_t> hops(const Motif &motif) const {
        const auto begin = [&](std::int32_t part) { return (part * ranks + motif.spline.of - 1) / motif.spline.of; };
        return {begin(motif.spline.index), begin(motif.spline.index + 1)};
    }
};

inline constexpr std::uint32_t mscclppMaxBytes = UINT32_MAX; ///< offsets have 32 bits

/// The comm-op called `op`. Errors: those of writeMscclpp().
[[nodiscard]] Result<MscclppOp> mscclppOp(const ExecutionPlan &plan, const TrainingDag &dag, std::int32_t processesPerNode,
                                          const std::string &op);

} // namespace syncopate

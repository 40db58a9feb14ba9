// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif_costs.h"

#include <string>
#include <utility>
#include <vector>

namespace syncopate::testing {

inline DagOp computeOp(std::string name, double seconds, std::vector<std::int32_t> parents = {},
                       std::vector<std::int32_t> previousParents = {}) {
    return {.name = std::move(name),
            .seconds = seconds,
            .parents = std::move(parents),
            .previousParents = std::move(previousParents)};
}
inline DagOp commOp(std::string name, CollectiveKind kind, double bytes, std::vector<std::int32_t> parents,
                    std::vector<std::int32_t> previousParents = {}) {
    return {.name = std::move(name),
            .collective = kind,
            .sizeBytes = bytes,
            .parents = std::move(parents),
            .previousParents = std::move(previousParents)};
}

/// Of two processes, orders as the ops come.
inline TrainingDag dagOf(std::vector<DagOp> ops, std::int32_t processes = 2) {
    TrainingDag dag{.name = "made", .processes = processes, .ops = std::move(ops), .computeOrder = {}, .submissionOrder = {}};
    for (std::size_t o = 0; o < dag.ops.size(); ++o)
        (dag.ops[o].isCompute() ? dag.computeOrder : dag.submissionOrder).push_back(static_cast<std::int32_t>(o));
    return dag;
}

/// A channel on a link of its own that carries a byte a second: an all-reduce of two processes takes its bytes as seconds.
inline Channel unitChannel(const std::string &name) { return {name, {name}, 1, 0}; }

} // namespace syncopate::testing

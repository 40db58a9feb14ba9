// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/cost_curves.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// The collectives of one kind and group in a DAG, of permutes also of one shift, and their costs.
struct PlannedCost {
    DagOp like;                     ///< one of them
    std::vector<double> sizesBytes; ///< of all of them, ascending, without duplicates
    CostCurves costs;
};
/// The costs of a DAG's collectives over its channels.
struct PlannedCosts {
    std::vector<Channel> channels;
    std::int32_t processes = 0;
    std::vector<PlannedCost> kinds; ///< in the order of the DAG
    std::size_t kindsLeftOut = 0;   ///< number of kinds and groups beyond maxPlannedKinds
};

inline constexpr std::size_t maxPlannedKinds = 32;

/// Cost curves of all collectives of `dag`, or of those of one kind, from 1 KiB to 1 GiB, including all sizes that the DAG has or
/// that were measured. Incomplete if `stop` is requested.
[[nodiscard]] PlannedCosts plannedCosts(const TrainingDag &dag, const std::vector<Channel> &channels, const MotifCosts &costs,
                                        std::optional<CollectiveKind> only = {}, const std::stop_token &stop = {});

/// How many processes run a comm-op together: "4"; of groups of different sizes "2+6", of many of them "2-6".
[[nodiscard]] std::string membersOf(const DagOp &op, std::int32_t processes);
/// "all_to_all among 4", "all_reduce among 4, 8 apart", "permute among 4, shift 1".
[[nodiscard]] std::string nameOf(const PlannedCosts &costs, const PlannedCost &of);
/// A way to carry out a collective without its segments: "whole", "ring", "4 splines", "tree of 4", "groups of 8".
[[nodiscard]] std::string wayOf(const MotifCut &cut);

} // namespace syncopate

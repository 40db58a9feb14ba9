// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// Proves that motifs, with their groups, leave every process with the result of the collective of kind `kind`, in any order that
/// their `after` allows. It moves chunks that record their contributors; chunks that a motif reads or overwrites have to be of a
/// motif that it waits for.
///
/// The effect of groups does not depend on their number of members, so each level of groups is shrunk to the smallest number of
/// members that tells its splines apart, and the payload to the parts that segments distinguish. Where splines sum or copy (of
/// all but all-to-all and permute), chunks are moved among all processes, at most 256. The splines of a reduction need not wait
/// for each other to add to the same chunk; each contribution has to be added exactly once. Cost: for each part of the payload,
/// (motifs that cover it + 1) x (shrunk processes)^2, which is taken from `budget`.
///
/// Errors name the motif that does not wait for a motif that changes its data, that adds a contribution twice or adds undefined
/// contents, that repeats work, or that belongs to another collective; or they say that processes end without the result, that
/// groups are not inside each other or have too many levels, that such splines are among more than 256 processes, that there are
/// more than maxMotifs, or that the budget does not suffice. `motifs` have slices within bounds, and `after` that names motifs
/// before them.
[[nodiscard]] Result<void> movesAllChunks(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes,
                                          ProofBudget &budget);

/// The error of a budget that does not suffice.
[[nodiscard]] Unexpected tooManyToProve();

} // namespace syncopate

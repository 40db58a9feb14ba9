// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// Proves that motifs, groups and all, leave every process with what the collective of kind `kind` leaves it with, in any order
/// that their `after` allows. It moves chunks that know who has contributed to them; what a motif reads or overwrites has to be
/// of a motif that it waits for.
///
/// What groups do does not depend on how many members they have, so each level of groups is shrunk to the smallest number of
/// members that tells its splines apart, and the payload to the parts that segments distinguish. Where splines sum or copy (of
/// all but all-to-all and permute), chunks are moved among all processes, at most 256. Splines of a reduction may add at once;
/// each has to add its share exactly once. Cost: of each such part the square of the (shrunk) processes times the motifs, which
/// is taken from `budget`.
///
/// Errors name the motif that reads what is not there, or the process that ends with something else, or say that the budget does
/// not suffice. `motifs` have slices within
/// bounds, and `after` that names motifs before them.
[[nodiscard]] Result<void> movesAllChunks(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes,
                                          ProofBudget &budget);

/// The error of a budget that does not suffice.
[[nodiscard]] Unexpected tooManyToProve();

} // namespace syncopate

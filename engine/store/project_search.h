// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/search_state.h"
#include "engine/store/project_objects.h"

namespace syncopate {

/// Ids of searches: the window's, and the one of a past search.
inline constexpr SearchId presentSearch{0};
[[nodiscard]] constexpr SearchId pastSearch(std::size_t past) { return {static_cast<std::int64_t>(past) + 1}; }

/// The tables of searches: their settings, a row per baseline, tuned builder and trial, and one per batch that a ranker was
/// measured on. Replaces those of older formats, sets format 6.
extern const char *const searchSchema;
/// The column of CandidateMetrics::confidence; sets format 7.
extern const char *const confidenceSchema;

/// Writes searches into a project that has none, without their plans' states, which are scenarios. A strategy that was judged in
/// the same way several times, in one search or in several, is written once: with the present search, whose trials are all
/// written, or else with the oldest one. Pinned trials are always written. O(trials).
[[nodiscard]] Result<void> writeSearches(Database &file, ObjectWriter &objects, const std::shared_ptr<const SearchState> &present,
                                         const PastSearches &past);

/// Reads a search of a project of format 2 or newer; `search.plan.state` must be set already. Trials of formats 2 and 3 get the
/// genes from which they are decoded today. False = the project has no such search. Errors: missing or too many trials, genes
/// that are not numbers, a strategy of another job.
[[nodiscard]] Result<bool> readSearch(Database &file, std::int64_t version, ObjectReader &objects, SearchId id,
                                      SearchState &search);

} // namespace syncopate

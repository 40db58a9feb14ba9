// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/search_state.h"
#include "engine/store/project_objects.h"

namespace syncopate {

/// The tables of a search: its settings, and a row per baseline and trial. Replaces those of formats 2 and 3, sets format 4.
extern const char *const searchSchema;

/// Writes a search into a project that has none, without its plan's state, which is a scenario. O(trials).
[[nodiscard]] Result<void> writeSearch(Database &file, ObjectWriter &objects, const SearchState &search);

/// Reads a search of a project of format 2 or newer; `search.plan.state` is there already. Trials of formats 2 and 3 get the
/// genes from which they are decoded today. False = the project has no search. Errors: missing or too many trials, genes that
/// are not numbers, a strategy of another job.
[[nodiscard]] Result<bool> readSearch(Database &file, std::int64_t version, ObjectReader &objects, SearchState &search);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/project_objects.h"
#include "engine/session/search_state.h"

namespace syncopate {

/// The tables of a search: what was asked for, and a row per baseline and trial.
extern const char *const searchSchema;

/// Puts all of a search but its plan's state, which is a scenario, into a project without one. O(trials).
[[nodiscard]] Result<void> writeSearch(Database &file, ObjectWriter &objects, const SearchState &search);

/// Takes it out again; `search.plan.state` is there already. False = the project has no search. Errors: trials that are missing
/// or too many, a strategy that is not the job's.
[[nodiscard]] Result<bool> readSearch(Database &file, ObjectReader &objects, SearchState &search);

} // namespace syncopate

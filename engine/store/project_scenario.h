// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/project_file.h"
#include "engine/store/project_objects.h"

namespace syncopate {

/// Writes a scenario and its sides: the source of a side as textOf() writes it, an edited strategy and a plan as objects. Errors:
/// the file cannot be written.
[[nodiscard]] Result<void> writeScenario(Database &file, ObjectWriter &objects, ScenarioId id, const KeptScenario &kept);

/// Reads the current row of `rows` (SELECT * FROM scenario), without the scenario's sides. Errors: an object that it names is
/// missing or damaged.
[[nodiscard]] Result<KeptScenario> readScenario(Statement &rows, ObjectReader &objects);

/// Reads a scenario's sides into `state`, which readScenario() has read. Errors as there.
[[nodiscard]] Result<void> readSides(Database &file, ObjectReader &objects, ScenarioId id, SessionState &state);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of an explanation that `why` and `plan --why` share.
#pragma once

#include "engine/analyze/explain.h"
#include "engine/base/json_writer.h"

#include <string>

namespace syncopate::cli {

void writeCauses(JsonWriter &json, const Explanation &answer);
void writeSensitivities(JsonWriter &json, const Explanation &answer, const ScenarioRecipe &recipe);

/// The longest causes in order of time. Here and below, `present` is the iteration in seconds.
[[nodiscard]] std::string causesText(const Explanation &answer, double present);
/// Remedies that help, and with `all` also the others; those that cannot be simulated say why.
[[nodiscard]] std::string remediesText(const Explanation &answer, double present, bool all);
[[nodiscard]] std::string sensitivitiesText(const Explanation &answer, double present, const ScenarioRecipe &recipe);

} // namespace syncopate::cli

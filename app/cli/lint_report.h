// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_writer.h"
#include "engine/rewrite/scenario.h"
#include "engine/strategy/lint.h"

#include <string>
#include <vector>

namespace syncopate::cli {

/// What lint finds in the scenario's strategy and background traffic.
[[nodiscard]] std::vector<LintMark> marksOf(const Scenario &scenario);
/// The member "lint" of the object being written: all marks.
void writeLint(JsonWriter &json, const std::vector<LintMark> &marks);
/// One line a mark and rule, with the number of further variables it holds for; empty where there are no marks.
[[nodiscard]] std::string lintReport(const std::vector<LintMark> &marks);

} // namespace syncopate::cli

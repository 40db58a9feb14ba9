// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_writer.h"
#include "engine/strategy/lint.h"

#include <string>
#include <vector>

namespace syncopate::cli {

/// Writes all marks as the member "lint" of the open object.
void writeLint(JsonWriter &json, const std::vector<LintMark> &marks);
/// One line per mark and rule, with the number of further variables it applies to; empty if there are no marks.
[[nodiscard]] std::string lintReport(const std::vector<LintMark> &marks);

} // namespace syncopate::cli

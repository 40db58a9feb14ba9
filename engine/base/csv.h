// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Splits a line of comma-separated values without quoting, as measuring scripts write them. A trailing carriage return is
/// dropped. An empty line has one empty field.
[[nodiscard]] std::vector<std::string> splitCsvLine(std::string_view line);

} // namespace syncopate

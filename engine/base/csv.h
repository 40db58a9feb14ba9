// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The fields of a line of comma-separated values without quoting, as measuring scripts write them; a carriage return is no part
/// of them. An empty line has one empty field.
[[nodiscard]] std::vector<std::string> splitCsvLine(std::string_view line);

} // namespace syncopate

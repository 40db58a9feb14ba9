// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Splits a line of comma-separated values without quoting, as measuring scripts write them. Carriage returns
/// are dropped. An empty line has one empty field.
[[nodiscard]] std::vector<std::string> splitCsvLine(std::string_view line);

/// The same of a line whose fields may be quoted, as spreadsheets write those with commas (RFC 4180), but not across lines.
[[nodiscard]] std::vector<std::string> splitQuotedCsvLine(std::string_view line);

/// The text of a cell, as valid UTF-8. A spreadsheet runs a cell that begins with =, +, -, @, a tab or a carriage return as a
/// formula; an apostrophe in front keeps it a text (CWE-1236). Numbers stay numbers.
[[nodiscard]] std::string inertCell(std::string_view text);
/// inertCell() as a CSV field (RFC 4180): quoted when it holds a comma, quote, tab, line break or an apostrophe in front.
[[nodiscard]] std::string csvField(std::string_view text);

} // namespace syncopate

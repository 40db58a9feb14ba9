// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/run.h"

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A column of a table.
struct TableColumn {
    std::string name;
    bool isNumber = false; ///< right-aligned where the format knows alignment
};

/// A table of texts: the form in which every table is exported or copied. Every row has one cell per column.
struct Table {
    std::vector<TableColumn> columns;
    std::vector<std::vector<std::string>> rows;
};

/// The format of an exported table.
enum class TableFormat { Csv, Tsv, Markdown };

/// With a header line, lines ended by '\n'. CSV quotes as RFC 4180 does. TSV has no quotes: tab, line break, carriage return
/// and backslash become \t, \n, \r and \\. In both, an apostrophe goes before a text that a spreadsheet would run (inertCell());
/// in TSV also before one that begins with a quote, which it would take as the field's. Markdown is a GitHub table; characters
/// that it would take for markup are escaped.
[[nodiscard]] std::string writeTable(const Table &table, TableFormat format);

/// The rows of variableRows() with the columns that writeTableCsv() names: sizes in bytes, times in seconds.
[[nodiscard]] Table variableTable(const Run &run);

/// Escapes `text` for a cell of a Markdown table.
[[nodiscard]] std::string escapeMarkdown(std::string_view text);

} // namespace syncopate

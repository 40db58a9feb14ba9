// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A table of plain fields: a header line, then one line per row; no quotes. Blanks around a field, empty lines (before the
/// header, too) and a byte order mark are left out.
class CsvTable {
public:
    /// Errors name file and line: a missing column of `needed`, a column named twice, a line with more or fewer fields than the
    /// header, more than 1000 columns or a million rows. `example` is the header to recommend.
    static Result<CsvTable> parse(std::string_view text, const std::string &file, const std::vector<std::string> &needed,
                                  const std::string &example);

    /// The fields of the header as parse() reads them, at most 1001; none if there is no header. `text` may be the table's
    /// beginning.
    [[nodiscard]] static std::vector<std::string> headerOf(std::string_view text);

    [[nodiscard]] std::size_t rowCount() const { return m_rows.size(); }
    [[nodiscard]] bool has(const std::string &column) const { return m_columns.contains(column); }
    /// A column that is not among `known`; none if there is no such column.
    [[nodiscard]] std::optional<std::string> columnBeside(std::span<const char *const> known) const;
    /// The field of a column that the table has.
    [[nodiscard]] const std::string &text(std::size_t row, const std::string &column) const;
    /// Parses a finite number from `min` to `max`; the error names file, line and column.
    [[nodiscard]] Result<double> number(std::size_t row, const std::string &column, double min, double max) const;
    [[nodiscard]] std::string place(std::size_t row) const; ///< its line, for errors

private:
    std::string m_file;
    std::map<std::string, std::size_t> m_columns;
    std::vector<std::vector<std::string>> m_rows;
    std::vector<std::size_t> m_lines;
};

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/csv_table.h"

#include "engine/base/units.h"
#include "engine/parse/byte_order_mark.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr std::size_t mostRows = 1'000'000, maxColumns = 1000;

std::string_view withoutBlanks(std::string_view field) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t last = field.find_last_not_of(blanks);
    if (last == std::string_view::npos)
        return {};
    const std::size_t first = field.find_first_not_of(blanks);
    return field.substr(first, last + 1 - first);
}

std::vector<std::string> fieldsOf(std::string_view line) {
    std::vector<std::string> fields;
    for (std::size_t from = 0; from <= line.size() && fields.size() <= maxColumns;) {
        const std::size_t comma = std::min(line.find(',', from), line.size());
        fields.emplace_back(withoutBlanks(line.substr(from, comma - from)));
        from = comma + 1;
    }
    return fields;
}

/// Takes the first line off the text and returns its fields.
std::vector<std::string> takeFields(std::string_view &text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::vector<std::string> fields = fieldsOf(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return fields;
}

bool isEmptyLine(const std::vector<std::string> &fields) { return fields.size() == 1 && fields.front().empty(); }

} // namespace

std::vector<std::string> CsvTable::headerOf(std::string_view text) {
    text = withoutByteOrderMark(text);
    while (!text.empty())
        if (std::vector<std::string> fields = takeFields(text); !isEmptyLine(fields))
            return fields;
    return {};
}

Result<CsvTable> CsvTable::parse(std::string_view text, const std::string &file, const std::vector<std::string> &needed,
                                 const std::string &example) {
    CsvTable table;
    table.m_file = file;
    std::string headerPlace = "1";
    text = withoutByteOrderMark(text);
    for (std::size_t line = 1; !text.empty(); ++line) {
        std::vector<std::string> fields = takeFields(text);
        const std::string place = fmt::format("{}", line);
        if (fields.size() > maxColumns)
            return fail(fmt::format("more than {} fields", maxColumns), "start with the header " + example, file, place);
        if (isEmptyLine(fields))
            continue;
        if (table.m_columns.empty()) {
            headerPlace = place;
            for (std::size_t i = 0; i < fields.size(); ++i)
                if (!table.m_columns.emplace(fields[i], i).second)
                    return fail(fmt::format("two columns are called '{}'", fields[i]), "name each once", file, place);
            continue;
        }
        if (fields.size() != table.m_columns.size())
            return fail(fmt::format("{} fields where the header has {}", fields.size(), table.m_columns.size()),
                        "complete the line", file, place);
        if (table.m_rows.size() == mostRows)
            return fail(fmt::format("more than {} lines", mostRows), "split the file", file, place);
        table.m_rows.push_back(std::move(fields));
        table.m_lines.push_back(line);
    }
    for (const std::string &column : needed)
        if (!table.has(column))
            return fail(fmt::format("there is no column '{}'", column), "start with the header " + example, file, headerPlace);
    return table;
}

std::optional<std::string> CsvTable::columnBeside(std::span<const char *const> known) const {
    for (const auto &[column, place] : m_columns)
        if (std::find(known.begin(), known.end(), column) == known.end())
            return column;
    return {};
}

const std::string &CsvTable::text(std::size_t row, const std::string &column) const { return m_rows[row][m_columns.at(column)]; }

Result<double> CsvTable::number(std::size_t row, const std::string &column, double min, double max) const {
    const std::string &field = text(row, column);
    const auto value = parseNumber(field);
    if (!value || !std::isfinite(*value) || *value < min || *value > max)
        return fail(fmt::format("{} '{}' is not a number from {} to {}", column, field, min, max), "correct the line", m_file,
                    place(row));
    return *value;
}

std::string CsvTable::place(std::size_t row) const { return fmt::format("{}", m_lines[row]); }

} // namespace syncopate

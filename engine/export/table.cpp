// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/table.h"

#include "engine/base/csv.h"
#include "engine/base/utf8.h"
#include "engine/export/export.h"

#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace syncopate {

namespace {

std::string tsvField(std::string_view text) {
    // A spreadsheet takes quotes around a field, and all up to a closing one, as its text.
    std::string field = text.starts_with('"') ? "'" : "";
    for (const char c : inertCell(text)) {
        switch (c) {
        case '\t':
            field += "\\t";
            break;
        case '\n':
            field += "\\n";
            break;
        case '\r':
            field += "\\r";
            break;
        case '\\':
            field += "\\\\";
            break;
        default:
            field += c;
        }
    }
    return field;
}

template <class Field> void addLine(std::string &text, const std::vector<std::string> &cells, char separator, Field field) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
        if (c > 0)
            text += separator;
        text += field(cells[c]);
    }
    text += '\n';
}

void addMarkdownLine(std::string &text, const std::vector<std::string> &cells) {
    text += '|';
    for (const std::string &cell : cells)
        text += ' ' + escapeMarkdown(cell) + " |";
    text += '\n';
}

} // namespace

std::string escapeMarkdown(std::string_view text) {
    std::string escaped;
    const auto isWord = [&](std::size_t i) { return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        // An underscore within a word is not emphasis; variable names are full of them.
        const bool markup = std::string_view("\\|`*[]<>&~#!").find(c) != std::string_view::npos ||
                            (c == '_' && !(i > 0 && isWord(i - 1) && isWord(i + 1)));
        if (c == '\n' || c == '\r') {
            escaped += c == '\n' ? "<br>" : "";
            continue;
        }
        if (markup)
            escaped += '\\';
        escaped += c;
    }
    return validUtf8(escaped, unknownCharacter);
}

std::string writeTable(const Table &table, TableFormat format) {
    std::vector<std::string> names;
    for (const TableColumn &column : table.columns)
        names.push_back(column.name);
    std::string text;
    if (format == TableFormat::Markdown) {
        addMarkdownLine(text, names);
        text += '|';
        for (const TableColumn &column : table.columns)
            text += column.isNumber ? " ---: |" : " --- |";
        text += '\n';
        for (const auto &row : table.rows)
            addMarkdownLine(text, row);
        return text;
    }
    const char separator = format == TableFormat::Csv ? ',' : '\t';
    const auto field = [format](const std::string &cell) { return format == TableFormat::Csv ? csvField(cell) : tsvField(cell); };
    addLine(text, names, separator, field);
    for (const auto &row : table.rows)
        addLine(text, row, separator, field);
    return text;
}

Table variableTable(const Run &run) {
    const Job &job = *run.scenario.job;
    Table table;
    table.columns = {{"variable"},
                     {"layer"},
                     {"shape"},
                     {"dtype"},
                     {"size_bytes", true},
                     {"synchroniser"},
                     {"destination"},
                     {"parts", true},
                     {"group", true},
                     {"groups"},
                     {"first_start_seconds", true},
                     {"last_end_seconds", true},
                     {"communication_seconds", true}};
    for (const VariableRow &row : variableRows(run)) {
        const Variable &variable = job.variables[static_cast<std::size_t>(row.variable)];
        table.rows.push_back({variable.name, job.layers[static_cast<std::size_t>(row.layer)].name,
                              fmt::format("{}", fmt::join(variable.shape, "x")), std::string(nameOf(variable.dtype)),
                              fmt::format("{}", variable.sizeBytes()), row.synchroniser, row.destination,
                              fmt::format("{}", row.parts), fmt::format("{}", row.group), row.groups,
                              fmt::format("{:.9f}", row.firstStartSeconds), fmt::format("{:.9f}", row.lastEndSeconds),
                              fmt::format("{:.9f}", row.communicationSeconds)});
    }
    return table;
}

} // namespace syncopate

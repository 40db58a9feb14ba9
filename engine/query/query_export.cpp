// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/query/query_export.h"

#include "engine/base/text.h"
#include "engine/base/utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace syncopate {

namespace {

bool isNumberOrNull(const QueryValue &value) { return !std::holds_alternative<std::string>(value); }

bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }

/// Counts code points, not bytes: the width on a terminal, but for characters that take two columns (CJK) or none.
std::size_t widthOf(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), startsCharacter));
}

/// cutInMiddle() by characters.
std::string cutToWidth(std::string_view text, std::size_t maxWidth) {
    const std::size_t width = widthOf(text);
    if (width <= maxWidth)
        return std::string(text);
    const auto startOf = [text](std::size_t character) {
        std::size_t at = 0;
        for (std::size_t begun = 0; at < text.size(); ++at)
            if (startsCharacter(text[at]) && begun++ == character)
                break;
        return at;
    };
    const std::size_t kept = maxWidth > 0 ? maxWidth - 1 : 0; // and an ellipsis
    return fmt::format("{}\u2026{}", text.substr(0, startOf(kept - kept / 2)), text.substr(startOf(width - kept / 2)));
}

void addPadded(std::string &line, const std::string &cell, std::size_t width, bool right) {
    const std::size_t used = widthOf(cell);
    const std::string padding(width > used ? width - used : 0, ' ');
    line += right ? padding + cell : cell + padding;
}

} // namespace

Table tableOf(const QueryResult &result) {
    Table table;
    for (std::size_t c = 0; c < result.columns.size(); ++c) {
        const bool isNumber = !result.rows.empty() && std::all_of(result.rows.begin(), result.rows.end(),
                                                                  [c](const auto &row) { return isNumberOrNull(row[c]); });
        table.columns.push_back({visibleText(result.columns[c]), isNumber});
    }
    for (const auto &row : result.rows) {
        auto &cells = table.rows.emplace_back();
        for (const QueryValue &value : row)
            cells.push_back(visibleText(textOf(value)));
    }
    return table;
}

void writeQueryResult(JsonWriter &json, const QueryResult &result) {
    json.key("columns").beginArray();
    for (const std::string &column : result.columns)
        json.value(column);
    json.endArray().newLine().key("rows").beginArray();
    for (const auto &row : result.rows) {
        json.newLine().beginArray();
        for (const QueryValue &value : row) {
            if (const auto *integer = std::get_if<std::int64_t>(&value))
                json.value(*integer);
            else if (const auto *real = std::get_if<double>(&value))
                json.value(*real);
            else if (const auto *text = std::get_if<std::string>(&value))
                json.value(visibleText(*text));
            else
                json.json("null");
        }
        json.endArray();
    }
    json.endArray().newLine().member("is_cut", result.isCut);
}

std::string queryResultJson(const QueryResult &result) {
    JsonWriter json;
    json.beginObject();
    writeQueryResult(json, result);
    json.endObject().newLine();
    return json.take();
}

std::string alignedText(const Table &table, std::size_t maxWidth) {
    std::vector<std::vector<std::string>> lines;
    std::vector<std::string> &header = lines.emplace_back();
    for (const TableColumn &column : table.columns)
        header.push_back(cutToWidth(column.name, maxWidth));
    for (const auto &row : table.rows) {
        auto &line = lines.emplace_back();
        for (const std::string &cell : row)
            line.push_back(cutToWidth(cell, maxWidth));
    }
    std::vector<std::size_t> widths(table.columns.size(), 0);
    for (const auto &line : lines)
        for (std::size_t c = 0; c < line.size(); ++c)
            widths[c] = std::max(widths[c], widthOf(line[c]));
    std::string text;
    for (const auto &cells : lines) {
        std::string line;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            line += c > 0 ? "  " : "";
            addPadded(line, cells[c], widths[c], table.columns[c].isNumber);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace syncopate

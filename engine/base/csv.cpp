// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/csv.h"

#include "engine/base/units.h"
#include "engine/base/utf8.h"

namespace syncopate {

std::vector<std::string> splitCsvLine(std::string_view line) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
        if (c == ',')
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
    }
    return fields;
}

std::vector<std::string> splitQuotedCsvLine(std::string_view line) {
    std::vector<std::string> fields(1);
    bool isQuoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && isQuoted && line.substr(i + 1, 1) == "\"")
            fields.back() += line[++i];
        else if (c == '"' && (isQuoted || fields.back().empty()))
            isQuoted = !isQuoted;
        else if (c == ',' && !isQuoted)
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
    }
    return fields;
}

std::string inertCell(std::string_view text) {
    const bool asFormula = text.size() > 1 && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
    std::string cell = validUtf8(text, unknownCharacter);
    return asFormula && !parseNumber(text) ? "'" + cell : cell;
}

std::string csvField(std::string_view text) {
    const std::string cell = inertCell(text);
    if (cell.find_first_of(",\"\r\n\t") == std::string::npos && !cell.starts_with('\''))
        return cell;
    std::string quoted = "\"";
    for (const char c : cell) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace syncopate

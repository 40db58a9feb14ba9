// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_writer.h"
#include "engine/export/table.h"
#include "engine/query/query.h"

#include <string>

namespace syncopate {

/// The result as text, a column of numbers where it has numbers only. Control characters in texts are visible.
[[nodiscard]] Table tableOf(const QueryResult &result);
/// The members columns[] (names), rows[][] (numbers, texts, null), is_cut.
void writeQueryResult(JsonWriter &json, const QueryResult &result);
/// The same as a JSON object, a row a line.
[[nodiscard]] std::string queryResultJson(const QueryResult &result);
/// The result in columns that are as wide as their cells, numbers to the right. Cells of more than `maxWidth` characters are cut
/// in the middle.
[[nodiscard]] std::string alignedText(const Table &table, std::size_t maxWidth = 60);

} // namespace syncopate

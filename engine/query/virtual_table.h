// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/query/query_table.h"

struct sqlite3;

namespace syncopate {

class QueryWatch;

/// Makes `table` available to statements on the connection, read-only; it and `watch` must outlive the connection. Finding a row
/// by its key is immediate; GROUP BY and ORDER BY over up to four ranked columns take one pass for each and four bytes a row,
/// which `watch` bounds. False: SQLite is out of memory.
[[nodiscard]] bool addVirtualTable(sqlite3 *database, const QueryTable &table, QueryWatch &watch);

} // namespace syncopate

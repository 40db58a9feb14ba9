// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/query/query_table.h"

struct sqlite3;

namespace syncopate {

class QueryWatch;

/// Makes `table` one that statements on the connection can name; it and `watch` must outlive the connection. It cannot be
/// written. Its key finds a row at once, GROUP BY and ORDER BY over up to four ranked columns put rows in order by ranks
/// (row_order.h), four bytes a row and eight for each column of integers that is asked for, which `watch` bounds. False: SQLite
/// has no memory left.
[[nodiscard]] bool addVirtualTable(sqlite3 *database, const QueryTable &table, QueryWatch &watch);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/query/virtual_table.h"

#include "engine/query/query_watch.h"
#include "engine/query/row_order.h"

#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <vector>

// Functions that SQLite calls through a sqlite3_module: https://sqlite.org/vtab.html. None of them throws: those that may run out
// of memory return SQLITE_NOMEM.

namespace syncopate {

namespace {

constexpr int maxOrderColumns = 4;
constexpr int bitsPerColumn = 7; ///< per column of a plan, starting with the lowest bits; 0 = no more columns
constexpr int findKey = 1 << (maxOrderColumns * bitsPerColumn);
constexpr double scanCostOfRow = 1.0, sortCostOfRow = 0.3;
constexpr std::size_t rowsAhead = 16; ///< to prefetch: about as many as are read while memory answers
constexpr std::size_t maxSortedRows = std::numeric_limits<std::uint32_t>::max();

/// The argument that SQLite passes to connect().
struct Connected {
    const QueryTable &table;
    QueryWatch &watch;
};

/// Derives from SQLite's struct, pointers to which SQLite hands back.
struct Table : sqlite3_vtab {
    explicit Table(const Connected &connected) : sqlite3_vtab{}, rows(connected.table), watch(connected.watch) {}
    NumberedRows rows;
    QueryWatch &watch;
    std::map<int, std::optional<QueryTable::Ranks>> ranks{};    ///< by column, made on demand
    std::map<std::pair<int, std::uint64_t>, RowOrder> orders{}; ///< by plan and requested columns
    [[nodiscard]] const QueryTable &table() const { return rows.table; }
};

struct Cursor : sqlite3_vtab_cursor {
    const RowOrder *order = nullptr; ///< null = the table's own order
    std::size_t position = 0, end = 0;
    std::size_t row = 0;
    QueryTable::Row place{}, ahead{};
    std::uint64_t scattered = 0;                  ///< columns read from rows that are far apart in memory
    std::vector<const std::int64_t *> integers{}; ///< per column: its cells in this order; null = read from the row
    /// Cells of the columns that are ordered by, which all rows of a run share.
    std::vector<std::pair<int, QueryCell>> ofRun{};
    std::size_t run = 0, runEnd = 0;
};

Table &tableOf(sqlite3_vtab *table) { return *static_cast<Table *>(table); }
Cursor &cursorOf(sqlite3_vtab_cursor *cursor) { return *static_cast<Cursor *>(cursor); }

/// Runs code that may throw for lack of memory, the only exception here.
template <class Run> int guarded(Run run) {
    try {
        return run();
    } catch (const std::bad_alloc &) {
        return SQLITE_NOMEM;
    }
}

std::string declarationOf(const QueryTable &table) {
    std::string text = "CREATE TABLE x(";
    for (const QueryColumn &column : table.columns())
        text += (text.back() == '(' ? "" : ", ") + column.name + ' ' + column.type;
    return text + ')';
}

int connect(sqlite3 *database, void *of, int, const char *const *, sqlite3_vtab **made, char **) {
    return guarded([&] {
        auto table = std::make_unique<Table>(*static_cast<const Connected *>(of));
        const int status = sqlite3_declare_vtab(database, declarationOf(table->table()).c_str());
        if (status == SQLITE_OK)
            *made = table.release();
        return status;
    });
}

int disconnect(sqlite3_vtab *table) {
    delete &tableOf(table);
    return SQLITE_OK;
}

const std::optional<QueryTable::Ranks> &ranksOf(Table &table, int column) {
    const auto known = table.ranks.find(column);
    return known != table.ranks.end()
               ? known->second
               : table.ranks.emplace(column, table.table().ranks(static_cast<std::size_t>(column))).first->second;
}

/// The columns by which SQLite wants rows ordered or grouped, as a plan; 0 if the table cannot do that.
int orderPlan(Table &table, const sqlite3_index_info &info) {
    // Where sqlite3_vtab_distinct() asks for distinct rows, equal ones need only be adjacent. Of GROUP BY its documentation says
    // the same, but SQLite takes the groups' order for that of an ORDER BY over the same columns.
    constexpr int distinct = 2;
    const bool ascending = sqlite3_vtab_distinct(const_cast<sqlite3_index_info *>(&info)) != distinct;
    if (info.nOrderBy < 1 || info.nOrderBy > maxOrderColumns || table.rows.count() > maxSortedRows)
        return 0;
    int plan = 0;
    for (int i = 0; i < info.nOrderBy; ++i) {
        const int column = info.aOrderBy[i].iColumn;
        if (column < 1 || (ascending && info.aOrderBy[i].desc != 0) || !ranksOf(table, column))
            return 0;
        plan |= column << (i * bitsPerColumn);
    }
    return plan;
}

int bestIndex(sqlite3_vtab *of, sqlite3_index_info *info) {
    Table &table = tableOf(of);
    const auto rows = static_cast<double>(table.rows.count());
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto &constraint = info->aConstraint[i];
        if (constraint.usable == 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || constraint.iColumn > 0)
            continue;
        info->aConstraintUsage[i].argvIndex = 1; // SQLite compares again: 1.5 finds row 1, which does not match
        info->idxNum = findKey;
        info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
        info->orderByConsumed = 1;
        info->estimatedCost = 1;
        info->estimatedRows = 1;
        return SQLITE_OK;
    }
    return guarded([&] {
        info->idxNum = orderPlan(table, *info);
        if (info->idxNum != 0) {
            info->idxStr = sqlite3_mprintf("%llu", info->colUsed);
            info->needToFreeIdxStr = 1;
            if (!info->idxStr)
                return SQLITE_NOMEM;
        }
        info->orderByConsumed = info->idxNum != 0 ? 1 : 0;
        info->estimatedRows = static_cast<sqlite3_int64>(table.rows.count());
        info->estimatedCost = rows * (scanCostOfRow + (info->idxNum != 0 ? sortCostOfRow : 0)) + 1;
        return SQLITE_OK;
    });
}

/// The columns of a plan, in order.
std::vector<int> columnsOf(int plan) {
    std::vector<int> columns;
    for (constexpr int mask = (1 << bitsPerColumn) - 1; plan != 0; plan >>= bitsPerColumn)
        columns.push_back(plan & mask);
    return columns;
}

/// The table's rows in the order of `plan`; null if the watch ended it.
const RowOrder *orderOf(Table &table, int plan, std::uint64_t columns) {
    const auto known = table.orders.find({plan, columns});
    if (known != table.orders.end())
        return &known->second;
    std::vector<const QueryTable::Ranks *> ranks;
    for (const int column : columnsOf(plan))
        ranks.push_back(&*ranksOf(table, column));
    auto order = orderRows(table.rows, ranks, columns, table.watch);
    if (!order)
        return nullptr;
    table.watch.countKept(order->bytes());
    return &table.orders.emplace(std::pair(plan, columns), *std::move(order)).first->second;
}

int open(sqlite3_vtab *, sqlite3_vtab_cursor **made) {
    return guarded([&] {
        *made = new Cursor{};
        return SQLITE_OK;
    });
}

int close(sqlite3_vtab_cursor *cursor) {
    delete &cursorOf(cursor);
    return SQLITE_OK;
}

/// Moves to the run of the cursor's row, and reads the cells that all its rows share.
void enterRun(Cursor &cursor) {
    const Table &table = tableOf(cursor.pVtab);
    while (cursor.position >= cursor.order->runEnds[cursor.run])
        ++cursor.run;
    cursor.runEnd = cursor.order->runEnds[cursor.run];
    table.rows.find(cursor.row, cursor.place);
    for (auto &[column, cell] : cursor.ofRun)
        cell = table.table().cell(cursor.place, static_cast<std::size_t>(column));
}

/// Finds the cursor's row, and prefetches one that comes soon.
void settle(Cursor &cursor) {
    if (cursor.position >= cursor.end)
        return;
    const Table &table = tableOf(cursor.pVtab);
    cursor.row = cursor.order ? cursor.order->rows[cursor.position] : cursor.position;
    if (!cursor.ofRun.empty() && cursor.position >= cursor.runEnd)
        enterRun(cursor);
    if (cursor.scattered == 0 || cursor.position + rowsAhead >= cursor.end)
        return;
    table.rows.find(cursor.order->rows[cursor.position + rowsAhead], cursor.ahead);
    table.table().prefetch(cursor.ahead, cursor.scattered);
}

/// Makes the cursor follow `order`, which was made from `plan` for `columns`.
void follow(Cursor &cursor, const RowOrder &order, int plan, std::uint64_t columns) {
    cursor.order = &order;
    cursor.scattered = columns & ~std::uint64_t{1};
    if (!order.runEnds.empty())
        for (const int column : columnsOf(plan)) {
            cursor.ofRun.emplace_back(column, QueryCell());
            cursor.scattered &= ~(std::uint64_t{1} << column);
        }
    for (const auto &[column, values] : order.integers) {
        cursor.integers[column] = values.data();
        cursor.scattered &= ~(std::uint64_t{1} << column);
    }
}

int filter(sqlite3_vtab_cursor *of, int plan, const char *columns, int, sqlite3_value **values) {
    Cursor &cursor = cursorOf(of);
    Table &table = tableOf(cursor.pVtab);
    return guarded([&] {
        cursor.order = nullptr;
        cursor.position = cursor.run = cursor.runEnd = 0;
        cursor.end = table.rows.count();
        cursor.place = cursor.ahead = {};
        cursor.scattered = 0;
        cursor.ofRun.clear();
        cursor.integers.assign(table.table().columns().size(), nullptr);
        if (plan == findKey) {
            const sqlite3_int64 key = sqlite3_value_int64(values[0]);
            const bool found = key >= 0 && static_cast<std::uint64_t>(key) < table.rows.count();
            cursor.position = found ? static_cast<std::size_t>(key) : 0;
            cursor.end = found ? cursor.position + 1 : 0;
        } else if (plan != 0) {
            const std::uint64_t asked = std::strtoull(columns, nullptr, 10);
            const RowOrder *const order = orderOf(table, plan, asked);
            if (!order)
                return SQLITE_INTERRUPT;
            follow(cursor, *order, plan, asked);
        }
        settle(cursor);
        return SQLITE_OK;
    });
}

int next(sqlite3_vtab_cursor *of) {
    Cursor &cursor = cursorOf(of);
    ++cursor.position;
    settle(cursor);
    return SQLITE_OK;
}

int atEnd(sqlite3_vtab_cursor *of) { return cursorOf(of).position >= cursorOf(of).end ? 1 : 0; }

void giveCell(sqlite3_context *context, const QueryCell &cell) {
    if (const auto *integer = std::get_if<std::int64_t>(&cell))
        sqlite3_result_int64(context, *integer);
    else if (const auto *real = std::get_if<double>(&cell))
        sqlite3_result_double(context, *real); // NaN becomes NULL
    else if (const auto *text = std::get_if<std::string_view>(&cell))
        sqlite3_result_text64(context, text->data() ? text->data() : "", text->size(), SQLITE_STATIC, SQLITE_UTF8);
}

int column(sqlite3_vtab_cursor *of, sqlite3_context *context, int number) {
    Cursor &cursor = cursorOf(of);
    if (number == 0) {
        sqlite3_result_int64(context, static_cast<sqlite3_int64>(cursor.row));
        return SQLITE_OK;
    }
    if (const std::int64_t *const integers = cursor.integers[static_cast<std::size_t>(number)]) {
        sqlite3_result_int64(context, integers[cursor.position]);
        return SQLITE_OK;
    }
    for (const auto &[own, cell] : cursor.ofRun)
        if (own == number) {
            giveCell(context, cell);
            return SQLITE_OK;
        }
    return guarded([&] {
        const Table &table = tableOf(cursor.pVtab);
        table.rows.find(cursor.row, cursor.place);
        giveCell(context, table.table().cell(cursor.place, static_cast<std::size_t>(number)));
        return SQLITE_OK;
    });
}

int rowId(sqlite3_vtab_cursor *of, sqlite3_int64 *id) {
    *id = static_cast<sqlite3_int64>(cursorOf(of).row);
    return SQLITE_OK;
}

/// Without xCreate, tables exist under the names of their modules. Without xUpdate, they are read-only.
sqlite3_module makeModule() {
    sqlite3_module made{};
    made.xConnect = connect;
    made.xBestIndex = bestIndex;
    made.xDisconnect = disconnect;
    made.xOpen = open;
    made.xClose = close;
    made.xFilter = filter;
    made.xNext = next;
    made.xEof = atEnd;
    made.xColumn = column;
    made.xRowid = rowId;
    return made;
}

} // namespace

bool addVirtualTable(sqlite3 *database, const QueryTable &table, QueryWatch &watch) {
    static const sqlite3_module module = makeModule();
    const auto forget = [](void *connected) { delete static_cast<Connected *>(connected); };
    return sqlite3_create_module_v2(database, table.name().c_str(), &module, new Connected{table, watch}, forget) == SQLITE_OK;
}

} // namespace syncopate

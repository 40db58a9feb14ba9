// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/query/virtual_table.h"

#include "engine/query/query_watch.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <vector>

// Functions that SQLite calls through a sqlite3_module: https://sqlite.org/vtab.html. None of them throws: what may run out of
// memory says SQLITE_NOMEM.

namespace syncopate {

namespace {

constexpr int maxOrderColumns = 4;
constexpr int bitsPerColumn = 7; ///< columns of a plan, the first one lowest; 0 = no more
constexpr int findKey = 1 << (maxOrderColumns * bitsPerColumn);
constexpr double scanCostOfRow = 1.0, sortCostOfRow = 0.3;
constexpr std::size_t rowsAhead = 16; ///< about as many as are asked for while memory answers
constexpr std::size_t maxSortedRows = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t rowsBetweenLooks = 1 << 16; ///< a millisecond or so

using Order = std::vector<std::uint32_t>;

/// What SQLite hands to connect().
struct Connected {
    const QueryTable &table;
    QueryWatch &watch;
};

/// SQLite's base class first: it hands pointers to it back.
struct Table : sqlite3_vtab {
    const QueryTable *table = nullptr;
    QueryWatch *watch = nullptr;
    std::vector<std::size_t> first{};                        ///< row of each part's beginning, and the end
    std::map<int, std::optional<QueryTable::Ranks>> ranks{}; ///< by column, those that were asked for
    std::map<int, Order> orders{};                           ///< by the plan that asked for it
    [[nodiscard]] std::size_t rowCount() const { return first.back(); }
};

struct Cursor : sqlite3_vtab_cursor {
    const Order *order = nullptr; ///< null = as the rows lie
    std::size_t position = 0, end = 0;
    std::size_t row = 0;
    QueryTable::Row place{}, ahead{};
};

Table &tableOf(sqlite3_vtab *table) { return *static_cast<Table *>(table); }
Cursor &cursorOf(sqlite3_vtab_cursor *cursor) { return *static_cast<Cursor *>(cursor); }

/// Runs what may throw for want of memory, the only exception here.
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
        auto table = std::make_unique<Table>();
        const auto &connected = *static_cast<const Connected *>(of);
        table->table = &connected.table;
        table->watch = &connected.watch;
        table->first.push_back(0);
        for (std::size_t part = 0; part < table->table->partCount(); ++part)
            table->first.push_back(table->first.back() + table->table->partSize(part));
        const int status = sqlite3_declare_vtab(database, declarationOf(*table->table).c_str());
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
               : table.ranks.emplace(column, table.table->ranks(static_cast<std::size_t>(column))).first->second;
}

/// The columns by which SQLite wants the rows ordered or grouped, as a plan; 0 where the table cannot provide that.
int orderPlan(Table &table, const sqlite3_index_info &info) {
    constexpr int sorted = 0, distinctAndSorted = 3; // of sqlite3_vtab_distinct(); else equal rows need only be neighbours
    const int wanted = sqlite3_vtab_distinct(const_cast<sqlite3_index_info *>(&info));
    const bool ascending = wanted == sorted || wanted == distinctAndSorted;
    if (info.nOrderBy < 1 || info.nOrderBy > maxOrderColumns || table.rowCount() > maxSortedRows)
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
    const auto rows = static_cast<double>(table.rowCount());
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto &constraint = info->aConstraint[i];
        if (constraint.usable == 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || constraint.iColumn > 0)
            continue;
        info->aConstraintUsage[i].argvIndex = 1; // SQLite compares again: 1.5 finds row 1, which is none
        info->idxNum = findKey;
        info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
        info->orderByConsumed = 1;
        info->estimatedCost = 1;
        info->estimatedRows = 1;
        return SQLITE_OK;
    }
    return guarded([&] {
        info->idxNum = orderPlan(table, *info);
        info->orderByConsumed = info->idxNum != 0 ? 1 : 0;
        info->estimatedRows = static_cast<sqlite3_int64>(table.rowCount());
        info->estimatedCost = rows * (scanCostOfRow + (info->idxNum != 0 ? sortCostOfRow : 0)) + 1;
        return SQLITE_OK;
    });
}

/// Puts the rows of `order` into the order of their ranks; equal ones stay as they are. False: the watch ended it.
[[nodiscard]] bool sortByRank(const Table &table, const QueryTable::Ranks &ranks, Order &order) {
    const auto mayGoOn = [&](std::size_t row) { return row % rowsBetweenLooks != 0 || table.watch->mayGoOn(); };
    if (!table.watch->mayTake(3 * order.size() * sizeof(std::uint32_t) + ranks.count * sizeof(std::size_t)))
        return false;
    std::vector<std::uint32_t> rankOf(table.rowCount());
    std::vector<std::size_t> next(ranks.count + 1, 0);
    for (std::size_t part = 0; part + 1 < table.first.size(); ++part)
        for (std::size_t row = table.first[part]; row < table.first[part + 1]; ++row) {
            if (!mayGoOn(row))
                return false;
            rankOf[row] = ranks.of({part, row - table.first[part]});
            ++next[rankOf[row] + 1];
        }
    std::partial_sum(next.begin(), next.end(), next.begin());
    Order sorted(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (!mayGoOn(i))
            return false;
        sorted[next[rankOf[order[i]]]++] = order[i];
    }
    order.swap(sorted);
    return true;
}

/// The table's rows as `plan` wants them; null: the watch ended it.
const Order *orderOf(Table &table, int plan) {
    const auto known = table.orders.find(plan);
    if (known != table.orders.end())
        return &known->second;
    const std::uint64_t bytes = table.rowCount() * sizeof(std::uint32_t);
    if (!table.watch->mayTake(bytes))
        return nullptr;
    Order order(table.rowCount());
    std::iota(order.begin(), order.end(), 0U);
    constexpr int mask = (1 << bitsPerColumn) - 1;
    for (int i = maxOrderColumns - 1; i >= 0; --i) // the last column first: each pass keeps the order of the one before
        if (const int column = (plan >> (i * bitsPerColumn)) & mask;
            column != 0 && !sortByRank(table, *ranksOf(table, column), order))
            return nullptr;
    table.watch->countKept(bytes);
    return &table.orders.emplace(plan, std::move(order)).first->second;
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

/// Moves `place` from another row to `row`. In groups rows ascend, so the next one is mostly in the same part.
void find(const Table &table, std::size_t row, QueryTable::Row &place) {
    const std::vector<std::size_t> &first = table.first;
    if (row < first[place.part] || row >= first[place.part + 1])
        place.part = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), row) - first.begin()) - 1;
    place.index = row - first[place.part];
}

/// Finds the row that the cursor is at, and has the memory of one that comes soon fetched.
void settle(Cursor &cursor) {
    if (cursor.position >= cursor.end)
        return;
    const Table &table = tableOf(cursor.pVtab);
    cursor.row = cursor.order ? (*cursor.order)[cursor.position] : cursor.position;
    find(table, cursor.row, cursor.place);
    if (!cursor.order || cursor.position + rowsAhead >= cursor.end)
        return;
    find(table, (*cursor.order)[cursor.position + rowsAhead], cursor.ahead);
    table.table->prefetch(cursor.ahead);
}

int filter(sqlite3_vtab_cursor *of, int plan, const char *, int, sqlite3_value **values) {
    Cursor &cursor = cursorOf(of);
    Table &table = tableOf(cursor.pVtab);
    return guarded([&] {
        cursor.order = nullptr;
        cursor.position = 0;
        cursor.end = table.rowCount();
        cursor.place = cursor.ahead = {};
        if (plan == findKey) {
            const sqlite3_int64 key = sqlite3_value_int64(values[0]);
            const bool found = key >= 0 && static_cast<std::uint64_t>(key) < table.rowCount();
            cursor.position = found ? static_cast<std::size_t>(key) : 0;
            cursor.end = found ? cursor.position + 1 : 0;
        } else if (plan != 0) {
            cursor.order = orderOf(table, plan);
            if (!cursor.order)
                return SQLITE_INTERRUPT;
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

int column(sqlite3_vtab_cursor *of, sqlite3_context *context, int number) {
    const Cursor &cursor = cursorOf(of);
    if (number == 0) {
        sqlite3_result_int64(context, static_cast<sqlite3_int64>(cursor.row));
        return SQLITE_OK;
    }
    return guarded([&] {
        const QueryCell cell = tableOf(cursor.pVtab).table->cell(cursor.place, static_cast<std::size_t>(number));
        if (const auto *integer = std::get_if<std::int64_t>(&cell))
            sqlite3_result_int64(context, *integer);
        else if (const auto *real = std::get_if<double>(&cell))
            sqlite3_result_double(context, *real); // NaN becomes NULL
        else if (const auto *text = std::get_if<std::string_view>(&cell))
            sqlite3_result_text64(context, text->data() ? text->data() : "", text->size(), SQLITE_STATIC, SQLITE_UTF8);
        return SQLITE_OK;
    });
}

int rowId(sqlite3_vtab_cursor *of, sqlite3_int64 *id) {
    *id = static_cast<sqlite3_int64>(cursorOf(of).row);
    return SQLITE_OK;
}

/// Without xCreate, tables exist under their modules' names. Without xUpdate, they cannot be written.
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

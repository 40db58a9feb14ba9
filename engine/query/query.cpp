// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/query/query.h"

#include "engine/base/phrase.h"
#include "engine/query/query_watch.h"
#include "engine/query/virtual_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <sqlite3.h>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

constexpr int instructionsBetweenLooks = 1000; ///< they take microseconds, in which a query can take little memory
constexpr int maxValueBytes = 1 << 20;
constexpr const char *tablesRemedy = "ask one SELECT over spans, steps, tasks, variables, links and trials (docs/query.md)";

struct Finalize {
    void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
};
using Prepared = std::unique_ptr<sqlite3_stmt, Finalize>;

/// A database that holds only the tables, and lets statements do nothing but read them.
class Connection {
public:
    Connection(std::vector<std::unique_ptr<const QueryTable>> tables, QueryWatch &watch)
        : m_tables(std::move(tables)), m_watch(watch) {}
    ~Connection() { sqlite3_close(m_database); }
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    [[nodiscard]] Result<void> open() {
        const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
        bool opened = sqlite3_open_v2(":memory:", &m_database, flags, nullptr) == SQLITE_OK;
        for (const auto &table : m_tables) {
            opened = opened && addVirtualTable(m_database, *table, m_watch);
            m_names.insert(table->name());
        }
        for (const auto &table : m_tables) { // declared now: later, no statement may declare a table, not even this one's columns
            sqlite3_stmt *named = nullptr;
            opened = opened &&
                     sqlite3_prepare_v2(m_database, ("SELECT * FROM " + table->name()).c_str(), -1, &named, nullptr) == SQLITE_OK;
            sqlite3_finalize(named);
        }
        for (const char *ofValues : {"SELECT * FROM json_each('[]')", "SELECT * FROM json_tree('[]')"}) { // SQLite's own
            sqlite3_stmt *named = nullptr;
            sqlite3_prepare_v2(m_database, ofValues, -1, &named, nullptr); // fails where SQLite was built without JSON
            sqlite3_finalize(named);
        }
        // Sorting is done in memory, which is bounded, and never in a file.
        if (!opened || sqlite3_exec(m_database, "PRAGMA temp_store = MEMORY; PRAGMA query_only = ON", nullptr, nullptr,
                                    nullptr) != SQLITE_OK)
            return internalError("SQLite cannot make a database in memory");
        restrict();
        return {};
    }
    /// The single statement in `sql`.
    [[nodiscard]] Result<Prepared> prepare(const std::string &sql) {
        if (sql.find('\0') != std::string::npos)
            return fail("the query holds a NUL character", "leave it out");
        const char *rest = sql.c_str();
        Prepared statement = TRY(prepareNext(sql, rest));
        if (!statement)
            return fail("there is no query", tablesRemedy);
        const char *const second = rest;
        const auto more = prepareNext(sql, rest);
        if (!more || *more)
            return fail("there are two statements", "ask one SELECT at a time", {}, place(second - sql.c_str()));
        if (sqlite3_stmt_isexplain(statement.get()) != 0 || sqlite3_stmt_readonly(statement.get()) == 0 ||
            sqlite3_column_count(statement.get()) == 0)
            return fail("this statement is not a query: only SELECT is allowed", tablesRemedy);
        return statement;
    }
    [[nodiscard]] Unexpected failure() const {
        const int code = sqlite3_errcode(m_database);
        if (code == SQLITE_INTERRUPT)
            return m_watch.whyEnded();
        if (code == SQLITE_NOMEM || code == SQLITE_TOOBIG)
            return Unexpected(Error{fmt::format("the query takes too much memory ({})", sqlite3_errmsg(m_database)),
                                    "make its texts shorter",
                                    {},
                                    {},
                                    ErrorKind::Unavailable});
        return fail(fmt::format("the query failed: {}", sqlite3_errmsg(m_database)), tablesRemedy);
    }

private:
    static std::string place(std::ptrdiff_t offset) { return fmt::format("character {}", offset + 1); }

    void restrict() {
        for (const int setting : {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER,
                                  SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_TRUSTED_SCHEMA})
            sqlite3_db_config(m_database, setting, 0, nullptr);
        sqlite3_db_config(m_database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        for (const auto &[limit, value] : {std::pair{SQLITE_LIMIT_LENGTH, maxValueBytes},
                                           {SQLITE_LIMIT_SQL_LENGTH, 100'000},
                                           {SQLITE_LIMIT_COLUMN, 200},
                                           {SQLITE_LIMIT_EXPR_DEPTH, 100},
                                           {SQLITE_LIMIT_COMPOUND_SELECT, 50},
                                           {SQLITE_LIMIT_VDBE_OP, 100'000},
                                           {SQLITE_LIMIT_FUNCTION_ARG, 32},
                                           {SQLITE_LIMIT_ATTACHED, 0},
                                           {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
                                           {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                           {SQLITE_LIMIT_WORKER_THREADS, 0}})
            sqlite3_limit(m_database, limit, value);
        sqlite3_set_authorizer(
            m_database,
            [](void *self, int action, const char *first, const char *second, const char *, const char *) {
                return static_cast<const Connection *>(self)->isAllowed(action, first, second) ? SQLITE_OK : SQLITE_DENY;
            },
            this);
        sqlite3_progress_handler(
            m_database, instructionsBetweenLooks, [](void *self) { return static_cast<QueryWatch *>(self)->mayGoOn() ? 0 : 1; },
            &m_watch);
    }
    /// Whether a statement may do this when it is compiled: https://sqlite.org/c3ref/c_alter_table.html.
    [[nodiscard]] bool isAllowed(int action, const char *first, const char *second) const {
        switch (action) {
        case SQLITE_SELECT:
        case SQLITE_RECURSIVE:
            return true;
        case SQLITE_READ: {
            // Beside ours, those that json_each() and json_tree() make of a value, and no other table of SQLite's. A statement
            // that reads no column, such as count(*), or of a WITH table, has an empty one.
            const std::string_view table = first ? first : "", column = second ? second : "";
            return m_names.contains(table) || table == "json_each" || table == "json_tree" ||
                   (column.empty() && !table.starts_with("sqlite_"));
        }
        case SQLITE_FUNCTION:
            return second && std::string_view(second) != "load_extension" && std::string_view(second) != "fts3_tokenizer";
        default:
            return false;
        }
    }
    /// The next statement, or null at the end; advances `rest` past it.
    [[nodiscard]] Result<Prepared> prepareNext(const std::string &sql, const char *&rest) {
        for (;;) {
            sqlite3_stmt *statement = nullptr;
            const char *const from = rest;
            const int status = sqlite3_prepare_v2(m_database, from, -1, &statement, &rest);
            Prepared owner(statement);
            if (status == SQLITE_INTERRUPT)
                return m_watch.whyEnded();
            if (status == SQLITE_AUTH)
                return fail("a query can only read its tables, with SELECT", tablesRemedy);
            if (status != SQLITE_OK) {
                const int at = sqlite3_error_offset(m_database);
                return fail(fmt::format("the query cannot be understood: {}", sqlite3_errmsg(m_database)), tablesRemedy, {},
                            at < 0 ? std::string() : place(from - sql.c_str() + at));
            }
            if (owner || *rest == '\0')
                return owner;
        }
    }

    std::vector<std::unique_ptr<const QueryTable>> m_tables;
    std::set<std::string, std::less<>> m_names;
    QueryWatch &m_watch;
    sqlite3 *m_database = nullptr;
};

QueryValue valueOf(sqlite3_stmt *statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        return sqlite3_column_int64(statement, column);
    case SQLITE_FLOAT:
        return sqlite3_column_double(statement, column);
    case SQLITE_TEXT: {
        const auto *const text = reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
        return std::string(text ? text : "", static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    }
    case SQLITE_BLOB:
        return fmt::format("({} bytes)", sqlite3_column_bytes(statement, column));
    default:
        return {};
    }
}

bool isBefore(const QueryValue &a, const QueryValue &b) {
    enum Kind { Null, Number, Text };
    const auto kindOf = [](const QueryValue &value) {
        return std::holds_alternative<std::monostate>(value) ? Null : std::holds_alternative<std::string>(value) ? Text : Number;
    };
    if (kindOf(a) != kindOf(b))
        return kindOf(a) < kindOf(b);
    if (kindOf(a) == Text)
        return std::get<std::string>(a) < std::get<std::string>(b);
    const auto number = [](const QueryValue &value) -> long double { // its 64 bits of precision are exact for both
        const auto *const integer = std::get_if<std::int64_t>(&value);
        return integer ? static_cast<long double>(*integer) : std::get<double>(value);
    };
    return kindOf(a) == Number && number(a) < number(b);
}

} // namespace

Result<QueryResult> runQuery(const QueryInput &input, const std::string &sql, const QueryLimits &limits, std::stop_token stop) {
    QueryWatch watch(limits, std::move(stop));
    Connection connection(queryTables(input), watch);
    TRY(connection.open());
    const Prepared statement = TRY(connection.prepare(sql));
    QueryResult result;
    const int columns = sqlite3_column_count(statement.get());
    for (int c = 0; c < columns; ++c)
        result.columns.emplace_back(sqlite3_column_name(statement.get(), c));
    for (;;) {
        const int status = sqlite3_step(statement.get());
        if (status == SQLITE_DONE)
            break;
        if (status != SQLITE_ROW)
            return connection.failure();
        if (result.rows.size() >= limits.maxRows) {
            result.isCut = true;
            break;
        }
        auto &row = result.rows.emplace_back();
        row.reserve(static_cast<std::size_t>(columns));
        for (int c = 0; c < columns; ++c) {
            row.push_back(valueOf(statement.get(), c));
            const auto *const text = std::get_if<std::string>(&row.back());
            watch.countKept(sizeof(QueryValue) + (text ? text->size() : 0));
        }
        if (!watch.mayGoOn())
            return watch.whyEnded();
    }
    result.wallSeconds = watch.seconds();
    return result;
}

std::vector<std::size_t> rowOrder(const QueryResult &result, std::size_t column, bool descending) {
    const auto value = [&](std::size_t row) -> const QueryValue & { return result.rows[row][column]; };
    std::vector<std::size_t> order(result.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return descending ? isBefore(value(b), value(a)) : isBefore(value(a), value(b));
    });
    return order;
}

std::string textOf(const QueryValue &value) {
    if (const auto *integer = std::get_if<std::int64_t>(&value))
        return fmt::format("{}", *integer);
    if (const auto *real = std::get_if<double>(&value))
        return fmt::format("{}", *real);
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    return {};
}

const std::vector<QueryExample> &queryExamples() {
    static const std::vector<QueryExample> examples{
        {translatable("Time of each category in an iteration, worker 0"), // a side may show equal workers as one
         "SELECT side, category, count(*) AS spans, sum(duration_ns) / 1e6 AS total_ms, max(duration_ns) / 1e6 AS longest_ms\n"
         "FROM spans WHERE worker = 0 AND last_iteration GROUP BY side, category ORDER BY side, total_ms DESC"},
        {translatable("The longest spans of an iteration"),
         "SELECT span_id, side, lane, name, category, start_ns / 1e6 AS start_ms, duration_ns / 1e6 AS ms\n"
         "FROM spans WHERE last_iteration ORDER BY duration_ns DESC LIMIT 50"},
        {translatable("Time of each name in an iteration, worker 0"),
         "SELECT side, name, count(*) AS spans, sum(duration_ns) / 1e6 AS total_ms, avg(duration_ns) / 1e6 AS mean_ms\n"
         "FROM spans WHERE worker = 0 AND last_iteration GROUP BY side, name ORDER BY total_ms DESC LIMIT 100"},
        {translatable("Gaps of a compute stream in an iteration"),
         "SELECT span_id, lane, name AS after_gap, gap_ns / 1e6 AS gap_ms FROM (\n"
         "  SELECT span_id, lane, name, last_iteration,\n"
         "    start_ns - lag(end_ns) OVER (PARTITION BY side, lane ORDER BY start_ns) AS gap_ns\n"
         "  FROM spans WHERE compute) WHERE gap_ns > 0 AND last_iteration ORDER BY gap_ns DESC LIMIT 50"},
        {translatable("Achieved rate of an iteration's transfers"),
         "SELECT side, lane, count(*) AS transfers, sum(size_bytes) / 1e6 AS total_mb,\n"
         "  sum(size_bytes) * 8 / sum(duration_ns) AS gbit_per_second\n"
         "FROM spans WHERE size_bytes > 0 AND duration_ns > 0 AND last_iteration\n"
         "GROUP BY side, lane ORDER BY gbit_per_second"},
        {translatable("Waiting for a queue in an iteration"),
         "SELECT side, queue, kind, count(*) AS tasks, sum(start_ns - ready_ns) / 1e6 AS waited_ms\n"
         "FROM tasks WHERE queue IS NOT NULL AND last_iteration GROUP BY side, queue, kind ORDER BY waited_ms DESC"},
        {translatable("Variables, largest first"),
         "SELECT variable_id, side, name, layer, size_bytes / 1e6 AS mb, synchroniser, destination, parts,\n"
         "  communication_ns / 1e6 AS communication_ms\n"
         "FROM variables ORDER BY size_bytes DESC LIMIT 50"},
        {translatable("Load of the links"),
         "SELECT side, name, bytes_per_second * 8 / 1e9 AS gbit_per_second, carried_bytes / 1e6 AS carried_mb,\n"
         "  100 * utilisation AS percent\n"
         "FROM links ORDER BY utilisation DESC"},
        {translatable("Steps"), "SELECT side, name, start_ns / 1e6 AS start_ms, duration_ns / 1e6 AS ms FROM steps"},
        {translatable("The best trials"),
         "SELECT trial, iteration_ns / 1e6 AS iteration_ms, exposed_ns / 1e6 AS exposed_ms, ps_variables, "
         "shards, servers, groups\n"
         "FROM trials WHERE error IS NULL ORDER BY iteration_ns LIMIT 20"}};
    return examples;
}

} // namespace syncopate

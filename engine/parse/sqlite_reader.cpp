// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/sqlite_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <sqlite3.h>

namespace syncopate {

namespace {

constexpr int maxValueBytes = 1 << 24;
constexpr std::uint64_t instructionsPerByte = 64; ///< rows of 30 bytes or more take some 20 instructions
constexpr std::size_t maxTables = 10'000;

/// "file:..." with characters special to URIs written as %XX.
std::string uriOf(const std::string &path) {
    std::string uri = path.starts_with('/') ? "file://" : "file:"; // "file:" and "//home/x" would name a host "home"
    for (const char c : path) {
        if (c == '%' || c == '?' || c == '#')
            uri += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        else
            uri += c;
    }
    return uri + "?immutable=1";
}

bool isPlainName(std::string_view name) {
    return !name.empty() && name.size() <= 128 &&
           name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

} // namespace

bool SqliteReader::Row::isNull(int column) const { return sqlite3_column_type(m_statement, column) == SQLITE_NULL; }
bool SqliteReader::Row::isInteger(int column) const { return sqlite3_column_type(m_statement, column) == SQLITE_INTEGER; }
std::int64_t SqliteReader::Row::integer(int column) const { return sqlite3_column_int64(m_statement, column); }
std::optional<std::int64_t> SqliteReader::Row::number(int column) const {
    const std::int64_t value = integer(column);
    return value == 0 && isNull(column) ? std::nullopt : std::optional(value); // NULL reads as 0: only then check the type
}
std::string_view SqliteReader::Row::text(int column) const {
    const auto *const text = reinterpret_cast<const char *>(sqlite3_column_text(m_statement, column));
    if (!text)
        return {};
    const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column));
    m_guard.countText(bytes);
    return {text, bytes};
}

SqliteReader::SqliteReader(std::stop_token stop, const std::string &path, const char *remedy)
    : m_guard(std::move(stop), path, instructionsPerByte), m_remedy(remedy) {}
SqliteReader::~SqliteReader() { sqlite3_close(m_database); }

Unexpected SqliteReader::broken() const {
    if (m_guard.stopped())
        return cancelled();
    if (sqlite3_errcode(m_database) == SQLITE_INTERRUPT)
        return SqliteGuard::overrun();
    return fail(fmt::format("the database is damaged or cut off ({})", sqlite3_errmsg(m_database)), m_remedy);
}

Result<std::unique_ptr<SqliteReader>> SqliteReader::open(const std::string &path, std::stop_token stop, const char *remedy) {
    std::unique_ptr<SqliteReader> reader(new SqliteReader(std::move(stop), path, remedy));
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(uriOf(path).c_str(), &reader->m_database, flags, nullptr) != SQLITE_OK)
        return fail(fmt::format("the database cannot be opened ({})",
                                reader->m_database ? sqlite3_errmsg(reader->m_database) : "not enough memory"),
                    "check the file and its permissions");
    reader->m_guard.protect(reader->m_database, maxValueBytes);
    TRY(reader->readTables());
    return reader;
}

Result<void> SqliteReader::readTables() {
    TRY(rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'", [&](const Row &row) -> Result<void> {
        std::string start(row.text(1).substr(0, 32));
        std::transform(start.begin(), start.end(), start.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        if (isPlainName(row.text(0)) && start.starts_with("CREATE TABLE") && m_tables.size() < maxTables)
            m_tables.emplace(row.text(0), std::map<std::string, bool>());
        return {};
    }));
    for (auto &[table, columns] : m_tables) { // quoted below: a table may be called "order"
        TRY(rows(fmt::format("PRAGMA table_info(\"{}\")", table), [&, &names = columns](const Row &row) -> Result<void> {
            if (isPlainName(row.text(1)))
                names.emplace(row.text(1), row.integer(5) > 0);
            return {};
        }));
    }
    return {};
}

std::vector<std::string> SqliteReader::tableNames() const {
    std::vector<std::string> names;
    for (const auto &[name, columns] : m_tables)
        names.push_back(name);
    return names;
}

bool SqliteReader::hasColumn(const std::string &table, const std::string &column) const {
    const auto known = m_tables.find(table);
    return known != m_tables.end() && known->second.contains(column);
}

bool SqliteReader::isKey(const std::string &table, const std::string &column) const {
    return hasColumn(table, column) && m_tables.at(table).at(column);
}

std::uint64_t SqliteReader::rowCount(const std::string &table) const {
    if (!hasTable(table))
        return 0;
    sqlite3_stmt *statement = nullptr;
    std::int64_t count = 0;
    if (sqlite3_prepare_v2(m_database, fmt::format("SELECT max(rowid) FROM \"{}\"", table).c_str(), -1, &statement, nullptr) ==
            SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return static_cast<std::uint64_t>(std::clamp<std::int64_t>(count, 0, std::int64_t{1} << 40));
}

Result<SqliteReader::Lookup> SqliteReader::lookup(const std::string &table, const std::string &key, const std::string &value) {
    sqlite3_stmt *statement = nullptr;
    const std::string query = fmt::format("SELECT {} FROM {} WHERE {} = ?1", value, table, key);
    if (sqlite3_prepare_v2(m_database, query.c_str(), -1, &statement, nullptr) != SQLITE_OK)
        return broken();
    Lookup lookup;
    lookup.m_reader = this;
    lookup.m_statement.reset(statement, sqlite3_finalize);
    return lookup;
}

Result<std::optional<std::string>> SqliteReader::Lookup::textOf(const Row &row, int column) {
    sqlite3_stmt *const statement = m_statement.get();
    sqlite3_bind_value(statement, 1, sqlite3_column_value(row.m_statement, column));
    const int status = sqlite3_step(statement);
    if (status != SQLITE_ROW && status != SQLITE_DONE)
        return m_reader->broken();
    std::optional<std::string> text;
    if (const Row found(statement, m_reader->m_guard); status == SQLITE_ROW && !found.isNull(0))
        text = found.text(0);
    sqlite3_reset(statement);
    return text;
}

Result<void> SqliteReader::rows(const std::string &query, const std::function<Result<void>(const Row &)> &take) {
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v2(m_database, query.c_str(), -1, &statement, nullptr) != SQLITE_OK)
        return broken();
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt *)> owner(statement, sqlite3_finalize);
    for (std::uint64_t number = 0;; ++number) {
        if (number % 4096 == 0 && m_guard.stopped())
            return cancelled();
        const int status = sqlite3_step(statement);
        if (status == SQLITE_DONE)
            return {};
        if (status != SQLITE_ROW)
            return broken();
        TRY(m_guard.checkRows(number));
        TRY(take(Row(statement, m_guard)));
    }
}

} // namespace syncopate

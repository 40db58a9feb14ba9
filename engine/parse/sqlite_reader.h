// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/parse/sqlite_guard.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace syncopate {

/// Reads a foreign SQLite database without trusting it: read-only and immutable, ordinary tables only (a view or a virtual table
/// could make the library run anything), and no more rows than the file's length can hold (SqliteGuard).
class SqliteReader {
public:
    ~SqliteReader();
    /// `remedy` is the advice in errors about a damaged file.
    [[nodiscard]] static Result<std::unique_ptr<SqliteReader>> open(const std::string &path, std::stop_token stop,
                                                                    const char *remedy);

    [[nodiscard]] std::vector<std::string> tableNames() const; ///< in their alphabetical order
    [[nodiscard]] bool hasTable(const std::string &table) const { return m_tables.contains(table); }
    [[nodiscard]] bool hasColumn(const std::string &table, const std::string &column) const;
    /// True for a primary key, by which rows are found without a scan.
    [[nodiscard]] bool isKey(const std::string &table, const std::string &column) const;
    /// Estimates the number of rows by the largest row id, which is quick.
    [[nodiscard]] std::uint64_t rowCount(const std::string &table) const;
    [[nodiscard]] std::uint64_t fileBytes() const { return m_guard.fileBytes(); }
    [[nodiscard]] std::uint64_t textBytes() const { return m_guard.textBytes(); } ///< read so far

    /// The columns of one row; a value of another type is converted as SQLite does.
    class Row {
    public:
        Row(sqlite3_stmt *statement, SqliteGuard &guard) : m_statement(statement), m_guard(guard) {}
        [[nodiscard]] bool isNull(int column) const;
        [[nodiscard]] std::int64_t integer(int column) const;
        [[nodiscard]] std::optional<std::int64_t> number(int column) const; ///< nothing for NULL
        [[nodiscard]] std::string_view text(int column) const;              ///< until the next row; without data for NULL
        [[nodiscard]] bool isInteger(int column) const;

    private:
        friend class SqliteReader;
        sqlite3_stmt *m_statement;
        SqliteGuard &m_guard;
    };
    /// Calls `take` for each row of the query; stops at its first error, or when stop is requested.
    [[nodiscard]] Result<void> rows(const std::string &query, const std::function<Result<void>(const Row &)> &take);

    /// Finds a text of a table by the key of its row.
    class Lookup {
    public:
        /// The text in the row whose key is the value of `column`; nothing where that row is missing, or its text is NULL.
        [[nodiscard]] Result<std::optional<std::string>> textOf(const Row &row, int column);

    private:
        friend class SqliteReader;
        SqliteReader *m_reader = nullptr;
        std::shared_ptr<sqlite3_stmt> m_statement;
    };
    [[nodiscard]] Result<Lookup> lookup(const std::string &table, const std::string &key, const std::string &value);

private:
    SqliteReader(std::stop_token stop, const std::string &path, const char *remedy);
    [[nodiscard]] Result<void> readTables();
    [[nodiscard]] Unexpected broken() const;

    SqliteGuard m_guard;
    const char *m_remedy;
    sqlite3 *m_database = nullptr;
    std::map<std::string, std::map<std::string, bool>> m_tables; ///< their columns, and whether each is the primary key
};

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/parse/sqlite_guard.h"
#include "engine/store/row_id.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace syncopate {

/// An SQLite file. Text enters statements by binding only. A foreign file, read or saved over, runs no code of its own (views,
/// triggers and functions in its schema are not trusted), takes no more work than its length and the bound values can need
/// (SqliteGuard), and stops on request.
class Database {
public:
    enum class Mode : std::uint8_t { Read, Write };
    /// `stop` ends a running statement.
    [[nodiscard]] static Result<Database> open(const std::string &path, Mode mode, std::stop_token stop = {});

    /// Runs statements without parameters or rows.
    [[nodiscard]] Result<void> run(const char *sql);
    /// The only value of a statement's only row, such as "PRAGMA user_version".
    [[nodiscard]] Result<std::int64_t> number(const char *sql);
    /// An error where a page of the file is used twice or not at all: work on such a file may never end. O(pages).
    [[nodiscard]] Result<void> checkPages();
    /// Copies the file page by page to `path`, which must not exist: no more bytes than the file has, whatever its tables claim
    /// to hold.
    [[nodiscard]] Result<void> copyTo(const std::string &path);
    /// The last failure as an Error that names the file.
    [[nodiscard]] Unexpected failure(const std::string &doing) const;
    [[nodiscard]] const std::string &path() const { return m_path; }
    [[nodiscard]] sqlite3 *handle() const { return m_handle.get(); }
    [[nodiscard]] SqliteGuard &guard() { return *m_guard; }
    /// Counts bytes that a statement binds, for the guard.
    void countBound(std::uint64_t bytes);

private:
    struct Close {
        void operator()(sqlite3 *handle) const;
    };
    Database() = default;
    /// An error about the file's content, with the remedy for this mode.
    [[nodiscard]] Unexpected damaged(Error error) const;
    std::string m_path;
    Mode m_mode = Mode::Read;
    std::unique_ptr<SqliteGuard> m_guard; ///< on the heap: the connection keeps its address when the Database is moved
    std::unique_ptr<sqlite3, Close> m_handle;
};

/// One prepared statement: bind in order, then step through the rows and take the columns in order.
class Statement {
public:
    Statement(Database &database, const char *sql);

    Statement &bind(std::int64_t value);
    Statement &bind(std::int32_t value) { return bind(static_cast<std::int64_t>(value)); }
    Statement &bind(bool value) { return bind(static_cast<std::int64_t>(value)); }
    template <class Row> Statement &bind(RowId<Row> id) { return bind(id.number); }
    Statement &bind(double value);
    Statement &bind(std::string_view text);
    Statement &bindBytes(std::string_view bytes);
    template <class T> Statement &bind(const std::optional<T> &value) { return value ? bind(*value) : bindNull(); }

    /// Steps to the next row; false when there is none. The statement can then be bound again.
    [[nodiscard]] Result<bool> step();
    /// step() of a statement without rows.
    [[nodiscard]] Result<void> run();

    /// Columns of the present row, from the left. Values of another type are converted as SQLite does, or become 0 or "".
    [[nodiscard]] std::int64_t integer();
    [[nodiscard]] std::string text(); ///< or bytes
    [[nodiscard]] std::optional<double> optionalNumber();
    [[nodiscard]] std::optional<std::int64_t> optionalInteger();
    template <class Row> [[nodiscard]] std::optional<RowId<Row>> optionalId() {
        const auto number = optionalInteger();
        return number ? std::optional(RowId<Row>{*number}) : std::nullopt;
    }

private:
    Statement &bindNull();
    struct Finalize {
        void operator()(sqlite3_stmt *statement) const;
    };
    Database &m_database;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    int m_bound = 0;
    int m_column = 0;
    std::uint64_t m_rows = 0; ///< since it was bound
};

} // namespace syncopate

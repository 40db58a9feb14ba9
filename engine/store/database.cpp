// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/database.h"

#include <sqlite3.h>
#include <utility>

namespace syncopate {

namespace {

constexpr int waitMilliseconds = 5000;              ///< while another program saves the same file
constexpr int maxValueBytes = 256 << 20;            ///< so that a damaged length cannot take all memory
constexpr std::uint64_t instructionsPerByte = 1000; ///< reading a strategy scans the transfers of all strategies
constexpr std::uint64_t numberBytes = 8;

} // namespace

void Database::Close::operator()(sqlite3 *handle) const { sqlite3_close_v2(handle); }
void Statement::Finalize::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

Result<Database> Database::open(const std::string &path, Mode mode, std::stop_token stop) {
    Database database;
    database.m_path = path;
    database.m_mode = mode;
    sqlite3 *handle = nullptr;
    // Even reading may have to roll back an interrupted save, which writes.
    int code =
        sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | (mode == Mode::Write ? SQLITE_OPEN_CREATE : 0), nullptr);
    database.m_handle.reset(handle);
    if (code != SQLITE_OK || !handle) {
        return mode == Mode::Read ? fail("cannot be opened", "check that the file exists and that you may read it", path)
                                  : fail("cannot be written", "choose a folder you may write to, with room left", path);
    }
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, waitMilliseconds);
    database.m_guard = std::make_unique<SqliteGuard>(std::move(stop), path, instructionsPerByte);
    database.m_guard->protect(handle, maxValueBytes);
    return database;
}

Unexpected Database::failure(const std::string &doing) const {
    const int code = sqlite3_errcode(m_handle.get()) & 0xff;
    const std::string message = sqlite3_errmsg(m_handle.get());
    switch (code) {
    case SQLITE_INTERRUPT:
        if (m_guard->stopped())
            return cancelled(m_path);
        return damaged(SqliteGuard::overrun().value());
    case SQLITE_NOTADB:
        return fail("is not a Syncopate project", "open a file that Syncopate saved", m_path);
    case SQLITE_CORRUPT:
        return damaged({"the project is damaged (" + message + ")", "open a copy of it, or an older one", {}, {}});
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fail("another program holds the project", "close it there, or save under another name", m_path);
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        return fail(doing + ": " + message, "choose a folder you may write to, with room left", m_path);
    default:
        return fail(doing + ": " + message, "the file may be damaged, or of another program", m_path);
    }
}

Unexpected Database::damaged(Error error) const {
    if (m_mode == Mode::Write)
        error.remedy = "save under another name";
    return Unexpected(inFile(std::move(error), m_path));
}

Result<void> Database::checkPages() {
    Statement check(*this, "PRAGMA quick_check(1)");
    TRY(check.step());
    if (const std::string found = check.text(); found != "ok")
        return damaged({"the project is damaged (" + found + ")", "open a copy of it, or an older one", {}, {}});
    return {};
}

Result<void> Database::copyTo(const std::string &path) {
    auto copy = TRY(open(path, Mode::Write));
    sqlite3_backup *const backup = sqlite3_backup_init(copy.handle(), "main", m_handle.get(), "main");
    if (!backup)
        return copy.failure("cannot copy the project");
    constexpr int allPages = -1;
    const int step = sqlite3_backup_step(backup, allPages);
    sqlite3_backup_finish(backup); // reports errors of the copy's file; only the step's code tells if the source is held
    if (step == SQLITE_BUSY || step == SQLITE_LOCKED)
        return fail("another program holds the project", "close it there, or save under another name", m_path);
    if (step != SQLITE_DONE)
        return copy.failure("cannot copy the project");
    return {};
}

void Database::countBound(std::uint64_t bytes) {
    if (m_mode == Mode::Write)
        m_guard->countWritten(bytes);
}

Result<void> Database::run(const char *sql) {
    if (sqlite3_exec(m_handle.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        return failure("cannot use the project file");
    return {};
}

Result<std::int64_t> Database::number(const char *sql) {
    Statement statement(*this, sql);
    const auto row = TRY(statement.step());
    return row ? statement.integer() : 0;
}

Statement::Statement(Database &database, const char *sql) : m_database(database) {
    sqlite3_stmt *statement = nullptr;
    sqlite3_prepare_v2(database.handle(), sql, -1, &statement, nullptr); // step() reports failures
    m_statement.reset(statement);
}

Statement &Statement::bind(std::int64_t value) {
    m_database.countBound(numberBytes);
    sqlite3_bind_int64(m_statement.get(), ++m_bound, value);
    return *this;
}
Statement &Statement::bind(double value) {
    m_database.countBound(numberBytes);
    sqlite3_bind_double(m_statement.get(), ++m_bound, value);
    return *this;
}
Statement &Statement::bind(std::string_view text) {
    m_database.countBound(numberBytes + text.size());
    sqlite3_bind_text64(m_statement.get(), ++m_bound, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return *this;
}
Statement &Statement::bindBytes(std::string_view bytes) {
    m_database.countBound(numberBytes + bytes.size());
    sqlite3_bind_blob64(m_statement.get(), ++m_bound, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
    return *this;
}
Statement &Statement::bindNull() {
    sqlite3_bind_null(m_statement.get(), ++m_bound);
    return *this;
}

Result<bool> Statement::step() {
    m_column = 0;
    const int code = m_statement ? sqlite3_step(m_statement.get()) : SQLITE_ERROR;
    if (code == SQLITE_ROW) {
        TRY(inFile(m_database.guard().checkRows(m_rows++), m_database.path()));
        return true;
    }
    const bool done = code == SQLITE_DONE;
    Unexpected error = done ? Unexpected(Error()) : m_database.failure("cannot use the project file");
    if (m_statement)
        sqlite3_reset(m_statement.get());
    m_bound = 0;
    m_rows = 0;
    if (!done)
        return error;
    return false;
}

Result<void> Statement::run() {
    TRY(step());
    return {};
}

std::int64_t Statement::integer() { return sqlite3_column_int64(m_statement.get(), m_column++); }

std::string Statement::text() {
    const int column = m_column++;
    const void *bytes = sqlite3_column_blob(m_statement.get(), column);
    const int size = sqlite3_column_bytes(m_statement.get(), column);
    m_database.guard().countText(static_cast<std::uint64_t>(size));
    return bytes ? std::string(static_cast<const char *>(bytes), static_cast<std::size_t>(size)) : std::string();
}

std::optional<double> Statement::optionalNumber() {
    const int column = m_column++;
    if (sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL)
        return {};
    return sqlite3_column_double(m_statement.get(), column);
}

std::optional<std::int64_t> Statement::optionalInteger() {
    const int column = m_column++;
    if (sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL)
        return {};
    return sqlite3_column_int64(m_statement.get(), column);
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/sqlite_guard.h"

#include <algorithm>
#include <filesystem>
#include <sqlite3.h>
#include <utility>

namespace syncopate {

namespace {

constexpr int instructionsBetweenLooks = 10'000;       ///< well below a millisecond
constexpr std::uint64_t freeInstructions = 20'000'000; ///< for the smallest file: some tenths of a second
constexpr std::uint64_t minRowBytes = 4;               ///< pointer, length, row id and header of the shortest row
constexpr std::uint64_t freeRows = 1000;               ///< for PRAGMAs, whose rows are not stored in the file
constexpr std::uint64_t freeTextBytes = std::uint64_t{1} << 20, textReadings = 16; ///< a text may be read several times

/// Size of the file and of its journal, which may restore pages missing from it.
std::uint64_t bytesOnDisk(const std::string &path) {
    std::uint64_t bytes = 0;
    for (const char *part : {"", "-journal", "-wal"}) {
        std::error_code ignored;
        const std::uintmax_t size = std::filesystem::file_size(path + part, ignored);
        bytes += ignored ? 0 : size;
    }
    return bytes;
}

} // namespace

SqliteGuard::SqliteGuard(std::stop_token stop, const std::string &path, std::uint64_t instructionsPerByte)
    : m_stop(std::move(stop)), m_fileBytes(bytesOnDisk(path)), m_instructionsPerByte(instructionsPerByte),
      m_maxInstructions(freeInstructions + instructionsPerByte * m_fileBytes), m_maxRows(freeRows + m_fileBytes / minRowBytes),
      m_maxTextBytes(freeTextBytes + textReadings * m_fileBytes) {}

void SqliteGuard::countWritten(std::uint64_t bytes) {
    m_maxInstructions += m_instructionsPerByte * bytes;
    m_maxRows += bytes / minRowBytes;
    m_maxTextBytes += textReadings * bytes;
}

void SqliteGuard::protect(sqlite3 *database, int maxValueBytes) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    for (const auto &[limit, value] : {std::pair{SQLITE_LIMIT_LENGTH, maxValueBytes},
                                       {SQLITE_LIMIT_SQL_LENGTH, 100'000},
                                       {SQLITE_LIMIT_COLUMN, 500},
                                       {SQLITE_LIMIT_EXPR_DEPTH, 50},
                                       {SQLITE_LIMIT_COMPOUND_SELECT, 4},
                                       {SQLITE_LIMIT_VDBE_OP, 25'000},
                                       {SQLITE_LIMIT_FUNCTION_ARG, 8},
                                       {SQLITE_LIMIT_ATTACHED, 0},
                                       {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
                                       {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                       {SQLITE_LIMIT_WORKER_THREADS, 0}})
        sqlite3_limit(database, limit, value);
    sqlite3_progress_handler(
        database, instructionsBetweenLooks, [](void *self) { return static_cast<SqliteGuard *>(self)->mayGoOn() ? 0 : 1; }, this);
    sqlite3_exec(database, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", nullptr, nullptr, nullptr);
}

bool SqliteGuard::mayGoOn() {
    m_instructions += instructionsBetweenLooks;
    return m_instructions <= m_maxInstructions && !m_stop.stop_requested();
}

Result<void> SqliteGuard::checkRows(std::uint64_t rows) const {
    if (rows > m_maxRows || m_textBytes > m_maxTextBytes)
        return overrun();
    return {};
}

Unexpected SqliteGuard::overrun() {
    return fail("the database's tables hold more than a file of its length can: its pages name each other in circles",
                "the file is damaged, or made to fill the memory: get it again from its source");
}

} // namespace syncopate

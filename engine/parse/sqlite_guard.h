// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <stop_token>
#include <string>

struct sqlite3;

namespace syncopate {

/// Keeps a foreign SQLite file from doing harm. Its schema is data that SQLite compiles, and its pages refer to each other by
/// number: three pages that each refer to themselves hundreds of times are a table with billions of rows. So nothing of the
/// schema runs, values have a bounded length, and work, rows and text are bounded by what a file of that length can hold.
/// Register it for one connection, which it must outlive.
class SqliteGuard {
public:
    /// `instructionsPerByte`: instructions of SQLite's virtual machine allowed per byte of the file.
    SqliteGuard(std::stop_token stop, const std::string &path, std::uint64_t instructionsPerByte);
    SqliteGuard(const SqliteGuard &) = delete;
    SqliteGuard &operator=(const SqliteGuard &) = delete;

    /// Sets limits, the progress handler and defensive mode; call before the first statement.
    void protect(sqlite3 *database, int maxValueBytes);

    /// Errors where the file gave more than its length can hold: rows of one statement, so far `rows`, or text of all that were
    /// counted.
    [[nodiscard]] Result<void> checkRows(std::uint64_t rows) const;
    /// Adds the bytes of one text that was read.
    void countText(std::uint64_t bytes) { m_textBytes += bytes; }
    /// Counts bytes that this program writes into the file as bytes that it may hold.
    void countWritten(std::uint64_t bytes);
    /// After an interrupted statement: true if the user stopped it, false if it took too much work.
    [[nodiscard]] bool stopped() const { return m_stop.stop_requested(); }
    /// The error of a file whose tables are larger than the file.
    [[nodiscard]] static Unexpected overrun();

    [[nodiscard]] std::uint64_t fileBytes() const { return m_fileBytes; }
    [[nodiscard]] std::uint64_t textBytes() const { return m_textBytes; }

private:
    [[nodiscard]] bool mayGoOn();

    std::stop_token m_stop;
    std::uint64_t m_fileBytes = 0;
    std::uint64_t m_textBytes = 0;
    std::uint64_t m_instructionsPerByte = 0, m_instructions = 0;
    std::uint64_t m_maxInstructions = 0, m_maxRows = 0, m_maxTextBytes = 0;
};

} // namespace syncopate

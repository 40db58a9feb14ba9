// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sqlite3.h>
#include <string>

namespace syncopate::testing {

/// Makes a one-page table of an SQLite file practically endless: its root becomes a page of pointers to another such page, and so
/// on for `levels`; the pages of the last level all point to the page that held the rows. Each level multiplies the rows by
/// several hundred.
inline void nameInCircles(const std::string &path, const std::string &table, int levels) {
    sqlite3 *database = nullptr;
    sqlite3_open(path.c_str(), &database);
    const auto number = [&](const std::string &sql) {
        sqlite3_stmt *statement = nullptr;
        sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
        const int value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
        sqlite3_finalize(statement);
        return static_cast<std::size_t>(value);
    };
    const std::size_t pageBytes = number("PRAGMA page_size");
    const std::size_t root = number("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'");
    sqlite3_close(database);
    std::ifstream in(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    in.close();
    constexpr char leaf = 0x0d, interior = 0x05;
    if (root < 2 || bytes.at((root - 1) * pageBytes) != leaf)
        qFatal("the table %s is not one page", table.c_str());
    const auto put = [](std::string &page, std::size_t at, std::size_t value, int width) {
        for (int byte = width - 1; byte >= 0; --byte, value >>= 8)
            page[at + static_cast<std::size_t>(byte)] = static_cast<char>(value & 0xff);
    };
    // File format, section 1.6: a header of 12 bytes, 2 for each cell pointer; a cell holds a page number and a row id.
    const auto pointingAt = [&](std::size_t child) {
        constexpr std::size_t header = 12, pointer = 2, cell = 5;
        std::string page(pageBytes, '\0');
        const std::size_t cells = (pageBytes - header) / (pointer + cell);
        page[0] = interior;
        put(page, 3, cells, 2);
        put(page, 5, pageBytes - cells * cell, 2);
        put(page, 8, child, 4);
        for (std::size_t c = 0; c < cells; ++c) {
            const std::size_t at = pageBytes - (c + 1) * cell;
            put(page, header + c * pointer, at, 2);
            put(page, at, child, 4);
            page[at + 4] = 1;
        }
        return page;
    };
    bytes += bytes.substr((root - 1) * pageBytes, pageBytes);
    for (int level = 1; level < levels; ++level)
        bytes += pointingAt(bytes.size() / pageBytes);
    bytes.replace((root - 1) * pageBytes, pageBytes, pointingAt(bytes.size() / pageBytes));
    put(bytes, 28, bytes.size() / pageBytes, 4); // number of pages in the file
    std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

} // namespace syncopate::testing

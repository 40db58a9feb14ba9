// SPDX-License-Identifier: GPL-3.0-or-later
// Tables for SQL. A timeline of ten million spans is too large to copy into a database for every question, so a table is a view
// of the engine's data, which SQLite reads cell by cell. Sorting millions of rows makes GROUP BY slow; so columns with few
// distinct values (categories, names, lanes) provide ranks, by which rows are ordered in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace syncopate {

/// A cell of a table: NULL, an integer, a real number, or text that the table owns.
using QueryCell = std::variant<std::monostate, std::int64_t, double, std::string_view>;

/// A column of a table.
struct QueryColumn {
    std::string name;  ///< with its unit: "duration_ns"
    const char *type;  ///< "INTEGER", "REAL" or "TEXT"
    const char *about; ///< one line, for people
};

/// A table's rows lie in parts (a lane's spans, a side's tasks); numbered through all parts, they are the table's key.
class QueryTable {
public:
    struct Row {
        std::size_t part = 0;
        std::size_t index = 0; ///< in its part
    };
    /// The rank of a row's cell among the column's distinct values, NULL first, in the order of ORDER BY.
    struct Ranks {
        std::size_t count = 0; ///< ranks are below
        std::function<std::uint32_t(Row)> of;
    };

    QueryTable(std::string name, const char *about, std::vector<QueryColumn> columns)
        : m_name(std::move(name)), m_about(about), m_columns(std::move(columns)) {}
    virtual ~QueryTable() = default;
    QueryTable(const QueryTable &) = delete;
    QueryTable &operator=(const QueryTable &) = delete;

    [[nodiscard]] const std::string &name() const { return m_name; }
    [[nodiscard]] const char *about() const { return m_about; }
    /// The first column is the key, for which cell() is never called.
    [[nodiscard]] const std::vector<QueryColumn> &columns() const { return m_columns; }
    [[nodiscard]] virtual std::size_t partCount() const = 0;
    [[nodiscard]] virtual std::size_t partSize(std::size_t part) const = 0;
    /// O(1); text is valid as long as the table is.
    [[nodiscard]] virtual QueryCell cell(Row row, std::size_t column) const = 0;
    /// Prefetches `columns` (bits) of a row that is read soon: in the order of a group, rows lie far from each other.
    virtual void prefetch(Row /*row*/, std::uint64_t /*columns*/) const {}
    /// The cells of a column that has an integer in every row; nothing for others.
    [[nodiscard]] virtual std::function<std::int64_t(Row)> integers(std::size_t /*column*/) const { return {}; }
    /// Nothing where the column has too many different values.
    [[nodiscard]] virtual std::optional<Ranks> ranks(std::size_t /*column*/) const { return {}; }

private:
    std::string m_name;
    const char *m_about;
    std::vector<QueryColumn> m_columns;
};

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
// Orders rows by columns with ranks, without comparing: each row is counted, then put where its rank begins. The slow part is
// reading the rows in that order afterwards: the next row of a group lies thousands of bytes on, in every column. So cells that
// are asked for and are integers are put into that order, too, while the rows are walked as they lie, and the columns of the
// order itself are read once for each run of equal rows.
#pragma once

#include "engine/query/query_table.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace syncopate {

class QueryWatch;

/// A table's rows, numbered through its parts.
struct NumberedRows {
    const QueryTable &table;
    std::vector<std::size_t> first; ///< row of each part's beginning, and the end

    explicit NumberedRows(const QueryTable &of);
    [[nodiscard]] std::size_t count() const { return first.back(); }
    /// Moves `place` from that of another row to that of `row`. Rows near each other are mostly in one part.
    void find(std::size_t row, QueryTable::Row &place) const;
};

/// Rows of a table in the order in which a query wants them.
struct RowOrder {
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> runEnds;                            ///< where rows of equal rank end, ascending; empty: not known
    std::map<std::size_t, std::vector<std::int64_t>> integers{}; ///< by column, in this order
    [[nodiscard]] std::uint64_t bytes() const;
};

/// The rows by `ranks`, the first of them first; equal ones as they lie. `columns` (bits) are asked for. Nothing: the watch ended
/// it. One pass where there are few different ranks together, else one for each, without runs and integers.
[[nodiscard]] std::optional<RowOrder> orderRows(const NumberedRows &rows, const std::vector<const QueryTable::Ranks *> &ranks,
                                                std::uint64_t columns, QueryWatch &watch);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/query/query.h"

#include <functional>
#include <vector>

namespace syncopate {

/// A table whose parts are sides and whose cells a function gives.
class SideTable final : public QueryTable {
public:
    using Cell = std::function<QueryCell(std::size_t side, std::size_t index, std::size_t column)>;
    SideTable(std::string name, const char *about, std::vector<QueryColumn> columns, std::vector<std::size_t> sizes, Cell cell)
        : QueryTable(std::move(name), about, std::move(columns)), m_sizes(std::move(sizes)), m_cell(std::move(cell)) {}

    [[nodiscard]] std::size_t partCount() const override { return m_sizes.size(); }
    [[nodiscard]] std::size_t partSize(std::size_t part) const override { return m_sizes[part]; }
    [[nodiscard]] QueryCell cell(Row row, std::size_t column) const override { return m_cell(row.part, row.index, column); }

private:
    std::vector<std::size_t> m_sizes;
    Cell m_cell;
};

using TablePointer = std::unique_ptr<const QueryTable>;

[[nodiscard]] TablePointer makeStepTable(const std::vector<QuerySide> &sides);
[[nodiscard]] TablePointer makeTaskTable(const std::vector<QuerySide> &sides);
[[nodiscard]] TablePointer makeVariableTable(const std::vector<QuerySide> &sides);
[[nodiscard]] TablePointer makeLinkTable(const std::vector<QuerySide> &sides);
[[nodiscard]] TablePointer makeTrialTable(const std::shared_ptr<const SearchState> &search);

/// Rows of each side in the tables of tasks and variables.
[[nodiscard]] std::vector<std::size_t> taskCounts(const std::vector<QuerySide> &sides);
[[nodiscard]] std::vector<std::size_t> variableCounts(const std::vector<QuerySide> &sides);

} // namespace syncopate

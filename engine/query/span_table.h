// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/query/query.h"
#include "engine/query/text_ranks.h"

#include <vector>

namespace syncopate {

/// A row is a span of a timeline; a part is a lane. The table of 10 million spans takes no memory but for its lists of names.
class SpanTable final : public QueryTable {
public:
    /// `firstTask` and `firstVariable`: of each side, the keys of its first row in the tables of tasks and variables.
    SpanTable(std::vector<QuerySide> sides, std::vector<std::size_t> firstTask, std::vector<std::size_t> firstVariable);

    [[nodiscard]] std::size_t partCount() const override { return m_parts.size(); }
    [[nodiscard]] std::size_t partSize(std::size_t part) const override { return m_parts[part].lane->size(); }
    [[nodiscard]] QueryCell cell(Row row, std::size_t column) const override;
    void prefetch(Row row, std::uint64_t columns) const override;
    [[nodiscard]] std::function<std::int64_t(Row)> integers(std::size_t column) const override;
    [[nodiscard]] std::optional<Ranks> ranks(std::size_t column) const override;

private:
    struct Part {
        const Lane *lane;
        std::size_t side;
        std::uint32_t nameRank; ///< of the lane
    };
    [[nodiscard]] std::int32_t iterationOf(Row row) const; ///< -1 = none
    [[nodiscard]] bool isOfLastIteration(Row row) const;
    [[nodiscard]] const Variable *variableOf(Row row) const;
    [[nodiscard]] Ranks ranksOfLabels() const;
    [[nodiscard]] Ranks ranksOfVariables() const;

    std::vector<QuerySide> m_sides;
    std::vector<std::size_t> m_firstTask, m_firstVariable;
    std::vector<Part> m_parts;
    std::vector<std::pair<Nanoseconds, Nanoseconds>> m_lastIterations; ///< of each side
    TextRanks m_sideNames, m_laneNames, m_categories;
    std::int32_t m_maxWorker = -1, m_maxIteration = -1;
};

} // namespace syncopate

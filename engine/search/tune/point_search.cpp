// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/point_search.h"

#include "engine/search/search.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

Result<Scenario> PointSearch::decode(const Genes &genes) const {
    if (genes.real.size() != m_space.axes().size() || !genes.whole.empty())
        return fail(fmt::format("the genes '{}' are not a point of {} coordinates", formatGenes(genes), m_space.axes().size()),
                    "use the search method that made them");
    return m_space.scenarioOf(valuesOf(genes));
}

std::string PointSearch::explain(const Genes &genes) const { return m_space.describe(valuesOf(genes)); }

Result<std::vector<Genes>> SequentialSearch::ask(std::uint64_t /*first*/, std::stop_token /*stop*/) {
    std::vector<Genes> asked;
    std::size_t known = 0;
    play([&](const TunePoint &point) -> std::optional<double> {
        if (known < m_seconds.size())
            return m_seconds[known++];
        if (asked.empty())
            asked.push_back({{}, point});
        return std::nullopt;
    });
    return asked;
}

void SequentialSearch::tell(const std::vector<SearchTrial> &batch) {
    for (const SearchTrial &trial : batch)
        m_seconds.push_back(std::min(objectiveOf(trial.metrics, SearchObjective::IterationTime), impossibleSeconds));
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/rule_space.h"
#include "engine/search/search.h"
#include "engine/search/search_method.h"
#include "engine/search/tried_strategies.h"
#include "engine/strategy/arguments.h"

#include <optional>
#include <vector>

namespace syncopate {

/// Simulated annealing over rules and exceptions for single variables, as FlexFlow walks over its strategies (Jia et al. 2019): a
/// change is kept if it is faster, and with probability exp(-slowdown / temperature) if it is slower. It starts from the best of
/// the usual rules. Each batch is proposed from the walk's present place, and then walked through in order. The temperature is a
/// share of the best time and halves every `halving` trials, so it does not depend on the budget; a walk that has cooled down to
/// 0.1 % returns to its best place and to a third of the first temperature.
class AnnealSearch final : public SearchMethod {
public:
    struct Settings {
        double hot = 0.03;         ///< temperature at first, as a share of the best time
        std::int32_t halving = 60; ///< trials after which it is half
        bool operator==(const Settings &) const = default;
    };
    /// `request` has a job, and a cluster with reduction devices; its seed and objective are used.
    AnnealSearch(const SearchRequest &request, const Settings &settings);

    [[nodiscard]] std::string text() const override;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] std::size_t batchSize() const override { return 4; }
    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token stop) override;
    [[nodiscard]] Result<Scenario> decode(const Genes &genes) const override { return m_space.decode(genes); }
    [[nodiscard]] std::string explain(const Genes &genes) const override { return m_space.explain(genes); }
    [[nodiscard]] std::string source(const Genes &genes) const override { return nameOf(RuleSpace::moveOf(genes)); }
    [[nodiscard]] CandidateSource sourceKind(const Genes &genes) const override { return sourceKindOf(RuleSpace::moveOf(genes)); }
    void tell(const std::vector<SearchTrial> &batch) override;

private:
    struct Place {
        double value;
        Genes genes;
    };
    void walk(const SearchTrial &trial, double value);

    RuleSpace m_space;
    SearchObjective m_objective;
    std::uint64_t m_seed;
    Settings m_settings;
    std::vector<Genes> m_usual;
    std::optional<Place> m_current, m_best;
    double m_temperature;
    TriedStrategies m_tried;
};

[[nodiscard]] const ExpressionInfo &annealSearchInfo();
/// Errors as ArgumentValues::read().
[[nodiscard]] Result<AnnealSearch::Settings> readAnnealSearch(const Expression &expression);

} // namespace syncopate

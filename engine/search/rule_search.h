// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/rule_space.h"
#include "engine/search/search.h"
#include "engine/search/search_method.h"
#include "engine/search/tried_strategies.h"
#include "engine/strategy/arguments.h"

#include <array>
#include <vector>

namespace syncopate {

/// Evolution over rules with exceptions for single variables (RuleSpace). The first trials are rules that represent common
/// practice, with all builders. Each later batch moves the best rules seen, by kinds of moves that are chosen more often the more
/// they have improved on the best, and draws `fresh` of its trials anew, so a random arm always goes on. No strategy is tried
/// twice. The genes are the rule itself, so a trial is decoded without any other.
class RuleSearch final : public SearchMethod {
public:
    struct Settings {
        std::int32_t stretches = 3, classes = 3; ///< at most
        double fresh = 0.1;                      ///< share of trials that are drawn anew
        bool reductions = false;                 ///< reduce-scatter + all-gather and reduce + broadcast, too
        bool operator==(const Settings &) const = default;
    };
    /// `request` has a job, and a cluster with reduction devices; its seed and objective are used.
    RuleSearch(const SearchRequest &request, const Settings &settings);

    [[nodiscard]] std::string text() const override;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] std::size_t batchSize() const override { return 10; }
    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token stop) override;
    [[nodiscard]] Result<Scenario> decode(const Genes &genes) const override { return m_space.decode(genes); }
    [[nodiscard]] std::string explain(const Genes &genes) const override { return m_space.explain(genes); }
    [[nodiscard]] std::string source(const Genes &genes) const override { return nameOf(RuleSpace::moveOf(genes)); }
    [[nodiscard]] CandidateSource sourceKind(const Genes &genes) const override { return sourceKindOf(RuleSpace::moveOf(genes)); }
    void tell(const std::vector<SearchTrial> &batch) override;

private:
    [[nodiscard]] Genes propose(Rng &rng) const;
    [[nodiscard]] const Genes &parent(Rng &rng) const;

    struct Tried {
        double value;
        Genes genes;
    };
    RuleSpace m_space;
    SearchObjective m_objective;
    std::uint64_t m_seed;
    Settings m_settings;
    std::vector<Genes> m_usual;
    std::vector<Tried> m_best; ///< ascending, a few
    TriedStrategies m_tried;
    struct Credit {
        double trials = 0, gains = 0;
    };
    std::array<Credit, ruleMoves> m_credits; ///< by RuleMove
};

[[nodiscard]] const ExpressionInfo &ruleSearchInfo();
/// Errors as ArgumentValues::read().
[[nodiscard]] Result<RuleSearch::Settings> readRuleSearch(const Expression &expression);

} // namespace syncopate

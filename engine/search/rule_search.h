// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/rng.h"
#include "engine/search/rule.h"
#include "engine/search/search.h"
#include "engine/search/search_method.h"
#include "engine/strategy/arguments.h"

#include <vector>

namespace syncopate {

/// Hill climbing over rules (engine/search/rule.h). A rule is a point of the unit cube: numbers of stretches and classes, their
/// bounds, group size, number of servers, and kind, part size and proxy of each cell, sizes on a log scale. The first batch tries
/// rules that stand for what people use; each later one changes a few coordinates of the best, mixes the best four, and draws
/// `fresh` of its trials anew, so that a random arm always goes on. The genes are the point, so a trial is decoded without any
/// other.
class RuleSearch final : public SearchMethod {
public:
    struct Settings {
        std::int32_t stretches = 3, classes = 3; ///< at most
        double fresh = 0.2;                      ///< share of a batch that is drawn anew
        bool operator==(const Settings &) const = default;
    };
    /// `request` has a job, and a cluster with reduction devices; of it the seed and the objective are used.
    RuleSearch(const SearchRequest &request, const Settings &settings);

    [[nodiscard]] std::string text() const override;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] std::size_t batchSize() const override { return 20; }
    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token stop) override;
    [[nodiscard]] Result<Scenario> decode(const Genes &genes) const override;
    [[nodiscard]] std::string explain(const Genes &genes) const override;
    void tell(const std::vector<SearchTrial> &batch) override;

    /// The rule that genes stand for. Errors: genes of another method.
    [[nodiscard]] Result<Rule> ruleOf(const Genes &genes) const;

private:
    using Point = std::vector<double>;
    struct Tried {
        double value;
        Point point;
    };
    [[nodiscard]] std::vector<Point> usualRules() const;
    [[nodiscard]] Point drawn(Rng &rng) const;
    [[nodiscard]] Point changed(Point point, Rng &rng) const;
    [[nodiscard]] Point mixed(Rng &rng) const;

    Scenario m_base;
    SearchObjective m_objective;
    std::uint64_t m_seed;
    Settings m_settings;
    double m_maxBytes;         ///< of all dense variables, the largest group
    std::size_t m_devices;     ///< that may serve
    std::vector<Tried> m_best; ///< ascending, a few
};

[[nodiscard]] const ExpressionInfo &ruleSearchInfo();
/// Errors as ArgumentValues::read().
[[nodiscard]] Result<RuleSearch::Settings> readRuleSearch(const Expression &expression);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/rule_search.h"

#include "engine/search/constraints.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t keptRules = 5;
constexpr double worthwhileMove = 1e-4; ///< relative improvement of the best that a trial must make to count for its move

} // namespace

RuleSearch::RuleSearch(const SearchRequest &request, const Settings &settings)
    : m_space(request.base, static_cast<std::size_t>(settings.stretches), static_cast<std::size_t>(settings.classes),
              settings.reductions),
      m_objective(request.objective), m_seed(request.seed), m_settings(settings), m_usual(m_space.usual()) {}

std::string RuleSearch::text() const {
    ArgumentValues values(ruleSearchInfo());
    values.setNumber("stretches", m_settings.stretches);
    values.setNumber("classes", m_settings.classes);
    values.setNumber("fresh", std::round(100 * m_settings.fresh));
    values.setFlag("reductions", m_settings.reductions);
    return values.text();
}

std::string RuleSearch::description() const {
    return fmt::format("rules of up to {} stretches of layers and {} classes of sizes with exceptions for single variables, the "
                       "best changed, {:.0f} % drawn anew",
                       m_settings.stretches, m_settings.classes, 100 * m_settings.fresh);
}

/// Usually the best so far, otherwise one of the runners-up.
const Genes &RuleSearch::parent(Rng &rng) const {
    const std::size_t at = rng.uniform(0, 1) < 0.6 ? 0 : uniformIndex(rng, m_best.size());
    return m_best[at].genes;
}

Genes RuleSearch::propose(Rng &rng) const {
    if (m_best.empty() || rng.uniform(0, 1) < m_settings.fresh)
        return m_space.fresh(rng);
    static constexpr std::array moves{RuleMove::Step, RuleMove::Leap, RuleMove::Split, RuleMove::Variable, RuleMove::Mixed};
    std::array<double, moves.size()> weights{};
    double sum = 0;
    for (std::size_t m = 0; m < moves.size(); ++m) {
        const Credit &credit = m_credits[static_cast<std::size_t>(moves[m])];
        sum += weights[m] = (credit.gains + 1) / (credit.trials + 5);
    }
    double left = rng.uniform(0, sum);
    std::size_t chosen = 0;
    while (chosen + 1 < moves.size() && left >= weights[chosen])
        left -= weights[chosen++];
    return moves[chosen] == RuleMove::Mixed ? m_space.mixed(parent(rng), parent(rng), rng)
                                            : m_space.moved(parent(rng), moves[chosen], rng);
}

Result<std::vector<Genes>> RuleSearch::ask(std::uint64_t first, std::stop_token stop) {
    std::vector<Genes> batch;
    std::unordered_set<StrategyFingerprint> fingerprints;
    Rng rng(Rng(m_seed).next() ^ first);
    for (std::uint64_t trial = first; trial < first + batchSize(); ++trial) {
        if (stop.stop_requested())
            return cancelled();
        const bool usual = trial < m_usual.size();
        auto proposed = m_tried.newOne(*this, fingerprints, [&, first = true]() mutable {
            return std::exchange(first, false) && usual ? m_usual[static_cast<std::size_t>(trial)] : propose(rng);
        });
        batch.push_back(std::move(proposed.genes));
    }
    return batch;
}

void RuleSearch::tell(const std::vector<SearchTrial> &batch) {
    m_tried.add(batch, *this);
    const double before = m_best.empty() ? std::numeric_limits<double>::infinity() : m_best.front().value;
    for (const SearchTrial &trial : batch) {
        const double value = objectiveOf(trial.metrics, m_objective);
        Credit &credit = m_credits[static_cast<std::size_t>(RuleSpace::moveOf(trial.genes))];
        ++credit.trials;
        credit.gains += value < before * (1 - worthwhileMove) ? 1 : 0;
        if (std::isfinite(value))
            m_best.push_back({value, trial.genes});
    }
    std::stable_sort(m_best.begin(), m_best.end(), [](const Tried &a, const Tried &b) { return a.value < b.value; });
    m_best.resize(std::min(m_best.size(), keptRules));
}

const ExpressionInfo &ruleSearchInfo() {
    static const ExpressionInfo info{
        "rules",
        "one rule for stretches of layers and classes of sizes, and exceptions for variables; the best rules are changed little "
        "by little",
        {{"stretches", ArgumentKind::Integer, "3", 1, Rule::maxStretches, {}, "stretches", "Stretches of layers, at most"},
         {"classes", ArgumentKind::Integer, "3", 1, Rule::maxClasses, {}, "classes", "Classes of variables' sizes, at most"},
         {"fresh", ArgumentKind::Integer, "10", 0, 100, {}, "percent", "Share of trials that are drawn anew"},
         {"reductions",
          ArgumentKind::Flag,
          "off",
          0,
          0,
          {},
          {},
          "Also reduce-scatter + all-gather and reduce + broadcast, which AutoDist's format cannot say"}}};
    return info;
}

Result<RuleSearch::Settings> readRuleSearch(const Expression &expression) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, ruleSearchInfo()));
    RuleSearch::Settings settings;
    settings.stretches = static_cast<std::int32_t>(values.number("stretches"));
    settings.classes = static_cast<std::int32_t>(values.number("classes"));
    settings.fresh = values.number("fresh") / 100;
    settings.reductions = values.flag("reductions");
    return settings;
}

} // namespace syncopate

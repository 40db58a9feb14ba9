// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/anneal_search.h"

#include "engine/search/constraints.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

constexpr double coldest = 0.001; ///< temperature at which a walk goes back to its best

} // namespace

AnnealSearch::AnnealSearch(const SearchRequest &request, const Settings &settings)
    : m_space(request.base, Rule::maxStretches, Rule::maxClasses), m_objective(request.objective), m_seed(request.seed),
      m_settings(settings), m_usual(m_space.usual()), m_temperature(settings.hot) {}

std::string AnnealSearch::text() const {
    ArgumentValues values(annealSearchInfo());
    values.setNumber("hot", std::round(1000 * m_settings.hot));
    values.setNumber("halving", m_settings.halving);
    return values.text();
}

std::string AnnealSearch::description() const {
    return fmt::format("simulated annealing over rules and exceptions for single variables, from {:.1f} % of the best time, half "
                       "after {} trials",
                       100 * m_settings.hot, m_settings.halving);
}

Result<std::vector<Genes>> AnnealSearch::ask(std::uint64_t first, std::stop_token stop) {
    static constexpr std::array moves{RuleMove::Step,     RuleMove::Step,     RuleMove::Leap,
                                      RuleMove::Variable, RuleMove::Variable, RuleMove::Split};
    std::vector<Genes> batch;
    std::unordered_set<StrategyFingerprint> fingerprints;
    Rng rng(Rng(m_seed ^ 0x616e6e65616cULL).next() ^ first); // "anneal": draws that differ from rules()
    for (std::uint64_t trial = first; trial < first + batchSize(); ++trial) {
        if (stop.stop_requested())
            return cancelled();
        const bool usual = trial < m_usual.size();
        auto proposed = m_tried.newOne(*this, fingerprints, [&, first = true]() mutable {
            if (std::exchange(first, false) && usual)
                return m_usual[static_cast<std::size_t>(trial)];
            return m_current ? m_space.moved(m_current->genes, moves[uniformIndex(rng, moves.size())], rng) : m_space.fresh(rng);
        });
        batch.push_back(std::move(proposed.genes));
    }
    return batch;
}

void AnnealSearch::walk(const SearchTrial &trial, double value) {
    if (!m_best || value < m_best->value)
        m_best = {value, trial.genes};
    if (!m_current || value <= m_current->value || trial.trial < m_usual.size()) {
        if (!m_current || value < m_current->value)
            m_current = {value, trial.genes};
        return;
    }
    Rng rng(Rng(m_seed).next() + trial.trial); // seeded per trial, so that a resumed walk decides alike
    if (rng.uniform(0, 1) < std::exp(-(value / m_best->value - m_current->value / m_best->value) / m_temperature))
        m_current = {value, trial.genes};
}

void AnnealSearch::tell(const std::vector<SearchTrial> &batch) {
    m_tried.add(batch, *this);
    for (const SearchTrial &trial : batch) {
        if (const double value = objectiveOf(trial.metrics, m_objective); std::isfinite(value))
            walk(trial, value);
        if (trial.trial >= m_usual.size())
            m_temperature *= std::exp2(-1.0 / m_settings.halving);
    }
    if (m_temperature < coldest) {
        m_temperature = m_settings.hot / 3;
        m_current = m_best;
    }
}

const ExpressionInfo &annealSearchInfo() {
    static const ExpressionInfo info{
        "anneal",
        "simulated annealing over rules and exceptions for single variables",
        {{"hot",
          ArgumentKind::Integer,
          "30",
          1,
          1000,
          {},
          "thousandths",
          "Temperature at first, in thousandths of the best time"},
         {"halving", ArgumentKind::Integer, "60", 1, 1'000'000, {}, "trials", "Trials after which the temperature is half"}}};
    return info;
}

Result<AnnealSearch::Settings> readAnnealSearch(const Expression &expression) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, annealSearchInfo()));
    return AnnealSearch::Settings{values.number("hot") / 1000, static_cast<std::int32_t>(values.number("halving"))};
}

} // namespace syncopate

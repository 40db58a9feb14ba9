// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/autosync_search.h"

#include "engine/base/parallel_in_order.h"
#include "engine/search/ranking.h"
#include "engine/strategy/policy.h"
#include "engine/strategy/similarity.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <unordered_set>

namespace syncopate {

namespace {

constexpr std::size_t keptBest = 5, recentBatches = 3;
constexpr double worthwhile = 1e-4;     ///< relative improvement of the best that a trial must make to count for its source
constexpr double earnsIt = 0.6;         ///< share of pairs in the right order from which a ranker may choose; a coin has 0.5
constexpr double desiredAccuracy = 0.8; ///< AutoDist, section 2.4
constexpr std::array sourceNames{"usual", "ranked", "local", "random"};

} // namespace

const std::vector<std::string> &AutosyncSearch::simulators() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all{"none"};
        for (const ExpressionInfo &ranker : rankers())
            all.push_back(ranker.name);
        return all;
    }();
    return names;
}

AutosyncSearch::AutosyncSearch(const SearchRequest &request, const Settings &settings, std::unique_ptr<Ranker> predefined,
                               std::unique_ptr<Ranker> learned)
    : m_base(request.base), m_space(request.base, Rule::maxStretches, Rule::maxClasses), m_objective(request.objective),
      m_seed(request.seed), m_settings(settings), m_threads(threadsFor(request.threads)) {
    if (settings.rules)
        m_usual = m_space.usual();
    m_predefined.ranker = std::move(predefined);
    m_predefined.ready = true;
    m_learned.ranker = std::move(learned);
}

std::string AutosyncSearch::text() const {
    ArgumentValues values(autosyncSearchInfo());
    values.setChoice("simulator", m_settings.simulator);
    values.setChoice("proposals", m_settings.rules ? 0 : 1);
    values.setNumber("explore", m_settings.explore);
    values.setNumber("diversity", std::round(100 * m_settings.diversity));
    values.setChoice("similarity", m_settings.embedding ? 1 : 0);
    return values.text();
}

std::string AutosyncSearch::description() const {
    return fmt::format("Algorithm 1 of AutoDist: of {} {} for each trial the top ranked by {}, with a diversity of {:.2g}; "
                       "beside them {}new draws",
                       m_settings.explore, m_settings.rules ? "rules" : "random strategies", simulators()[m_settings.simulator],
                       m_settings.diversity, m_settings.rules ? "moves of the best and " : "");
}

Result<Scenario> AutosyncSearch::decode(const Genes &genes) const {
    if (genes.whole.size() < 2 || genes.whole.front() >= sources)
        return fail(fmt::format("the genes '{}' are not a proposal", formatGenes(genes).substr(0, 60)),
                    "use the search method that made them");
    if (auto strategy = m_decoded.find(genes)) {
        Scenario scenario = m_base;
        scenario.strategy = std::move(strategy);
        return scenario;
    }
    const Genes inner{{genes.whole.begin() + 1, genes.whole.end()}, genes.real};
    if (m_settings.rules)
        return m_space.decode(inner);
    if (inner.whole.size() != 1 || !inner.real.empty())
        return fail("the genes of a random proposal are not a seed", "use the search method that made them");
    Rng rng(inner.whole.front());
    Scenario scenario = m_base;
    scenario.strategy = std::make_shared<const Strategy>(sampleStrategy(*m_base.job, *m_base.cluster, m_sampler, rng));
    return scenario;
}

std::string AutosyncSearch::explain(const Genes &genes) const {
    return m_settings.rules && !genes.whole.empty() ? m_space.explain({{genes.whole.begin() + 1, genes.whole.end()}, genes.real})
                                                    : std::string();
}

std::string AutosyncSearch::source(const Genes &genes) const {
    return genes.whole.empty() || genes.whole.front() >= sources ? std::string() : sourceNames[genes.whole.front()];
}

CandidateSource AutosyncSearch::sourceKind(const Genes &genes) const {
    constexpr std::array<CandidateSource, sources> kinds{CandidateSource::Usual, CandidateSource::Ranked, CandidateSource::Moved,
                                                         CandidateSource::Drawn}; // in the order of Source
    return genes.whole.empty() || genes.whole.front() >= sources ? CandidateSource::Own : kinds[genes.whole.front()];
}

double AutosyncSearch::Judged::trust() const {
    double sum = 0, count = 0;
    for (const double accuracy : accuracies)
        if (!std::isnan(accuracy)) {
            sum += accuracy;
            ++count;
        }
    return count > 0 ? sum / count : 0;
}

AutosyncSearch::Judged *AutosyncSearch::chooser() {
    Judged *best = nullptr;
    double trust = earnsIt;
    for (Judged *judged : {&m_predefined, &m_learned})
        if (judged->ranker && judged->ready && judged->trust() >= trust) {
            best = judged;
            trust = judged->trust();
        }
    return best;
}

/// Splits the trials of a batch among the sources.
std::array<std::size_t, AutosyncSearch::sources> AutosyncSearch::shares(std::size_t trials, bool ranks) const {
    std::array<std::size_t, sources> counts{};
    counts[Random] = std::min(trials, std::max<std::size_t>(1, trials / 10));
    const std::size_t rest = trials - counts[Random];
    const auto rate = [&](Source source) { return (m_credits[source].gains + 1) / (m_credits[source].trials + 5); };
    const Source others = m_settings.rules ? Local : Random; // draws of the sampler have no moves
    const double ranked = ranks ? rate(Ranked) / (rate(Ranked) + rate(others)) : 0;
    counts[Ranked] = static_cast<std::size_t>(std::lround(ranked * static_cast<double>(rest)));
    counts[others] += rest - counts[Ranked];
    return counts;
}

/// Algorithm 1, lines 3 to 5: proposals, scores, rejection, and the diverse selection of Eq. 11.
Result<std::vector<Genes>> AutosyncSearch::choose(Judged &by, std::size_t count, Rng &rng, const std::stop_token &stop) {
    std::vector<Proposal> proposals = TRY(propose(count * static_cast<std::size_t>(std::max(1, m_settings.explore)), rng, stop));
    std::vector<StrategyPointer> strategies;
    strategies.reserve(proposals.size());
    for (const Proposal &proposal : proposals)
        strategies.push_back(proposal.strategy);
    const std::vector<double> scores = TRY(by.ranker->score(strategies, stop));
    m_asked.proposed += proposals.size();
    const double limit = rejectionScore(by.recent, desiredAccuracy);
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < proposals.size(); ++i)
        if (scores[i] < limit)
            kept.push_back(i);
    m_asked.rejected += proposals.size() - kept.size();
    if (kept.size() < count) { // almost all would be rejected: choose among all of them instead
        kept.resize(proposals.size());
        std::iota(kept.begin(), kept.end(), std::size_t{0});
    }
    // The greedy selection considers only the best: beyond them diversity alone would decide.
    std::stable_sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
    kept.resize(std::min(kept.size(), 4 * count));
    std::vector<double> keptScores;
    std::vector<StrategyPointer> keptStrategies;
    for (const std::size_t i : kept) {
        keptScores.push_back(scores[i]);
        keptStrategies.push_back(proposals[i].strategy);
    }
    std::vector<std::vector<float>> vectors;
    if (m_settings.embedding)
        vectors = TRY(by.ranker->embed(keptStrategies, stop));
    const auto alike = [&](std::size_t a, std::size_t b) {
        return vectors.empty() ? similarity(*keptStrategies[a], *keptStrategies[b])
                               : std::inner_product(vectors[a].begin(), vectors[a].end(), vectors[b].begin(), 0.0);
    };
    std::vector<Genes> chosen;
    for (const std::size_t i : selectDiverse(keptScores, count, m_settings.diversity, alike)) {
        m_decoded.keep(proposals[kept[i]].genes, proposals[kept[i]].strategy);
        chosen.push_back(std::move(proposals[kept[i]].genes));
    }
    return chosen;
}

Result<std::vector<Genes>> AutosyncSearch::ask(std::uint64_t first, std::stop_token stop) {
    std::vector<Genes> batch;
    std::unordered_set<StrategyFingerprint> fingerprints;
    Rng rng(Rng(m_seed ^ 0x6175746f73796e63ULL).next() ^ first); // "autosync"
    m_asked = {};
    std::vector<Slot> slots;
    while (slots.size() < batchSize() && first + slots.size() < m_usual.size())
        slots.push_back({Usual, &m_usual[static_cast<std::size_t>(first) + slots.size()]});
    TRY(fill(slots, rng, batch, fingerprints, stop));
    Judged *by = chooser();
    const auto counts = shares(batchSize() - batch.size(), by != nullptr);
    if (counts[Ranked] > 0) {
        m_asked.ranker = by->ranker->text();
        for (Genes &genes : TRY(choose(*by, counts[Ranked], rng, stop)))
            batch.push_back(std::move(genes));
        for (const Genes &genes : batch)
            if (const auto scenario = decode(genes))
                fingerprints.insert(fingerprintOf(*scenario->strategy));
    }
    slots.assign(counts[Random], {Random});
    while (batch.size() + slots.size() < batchSize())
        slots.push_back({m_settings.rules ? Local : Random});
    TRY(fill(slots, rng, batch, fingerprints, stop));
    return batch;
}

void AutosyncSearch::tell(const std::vector<SearchTrial> &batch) {
    m_tried.add(batch, *this);
    const double before = m_best.empty() ? std::numeric_limits<double>::infinity() : m_best.front().value;
    m_newTrials = 0;
    for (const SearchTrial &trial : batch) {
        const double value = objectiveOf(trial.metrics, m_objective);
        if (trial.genes.whole.empty() || trial.genes.whole.front() >= sources)
            continue;
        Credit &credit = m_credits[trial.genes.whole.front()];
        ++credit.trials;
        credit.gains += std::isfinite(before) && value < before * (1 - worthwhile) ? 1 : 0; // the first improve on nothing
        if (!std::isfinite(value))
            continue;
        m_best.push_back({value, {{trial.genes.whole.begin() + 1, trial.genes.whole.end()}, trial.genes.real}});
        if (const auto scenario = decode(trial.genes)) {
            m_trials.push_back({scenario->strategy, value});
            ++m_newTrials;
        }
    }
    m_decoded.clear();
    std::stable_sort(m_best.begin(), m_best.end(), [](const Tried &a, const Tried &b) { return a.value < b.value; });
    m_best.resize(std::min(m_best.size(), keptBest));
    SearchPhase phase = std::exchange(m_asked, {});
    phase.firstTrial = batch.front().trial;
    phase.trials = batch.size();
    m_phases.push_back(std::move(phase));
}

/// Measures how well the ranker orders the trials that it has not learned from yet.
Result<void> AutosyncSearch::measure(Judged &judged, const std::stop_token &stop, SearchPhase *phase) {
    if (!judged.ranker || !judged.ready)
        return {};
    std::vector<StrategyPointer> strategies;
    std::vector<double> values;
    for (std::size_t i = m_trials.size() - m_newTrials; i < m_trials.size(); ++i) {
        strategies.push_back(m_trials[i].strategy);
        values.push_back(m_trials[i].seconds);
    }
    const std::vector<double> scores = TRY(judged.ranker->score(strategies, stop));
    const double accuracy = pairAccuracy(scores, values);
    if (phase != nullptr) {
        phase->ranker = judged.ranker->text();
        phase->pairAccuracy = accuracy;
        phase->topRecall = topRecall(scores, values);
        phase->bucketAccuracy = bucketAccuracies(scores, values);
    }
    judged.accuracies.push_back(accuracy);
    if (judged.accuracies.size() > recentBatches)
        judged.accuracies.erase(judged.accuracies.begin());
    for (std::size_t i = 0; i < scores.size(); ++i)
        judged.recent.emplace_back(scores[i], values[i]);
    const std::size_t kept = recentBatches * batchSize();
    if (judged.recent.size() > kept)
        judged.recent.erase(judged.recent.begin(), judged.recent.end() - static_cast<std::ptrdiff_t>(kept));
    return {};
}

Result<void> AutosyncSearch::learn(const std::stop_token &stop) {
    SearchPhase &phase = m_phases.back();
    // The phase reports the learned ranker where there is one.
    TRY(measure(m_predefined, stop, &phase));
    TRY(measure(m_learned, stop, &phase));
    if (!m_learned.ranker)
        return {};
    const auto begin = std::chrono::steady_clock::now();
    TRY(m_learned.ranker->learn(m_trials, stop));
    m_learned.ready = true;
    phase.learnSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (m_learned.ranker->learns()) { // learning changed its scores
        const std::size_t kept = std::min(m_trials.size(), recentBatches * batchSize());
        std::vector<StrategyPointer> strategies;
        for (std::size_t i = m_trials.size() - kept; i < m_trials.size(); ++i)
            strategies.push_back(m_trials[i].strategy);
        const std::vector<double> scores = TRY(m_learned.ranker->score(strategies, stop));
        m_learned.recent.clear();
        for (std::size_t i = 0; i < kept; ++i)
            m_learned.recent.emplace_back(scores[i], m_trials[m_trials.size() - kept + i].seconds);
    }
    return {};
}

const ExpressionInfo &autosyncSearchInfo() {
    static const ExpressionInfo info{
        "autosync",
        "Algorithm 1 of AutoDist: a ranker chooses among many proposals, and learns from the trials",
        {{"simulator", ArgumentKind::Choice, "predefined", 0, 0, AutosyncSearch::simulators(), "", "What ranks proposals"},
         {"proposals",
          ArgumentKind::Choice,
          "rules",
          0,
          0,
          {"rules", "random"},
          "",
          "What proposals are: rules, or Random+G's draws"},
         {"explore", ArgumentKind::Integer, "20", 1, 1000, {}, "proposals", "Proposals that are scored for each trial"},
         {"diversity", ArgumentKind::Integer, "20", 0, 1000, {}, "hundredths", "Alpha of Eq. 11, of scores between 0 and 1"},
         {"similarity",
          ArgumentKind::Choice,
          "choices",
          0,
          0,
          {"choices", "embedding"},
          "",
          "By choices that are the same, or by the ranker's vectors where it has them"}}};
    return info;
}

Result<AutosyncSearch::Settings> readAutosyncSearch(const Expression &expression) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, autosyncSearchInfo()));
    AutosyncSearch::Settings settings;
    settings.simulator = values.choice("simulator");
    settings.rules = values.choice("proposals") == 0;
    settings.explore = static_cast<std::int32_t>(values.number("explore"));
    settings.diversity = values.number("diversity") / 100;
    settings.embedding = values.choice("similarity") == 1;
    return settings;
}

Result<std::unique_ptr<SearchMethod>> makeAutosyncSearch(const SearchRequest &request, const AutosyncSearch::Settings &settings) {
    const CommPolicy &policy = request.base.policy;
    const RankerDomain domain{request.base.job, request.base.cluster, policy.connections,
                              disciplineOf(policy, TrainingNodes{}).pullsOncePerNode};
    if (settings.simulator == 0)
        return std::make_unique<AutosyncSearch>(request, settings, nullptr, nullptr);
    std::unique_ptr<Ranker> predefined = TRY(makeRanker("predefined()", domain, request.seed));
    std::unique_ptr<Ranker> chosen = TRY(makeRanker(AutosyncSearch::simulators()[settings.simulator], domain, request.seed));
    if (!chosen->learns())
        chosen.reset();
    return std::make_unique<AutosyncSearch>(request, settings, std::move(predefined), std::move(chosen));
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search.h"

#include "engine/base/numbers.h"
#include "engine/base/parallel_in_order.h"
#include "engine/search/tuned_baselines.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/fingerprint.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace syncopate {

namespace {

template <class Entries> std::int64_t bestOf(const Entries &entries, SearchObjective objective) {
    std::int64_t best = -1;
    double min = infinity;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (const double value = objectiveOf(entries[i].metrics, objective); value < min) {
            min = value;
            best = static_cast<std::int64_t>(i);
        }
    return best;
}

/// Calls `work(i)` for i in [0, count) on `threads` threads and hands the results to `deliver` on the calling thread, in order.
/// If `stop` is requested it ends early, having delivered a prefix of the results.
template <class T> void inOrder(std::size_t count, unsigned threads, const std::stop_token &stop,
                                const std::function<std::optional<T>(std::size_t)> &work,
                                const std::function<void(std::size_t, T &&)> &deliver) {
    std::size_t taken = 0, delivered = 0;
    const auto next = [&] { return taken < count && !stop.stop_requested() ? std::optional(taken++) : std::nullopt; };
    const auto deliverNext = [&](std::optional<T> &&result) {
        if (result)
            deliver(delivered++, *std::move(result));
        return result.has_value();
    };
    parallelInOrder<std::size_t, std::optional<T>>(static_cast<unsigned>(std::min<std::size_t>(threads, count)), count, next,
                                                   work, deliverNext);
}

/// The best baseline or trial by the request's objective, seconds; infinite = none.
double bestSecondsOf(const SearchRequest &request, const SearchHistory &history) {
    double best = infinity;
    for (const SearchBaseline &baseline : history.baselines)
        best = std::min(best, objectiveOf(baseline.metrics, request.objective));
    for (const SearchTrial &trial : history.trials)
        best = std::min(best, objectiveOf(trial.metrics, request.objective));
    return best;
}

/// atMostGain() where `bestSeconds` is the best so far.
double gainBelow(const SearchRequest &request, double bestSeconds) {
    if (request.objective != SearchObjective::IterationTime || !(bestSeconds < infinity) || !(bestSeconds > 0))
        return std::numeric_limits<double>::quiet_NaN();
    return std::max(0.0, 1 - computeBoundSeconds(request.base) / bestSeconds);
}

class Search {
public:
    Search(const SearchRequest &request, SearchMethod &method, Judge &judge, SearchObserver &observer, SearchHistory &history,
           std::stop_token stop, Progress *progress)
        : m_request(request), m_method(method), m_judge(judge), m_observer(observer), m_history(history), m_stop(std::move(stop)),
          m_progress(progress), m_threads(judgingThreads(request, judge)), m_best(bestSecondsOf(request, history)) {}

    Result<void> run() {
        if (m_progress != nullptr) {
            m_progress->total = m_request.trials;
            m_progress->done = m_history.trials.size();
        }
        if (m_request.judgesBuilders)
            runBaselines();
        const std::uint64_t size = std::max<std::size_t>(1, m_method.batchSize());
        while (m_history.trials.size() < m_request.trials && !m_exhausted && !m_stop.stop_requested() && !isEnough(size))
            TRY(runBatch(m_history.trials.size() / size * size));
        m_history.enough = m_history.trials.size() < m_request.trials && isEnough(size);
        m_history.stopped = m_history.trials.size() < m_request.trials && !m_exhausted && !m_history.enough;
        return {};
    }

    /// Tells the method the results of an earlier run of this search.
    Result<void> recall() {
        const std::size_t size = std::max<std::size_t>(1, m_method.batchSize());
        for (std::size_t first = 0; first + size <= m_history.trials.size() && !m_stop.stop_requested(); first += size)
            TRY(tell(first, size));
        return {};
    }

private:
    Result<void> tell(std::size_t first, std::size_t size) {
        const auto begin = m_history.trials.begin() + static_cast<std::ptrdiff_t>(first);
        m_method.tell(std::vector<SearchTrial>(begin, begin + static_cast<std::ptrdiff_t>(size)));
        if (const auto learned = m_method.learn(m_stop); !learned)
            return m_stop.stop_requested() ? Result<void>() : learned; // the trials made so far stay
        m_history.phases = m_method.phases();
        if (!m_history.phases.empty())
            m_observer.phaseDone(m_history.phases.back());
        return {};
    }

    /// Checked between batches only, so that a resumed search ends where an uninterrupted one would.
    bool isEnough(std::size_t batchSize) const {
        return m_request.enough > 0 && m_judge.isDeterministic() && !m_history.trials.empty() &&
               m_history.trials.size() % batchSize == 0 && gainBelow(m_request, m_best) <= m_request.enough;
    }

    struct Known {
        CandidateMetrics metrics;
        std::string error;
    };
    std::optional<Known> recallVerdict(const StrategyFingerprint &strategy) {
        const std::scoped_lock lock(m_knownMutex);
        const auto known = m_known.find(strategy);
        return known == m_known.end() ? std::nullopt : std::optional(known->second);
    }

    /// Fills in a baseline's or trial's metrics, or the error that prevented them. Returns false if stopped.
    template <class Entry> bool judge(const Scenario &scenario, const StrategyFingerprint &strategy, Entry &entry) {
        const bool remembers = m_judge.isDeterministic() && differsInStrategyAlone(scenario, m_request.base);
        if (const auto known = remembers ? recallVerdict(strategy) : std::nullopt) {
            entry.metrics = known->metrics;
            entry.error = known->error;
            return true;
        }
        const auto verdict = m_judge.judge(scenario, m_stop);
        if (!verdict && m_stop.stop_requested())
            return false;
        entry.metrics = verdict ? describeCandidate(scenario, *verdict) : describeStrategy(*scenario.job, *scenario.strategy);
        if (!verdict)
            entry.error = verdict.error().toString();
        if (remembers) {
            const std::scoped_lock lock(m_knownMutex);
            m_known.try_emplace(strategy, Known{entry.metrics, entry.error});
        }
        return true;
    }

    void runBaselines() {
        const std::vector<BuilderInfo> &builders = strategyBuilders();
        const std::size_t first = m_history.baselines.size();
        if (first >= builders.size())
            return;
        inOrder<SearchBaseline>(
            builders.size() - first, m_threads, m_stop,
            [&](std::size_t i) -> std::optional<SearchBaseline> {
                SearchBaseline baseline;
                baseline.builder = builders[first + i].name;
                auto strategy = buildStrategy(baseline.builder, *m_request.base.job, *m_request.base.cluster);
                if (!strategy) {
                    baseline.error = strategy.error().toString();
                    return baseline;
                }
                Scenario scenario = m_request.base;
                scenario.strategy = baseline.strategy = std::make_shared<const Strategy>(*std::move(strategy));
                const bool judged = judge(scenario, fingerprintOf(*baseline.strategy), baseline);
                return judged ? std::optional(std::move(baseline)) : std::nullopt;
            },
            [&](std::size_t, SearchBaseline &&baseline) {
                m_best = std::min(m_best, objectiveOf(baseline.metrics, m_request.objective));
                m_history.baselines.push_back(std::move(baseline));
                m_observer.baselineDone(m_history.baselines.back());
            });
    }

    /// Judges the rest of the batch that starts at trial `first`.
    Result<void> runBatch(std::uint64_t first) {
        const auto asked = m_method.ask(first, m_stop);
        if (!asked)
            return m_stop.stop_requested() ? Result<void>() : Unexpected(asked.error());
        const std::uint64_t done = m_history.trials.size();
        m_exhausted = asked->empty() || first + asked->size() == done;
        if (m_exhausted)
            return {};
        const std::uint64_t end = std::min<std::uint64_t>(first + asked->size(), m_request.trials);
        if (end <= done)
            return fail(fmt::format("the method {} has nothing to try as trial {}", m_method.text(), done),
                        "lower the number of trials");
        inOrder<SearchTrial>(
            static_cast<std::size_t>(end - done), m_threads, m_stop,
            [&](std::size_t i) -> std::optional<SearchTrial> {
                SearchTrial trial;
                trial.trial = done + i;
                trial.genes = (*asked)[static_cast<std::size_t>(trial.trial - first)];
                const auto scenario = m_method.decode(trial.genes);
                if (!scenario) {
                    trial.error = scenario.error().toString();
                    return trial;
                }
                trial.strategy = fingerprintOf(*scenario->strategy);
                return judge(*scenario, trial.strategy, trial) ? std::optional(std::move(trial)) : std::nullopt;
            },
            [&](std::size_t, SearchTrial &&trial) {
                m_best = std::min(m_best, objectiveOf(trial.metrics, m_request.objective));
                m_history.trials.push_back(std::move(trial));
                m_observer.trialDone(m_history.trials.back());
                if (m_progress != nullptr)
                    m_progress->done = m_history.trials.size();
            });
        if (m_history.trials.size() != first + asked->size())
            return {};
        const auto tellResult = tell(static_cast<std::size_t>(first), asked->size());
        return tellResult || m_stop.stop_requested() ? Result<void>() : tellResult;
    }

    const SearchRequest &m_request;
    SearchMethod &m_method;
    Judge &m_judge;
    SearchObserver &m_observer;
    SearchHistory &m_history;
    std::stop_token m_stop;
    Progress *m_progress;
    unsigned m_threads;
    double m_best;            ///< of the history so far: looked for after each batch, it would take the square of the trials
    bool m_exhausted = false; ///< the method has nothing left to try
    std::mutex m_knownMutex;
    std::unordered_map<StrategyFingerprint, Known> m_known; ///< verdicts of this run by strategy
};

} // namespace

double objectiveOf(const CandidateMetrics &metrics, SearchObjective objective) {
    const double value = objective == SearchObjective::IterationTime ? metrics.iterationSeconds : metrics.exposedSeconds;
    return value >= 0 ? value : infinity; // NaN compares false
}

bool differsInStrategyAlone(const Scenario &scenario, const Scenario &base) {
    return scenario.job == base.job && scenario.cluster == base.cluster && scenario.policy == base.policy &&
           scenario.iterations == base.iterations;
}

unsigned judgingThreads(const SearchRequest &request, const Judge &judge) {
    return std::min(threadsFor(request.threads), std::max(1U, judge.maxConcurrent()));
}

std::int64_t SearchHistory::bestBaseline(SearchObjective objective) const { return bestOf(baselines, objective); }
std::int64_t SearchHistory::bestTrial(SearchObjective objective) const { return bestOf(trials, objective); }

std::optional<CandidateId> SearchHistory::best(SearchObjective objective) const {
    const std::int64_t trial = bestTrial(objective), baseline = bestBaseline(objective);
    const auto valueOf = [objective](const auto &candidates, std::int64_t index) {
        return index < 0 ? infinity : objectiveOf(candidates[static_cast<std::size_t>(index)].metrics, objective);
    };
    if (valueOf(trials, trial) < valueOf(baselines, baseline))
        return CandidateId{CandidateId::Kind::Trial, static_cast<std::size_t>(trial)};
    if (baseline < 0)
        return {};
    return CandidateId{CandidateId::Kind::Baseline, static_cast<std::size_t>(baseline)};
}

SearchTally::SearchTally(SearchObjective objective, const std::vector<SearchBaseline> &baselines)
    : m_objective(objective), m_bestBaseline(infinity), m_bestTrial(infinity),
      m_bestIterationSeconds(std::numeric_limits<double>::quiet_NaN()) {
    for (const SearchBaseline &baseline : baselines)
        m_bestBaseline = std::min(m_bestBaseline, objectiveOf(baseline.metrics, objective));
}

void SearchTally::add(const SearchTrial &trial) {
    const double value = objectiveOf(trial.metrics, m_objective);
    ++m_trials;
    m_hits += value < m_bestBaseline ? 1 : 0;
    if (value < m_bestTrial) {
        m_bestTrial = value;
        m_bestIterationSeconds = trial.metrics.iterationSeconds;
    }
}

double SearchTally::hitRate() const { return m_trials > 0 ? static_cast<double>(m_hits) / static_cast<double>(m_trials) : 0; }

double atMostGain(const SearchRequest &request, const SearchHistory &history) {
    return gainBelow(request, bestSecondsOf(request, history));
}

Result<BestCandidate> bestCandidate(const SearchHistory &history, SearchObjective objective, const SearchMethod &method) {
    const auto best = history.best(objective);
    if (!best)
        return fail("no candidate of the search could be judged",
                    history.trials.empty() ? std::string() : history.trials.front().error);
    if (best->kind == CandidateId::Kind::Trial) {
        const SearchTrial &trial = history.trials[best->index];
        const Scenario decoded = TRY(method.decode(trial.genes));
        return BestCandidate{fmt::format("trial {}", trial.trial), trial.metrics, decoded.strategy, method.explain(trial.genes)};
    }
    const SearchBaseline &baseline = history.baselines[best->index];
    return BestCandidate{baseline.builder, baseline.metrics, baseline.strategy, {}};
}

Result<SearchHistory> runSearch(const SearchRequest &request, SearchMethod &method, Judge &judge, SearchObserver &observer,
                                SearchHistory history, std::stop_token stop, Progress *progress) {
    if (!request.base.job || !request.base.cluster)
        return fail("a search needs a job and a cluster", "load both");
    if (request.trials < 1 || request.trials > SearchRequest::maxTrials)
        return fail(fmt::format("a search of {} trials", request.trials), fmt::format("give 1 to {}", SearchRequest::maxTrials));
    Search search(request, method, judge, observer, history, std::move(stop), progress);
    TRY(search.recall());
    TRY(search.run());
    return history;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search.h"

#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

namespace syncopate {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What `objective` makes small; infinite where the strategy could not be simulated.
double valueOf(const CandidateMetrics &metrics, SearchObjective objective) {
    const double value = objective == SearchObjective::IterationTime ? metrics.iterationSeconds : metrics.exposedSeconds;
    return value >= 0 ? value : infinity; // NaN is not
}

template <class Entries> std::int64_t bestOf(const Entries &entries, SearchObjective objective) {
    std::int64_t best = -1;
    double least = infinity;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (const double value = valueOf(entries[i].metrics, objective); value < least) {
            least = value;
            best = static_cast<std::int64_t>(i);
        }
    return best;
}

struct Evaluated {
    CandidateMetrics metrics;
    std::string error;
};

/// Nothing where `stop` kept it from an end.
std::optional<Evaluated> evaluate(const Scenario &base, const std::shared_ptr<const Strategy> &strategy,
                                  const std::stop_token &stop) {
    Scenario scenario = base;
    scenario.strategy = strategy;
    const auto run = simulate(scenario, stop);
    if (run)
        return Evaluated{describeRun(**run), {}};
    if (stop.stop_requested())
        return std::nullopt;
    return Evaluated{describeStrategy(*base.job, *strategy), run.error().toString()};
}

/// Does `work(i)` for i in [0, count) on `threads` threads and hands the results to `deliver` on this one, in order. Ends early
/// when `stop` is requested: what was delivered is then a prefix.
template <class T> void inOrder(std::size_t count, unsigned threads, const std::stop_token &stop,
                                const std::function<std::optional<T>(std::size_t)> &work,
                                const std::function<void(std::size_t, T &&)> &deliver) {
    std::mutex mutex;
    std::condition_variable ready;
    std::vector<std::optional<T>> results(count);
    std::vector<bool> done(count, false);
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> workers;
    const auto run = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            std::optional<T> result = stop.stop_requested() ? std::nullopt : work(i);
            {
                const std::scoped_lock lock(mutex);
                results[i] = std::move(result);
                done[i] = true;
            }
            ready.notify_one();
        }
    };
    for (unsigned t = 0; t < std::min<std::size_t>(threads, count); ++t)
        workers.emplace_back(run);
    for (std::size_t i = 0; i < count; ++i) {
        std::unique_lock lock(mutex);
        ready.wait(lock, [&] { return done[i]; });
        std::optional<T> result = std::move(results[i]);
        lock.unlock();
        if (!result)
            return; // the workers join here; they skip what is left
        deliver(i, std::move(*result));
    }
}

/// Keeps the strategies of the best `keep` trials of `history` and lets go of the others'.
class Kept {
public:
    Kept(SearchHistory &history, const SearchRequest &request) : m_history(history), m_request(request) {
        for (const SearchTrial &trial : history.trials)
            if (trial.strategy)
                add(trial.trial);
    }
    void add(std::uint64_t trial) {
        const auto value = [this](std::uint64_t t) {
            return valueOf(m_history.trials[static_cast<std::size_t>(t)].metrics, m_request.objective);
        };
        const auto place = std::upper_bound(m_best.begin(), m_best.end(), trial,
                                            [&](std::uint64_t a, std::uint64_t b) { return value(a) < value(b); });
        m_best.insert(place, trial);
        if (m_best.size() <= m_request.keep)
            return;
        m_history.trials[static_cast<std::size_t>(m_best.back())].strategy.reset();
        m_best.pop_back();
    }

private:
    SearchHistory &m_history;
    const SearchRequest &m_request;
    std::vector<std::uint64_t> m_best; ///< best first
};

class Search {
public:
    Search(const SearchRequest &request, SearchMethod &method, SearchObserver &observer, SearchHistory &history,
           std::stop_token stop, Progress *progress)
        : m_request(request), m_method(method), m_observer(observer), m_history(history), m_stop(std::move(stop)),
          m_progress(progress),
          m_threads(request.threads > 0 ? request.threads : std::max(1u, std::thread::hardware_concurrency())) {}

    Result<void> run() {
        if (m_progress != nullptr) {
            m_progress->total = m_request.trials;
            m_progress->done = m_history.trials.size();
        }
        runBaselines();
        Kept kept(m_history, m_request);
        const std::uint64_t size = std::max<std::size_t>(1, m_method.batchSize());
        while (m_history.trials.size() < m_request.trials && !m_stop.stop_requested())
            TRY(runBatch(m_history.trials.size() / size * size, kept));
        m_history.stopped = m_history.trials.size() < m_request.trials;
        return {};
    }

    /// Teaches the method what an earlier run of this search has tried.
    void recall() {
        const std::size_t size = std::max<std::size_t>(1, m_method.batchSize());
        for (std::size_t first = 0; first + size <= m_history.trials.size(); first += size)
            learn(first, size);
    }

private:
    void learn(std::size_t first, std::size_t size) {
        const auto begin = m_history.trials.begin() + static_cast<std::ptrdiff_t>(first);
        m_method.learn(std::vector<SearchTrial>(begin, begin + static_cast<std::ptrdiff_t>(size)));
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
                baseline.strategy = std::make_shared<const Strategy>(*std::move(strategy));
                auto evaluated = evaluate(m_request.base, baseline.strategy, m_stop);
                if (!evaluated)
                    return std::nullopt;
                baseline.metrics = evaluated->metrics;
                baseline.error = std::move(evaluated->error);
                return baseline;
            },
            [&](std::size_t, SearchBaseline &&baseline) {
                m_history.baselines.push_back(std::move(baseline));
                m_observer.baselineDone(m_history.baselines.back());
            });
    }

    /// The batch that starts at trial `first`, without those of it that are done.
    Result<void> runBatch(std::uint64_t first, Kept &kept) {
        const auto proposed = m_method.propose(first, m_stop);
        if (!proposed)
            return m_stop.stop_requested() ? Result<void>() : Unexpected(proposed.error());
        const std::uint64_t done = m_history.trials.size();
        const std::uint64_t end = std::min<std::uint64_t>(first + proposed->size(), m_request.trials);
        if (end <= done)
            return fail(fmt::format("the method {} proposed nothing for trial {}", m_method.name(), done),
                        "lower the number of trials");
        inOrder<Evaluated>(
            static_cast<std::size_t>(end - done), m_threads, m_stop,
            [&](std::size_t i) {
                return evaluate(m_request.base, (*proposed)[static_cast<std::size_t>(done - first) + i], m_stop);
            },
            [&](std::size_t i, Evaluated &&evaluated) {
                SearchTrial trial;
                trial.trial = done + i;
                trial.metrics = evaluated.metrics;
                trial.error = std::move(evaluated.error);
                trial.strategy = (*proposed)[static_cast<std::size_t>(trial.trial - first)];
                m_history.trials.push_back(std::move(trial));
                kept.add(done + i);
                m_observer.trialDone(m_history.trials.back());
                if (m_progress != nullptr)
                    m_progress->done = m_history.trials.size();
            });
        if (m_history.trials.size() == first + proposed->size())
            learn(static_cast<std::size_t>(first), proposed->size());
        return {};
    }

    const SearchRequest &m_request;
    SearchMethod &m_method;
    SearchObserver &m_observer;
    SearchHistory &m_history;
    std::stop_token m_stop;
    Progress *m_progress;
    unsigned m_threads;
};

} // namespace

std::int64_t SearchHistory::bestBaseline(SearchObjective objective) const { return bestOf(baselines, objective); }
std::int64_t SearchHistory::bestTrial(SearchObjective objective) const { return bestOf(trials, objective); }

SearchTally::SearchTally(SearchObjective objective, const std::vector<SearchBaseline> &baselines)
    : m_objective(objective), m_bestBaseline(infinity), m_bestTrial(infinity) {
    for (const SearchBaseline &baseline : baselines)
        m_bestBaseline = std::min(m_bestBaseline, valueOf(baseline.metrics, objective));
}

void SearchTally::add(const SearchTrial &trial) {
    const double value = valueOf(trial.metrics, m_objective);
    ++m_trials;
    m_hits += value < m_bestBaseline ? 1 : 0;
    m_bestTrial = std::min(m_bestTrial, value);
}

double SearchTally::hitRate() const { return m_trials > 0 ? static_cast<double>(m_hits) / static_cast<double>(m_trials) : 0; }

Result<SearchHistory> runSearch(const SearchRequest &request, SearchMethod &method, SearchObserver &observer,
                                SearchHistory history, std::stop_token stop, Progress *progress) {
    if (!request.base.job || !request.base.cluster)
        return fail("a search needs a job and a cluster", "load both");
    if (request.trials < 1 || request.trials > SearchRequest::mostTrials)
        return fail(fmt::format("a search of {} trials", request.trials), fmt::format("give 1 to {}", SearchRequest::mostTrials));
    Search search(request, method, observer, history, std::move(stop), progress);
    search.recall();
    TRY(search.run());
    return history;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/rewrite/scenario.h"
#include "engine/search/candidate.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// What a search makes small.
enum class SearchObjective : std::uint8_t {
    IterationTime,       ///< seconds of a steady iteration; with a fixed batch the same as most samples per second
    ExposedCommunication ///< seconds in which worker 0 communicates while its compute stream waits
};

/// What is searched: strategies for `base`, all else of it fixed.
struct SearchRequest {
    Scenario base; ///< its strategy is not looked at
    SearchObjective objective = SearchObjective::IterationTime;
    std::uint64_t seed = 1;
    std::uint64_t trials = 200; ///< budget B of Algorithm 1, 1 to mostTrials
    std::size_t keep = 16;      ///< of the best candidates, strategies kept whole
    unsigned threads = 0;       ///< that simulate side by side, 0 = one per core; changes nothing but the time
    static constexpr std::uint64_t mostTrials = 1'000'000;
};

/// A builder's strategy, which every trial is held against.
struct SearchBaseline {
    std::string builder; ///< "PSLoadBalancing", an expression that buildStrategy() takes
    CandidateMetrics metrics;
    std::shared_ptr<const Strategy> strategy; ///< null where it could not be built
    std::string error;                        ///< why it has no metrics, else empty
};

/// One strategy that was tried.
struct SearchTrial {
    std::uint64_t trial = 0; ///< counted from 0
    CandidateMetrics metrics;
    std::string error;                        ///< why it has no metrics, else empty
    std::shared_ptr<const Strategy> strategy; ///< of the best so far; null of others, which SearchMethod::reproduce() makes again
};

/// All that is known of a search, under way or ended: a value, from which it goes on.
struct SearchHistory {
    std::vector<SearchBaseline> baselines; ///< of all builders, in their order
    std::vector<SearchTrial> trials;       ///< trials[i].trial == i
    bool stopped = false;                  ///< before the budget was spent

    /// Index of the best of baselines or trials, -1 where none has metrics. Of equals the first.
    [[nodiscard]] std::int64_t bestBaseline(SearchObjective objective) const;
    [[nodiscard]] std::int64_t bestTrial(SearchObjective objective) const;
};

/// Figures over the trials so far, kept up to date one trial at a time. Seconds of the objective; infinite = none yet.
class SearchTally {
public:
    SearchTally(SearchObjective objective, const std::vector<SearchBaseline> &baselines);
    void add(const SearchTrial &trial);
    [[nodiscard]] std::uint64_t trials() const { return m_trials; }
    [[nodiscard]] double bestBaseline() const { return m_bestBaseline; }
    [[nodiscard]] double bestTrial() const { return m_bestTrial; }
    /// Trials better than the best baseline / trials so far (AutoDist, section 3.3); 0 before the first.
    [[nodiscard]] double hitRate() const;

private:
    SearchObjective m_objective;
    double m_bestBaseline, m_bestTrial;
    std::uint64_t m_trials = 0, m_hits = 0;
};

/// Whoever wants to see a search as it goes. Called on the thread that runs the search, one call at a time: baselines in the
/// builders' order, then trials in theirs, whichever was simulated first.
class SearchObserver {
public:
    SearchObserver() = default;
    SearchObserver(const SearchObserver &) = delete;
    SearchObserver &operator=(const SearchObserver &) = delete;
    virtual ~SearchObserver() = default;
    virtual void baselineDone(const SearchBaseline & /*baseline*/) {}
    virtual void trialDone(const SearchTrial & /*trial*/) {}
};

/// Chooses what is tried. Trials come in batches, whose borders depend on nothing but the method: a batch is proposed knowing all
/// the batches before it, so that a search stopped anywhere goes on exactly as it would have (Algorithm 1, lines 3 to 8).
class SearchMethod {
public:
    SearchMethod() = default;
    SearchMethod(const SearchMethod &) = delete;
    SearchMethod &operator=(const SearchMethod &) = delete;
    virtual ~SearchMethod() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual std::size_t batchSize() const { return 32; }
    /// The strategies of trials [first, first + batchSize()). Error: there is nothing to choose from.
    [[nodiscard]] virtual Result<std::vector<std::shared_ptr<const Strategy>>> propose(std::uint64_t first,
                                                                                       std::stop_token stop) = 0;
    /// A whole batch has been tried.
    virtual void learn(const std::vector<SearchTrial> & /*batch*/) {}
    /// The strategy of a trial of which only the number was kept.
    [[nodiscard]] virtual Result<std::shared_ptr<const Strategy>> reproduce(std::uint64_t trial) = 0;
};

/// Simulates the builders' strategies, then `method`'s proposals until the budget is spent or `stop` is requested, which takes as
/// long as a simulation takes to notice. `history` is where an earlier run of the same request was stopped, or empty.
/// Same request, same trials, bit by bit, whatever the number of threads and however often stopped and resumed. `progress`
/// counts trials. Errors: no job or cluster, a budget out of bounds, a method that cannot propose; a strategy that cannot be
/// simulated is a trial with an error.
[[nodiscard]] Result<SearchHistory> runSearch(const SearchRequest &request, SearchMethod &method, SearchObserver &observer,
                                              SearchHistory history = {}, std::stop_token stop = {},
                                              Progress *progress = nullptr);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/rewrite/scenario.h"
#include "engine/search/candidate.h"
#include "engine/search/search_method.h"
#include "engine/trial/judge.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// Objective to minimise.
enum class SearchObjective : std::uint8_t {
    IterationTime,       ///< seconds of a steady iteration; with a fixed batch the same as most samples per second
    ExposedCommunication ///< AreaStatistics::exposedSeconds of the worker that communication exposes longest
};

/// The figure that `objective` minimises, seconds; infinite where there is none.
[[nodiscard]] double objectiveOf(const CandidateMetrics &metrics, SearchObjective objective);

/// A search for a scenario that does better than `base` with any builder's strategy.
struct SearchRequest {
    Scenario base; ///< without its strategy, which is ignored
    SearchObjective objective = SearchObjective::IterationTime;
    std::uint64_t seed = 1;
    std::uint64_t trials = 200; ///< budget B of Algorithm 1, 1 to maxTrials
    unsigned threads = 0;       ///< that judge at once, 0 = one per core; never more than the judge allows
    bool judgesBuilders = true; ///< else there are no baselines
    /// A search for the shortest iteration ends after the batch that leaves at most this share to gain (atMostGain()), if its
    /// judge is deterministic. 0 = never before the budget is spent.
    double enough = 0.001;
    static constexpr std::uint64_t maxTrials = 1'000'000;
};

/// Whether a scenario equals the base in all but its strategy, which then identifies its verdict. Tuners change policies.
[[nodiscard]] bool differsInStrategyAlone(const Scenario &scenario, const Scenario &base);

/// The number of candidates judged at once: as the request asks, but never more than the judge allows.
[[nodiscard]] unsigned judgingThreads(const SearchRequest &request, const Judge &judge);

/// A builder's strategy, with which every trial is compared.
struct SearchBaseline {
    std::string builder; ///< "PSLoadBalancing", an expression that buildStrategy() takes
    CandidateMetrics metrics;
    std::shared_ptr<const Strategy> strategy; ///< null where it could not be built
    std::string error;                        ///< why it has no metrics, else empty
};

/// An entry of a search: a trial, a builder with its defaults, or one of the tuned builders, and its index among them.
struct CandidateId {
    enum class Kind : std::uint8_t { Trial, Baseline, Tuned };
    Kind kind = Kind::Trial;
    std::size_t index = 0;
    bool operator==(const CandidateId &) const = default;

    /// The number of its row in tables, which project files use for pins: a trial by its number, baseline i as -1 - i, tuned
    /// builders below all baselines.
    [[nodiscard]] static constexpr CandidateId ofRow(std::int64_t row) {
        if (row >= 0)
            return {Kind::Trial, static_cast<std::size_t>(row)};
        return row <= firstTuned ? CandidateId{Kind::Tuned, static_cast<std::size_t>(firstTuned - row)}
                                 : CandidateId{Kind::Baseline, static_cast<std::size_t>(-1 - row)};
    }
    [[nodiscard]] constexpr std::int64_t row() const {
        const auto i = static_cast<std::int64_t>(index);
        return kind == Kind::Trial ? i : kind == Kind::Baseline ? -1 - i : firstTuned - i;
    }

    static constexpr std::size_t maxBaselines = 1000;

private:
    static constexpr std::int64_t firstTuned = -1 - std::int64_t{maxBaselines}; ///< below the rows of all baselines
};

/// The state of a search, running or ended: a value, from which it can be resumed.
struct SearchHistory {
    std::vector<SearchBaseline> baselines; ///< of all builders, in their order
    /// trials[i].trial == i, except in past searches of a project file, whose trials have gaps in their numbers.
    std::vector<SearchTrial> trials;
    bool stopped = false;            ///< before the budget was spent, or enough was gained
    bool enough = false;             ///< ended before the budget was spent: SearchRequest::enough, by the bound
    std::vector<SearchPhase> phases; ///< SearchMethod::phases(), made anew when a search is resumed

    /// Index of the best of baselines or trials, -1 where none has metrics. Of equals the first.
    [[nodiscard]] std::int64_t bestBaseline(SearchObjective objective) const;
    [[nodiscard]] std::int64_t bestTrial(SearchObjective objective) const;
    /// The best of both; a builder with its defaults wins where no trial beats it.
    [[nodiscard]] std::optional<CandidateId> best(SearchObjective objective) const;
};

/// Figures over the trials so far, kept up to date one trial at a time. Seconds of the objective; infinite = none yet.
class SearchTally {
public:
    SearchTally(SearchObjective objective, const std::vector<SearchBaseline> &baselines);
    void add(const SearchTrial &trial);
    [[nodiscard]] std::uint64_t trials() const { return m_trials; }
    [[nodiscard]] double bestBaseline() const { return m_bestBaseline; }
    [[nodiscard]] double bestTrial() const { return m_bestTrial; }
    /// Iteration time of the trial that is best by the objective, seconds; NaN before the first.
    [[nodiscard]] double bestIterationSeconds() const { return m_bestIterationSeconds; }
    /// Trials better than the best baseline / trials so far (AutoDist, section 3.3); 0 before the first.
    [[nodiscard]] double hitRate() const;

private:
    SearchObjective m_objective;
    double m_bestBaseline, m_bestTrial, m_bestIterationSeconds;
    std::uint64_t m_trials = 0, m_hits = 0;
};

/// The best candidate of a search.
struct BestCandidate {
    std::string from; ///< "trial 17", "AllReduce"
    CandidateMetrics metrics;
    std::shared_ptr<const Strategy> strategy;
    std::string explanation; ///< SearchMethod::explain() of a trial
};
/// The best of all trials and baselines; a builder's strategy wins where no trial beats it. `method` is that of the search.
/// Errors: no candidate could be judged.
[[nodiscard]] Result<BestCandidate> bestCandidate(const SearchHistory &history, SearchObjective objective,
                                                  const SearchMethod &method);

/// The largest share by which the iteration of the best baseline or trial can still be shortened: its distance from
/// computeBoundSeconds(). NaN where there is none, or another objective.
[[nodiscard]] double atMostGain(const SearchRequest &request, const SearchHistory &history);

/// Receives baselines and trials while a search runs. Called on the thread that runs the search, one call at a time: baselines in
/// the builders' order, then trials in theirs, whatever the order of judging.
class SearchObserver {
public:
    SearchObserver() = default;
    SearchObserver(const SearchObserver &) = delete;
    SearchObserver &operator=(const SearchObserver &) = delete;
    virtual ~SearchObserver() = default;
    virtual void baselineDone(const SearchBaseline & /*baseline*/) {}
    virtual void trialDone(const SearchTrial & /*trial*/) {}
    virtual void phaseDone(const SearchPhase & /*phase*/) {} ///< of a method that ranks its proposals, after its trials
};

/// Judges the builders' strategies, then the trials of `method` until the budget is spent, enough is gained, it returns an empty
/// batch (nothing is left to try), or `stop` is requested. Ends as soon as the judge answers the request. A deterministic
/// judge judges no strategy twice. `history` is that of an earlier, stopped run of the same request, or empty. With a
/// deterministic judge the same request gives the same trials, bit by bit, for any number of threads and however often it is
/// stopped and resumed. `progress` counts trials. Errors: no job or cluster, a budget out of bounds, a batch of a resumed search
/// that comes up short. A candidate that cannot be decoded or judged is a trial with an error.
[[nodiscard]] Result<SearchHistory> runSearch(const SearchRequest &request, SearchMethod &method, Judge &judge,
                                              SearchObserver &observer, SearchHistory history = {}, std::stop_token stop = {},
                                              Progress *progress = nullptr);

} // namespace syncopate

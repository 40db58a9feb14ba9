// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/tuned_baselines.h"
#include "engine/session/search_state.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace syncopate::ui {

/// Runs a search on a worker thread and reports its results about 20 times a second. Meanwhile the builders are tuned on one
/// thread, so that there is a fair bar; they and the lower bound arrive a little later. One search at a time; its history stays
/// until the next one starts. Two requests end a run: stop(), after which its last results still arrive, and a newer start() or
/// restore(), after which nothing of it arrives any more.
class Searcher final : public QObject {
    Q_OBJECT
public:
    enum class Status : std::uint8_t {
        Idle, ///< none yet
        Running,
        Stopped, ///< before the budget was spent; resume() continues
        Done,    ///< the budget is spent, or nothing is left to gain or to try
        Failed,  ///< error() says why
    };

    explicit Searcher(QObject *parent = nullptr) : QObject(parent) {}

    /// `pins` belong to the search that this one replaces, which is kept with them.
    void start(const SearchPlan &plan, const std::set<std::int64_t> &pins = {});
    /// Ends as soon as the judge reacts to the request; the results stay.
    void stop();
    /// Continues with the same seed, exactly as if it had not been stopped.
    void resume();
    /// Restores a saved search, stopped or done, and those before it; null clears the current one.
    void restore(const std::shared_ptr<const SearchState> &search, PastSearches past = {});
    /// The current search as a project keeps it, without pins; null: there is none.
    [[nodiscard]] std::shared_ptr<SearchState> state() const;
    /// The searches that newer ones replaced.
    [[nodiscard]] const PastSearches &past() const { return m_past; }

    [[nodiscard]] Status status() const { return m_status; }
    [[nodiscard]] bool isStopping() const { return m_status == Status::Running && m_stop.stop_requested(); }
    [[nodiscard]] const std::optional<SearchPlan> &plan() const { return m_plan; }
    [[nodiscard]] const SearchHistory &history() const { return m_history; }
    /// Decodes trials and knows their source; null until the search is prepared.
    [[nodiscard]] const std::shared_ptr<const SearchMethod> &method() const { return m_method; }
    /// The builders whose tuned arguments beat their defaults, once known; only for deterministic judges.
    [[nodiscard]] const std::vector<TunedBaseline> &tuned() const { return m_tuned; }
    [[nodiscard]] bool isTuning() const { return m_tuning == Tuning::Running; } ///< tuning is in progress
    [[nodiscard]] bool isTuned() const { return m_tuning == Tuning::Done; }     ///< tuning has ended
    /// The best tuned builder by the objective, if it beats every builder's defaults.
    [[nodiscard]] std::optional<CandidateId> bestTuned() const;
    /// Share of the trials that beat it; NaN if there is none.
    [[nodiscard]] double hitRateAgainstTuned() const;
    /// No synchronous strategy has a shorter iteration; 0 = not known, or another objective.
    [[nodiscard]] double boundSeconds() const { return m_boundSeconds; }
    [[nodiscard]] const CandidateMetrics &metricsOf(CandidateId id) const;
    /// Why it has no times; empty if it has.
    [[nodiscard]] std::string errorOf(CandidateId id) const;
    /// The rule behind the strategy, in the method's words; empty for builders, and until the method is known.
    [[nodiscard]] std::string explanation(CandidateId id) const;
    /// Hit rate after each trial, 0 to 1.
    [[nodiscard]] const std::vector<double> &hitRates() const { return m_hitRates; }
    [[nodiscard]] const SearchTally &tally() const { return m_tally; }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    /// Trials judged per second since the builders' strategies were, or since it was resumed; 0 = not known yet.
    [[nodiscard]] double trialsPerSecond() const;
    /// Seconds until the budget is spent at that rate, negative = not known.
    [[nodiscard]] double secondsLeft() const;
    /// The figure that the objective minimises, NaN if there is no verdict.
    [[nodiscard]] double valueOf(const CandidateMetrics &metrics) const;

    /// Decodes the strategy of a trial and passes it to strategyReady(), the same one each time; null for builders, which their
    /// expression makes. The newest request wins. Trials of a method or judge that this program does not know end in
    /// strategyFailed().
    void requestStrategy(CandidateId candidate, Side side);

Q_SIGNALS:
    void statusChanged();
    /// Another history took its place: rows of the former one are to go. progressed(0, 0) tells of those that it has already.
    void cleared();
    /// Baselines from `firstBaseline` on and trials from `firstTrial` on are new.
    void progressed(std::size_t firstBaseline, std::size_t firstTrial);
    /// tuned(), boundSeconds() or explanations have become known.
    void levelsChanged();
    void strategyReady(syncopate::CandidateId candidate, syncopate::Side side,
                       const std::shared_ptr<const syncopate::Strategy> &strategy);
    void strategyFailed(const syncopate::Error &error);

private:
    /// The parts of a search that views need.
    struct Prepared {
        std::shared_ptr<const SearchMethod> method;
        double boundSeconds = 0;
    };
    [[nodiscard]] static Prepared prepared(const PlannedSearch &planned);
    /// Results since the previous batch.
    struct Batch {
        std::vector<SearchBaseline> baselines;
        std::vector<SearchTrial> trials;
        std::vector<SearchPhase> phases;
        std::optional<Prepared> prepared;
        std::optional<Error> error;
        bool ended = false;
        bool stopped = false, enough = false; ///< as in SearchHistory, once the search ended
    };
    class Reporter;
    struct Tuned {
        bool judged = false; ///< false: nothing was tuned
        std::vector<TunedBaseline> baselines;
    };
    /// A decoded strategy, and the candidate and side it is for.
    struct Found {
        CandidateId candidate;
        Side side = Side::A;
        Result<std::shared_ptr<const Strategy>> strategy;
    };
    void clear();
    void run(SearchHistory from);
    void tune();
    void take(const Batch &batch);
    void take(const Prepared &prepared);
    void take(const Found &found);
    void takePhases(const std::vector<SearchPhase> &phases);
    void setStatus(Status status);

    Status m_status = Status::Idle;
    std::optional<SearchPlan> m_plan;
    SearchHistory m_history;
    PastSearches m_past;
    SearchTally m_tally{SearchObjective::IterationTime, {}};
    std::vector<double> m_hitRates;
    std::optional<Error> m_error;
    std::vector<TunedBaseline> m_tuned;
    /// By trial, once it was requested: put on a side again it is the same one, so that nothing changes.
    std::map<std::size_t, std::shared_ptr<const Strategy>> m_strategies;
    enum class Tuning : std::uint8_t { None, Running, Done } m_tuning = Tuning::None;
    double m_boundSeconds = 0;
    std::shared_ptr<const SearchMethod> m_method; ///< the present search's, once it is prepared
    std::stop_source m_stop;                      ///< set by stop(), for the present run
    std::size_t m_trialsAtStart = 0;
    std::chrono::steady_clock::time_point m_startedAt, m_lastAt;
    // Last: their threads end before the members that they report to are destroyed.
    Background<Found> m_lookup{this, [this](const Found &found) { take(found); }};
    Background<Prepared> m_preparer{this, [this](const Prepared &prepared) { take(prepared); }};
    Background<Tuned> m_tuner{this, [this](const Tuned &tuned) {
                                  m_tuned = tuned.baselines;
                                  m_tuning = tuned.judged ? Tuning::Done : Tuning::None;
                                  Q_EMIT levelsChanged();
                              }};
    Background<Batch> m_worker{this, [this](const Batch &batch) { take(batch); }};
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/search_state.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace syncopate::ui {

/// Runs a search on a thread of its own and reports its results about 20 times a second. One search at a time; its history stays
/// until the next one starts. Two requests end a run: stop(), after which its last results still come, and a newer start() or
/// restore(), after which nothing of it comes any more.
class Searcher final : public QObject {
    Q_OBJECT
public:
    enum class Status : std::uint8_t {
        Idle, ///< none yet
        Running,
        Stopped, ///< before the budget was spent; resume() goes on
        Done,
        Failed, ///< error() says why
    };

    explicit Searcher(QObject *parent = nullptr) : QObject(parent) {}

    void start(const SearchPlan &plan);
    /// Ends as soon as the judge answers the request; the results stay.
    void stop();
    /// Goes on with the same seed, exactly as if it had not been stopped.
    void resume();
    /// Restores a saved search, stopped or done; null clears the current one.
    void restore(const std::shared_ptr<const SearchState> &search);

    [[nodiscard]] Status status() const { return m_status; }
    [[nodiscard]] bool isStopping() const { return m_status == Status::Running && m_stop.stop_requested(); }
    [[nodiscard]] const std::optional<SearchPlan> &plan() const { return m_plan; }
    [[nodiscard]] const SearchHistory &history() const { return m_history; }
    /// Hit rate after each trial, 0 to 1.
    [[nodiscard]] const std::vector<double> &hitRates() const { return m_hitRates; }
    [[nodiscard]] const SearchTally &tally() const { return m_tally; }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    /// Trials judged in a second since it was started or resumed, 0 = not known yet.
    [[nodiscard]] double trialsPerSecond() const;
    /// Seconds until the budget is spent at that rate, negative = not known.
    [[nodiscard]] double secondsLeft() const;
    /// The figure that the objective minimises, NaN where there is no verdict.
    [[nodiscard]] double valueOf(const CandidateMetrics &metrics) const;

    /// Decodes the strategy of a trial, or takes that of baseline -1 - `candidate`, and hands it to strategyReady(). Newest wins.
    void requestStrategy(std::int64_t candidate, Side side);

Q_SIGNALS:
    void statusChanged();
    /// The history is another one: empty.
    void cleared();
    /// Baselines from `firstBaseline` on and trials from `firstTrial` on are new.
    void progressed(std::size_t firstBaseline, std::size_t firstTrial);
    void strategyReady(std::int64_t candidate, syncopate::Side side, const std::shared_ptr<const syncopate::Strategy> &strategy);

private:
    /// Results that came since the last ones.
    struct Batch {
        std::vector<SearchBaseline> baselines;
        std::vector<SearchTrial> trials;
        std::shared_ptr<const SearchMethod> method;
        std::optional<Error> error;
        bool ended = false;
    };
    class Reporter;
    /// A strategy that was looked up, and for which candidate and side.
    struct Found {
        std::int64_t candidate = 0;
        Side side = Side::A;
        std::shared_ptr<const Strategy> strategy;
    };
    void run(SearchHistory from);
    void take(const Batch &batch);
    void setStatus(Status status);

    Status m_status = Status::Idle;
    std::optional<SearchPlan> m_plan;
    SearchHistory m_history;
    SearchTally m_tally{SearchObjective::IterationTime, {}};
    std::vector<double> m_hitRates;
    std::optional<Error> m_error;
    std::shared_ptr<const SearchMethod> m_method; ///< of the present search once it runs; null of a restored one
    std::stop_source m_stop;                      ///< stop(): of the present run
    std::size_t m_trialsAtStart = 0;
    std::chrono::steady_clock::time_point m_startedAt, m_lastAt;
    // Last: their threads end before the members that they report to are destroyed.
    Background<Found> m_lookup{this,
                               [this](const Found &found) { Q_EMIT strategyReady(found.candidate, found.side, found.strategy); }};
    Background<Batch> m_worker{this, [this](const Batch &batch) { take(batch); }};
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/searcher.h"

#include <cmath>
#include <utility>

namespace syncopate::ui {

/// Gathers the results of a run and posts them together, at most once per interval.
class Searcher::Reporter final : public SearchObserver {
public:
    Reporter(Batch &batch, const Background<Batch>::Post &post) : m_batch(batch), m_post(post) {}
    void baselineDone(const SearchBaseline &baseline) override {
        m_batch.baselines.push_back(baseline);
        report();
    }
    void trialDone(const SearchTrial &trial) override {
        m_batch.trials.push_back(trial);
        report();
    }

private:
    void report() {
        constexpr auto interval = std::chrono::milliseconds(50);
        const auto now = std::chrono::steady_clock::now();
        if (now - m_last < interval)
            return;
        m_last = now;
        m_post(std::exchange(m_batch, {}));
    }
    Batch &m_batch;
    const Background<Batch>::Post &m_post;
    std::chrono::steady_clock::time_point m_last;
};

void Searcher::start(const SearchPlan &plan) {
    m_lookup.cancel(); // the new search has other trials
    m_plan = plan;
    m_history = {};
    m_hitRates.clear();
    m_tally = SearchTally(plan.objective, {});
    m_method.reset();
    m_error.reset();
    Q_EMIT cleared();
    run({});
}

void Searcher::stop() {
    if (m_status != Status::Running || m_stop.stop_requested())
        return;
    m_stop.request_stop();
    Q_EMIT statusChanged();
}

void Searcher::resume() {
    if (m_status == Status::Stopped)
        run(m_history);
}

void Searcher::restore(const std::shared_ptr<const SearchState> &search) {
    m_worker.cancel();
    m_lookup.cancel();
    m_plan.reset();
    m_history = {};
    m_hitRates.clear();
    m_method.reset();
    m_error.reset();
    if (search) {
        m_plan = search->plan;
        m_history = search->history;
    }
    m_tally = SearchTally(m_plan ? m_plan->objective : SearchObjective::IterationTime, m_history.baselines);
    for (const SearchTrial &trial : m_history.trials) {
        m_tally.add(trial);
        m_hitRates.push_back(m_tally.hitRate());
    }
    m_trialsAtStart = m_history.trials.size();
    m_startedAt = m_lastAt = {};
    m_status = !search ? Status::Idle : m_history.stopped ? Status::Stopped : Status::Done;
    Q_EMIT cleared();
    if (search)
        Q_EMIT progressed(0, 0);
    Q_EMIT statusChanged();
}

void Searcher::run(SearchHistory from) {
    m_stop = std::stop_source();
    m_trialsAtStart = m_history.trials.size();
    m_startedAt = m_lastAt = std::chrono::steady_clock::now();
    setStatus(Status::Running);
    m_worker.start([plan = *m_plan, from = std::move(from), stopped = m_stop](const std::stop_token &stop, const auto &post) {
        // Replaced by another run, it ends as if it were stopped; its results are dropped.
        const std::stop_callback replaced(stop, [stopped] { stopped.request_stop(); });
        Batch batch;
        const auto work = [&]() -> Result<void> {
            auto planned = TRY(planSearch(plan));
            batch.method = planned.method;
            Reporter reporter(batch, post);
            TRY(runSearch(planned.request, *planned.method, *planned.judge, reporter, from, stopped.get_token()));
            return {};
        };
        if (const auto done = work(); !done)
            batch.error = done.error();
        batch.ended = true;
        post(std::move(batch));
    });
}

void Searcher::take(const Batch &batch) {
    if (batch.method)
        m_method = batch.method;
    const std::size_t firstBaseline = m_history.baselines.size(), firstTrial = m_history.trials.size();
    m_lastAt = std::chrono::steady_clock::now();
    if (!batch.baselines.empty()) {
        m_history.baselines.insert(m_history.baselines.end(), batch.baselines.begin(), batch.baselines.end());
        m_tally = SearchTally(m_plan->objective, m_history.baselines); // all come before the first trial
    }
    for (const SearchTrial &trial : batch.trials) {
        m_tally.add(trial);
        m_hitRates.push_back(m_tally.hitRate());
        m_history.trials.push_back(trial);
    }
    if (firstBaseline < m_history.baselines.size() || firstTrial < m_history.trials.size())
        Q_EMIT progressed(firstBaseline, firstTrial);
    if (!batch.ended)
        return;
    m_error = batch.error;
    m_history.stopped = m_history.trials.size() < m_plan->trials;
    setStatus(m_error ? Status::Failed : m_history.stopped ? Status::Stopped : Status::Done);
}

void Searcher::setStatus(Status status) {
    m_status = status;
    Q_EMIT statusChanged();
}

double Searcher::trialsPerSecond() const {
    const double seconds = std::chrono::duration<double>(m_lastAt - m_startedAt).count();
    const auto done = static_cast<double>(m_history.trials.size() - m_trialsAtStart);
    return seconds > 0 ? done / seconds : 0;
}

double Searcher::secondsLeft() const {
    const double rate = trialsPerSecond();
    return rate > 0 ? static_cast<double>(m_plan->trials - m_history.trials.size()) / rate : -1;
}

double Searcher::valueOf(const CandidateMetrics &metrics) const {
    return m_plan && m_plan->objective == SearchObjective::ExposedCommunication ? metrics.exposedSeconds
                                                                                : metrics.iterationSeconds;
}

void Searcher::requestStrategy(std::int64_t candidate, Side side) {
    const auto index = static_cast<std::size_t>(candidate < 0 ? -1 - candidate : candidate);
    if (index >= (candidate < 0 ? m_history.baselines.size() : m_history.trials.size()))
        return;
    if (candidate < 0) {
        if (const auto &built = m_history.baselines[index].strategy) // null: the builder could not build it
            Q_EMIT strategyReady(candidate, side, built);
        return;
    }
    m_lookup.start([candidate, side, genes = m_history.trials[index].genes, plan = *m_plan,
                    method = m_method](const std::stop_token &, const auto &post) {
        auto decoder = method;
        if (!decoder) {
            auto planned = planSearch(plan);
            if (!planned)
                return;
            decoder = std::move(planned->method);
        }
        if (const auto decoded = decoder->decode(genes))
            post(Found{candidate, side, decoded->strategy});
    });
}

} // namespace syncopate::ui

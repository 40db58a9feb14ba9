// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/searcher.h"

#include <cmath>
#include <mutex>
#include <utility>

namespace syncopate::ui {

/// Results of the search's thread that the GUI thread has not yet taken.
struct Searcher::Mailbox {
    std::mutex mutex;
    std::vector<SearchBaseline> baselines;
    std::vector<SearchTrial> trials;
    std::shared_ptr<const SearchMethod> method;
    std::optional<Error> error;
    bool ended = false;
};

namespace {

constexpr auto reportInterval = std::chrono::milliseconds(50);

/// Puts results into a mailbox and rings, at most once per reportInterval.
template <class Mailbox> class Poster final : public SearchObserver {
public:
    Poster(Mailbox &mailbox, std::function<void()> ring) : m_mailbox(mailbox), m_ring(std::move(ring)) {}
    void baselineDone(const SearchBaseline &baseline) override {
        {
            const std::scoped_lock lock(m_mailbox.mutex);
            m_mailbox.baselines.push_back(baseline);
        }
        ring();
    }
    void trialDone(const SearchTrial &trial) override {
        {
            const std::scoped_lock lock(m_mailbox.mutex);
            m_mailbox.trials.push_back(trial);
        }
        ring();
    }

private:
    void ring() {
        const auto now = std::chrono::steady_clock::now();
        if (now - m_last < reportInterval)
            return;
        m_last = now;
        m_ring();
    }
    Mailbox &m_mailbox;
    std::function<void()> m_ring;
    std::chrono::steady_clock::time_point m_last;
};

} // namespace

Searcher::~Searcher() { m_stop.request_stop(); }

void Searcher::start(const SearchPlan &plan) {
    m_stop.request_stop(); // a running search ends, and its results are ignored
    ++m_search;
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
    m_stop.request_stop();
    ++m_search;
    ++m_generation;
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
    const std::uint64_t generation = ++m_generation;
    m_stop = std::stop_source();
    m_trialsAtStart = m_history.trials.size();
    m_startedAt = m_lastAt = std::chrono::steady_clock::now();
    setStatus(Status::Running);
    auto mailbox = std::make_shared<Mailbox>();
    const auto ring = [this, generation, mailbox] {
        QMetaObject::invokeMethod(
            this,
            [this, generation, mailbox] {
                if (generation == m_generation)
                    take(mailbox);
            },
            Qt::QueuedConnection);
    };
    m_worker.post([plan = *m_plan, from = std::move(from), stop = m_stop.get_token(), mailbox, ring](const std::stop_token &) {
        const auto work = [&]() -> Result<void> {
            auto planned = TRY(planSearch(plan));
            {
                const std::scoped_lock lock(mailbox->mutex);
                mailbox->method = planned.method;
            }
            Poster<Mailbox> poster(*mailbox, ring);
            TRY(runSearch(planned.request, *planned.method, *planned.judge, poster, from, stop));
            return {};
        };
        const auto done = work();
        {
            const std::scoped_lock lock(mailbox->mutex);
            mailbox->ended = true;
            if (!done)
                mailbox->error = done.error();
        }
        ring();
    });
}

void Searcher::take(const std::shared_ptr<Mailbox> &mailbox) {
    std::vector<SearchBaseline> baselines;
    std::vector<SearchTrial> trials;
    bool ended = false;
    {
        const std::scoped_lock lock(mailbox->mutex);
        baselines = std::exchange(mailbox->baselines, {});
        trials = std::exchange(mailbox->trials, {});
        ended = mailbox->ended;
        m_error = mailbox->error;
        if (mailbox->method)
            m_method = mailbox->method;
    }
    const std::size_t firstBaseline = m_history.baselines.size(), firstTrial = m_history.trials.size();
    m_lastAt = std::chrono::steady_clock::now();
    if (!baselines.empty()) {
        m_history.baselines.insert(m_history.baselines.end(), std::make_move_iterator(baselines.begin()),
                                   std::make_move_iterator(baselines.end()));
        m_tally = SearchTally(m_plan->objective, m_history.baselines); // all come before the first trial
    }
    for (SearchTrial &trial : trials) {
        m_tally.add(trial);
        m_hitRates.push_back(m_tally.hitRate());
        m_history.trials.push_back(std::move(trial));
    }
    if (firstBaseline < m_history.baselines.size() || firstTrial < m_history.trials.size())
        Q_EMIT progressed(firstBaseline, firstTrial);
    if (!ended)
        return;
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
    m_lookup.post([this, candidate, side, genes = m_history.trials[index].genes, plan = *m_plan, method = m_method,
                   search = m_search](const std::stop_token &) mutable {
        if (!method) {
            auto planned = planSearch(plan);
            if (!planned)
                return;
            method = std::move(planned->method);
        }
        const auto decoded = method->decode(genes);
        if (!decoded)
            return;
        QMetaObject::invokeMethod(
            this,
            [this, candidate, side, search, strategy = decoded->strategy] {
                if (search == m_search) // a newer search has other trials
                    Q_EMIT strategyReady(candidate, side, strategy);
            },
            Qt::QueuedConnection);
    });
}

} // namespace syncopate::ui

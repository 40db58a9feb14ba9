// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/searcher.h"

#include "ui/tasks/throttle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace syncopate::ui {

/// Collects the results of a run and posts them together, at most once per interval.
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
    void phaseDone(const SearchPhase &phase) override { m_batch.phases.push_back(phase); }

private:
    void report() {
        if (m_throttle.isDue())
            m_post(std::exchange(m_batch, {}));
    }
    Batch &m_batch;
    const Background<Batch>::Post &m_post;
    Throttle m_throttle;
};

void Searcher::clear() {
    m_lookup.cancel(); // the lookup was for earlier trials
    m_preparer.cancel();
    m_tuner.cancel();
    m_tuning = Tuning::None;
    m_history = {};
    m_hitRates.clear();
    m_tuned.clear();
    m_strategies.clear();
    m_boundSeconds = 0;
    m_method.reset();
    m_error.reset();
}

std::shared_ptr<SearchState> Searcher::state() const {
    if (!m_plan)
        return nullptr;
    auto state = std::make_shared<SearchState>(SearchState{*m_plan, m_history, {}, m_tuned, isTuned(), m_boundSeconds});
    state->history.stopped = m_status != Status::Done; // one that is running can be resumed from here
    return state;
}

void Searcher::start(const SearchPlan &plan, const std::set<std::int64_t> &pins) {
    m_worker.cancel();
    const auto replaced = state();
    if (replaced)
        replaced->pins = pins;
    m_past = withSearch(std::move(m_past), replaced);
    clear();
    m_plan = plan;
    m_tally = SearchTally(plan.objective, {});
    Q_EMIT cleared();
    run({});
}

void Searcher::stop() {
    if (m_status != Status::Running || m_stop.stop_requested())
        return;
    m_stop.request_stop();
    m_tuner.cancel();
    if (m_tuning == Tuning::Running)
        m_tuning = Tuning::None;
    Q_EMIT statusChanged();
}

void Searcher::resume() {
    if (m_status == Status::Stopped)
        run(m_history);
}

void Searcher::restore(const std::shared_ptr<const SearchState> &search, PastSearches past) {
    m_worker.cancel();
    clear();
    m_past = std::move(past);
    m_plan.reset();
    if (search) {
        m_plan = search->plan;
        m_history = search->history;
        m_tuned = search->tuned;
        m_tuning = search->isTuned ? Tuning::Done : Tuning::None;
        m_boundSeconds = search->boundSeconds;
        m_preparer.start([plan = *m_plan](const std::stop_token &, const auto &post) {
            if (const auto planned = planSearch(plan))
                post(prepared(*planned));
        });
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
    if (search) {
        Q_EMIT progressed(0, 0);
        Q_EMIT levelsChanged();
    }
    Q_EMIT statusChanged();
}

void Searcher::run(SearchHistory from) {
    m_stop = std::stop_source();
    m_trialsAtStart = m_history.trials.size();
    m_startedAt = m_lastAt = std::chrono::steady_clock::now();
    setStatus(Status::Running);
    if (m_tuning == Tuning::None)
        tune();
    m_worker.start([plan = *m_plan, from = std::move(from), stopped = m_stop](const std::stop_token &stop, const auto &post) {
        // A run that is replaced ends as if it were stopped; its results are dropped.
        const std::stop_callback replaced(stop, [stopped] { stopped.request_stop(); });
        Batch batch;
        const auto work = [&]() -> Result<void> {
            auto planned = TRY(planSearch(plan));
            batch.prepared = prepared(planned);
            Reporter reporter(batch, post);
            const SearchHistory history =
                TRY(runSearch(planned.request, *planned.method, *planned.judge, reporter, from, stopped.get_token()));
            batch.stopped = history.stopped;
            batch.enough = history.enough;
            return {};
        };
        if (const auto done = work(); !done)
            batch.error = done.error();
        batch.ended = true;
        post(std::move(batch));
    });
}

Searcher::Prepared Searcher::prepared(const PlannedSearch &planned) {
    const bool bounded = planned.request.objective == SearchObjective::IterationTime;
    return {planned.method, bounded ? computeBoundSeconds(planned.request.base) : 0};
}

void Searcher::tune() {
    m_tuning = Tuning::Running;
    m_tuner.start([plan = *m_plan](const std::stop_token &stop, const auto &post) {
        auto planned = planSearch(plan);
        if (!planned || !planned->judge->isDeterministic()) { // each of some fifty arguments would take a run of its own
            post(Tuned{});
            return;
        }
        planned->request.threads = 1; // the search uses the other cores
        auto tuned = tuneBaselines(planned->request, *planned->judge, stop);
        if (!tuned) {
            post(Tuned{});
            return;
        }
        std::erase_if(*tuned, [](const TunedBaseline &own) { return own.expression == own.builder; }); // already a baseline
        post(Tuned{true, *std::move(tuned)});
    });
}

void Searcher::take(const Prepared &prepared) {
    m_method = prepared.method;
    m_boundSeconds = prepared.boundSeconds;
    Q_EMIT levelsChanged();
}

void Searcher::take(const Found &found) {
    if (!found.strategy) {
        Q_EMIT strategyFailed(found.strategy.error());
        return;
    }
    m_strategies[found.candidate.index] = *found.strategy; // only trials are looked up
    Q_EMIT strategyReady(found.candidate, found.side, *found.strategy);
}

void Searcher::take(const Batch &batch) {
    if (batch.prepared)
        take(*batch.prepared);
    const std::size_t firstBaseline = m_history.baselines.size(), firstTrial = m_history.trials.size();
    m_lastAt = std::chrono::steady_clock::now();
    if (!batch.baselines.empty()) {
        m_history.baselines.insert(m_history.baselines.end(), batch.baselines.begin(), batch.baselines.end());
        m_tally = SearchTally(m_plan->objective, m_history.baselines); // all baselines come before the first trial
    }
    for (const SearchTrial &trial : batch.trials) {
        m_tally.add(trial);
        m_hitRates.push_back(m_tally.hitRate());
        m_history.trials.push_back(trial);
    }
    if (!batch.baselines.empty()) { // only now the time is the trials' alone
        m_startedAt = m_lastAt;
        m_trialsAtStart = m_history.trials.size();
    }
    takePhases(batch.phases);
    if (firstBaseline < m_history.baselines.size() || firstTrial < m_history.trials.size() || !batch.phases.empty())
        Q_EMIT progressed(firstBaseline, firstTrial);
    if (!batch.ended)
        return;
    m_error = batch.error;
    m_history.stopped = batch.stopped;
    m_history.enough = batch.enough;
    setStatus(m_error ? Status::Failed : m_history.stopped ? Status::Stopped : Status::Done);
}

void Searcher::takePhases(const std::vector<SearchPhase> &phases) {
    // A resumed search measures the earlier batches once more, without their proposals.
    for (const SearchPhase &phase : phases)
        if (m_history.phases.empty() || m_history.phases.back().firstTrial < phase.firstTrial)
            m_history.phases.push_back(phase);
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

std::optional<CandidateId> Searcher::bestTuned() const {
    if (m_tuned.empty() || !m_plan)
        return std::nullopt;
    const auto best = std::min_element(m_tuned.begin(), m_tuned.end(), [this](const TunedBaseline &a, const TunedBaseline &b) {
        return objectiveOf(a.metrics, m_plan->objective) < objectiveOf(b.metrics, m_plan->objective);
    });
    if (!(objectiveOf(best->metrics, m_plan->objective) < m_tally.bestBaseline()))
        return std::nullopt;
    return CandidateId{CandidateId::Kind::Tuned, static_cast<std::size_t>(best - m_tuned.begin())};
}

double Searcher::hitRateAgainstTuned() const {
    const auto best = bestTuned();
    if (!best || m_history.trials.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const double bar = objectiveOf(metricsOf(*best), m_plan->objective);
    const auto hits = std::count_if(m_history.trials.begin(), m_history.trials.end(), [&](const SearchTrial &trial) {
        return objectiveOf(trial.metrics, m_plan->objective) < bar;
    });
    return static_cast<double>(hits) / static_cast<double>(m_history.trials.size());
}

const CandidateMetrics &Searcher::metricsOf(CandidateId id) const {
    switch (id.kind) {
    case CandidateId::Kind::Trial:
        return m_history.trials[id.index].metrics;
    case CandidateId::Kind::Baseline:
        return m_history.baselines[id.index].metrics;
    case CandidateId::Kind::Tuned:
        break;
    }
    return m_tuned[id.index].metrics;
}

std::string Searcher::errorOf(CandidateId id) const {
    switch (id.kind) {
    case CandidateId::Kind::Trial:
        return m_history.trials[id.index].error;
    case CandidateId::Kind::Baseline:
        return m_history.baselines[id.index].error;
    case CandidateId::Kind::Tuned:
        break;
    }
    return {};
}

std::string Searcher::explanation(CandidateId id) const {
    return m_method && id.kind == CandidateId::Kind::Trial ? m_method->explain(m_history.trials[id.index].genes) : std::string();
}

void Searcher::requestStrategy(CandidateId candidate, Side side) {
    const std::size_t index = candidate.index;
    m_lookup.cancel(); // an earlier request, which would be answered after this one
    if (candidate.kind != CandidateId::Kind::Trial) {
        const bool known = candidate.kind == CandidateId::Kind::Tuned
                               ? index < m_tuned.size()
                               : index < m_history.baselines.size() && m_history.baselines[index].strategy != nullptr;
        if (known)
            Q_EMIT strategyReady(candidate, side, nullptr);
        return;
    }
    if (index >= m_history.trials.size())
        return;
    if (const auto known = m_strategies.find(index); known != m_strategies.end()) {
        const std::shared_ptr<const Strategy> strategy = known->second; // a slot may start another search
        Q_EMIT strategyReady(candidate, side, strategy);
        return;
    }
    m_lookup.start([candidate, side, genes = m_history.trials[index].genes, plan = *m_plan,
                    method = m_method](const std::stop_token &, const auto &post) {
        const auto strategy = [&]() -> Result<std::shared_ptr<const Strategy>> {
            const std::shared_ptr<const SearchMethod> decoder = method ? method : TRY(planSearch(plan)).method;
            return TRY(decoder->decode(genes)).strategy;
        };
        post(Found{candidate, side, strategy()});
    });
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the search's lines: its progress, the worth of the best candidate, and whether it belongs to the shown job.
#include "engine/strategy/builders.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/run_text.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/searcher.h"
#include "ui/session/simulate_side.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>

namespace syncopate::ui {

QString SearchPreset::staleness() const {
    if (!m_searcher.plan())
        return {};
    const SessionState &searched = m_searcher.plan()->state, &present = m_session.state();
    if (!isOfPresentJob())
        return tr("of another job; start again to search this one");
    SessionState same = present;
    same.job = searched.job; // it may have been opened again, from its profile
    same.profile = searched.profile;
    same.side(Side::A).source = searched.side(Side::A).source;
    same.side(Side::A).policy = searched.side(Side::A).policy;
    return searched.sameScenario(same, Side::A) ? QString() : tr("judged before the knobs were turned");
}

double SearchPreset::leftToGain() const {
    const SearchTally &tally = m_searcher.tally();
    return std::max(0.0, 1 - m_searcher.boundSeconds() / std::min(tally.bestTrial(), tally.bestBaseline()));
}

QString SearchPreset::stateText() const {
    const auto done = static_cast<qulonglong>(m_searcher.history().trials.size());
    const auto budget = static_cast<qulonglong>(m_searcher.plan() ? m_searcher.plan()->trials : 0);
    switch (m_searcher.status()) {
    case Searcher::Status::Running:
        if (m_searcher.isStopping())
            return tr("stopping at %1 of %2…").arg(done).arg(budget);
        if (done == 0)
            return tr("judging the builders' strategies, %1 of %2…")
                .arg(m_searcher.history().baselines.size())
                .arg(strategyBuilders().size());
        if (m_searcher.secondsLeft() < 0)
            return tr("%1 of %2…").arg(done).arg(budget);
        return tr("%1 of %2 · %3 trials/s · %4 left")
            .arg(done)
            .arg(budget)
            .arg(samplesText(m_searcher.trialsPerSecond()), m_searcher.secondsLeft() < 1
                                                                ? tr("less than 1 s")
                                                                : tr("%1 s").arg(std::ceil(m_searcher.secondsLeft()), 0, 'f', 0));
    case Searcher::Status::Stopped:
        return tr("stopped at %1 of %2").arg(done).arg(budget);
    case Searcher::Status::Done:
        if (done < budget && m_searcher.history().enough)
            return tr("ended by itself after %1 of %2 trials: at most %3 is left to gain above the bound of %4, seed %5")
                .arg(done)
                .arg(budget)
                .arg(percentText(leftToGain()), secondsText(m_searcher.boundSeconds()))
                .arg(m_searcher.plan()->seed);
        if (done < budget)
            return tr("ended by itself after %1 of %2 trials: nothing is left to try, seed %3")
                .arg(done)
                .arg(budget)
                .arg(m_searcher.plan()->seed);
        return tr("%n trials, seed %1", nullptr, static_cast<int>(done)).arg(m_searcher.plan()->seed);
    case Searcher::Status::Failed:
        return tr("Cannot search: %1").arg(QString::fromStdString(m_searcher.error()->toString()));
    default:
        if (QString reason = whyNotSimulated(m_session.state()); !reason.isEmpty())
            return reason;
        return tr("Start tries strategies on this job and cluster, with A's policy.");
    }
}

QString SearchPreset::bestText() const {
    if (!m_searcher.plan() || m_searcher.history().trials.empty())
        return {};
    const SearchHistory &history = m_searcher.history();
    const SearchTally &tally = m_searcher.tally();
    const SearchObjective objective = m_searcher.plan()->objective;
    const std::int64_t trial = history.bestTrial(objective), builder = history.bestBaseline(objective);
    if (trial < 0)
        return tr("no trial could be judged");
    const double best = tally.bestTrial();
    QString text = tr("best %1 (trial %2)").arg(secondsText(best)).arg(trial);
    const auto against = [&](double bar, CandidateId id) {
        if (!(bar > 0)) // nothing is exposed, so there is no share to improve on
            return;
        text += tr(" · %1 against %2").arg(changeText(best / bar - 1), candidateName(m_searcher, id));
    };
    if (builder >= 0)
        against(tally.bestBaseline(), {CandidateId::Kind::Baseline, static_cast<std::size_t>(builder)});
    const auto tuned = m_searcher.bestTuned();
    if (tuned)
        against(m_searcher.valueOf(m_searcher.metricsOf(*tuned)), *tuned);
    if (const double bound = m_searcher.boundSeconds(); bound > 0)
        text += best <= bound * (1 + 1e-9) ? tr(" · as fast as the compute alone")
                                           : tr(" · at most %1 to gain").arg(percentText(leftToGain()));
    text += tr(" · hit rate %1").arg(percentText(tally.hitRate()));
    if (tuned)
        text += tr(" (%1 against tuned)").arg(percentText(m_searcher.hitRateAgainstTuned()));
    else if (m_searcher.isTuning())
        text += tr(" · tuning the builders…");
    else if (m_searcher.isTuned())
        text += tr(" · no builder is better tuned");
    return text;
}

RunState SearchPreset::runState() const {
    RunState state{.text = stateText(),
                   .done = m_searcher.history().trials.size(),
                   .total = m_searcher.plan() ? m_searcher.plan()->trials : 0};
    using Phase = RunState::Phase;
    switch (m_searcher.status()) {
    case Searcher::Status::Idle:
        break;
    case Searcher::Status::Running:
        state.phase = m_searcher.isStopping() ? Phase::Stopping : Phase::Running;
        break;
    case Searcher::Status::Stopped:
        state.phase = Phase::Stopped;
        break;
    case Searcher::Status::Done:
    case Searcher::Status::Failed:
        state.phase = Phase::Ended;
        break;
    }
    if (const QString stale = staleness(); !stale.isEmpty())
        state.text += QStringLiteral(" · ") + stale;
    return state;
}

QString SearchPreset::problem() const { return m_method->problem().isEmpty() ? m_judge->problem() : m_method->problem(); }

QString SearchPreset::emptyText() const {
    if (m_searcher.error())
        return QString::fromStdString(m_searcher.error()->toString());
    switch (m_searcher.status()) {
    case Searcher::Status::Idle:
        return tr("No search yet: Ctrl+R starts one.");
    case Searcher::Status::Running:
        return tr("Waiting for the first…");
    default:
        return tr("Stopped before its first candidate.");
    }
}

} // namespace syncopate::ui

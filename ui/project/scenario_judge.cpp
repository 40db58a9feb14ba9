// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/scenario_judge.h"

#include <algorithm>
#include <utility>

namespace syncopate::ui {

const ScenarioFigures *ScenarioJudge::figures(const SessionState &state, Side side) const {
    const auto found = std::ranges::find_if(m_judged, [&](const Judged &judged) {
        return judged.side == side && judged.state.profile == state.profile && judged.state.sameScenario(state, side);
    });
    return found == m_judged.end() ? nullptr : &found->figures;
}

const ScenarioFigures *ScenarioJudge::candidateFigures(std::int64_t candidate) const {
    const auto found = m_candidates.find(candidate);
    return found == m_candidates.end() ? nullptr : &found->second;
}

void ScenarioJudge::forgetCandidates() {
    m_candidates.clear();
    cancel(); // candidates of the former search would get here
}

void ScenarioJudge::judge(const std::map<std::int64_t, ScenarioEntry> &candidates) {
    std::erase_if(m_judged, [this](const Judged &judged) {
        return std::ranges::none_of(m_keeper.scenarios(), [&](const KeptScenario &kept) {
            return judged.state.profile == kept.state.profile && judged.state.sameScenario(kept.state, judged.side);
        });
    });
    std::vector<Judged> pending;
    for (const KeptScenario &kept : m_keeper.scenarios())
        for (const Side side : {Side::A, Side::B})
            if ((side == Side::A || kept.state.compare) && kept.state.job && kept.state.cluster && !figures(kept.state, side))
                pending.push_back({kept.state, side, {}});
    Candidates unknown;
    for (const auto &[number, entry] : candidates)
        if (!candidateFigures(number))
            unknown.emplace_back(number, entry);
    if ((!pending.empty() || !unknown.empty()) && !m_judging)
        start(std::move(pending), std::move(unknown));
}

void ScenarioJudge::start(std::vector<Judged> kept, Candidates candidates) {
    m_judging = true;
    m_work.start([kept = std::move(kept), candidates = std::move(candidates)](const std::stop_token &stop, const auto &post) {
        for (Judged judged : kept) {
            judged.figures = figuresOf(judged.state, judged.side, stop);
            if (stop.stop_requested())
                return;
            post(std::move(judged));
        }
        for (const auto &[number, entry] : candidates) {
            Judged judged;
            judged.candidate = number;
            if (const auto state = entry.decoded())
                judged.figures = figuresOf(*state, entry.side, stop);
            else
                judged.figures.error = state.error().toString();
            if (stop.stop_requested())
                return;
            post(std::move(judged));
        }
        post({});
    });
}

void ScenarioJudge::cancel() {
    m_work.cancel();
    m_judging = false;
}

void ScenarioJudge::take(const std::optional<Judged> &judged) {
    if (judged && judged->candidate)
        m_candidates[*judged->candidate] = judged->figures;
    else if (judged)
        m_judged.push_back(*judged);
    else
        m_judging = false; // the next judge() picks up scenarios kept in the meantime
    Q_EMIT changed();
}

} // namespace syncopate::ui

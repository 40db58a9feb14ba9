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

void ScenarioJudge::judge() {
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
    if (pending.empty() || m_judging)
        return;
    m_judging = true;
    m_work.start([pending = std::move(pending)](const std::stop_token &stop, const auto &post) {
        for (Judged judged : pending) {
            judged.figures = figuresOf(judged.state, judged.side, stop);
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
    if (judged)
        m_judged.push_back(*judged);
    else
        m_judging = false; // the next judge() picks up what was kept in the meantime
    Q_EMIT changed();
}

} // namespace syncopate::ui

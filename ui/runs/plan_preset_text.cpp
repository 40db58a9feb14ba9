// SPDX-License-Identifier: GPL-3.0-or-later
// The preset of plans' texts about a run: its state, whether it is outdated, and the chosen planner's result.
#include "engine/search/plan_methods.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/run_text.h"
#include "ui/session/loaded_state.h"
#include "ui/theme/format.h"

#include <cmath>

namespace syncopate::ui {

QString PlanPreset::staleness() const {
    if (!m_planner.task())
        return {};
    const SessionState &planned = m_planner.state(), &present = m_session.state();
    if ((m_planner.task()->ofJob || m_planner.task()->ofRecording) && planned.job != present.job)
        return tr("of another job; plan again for this one");
    const bool same = planned.cluster == present.cluster &&
                      static_cast<const ClusterKnobs &>(planned) == static_cast<const ClusterKnobs &>(present);
    return same ? QString() : tr("planned before the knobs were turned");
}

QString PlanPreset::stateText() const {
    const int found = m_planner.foundCount();
    switch (m_planner.status()) {
    case Planner::Status::Running:
        return tr("%1 plans… %n evaluations", nullptr, static_cast<int>(m_planner.steps().size()))
            .arg(methodTitle(m_planner.working()));
    case Planner::Status::Stopped:
        return m_planner.task() ? tr("stopped with %1 of %2 plans").arg(found).arg(m_planner.methodCount())
                                : tr("stopped before the first plan");
    case Planner::Status::Done:
        return tr("%n plans, seed %1", nullptr, found).arg(m_planner.task()->request.seed);
    case Planner::Status::Failed:
        return tr("Cannot plan: %1").arg(QString::fromStdString(m_planner.error()->toString()));
    default:
        if (const QString problem = m_sheet->problem(); !problem.isEmpty())
            return problem;
        if (QString reason = whyNotPlanned(m_session.state()); !reason.isEmpty())
            return reason;
        return tr("Plan compares all planners on this cluster's channels.");
    }
}

RunState PlanPreset::runState() const {
    using Phase = RunState::Phase;
    RunState state{.text = stateText(),
                   .done = static_cast<std::uint64_t>(m_planner.foundCount()),
                   .total = static_cast<std::uint64_t>(m_planner.methodCount())};
    switch (m_planner.status()) {
    case Planner::Status::Idle:
        state.total = 0;
        break;
    case Planner::Status::Running:
        state.phase = Phase::Running;
        break;
    case Planner::Status::Stopped:
        state.phase = Phase::Stopped;
        break;
    case Planner::Status::Done:
    case Planner::Status::Failed:
        state.phase = Phase::Ended;
        break;
    }
    if (const QString stale = staleness(); !stale.isEmpty())
        state.text += QStringLiteral(" · ") + stale;
    return state;
}

QString PlanPreset::bestText() const {
    const FoundPlan *chosen = m_planner.task() ? m_planner.found(m_planner.task()->method) : nullptr;
    if (!chosen)
        return {};
    const double seconds = chosen->run.iterationSeconds, bound = m_planner.boundSeconds();
    QString text = tr("%1 %2 · compute idle %3")
                       .arg(methodTitle(chosen->method), secondsText(seconds))
                       .arg(percentText(chosen->run.computeIdleRatio()));
    if (bound > 0)
        text += tr(" · %1 above the lower bound %2").arg(percentText(seconds / bound - 1), secondsText(bound));
    for (const HistoryModel::Level &level : m_model->levels())
        if ((level.kind == HistoryModel::Level::Kind::Bar || level.name == methodTitle(PlanMethod::Random) ||
             level.name == methodTitle(PlanMethod::Exhaustive)) &&
            level.name != methodTitle(chosen->method))
            text += std::abs(seconds / level.value - 1) < 5e-4
                        ? tr(" · as fast as %1").arg(level.name)
                        : tr(" · %1 against %2").arg(changeText(seconds / level.value - 1), level.name);
    if (const PlanRequest &request = m_planner.task()->request; !chosen->fits(request))
        text += tr(" · holds %1, more than the %2 allowed").arg(bytesText(chosen->peakBytes), bytesText(request.maxBytes));
    if (!chosen->run.isSteady)
        text += tr(" · its schedule does not repeat");
    return text;
}

} // namespace syncopate::ui

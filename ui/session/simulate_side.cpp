// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/simulate_side.h"

#include "engine/profile/recording/recording.h"
#include "engine/session/dag_job.h"
#include "engine/session/planned_work.h"
#include "engine/simulate/measured_run.h"

#include <QCoreApplication>

namespace syncopate::ui {

Result<std::shared_ptr<const ShownRun>> simulateSide(const SessionState &state, Side side, const std::stop_token &stop) {
    const Source &source = state.side(side).source;
    if (const auto *played = std::get_if<Played>(&source)) {
        auto recording = TRY(traceRun(*played->steps, stop));
        return std::make_shared<const ShownRun>(std::move(recording), stop);
    }
    if (const auto *planned = std::get_if<Planned>(&source)) {
        auto played = plannedRun(*planned->work, state.job, effectiveCluster(state, side), stop);
        if (!played)
            return ofSide(std::move(played).error(), side);
        return std::make_shared<const ShownRun>(*played, stop);
    }
    if (std::holds_alternative<Measured>(source)) {
        if (!state.profile)
            return fail("nothing was measured: the job is not from a profile", "open a profile, or choose a builder");
        return std::make_shared<const ShownRun>(measuredRecording(state.profile, state.job, stop), stop);
    }
    const auto scenario = TRY(makeScenario(state, side));
    const auto run = TRY(simulate(scenario, stop));
    return std::make_shared<const ShownRun>(run, stop);
}

QString whyNotSimulated(const SessionState &state) {
    if (!state.job || !state.cluster)
        return QCoreApplication::translate("SimulateSide", "Nothing is loaded yet.");
    if (showsDag(state))
        return QCoreApplication::translate("SimulateSide",
                                           "The job is a training DAG, without layers and variables, so strategies cannot be "
                                           "simulated: its collectives are planned (Search > Plan collectives).");
    if (isRecordingOnly(*state.job))
        return QCoreApplication::translate(
            "SimulateSide", "This recording holds no training step, so nothing can be simulated: open a profile of "
                            "training or a job of the catalogue.");
    return {};
}

} // namespace syncopate::ui

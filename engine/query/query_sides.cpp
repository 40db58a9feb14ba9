// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/query/query_sides.h"

#include "engine/session/planned_work.h"
#include "engine/simulate/measured_run.h"

#include <utility>

namespace syncopate {

namespace {

Result<QuerySide> sideOf(const SessionState &state, Side side, const std::stop_token &stop) {
    const std::string name = side == Side::A ? "A" : "B";
    const Source &source = state.side(side).source;
    if (const auto *played = std::get_if<Played>(&source)) {
        auto recording = TRY(traceRun(*played->steps, stop));
        return querySide(name, std::move(recording));
    }
    if (const auto *planned = std::get_if<Planned>(&source)) {
        const auto run = plannedRun(*planned->work, state.job, effectiveCluster(state, side), stop);
        if (!run)
            return ofSide(run.error(), side);
        return QuerySide{name, *run, run->get()};
    }
    if (std::holds_alternative<Measured>(source)) {
        if (!state.profile)
            return fail("nothing was measured: the job is not from a profile", "open a profile, or choose a builder");
        return querySide(name, measuredRecording(state.profile, state.job, stop), state.profile);
    }
    const auto scenario = TRY(makeScenario(state, side));
    const auto run = TRY(simulate(scenario, stop));
    return querySide(name, run);
}

} // namespace

Result<std::vector<QuerySide>> querySides(const SessionState &state, const std::stop_token &stop) {
    std::vector<QuerySide> sides;
    for (const Side side : {Side::A, Side::B})
        if (side == Side::A || state.compare)
            sides.push_back(TRY(sideOf(state, side, stop)));
    return sides;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/pane_lights.h"

#include "ui/timeline/timeline_view.h"

#include <optional>
#include <utility>

namespace syncopate::ui {

PaneLights::PaneLights(const Session &session, const std::array<TimelineView *, 2> &views, QObject *parent)
    : QObject(parent), m_session(session), m_panes{{{this, views[0]}, {this, views[1]}}} {}

void PaneLights::setVariable(std::int32_t variable) {
    m_variable = variable;
    for (const Side side : {Side::A, Side::B})
        refresh(side);
}

bool PaneLights::isLit(const Pane &pane, const std::shared_ptr<const ShownRun> &run) const {
    return pane.litRun.lock() == run && pane.litVariable == m_variable;
}

void PaneLights::refresh(Side side) {
    Pane &pane = m_panes[indexOf(side)];
    auto run = m_session.run(side);
    if (run && pane.view->data() != &run->timeline())
        run.reset();
    const auto span = run ? pane.view->selectedSpan() : std::nullopt;
    const bool known = run && m_variable >= 0 && static_cast<std::size_t>(m_variable) < run->recording().job->variables.size();
    pane.view->setFlows({});
    if (!known) {
        pane.litRun.reset();
        pane.view->setLit({});
    }
    const bool critical = run && run->plan() && !known && !span;
    if (!known && !span && !critical) {
        pane.finder.cancel();
        return;
    }
    const bool lights = known && !isLit(pane, run);
    pane.finder.start([run, span, lights, critical, variable = m_variable](const std::stop_token &, const auto &post) {
        Found found{run,
                    variable,
                    {},
                    critical ? run->criticalPath()
                    : span   ? run->flowsOfSpan(*span)
                             : run->flowsOfVariable(variable)};
        if (lights)
            found.lit = run->labelsOf(variable);
        post(std::move(found));
    });
}

void PaneLights::Pane::show(const Found &found) {
    if (found.lit) {
        litRun = found.run;
        litVariable = found.variable;
        view->setLit(*found.lit);
    }
    view->setFlows(found.flows);
}

} // namespace syncopate::ui

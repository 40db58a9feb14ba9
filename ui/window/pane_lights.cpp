// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/pane_lights.h"

#include "ui/timeline/timeline_view.h"

#include <optional>
#include <utility>

namespace syncopate::ui {

PaneLights::PaneLights(const Session &session, const std::array<TimelineView *, 2> &views, QObject *parent)
    : QObject(parent), m_session(session) {
    for (std::size_t s = 0; s < views.size(); ++s)
        m_panes[s].view = views[s];
}

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
    const std::uint64_t asked = ++pane.asked;
    pane.view->setFlows({});
    if (!known) {
        pane.litRun.reset();
        pane.view->setLit({});
    }
    if (!known && !span) {
        pane.worker.cancel();
        return;
    }
    const bool lights = known && !isLit(pane, run);
    pane.worker.post([this, side, asked, run, span, lights, variable = m_variable](const std::stop_token &) {
        auto lit = lights ? run->labelsOf(variable) : std::vector<std::uint8_t>();
        auto flows = span ? run->flowsOfSpan(*span) : run->flowsOfVariable(variable);
        const auto show = [this, side, asked, run, lights, variable, lit = std::move(lit), flows = std::move(flows)] {
            Pane &shown = m_panes[indexOf(side)];
            if (asked != shown.asked)
                return;
            if (lights) {
                shown.litRun = run;
                shown.litVariable = variable;
                shown.view->setLit(lit);
            }
            shown.view->setFlows(flows);
        };
        QMetaObject::invokeMethod(this, show, Qt::QueuedConnection);
    });
}

} // namespace syncopate::ui

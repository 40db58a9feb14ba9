// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate::ui {

class TimelineView;

/// Highlights everything about the selected variable in both panes, and draws the arrows of the selected span, or of that
/// variable, or, with neither, of the critical path of a run that has a plan. All are searched on a thread, in every task and
/// span of a run; there are no arrows until they are found, and results for a selection or run that has been replaced are
/// dropped.
class PaneLights final : public QObject {
    Q_OBJECT
public:
    PaneLights(const Session &session, const std::array<TimelineView *, 2> &views, QObject *parent = nullptr);

    /// By number in the job, -1 = none; call again when a pane shows another run.
    void setVariable(std::int32_t variable);
    /// Finds highlights and arrows of a pane again, or clears them if it has none; call when its selected span has changed.
    void refresh(Side side);

private:
    /// The results for a variable or a span of `run`, or for its critical path.
    struct Found {
        std::shared_ptr<const ShownRun> run;
        std::int32_t variable = -1;
        std::optional<std::vector<std::uint8_t>> lit; ///< null: the highlights stay
        std::vector<SpanFlow> flows;
    };
    struct Pane {
        Pane(QObject *lights, TimelineView *pane) : view(pane), finder(lights, [this](const Found &found) { show(found); }) {}
        void show(const Found &found);

        TimelineView *view;
        std::weak_ptr<const ShownRun> litRun; ///< the run that is highlighted
        std::int32_t litVariable = -1;        ///< the variable that is highlighted
        Background<Found> finder;
    };
    [[nodiscard]] bool isLit(const Pane &pane, const std::shared_ptr<const ShownRun> &run) const;

    const Session &m_session;
    std::int32_t m_variable = -1;
    std::array<Pane, 2> m_panes; ///< last: their threads end before what they report to
};

} // namespace syncopate::ui

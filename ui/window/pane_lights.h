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

/// Lights in both panes what is about the selected variable, and draws the arrows of the selected span, or of that variable.
/// Both are looked for on a thread, in every task and span of a run; until they are found there are no arrows, and what is
/// found for a selection or a run that is gone is dropped.
class PaneLights final : public QObject {
    Q_OBJECT
public:
    PaneLights(const Session &session, const std::array<TimelineView *, 2> &views, QObject *parent = nullptr);

    /// By number in the job, -1 = none; to be told again when a pane shows another run.
    void setVariable(std::int32_t variable);
    /// The span that is selected in a pane is another one.
    void refresh(Side side);

private:
    /// What was found about a variable or a span of `run`.
    struct Found {
        std::shared_ptr<const ShownRun> run;
        std::int32_t variable = -1;
        std::optional<std::vector<std::uint8_t>> lit; ///< null: what is lit stays
        std::vector<SpanFlow> flows;
    };
    struct Pane {
        Pane(QObject *lights, TimelineView *pane) : view(pane), finder(lights, [this](const Found &found) { show(found); }) {}
        void show(const Found &found);

        TimelineView *view;
        std::weak_ptr<const ShownRun> litRun; ///< what is lit is of this run
        std::int32_t litVariable = -1;        ///< and about this variable
        Background<Found> finder;
    };
    [[nodiscard]] bool isLit(const Pane &pane, const std::shared_ptr<const ShownRun> &run) const;

    const Session &m_session;
    std::int32_t m_variable = -1;
    std::array<Pane, 2> m_panes; ///< last: their threads end before what they tell goes
};

} // namespace syncopate::ui

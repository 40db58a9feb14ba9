// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/project/project_keeper.h"
#include "ui/project/scenario_rows.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// The figures of kept scenarios, simulated one after another on a worker thread.
class ScenarioJudge final : public QObject {
    Q_OBJECT
public:
    explicit ScenarioJudge(const ProjectKeeper &keeper, QObject *parent = nullptr) : QObject(parent), m_keeper(keeper) {}

    /// Null if that side has not been judged yet.
    [[nodiscard]] const ScenarioFigures *figures(const SessionState &state, Side side) const;
    /// Simulates what has no figures yet, unless already running. Forgets the figures of scenarios no longer kept.
    void judge();
    /// Stops until the next judge().
    void cancel();
    /// Whether figures are being computed.
    [[nodiscard]] bool isJudging() const { return m_judging; }

Q_SIGNALS:
    /// New figures arrived, or there are no more to come.
    void changed();

private:
    /// A side of a kept scenario that was judged.
    struct Judged {
        SessionState state;
        Side side = Side::A;
        ScenarioFigures figures;
    };
    void take(const std::optional<Judged> &judged); ///< null: that was the last

    const ProjectKeeper &m_keeper;
    std::vector<Judged> m_judged;
    bool m_judging = false;
    Background<std::optional<Judged>> m_work{this, [this](const std::optional<Judged> &judged) { take(judged); }};
};

} // namespace syncopate::ui

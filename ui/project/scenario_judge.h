// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/project/project_keeper.h"
#include "ui/project/scenario_rows.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// The figures of kept scenarios, which are simulated on a thread, one after the other.
class ScenarioJudge final : public QObject {
    Q_OBJECT
public:
    explicit ScenarioJudge(const ProjectKeeper &keeper, QObject *parent = nullptr) : QObject(parent), m_keeper(keeper) {}

    /// Null where that side was not judged yet.
    [[nodiscard]] const ScenarioFigures *figures(const SessionState &state, Side side) const;
    /// Simulates what has no figures yet, unless it is at it. Figures of what is kept no longer are forgotten.
    void judge();
    /// Ends it until the next judge().
    void cancel();
    /// Whether figures are on their way.
    [[nodiscard]] bool isJudging() const { return m_judging; }

Q_SIGNALS:
    /// Figures came, or there are no more to come.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/project/project_keeper.h"
#include "ui/project/scenario_entry.h"
#include "ui/project/scenario_rows.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace syncopate::ui {

/// Simulates kept scenarios and candidates of the search, one after another on a worker thread, for the figures that the table
/// of scenarios shows: a search does not tell peak memory.
class ScenarioJudge final : public QObject {
    Q_OBJECT
public:
    explicit ScenarioJudge(const ProjectKeeper &keeper, QObject *parent = nullptr) : QObject(parent), m_keeper(keeper) {}

    /// Null if that side has not been judged yet.
    [[nodiscard]] const ScenarioFigures *figures(const SessionState &state, Side side) const;
    /// Figures of a candidate of the search, by its row's number, or the error that it has instead; null until it was judged.
    [[nodiscard]] const ScenarioFigures *candidateFigures(std::int64_t candidate) const;
    /// Simulates the scenarios that have no figures yet: kept ones, and the search's `candidates` by row number. Does nothing
    /// while it simulates. Forgets the figures of scenarios that are no longer kept.
    void judge(const std::map<std::int64_t, ScenarioEntry> &candidates);
    /// Forgets all candidates, since those of a new search reuse their row numbers.
    void forgetCandidates();
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
        std::optional<std::int64_t> candidate{}; ///< of the search
    };
    /// Candidates that have no figures yet.
    using Candidates = std::vector<std::pair<std::int64_t, ScenarioEntry>>;
    void start(std::vector<Judged> kept, Candidates candidates);
    void take(const std::optional<Judged> &judged); ///< null: that was the last

    const ProjectKeeper &m_keeper;
    std::vector<Judged> m_judged;
    std::map<std::int64_t, ScenarioFigures> m_candidates; ///< by row number
    bool m_judging = false;
    Background<std::optional<Judged>> m_work{this, [this](const std::optional<Judged> &judged) { take(judged); }};
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/project/scenario_entry.h"
#include "ui/session/shown_run.h"
#include "ui/tasks/background.h"

#include <QDialog>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

class QLabel;

namespace syncopate::ui {

class PlanStack;
class Theme;

/// Timelines of any number of scenarios below each other on one clock: for each, the worker with the longest exposed
/// communication, with overlapping transfers as strips. Rows appear as they are simulated and are freed when the window closes.
/// It is a window beside the explorer's own.
class StackedScenarios final : public QDialog {
    Q_OBJECT
public:
    using Entry = ScenarioEntry;

    explicit StackedScenarios(const Theme &theme, QWidget *parent);

    /// Replaces the shown scenarios by these, in their order.
    void setEntries(std::vector<Entry> entries);
    [[nodiscard]] PlanStack &stack() { return *m_stack; }
    [[nodiscard]] QLabel &stateLabel() { return *m_stateLabel; }
    [[nodiscard]] bool isSimulating() const { return m_done < m_entries.size(); }
    [[nodiscard]] QSize sizeHint() const override { return {960, 520}; }

Q_SIGNALS:
    /// A row was clicked, or Enter pressed: put this scenario on B.
    void wanted(const syncopate::SessionState &state, syncopate::Side side, const QString &name);

private:
    struct Simulated {
        std::size_t entry = 0;
        SessionState state; ///< with its strategy
        std::shared_ptr<const ShownRun> run;
        std::vector<std::size_t> lanes; ///< the lanes of the run that are shown
        std::optional<Error> error;
    };
    void take(const Simulated &simulated);
    void showRows();

    PlanStack *m_stack;
    QLabel *m_stateLabel;
    std::vector<Entry> m_entries;
    QStringList m_titles;                              ///< of the entries' rows, all different
    std::vector<std::optional<Simulated>> m_simulated; ///< by entry
    std::vector<std::size_t> m_rows;                   ///< the entries shown
    std::size_t m_done = 0;
    /// Last: ends before the members that it reports to are destroyed.
    Background<Simulated> m_simulator{this, [this](const Simulated &simulated) { take(simulated); }};
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"
#include "ui/session/shown_run.h"
#include "ui/tasks/background.h"

#include <QDialog>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QLabel;

namespace syncopate::ui {

class PlanStack;
class Theme;

/// Timelines of any number of scenarios below each other on one clock: of each the worker that communication exposes longest,
/// with overlapping transfers as strips. Rows come as they are simulated, and go when the window is closed. It stands beside the
/// explorer's own.
class StackedScenarios final : public QDialog {
    Q_OBJECT
public:
    /// A side of a state. `strategy`, where there is one, makes the side's strategy on the simulating thread.
    struct Entry {
        QString name;
        SessionState state;
        Side side = Side::A;
        std::function<Result<std::shared_ptr<const Strategy>>()> strategy = nullptr;
    };

    explicit StackedScenarios(const Theme &theme, QWidget *parent);

    /// Shows these scenarios in their order, in place of those before.
    void setEntries(std::vector<Entry> entries);
    [[nodiscard]] PlanStack &stack() { return *m_stack; }
    [[nodiscard]] QLabel &stateLabel() { return *m_stateLabel; }
    [[nodiscard]] bool isSimulating() const { return m_done < m_entries.size(); }
    [[nodiscard]] QSize sizeHint() const override { return {960, 520}; }

Q_SIGNALS:
    /// A row was clicked, or Enter pressed: this scenario is to be put on B.
    void wanted(const syncopate::SessionState &state, syncopate::Side side, const QString &name);

private:
    struct Simulated {
        std::size_t entry = 0;
        SessionState state; ///< with its strategy
        std::shared_ptr<const ShownRun> run;
        std::vector<std::size_t> lanes; ///< of the run, that are shown
        std::optional<Error> error;
    };
    void take(const Simulated &simulated);
    void showRows();

    PlanStack *m_stack;
    QLabel *m_stateLabel;
    std::vector<Entry> m_entries;
    std::vector<std::optional<Simulated>> m_simulated; ///< by entry
    std::vector<std::size_t> m_rows;                   ///< the entries that are shown
    std::size_t m_done = 0;
    /// Last: ends before what it tells goes.
    Background<Simulated> m_simulator{this, [this](const Simulated &simulated) { take(simulated); }};
};

} // namespace syncopate::ui

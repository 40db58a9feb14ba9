// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/project/project_keeper.h"
#include "ui/project/scenario_judge.h"
#include "ui/project/scenarios_model.h"
#include "ui/project/stacked_scenarios.h"
#include "ui/runs/runs_model.h"

#include <QJsonObject>
#include <QTimer>
#include <QWidget>
#include <array>
#include <memory>
#include <optional>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QTableView;
class QToolButton;

namespace syncopate::ui {

class FilterLine;
class ParetoPlot;
class SearchPreset;
class Searcher;
class SweepPreset;
class Theme;

/// Any number of scenarios side by side: those the user kept, the winners of the search, and the points of the last sweep, with
/// every figure and the Pareto front. Any of them can be restored, or put on A or B.
class ScenariosPanel final : public QWidget {
    Q_OBJECT
public:
    ScenariosPanel(const Theme &theme, Session &session, ProjectKeeper &keeper, Searcher &searcher, SearchPreset &search,
                   SweepPreset &sweeps, QWidget *parent = nullptr);

    [[nodiscard]] ScenariosModel *model() { return &m_model; }
    [[nodiscard]] QTableView *table() const { return m_table; }
    [[nodiscard]] FilterLine &filter() { return *m_filter; }
    [[nodiscard]] QDoubleSpinBox &priceBox() { return *m_price; } ///< per node and hour, 0 = none
    [[nodiscard]] ParetoPlot &plot() { return *m_plot; }
    [[nodiscard]] QToolButton &stackButton() { return *m_stackButton; }
    static constexpr int maxStacked = 24; ///< rows; each keeps its run while the window is open
    [[nodiscard]] StackedScenarios *stacked() { return m_stacked; }
    [[nodiscard]] QLabel &stateLabel() { return *m_state; }
    /// Keeps the present state under a name made from its strategies and knobs, and selects its row.
    void keep();
    /// Filter and order, as a project keeps them.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);
    /// Figures of kept scenarios are simulated only while the panel is visible.
    void setSeen(bool seen);
    /// Whether figures of kept scenarios are being computed.
    [[nodiscard]] bool isJudging() const { return m_judge.isJudging(); }
    [[nodiscard]] QSize sizeHint() const override { return {600, 180}; }

Q_SIGNALS:
    /// The filter or the order changed.
    void changed();

public Q_SLOTS:
    /// Restores a kept scenario as a whole; puts any other row on A.
    void goTo(int row);
    /// Puts a row's strategy and policy onto `to`, and its cluster if it differs.
    void putOn(int row, syncopate::Side to);
    /// Shows the selected rows, 2 to maxStacked, as timelines below each other in a separate window.
    void showStacked();
    /// Removes a kept scenario, both sides of it.
    void remove(int row);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeTable();
    [[nodiscard]] QWidget *makeTop();
    void connectAll();
    void refreshSoon();
    void refresh();
    void showRows(std::vector<ScenarioRow> rows);
    void refreshState();
    void edit(std::int64_t number, ScenariosModel::Column column, const QString &text);
    [[nodiscard]] bool isPresentJob(const SessionState &state) const;
    void putState(const SessionState &from, Side of, Side to, const QString &name);
    [[nodiscard]] std::optional<StackedScenarios::Entry> entryOf(const ScenarioRow &row) const;
    void showMenu(const QPoint &at);      // scenarios_panel_input.cpp, as eventFilter()
    [[nodiscard]] int currentRow() const; ///< of the model; -1 = none
    void select(int row);

    Session &m_session;
    ProjectKeeper &m_keeper;
    Searcher &m_searcher;
    SearchPreset &m_search;
    SweepPreset &m_sweeps;
    ScenariosModel m_model;
    RunsProxy m_proxy;
    FilterLine *m_filter;
    QTableView *m_table;
    QLabel *m_empty, *m_state;
    QDoubleSpinBox *m_price;
    std::array<QToolButton *, 2> m_put{}; ///< by side
    QToolButton *m_stackButton = nullptr;
    const Theme &m_theme;
    StackedScenarios *m_stacked = nullptr; ///< created on first use
    ParetoPlot *m_plot;
    QWidget *m_content;
    std::shared_ptr<const Sweep> m_sweep;       ///< the last one, even if the sweeps panel has moved on to none
    std::shared_ptr<const Sweep> m_listedSweep; ///< the sweep whose points are rows
    bool m_seen = false;
    QTimer m_refresh; ///< searches and sweeps report twenty times a second
    ScenarioJudge m_judge{m_keeper};
};

} // namespace syncopate::ui

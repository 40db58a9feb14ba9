// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/plan_model.h"
#include "ui/runs/plan_sheet.h"
#include "ui/runs/run_preset.h"
#include "ui/runs/runs_table.h"
#include "ui/session/session.h"

#include <array>
#include <memory>
#include <vector>

class QLabel;
class QPushButton;
class QTabWidget;

namespace syncopate::ui {

class HistoryPlot;
class PlanCostsPage;
class PlanDagPage;
class PlanEditor;
class PlanStack;
class Theme;

/// Planning of collectives in the panel of runs: which DAG, what motifs cost and how plans are found; the proposals of the search
/// over its evaluations, the timelines of all methods below each other, the DAG as a graph, the costs of its collectives, and an
/// editor for the plan that a side shows. A click on a method puts its plan on side B as an undoable step.
class PlanPreset final : public RunPreset {
    Q_OBJECT
public:
    PlanPreset(const Theme &theme, Session &session, QObject *parent = nullptr);

    [[nodiscard]] Planner &planner() { return m_planner; }
    [[nodiscard]] HistoryPlot &plot() { return *m_plot; }
    [[nodiscard]] PlanStack &stack() { return *m_stack; }
    [[nodiscard]] PlanDagPage &graph() { return *m_graph; }
    [[nodiscard]] PlanCostsPage &costs() { return *m_costs; }
    [[nodiscard]] PlanEditor &editor() { return *m_editor; }
    /// Takes the place of the other presets' plot; pages in the order of Page.
    [[nodiscard]] QTabWidget &pages() { return *m_pages; }
    enum Page { ProposalsPage, TimelinesPage, GraphPage, CostsPage, EditorPage };
    [[nodiscard]] QPushButton &startButton() { return *m_start; }
    [[nodiscard]] QLabel &bestLabel() { return *m_bestLine; }
    [[nodiscard]] PlanSheet &sheet() { return *m_sheet; }
    [[nodiscard]] PlanSettings planSettings() const { return m_sheet->planSettings(); }
    /// The settings as a project keeps them.
    [[nodiscard]] QJsonObject settings() const { return m_sheet->settings(); }
    void setSettings(const QJsonObject &settings) { m_sheet->setSettings(settings); }

    void start();
    void stop() override { m_planner.stop(); }
    void resume() override { start(); }
    void focusSheet();
    /// Reads a DAG, measured collectives or a plan for the sheet's DAG, on the session's loader; the result goes to take().
    void openFile(const QString &path);
    /// Another project: a new sheet, with the DAG and costs of the plan that a side of `state` shows, if they came from files.
    /// Previous plans are forgotten.
    void restore(const SessionState &state);

public Q_SLOTS:
    /// A DAG or costs are chosen in the sheet; a plan is put on side B.
    void take(const QString &path, const syncopate::PlanFile &file);
    void put(qint64 plan, syncopate::Side side);

Q_SIGNALS:
    void settingsChanged();

private:
    [[nodiscard]] QWidget *makeButtons();
    void connectAll();
    /// Fills the stack: the methods that have planned, and the edited plan.
    void showTimelines();
    void rowClicked(int row);
    void show(const std::shared_ptr<const PlannedWork> &work, Side side);
    void openDialog(const QString &title, const QString &filter);
    void refresh();
    [[nodiscard]] RunState runState() const;
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString staleness() const;
    [[nodiscard]] QString bestText() const;

    Session &m_session;
    Planner m_planner;
    PlanModel *m_model;
    PlanSheet *m_sheet;
    QPushButton *m_start, *m_openPlan;
    QLabel *m_bestLine;
    HistoryPlot *m_plot;
    PlanStack *m_stack;
    PlanDagPage *m_graph;
    PlanCostsPage *m_costs;
    PlanEditor *m_editor;
    QTabWidget *m_pages;
    std::vector<RunId> m_stackIds; ///< per row of the stack
    /// Per method its plan once it was put on a side: put there again it is the same one, so that nothing changes.
    std::array<std::shared_ptr<const PlannedWork>, planMethodCount> m_works;
};

} // namespace syncopate::ui

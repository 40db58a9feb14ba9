// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/plan_model.h"
#include "ui/runs/run_preset.h"
#include "ui/runs/runs_table.h"
#include "ui/session/session.h"

#include <QJsonObject>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace syncopate::ui {

class ArgumentSheet;
class HistoryPlot;
class PlanEditor;
class PlanStack;
class Theme;

/// Planning of collectives in the panel of runs: which DAG, what motifs cost and how plans are found; the proposals of the search
/// over its evaluations, the timelines of all methods below each other, and an editor of the plan that a side shows; a click on a
/// method puts its plan on side B as an undoable step.
class PlanPreset final : public RunPreset {
    Q_OBJECT
public:
    PlanPreset(const Theme &theme, Session &session, QObject *parent = nullptr);

    [[nodiscard]] Planner &planner() { return m_planner; }
    [[nodiscard]] HistoryPlot &plot() { return *m_plot; }
    [[nodiscard]] PlanStack &stack() { return *m_stack; }
    [[nodiscard]] PlanEditor &editor() { return *m_editor; }
    /// What stands where other presets have a plot: in the order of Page.
    [[nodiscard]] QTabWidget &pages() { return *m_pages; }
    enum Page { ProposalsPage, TimelinesPage, EditorPage };
    /// Of the box of DAGs: the job's two, then what was read from a file; the last one opens another.
    enum DagRow { RecordedDagRow, GradientsDagRow, FileDagRow };
    [[nodiscard]] QPushButton &startButton() { return *m_start; }
    [[nodiscard]] ArgumentSheet &methodSheet() { return *m_method; }
    [[nodiscard]] QComboBox &dagBox() { return *m_dagBox; }
    [[nodiscard]] QComboBox &costsBox() { return *m_costsBox; }
    [[nodiscard]] QSpinBox &budgetBox() { return *m_budget; }
    [[nodiscard]] QSpinBox &seedBox() { return *m_seed; }
    [[nodiscard]] QLineEdit &memoryField() { return *m_memory; }
    [[nodiscard]] QLabel &bestLabel() { return *m_bestLine; }
    /// What the sheet says.
    [[nodiscard]] PlanSettings planSettings() const;

    void start();
    void stop() override { m_planner.stop(); }
    void resume() override { start(); }
    void focusSheet();
    /// Reads a DAG, measured collectives or a plan for the DAG of the sheet, on the session's loader; take() gets it.
    void openFile(const QString &path);
    /// The sheet, as a project keeps it: without what was read from files, which the sides' plans keep.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);
    /// Another project: chooses the DAG and costs of the plan that a side of `state` shows, where they came from files, else the
    /// usual ones. What was planned before is forgotten.
    void restore(const SessionState &state);

public Q_SLOTS:
    /// A DAG or costs become the sheet's choice; a plan is put on side B.
    void take(const QString &path, const syncopate::PlanFile &file);
    void put(qint64 plan, syncopate::Side side);

Q_SIGNALS:
    void settingsChanged();

private:
    [[nodiscard]] QWidget *makeSheet();
    [[nodiscard]] QWidget *makeButtons();
    /// A box of `usual` choices, and one that opens a file; what was read stands between them.
    [[nodiscard]] QComboBox *makeFileBox(const QStringList &usual, const QString &open, const QString &name,
                                         const QString &toolTip, const QString &filter);
    /// Which of the job's DAGs there are, and the one that is wanted where no file is chosen.
    void showDagRows();
    void dagChosen(int row);
    /// What is wrong with the fields, in one line; empty where nothing is.
    [[nodiscard]] QString problem() const;
    void connectAll();
    /// The rows of the stack: the methods that have planned, and the plan that is edited.
    void showTimelines();
    void rowClicked(int row);
    /// The sheet is as if no DAG and no costs had been read.
    void forgetFiles();
    void chooseDag(std::shared_ptr<const TrainingDag> dag, const QString &from);
    void chooseCosts(std::shared_ptr<const MotifCosts> costs, const QString &from);
    void show(PlannedWork work, Side side);
    void openDialog(const QString &title, const QString &filter);
    void refresh();
    [[nodiscard]] RunState runState() const;
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString staleness() const;
    [[nodiscard]] QString bestText() const;

    Session &m_session;
    Planner m_planner;
    PlanModel *m_model;
    ArgumentSheet *m_method;
    QComboBox *m_dagBox, *m_costsBox;
    QSpinBox *m_budget, *m_seed;
    QLineEdit *m_memory;
    QPushButton *m_start, *m_openPlan;
    QLabel *m_bestLine;
    HistoryPlot *m_plot;
    PlanStack *m_stack;
    PlanEditor *m_editor;
    QTabWidget *m_pages;
    std::vector<RunId> m_stackIds;                                   ///< per row of the stack
    PlannedCollectives m_collectives = PlannedCollectives::Recorded; ///< as it was chosen; the profile may have none
    std::shared_ptr<const TrainingDag> m_dag;                        ///< read from a file; null: none yet
    std::shared_ptr<const MotifCosts> m_costs;                       ///< as above
};

} // namespace syncopate::ui

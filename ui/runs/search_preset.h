// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/candidates_model.h"
#include "ui/runs/run_preset.h"
#include "ui/runs/runs_table.h"
#include "ui/session/session.h"

#include <QJsonObject>
#include <memory>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace syncopate::ui {

class ArgumentSheet;
class HistoryPlot;
class Theme;
class TrustPlot;
class WinnerSheet;

/// Searches in the panel of runs: a start sheet with the arguments of method and judge, progress, history and candidates. Puts
/// candidates on the sides of the session, as undoable steps.
class SearchPreset final : public RunPreset {
    Q_OBJECT
public:
    SearchPreset(const Theme &theme, Session &session, Searcher &searcher, QObject *parent = nullptr);

    [[nodiscard]] HistoryPlot &plot() { return *m_plot; }
    [[nodiscard]] TrustPlot &trust() { return *m_trust; }
    [[nodiscard]] QComboBox &shownBox() { return *m_shown; } ///< chooses between the two plots
    [[nodiscard]] QPushButton &startButton() { return *m_start; }
    [[nodiscard]] ArgumentSheet &methodSheet() { return *m_method; }
    [[nodiscard]] ArgumentSheet &judgeSheet() { return *m_judge; }
    [[nodiscard]] QSpinBox &budgetBox() { return *m_budget; }
    [[nodiscard]] QSpinBox &seedBox() { return *m_seed; }
    [[nodiscard]] QLabel &bestLabel() { return *m_bestLine; }
    [[nodiscard]] QLabel &ruleLabel() { return *m_ruleLine; } ///< the rule behind the best candidate's strategy
    [[nodiscard]] QPushButton &explainButton() { return *m_explain; }
    [[nodiscard]] WinnerSheet *winnerSheet() { return m_winner; } ///< null until first opened
    /// The settings in the sheet.
    [[nodiscard]] SearchPlan plan() const;
    /// Starts a search with the sheet's settings, if something is loaded and they are valid.
    void start();
    void stop() override { m_searcher.stop(); }
    void resume() override { m_searcher.resume(); }
    void focusSheet();
    /// Opens the explanation of the best candidate.
    void explain();
    /// The sheet as a project keeps it; settings out of bounds are brought within them.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);
    /// Another project: its sheet, in which all that it lacks is as in a new one.
    void restore(const QJsonObject &settings);

    /// Whether the search is about the open job: strategies for another job's variables cannot be put anywhere.
    [[nodiscard]] bool isOfPresentJob() const;

public Q_SLOTS:
    /// Puts a candidate on a side, with the policy it was simulated with; shows B if it was hidden.
    void put(qint64 candidate, syncopate::Side side);

Q_SIGNALS:
    void settingsChanged();

private:
    [[nodiscard]] QWidget *makeSheet();
    [[nodiscard]] QWidget *makeFigures();
    void connectAll();
    void refresh();
    void refreshStart();
    void refreshFigures();
    void showChosenPlot(); ///< the candidates, if the search has no ranker
    /// What is wrong with the sheet, in one line; empty where nothing is.
    [[nodiscard]] QString problem() const;
    [[nodiscard]] QString emptyText() const;
    void apply(CandidateId id, Side side, const std::shared_ptr<const Strategy> &strategy);
    /// Why candidates cannot be put on a side, or what has changed since they were searched; empty = nothing.
    [[nodiscard]] QString staleness() const;
    /// The share of the best trial's or builder's iteration that is above the bound: the most still to gain.
    [[nodiscard]] double leftToGain() const;
    [[nodiscard]] RunState runState() const;
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString bestText() const;

    Session &m_session;
    Searcher &m_searcher;
    CandidatesModel *m_model;
    ArgumentSheet *m_method, *m_judge;
    QComboBox *m_objective;
    QSpinBox *m_budget, *m_seed;
    QPushButton *m_start, *m_explain;
    QLabel *m_bestLine, *m_ruleLine;
    HistoryPlot *m_plot;
    TrustPlot *m_trust;
    QStackedWidget *m_plots;         ///< the two, in the order of m_shown
    QComboBox *m_shown;              ///< visible if the search has a ranker
    WinnerSheet *m_winner = nullptr; ///< owned by the window
    const Theme &m_theme;
    QJsonObject m_usual; ///< settings() of a new sheet
};

} // namespace syncopate::ui

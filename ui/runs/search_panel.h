// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/candidates_model.h"
#include "ui/session/session.h"

#include <QJsonObject>
#include <QWidget>
#include <string>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace syncopate::ui {

class Knob;
class SearchPlot;
class Theme;

/// The start sheet of a search, how it goes, and its picture. Puts candidates on the sides of the session, as undoable steps.
class SearchPanel final : public QWidget {
    Q_OBJECT
public:
    SearchPanel(const Theme &theme, Session &session, Searcher &searcher, QWidget *parent = nullptr);

    [[nodiscard]] SearchPlot &plot() { return *m_plot; }
    [[nodiscard]] QPushButton &startButton() { return *m_start; }
    [[nodiscard]] QPushButton &stopButton() { return *m_stop; } ///< Stop while it runs, else Resume
    [[nodiscard]] QSpinBox &budgetBox() { return *m_budget; }
    [[nodiscard]] QSpinBox &seedBox() { return *m_seed; }
    [[nodiscard]] QComboBox &objectiveBox() { return *m_objective; }
    [[nodiscard]] QLabel &stateLabel() { return *m_state; }
    [[nodiscard]] QLabel &bestLabel() { return *m_bestLine; }
    /// The settings of the sheet.
    [[nodiscard]] SearchPlan plan() const;
    /// Starts a search with the settings of the sheet, where something is loaded.
    void start();
    void stop();
    void resume();
    void focusSheet();
    /// The sheet, as a project keeps it; settings out of bounds are brought within them.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);

public Q_SLOTS:
    /// Puts a candidate on a side, with the policy that it was simulated with; B is shown where it was not.
    void put(qint64 candidate, syncopate::Side side);

Q_SIGNALS:
    void shown(qint64 candidate); ///< put on a side
    void settingsChanged();

private:
    QWidget *makeSheet();
    [[nodiscard]] std::string method() const; ///< as an expression
    [[nodiscard]] std::vector<std::pair<QString, QSpinBox *>> numbers() const;
    void refresh();
    void apply(CandidateId id, Side side, const std::shared_ptr<const Strategy> &strategy);
    /// Why candidates cannot be put on a side, or what differs from when they were searched; empty = nothing.
    [[nodiscard]] QString staleness() const;
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString bestText() const;

    const Theme &m_theme;
    Session &m_session;
    Searcher &m_searcher;
    QComboBox *m_method, *m_objective;
    QSpinBox *m_budget, *m_seed, *m_slack, *m_minGroups, *m_maxGroups, *m_whole, *m_maxParts;
    QCheckBox *m_balance, *m_merge;
    QPushButton *m_start, *m_stop;
    QLabel *m_state, *m_bestLine;
    SearchPlot *m_plot;
};

} // namespace syncopate::ui

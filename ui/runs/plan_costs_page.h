// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/planned_costs.h"
#include "ui/runs/plan_sheet.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QSplitter;
class QTableWidget;

namespace syncopate::ui {

class PlanCostPlot;
class Theme;

/// "e1, tree of 4": channel and cut of a curve.
[[nodiscard]] QString wayText(const PlannedCosts &costs, const CostCurve &curve);
/// "e1, tree of 4, measured": a curve by name.
[[nodiscard]] QString curveName(const PlannedCosts &costs, const CostCurve &curve);

/// The times of the planned collectives over their size, for every cut and channel, modelled or measured: curves, and a table of
/// the sizes at which two of them cross. Computed on a worker thread while visible.
class PlanCostsPage final : public QWidget {
    Q_OBJECT
public:
    /// `sheet`: returns the settings of planning.
    PlanCostsPage(const Theme &theme, Session &session, std::function<PlanSettings()> sheet, QWidget *parent = nullptr);

    [[nodiscard]] QComboBox &kindBox() { return *m_kind; }
    [[nodiscard]] QTableWidget &table() { return *m_table; }
    [[nodiscard]] PlanCostPlot &plot() { return *m_plot; }
    [[nodiscard]] QLabel &note() { return *m_note; }
    /// Null until they are made.
    [[nodiscard]] const PlannedCosts *costs() const { return m_costs.get(); }
    [[nodiscard]] bool isPending() const { return m_worker.isPending(); }
    /// The state or the sheet changed.
    void refresh();

    enum Column { Size, Below, Above, Seconds };

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Answer {
        std::shared_ptr<const PlannedCosts> costs;
        std::optional<Error> error;
    };
    void take(const Answer &answer);
    void showKind();
    void fillTable(const PlannedCost &of);

    Session &m_session;
    std::function<PlanSettings()> m_sheet;
    QComboBox *m_kind;
    QTableWidget *m_table;
    QSplitter *m_split;
    PlanCostPlot *m_plot;
    QLabel *m_note;
    QString m_chosen; ///< the kind that was shown last, by its text in the box
    int m_place = 0;  ///< and by its place
    std::optional<PlannedFrom> m_asked;
    std::shared_ptr<const PlannedCosts> m_costs;
    /// Last, so that its thread has ended before the rest is destroyed. Outdated curves are shown until newer ones arrive.
    Background<Answer> m_worker{this, [this](const Answer &answer) { take(answer); }, std::chrono::milliseconds(150)};
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/project/scenarios_model.h"

#include <QTimer>
#include <QWidget>
#include <array>

class QCPGraph;
class QCustomPlot;

namespace syncopate::ui {

class Theme;

/// Cost against time of the scenarios of the present job, with the Pareto front drawn through them; per sample if their steps
/// differ in samples. A click on a dot asks for its row.
class ParetoPlot final : public QWidget {
    Q_OBJECT
public:
    ParetoPlot(const Theme &theme, const ScenariosModel &model, QWidget *parent = nullptr);

    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    [[nodiscard]] QCPGraph &front() { return *m_front; }
    [[nodiscard]] QCPGraph &dots(RowSource source) { return *m_dots[static_cast<std::size_t>(source)]; }
    /// Marks the dot of a row; -1 marks none.
    void mark(int row);

Q_SIGNALS:
    void picked(int row);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    /// Where a row is drawn; NaN if it is not.
    [[nodiscard]] QPointF placeOf(int row) const;
    [[nodiscard]] int rowAt(const QPoint &position) const; ///< -1 = none
    void style();
    void redrawSoon();
    void redraw();

    const Theme &m_theme;
    const ScenariosModel &m_model;
    QCustomPlot *m_plot;
    std::array<QCPGraph *, 3> m_dots{}; ///< by source
    QCPGraph *m_front, *m_mark;
    int m_marked = -1;
    QTimer m_redraw; ///< at most ten times a second
};

} // namespace syncopate::ui

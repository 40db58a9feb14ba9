// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/candidates_model.h"

#include <QTimer>
#include <QWidget>
#include <vector>

class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCPItemTracer;
class QCustomPlot;

namespace syncopate::ui {

class Theme;

/// A search as it goes: candidates as dots, the best so far as a step, the builders as lines with their names, the hit rate on
/// the right axis. Hovering a dot tells what it is, a click wants it seen.
class SearchPlot final : public QWidget {
    Q_OBJECT
public:
    SearchPlot(const Theme &theme, Searcher &searcher, QWidget *parent = nullptr);

    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    /// The dot within a few pixels of a place in the plot.
    [[nodiscard]] std::optional<CandidateId> candidateAt(const QPointF &position) const;
    /// Where a trial's dot is, in the plot's pixels.
    [[nodiscard]] QPointF positionOf(CandidateId trial) const;
    /// Rings a trial's dot.
    void mark(CandidateId id);

Q_SIGNALS:
    void clicked(qint64 candidate);

private:
    void clear();
    void grow(std::size_t firstBaseline, std::size_t firstTrial);
    void style();
    void redraw();
    void fitAxes();
    void drawBaselines();
    void hover(const QPoint &position);

    const Theme &m_theme;
    Searcher &m_searcher;
    QCustomPlot *m_plot;
    QCPGraph *m_dots, *m_oldDots, *m_best, *m_hitRate;
    QCPItemTracer *m_mark;
    std::vector<QCPItemStraightLine *> m_lines;
    std::vector<QCPItemText *> m_names;
    std::optional<CandidateId> m_marked;
    double m_bestSoFar = 0;
    QTimer m_redraw; ///< at most ten times a second, however fast trials come
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/history_model.h"

#include <QTimer>
#include <QWidget>
#include <array>
#include <optional>
#include <utility>
#include <vector>

class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCPItemTracer;
class QCustomPlot;

namespace syncopate::ui {

class PlotOrText;
class Theme;

/// A run in progress: trials as dots in the colours of their groups, the best so far as a step line, the levels they are compared
/// with as named lines, the hit rate on the right axis. Hovering a dot describes its trial, a click asks to show it.
class HistoryPlot final : public QWidget {
    Q_OBJECT
public:
    /// `name` describes the plot: to screen readers, and in its place while it is empty.
    HistoryPlot(const Theme &theme, const HistoryModel &model, const QString &name, QWidget *parent = nullptr);

    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    [[nodiscard]] QCPGraph &bestGraph() { return *m_best; }
    [[nodiscard]] QCPGraph &hitRateGraph() { return *m_hitRate; }
    [[nodiscard]] QCPGraph &dotsGraph(std::size_t group) { return *m_dots[group]; }
    /// The labels drawn at levels, lowest value first; equal levels share one.
    [[nodiscard]] QStringList shownLevels() const;
    /// The trial whose dot is within a few pixels of a position in the plot.
    [[nodiscard]] std::optional<RunId> trialAt(const QPointF &position) const;
    /// Where a trial's dot is, in the plot's pixels.
    [[nodiscard]] QPointF positionOf(RunId trial) const;
    /// Rings a trial's dot; an id without one (negative, or of no figure) removes the ring.
    void mark(RunId id);

Q_SIGNALS:
    /// A trial's dot was clicked; only where trials have rows.
    void clicked(qint64 trial);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    static constexpr std::size_t maxGroups = 6;

    void makeGraphs();
    void connectAll();
    void clear();
    void grow();
    void retireDots();
    void style();
    void redraw();
    void fitAxes();
    void nameGroups();
    /// The range that the vertical axis has to cover: at least the best nine tenths of the trials, the bars, and a bound near
    /// them. {HUGE_VAL, 0} if there is nothing to cover.
    [[nodiscard]] std::pair<double, double> valueRange() const;
    void drawLevels();
    void placeName(std::size_t line, const HistoryModel::Level &level, bool below);
    void hover(const QPoint &position);
    /// The meaning of the legend's word or the axis under the pointer; empty if there is none.
    [[nodiscard]] QString meaningAt(const QPoint &position) const;

    const Theme &m_theme;
    const HistoryModel &m_model;
    QCustomPlot *m_plot;
    PlotOrText *m_pages;
    QCPGraph *m_best = nullptr, *m_hitRate = nullptr;
    std::array<QCPGraph *, maxGroups> m_oldDots{}, m_dots{};
    QCPItemTracer *m_mark = nullptr;
    std::vector<QCPItemStraightLine *> m_lines;
    std::vector<QCPItemText *> m_names;
    std::optional<RunId> m_marked;
    std::size_t m_drawn = 0; ///< trials drawn so far
    double m_bestSoFar = 0, m_highestRate = 0;
    QTimer m_redraw; ///< at most ten times a second, however fast trials come
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

class QCPGraph;
class QCPItemStraightLine;
class QCPItemTracer;
class QCustomPlot;

namespace syncopate {
struct PlannedCosts;
}

namespace syncopate::ui {

class PlotOrText;
class Theme;

/// Seconds over size of one kind of collective, both logarithmic: a line for each cut and channel, in the channel's colour and
/// the cut's stroke, with dots where it was measured; the model's prediction for a measured curve is thin. Rings mark crossovers
/// of two curves, filled ones where the fastest changes; dotted lines mark the sizes in the DAG.
class PlanCostPlot final : public QWidget {
    Q_OBJECT
public:
    explicit PlanCostPlot(const Theme &theme, QWidget *parent = nullptr);

    void setCosts(std::shared_ptr<const PlannedCosts> costs, std::size_t kind);
    /// Rings the crossover with this index; -1: none.
    void mark(int crossover);

    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    /// Per curve; null for one that equals another.
    [[nodiscard]] const std::vector<QCPGraph *> &lines() const { return m_lines; }
    [[nodiscard]] QCPGraph &crossovers() { return *m_crossovers; }
    [[nodiscard]] QCPGraph &fastestCrossovers() { return *m_fastest; }
    /// Describes the crossover or curve at a position; empty: none.
    [[nodiscard]] QString describeAt(const QPointF &position) const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void redraw();
    /// Fits legend, numbers and caption into the plot's size.
    void fit();
    void style();
    void drawSizes();

    const Theme &m_theme;
    std::shared_ptr<const PlannedCosts> m_costs;
    std::size_t m_kind = 0;
    QCustomPlot *m_plot;
    PlotOrText *m_pages;
    QCPGraph *m_crossovers = nullptr, *m_fastest = nullptr;
    QCPItemTracer *m_mark;
    std::vector<QCPGraph *> m_lines;
    std::vector<QCPItemStraightLine *> m_sizes;
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/throughput/curve_entry.h"

#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

class QCPGraph;
class QCustomPlot;

namespace syncopate::ui {

class PlotOrText;
class Theme;

/// Throughput over workers: every shown curve with its confidence intervals and measured points, and for the current one the
/// coarse models, the bottleneck point and what saturates there. A point can be marked by mouse or keyboard.
class ThroughputPlot final : public QWidget {
    Q_OBJECT
public:
    explicit ThroughputPlot(const Theme &theme, QWidget *parent = nullptr);

    /// Draws `entries`, which must outlive the next call.
    void show(const std::vector<CurveEntry> &entries, std::size_t current, const CurveOptions &options);
    /// Marks a point of the current curve; 0 workers: none.
    void mark(std::int32_t workers);
    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    /// A sentence about the bottleneck point of a curve, empty if there is none yet.
    [[nodiscard]] static QString bottleneckText(const Forecast &forecast);

Q_SIGNALS:
    /// A predicted point of a shown curve was clicked.
    void opened(std::size_t entry, std::int32_t workers);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Dot {
        std::size_t entry = 0;
        std::int32_t workers = 0;
        double value = 0;
        bool measured = false;
    };
    void draw();
    void drawCurve(std::size_t entry);
    void drawMeasured(std::size_t entry);
    void drawModels(const CurveEntry &entry);
    void drawBottleneck(const CurveEntry &entry);
    void drawMark();
    void nameRates(); ///< by the unit of the shown curves
    void fitAxes();
    void fitLegend(); ///< cuts the curves' names where it has no room for them; the list beside the plot shows them in full
    void hover(const QPoint &position);
    [[nodiscard]] std::optional<Dot> dotAt(const QPointF &position) const;
    [[nodiscard]] QString dotText(const Dot &dot) const;

    const Theme &m_theme;
    QCustomPlot *m_plot;
    PlotOrText *m_pages;
    std::vector<CurveEntry> m_entries;
    std::size_t m_current = 0;
    CurveOptions m_options;
    std::int32_t m_marked = 0;
    std::vector<Dot> m_dots;                                  ///< dots that can be hovered
    std::vector<std::pair<QCPGraph *, std::size_t>> m_curves; ///< drawn, with their entries
};

} // namespace syncopate::ui

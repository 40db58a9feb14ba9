// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/plot_parts.h"
#include "ui/runs/tune_run.h"
#include "ui/runs/tuner_paths.h"
#include "ui/session/session.h"

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate::ui {

class PlotOrText;
class Theme;

/// The map of a TuneRun as colours, with the fastest setting, the default, those of A and B, and each tuner's path: dots where it
/// looked, a line through its successive best settings. Points not judged yet borrow the colour of the nearest known ones, paler.
/// A click puts a cell on B; on the keyboard the arrows move between cells, and A and B put one on that side.
class LandscapePlot final : public QWidget {
    Q_OBJECT
public:
    enum class Measure : std::uint8_t { SamplesPerSecond, IterationTime };

    LandscapePlot(const Theme &theme, const Session &session, QWidget *parent = nullptr);

    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    [[nodiscard]] const QCPColorMap &map() const { return *m_heat.map; }
    /// Draws a run; null draws none.
    void setRun(std::shared_ptr<const TuneRun> run);
    void setMeasure(Measure measure);
    /// Marks the settings of A and B again: they change independently of the run.
    void refreshMarks();
    /// Draws that tuner's path in full; none: all alike.
    void select(std::optional<std::size_t> tuner);

    /// Centre of a point's cell, in pixels of the plot.
    [[nodiscard]] QPoint cellAt(std::size_t point) const;
    /// "partition=4 MiB, credit=16 MiB: 449 ms an iteration, ..."
    [[nodiscard]] QString describe(std::size_t point) const;
    [[nodiscard]] const TunerPaths &paths() const { return *m_paths; }
    [[nodiscard]] const QCPCurve &fastest() const { return *m_fastest; }

Q_SIGNALS:
    /// A cell was clicked, or chosen with a key.
    void picked(std::size_t point, syncopate::Side side);
    /// The cell under the pointer or the keyboard's mark changed.
    void pointed(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeItems();
    [[nodiscard]] QCPCurve *makeMark(const QString &name);
    void refresh();
    void style();
    void styleMark(QCPCurve &mark, QCPScatterStyle::ScatterShape shape, double size, const QColor &color);
    void setAxes();
    void setAxis(QCPAxis &axis, std::size_t index, int pixelsPerLabel);
    void fillCells();
    void setColors(double min, double max);
    void drawMark(QCPCurve &mark, const std::optional<std::vector<double>> &values);
    void moveTo(std::optional<std::size_t> point);
    [[nodiscard]] std::optional<std::size_t> pointAt(const QPointF &position) const;
    /// The known point nearest to a cell; none while no point is known.
    [[nodiscard]] std::optional<std::size_t> nearestKnown(std::size_t i, std::size_t j) const;
    [[nodiscard]] double valueOf(const TuneStep &step) const;
    void hover(const QPoint &position);
    void walk(int key);

    const Theme &m_theme;
    const Session &m_session;
    std::shared_ptr<const TuneRun> m_run;
    Measure m_measure = Measure::SamplesPerSecond;
    QCustomPlot *m_plot;
    PlotOrText *m_pages;
    HeatMap m_heat;
    QCPCurve *m_fastest = nullptr, *m_usual = nullptr, *m_a = nullptr, *m_b = nullptr;
    std::optional<TunerPaths> m_paths; ///< created with the plot
    std::optional<std::size_t> m_selected, m_cell;
    QCPItemRect *m_cellMark = nullptr;
};

} // namespace syncopate::ui

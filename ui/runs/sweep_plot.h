// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/knobs/knob.h"
#include "ui/runs/sweep_model.h"
#include "ui/session/session.h"

#include <QSharedPointer>
#include <QWidget>
#include <array>
#include <utility>

class QCPAxis;
class QCPAxisTicker;
class QCPColorMap;
class QCPColorScale;
class QCPGraph;
class QCPItemStraightLine;
class QCPItemTracer;
class QCustomPlot;

namespace syncopate::ui {

class PlotOrText;
class Theme;

/// The points of a sweep as a picture: for one dimension a curve of A and B, for two a heat map. Marks the session's setting; a
/// click picks the values under the pointer.
class SweepPlot final : public QWidget {
    Q_OBJECT
public:
    enum class Measure : std::uint8_t { IterationTime, SamplesPerSecond };
    enum class Shown : std::uint8_t { A, B, Difference }; ///< in a map

    SweepPlot(const Theme &theme, const Session &session, const SweepModel &model, QWidget *parent = nullptr);

    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    void setShown(Measure measure, Shown shown);
    /// Draws the model's sweep.
    void refresh();
    /// Says in the plot's place why there is no sweep; empty: nothing is in its way.
    void setEmptyText(const QString &text);
    /// Marks the session's setting again: it changes independently of the sweep.
    void refreshMarks();

Q_SIGNALS:
    /// The position of a click, in the units of the swept dimensions; `y` only for a map.
    void picked(double x, double y);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeItems();
    /// Names the axes, where there is room for it.
    void captionAxes();
    void refreshScale();
    void drawCurves();
    void drawMap();
    /// Fills the map's cells. Returns the smallest and the largest value; max < min if there is none.
    [[nodiscard]] std::pair<double, double> fillCells();
    void setColors(double least, double most);
    void mark();
    void markDots(bool visible);
    void clicked(const QPointF &position);
    [[nodiscard]] QSharedPointer<QCPAxisTicker> measureTicker() const;
    [[nodiscard]] QSharedPointer<QCPAxisTicker> decadesTicker() const; ///< the same, for a logarithmic axis
    [[nodiscard]] double valueOf(const SweepPoint &point) const;
    void setAxis(QCPAxis &axis, const SweepAxis &values);

    const Theme &m_theme;
    const Session &m_session;
    const SweepModel &m_model;
    Measure m_measure = Measure::IterationTime;
    Shown m_shown = Shown::A;
    QCustomPlot *m_plot;
    PlotOrText *m_pages;
    std::array<QCPGraph *, 2> m_curves{};
    QCPColorMap *m_map = nullptr;
    QCPColorScale *m_scale = nullptr;
    QCPItemStraightLine *m_markX = nullptr, *m_markY = nullptr;
    std::array<QCPItemTracer *, 2> m_dots{};
};

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/pareto_plot.h"

#include "ui/runs/plot_parts.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"

#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr double reach = 12; ///< pixels from a dot that still hit it

/// Margin around the values, so that no dot is clipped.
QCPRange padded(double min, double max, bool byFactors) {
    if (byFactors) {
        const double factor = std::pow(max / min, 0.06);
        return {min / factor, max * factor};
    }
    const double room = max > min ? 0.06 * (max - min) : 0.1 * max;
    return {min - room, max + room};
}

void setScale(QCPAxis &axis, QCPRange values, bool isTime) {
    const bool byFactors = values.lower > 0 && spansDecades(values.lower, values.upper);
    axis.setScaleType(byFactors ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (isTime && byFactors)
        axis.setTicker(QSharedPointer<SecondsTicker<QCPAxisTickerLog>>::create());
    else if (isTime)
        axis.setTicker(QSharedPointer<SecondsTicker<>>::create());
    else if (byFactors)
        axis.setTicker(QSharedPointer<NumbersTicker<QCPAxisTickerLog>>::create());
    else
        axis.setTicker(QSharedPointer<NumbersTicker<>>::create());
    axis.setRange(padded(values.lower, values.upper, byFactors));
}

} // namespace

ParetoPlot::ParetoPlot(const Theme &theme, const ScenariosModel &model, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_model(model), m_plot(new QCustomPlot) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    m_plot->setMinimumSize(200, 100);
    m_plot->setAccessibleName(tr("Cost against time of the scenarios, with the Pareto front"));
    m_front = m_plot->addGraph();
    m_front->setName(tr("Pareto front"));
    m_front->setLineStyle(QCPGraph::lsStepLeft);
    const std::array names{tr("kept"), tr("search"), tr("sweep")};
    for (const RowSource source : {RowSource::Sweep, RowSource::Search, RowSource::Kept}) { // the last is drawn on top
        QCPGraph *dots = m_plot->addGraph();
        dots->setName(names[static_cast<std::size_t>(source)]);
        dots->setLineStyle(QCPGraph::lsNone);
        m_dots[static_cast<std::size_t>(source)] = dots;
    }
    m_mark = m_plot->addGraph();
    m_mark->setLineStyle(QCPGraph::lsNone);
    layLegendAbove(*m_plot);
    m_mark->removeFromLegend();
    m_plot->xAxis->setLabelPadding(0);
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(100);
    connect(&m_redraw, &QTimer::timeout, this, &ParetoPlot::redraw);
    connect(&model, &QAbstractItemModel::modelReset, this, &ParetoPlot::redrawSoon);
    connect(&model, &QAbstractItemModel::dataChanged, this, &ParetoPlot::redrawSoon);
    connect(&theme, &Theme::themeChanged, this, [this] {
        style();
        redraw();
    });
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent *move) {
        const int row = rowAt(move->pos());
        if (row < 0)
            QToolTip::hideText();
        else
            QToolTip::showText(m_plot->mapToGlobal(move->pos()), plainTip(m_model.describe(row)), m_plot);
    });
    connect(m_plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent *press) {
        if (const int row = rowAt(press->pos()); row >= 0)
            Q_EMIT picked(row);
    });
    style();
    redraw();
}

QPointF ParetoPlot::placeOf(int row) const {
    const ScenarioRow &own = m_model.rows()[static_cast<std::size_t>(row)];
    const double samples =
        m_model.comparesSamples() ? own.figures.samplesPerSecond * own.figures.iterationSeconds : 1; // only of drawn rows
    const double nowhere = std::numeric_limits<double>::quiet_NaN();
    return std::isnan(own.objectives().cost) ? QPointF(nowhere, nowhere)
                                             : QPointF(own.figures.iterationSeconds, m_model.costOf(row)) / samples;
}

int ParetoPlot::rowAt(const QPoint &position) const {
    int nearest = -1;
    double minSquare = reach * reach;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QPointF place = placeOf(row);
        const double x = m_plot->xAxis->coordToPixel(place.x()) - position.x();
        const double y = m_plot->yAxis->coordToPixel(place.y()) - position.y();
        if (x * x + y * y < minSquare) { // false if it is not drawn
            minSquare = x * x + y * y;
            nearest = row;
        }
    }
    return nearest;
}

void ParetoPlot::style() {
    stylePlot(*m_plot, m_theme);
    const QColor accent = m_theme.color(ColorId::Accent);
    m_front->setPen(QPen(accent, 1.6));
    m_front->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, accent, 11));
    const auto dot = [this](RowSource source, QCPScatterStyle::ScatterShape shape, ColorId color, double size) {
        m_dots[static_cast<std::size_t>(source)]->setScatterStyle(
            QCPScatterStyle(shape, m_theme.color(color), m_theme.color(color), size));
    };
    dot(RowSource::Kept, QCPScatterStyle::ssCircle, ColorId::AllReduce, 6);
    dot(RowSource::Search, QCPScatterStyle::ssSquare, ColorId::Push, 5);
    dot(RowSource::Sweep, QCPScatterStyle::ssDisc, ColorId::DimText, 4);
    m_mark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(m_theme.color(ColorId::Text), 2), Qt::NoBrush, 13));
    m_plot->legend->setBrush(Qt::NoBrush);
    m_plot->legend->setBorderPen(Qt::NoPen);
}

void ParetoPlot::mark(int row) {
    m_marked = row;
    redrawSoon();
}

void ParetoPlot::redrawSoon() {
    if (!m_redraw.isActive())
        m_redraw.start();
}

void ParetoPlot::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    redrawSoon();
}

void ParetoPlot::redraw() {
    for (QCPGraph *graph : {m_front, m_mark, m_dots[0], m_dots[1], m_dots[2]})
        graph->data()->clear();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    QCPRange times, costs;
    times.lower = costs.lower = infinity; // merging the two ranges would swap the bounds
    times.upper = costs.upper = -infinity;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QPointF place = placeOf(row);
        if (std::isnan(place.x()))
            continue;
        m_dots[static_cast<std::size_t>(m_model.rows()[static_cast<std::size_t>(row)].source)]->addData(place.x(), place.y());
        if (m_model.isOnFront(row))
            m_front->addData(place.x(), place.y());
        if (row == m_marked)
            m_mark->addData(place.x(), place.y());
        times.lower = std::min(times.lower, place.x());
        times.upper = std::max(times.upper, place.x());
        costs.lower = std::min(costs.lower, place.y());
        costs.upper = std::max(costs.upper, place.y());
    }
    // If memory is weighed, points of the front may lie above a line through the others.
    m_front->setLineStyle(m_model.weighsMemory() ? QCPGraph::lsNone : QCPGraph::lsStepLeft);
    const bool any = times.lower < infinity;
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis})
        axis->setTickLabels(any);
    const QString unit = m_model.hasPrice() ? tr("cost") : tr("node-seconds");
    if (!m_model.comparesSamples()) {
        m_plot->xAxis->setLabel(tr("iteration"));
        m_plot->yAxis->setLabel(tr("%1 of a step").arg(unit));
    } else {
        const bool steps = m_model.countsSteps();
        m_plot->xAxis->setLabel(steps ? tr("time of a worker's step") : tr("time of a sample"));
        m_plot->yAxis->setLabel((steps ? tr("%1 of a worker's step") : tr("%1 of a sample")).arg(unit));
    }
    if (any) {
        setScale(*m_plot->xAxis, times, true);
        setScale(*m_plot->yAxis, costs, false);
    }
    fitLegendAbove(*m_plot, size());
    fitNumbers(*m_plot);
    replotWhenSeen(*m_plot);
}

} // namespace syncopate::ui

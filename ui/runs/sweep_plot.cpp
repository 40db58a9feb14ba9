// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/sweep_plot.h"

#include "engine/job/batch.h"
#include "ui/knobs/knob_bindings.h"
#include "ui/runs/plot_parts.h"
#include "ui/theme/plot_or_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/theme.h"

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace syncopate::ui {

namespace {

/// Cell borders of a colour map are half a step beyond its first and last value; on a logarithmic axis steps are factors.
double toMap(const KnobInfo &info, double value) {
    return info.logarithmic ? std::log10(std::clamp(value, 1e-300, 1e300)) : value; // infinity is a value, too
}

/// The cells of a colour map along one axis: the places of the first and the last one, and the value that each shows.
struct MapCells {
    QCPRange range;
    std::vector<std::size_t> valueOf;
};

/// Half the mean distance of the values on the map's axis: how far it reaches beyond the first and the last one.
double halfStep(double first, double last, std::size_t count) {
    return count > 1 ? (last - first) / static_cast<double>(count - 1) / 2 : 0.5;
}

/// A colour map has equal cells. Values that are not evenly spaced on its axis get many narrow ones, each of which shows the
/// nearest value.
MapCells cellsOf(const KnobInfo &info, const std::vector<double> &values) {
    constexpr std::size_t narrowCells = 512;
    constexpr double even = 0.01; // of a step, and less than a pixel
    std::vector<double> places;
    for (const double value : values)
        places.push_back(toMap(info, value));
    const double first = places.front(), last = places.back(), half = halfStep(first, last, places.size());
    MapCells cells{{first, last}, {}};
    bool isEven = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
        isEven = isEven && std::abs(places[i] - (first + 2 * half * static_cast<double>(i))) <= even * 2 * half;
        cells.valueOf.push_back(i);
    }
    if (isEven)
        return cells;
    const double width = (last - first + 2 * half) / static_cast<double>(narrowCells);
    cells = {{first - half + width / 2, last + half - width / 2}, {}};
    std::size_t nearest = 0;
    for (std::size_t c = 0; c < narrowCells; ++c) {
        const double place = cells.range.lower + width * static_cast<double>(c);
        while (nearest + 1 < places.size() && std::abs(places[nearest + 1] - place) < std::abs(places[nearest] - place))
            ++nearest;
        cells.valueOf.push_back(nearest);
    }
    return cells;
}

/// Ticks of a logarithmic knob in a colour map, whose own axes must be linear: positions are logarithms, labels are values.
class KnobTicker final : public QCPAxisTicker {
public:
    explicit KnobTicker(KnobInfo info) : m_info(std::move(info)) {}

protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override {
        return m_info.format(m_info.logarithmic ? std::pow(10, tick) : tick);
    }
    double getTickStep(const QCPRange &range) override {
        const double step = QCPAxisTicker::getTickStep(range);
        return m_info.logarithmic || m_info.integer ? std::max(1.0, std::round(step)) : step;
    }

private:
    KnobInfo m_info;
};

} // namespace

SweepPlot::SweepPlot(const Theme &theme, const Session &session, const SweepModel &model, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_session(session), m_model(model), m_plot(new QCustomPlot),
      m_pages(new PlotOrText(m_plot)) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    makeItems();
    connect(&model, &QAbstractItemModel::modelReset, this, &SweepPlot::refresh);
    connect(&model, &QAbstractItemModel::dataChanged, this, &SweepPlot::refresh);
    connect(&theme, &Theme::themeChanged, this, &SweepPlot::refresh);
    refresh();
}

void SweepPlot::setEmptyText(const QString &text) { m_pages->setText(text); }

void SweepPlot::makeItems() {
    m_plot->setMinimumSize(200, 100);
    m_plot->setAccessibleName(tr("Sweep"));
    for (std::size_t s = 0; s < 2; ++s) {
        m_curves[s] = m_plot->addGraph();
        m_curves[s]->setName(s == 0 ? QStringLiteral("A") : QStringLiteral("B"));
    }
    const HeatMap heat = addHeatMap(*m_plot);
    m_map = heat.map;
    m_scale = heat.scale;
    m_markX = new QCPItemStraightLine(m_plot);
    m_markY = new QCPItemStraightLine(m_plot);
    for (QCPItemTracer *&dot : m_dots) {
        dot = new QCPItemTracer(m_plot);
        dot->setStyle(QCPItemTracer::tsCircle);
        dot->setSize(8);
    }
    connect(m_plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent *press) {
        if (press->button() == Qt::LeftButton)
            clicked(press->pos());
    });
}

void SweepPlot::setShown(Measure measure, Shown shown) {
    m_measure = measure;
    m_shown = shown;
    refresh();
}

QSharedPointer<QCPAxisTicker> SweepPlot::measureTicker() const {
    if (m_measure == Measure::IterationTime)
        return QSharedPointer<SecondsTicker<QCPAxisTicker>>::create();
    return QSharedPointer<NumbersTicker<QCPAxisTicker>>::create();
}

QSharedPointer<QCPAxisTicker> SweepPlot::decadesTicker() const {
    if (m_measure == Measure::IterationTime)
        return QSharedPointer<SecondsTicker<QCPAxisTickerLog>>::create();
    return QSharedPointer<NumbersTicker<QCPAxisTickerLog>>::create();
}

double SweepPlot::valueOf(const SweepPoint &point) const {
    return m_measure == Measure::IterationTime ? point.iterationSeconds : point.samplesPerSecond;
}

void SweepPlot::setAxis(QCPAxis &axis, const SweepAxis &values) {
    const KnobInfo info = knobBindings()[values.dimension].info;
    axis.setTicker(QSharedPointer<KnobTicker>::create(info));
    axis.setLabel(info.name);
    axis.setSubTicks(false);
    const double first = toMap(info, values.values.front()), last = toMap(info, values.values.back());
    const double half = halfStep(first, last, values.values.size());
    axis.setRange(first - half, last + half);
}

void SweepPlot::refreshScale() {
    const bool map = m_model.sweep() && m_model.sweep()->y;
    m_map->setVisible(map);
    m_scale->setVisible(map);
    m_scale->setMinimumMargins(map ? QMargins(6, 0, 6, 0) : QMargins(0, 0, 0, 0));
    m_scale->setBarWidth(map ? 12 : 0);
    m_scale->axis()->setVisible(map);
}

void SweepPlot::refresh() {
    stylePlot(*m_plot, m_theme);
    const auto &sweep = m_model.sweep();
    for (QCPGraph *curve : m_curves)
        curve->data()->clear();
    refreshScale();
    m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    m_plot->legend->setRowSpacing(-6);
    m_plot->legend->setMargins({4, 1, 4, 1});
    m_plot->legend->setVisible(sweep && !sweep->y && sweep->state.compare);
    if (!sweep) {
        m_plot->xAxis->setLabel({});
        m_plot->yAxis->setLabel({});
    } else if (sweep->y) {
        drawMap();
    } else {
        drawCurves();
    }
    captionAxes();
    if (sweep)
        fitNumbers(*m_plot);
    refreshMarks();
    m_pages->setEmpty(!m_model.sweep());
}

void SweepPlot::captionAxes() {
    const auto &sweep = m_model.sweep();
    if (!sweep || sweep->y) // a map's axes are knobs: always named
        return;
    const bool roomy = height() >= lowPlot; // else the boxes beside the plot say it
    m_plot->xAxis->setLabel(roomy ? knobBindings()[sweep->x.dimension].info.name : QString());
    const QString measure = m_measure == Measure::IterationTime ? tr("iteration") : rateUnitText(statesBatch(*sweep->state.job));
    m_plot->yAxis->setLabel(roomy ? measure : QString());
}

void SweepPlot::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    captionAxes();
    if (m_model.sweep())
        fitNumbers(*m_plot);
    replotWhenSeen(*m_plot);
}

void SweepPlot::refreshMarks() {
    mark();
    replotWhenSeen(*m_plot);
}

void SweepPlot::drawCurves() {
    const KnobInfo info = knobBindings()[m_model.sweep()->x.dimension].info;
    double least = HUGE_VAL, most = 0;
    for (std::size_t s = 0; s < 2; ++s) {
        m_curves[s]->setPen(QPen(m_theme.color(s == 0 ? ColorId::Accent : ColorId::Worse), 2));
        for (std::size_t i = 0; i < m_model.sweep()->points[s].size(); ++i)
            if (const double value = valueOf(m_model.sweep()->points[s][i]); !std::isnan(value)) {
                m_curves[s]->addData(toMap(info, m_model.sweep()->x.values[i]), value);
                least = std::min(least, value);
                most = std::max(most, value);
            }
    }
    setAxis(*m_plot->xAxis, m_model.sweep()->x);
    // From zero, so that half the height is half the time; but if values span decades, the small ones would all look like zero.
    const bool decades = least > 0 && most > 30 * least;
    m_plot->yAxis->setScaleType(decades ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_plot->yAxis->setTicker(decades ? decadesTicker() : measureTicker());
    if (decades)
        m_plot->yAxis->setRange(least / 1.3, most * 1.3);
    else
        m_plot->yAxis->setRange(0, most > 0 ? most * 1.08 : 1);
}

std::pair<double, double> SweepPlot::fillCells() {
    const std::vector<KnobBinding> knobs = knobBindings();
    const auto cellsAlong = [&knobs](const SweepAxis &axis) { return cellsOf(knobs[axis.dimension].info, axis.values); };
    const MapCells x = cellsAlong(m_model.sweep()->x), y = cellsAlong(*m_model.sweep()->y);
    const auto columns = static_cast<int>(x.valueOf.size()), rows = static_cast<int>(y.valueOf.size());
    m_map->data()->setSize(columns, rows);
    m_map->data()->setRange(x.range, y.range);
    const bool difference = m_shown == Shown::Difference;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < columns; ++i)
        for (int j = 0; j < rows; ++j) {
            const std::size_t at = x.valueOf[static_cast<std::size_t>(i)] * m_model.sweep()->y->values.size() +
                                   y.valueOf[static_cast<std::size_t>(j)];
            const auto of = [&](std::size_t side) {
                return at < m_model.sweep()->points[side].size() ? valueOf(m_model.sweep()->points[side][at])
                                                                 : std::numeric_limits<double>::quiet_NaN();
            };
            const double value = difference ? of(1) - of(0) : of(m_shown == Shown::B ? 1 : 0);
            m_map->data()->setCell(i, j, value);
            m_map->data()->setAlpha(i, j, std::isnan(value) ? 0 : 255);
            if (!std::isnan(value)) {
                least = std::min(least, value);
                most = std::max(most, value);
            }
        }
    return {least, most};
}

void SweepPlot::setColors(double least, double most) {
    const bool difference = m_shown == Shown::Difference;
    QCPColorGradient gradient = viridis();
    if (difference) {
        const double reach = std::max({std::abs(least), std::abs(most), 1e-9});
        gradient.clearColorStops();
        const bool lessIsBetter = m_measure == Measure::IterationTime;
        gradient.setColorStopAt(0, m_theme.color(lessIsBetter ? ColorId::Better : ColorId::Worse));
        gradient.setColorStopAt(0.5, m_theme.color(ColorId::TimelineBackground));
        gradient.setColorStopAt(1, m_theme.color(lessIsBetter ? ColorId::Worse : ColorId::Better));
        least = -reach;
        most = reach;
    }
    m_map->setGradient(gradient);
    if (least <= most)
        m_map->setDataRange({least, std::max(most, least + 1e-9)});
    const bool decades = !difference && spansDecades(least, most);
    m_map->setDataScaleType(decades ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_scale->axis()->setTicker(decades ? decadesTicker() : measureTicker());
}

void SweepPlot::drawMap() {
    const auto [least, most] = fillCells();
    setColors(least, most);
    const auto &sweep = m_model.sweep();
    m_plot->yAxis->setScaleType(QCPAxis::stLinear);
    setAxis(*m_plot->xAxis, sweep->x);
    setAxis(*m_plot->yAxis, *sweep->y);
}

void SweepPlot::mark() {
    const SessionState &state = m_session.state();
    const bool shown = m_model.sweep() && state.job && state.cluster;
    const std::vector<KnobBinding> knobs = knobBindings();
    // On viridis, dark for short times, white is most visible; elsewhere the text colour.
    const bool onViridis = shown && m_model.sweep()->y && m_shown != Shown::Difference;
    const QColor color = onViridis ? QColor(Qt::white) : m_theme.color(ColorId::Text);
    m_markX->setVisible(shown);
    m_markY->setVisible(shown && m_model.sweep()->y);
    if (shown) {
        const KnobBinding &x = knobs[m_model.sweep()->x.dimension];
        const double at = toMap(x.info, x.value(state));
        m_markX->point1->setCoords(at, 1); // a logarithmic axis has no 0
        m_markX->point2->setCoords(at, 2);
        m_markX->setPen(QPen(color, 1, Qt::DashLine));
        if (m_model.sweep()->y) {
            const KnobBinding &y = knobs[m_model.sweep()->y->dimension];
            const double level = toMap(y.info, y.value(state));
            m_markY->point1->setCoords(0, level);
            m_markY->point2->setCoords(1, level);
            m_markY->setPen(QPen(color, 1, Qt::DashLine));
        }
    }
    markDots(shown && !m_model.sweep()->y);
}

void SweepPlot::markDots(bool visible) {
    // The dots are the present runs themselves, so that curve and timelines can be checked against each other.
    const SessionState &state = m_session.state();
    for (std::size_t s = 0; s < 2; ++s) {
        const auto side = static_cast<Side>(s);
        const auto run = m_session.run(side);
        // The run before the present one would be drawn at a setting that it does not have.
        const bool has = visible && run && (s == 0 || state.compare) && !m_session.isMarkedStale(side);
        m_dots[s]->setVisible(has);
        if (!has)
            continue;
        const KnobBinding x = knobBindings()[m_model.sweep()->x.dimension];
        m_dots[s]->position->setCoords(toMap(x.info, x.value(state)),
                                       valueOf({.iterationSeconds = run->recording().iterationSeconds,
                                                .samplesPerSecond = run->recording().samplesPerSecond,
                                                .error = {}}));
        m_dots[s]->setPen(QPen(m_theme.color(ColorId::Text)));
        m_dots[s]->setBrush(m_theme.color(s == 0 ? ColorId::Accent : ColorId::Worse));
    }
}

void SweepPlot::clicked(const QPointF &position) {
    if (!m_model.sweep() || !m_plot->axisRect()->rect().contains(position.toPoint()))
        return;
    const std::vector<KnobBinding> knobs = knobBindings();
    const auto picked = [&](std::size_t dimension, double coordinate) {
        const KnobInfo &info = knobs[dimension].info;
        const double value = std::clamp(info.logarithmic ? std::pow(10, coordinate) : coordinate, info.least, info.most);
        // Three digits, as when a knob is dragged.
        return info.integer ? std::round(value) : QString::number(value, 'g', 3).toDouble();
    };
    const double x = picked(m_model.sweep()->x.dimension, m_plot->xAxis->pixelToCoord(position.x()));
    Q_EMIT this->picked(x, m_model.sweep()->y ? picked(m_model.sweep()->y->dimension, m_plot->yAxis->pixelToCoord(position.y()))
                                              : 0);
}

} // namespace syncopate::ui

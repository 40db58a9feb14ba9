// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/landscape_plot.h"

#include "ui/knobs/knob_names.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/plot_or_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr int keyPixels = 62, valuePixels = 18; ///< size of a tick label
constexpr int unknownAlpha = 110;               ///< of 255: a cell that only borrows its neighbour's value

/// Half a cell's width, in coordinates of an axis with this many values.
double halfCell(std::size_t count) { return count > 1 ? 0.5 / static_cast<double>(count - 1) : 0.5; }
double coordinateOf(std::size_t place, std::size_t count) {
    return count > 1 ? static_cast<double>(place) / static_cast<double>(count - 1) : 0;
}

/// If all names would take too much of a low plot, only the marks keep theirs; the table names the tuners.
void fitLegend(QCustomPlot &plot, const QCPColorScale &scale, const TuneRun *run, const TunerPaths &paths) {
    const QSize room = plot.parentWidget()->size() - QSize(scale.minimumSize().width(), 0);
    fitLegendAbove(plot, room);
    if (plot.legend->visible() || !run || !run->hasMap())
        return;
    for (std::size_t t = 0; t < run->tuners.size(); ++t)
        if (auto *entry = plot.legend->itemWithPlottable(&paths.lineOf(t)))
            plot.legend->removeItem(entry);
    fitLegendAbove(plot, room);
    if (!plot.legend->visible()) // too low for its rows: a single one, if it is wide enough for whole names
        showLegendAbove(*plot.legend, plot.legend->minimumOuterSizeHint().width() <= room.width());
}

} // namespace

LandscapePlot::LandscapePlot(const Theme &theme, const Session &session, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_session(session), m_plot(new QCustomPlot),
      m_pages(new PlotOrText(m_plot, tr("Map of settings: speed of training over two of them, and the paths of tuners"))) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    m_plot->setMinimumSize(240, 100);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setAccessibleName(tr("Map of settings"));
    m_plot->setAccessibleDescription(
        tr("Speed of training over two settings. Arrows: walk over the cells, Enter or B: take one into "
           "B, A: into A."));
    m_plot->installEventFilter(this);
    makeItems();
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent *move) { hover(move->pos()); });
    connect(m_plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent *press) {
        if (const auto point = press->button() == Qt::LeftButton ? pointAt(press->pos()) : std::nullopt)
            Q_EMIT picked(*point, Side::B);
    });
    connect(&theme, &Theme::themeChanged, this, &LandscapePlot::refresh);
    refresh();
}

void LandscapePlot::makeItems() {
    layLegendAbove(*m_plot);
    m_heat = addHeatMap(*m_plot);
    m_cellMark = new QCPItemRect(m_plot);
    m_cellMark->setBrush(Qt::NoBrush);
    m_cellMark->setVisible(false);
    m_paths.emplace(*m_plot);
    m_usual = makeMark(tr("default"));
    m_a = makeMark(tr("A"));
    m_b = makeMark(tr("B"));
    m_fastest = makeMark(tr("fastest"));
}

QCPCurve *LandscapePlot::makeMark(const QString &name) {
    auto *mark = new QCPCurve(m_plot->xAxis, m_plot->yAxis);
    mark->setName(name);
    mark->setLineStyle(QCPCurve::lsNone);
    mark->setLayer(QStringLiteral("axes")); // above the tuners' paths
    return mark;
}

void LandscapePlot::setRun(std::shared_ptr<const TuneRun> run) {
    if (!run || !run->hasMap() || !m_run || run->plan.counts != m_run->plan.counts)
        m_cell.reset(); // a run that failed has no cells
    m_run = std::move(run);
    refresh();
}

void LandscapePlot::setMeasure(Measure measure) {
    m_measure = measure;
    refresh();
}

void LandscapePlot::select(std::optional<std::size_t> tuner) {
    m_selected = tuner;
    refresh();
}

double LandscapePlot::valueOf(const TuneStep &step) const {
    return m_measure == Measure::SamplesPerSecond ? step.samplesPerSecond : step.iterationSeconds;
}

void LandscapePlot::styleMark(QCPCurve &mark, QCPScatterStyle::ScatterShape shape, double size, const QColor &color) {
    mark.setScatterStyle(QCPScatterStyle(shape, QPen(QColor(20, 20, 20), 1.2), color, size));
}

void LandscapePlot::style() {
    stylePlot(*m_plot, m_theme);
    m_plot->legend->setBrush(Qt::NoBrush);
    m_plot->legend->setBorderPen(Qt::NoPen);
    styleMark(*m_usual, QCPScatterStyle::ssSquare, 14, QColor(255, 255, 255, 120));
    styleMark(*m_a, QCPScatterStyle::ssCircle, 10, m_theme.color(ColorId::Accent));
    styleMark(*m_b, QCPScatterStyle::ssCircle, 10, m_theme.color(ColorId::Worse));
    // White is best visible on viridis, but not in a light legend.
    const QPen star(QColor(m_theme.isDark() ? Qt::white : Qt::black), 2.2);
    m_fastest->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssStar, star, Qt::NoBrush, 14));
    m_cellMark->setPen(QPen(QColor(Qt::white), 2));
}

void LandscapePlot::refresh() {
    style();
    const bool any = m_run && m_run->hasMap();
    m_pages->setEmpty(!any);
    m_heat.map->setVisible(any);
    m_heat.scale->setVisible(any);
    if (any) {
        setAxes();
        fillCells();
    }
    m_paths->draw(any ? m_run.get() : nullptr, m_selected);
    moveTo(m_cell);
    refreshMarks();
}

void LandscapePlot::setAxis(QCPAxis &axis, std::size_t index, int pixelsPerLabel) {
    const TuneAxis &of = m_run->plan.axes[index];
    const std::size_t count = m_run->plan.counts[index];
    const int pixels = index == 0 ? m_plot->axisRect()->width() : m_plot->axisRect()->height();
    const auto labels = static_cast<std::size_t>(std::max(2, pixels / pixelsPerLabel));
    const std::size_t step = std::max<std::size_t>(1, (count + labels - 1) / labels);
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    const std::vector<double> values = of.gridCoordinates(count);
    for (std::size_t place = 0; place < count; place += step) {
        const double value = of.at(values[place]);
        ticker->addTick(coordinateOf(place, count),
                        of.multipleOf ? QStringLiteral("%1 ×").arg(value) : QString::fromStdString(of.of().format(value)));
    }
    axis.setTicker(ticker);
    axis.setSubTicks(false);
    axis.setRange(-halfCell(count), 1 + halfCell(count));
    const QString name = knobName(of.of());
    const QString whole = of.multipleOf ? tr("%1, × %2").arg(name, knobName(m_run->plan.axes[*of.multipleOf].of())) : name;
    const bool fits = QFontMetrics(axis.labelFont()).horizontalAdvance(whole) <= pixels;
    axis.setLabel(fits ? whole : name); // the numbers beside it have the ×
}

void LandscapePlot::setAxes() {
    setAxis(*m_plot->xAxis, 0, keyPixels);
    setAxis(*m_plot->yAxis, 1, valuePixels);
    constexpr int low = 150; // pixels; below them the box beside the map names the axis
    if (height() < low)
        m_plot->xAxis->setLabel({});
}

std::optional<std::size_t> LandscapePlot::nearestKnown(std::size_t i, std::size_t j) const {
    const std::size_t rows = m_run->plan.counts[1];
    std::optional<std::size_t> nearest;
    double min = HUGE_VAL;
    for (std::size_t point = 0; point < m_run->map.points.size(); ++point) {
        if (std::isnan(valueOf(m_run->map.points[point])))
            continue;
        const double dx = static_cast<double>(point / rows) - static_cast<double>(i),
                     dy = static_cast<double>(point % rows) - static_cast<double>(j);
        if (const double away = dx * dx + dy * dy; away < min) {
            min = away;
            nearest = point;
        }
    }
    return nearest;
}

void LandscapePlot::fillCells() {
    const std::size_t columns = m_run->plan.counts[0], rows = m_run->plan.counts[1];
    QCPColorMapData &cells = *m_heat.map->data();
    cells.setSize(static_cast<int>(columns), static_cast<int>(rows));
    cells.setRange({0, 1}, {0, 1});
    double min = HUGE_VAL, max = -HUGE_VAL;
    for (std::size_t i = 0; i < columns; ++i)
        for (std::size_t j = 0; j < rows; ++j) {
            const TuneStep &step = m_run->map.points[i * rows + j];
            double value = valueOf(step);
            int alpha = 255;
            if (!step.error.empty()) {
                alpha = 0; // cannot be simulated
            } else if (std::isnan(value)) {
                const auto nearest = nearestKnown(i, j);
                value = nearest ? valueOf(m_run->map.points[*nearest]) : value;
                alpha = nearest ? unknownAlpha : 0;
            }
            cells.setCell(static_cast<int>(i), static_cast<int>(j), value);
            cells.setAlpha(static_cast<int>(i), static_cast<int>(j), static_cast<unsigned char>(alpha));
            if (!std::isnan(value)) {
                min = std::min(min, value);
                max = std::max(max, value);
            }
        }
    setColors(min, max);
}

void LandscapePlot::setColors(double min, double max) {
    const bool seconds = m_measure == Measure::IterationTime;
    QCPColorGradient gradient = viridis();
    m_heat.map->setGradient(seconds ? gradient.inverted() : gradient); // yellow is fast in both measures
    if (min <= max)
        m_heat.map->setDataRange({min, std::max(max, min * (1 + 1e-6))});
    const bool decades = spansDecades(min, max);
    m_heat.map->setDataScaleType(decades ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    QCPAxis &axis = *m_heat.scale->axis();
    if (seconds && decades)
        axis.setTicker(QSharedPointer<SecondsTicker<QCPAxisTickerLog>>::create());
    else if (seconds)
        axis.setTicker(QSharedPointer<SecondsTicker<>>::create());
    else if (decades)
        axis.setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    else
        axis.setTicker(QSharedPointer<QCPAxisTicker>::create());
    axis.setNumberPrecision(4);
    axis.setNumberFormat(QStringLiteral("g"));
    axis.setLabel(seconds ? tr("iteration") : rateUnitText(!m_run || m_run->statesBatch()));
}

void LandscapePlot::drawMark(QCPCurve &mark, const std::optional<std::vector<double>> &values) {
    mark.data()->clear();
    const bool drawn = m_run && m_run->hasMap() && values && values->size() == m_run->plan.axes.size();
    mark.setVisible(drawn);
    if (drawn) {
        const TunePoint at = placeOnMap(m_run->plan, *values);
        mark.addData(at[0], at[1]);
        mark.addToLegend();
    } else {
        mark.removeFromLegend();
    }
}

void LandscapePlot::refreshMarks() {
    std::optional<std::vector<double>> fastest, usual, a, b;
    if (m_run) {
        const SessionState &state = m_session.state();
        if (const auto best = m_run->map.best())
            fastest = m_run->map.points[*best].values;
        if (m_run->usual)
            usual = m_run->usual->values;
        a = settingOf(state, Side::A, m_run->plan.axes);
        if (state.compare && state.side(Side::B).hasScenario())
            b = settingOf(state, Side::B, m_run->plan.axes);
    }
    drawMark(*m_fastest, fastest);
    drawMark(*m_usual, usual);
    drawMark(*m_a, a);
    drawMark(*m_b, b);
    fitLegend(*m_plot, *m_heat.scale, m_run.get(), *m_paths);
    replotWhenSeen(*m_plot);
}

void LandscapePlot::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (m_run && m_run->hasMap())
        refresh(); // refits labels and names
}

QPoint LandscapePlot::cellAt(std::size_t point) const {
    const std::size_t columns = m_run->plan.counts[0], rows = m_run->plan.counts[1];
    return QPointF(m_plot->xAxis->coordToPixel(coordinateOf(point / rows, columns)),
                   m_plot->yAxis->coordToPixel(coordinateOf(point % rows, rows)))
        .toPoint();
}

std::optional<std::size_t> LandscapePlot::pointAt(const QPointF &position) const {
    if (!m_run || !m_run->hasMap() || !m_plot->axisRect()->rect().contains(position.toPoint()))
        return std::nullopt;
    const auto placeOn = [](double coordinate, std::size_t count) {
        const auto last = static_cast<double>(count - 1);
        return static_cast<std::size_t>(std::clamp(std::round(coordinate * last), 0.0, last));
    };
    const std::size_t i = placeOn(m_plot->xAxis->pixelToCoord(position.x()), m_run->plan.counts[0]),
                      j = placeOn(m_plot->yAxis->pixelToCoord(position.y()), m_run->plan.counts[1]);
    return i * m_run->plan.counts[1] + j;
}

QString LandscapePlot::describe(std::size_t point) const {
    const TuneStep &step = m_run->map.points[point];
    if (step.values.empty())
        return m_run->describe(step);
    return QStringLiteral("%1: %2").arg(QString::fromStdString(syncopate::describe(m_run->plan.axes, step.values)),
                                        m_run->describe(step));
}

void LandscapePlot::moveTo(std::optional<std::size_t> point) {
    m_cell = point;
    m_cellMark->setVisible(point.has_value());
    if (point) {
        const std::size_t columns = m_run->plan.counts[0], rows = m_run->plan.counts[1];
        const double x = coordinateOf(*point / rows, columns), y = coordinateOf(*point % rows, rows);
        m_cellMark->topLeft->setCoords(x - halfCell(columns), y + halfCell(rows));
        m_cellMark->bottomRight->setCoords(x + halfCell(columns), y - halfCell(rows));
        Q_EMIT pointed(describe(*point));
    } else {
        Q_EMIT pointed({});
    }
}

void LandscapePlot::hover(const QPoint &position) {
    const auto point = pointAt(position);
    m_plot->setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (!point) {
        QToolTip::hideText();
        return;
    }
    QToolTip::showText(m_plot->mapToGlobal(position), plainTip(describe(*point) + QLatin1Char('\n') + tr("Click: take into B")),
                       m_plot);
    if (point == m_cell)
        return;
    moveTo(point);
    replotWhenSeen(*m_plot);
}

bool LandscapePlot::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_plot || (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride))
        return QWidget::eventFilter(watched, event);
    const auto &key = static_cast<const QKeyEvent &>(*event);
    constexpr std::array keys{Qt::Key_Left,   Qt::Key_Right, Qt::Key_Up, Qt::Key_Down,
                              Qt::Key_Return, Qt::Key_Enter, Qt::Key_A,  Qt::Key_B};
    const bool plain = (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (!plain || !m_run || !m_run->hasMap() || std::find(keys.begin(), keys.end(), key.key()) == keys.end())
        return false;
    if (event->type() == QEvent::ShortcutOverride) // the window's single-key shortcuts do not apply while the map has focus
        event->accept();
    else
        walk(key.key());
    return true;
}

void LandscapePlot::walk(int key) {
    const std::size_t columns = m_run->plan.counts[0], rows = m_run->plan.counts[1];
    if (!m_cell) { // starts at the fastest
        moveTo(m_run->map.best().value_or(0));
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_A || key == Qt::Key_B) {
        Q_EMIT picked(*m_cell, key == Qt::Key_A ? Side::A : Side::B);
        return;
    } else {
        std::size_t i = *m_cell / rows, j = *m_cell % rows;
        i -= key == Qt::Key_Left && i > 0 ? 1 : 0;
        i += key == Qt::Key_Right && i + 1 < columns ? 1 : 0;
        j -= key == Qt::Key_Down && j > 0 ? 1 : 0;
        j += key == Qt::Key_Up && j + 1 < rows ? 1 : 0;
        moveTo(i * rows + j);
    }
    replotWhenSeen(*m_plot);
}

} // namespace syncopate::ui

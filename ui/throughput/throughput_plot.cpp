// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/throughput/throughput_plot.h"

#include "ui/theme/cut_text.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/plot_or_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/qcustomplot.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/theme.h"
#include "ui/throughput/points_model.h"

#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace syncopate::ui {

namespace {

constexpr double reach = 12; ///< pixels from a dot that still hit it
// The legend: columns of entries (a low panel's plot has no room for more), and pixels between and within them.
constexpr int legendColumns = 3, legendMargin = 8, legendSpacing = 8, legendIcon = 16;

/// Whether the measured points have a place in the plot: without a forecast, those that count samples.
bool drawsMeasured(const CurveEntry &entry) {
    return entry.forecast ? hasComparablePoints(entry) : !entry.measured.points.empty() && !entry.measured.inSteps;
}

double batchOf(const CurveEntry &entry) { return entry.forecast ? entry.forecast->batchSize() : 1; }

/// Whole workers only.
class WorkersTicker final : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange &range) override { return std::max(1.0, std::round(QCPAxisTicker::getTickStep(range))); }
};

} // namespace

ThroughputPlot::ThroughputPlot(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_plot(new QCustomPlot), m_pages(new PlotOrText(m_plot)) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    m_plot->setMinimumSize(240, 110);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_pages);
    m_plot->setAccessibleName(tr("Throughput over the number of workers"));
    m_pages->setText(m_plot->accessibleName());
    m_plot->setAccessibleDescription(tr("Left and Right mark a point, Enter shows its steps in B, Up and Down change the curve"));
    // Above the axes: inside them the legend would cover dots.
    m_plot->plotLayout()->insertRow(0);
    m_plot->plotLayout()->addElement(0, 0, m_plot->legend);
    m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
    m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst);
    m_plot->legend->setMargins({legendMargin, 0, 0, 0});
    m_plot->axisRect()->setMinimumMargins({0, 2, 0, 0});
    m_plot->legend->setColumnSpacing(legendSpacing);
    m_plot->legend->setRowSpacing(-2);
    m_plot->legend->setIconSize(legendIcon, 10);
    m_plot->legend->setVisible(true);
    m_plot->xAxis->setTicker(QSharedPointer<WorkersTicker>::create());
    m_plot->xAxis->setSubTicks(false);
    m_plot->xAxis->setLabelPadding(0);
    m_plot->xAxis->setLabel(tr("workers"));
    m_plot->yAxis->setLabel(rateUnitText(true));
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent *move) { hover(move->pos()); });
    connect(m_plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent *press) {
        const auto dot = press->button() == Qt::LeftButton ? dotAt(press->pos()) : std::nullopt;
        if (dot && !dot->measured)
            Q_EMIT opened(dot->entry, dot->workers);
    });
    connect(&theme, &Theme::themeChanged, this, &ThroughputPlot::draw);
    draw();
}

void ThroughputPlot::show(const std::vector<CurveEntry> &entries, std::size_t current, const CurveOptions &options) {
    m_entries = entries;
    m_current = current;
    m_options = options;
    draw();
}

void ThroughputPlot::mark(std::int32_t workers) {
    if (workers == m_marked)
        return;
    m_marked = workers;
    draw();
}

void ThroughputPlot::draw() {
    m_plot->clearItems();
    m_plot->clearPlottables();
    m_dots.clear();
    m_curves.clear();
    stylePlot(*m_plot, m_theme);
    m_plot->legend->setBrush(Qt::NoBrush);
    m_plot->legend->setBorderPen(Qt::NoPen);
    fitAxes();
    for (std::size_t entry = 0; entry < m_entries.size(); ++entry)
        if (m_entries[entry].shown) {
            drawCurve(entry);
            drawMeasured(entry);
        }
    if (m_current < m_entries.size() && m_entries[m_current].shown && m_entries[m_current].forecast) {
        drawModels(m_entries[m_current]);
        drawBottleneck(m_entries[m_current]);
        drawMark();
    }
    fitLegend();
    m_pages->setEmpty(m_dots.empty());
    replotWhenSeen(*m_plot);
}

void ThroughputPlot::fitLegend() {
    constexpr int shortName = 64; // pixels that a curve's name gets in any case
    QCPLegend &legend = *m_plot->legend;
    const QFontMetrics metrics(legend.font());
    std::vector<std::pair<int, bool>> names; // of the entries: pixels, and whether they may be cut
    int longest = 0;
    for (int i = 0; i < legend.itemCount(); ++i) {
        auto *item = qobject_cast<QCPPlottableLegendItem *>(legend.item(i)); // null in empty cells of the grid
        if (!item)
            continue;
        const auto curve =
            std::ranges::find(m_curves, item->plottable(), [](const auto &c) -> QCPAbstractPlottable * { return c.first; });
        const bool isCurve = curve != m_curves.end();
        names.emplace_back(metrics.horizontalAdvance(isCurve ? m_entries[curve->second].name : item->plottable()->name()),
                           isCurve);
        longest = std::max(longest, isCurve ? names.back().first : 0);
    }
    const auto fits = [&](std::size_t columns, int room) {
        std::vector<int> widths(columns, 0);
        for (std::size_t n = 0; n < names.size(); ++n)
            widths[n % columns] =
                std::max(widths[n % columns], names[n].second ? std::min(names[n].first, room) : names[n].first);
        const int around = static_cast<int>(columns) * (legendIcon + legend.iconTextPadding() + legendSpacing);
        return std::accumulate(widths.begin(), widths.end(), legendMargin + around) <= width();
    };
    const std::size_t columns = fits(legendColumns, shortName) ? legendColumns : 2;
    int room = longest;
    while (room > shortName && !fits(columns, room))
        --room;
    for (const auto &[graph, entry] : m_curves) {
        QStringList others;
        for (const auto &[other, otherEntry] : m_curves)
            if (other != graph)
                others += m_entries[otherEntry].name;
        graph->setName(cutWhereAlike(metrics, m_entries[entry].name, others, room));
    }
    legend.setWrap(static_cast<int>(columns));
    legend.setFillOrder(QCPLegend::foColumnsFirst, true);
}

void ThroughputPlot::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    fitLegend();
    replotWhenSeen(*m_plot);
}

void ThroughputPlot::nameRates() {
    bool samples = false, steps = false;
    for (const CurveEntry &entry : m_entries)
        if (entry.shown && entry.forecast)
            (countsSamples(*entry.forecast) ? samples : steps) = true;
    m_plot->yAxis->setLabel(samples && steps ? tr("samples/s, or steps/s") : rateUnitText(!steps));
}

void ThroughputPlot::fitAxes() {
    nameRates();
    double most = 0, workers = 1;
    for (const CurveEntry &entry : m_entries) {
        if (!entry.shown)
            continue;
        if (entry.forecast)
            for (const CurvePoint &point : entry.forecast->prediction.points) {
                most = std::max(most, point.throughput.high);
                workers = std::max(workers, static_cast<double>(point.throughput.workers));
            }
        if (drawsMeasured(entry))
            for (const MeasuredPoint &point : entry.measured.points) {
                most = std::max(most, entry.measured.samplesPerSecond(point, batchOf(entry)));
                workers = std::max(workers, static_cast<double>(point.workers));
            }
    }
    // The coarse models may shoot far above: at most double the range of the curves is shown.
    if (m_current < m_entries.size() && m_entries[m_current].shown && m_entries[m_current].forecast) {
        double models = 0;
        for (const CurvePoint &point : m_entries[m_current].forecast->prediction.points)
            models = std::max({models, m_options.cynthia ? point.cynthia : 0, m_options.queueing ? point.queueing : 0});
        most = std::clamp(models, most, std::max(most * 2, 1e-300));
    }
    m_plot->xAxis->setRange(0.5, workers + 0.5);
    m_plot->yAxis->setRange(0, most > 0 && std::isfinite(most) ? most * 1.12 : 1); // from zero: half as high is half as fast
}

void ThroughputPlot::drawCurve(std::size_t number) {
    const CurveEntry &entry = m_entries[number];
    if (!entry.forecast)
        return;
    const QColor color = curveColor(m_theme, entry.color);
    QCPGraph *graph = m_plot->addGraph();
    graph->setName(entry.name);
    m_curves.emplace_back(graph, number);
    graph->setPen(QPen(color, number == m_current ? 2 : 1.4));
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color, number == m_current ? 7 : 5));
    auto *bars = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
    bars->setPen(QPen(color, 1));
    bars->setWhiskerWidth(7);
    bars->setDataPlottable(graph);
    bars->removeFromLegend();
    for (const CurvePoint &point : entry.forecast->prediction.points) {
        const Throughput &t = point.throughput;
        graph->addData(t.workers, t.samplesPerSecond);
        bars->addData(t.samplesPerSecond - t.low, t.high - t.samplesPerSecond);
        m_dots.push_back({number, t.workers, t.samplesPerSecond, false});
    }
}

void ThroughputPlot::drawMeasured(std::size_t number) {
    const CurveEntry &entry = m_entries[number];
    if (!drawsMeasured(entry))
        return;
    QCPGraph *graph = m_plot->addGraph();
    graph->setName(tr("measured"));
    graph->setLineStyle(QCPGraph::lsNone);
    // A hollow mark leaves the predicted one beneath it visible.
    graph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(m_theme.color(ColorId::Text), 1.6), QBrush(Qt::NoBrush), 9));
    if (number != m_current) {
        graph->removeFromLegend();
        graph->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(curveColor(m_theme, entry.color), 1.2), QBrush(Qt::NoBrush), 8));
    }
    for (const MeasuredPoint &point : entry.measured.points) {
        const double value = entry.measured.samplesPerSecond(point, batchOf(entry));
        graph->addData(point.workers, value);
        m_dots.push_back({number, point.workers, value, true});
    }
}

void ThroughputPlot::drawModels(const CurveEntry &entry) {
    const auto draw = [&](const QString &name, double CurvePoint::*value, Qt::PenStyle style) {
        QCPGraph *graph = m_plot->addGraph();
        graph->setName(name);
        graph->setPen(QPen(m_theme.color(ColorId::DimText), 1.4, style));
        for (const CurvePoint &point : entry.forecast->prediction.points)
            graph->addData(point.throughput.workers, point.*value);
    };
    if (m_options.cynthia)
        draw(QStringLiteral("Cynthia"), &CurvePoint::cynthia, Qt::DashLine);
    if (m_options.queueing)
        draw(tr("queueing"), &CurvePoint::queueing, Qt::DashDotLine);
}

QString ThroughputPlot::bottleneckText(const Forecast &forecast) {
    const std::int32_t workers = forecast.prediction.bottleneckWorkers;
    const CurvePoint *point = forecast.at(workers > 0 ? workers : forecast.setting.workers.back());
    const Utilisation *busiest = point ? busiestShared(point->throughput) : nullptr;
    if (!busiest)
        return {};
    const QString resource =
        tr("%1 is busy %2 %").arg(QString::fromStdString(busiest->name())).arg(100 * busiest->busy, 0, 'f', 0);
    if (workers < 0)
        return tr("No bottleneck up to %n workers; %1 there.", nullptr, forecast.setting.workers.back()).arg(resource);
    return tr("Bottleneck point: %n workers. Another one adds less than %1 % of what the first brings; %2.", nullptr, workers)
        .arg(100 * forecast.setting.gain, 0, 'g', 3)
        .arg(resource);
}

void ThroughputPlot::drawBottleneck(const CurveEntry &entry) {
    const std::int32_t workers = entry.forecast->prediction.bottleneckWorkers;
    const CurvePoint *point = workers > 0 ? entry.forecast->at(workers) : nullptr;
    if (!point)
        return;
    auto *line = new QCPItemStraightLine(m_plot);
    line->setPen(QPen(m_theme.color(ColorId::Warning), 1, Qt::DotLine));
    line->point1->setCoords(workers, 0);
    line->point2->setCoords(workers, 1);
    auto *label = new QCPItemText(m_plot);
    const Utilisation *busiest = busiestShared(point->throughput);
    label->setText(busiest ? tr("bottleneck:\n%1").arg(QString::fromStdString(busiest->name())) : tr("bottleneck"));
    const QFont font = fontOfPixels(m_plot->font(), 10);
    label->setFont(font);
    label->setColor(m_theme.color(ColorId::Warning));
    label->setBrush(m_theme.color(ColorId::TimelineBackground));
    label->setPadding({3, 0, 3, 0});
    const bool right = workers > m_plot->xAxis->range().center();
    const Qt::Alignment side = right ? Qt::AlignRight : Qt::AlignLeft;
    label->setPositionAlignment(Qt::AlignBottom | side);
    label->setTextAlignment(side);
    label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    label->position->setCoords(workers, 0.99);
}

void ThroughputPlot::drawMark() {
    const CurvePoint *point = m_entries[m_current].forecast->at(m_marked);
    if (!point)
        return;
    auto *mark = new QCPItemTracer(m_plot);
    mark->setStyle(QCPItemTracer::tsCircle);
    mark->setSize(13);
    mark->setPen(QPen(m_theme.color(ColorId::Text), 2));
    mark->setBrush(Qt::NoBrush);
    mark->position->setCoords(m_marked, point->throughput.samplesPerSecond);
}

std::optional<ThroughputPlot::Dot> ThroughputPlot::dotAt(const QPointF &position) const {
    std::optional<Dot> nearest;
    double least = reach * reach;
    for (const Dot &dot : m_dots) {
        const QPointF away = QPointF(m_plot->xAxis->coordToPixel(dot.workers), m_plot->yAxis->coordToPixel(dot.value)) - position;
        const double distance = QPointF::dotProduct(away, away);
        // Among overlapping dots, prefer the current curve's predicted one.
        if (distance < least || (distance == least && dot.entry == m_current && !dot.measured)) {
            least = distance;
            nearest = dot;
        }
    }
    return nearest;
}

QString ThroughputPlot::dotText(const Dot &dot) const {
    const CurveEntry &entry = m_entries[dot.entry];
    const CurvePoint *point = entry.forecast ? entry.forecast->at(dot.workers) : nullptr;
    QStringList lines{tr("%1: %n workers", nullptr, dot.workers).arg(entry.name)};
    const QString unit = rateUnitText(!entry.forecast || countsSamples(*entry.forecast));
    if (dot.measured)
        lines += tr("measured %1 %2").arg(rateText(dot.value), unit);
    if (point) {
        const Throughput &t = point->throughput;
        lines += tr("predicted %1 %2 (%3 to %4)").arg(rateText(t.samplesPerSecond), unit, rateText(t.low), rateText(t.high));
        if (dot.measured) {
            const double error = t.samplesPerSecond / dot.value - 1;
            lines += tr("error %1").arg(signedText(error, QStringLiteral("%1 %").arg(100 * std::abs(error), 0, 'f', 1)));
        }
        if (const Utilisation *busiest = busiestOf(t))
            lines += tr("busiest: %1, %2 %").arg(QString::fromStdString(busiest->name())).arg(100 * busiest->busy, 0, 'f', 0);
        if (!dot.measured)
            lines += tr("Click: show these workers' steps in B");
    }
    return lines.join(QLatin1Char('\n'));
}

void ThroughputPlot::hover(const QPoint &position) {
    const auto dot = dotAt(position);
    m_plot->setCursor(dot && !dot->measured ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (dot)
        QToolTip::showText(m_plot->mapToGlobal(position), plainTip(dotText(*dot)), m_plot);
    else
        QToolTip::hideText();
}

} // namespace syncopate::ui

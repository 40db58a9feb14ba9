// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/scaling_plot.h"

#include "ui/theme/font_of_pixels.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/qcustomplot.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"
#include "ui/why/cause_bar.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr double foot = 0.06; ///< share of the plot's height: the knee's band

QColor bottleneckColor(const Theme &theme, Bottleneck bottleneck) {
    switch (bottleneck) {
    case Bottleneck::Compute:
        return causeColor(theme, CauseKind::Forward);
    case Bottleneck::Network:
        return causeColor(theme, CauseKind::Transfer);
    case Bottleneck::Host:
        return causeColor(theme, CauseKind::Host);
    case Bottleneck::Latency:
        break;
    }
    return causeColor(theme, CauseKind::Latency);
}

QString bottleneckName(Bottleneck bottleneck) {
    switch (bottleneck) {
    case Bottleneck::Compute:
        return ScalingPlot::tr("compute");
    case Bottleneck::Network:
        return ScalingPlot::tr("network");
    case Bottleneck::Host:
        return ScalingPlot::tr("host");
    case Bottleneck::Latency:
        break;
    }
    return ScalingPlot::tr("latency");
}

QColor pale(QColor color, float alpha) {
    color.setAlphaF(alpha);
    return color;
}

} // namespace

ScalingPlot::ScalingPlot(const Theme &theme, QWidget *parent) : QWidget(parent), m_theme(theme), m_plot(new QCustomPlot) {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    setMinimumSize(240, 90);
    setAccessibleName(tr("Samples/s over the number of workers, with their bottlenecks and the knee"));
    m_low = m_plot->addGraph();
    m_high = m_plot->addGraph();
    m_high->setChannelFillGraph(m_low);
    m_ideal = m_plot->addGraph();
    m_curve = m_plot->addGraph();
    m_plot->xAxis->setScaleType(QCPAxis::stLogarithmic);
    m_plot->xAxis->setSubTicks(false);
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->yAxis->setSubTicks(false);
    connect(m_plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent *press) {
        const ScalingPoint *point = pointAt(press->pos());
        if (press->button() == Qt::LeftButton && point && point->isSimulated())
            Q_EMIT workersWanted(point->workers);
    });
    connect(m_plot, &QCustomPlot::afterLayout, this, &ScalingPlot::fitTexts);
    connect(&theme, &Theme::themeChanged, this, &ScalingPlot::refresh);
    refresh();
}

void ScalingPlot::set(std::shared_ptr<const Scaling> scaling, std::int32_t present, bool old, bool statesBatch) {
    m_scaling = std::move(scaling);
    m_present = present;
    m_old = old;
    m_statesBatch = statesBatch;
    refresh();
}

const ScalingPoint *ScalingPlot::pointAt(const QPoint &position) const {
    const ScalingPoint *nearest = nullptr;
    double least = 12; // pixels
    if (m_scaling)
        for (const ScalingPoint &point : m_scaling->points) {
            const double away = std::abs(m_plot->xAxis->coordToPixel(point.workers) - position.x());
            if (away < least) {
                least = away;
                nearest = &point;
            }
        }
    return nearest;
}

QString ScalingPlot::tipAt(const QPoint &position) const {
    const ScalingPoint *point = pointAt(m_plot->mapFrom(this, position));
    if (!point)
        return {};
    QStringList lines{tr("%n workers", nullptr, point->workers)};
    if (!point->isSimulated()) {
        lines += tr("Cannot be simulated: %1").arg(QString::fromStdString(point->error));
        return lines.join(QLatin1Char('\n'));
    }
    lines += tr("iteration %1, %2 %3")
                 .arg(secondsText(point->iterationSeconds), figureText(point->samplesPerSecond), rateUnitText(m_statesBatch));
    if (!std::isnan(point->lowSamplesPerSecond))
        lines += tr("%1 to %2 %3 under the other conditions")
                     .arg(figureText(point->lowSamplesPerSecond), figureText(point->highSamplesPerSecond),
                          rateUnitText(m_statesBatch));
    lines += tr("efficiency %1 %").arg(100 * point->efficiency, 0, 'f', 1);
    if (!std::isnan(point->marginalEfficiency))
        lines += tr("one more worker brought %1 % of a single worker's").arg(100 * point->marginalEfficiency, 0, 'f', 1);
    const auto &[shares, kind, resource] = point->bottleneck;
    lines += tr("%1 %2 % of the critical path%3")
                 .arg(bottleneckName(kind))
                 .arg(100 * shares[static_cast<std::size_t>(kind)], 0, 'f', 0)
                 .arg(resource.empty() ? QString() : QStringLiteral(" (%1)").arg(worded({resource})));
    for (const WorthBenchmarking &count : m_scaling->worth)
        if (count.workers == point->workers)
            lines += tr("Worth benchmarking: %1").arg(worded(count.why));
    lines += tr("Click to set the workers there.");
    return lines.join(QLatin1Char('\n'));
}

bool ScalingPlot::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const QString tip = tipAt(help->pos()); !tip.isEmpty())
            QToolTip::showText(help->globalPos(), plainTip(tip), this);
        return true;
    }
    return QWidget::event(event);
}

double ScalingPlot::borderAfter(std::size_t region) const {
    const auto &regions = m_scaling->regions;
    return region + 1 < regions.size() ? std::sqrt(static_cast<double>(regions[region].to) * regions[region + 1].from)
                                       : m_plot->xAxis->range().upper;
}

void ScalingPlot::addShade(double from, double to, double top, double bottom, const QColor &color) {
    auto *shade = new QCPItemRect(m_plot);
    shade->setLayer(QStringLiteral("background"));
    for (QCPItemPosition *position : {shade->topLeft, shade->bottomRight}) {
        position->setTypeX(QCPItemPosition::ptPlotCoords);
        position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    shade->topLeft->setCoords(from, top);
    shade->bottomRight->setCoords(to, bottom);
    shade->setPen(Qt::NoPen);
    shade->setBrush(color);
}

void ScalingPlot::addLine(double workers, const QColor &color, Qt::PenStyle style) {
    auto *line = new QCPItemStraightLine(m_plot);
    line->point1->setCoords(workers, 0);
    line->point2->setCoords(workers, 1);
    line->setPen(QPen(color, 1, style));
}

QCPItemText *ScalingPlot::addText(double workers, double top, const QString &text, const QColor &color, Qt::Alignment alignment) {
    auto *item = new QCPItemText(m_plot);
    item->setLayer(QStringLiteral("axes")); // above the lines
    item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    item->position->setCoords(workers, top);
    item->setPositionAlignment(alignment);
    item->setPadding({3, 1, 3, 0});
    item->setText(text);
    item->setColor(color);
    const QFont font = fontOfPixels(m_plot->font(), 10);
    item->setFont(font);
    return item;
}

void ScalingPlot::drawRegions() {
    double from = m_plot->xAxis->range().lower;
    for (std::size_t r = 0; r < m_scaling->regions.size(); ++r) {
        const ScalingRegion &region = m_scaling->regions[r];
        const double to = borderAfter(r);
        addShade(from, to, 0, 1, pale(bottleneckColor(m_theme, region.bottleneck), m_old ? 0.08F : 0.2F));
        auto *name = addText(std::sqrt(from * to), 0, bottleneckName(region.bottleneck), m_theme.color(ColorId::Text),
                             Qt::AlignTop | Qt::AlignHCenter);
        m_names.push_back({from, to, name});
        from = to;
    }
}

void ScalingPlot::drawCurves() {
    const double one = [&] {
        for (const ScalingPoint &point : m_scaling->points)
            if (point.isSimulated())
                return point.samplesPerSecond / point.workers;
        return 0.0;
    }();
    double most = 0;
    for (const ScalingPoint &point : m_scaling->points) {
        if (!point.isSimulated())
            continue;
        m_curve->addData(point.workers, point.samplesPerSecond);
        most = std::max(most, point.samplesPerSecond);
        if (!std::isnan(point.lowSamplesPerSecond)) {
            m_low->addData(point.workers, point.lowSamplesPerSecond);
            m_high->addData(point.workers, point.highSamplesPerSecond);
            most = std::max(most, point.highSamplesPerSecond);
        }
    }
    // Linear scaling from one worker, which is curved on this axis.
    constexpr int steps = 48;
    const double first = m_scaling->options.from, last = m_scaling->options.to;
    for (int i = 0; i <= steps; ++i) {
        const double workers = first * std::pow(last / first, static_cast<double>(i) / steps);
        m_ideal->addData(workers, one * workers);
    }
    m_plot->yAxis->setRange(0, most > 0 ? most * 1.15 : 1);
}

void ScalingPlot::drawKnee() {
    const QColor color = m_theme.color(ColorId::Warning);
    if (m_scaling->low) {
        const double upper = m_scaling->high->isBeyond ? m_plot->xAxis->range().upper : m_scaling->high->workers;
        addShade(m_scaling->low->workers, std::max(upper, m_scaling->low->workers * 1.02), 1 - foot, 1, pale(color, 0.6F));
    }
    if (m_scaling->knee && !m_scaling->knee->isBeyond) {
        const double workers = m_scaling->knee->workers;
        addLine(workers, color, Qt::DashLine);
        const bool left = workers * workers > static_cast<double>(m_scaling->options.from) * m_scaling->options.to;
        addText(workers, 0.14, tr("knee"), color, Qt::AlignTop | (left ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (m_present >= m_scaling->options.from && m_present <= m_scaling->options.to)
        addLine(m_present, m_theme.color(ColorId::DimText), Qt::DotLine);
}

void ScalingPlot::fitTexts() {
    for (const Name &name : m_names) {
        const double room = m_plot->xAxis->coordToPixel(name.to) - m_plot->xAxis->coordToPixel(name.from);
        name.text->setVisible(QFontMetrics(name.text->font()).horizontalAdvance(name.text->text()) + 4 <= room);
    }
    fitTicks();
}

void ScalingPlot::fitTicks() {
    std::vector<std::int32_t> ticks;
    if (m_scaling) {
        // The numbers worth a benchmark, the knee first, then the ends; numbers without room are left out.
        std::vector<std::int32_t> numbers;
        if (m_scaling->knee)
            numbers.push_back(m_scaling->knee->workers);
        for (const WorthBenchmarking &count : m_scaling->worth)
            numbers.push_back(count.workers);
        numbers.insert(numbers.end(), {m_scaling->options.from, m_scaling->options.to});
        constexpr double apart = 24; // pixels
        const auto x = [this](std::int32_t number) { return m_plot->xAxis->coordToPixel(number); };
        for (const std::int32_t number : numbers)
            if (std::ranges::none_of(ticks, [&](std::int32_t other) { return std::abs(x(other) - x(number)) < apart; }))
                ticks.push_back(number);
    }
    if (ticks == m_ticks)
        return;
    m_ticks = std::move(ticks);
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (const std::int32_t number : m_ticks)
        ticker->addTick(number, QString::number(number));
    m_plot->xAxis->setTicker(ticker);
    m_plot->replot(QCustomPlot::rpQueuedReplot); // the ticks of the last replot were computed before its layout
}

void ScalingPlot::refresh() {
    stylePlot(*m_plot, m_theme);
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->clearItems();
    m_names.clear();
    for (QCPGraph *graph : {m_low, m_high, m_ideal, m_curve})
        graph->data()->clear();
    const QColor accent = m_theme.color(m_old ? ColorId::DimText : ColorId::Accent);
    m_low->setPen(Qt::NoPen);
    m_high->setPen(Qt::NoPen);
    m_high->setBrush(pale(accent, 0.25F));
    m_ideal->setPen(QPen(m_theme.color(ColorId::DimText), 1, Qt::DotLine));
    m_curve->setPen(QPen(accent, 1.5));
    m_curve->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, accent, 4));
    m_plot->xAxis->setLabel(m_scaling ? tr("Workers") : QString());
    m_plot->yAxis->setLabel(m_scaling ? rateUnitText(m_statesBatch) : QString());
    m_plot->xAxis->setTickLabels(m_scaling != nullptr);
    m_plot->yAxis->setTickLabels(m_scaling != nullptr);
    if (m_scaling && !m_scaling->points.empty()) {
        m_plot->xAxis->setRange(m_scaling->options.from * 0.9, m_scaling->options.to * 1.1);
        drawCurves();
        drawRegions();
        drawKnee();
    }
    replotWhenSeen(*m_plot);
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plot_parts.h"

#include <QFontMetrics>
#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

QVector<QString> secondsLabels(const QVector<double> &ticks) {
    if (ticks.isEmpty())
        return {};
    const auto [min, max] = std::minmax_element(ticks.begin(), ticks.end());
    const double largest = std::max(std::abs(*min), std::abs(*max));
    const double step = ticks.size() > 1 ? (*max - *min) / static_cast<double>(ticks.size() - 1) : largest;
    std::pair<double, const char *> unit{1e-9, "ns"};
    for (const auto &larger : {std::pair(1e-6, "µs"), std::pair(1e-3, "ms"), std::pair(1.0, "s")})
        if (largest >= larger.first * (1 - 1e-9))
            unit = larger;
    const double inUnits = step / unit.first;
    int decimals = 0;
    for (double scaled = inUnits; decimals < 9 && inUnits > 0 && std::abs(scaled - std::round(scaled)) > 1e-6 * scaled;
         scaled *= 10)
        ++decimals;
    QVector<QString> labels;
    for (const double tick : ticks) {
        const double value = std::abs(tick) < 1e-6 * step ? 0 : tick / unit.first;
        const QString number = QString::number(std::abs(value), 'f', decimals);
        labels += value == 0 ? QStringLiteral("0")
                             : QStringLiteral("%1%2 %3").arg(value < 0 ? QString(QChar(0x2212)) : QString(), number,
                                                             QString::fromUtf8(unit.second));
    }
    return labels;
}

QVector<QString> numberLabels(const QVector<double> &ticks) {
    const auto needsPower = [](double tick) { return tick != 0 && (std::abs(tick) < 1e-3 || std::abs(tick) >= 1e6); };
    const bool powers = std::ranges::any_of(ticks, needsPower);
    QVector<QString> labels;
    for (const double tick : ticks) {
        if (!powers || tick == 0) {
            labels += QString::number(tick, 'g', 6);
            continue;
        }
        QString digits = QString::number(tick, 'e', 5), exponent; // "2.00000e-05"
        exponent = QString::number(digits.section(QLatin1Char('e'), 1).toInt());
        digits = QString::number(digits.section(QLatin1Char('e'), 0, 0).toDouble(), 'g', 6);
        for (int d = 0; d < 10; ++d)
            exponent.replace(QChar(u'0' + d), QStringView(u"⁰¹²³⁴⁵⁶⁷⁸⁹")[d]);
        exponent.replace(QLatin1Char('-'), QStringLiteral("⁻"));
        labels += (digits == QLatin1String("1") ? QString() : digits + QStringLiteral("·")) + QStringLiteral("10") + exponent;
    }
    return labels;
}

HeatMap addHeatMap(QCustomPlot &plot) {
    HeatMap heatMap{new QCPColorMap(plot.xAxis, plot.yAxis), new QCPColorScale(&plot)};
    heatMap.map->removeFromLegend();
    heatMap.map->setInterpolate(false);
    const int row = plot.plotLayout()->rowCount() - 1; // the row of the axes
    plot.plotLayout()->addElement(row, 1, heatMap.scale);
    plot.plotLayout()->setColumnStretchFactor(1, 0.001);
    heatMap.scale->setType(QCPAxis::atRight);
    heatMap.scale->setBarWidth(12);
    heatMap.map->setColorScale(heatMap.scale);
    auto *margins = new QCPMarginGroup(&plot);
    plot.axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    heatMap.scale->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    return heatMap;
}

QCPColorGradient viridis() {
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (const auto &[at, color] :
         {std::pair(0.0, 0x440154), {0.25, 0x3b528b}, {0.5, 0x21918c}, {0.75, 0x5ec962}, {1.0, 0xfde725}})
        gradient.setColorStopAt(at, QColor::fromRgb(static_cast<QRgb>(color)));
    return gradient;
}

bool spansDecades(double min, double max) { return min > 0 && max > 8 * min; }

void layLegendAbove(QCustomPlot &plot) {
    plot.plotLayout()->insertRow(0);
    // Put beside an empty element that takes the remaining width: alone, the legend would spread its entries over all of it.
    auto *strip = new QCPLayoutGrid;
    plot.plotLayout()->addElement(0, 0, strip);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    strip->addElement(0, 0, plot.legend);
    strip->addElement(0, 1, new QCPLayoutElement(&plot));
    strip->setColumnStretchFactor(0, 0.001);
    plot.legend->setFillOrder(QCPLegend::foColumnsFirst);
    plot.legend->setMargins({0, 0, 0, 0});
    plot.legend->setColumnSpacing(12);
    plot.legend->setIconSize(22, 16); // as high as the largest mark
    plot.axisRect()->setMinimumMargins({0, 2, 0, 0});
}

void fitNumbersAbove(QCPAxis &axis) {
    const int room = QFontMetrics(axis.tickLabelFont()).height() * 2;
    axis.ticker()->setTickCount(std::clamp(axis.axisRect()->height() / std::max(1, room), 2, 5));
}

void fitNumbers(QCustomPlot &plot) {
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        plot.plotLayout()->update(phase); // the axes' present size
    fitNumbersAbove(*plot.yAxis);
    fitNumbersAbove(*plot.yAxis2);
    fitNumbersBeside(*plot.xAxis);
}

void showLegendAbove(QCPLegend &legend, bool shown) {
    legend.setVisible(shown);
    legend.setMinimumSize(shown ? QSize(0, 0) : QSize(1, 1)); // above 0 it replaces the size that the entries need
}

void fitLegendAbove(QCustomPlot &plot, QSize room) {
    QCPLegend &legend = *plot.legend;
    constexpr int beside = 46; // pixels of an entry's icon and of the gap to the next entry
    int widest = 1, entries = 0;
    const QFontMetrics metrics(legend.font());
    for (int i = 0; i < legend.itemCount(); ++i)
        if (auto *entry = qobject_cast<QCPPlottableLegendItem *>(legend.item(i))) { // null in empty cells of the grid
            entry->setMargins({0, 1, 4, 2}); // a name's last letter may reach beyond its measured box
            widest = std::max(widest, metrics.horizontalAdvance(entry->plottable()->name()) + beside);
            ++entries;
        }
    const int columns = std::max(1, room.width() / widest), rows = (entries + columns - 1) / columns;
    showLegendAbove(legend, entries > 0 && rows * (metrics.height() + 3) * 4 <= room.height());
    legend.setWrap(legend.visible() ? columns : 0);
    legend.setFillOrder(QCPLegend::foColumnsFirst, true);
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What the plots of runs have in common.
#pragma once

#include "ui/theme/format.h"
#include "ui/theme/qcustomplot.h"

#include <QColor>
#include <QSize>

namespace syncopate::ui {

/// "5.47 s", "97.8 ms" where seconds are measured.
template <class Ticker = QCPAxisTicker> class SecondsTicker final : public Ticker {
protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return secondsText(tick); }
};

/// "25 %" where shares are measured.
class PercentTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale &locale, QChar, int) override {
        return QStringLiteral("%1 %").arg(locale.toString(tick * 100, 'g', 3));
    }
};

/// A colour map over a plot's axes and its scale at the right of them.
struct HeatMap {
    QCPColorMap *map = nullptr;
    QCPColorScale *scale = nullptr;
};
[[nodiscard]] HeatMap addHeatMap(QCustomPlot &plot);

/// Viridis (van der Walt and Smith 2015), five of its colours: equal steps look equal, also in grey.
[[nodiscard]] QCPColorGradient viridis();

/// Values that span decades: equal factors are equal steps of colour, or one slow corner would make all else one colour.
[[nodiscard]] bool spansDecades(double min, double max);

/// As many numbers below the axes as they have room for beside each other.
void fitNumbersBelow(QCustomPlot &plot);

/// Moves the legend above the axes: inside them it would cover what they show.
void layLegendAbove(QCustomPlot &plot);
/// Lays the entries of such a legend in as many columns as fit, each with room for its letters, and hides it where it would take
/// more than a quarter of the plot's height.
void fitLegendAbove(QCustomPlot &plot, QSize room);

} // namespace syncopate::ui

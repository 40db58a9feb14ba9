// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers that the plots of runs share.
#pragma once

#include "ui/theme/format.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/qcustomplot.h"

#include <QColor>
#include <QSize>
#include <QVector>
#include <type_traits>

namespace syncopate::ui {

/// "5.470 s", "5.475 s": evenly spaced times in one unit, with the decimals that their distance needs. With three digits for
/// each, labels would be uneven where their ticks are even.
[[nodiscard]] QVector<QString> secondsLabels(const QVector<double> &ticks);

/// "0.25", "0.5"; if any is tiny or huge, all as powers: "2·10⁻⁵", "10⁻⁴".
[[nodiscard]] QVector<QString> numberLabels(const QVector<double> &ticks);

/// numberLabels() for an axis without a unit.
template <class Ticker = QCPAxisTicker> class NumbersTicker final : public Ticker {
protected:
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &, QChar, int) override {
        return numberLabels(ticks);
    }
};

/// "5.47 s", "97.8 ms" for an axis in seconds.
template <class Ticker = QCPAxisTicker> class SecondsTicker final : public Ticker {
protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return secondsText(tick); }
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &locale, QChar format,
                                       int precision) override {
        if constexpr (std::is_same_v<Ticker, QCPAxisTicker>)
            return secondsLabels(ticks);
        else
            return Ticker::createLabelVector(ticks, locale, format, precision);
    }
};

/// "25 %" for an axis of shares.
class PercentTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale &locale, QChar, int) override {
        return QStringLiteral("%1 %").arg(locale.toString(tick * 100, 'g', 3));
    }
};

/// A colour map over a plot's axes, with its scale on the right.
struct HeatMap {
    QCPColorMap *map = nullptr;
    QCPColorScale *scale = nullptr;
};
[[nodiscard]] HeatMap addHeatMap(QCustomPlot &plot);

/// Viridis (van der Walt and Smith 2015), five of its colours: perceptually uniform, also in greyscale.
[[nodiscard]] QCPColorGradient viridis();

/// Values that span decades need a logarithmic colour scale, or one slow corner would make all else one colour.
[[nodiscard]] bool spansDecades(double min, double max);

inline constexpr int lowPlot = 170; ///< pixels of height below which axes have no captions

/// Limits the ticks of a plot's axes to as many numbers as fit. Call it after any change of the axes' size, such as by
/// fitLegendAbove().
void fitNumbers(QCustomPlot &plot);
/// Limits the ticks of one vertical axis to as many numbers as fit above each other.
void fitNumbersAbove(QCPAxis &axis);

/// Moves the legend above the axes: inside them it would cover data.
void layLegendAbove(QCustomPlot &plot);
/// Shows or hides such a legend. A hidden one takes no space; QCustomPlot alone would leave it the width of all its entries.
void showLegendAbove(QCPLegend &legend, bool shown);
/// Lays out the entries of such a legend in as many columns as fit without eliding, and hides it if it would take more than a
/// quarter of the plot's height.
void fitLegendAbove(QCustomPlot &plot, QSize room);

} // namespace syncopate::ui

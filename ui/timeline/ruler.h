// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QRect>
#include <QStringList>
#include <utility>
#include <vector>

namespace syncopate::ui {

/// A mark on the time ruler: its position, in nanoseconds relative to the iteration's start, and its label.
struct Tick {
    double time = 0;
    QString label;
};

/// Marks at round times (1, 2 or 5 times a power of ten) within [from, to], at least `leastPixels` apart if the range is `pixels`
/// wide. All labels of a ruler share a unit and a number of decimals.
[[nodiscard]] std::vector<Tick> rulerTicks(double from, double to, int pixels, int leastPixels = 84);

/// Where the label of a tick at column `x` stands in a ruler's row: right of its line or, at the row's end, left of it. Empty
/// where neither is inside the row and apart from the label before it, whose last column is `taken`.
[[nodiscard]] QRect tickLabelRect(const QFontMetrics &metrics, const QString &label, int x, const QRect &row, int taken);

/// A mark's name in the ruler: left of its line or, at the row's start, right of it; elided where others leave less room.
struct MarkLabel {
    QRect rect; ///< empty: there is no room
    QString text;
};
/// Places the names of marks at columns inside `row`, the last column first, so that none covers another or one of `taken`.
[[nodiscard]] std::vector<MarkLabel> placeMarkLabels(const QFontMetrics &metrics,
                                                     const std::vector<std::pair<int, QString>> &marks, const QRect &row,
                                                     const std::vector<QRect> &taken = {});

/// How many of a legend's names have room, each `around` pixels wider than its text; what says how many more there are.
struct LegendRoom {
    qsizetype names = 0;
    QString rest; ///< "+2"; empty: all have room
    int width = 0;
};
[[nodiscard]] LegendRoom fitLegend(const QFontMetrics &metrics, const QStringList &names, int around, int width);

/// The words that the names of a worker's lanes begin with: "worker 0 " of "worker 0 compute" and "worker 0 push". What is left
/// of a name begins with a word, not with a number: "GPU 0 " of "GPU 0 stream 7" and "GPU 0 stream 24". Empty: none.
[[nodiscard]] QString laneOwner(const QStringList &names);

/// A time to the precision of one pixel of the view, with unit: "74.03 ms", U+2212 for minus.
[[nodiscard]] QString formatTime(double nanoseconds, double nanosecondsPerPixel);

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QRect>
#include <QString>
#include <utility>
#include <vector>

namespace syncopate::ui {

/// A mark on the time ruler: its position, in nanoseconds relative to the iteration's start, and its label.
struct Tick {
    double time = 0;
    QString label;
};

/// Marks at round times (1, 2 or 5 times a power of ten) within [from, to], at least `minPixels` apart if the range is `pixels`
/// wide. All labels of a ruler share a unit and a number of decimals. Empty where times are too large for doubles to tell marks
/// apart.
[[nodiscard]] std::vector<Tick> rulerTicks(double from, double to, int pixels, int minPixels = 84);

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

/// A time to the precision of one pixel of the view, with unit: "74.03 ms", U+2212 for minus.
[[nodiscard]] QString formatTime(double nanoseconds, double nanosecondsPerPixel);

} // namespace syncopate::ui

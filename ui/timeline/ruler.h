// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
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

/// A time to the precision of one pixel of the view, with unit: "74.03 ms", U+2212 for minus.
[[nodiscard]] QString formatTime(double nanoseconds, double nanosecondsPerPixel);

} // namespace syncopate::ui

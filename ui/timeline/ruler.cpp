// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/ruler.h"

#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

struct Unit {
    double nanoseconds;
    QString name;
};

Unit unitFor(double nanoseconds) {
    if (nanoseconds >= 1e9)
        return {1e9, QStringLiteral("s")};
    if (nanoseconds >= 1e6)
        return {1e6, QStringLiteral("ms")};
    return {1e3, QStringLiteral("µs")};
}

QString format(double nanoseconds, const Unit &unit, double resolution) {
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(resolution / unit.nanoseconds) - 1e-9)), 0, 9);
    QString number = QString::number(std::abs(nanoseconds) / unit.nanoseconds, 'f', decimals);
    // Rounding may leave a minus sign before zero.
    const bool negative = nanoseconds < 0 && number.toDouble() != 0;
    return (negative ? QString(QChar(0x2212)) : QString()) + number + QChar(0xa0) + unit.name;
}

} // namespace

std::vector<Tick> rulerTicks(double from, double to, int pixels, int leastPixels) {
    std::vector<Tick> ticks;
    if (!(to > from) || pixels < leastPixels)
        return ticks;
    const double least = (to - from) / pixels * leastPixels;
    double step = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (step * factor >= least) {
            step *= factor;
            break;
        }
    const Unit unit = unitFor(std::max({std::abs(from), std::abs(to), step}) / 2);
    for (double k = std::ceil(from / step); k * step <= to; ++k)
        ticks.push_back({k * step, format(k * step, unit, step)});
    return ticks;
}

QString formatTime(double nanoseconds, double nanosecondsPerPixel) {
    return format(nanoseconds, unitFor(std::max(std::abs(nanoseconds), nanosecondsPerPixel * 100)),
                  std::pow(10.0, std::floor(std::log10(std::max(1.0, nanosecondsPerPixel)))));
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/ruler.h"

#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr double maxCounted = 0x1p53;

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

std::vector<Tick> rulerTicks(double from, double to, int pixels, int minPixels) {
    std::vector<Tick> ticks;
    if (!(to > from) || pixels < minPixels)
        return ticks;
    const double minStep = (to - from) / pixels * minPixels;
    double step = std::pow(10.0, std::floor(std::log10(minStep)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (step * factor >= minStep) {
            step *= factor;
            break;
        }
    // Half: up to 2 s, "1200 ms" is preferred to "1.2 s".
    const Unit unit = unitFor(std::max({std::abs(from), std::abs(to), step}) / 2);
    // Counts above 2^53 are not all doubles, and adding one to them changes nothing.
    const double first = std::ceil(from / step);
    if (std::max(std::abs(first), std::abs(to / step)) >= maxCounted)
        return ticks;
    for (double k = first; k * step <= to; ++k)
        ticks.push_back({k * step, format(k * step, unit, step)});
    return ticks;
}

QRect tickLabelRect(const QFontMetrics &metrics, const QString &label, int x, const QRect &row, int taken) {
    constexpr int gap = 4; // to the tick's line, and to the label before
    const int width = metrics.horizontalAdvance(label);
    for (const int left : {x + gap, x - gap - width})
        if (left > std::max(taken + gap, row.left()) && left + width <= row.right())
            return {left, row.top(), width, row.height()};
    return {};
}

std::vector<MarkLabel> placeMarkLabels(const QFontMetrics &metrics, const std::vector<std::pair<int, QString>> &marks,
                                       const QRect &row, const std::vector<QRect> &taken) {
    constexpr int padding = 6, gap = 2;
    const int minWidth = metrics.horizontalAdvance(QStringLiteral("mm…")) + padding;
    int limit = row.right() + 1;
    std::vector<MarkLabel> labels;
    for (const auto &[x, name] : marks) {
        const int width = metrics.horizontalAdvance(name) + padding;
        // The free columns [from, to) left of the mark's line, or of the text that covers it, and right of the line.
        int to = std::min(x, limit), from = row.left(), rightFrom = x + 1, rightTo = limit;
        const auto covering = [&] {
            return std::ranges::find_if(taken, [&](const QRect &other) { return other.left() < to && to - 1 <= other.right(); });
        };
        for (auto other = covering(); other != taken.end(); other = covering())
            to = other->left() - gap;
        for (const QRect &other : taken) {
            if (other.left() < to && other.right() >= from)
                from = std::max(from, std::min(to, other.right() + 1 + gap));
            if (other.right() >= rightFrom && other.left() < rightTo)
                rightTo = std::max(rightFrom, other.left() - gap);
        }
        if (to - from < width && rightTo - rightFrom >= std::min(width, std::max(minWidth, to - from + 1))) {
            from = rightFrom;
            to = std::min(rightTo, rightFrom + width);
        }
        from = std::max(from, to - width);
        if (to - from < std::min(width, minWidth)) {
            labels.push_back({});
            continue;
        }
        // Not elided where there is room for all: its advance is rounded, and may be a part of a pixel short.
        labels.push_back({QRect(from, row.top(), to - from, row.height()),
                          to - from == width ? name : metrics.elidedText(name, Qt::ElideRight, to - from - padding)});
        limit = from - gap;
    }
    return labels;
}

QString formatTime(double nanoseconds, double nanosecondsPerPixel) {
    return format(nanoseconds, unitFor(std::max(std::abs(nanoseconds), nanosecondsPerPixel * 100)),
                  std::pow(10.0, std::floor(std::log10(std::max(1.0, nanosecondsPerPixel)))));
}

} // namespace syncopate::ui

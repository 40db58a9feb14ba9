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

QRect tickLabelRect(const QFontMetrics &metrics, const QString &label, int x, const QRect &row, int taken) {
    constexpr int gap = 4; // to the tick's line, and to the label before
    const int wide = metrics.horizontalAdvance(label);
    for (const int left : {x + gap, x - gap - wide})
        if (left > std::max(taken + gap, row.left()) && left + wide <= row.right())
            return {left, row.top(), wide, row.height()};
    return {};
}

std::vector<MarkLabel> placeMarkLabels(const QFontMetrics &metrics, const std::vector<std::pair<int, QString>> &marks,
                                       const QRect &row, const std::vector<QRect> &taken) {
    constexpr int padding = 6, gap = 2;
    const int least = metrics.horizontalAdvance(QStringLiteral("mm…")) + padding;
    int limit = row.right() + 1;
    std::vector<MarkLabel> labels;
    for (const auto &[x, name] : marks) {
        const int wide = metrics.horizontalAdvance(name) + padding;
        // The free columns [from, to) left of the mark's line, or of what covers it, and right of the line.
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
        if (to - from < wide && rightTo - rightFrom >= std::min(wide, std::max(least, to - from + 1))) {
            from = rightFrom;
            to = std::min(rightTo, rightFrom + wide);
        }
        from = std::max(from, to - wide);
        if (to - from < std::min(wide, least)) {
            labels.push_back({});
            continue;
        }
        // Not elided where there is room for all: its advance is rounded, and may be a part of a pixel short.
        labels.push_back({QRect(from, row.top(), to - from, row.height()),
                          to - from == wide ? name : metrics.elidedText(name, Qt::ElideRight, to - from - padding)});
        limit = from - gap;
    }
    return labels;
}

LegendRoom fitLegend(const QFontMetrics &metrics, const QStringList &names, int around, int width) {
    LegendRoom room;
    for (const QString &name : names)
        room.width += metrics.horizontalAdvance(name) + around;
    room.names = names.size();
    int restWidth = 0;
    while (room.names > 0 && room.width + restWidth > width) {
        room.width -= metrics.horizontalAdvance(names[--room.names]) + around;
        room.rest = QStringLiteral("+%1").arg(names.size() - room.names);
        restWidth = metrics.horizontalAdvance(room.rest);
    }
    room.width += restWidth;
    return room;
}

QString laneOwner(const QStringList &names) {
    if (names.size() < 2)
        return {};
    const QString &first = names.front();
    qsizetype alike = first.size();
    for (const QString &name : names)
        alike = std::min<qsizetype>(alike, std::ranges::mismatch(first, name).in1 - first.begin());
    const auto leavesName = [](const QString &name, qsizetype owner) {
        return name.size() > owner && name[owner].isLetter(); // "24", "#2" and "(2)" name nothing
    };
    for (; alike > 0; --alike)
        if (first[alike - 1] == QLatin1Char(' ') &&
            std::ranges::all_of(names, [&](const QString &name) { return leavesName(name, alike); }))
            break;
    return first.left(alike);
}

QString formatTime(double nanoseconds, double nanosecondsPerPixel) {
    return format(nanoseconds, unitFor(std::max(std::abs(nanoseconds), nanosecondsPerPixel * 100)),
                  std::pow(10.0, std::floor(std::log10(std::max(1.0, nanosecondsPerPixel)))));
}

} // namespace syncopate::ui

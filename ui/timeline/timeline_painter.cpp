// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_painter.h"

#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace syncopate::ui {

namespace {

using Busy = std::array<Nanoseconds, 2 * categoryCount>;

/// From this many spans in a column on, the index is asked instead of the spans. Both are exact. A question to the index costs
/// about as much as this many spans that lie next to each other (bench_ui_timeline, 10 million spans).
constexpr std::size_t crowd = 160;
constexpr int hatchPeriod = 6;
constexpr double partsOfNanosecond = 256; ///< that a strip's share is counted in: zoomed in, a column is a nanosecond or two

QRgb mix(QRgb a, QRgb b, double shareOfA) {
    const auto one = [shareOfA](int x, int y) { return static_cast<int>(std::lround(x * shareOfA + y * (1 - shareOfA))); };
    return qRgb(one(qRed(a), qRed(b)), one(qGreen(a), qGreen(b)), one(qBlue(a), qBlue(b)));
}

} // namespace

Nanoseconds TimeWindow::at(int x) const { return static_cast<Nanoseconds>(std::floor(from + x * perPixel)); }

LanePalette LanePalette::of(const Theme &theme) { return of(theme.colors()); }

LanePalette LanePalette::of(const ThemeColors &theme) {
    LanePalette palette;
    palette.background = theme.color(ColorId::TimelineBackground).rgb();
    palette.hatch = theme.color(ColorId::Hatch).rgb();
    for (std::size_t c = 0; c < categoryCount; ++c) {
        const QRgb color = theme.categoryColor(static_cast<Category>(c)).rgb();
        palette.category[c] = color;
        palette.category[categoryCount + c] = mix(color, palette.background, 0.28);
    }
    return palette;
}

/// The visible rows of the lane's rectangle in the image.
struct TimelinePainter::Canvas {
    QRgb *base = nullptr; ///< pixel (rect.left, row 0 of the rectangle); row 0 itself may lie outside of the image
    qsizetype stride = 0;
    int width = 0;
    int height = 0;   ///< of the rectangle
    int firstRow = 0; ///< visible rows [firstRow, endRow)
    int endRow = 0;

    [[nodiscard]] bool isEmpty() const { return width <= 0 || firstRow >= endRow; }
    void fill(int x, int end, QRgb color) const {
        for (int row = firstRow; row < endRow; ++row)
            std::fill(base + row * stride + x, base + row * stride + end, color);
    }
};

TimelinePainter::Canvas TimelinePainter::canvasOf(QImage &image, const QRect &rect) {
    Canvas canvas;
    if (rect.left() < 0)
        return canvas;
    canvas.stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    canvas.base = reinterpret_cast<QRgb *>(image.bits()) + rect.top() * canvas.stride + rect.left();
    canvas.width = std::min(rect.width(), image.width() - rect.left());
    canvas.height = rect.height();
    canvas.firstRow = std::max(0, -rect.top());
    canvas.endRow = std::min(rect.height(), image.height() - rect.top());
    return canvas;
}

// One pass over spans and columns at once: its cases share the span, the column and the stretch of time they are at, and it runs
// for every lane of every frame.
// NOLINTNEXTLINE(readability-function-size,readability-function-cognitive-complexity)
void TimelinePainter::paintLane(QImage &image, const QRect &rect, const TimelineData &data, std::size_t laneNumber,
                                const TimeWindow &window, int wideColumns, std::vector<WideSpan> *wide) const {
    const Canvas canvas = canvasOf(image, rect);
    if (canvas.isEmpty() || !(window.perPixel > 0))
        return;

    const Lane &lane = data.lane(laneNumber);
    const LaneIndex &index = data.index(laneNumber);
    if (m_hatch && lane.isCompute)
        paintHatch(canvas, lane, window);
    const std::size_t n = lane.size();
    const Nanoseconds *const starts = lane.start.data();
    const Nanoseconds *const ends = lane.end.data();
    const auto colorIndex = [&](std::size_t i) {
        const auto category = static_cast<std::size_t>(data.colorOf(laneNumber, lane.category[i]));
        return m_lit && (*m_lit)[static_cast<std::size_t>(lane.label[i])] == 0 ? category + categoryCount : category;
    };

    std::size_t i = index.firstEndingAfter(window.at(0));
    int x = 0;
    while (x < canvas.width && i < n) {
        const Nanoseconds from = window.at(x), to = window.at(x + 1);
        if (ends[i] <= from) {
            ++i;
            continue;
        }
        if (starts[i] >= to) { // idle up to the column in which the next span starts
            const double next = window.xOf(starts[i]);
            x = next >= canvas.width ? canvas.width : std::max(x + 1, static_cast<int>(next));
            continue;
        }
        if (starts[i] <= from && ends[i] >= to) { // whole columns of one span
            const double last = window.xOf(ends[i]);
            const int end = last >= canvas.width ? canvas.width : std::clamp(static_cast<int>(last), x + 1, canvas.width);
            const QRgb color = m_palette.category[colorIndex(i)];
            canvas.fill(x, end, color);
            if (m_separators && end - x >= 3 && starts[i] > from - static_cast<Nanoseconds>(window.perPixel))
                canvas.fill(x, x + 1, mix(color, m_palette.background, 0.35));
            if (wide && end - x >= wideColumns)
                wide->push_back({laneNumber, i, x, end});
            x = end;
            continue;
        }
        Busy busy{};
        if (!m_lit && i + crowd < n && ends[i + crowd] <= to) {
            const auto counted = index.busy(from, to);
            for (std::size_t c = 0; c < categoryCount; ++c)
                busy[static_cast<std::size_t>(data.colorOf(laneNumber, static_cast<Category>(c)))] += counted[c];
            i = static_cast<std::size_t>(std::upper_bound(ends + i + crowd, ends + n, to) - ends);
        } else {
            while (i < n && starts[i] < to) {
                busy[colorIndex(i)] += std::min(ends[i], to) - std::max(starts[i], from);
                if (ends[i] > to)
                    break;
                ++i;
            }
        }
        paintStack(canvas, x, busy, static_cast<double>(to - from));
        ++x;
    }
}

void TimelinePainter::paintStrip(QImage &image, const QRect &rect, const TimelineData &data, std::size_t laneNumber,
                                 const TimeWindow &window) const {
    const Canvas canvas = canvasOf(image, rect);
    const LaneStrip *strip = data.strip(laneNumber);
    const Lane &lane = data.lane(laneNumber);
    if (canvas.isEmpty() || !(window.perPixel > 0) || !strip || lane.size() == 0)
        return;
    const std::vector<double> lit = m_lit ? litAreas(data, laneNumber, window, canvas.width) : std::vector<double>();
    const auto category = static_cast<std::size_t>(data.colorOf(laneNumber, lane.category.front()));
    double before = strip->areaUntil(window.at(0));
    for (int x = 0; x < canvas.width; ++x) {
        const Nanoseconds from = window.at(x), to = window.at(x + 1);
        if (to == from) // closer than a nanosecond: as the column before
            continue;
        const double until = strip->areaUntil(to), area = until - std::exchange(before, until);
        const double bright = std::min(area, m_lit ? lit[static_cast<std::size_t>(x)] : area);
        Busy busy{};
        busy[category] = static_cast<Nanoseconds>(std::ceil(bright * partsOfNanosecond));
        busy[category + categoryCount] = static_cast<Nanoseconds>(std::ceil((area - bright) * partsOfNanosecond));
        if (area * canvas.height > 0.01 * static_cast<double>(to - from))
            paintStack(canvas, x, busy, static_cast<double>(to - from) * partsOfNanosecond);
    }
}

std::vector<double> TimelinePainter::litAreas(const TimelineData &data, std::size_t laneNumber, const TimeWindow &window,
                                              int columns) const {
    std::vector<double> areas(static_cast<std::size_t>(columns), 0.0);
    const Nanoseconds begin = window.at(0), end = window.at(columns);
    for (std::size_t l = laneNumber; l < laneNumber + data.stacks().size(laneNumber); ++l) {
        const Lane &lane = data.lane(l);
        for (std::size_t i = data.index(l).firstEndingAfter(begin); i < lane.size() && lane.start[i] < end; ++i) {
            if ((*m_lit)[static_cast<std::size_t>(lane.label[i])] == 0)
                continue;
            const double share = data.strip(laneNumber)->shareOf(lane, i);
            const int last = static_cast<int>(std::min(window.xOf(lane.end[i]), columns - 1.0));
            for (int x = static_cast<int>(std::max(0.0, window.xOf(lane.start[i]))); x <= last; ++x)
                areas[static_cast<std::size_t>(x)] +=
                    share * static_cast<double>(std::max<Nanoseconds>(0, std::min(lane.end[i], window.at(x + 1)) -
                                                                             std::max(lane.start[i], window.at(x))));
        }
    }
    return areas;
}

void TimelinePainter::paintHatch(const Canvas &canvas, const Lane &lane, const TimeWindow &window) const {
    if (lane.size() == 0)
        return;
    const int from = static_cast<int>(std::clamp(window.xOf(lane.start.front()), 0.0, static_cast<double>(canvas.width)));
    const int to = static_cast<int>(std::clamp(window.xOf(lane.end.back()), 0.0, static_cast<double>(canvas.width)));
    if (to <= from)
        return;
    // One pattern row, copied with a shift per scanline: diagonal strokes at the price of a fill.
    std::vector<QRgb> pattern(static_cast<std::size_t>(to + hatchPeriod), m_palette.background);
    for (std::size_t p = 0; p < pattern.size(); p += hatchPeriod)
        pattern[p] = m_palette.hatch;
    for (int row = canvas.firstRow; row < canvas.endRow; ++row)
        std::memcpy(canvas.base + row * canvas.stride + from, pattern.data() + from + row % hatchPeriod,
                    static_cast<std::size_t>(to - from) * sizeof(QRgb));
}

void TimelinePainter::paintStack(const Canvas &canvas, int x, const Busy &busy, double columnNanoseconds) const {
    double sum = 0;
    int painted = 0; // rows from the bottom up
    std::size_t longest = 0;
    for (std::size_t c = 0; c < busy.size(); ++c) {
        if (busy[c] <= 0)
            continue;
        sum += static_cast<double>(busy[c]);
        longest = busy[c] > busy[longest] ? c : longest;
        const int top = std::min(canvas.height, static_cast<int>(std::lround(sum / columnNanoseconds * canvas.height)));
        for (; painted < top; ++painted) {
            const int row = canvas.height - 1 - painted;
            if (row >= canvas.firstRow && row < canvas.endRow)
                canvas.base[row * canvas.stride + x] = m_palette.category[c];
        }
    }
    // A lone short span must not vanish.
    const int bottom = canvas.height - 1;
    if (painted == 0 && bottom >= canvas.firstRow && bottom < canvas.endRow)
        canvas.base[bottom * canvas.stride + x] = m_palette.category[longest];
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_painter.h"

#include "ui/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {

/// From this many spans in a column on, the index is queried instead of the spans. Both are exact. One query costs about as much
/// as visiting this many adjacent spans (bench_ui_timeline, 10 million spans).
constexpr std::size_t crowd = 24;
constexpr double partsOfNanosecond = 256; ///< unit of a strip's share: zoomed in, a column is a nanosecond or two

QRgb mix(QRgb a, QRgb b, double shareOfA) {
    const auto one = [shareOfA](int x, int y) { return static_cast<int>(std::lround(x * shareOfA + y * (1 - shareOfA))); };
    return qRgb(one(qRed(a), qRed(b)), one(qGreen(a), qGreen(b)), one(qBlue(a), qBlue(b)));
}

/// The part of `rect` within the image; empty if there is none.
PixelArea areaOf(QImage &image, const QRect &rect) {
    PixelArea area;
    if (rect.left() < 0)
        return area;
    area.stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    area.base = reinterpret_cast<QRgb *>(image.bits()) + rect.top() * area.stride + rect.left();
    area.width = std::min(rect.width(), image.width() - rect.left());
    area.height = rect.height();
    area.firstRow = std::max(0, -rect.top());
    area.endRow = std::min(rect.height(), image.height() - rect.top());
    return area;
}

/// The colours that may occur in a lane, and the colour of each of its categories.
struct LaneColors {
    std::vector<std::uint8_t> numbers;                        ///< into StackColors, ascending
    std::array<std::uint8_t, 2 * categoryCount> ofCategory{}; ///< into `numbers`; those not of interest follow

    LaneColors(const TimelineData &data, std::size_t lane, bool hasQuiet) {
        std::array<bool, 2 * categoryCount> has{};
        for (const std::size_t category : data.index(lane).categories()) {
            const std::size_t number = numberOf(data, lane, category);
            has[number] = true;
            has[number + categoryCount] = hasQuiet;
        }
        std::array<std::uint8_t, 2 * categoryCount> places{};
        for (std::size_t number = 0; number < has.size(); ++number)
            if (has[number]) {
                places[number] = static_cast<std::uint8_t>(numbers.size());
                numbers.push_back(static_cast<std::uint8_t>(number));
            }
        for (std::size_t category = 0; category < categoryCount; ++category) {
            const std::size_t number = numberOf(data, lane, category);
            ofCategory[category] = places[number];
            ofCategory[category + categoryCount] = places[number + categoryCount];
        }
    }

private:
    static std::size_t numberOf(const TimelineData &data, std::size_t lane, std::size_t category) {
        return static_cast<std::size_t>(data.colorOf(lane, static_cast<Category>(category)));
    }
};

/// A single simultaneous pass over the spans and columns of a lane, which fills its stacks.
class LanePass {
public:
    struct Run {
        std::size_t span = 0, color = 0;
        int x = 0, end = 0;
        bool isFromStart = false; ///< the span begins in the run's first column, or in the one before
    };

    LanePass(const TimelineData &data, std::size_t lane, const LaneColors &colors, const std::vector<std::uint8_t> *lit,
             const TimeWindow &window, int width)
        : m_lane(data.lane(lane)), m_colors(colors), m_lit(lit), m_window(window), m_width(width), m_walk(data.index(lane)),
          m_span(data.index(lane).firstEndingAfter(window.at(0))) {}

    /// `takeRun` receives the runs of columns covered by a single span.
    template <class TakeRun> void fill(ColumnStacks &stacks, TakeRun &&takeRun) {
        const Nanoseconds *const starts = m_lane.start.data(), *const ends = m_lane.end.data();
        Nanoseconds from = m_window.at(0);
        for (int x = 0; x < m_width && m_span < m_lane.size();) {
            const Nanoseconds to = m_window.at(x + 1), start = starts[m_span], end = ends[m_span];
            if (end <= from) {
                ++m_span;
            } else if (start >= to) { // idle until the column in which the next span starts
                x = std::max(x + 1, columnOf(start));
                from = m_window.at(x);
            } else if (start <= from && end >= to) { // whole columns covered by one span
                const Run run{m_span, colorOf(m_span), x, std::max(x + 1, columnOf(end)),
                              start > from - static_cast<Nanoseconds>(m_window.perPixel)};
                stacks.fill(x, run.end, run.color);
                takeRun(run);
                x = run.end;
                from = m_window.at(x);
            } else {
                sum(from, to);
                stacks.stack(x, m_times, static_cast<double>(to - from));
                ++x;
                from = to;
            }
        }
    }

private:
    [[nodiscard]] int columnOf(Nanoseconds time) const {
        const double column = m_window.xOf(time);
        return column >= m_width ? m_width : static_cast<int>(column);
    }
    [[nodiscard]] std::size_t colorOf(std::size_t span) const {
        const auto category = static_cast<std::size_t>(m_lane.category[span]);
        const bool isQuiet = m_lit && (*m_lit)[static_cast<std::size_t>(m_lane.label[span])] == 0;
        return m_colors.ofCategory[isQuiet ? category + categoryCount : category];
    }

    /// Records how long each colour lasts in a column shared by several spans, or by one and idle time. Advances to the first
    /// span that ends after the column.
    void sum(Nanoseconds from, Nanoseconds to) {
        std::fill_n(m_times.begin(), m_colors.numbers.size(), 0);
        const std::size_t n = m_lane.size();
        const Nanoseconds *const starts = m_lane.start.data(), *const ends = m_lane.end.data();
        std::size_t i = m_span;
        // After a crowded column another one is likely: checking for its end costs more than guessing wrong.
        if (!m_lit && (m_wasCrowd || (i + crowd < n && ends[i + crowd] <= to))) {
            m_walk.moveTo(from);
            m_walk.advanceTo(to,
                             [this](std::size_t category, Nanoseconds time) { m_times[m_colors.ofCategory[category]] += time; });
            m_span = m_walk.span();
            m_wasCrowd = m_span >= i + crowd;
            return;
        }
        for (; i < n && starts[i] < to; ++i) {
            m_times[colorOf(i)] += std::min(ends[i], to) - std::max(starts[i], from);
            if (ends[i] > to)
                break;
        }
        m_span = i;
    }

    const Lane &m_lane;
    const LaneColors &m_colors;
    const std::vector<std::uint8_t> *m_lit;
    const TimeWindow m_window;
    const int m_width;
    BusyWalk m_walk;
    StackTimes m_times{};
    bool m_wasCrowd = false; ///< the last shared column was crowded
    std::size_t m_span;      ///< the first that may end after the present column
};

} // namespace

TimelinePainter::TimelinePainter(const LanePalette &palette) : m_palette(palette) {
    for (std::size_t c = 0; c < m_separatorColors.size(); ++c)
        m_separatorColors[c] = mix(palette.category[c], palette.background, 0.35);
}

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

void TimelinePainter::paintLane(QImage &image, const QRect &rect, const TimelineData &data, std::size_t laneNumber,
                                const TimeWindow &window, int wideColumns, std::vector<WideSpan> *wide) const {
    const PixelArea area = areaOf(image, rect);
    if (area.isEmpty() || !(window.perPixel > 0)) {
        paintNothing(area);
        return;
    }
    const LaneColors colors(data, laneNumber, m_lit != nullptr);
    ColumnStacks stacks(area.width, area.height, colors.numbers);
    std::vector<std::pair<int, QRgb>> separators;
    LanePass(data, laneNumber, colors, m_lit, window, area.width).fill(stacks, [&](const LanePass::Run &run) {
        if (m_separators && run.end - run.x >= 3 && run.isFromStart)
            separators.emplace_back(run.x, m_separatorColors[colors.numbers[run.color]]);
        if (wide && run.end - run.x >= wideColumns)
            wide->push_back({laneNumber, run.span, run.x, run.end});
    });
    stacks.paint(area, m_palette.category, groundOf(area, data.lane(laneNumber), window));
    for (const auto &[x, color] : separators)
        area.fillColumn(x, color);
}

void TimelinePainter::paintNothing(const PixelArea &area) const {
    ColumnStacks(area.width, area.height, {}).paint(area, m_palette.category, {m_ground});
}

void TimelinePainter::paintStrip(QImage &image, const QRect &rect, const TimelineData &data, std::size_t laneNumber,
                                 const TimeWindow &window) const {
    const PixelArea area = areaOf(image, rect);
    const LaneStrip *strip = data.strip(laneNumber);
    const Lane &lane = data.lane(laneNumber);
    if (area.isEmpty() || !(window.perPixel > 0) || !strip || lane.size() == 0) {
        paintNothing(area);
        return;
    }
    const std::vector<double> lit = m_lit ? litAreas(data, laneNumber, window, area.width) : std::vector<double>();
    const auto color = static_cast<std::uint8_t>(data.colorOf(laneNumber, lane.category.front()));
    ColumnStacks stacks(area.width, area.height, {color, static_cast<std::uint8_t>(color + categoryCount)});
    Nanoseconds known = window.at(0);
    double untilKnown = strip->areaUntil(known);
    for (int x = 0; x < area.width; ++x) {
        const Nanoseconds from = window.at(x), to = window.endOf(x);
        const double before = from == known ? untilKnown : strip->areaUntil(from);
        known = to;
        untilKnown = strip->areaUntil(to);
        const double used = untilKnown - before;
        const double bright = std::min(used, m_lit ? lit[static_cast<std::size_t>(x)] : used);
        const StackTimes times{static_cast<Nanoseconds>(std::ceil(bright * partsOfNanosecond)),
                               static_cast<Nanoseconds>(std::ceil((used - bright) * partsOfNanosecond))};
        if (used * area.height > 0.01 * static_cast<double>(to - from))
            stacks.stack(x, times, static_cast<double>(to - from) * partsOfNanosecond);
    }
    stacks.paint(area, m_palette.category, {m_ground});
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
                    share * static_cast<double>(std::max<Nanoseconds>(0, std::min(lane.end[i], window.endOf(x)) -
                                                                             std::max(lane.start[i], window.at(x))));
        }
    }
    return areas;
}

StackGround TimelinePainter::groundOf(const PixelArea &area, const Lane &lane, const TimeWindow &window) const {
    StackGround ground{m_ground};
    if (!m_hatch || !lane.isCompute || lane.size() == 0)
        return ground;
    const auto columnOf = [&](Nanoseconds time) {
        return static_cast<int>(std::clamp(window.xOf(time), 0.0, static_cast<double>(area.width)));
    };
    ground.hatchFrom = columnOf(lane.start.front());
    ground.hatchEnd = columnOf(lane.end.back());
    if (ground.hatchFrom >= ground.hatchEnd)
        return ground;
    // Rows copy it, each shifted by a pixel: diagonal strokes at the cost of a fill.
    ground.hatch.assign(static_cast<std::size_t>(ground.hatchEnd + hatchPeriod), m_palette.background);
    for (std::size_t p = 0; p < ground.hatch.size(); p += hatchPeriod)
        ground.hatch[p] = m_palette.hatch;
    return ground;
}

} // namespace syncopate::ui

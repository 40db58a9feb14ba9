// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_painter.h"

#include <algorithm>
#include <cmath>

namespace syncopate::testing {

/// A reference painter of lanes: it visits every span for every column, without the index and without caching. Slow and small;
/// tst_timeline_pixels compares the real painter's pictures with it, pixel by pixel.
class PlainPainter {
public:
    explicit PlainPainter(const ui::LanePalette &palette, const std::vector<std::uint8_t> *lit = nullptr, bool separators = true)
        : m_palette(palette), m_lit(lit), m_separators(separators) {}

    void paintLane(QImage &image, const QRect &rect, const ui::TimelineData &data, std::size_t lane,
                   const ui::TimeWindow &window) const {
        const Lane &spans = data.lane(lane);
        const int width = std::min(rect.width(), image.width() - rect.left());
        hatch(image, rect, spans, window, width);
        int runEnd = 0; // end of the columns covered by one span
        std::ptrdiff_t runOf = -1;
        for (int x = 0; x < width; ++x) {
            const auto from = timeAt(window, x), to = timeAt(window, x + 1);
            std::array<Nanoseconds, 2 * categoryCount> busy{};
            std::ptrdiff_t whole = -1;
            bool any = false;
            for (std::size_t i = 0; i < spans.size(); ++i) {
                if (spans.end[i] <= from || spans.start[i] >= to)
                    continue;
                any = true;
                if (spans.start[i] <= from && spans.end[i] >= to)
                    whole = static_cast<std::ptrdiff_t>(i);
                busy[colorOf(data, lane, i)] += std::min(spans.end[i], to) - std::max(spans.start[i], from);
            }
            if (whole < 0) {
                if (any)
                    stack(image, rect, x, busy, static_cast<double>(to - from));
                continue;
            }
            const auto span = static_cast<std::size_t>(whole);
            const QRgb color = m_palette.category[colorOf(data, lane, span)];
            column(image, rect, x, color);
            if (whole == runOf && x < runEnd)
                continue;
            runOf = whole;
            runEnd = std::clamp(static_cast<int>(std::min<double>(width, window.xOf(spans.end[span]))), x + 1, width);
            if (m_separators && runEnd - x >= 3 && spans.start[span] > from - static_cast<Nanoseconds>(window.perPixel))
                column(image, rect, x, mixed(color, m_palette.background, 0.35));
        }
    }

    static Nanoseconds timeAt(const ui::TimeWindow &window, int x) {
        return static_cast<Nanoseconds>(std::floor(window.from + x * window.perPixel));
    }

private:
    [[nodiscard]] std::size_t colorOf(const ui::TimelineData &data, std::size_t lane, std::size_t span) const {
        const Lane &spans = data.lane(lane);
        const auto category = static_cast<std::size_t>(data.colorOf(lane, spans.category[span]));
        return m_lit && (*m_lit)[static_cast<std::size_t>(spans.label[span])] == 0 ? category + categoryCount : category;
    }

    static void pixel(QImage &image, const QRect &rect, int x, int row, QRgb color) {
        if (row + rect.top() >= 0 && row + rect.top() < image.height())
            image.setPixel(rect.left() + x, rect.top() + row, color);
    }
    static void column(QImage &image, const QRect &rect, int x, QRgb color) {
        for (int row = 0; row < rect.height(); ++row)
            pixel(image, rect, x, row, color);
    }

    void stack(QImage &image, const QRect &rect, int x, const std::array<Nanoseconds, 2 * categoryCount> &busy,
               double time) const {
        double sum = 0;
        int painted = 0;
        std::size_t longest = 0;
        for (std::size_t c = 0; c < busy.size(); ++c) {
            if (busy[c] <= 0)
                continue;
            sum += static_cast<double>(busy[c]);
            longest = busy[c] > busy[longest] ? c : longest;
            const int top = std::min(rect.height(), static_cast<int>(std::lround(sum / time * rect.height())));
            for (; painted < top; ++painted)
                pixel(image, rect, x, rect.height() - 1 - painted, m_palette.category[c]);
        }
        if (painted == 0)
            pixel(image, rect, x, rect.height() - 1, m_palette.category[longest]);
    }

    void hatch(QImage &image, const QRect &rect, const Lane &spans, const ui::TimeWindow &window, int width) const {
        if (!spans.isCompute || spans.size() == 0)
            return;
        const auto columnOf = [&](Nanoseconds time) {
            return static_cast<int>(std::clamp(window.xOf(time), 0.0, static_cast<double>(width)));
        };
        for (int x = columnOf(spans.start.front()); x < columnOf(spans.end.back()); ++x)
            for (int row = 0; row < rect.height(); ++row)
                pixel(image, rect, x, row, (x + row % 6) % 6 == 0 ? m_palette.hatch : m_palette.background);
    }

    static QRgb mixed(QRgb a, QRgb b, double shareOfA) {
        const auto one = [shareOfA](int x, int y) { return static_cast<int>(std::lround(x * shareOfA + y * (1 - shareOfA))); };
        return qRgb(one(qRed(a), qRed(b)), one(qGreen(a), qGreen(b)), one(qBlue(a), qBlue(b)));
    }

    const ui::LanePalette m_palette;
    const std::vector<std::uint8_t> *m_lit;
    bool m_separators;
};

} // namespace syncopate::testing

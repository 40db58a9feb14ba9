// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/column_stacks.h"
#include "ui/timeline/timeline_data.h"

#include <QImage>
#include <QRect>
#include <algorithm>
#include <vector>

namespace syncopate::ui {

class Theme;
struct ThemeColors;

/// Pixel column x (0 = left edge of the painted rectangle) covers [from + x * perPixel, from + (x + 1) * perPixel).
/// Absolute nanoseconds.
struct TimeWindow {
    double from = 0;
    double perPixel = 1;
    [[nodiscard]] Nanoseconds at(int x) const {
        const double time = from + x * perPixel;
        const auto whole = static_cast<Nanoseconds>(time); // towards zero; columns begin at the nanosecond before
        return whole - (static_cast<double>(whole) > time ? 1 : 0);
    }
    /// The end of column x; zoomed in further than to nanoseconds, a column is one that it shares with its neighbours.
    [[nodiscard]] Nanoseconds endOf(int x) const { return std::max(at(x) + 1, at(x + 1)); }
    [[nodiscard]] double xOf(Nanoseconds time) const { return (static_cast<double>(time) - from) / perPixel; }
};

/// The painter's colours; the second half of `category` is for spans that are not of interest while others are.
struct LanePalette {
    QRgb background = 0;
    QRgb hatch = 0;
    StackColors category{};
    [[nodiscard]] static LanePalette of(const ThemeColors &colors);
    [[nodiscard]] static LanePalette of(const Theme &theme);
};

/// A span wide enough for a label: its lane, number and visible pixel columns [x, end) of the painted rectangle.
struct WideSpan {
    std::size_t lane = 0;
    std::size_t span = 0;
    int x = 0;
    int end = 0;
};

/// Draws lanes into an image with exact coverage: every pixel column is a stacked chart of the share of its time that each
/// category takes, so that neither phases nor idle time vanish when a million spans share 1600 pixels. Waiting on a compute lane
/// is hatched. Works on pixels only: no window, no QPainter. O(pixels + spans of the window), but at most about 24 spans per
/// column are visited: for more, the lane's index is queried.
class TimelinePainter final {
public:
    explicit TimelinePainter(const LanePalette &palette);

    /// Spans whose label has lit[label] == 0 are drawn with the dimmed half of the palette. Not owned; null highlights all.
    void setLit(const std::vector<std::uint8_t> *lit) { m_lit = lit; }
    /// Darkens the first column of wide spans, so that neighbours of one category can be distinguished.
    void setSeparators(bool on) { m_separators = on; }
    void setHatch(bool on) { m_hatch = on; }
    /// Copies a line of pixels, starting at the image's left edge, under every row of a lane first. Not owned; null keeps the
    /// existing pixels.
    void setGround(const std::vector<QRgb> *line) { m_ground = line; }

    /// Paints lane number `lane` into `rect` of a 32-bit image; parts outside of the image are skipped. Appends spans that cover
    /// at least `wideColumns` columns to `wide` (may be null).
    void paintLane(QImage &image, const QRect &rect, const TimelineData &data, std::size_t lane, const TimeWindow &window,
                   int wideColumns = 0, std::vector<WideSpan> *wide = nullptr) const;

    /// Paints the stack that begins with lane number `lane` as one strip: per column, how much of its link it uses.
    void paintStrip(QImage &image, const QRect &rect, const TimelineData &data, std::size_t lane, const TimeWindow &window) const;

private:
    /// Per column, share times nanoseconds of the stack's highlighted spans.
    [[nodiscard]] std::vector<double> litAreas(const TimelineData &data, std::size_t lane, const TimeWindow &window,
                                               int columns) const;
    /// Paints only the ground.
    void paintNothing(const PixelArea &area) const;
    [[nodiscard]] StackGround groundOf(const PixelArea &area, const Lane &lane, const TimeWindow &window) const;

    LanePalette m_palette;
    StackColors m_separatorColors{};
    const std::vector<std::uint8_t> *m_lit = nullptr;
    const std::vector<QRgb> *m_ground = nullptr;
    bool m_separators = true;
    bool m_hatch = true;
};

} // namespace syncopate::ui

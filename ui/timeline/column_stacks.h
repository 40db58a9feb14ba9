// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of pixels that are stacks of colours. A column painted alone goes through as many lines of the image as the lane is
// high, and its pieces end elsewhere than its neighbour's. So heights are noted by column and painted by line, one colour after
// the other: no pixel depends on what was painted beside it, and several are made at once.
#pragma once

#include "engine/timeline/timeline.h"

#include <QRgb>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncopate::ui {

/// Of categories, and behind them those of categories that are not of interest.
using StackColors = std::array<QRgb, 2 * categoryCount>;
/// Nanoseconds, or parts of them, by the colours of a ColumnStacks.
using StackTimes = std::array<Nanoseconds, 2 * categoryCount>;

/// A rectangle of a 32-bit image.
struct PixelArea {
    QRgb *base = nullptr; ///< its first pixel, which may lie above the image
    std::ptrdiff_t stride = 0;
    int width = 0;
    int height = 0;
    int firstRow = 0; ///< rows [firstRow, endRow) are in the image
    int endRow = 0;

    [[nodiscard]] bool isEmpty() const { return width <= 0 || firstRow >= endRow; }
    void fillColumn(int x, QRgb color) const {
        for (int row = firstRow; row < endRow; ++row)
            base[row * stride + x] = color;
    }
};

inline constexpr int hatchPeriod = 6; ///< pixels from stroke to stroke

/// What is under the stacks of a lane.
struct StackGround {
    const std::vector<QRgb> *line = nullptr; ///< laid under every row first; null: what the image has there stays
    std::vector<QRgb> hatch{};               ///< strokes, which each row shows from the next pixel on; empty: none
    int hatchFrom = 0, hatchEnd = 0;         ///< columns
};

/// Heights of the colours in the columns of a lane.
class ColumnStacks {
public:
    /// `colors`: numbers of StackColors that may come, ascending, once each. All else counts them by their places in there.
    ColumnStacks(int width, int height, const std::vector<std::uint8_t> &colors);

    /// Columns [x, end) are of one colour.
    void fill(int x, int end, std::size_t color);
    /// Column `x` is a stack of the colours that have a time, in their order from the bottom up, each as high as its share of
    /// `columnTime`; where that is less than half a pixel for all of them the longest has one.
    void stack(int x, const StackTimes &times, double columnTime);
    /// Paints what was noted over its ground into an area of that size.
    void paint(const PixelArea &area, const StackColors &colors, const StackGround &ground) const;

private:
    struct Color {
        std::uint8_t number = 0;
        std::int32_t max = 0;
        /// Per column: how many rows from the bottom up are of this colour or of one before it; 0 where it has no time.
        std::vector<std::int32_t> tops{};
    };
    void raise(Color &color, int x, std::int32_t top) const;

    int m_height;
    std::vector<Color> m_colors;
};

} // namespace syncopate::ui

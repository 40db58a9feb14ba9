// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of pixels that are stacks of colours. Painting column by column touches as many image lines as the lane is high, and
// branches differ between neighbours. So heights are recorded by column and painted by line, one colour after another: no pixel
// depends on its neighbours, and the loop is vectorised.
#pragma once

#include "engine/timeline/timeline.h"

#include <QRgb>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncopate::ui {

/// The categories' colours, followed by those of categories that are not of interest.
using StackColors = std::array<QRgb, 2 * categoryCount>;
/// Nanoseconds, or fractions of them, by the colours of a ColumnStacks.
using StackTimes = std::array<Nanoseconds, 2 * categoryCount>;

/// A rectangle of a 32-bit image.
struct PixelArea {
    QRgb *base = nullptr; ///< the rectangle's first pixel, which may lie above the image
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

/// The background of a lane's stacks.
struct StackGround {
    const std::vector<QRgb> *line = nullptr; ///< laid under every row first; null: the image's pixels stay
    std::vector<QRgb> hatch{};               ///< strokes, shifted by a pixel from row to row; empty: none
    int hatchFrom = 0, hatchEnd = 0;         ///< columns
};

/// Heights of the colours in the columns of a lane.
class ColumnStacks {
public:
    /// `colors`: the numbers into StackColors that may occur, ascending and unique. All other calls use indices into this list.
    ColumnStacks(int width, int height, const std::vector<std::uint8_t> &colors);

    /// Columns [x, end) have one colour.
    void fill(int x, int end, std::size_t color);
    /// Column `x` is a stack of the colours that have a time, in order from the bottom up, each as high as its share of
    /// `columnTime`; if all shares are below half a pixel, the longest gets one.
    void stack(int x, const StackTimes &times, double columnTime);
    /// Paints the recorded columns over their ground into an area of that size.
    void paint(const PixelArea &area, const StackColors &colors, const StackGround &ground) const;

private:
    struct Color {
        std::uint8_t number = 0;
        std::int32_t max = 0;
        /// Per column: how many rows from the bottom up have this colour or an earlier one; 0 if the colour has no time.
        std::vector<std::int32_t> tops{};
    };
    void raise(Color &color, int x, std::int32_t top) const;

    int m_height;
    std::vector<Color> m_colors;
};

} // namespace syncopate::ui

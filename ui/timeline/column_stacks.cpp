// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/column_stacks.h"

#include <algorithm>

namespace syncopate::ui {

namespace {

/// std::lround() for non-negative values, without the call.
std::int32_t roundedRows(double rows) {
    const auto whole = static_cast<std::int32_t>(rows);
    return whole + (rows - whole >= 0.5 ? 1 : 0);
}

/// Fills the pixels of a line that are below the tops of their columns. Branch-free, so that compilers vectorise it.
void paintBelow(QRgb *line, const std::int32_t *tops, int width, std::int32_t level, QRgb color) {
    for (int x = 0; x < width; ++x)
        line[x] = level < tops[x] ? color : line[x];
}

} // namespace

ColumnStacks::ColumnStacks(int width, int height, const std::vector<std::uint8_t> &colors) : m_height(height) {
    m_colors.reserve(colors.size());
    for (const std::uint8_t number : colors)
        m_colors.push_back({number, 0, std::vector<std::int32_t>(static_cast<std::size_t>(width))});
}

void ColumnStacks::fill(int x, int end, std::size_t color) {
    Color &own = m_colors[color];
    std::fill(own.tops.begin() + x, own.tops.begin() + end, m_height);
    own.max = m_height;
}

void ColumnStacks::raise(Color &color, int x, std::int32_t top) const {
    color.tops[static_cast<std::size_t>(x)] = top;
    color.max = std::max(color.max, top);
}

void ColumnStacks::stack(int x, const StackTimes &times, double columnTime) {
    double sum = 0;
    std::int32_t top = 0;
    std::size_t longest = 0;
    for (std::size_t c = 0; c < m_colors.size(); ++c) {
        if (times[c] <= 0)
            continue;
        sum += static_cast<double>(times[c]);
        longest = times[c] > times[longest] ? c : longest;
        top = roundedRows(std::min<double>(m_height, sum / columnTime * m_height));
        raise(m_colors[c], x, top);
    }
    if (top == 0) // a lone short span must not vanish
        raise(m_colors[longest], x, 1);
}

void ColumnStacks::paint(const PixelArea &area, const StackColors &colors, const StackGround &ground) const {
    // In pieces, so that the heights of a piece and the line being painted stay in the L1 cache.
    constexpr int pieceColumns = 1024;
    for (int from = 0; from < area.width; from += pieceColumns) {
        const int columns = std::min(pieceColumns, area.width - from);
        for (int row = area.firstRow; row < area.endRow; ++row) {
            QRgb *const line = area.base + row * area.stride;
            if (ground.line)
                std::copy_n(ground.line->data() + from, columns, line + from);
            const int hatchFrom = std::max(from, ground.hatchFrom), hatchEnd = std::min(from + columns, ground.hatchEnd);
            if (hatchFrom < hatchEnd)
                std::copy_n(ground.hatch.data() + hatchFrom + row % hatchPeriod, hatchEnd - hatchFrom, line + hatchFrom);
            const std::int32_t level = area.height - 1 - row;                       // counted from the bottom
            for (auto color = m_colors.rbegin(); color != m_colors.rend(); ++color) // lower colours overwrite
                if (level < color->max)
                    paintBelow(line + from, color->tops.data() + from, columns, level, colors[color->number]);
        }
    }
}

} // namespace syncopate::ui

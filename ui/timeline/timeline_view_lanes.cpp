// SPDX-License-Identifier: GPL-3.0-or-later
// The cached pictures of a TimelineView: lanes at the screen's resolution or, while the window moves, at half of it; and the
// names beside them. A picture exceeds the processor's caches, so it is made lane by lane: ground first, then its spans.
#include "ui/tasks/in_parts.h"
#include "ui/theme/cut_text.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QElapsedTimer>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstring>

namespace syncopate::ui {

namespace {

/// Copies a line of pixels to the rows [firstRow, endRow) of an image of its width.
void renderGround(QImage &image, const std::vector<QRgb> &line, int firstRow, int endRow) {
    for (int y = firstRow; y < endRow; ++y)
        std::memcpy(image.scanLine(y), line.data(), line.size() * sizeof(QRgb));
}

} // namespace

bool TimelineView::wantsDraft() const {
    // The minimum of the last three: a single slow picture may have been caused by other load.
    return m_moving && m_draftLimit >= 0 && m_fullPictures > 0 &&
           *std::min_element(m_fullCost.begin(), m_fullCost.end()) > m_draftLimit;
}

void TimelineView::renderLanes() {
    QElapsedTimer cost;
    cost.start();
    m_draft = wantsDraft();
    m_lanesDirty = false;
    const QRect plot = plotRect();
    // A quarter of the pixels: every second column and row.
    const qreal ratio = m_lanesRatio = pixelRatio() / (m_draft ? 2 : 1);
    const QSize size(static_cast<int>(std::ceil(plot.width() * ratio)), static_cast<int>(std::ceil(plot.height() * ratio)));
    if (m_lanes.size() != size)
        m_lanes = QImage(size, QImage::Format_RGB32);
    m_lanes.setDevicePixelRatio(ratio);
    if (size.isEmpty())
        return;
    const std::vector<QRgb> ground = groundLine(m_theme.color(ColorId::TimelineBackground).rgb());
    if (!m_data) {
        renderGround(m_lanes, ground, 0, size.height());
        return;
    }
    renderRows(false, ground, size.height());
    if (const int pinned = std::min(size.height(), static_cast<int>(std::lround(m_layout.pinnedHeight() * ratio))); pinned > 0) {
        // Scrolling lanes pass behind pinned ones.
        renderRows(true, ground, pinned);
        renderGround(m_lanes, groundLine(m_theme.color(ColorId::Border).rgb()),
                     std::max(0, pinned - static_cast<int>(std::lround(ratio))), pinned);
    }
    if (!m_draft) {
        const double milliseconds = static_cast<double>(cost.nsecsElapsed()) * 1e-6;
        if (m_fullPictures == 0)
            m_fullCost.fill(milliseconds);
        m_fullCost[m_fullPictures++ % m_fullCost.size()] = milliseconds;
    }
}

std::vector<QRgb> TimelineView::groundLine(QRgb background) const {
    std::vector<QRgb> line(static_cast<std::size_t>(m_lanes.width()), background);
    // The ruler's marks and the iteration's ends extend through all lanes.
    const auto [from, to] = m_axis->window();
    const auto mark = [&](double time, QRgb color) {
        const int x = static_cast<int>((time - from) / (to - from) * m_lanes.width());
        if (x >= 0 && x < m_lanes.width())
            line[static_cast<std::size_t>(x)] = color;
    };
    for (const Tick &tick : rulerTicks(from, to, plotRect().width()))
        mark(tick.time, m_theme.color(ColorId::Grid).rgb());
    if (m_data)
        for (const double time : {0.0, static_cast<double>(m_data->iteration())})
            mark(time - m_offset, m_theme.color(ColorId::DimText).rgb());
    return line;
}

bool TimelineView::isWorthThreads() const {
    constexpr std::size_t manySpans = 1'000'000;
    constexpr qsizetype manyBytes = 1920 * 1080 * 4; // smaller pictures take a few milliseconds
    return m_data->timeline().spanCount() >= manySpans || m_lanes.sizeInBytes() >= manyBytes;
}

void TimelineView::renderRows(bool pinned, const std::vector<QRgb> &ground, int endRow) {
    const qreal ratio = m_lanesRatio;
    const QSize size = m_lanes.size();
    const auto [from, to] = m_axis->window();
    const LanePalette palette = LanePalette::of(m_theme);
    const std::vector<std::uint8_t> *lit = shownLit().empty() ? nullptr : &shownLit();
    TimelinePainter painter(palette);
    painter.setLit(lit);
    painter.setGround(&ground);
    const TimeWindow window{origin() + from, (to - from) / size.width()};
    m_deviceTops.resize(m_data->laneCount());
    const int height = std::max(1, static_cast<int>(std::lround(m_layout.laneHeight() * ratio)));
    std::vector<const LaneLayout::Row *> rows; // on screen, from top to bottom
    for (const LaneLayout::Row &row : m_layout.rows()) {
        if (row.pinned != pinned)
            continue;
        const int top = m_deviceTops[row.lane] = static_cast<int>(std::lround(m_layout.topOf(row) * ratio));
        if (top < size.height() && top + height > 0)
            rows.push_back(&row);
    }
    // Neighbouring rows, and the ground above each; returns the spans that have room for a label. Each thread has an image of its
    // own over the same pixels: a QImage counts its writers.
    const auto paint = [&, pixels = m_lanes.bits()](std::size_t first, std::size_t end) {
        QImage lanes(pixels, size.width(), size.height(), m_lanes.bytesPerLine(), m_lanes.format());
        std::vector<WideSpan> wide;
        int grounded = first == 0 ? 0 : m_deviceTops[rows[first - 1]->lane] + height;
        for (std::size_t r = first; r < end; ++r) {
            const LaneLayout::Row &row = *rows[r];
            const QRect area(0, m_deviceTops[row.lane], size.width(), height);
            renderGround(lanes, ground, grounded, std::min(endRow, area.top()));
            grounded = std::max(grounded, area.top() + height);
            if (row.isStrip())
                painter.paintStrip(lanes, area, *m_data, row.lane, window);
            else
                painter.paintLane(lanes, area, *m_data, row.lane, window, static_cast<int>(SpanLabels::leastWidth * ratio),
                                  &wide);
        }
        return wide;
    };
    m_wide = isWorthThreads() ? inParts(rows.size(), paint) : paint(0, rows.size());
    renderGround(m_lanes, ground, rows.empty() ? 0 : m_deviceTops[rows.back()->lane] + height, endRow);
    if (m_layout.laneHeight() >= 12) {
        QPainter text(&m_lanes);
        m_labels.paint(text, m_wide, *m_data, m_deviceTops, height, palette, lit, ratio);
    }
}

void TimelineView::renderGutter() {
    m_gutterDirty = false;
    const QRect plot = plotRect();
    const qreal ratio = pixelRatio();
    m_gutter = QPixmap(QSize(gutterWidth(), plot.height()) * ratio);
    m_gutter.setDevicePixelRatio(ratio);
    m_gutter.fill(m_theme.color(ColorId::Surface));
    if (!m_data || m_gutter.isNull())
        return;
    QPainter painter(&m_gutter);
    const int height = m_layout.laneHeight();
    painter.setFont(fontOfPixels(font(), height >= 14 ? 11 : 10));
    for (const bool pinned : {false, true}) {
        if (pinned && m_layout.pinnedHeight() > 0) {
            painter.fillRect(0, 0, gutterWidth(), m_layout.pinnedHeight(), m_theme.color(ColorId::Surface));
            painter.fillRect(0, m_layout.pinnedHeight() - 1, gutterWidth(), 1, m_theme.color(ColorId::Border));
        }
        for (std::size_t r = 0; r < m_layout.rows().size(); ++r) {
            const LaneLayout::Row &row = m_layout.rows()[r];
            const int top = m_layout.topOf(row);
            if (row.pinned == pinned && top + height >= 0 && top < plot.height())
                paintLaneName(painter, r, QRect(0, top, gutterWidth(), height));
        }
    }
}

std::vector<TimelineView::LaneName> TimelineView::laneNames() const {
    const std::vector<LaneLayout::Row> &rows = m_layout.rows();
    std::vector<LaneName> names;
    names.reserve(rows.size());
    for (std::size_t first = 0; first < rows.size();) {
        const std::size_t leader = m_layout.leaderOf(rows[first].lane);
        QStringList group; // a worker's neighbouring rows
        const auto isOfGroup = [&](const LaneLayout::Row &row) {
            return row.pinned == rows[first].pinned && m_layout.leaderOf(row.lane) == leader;
        };
        for (std::size_t r = first; r < rows.size() && isOfGroup(rows[r]); ++r)
            group += QString::fromStdString(m_data->lane(rows[r].lane).name);
        const qsizetype owner = laneOwner(group).size();
        for (const QString &name : group) {
            const LaneLayout::Row &row = rows[names.size()];
            // A worker's first lane that was moved below another keeps its name.
            const bool isNested = names.size() > first && row.lane != leader && owner > 0;
            names.push_back({row.isStrip() ? name + QStringLiteral("  × %1").arg(row.lanes) : name, isNested ? owner : 0,
                             isNested || hasStackTriangle(row) ? nestedNameLeft : nameLeft});
        }
        first += static_cast<std::size_t>(group.size());
    }
    return names;
}

bool TimelineView::hasStackTriangle(const LaneLayout::Row &row) const {
    return m_layout.isStacked(row.lane) && m_data->stacks().first(row.lane) == row.lane;
}

void TimelineView::paintLaneName(QPainter &painter, std::size_t number, const QRect &area) const {
    const LaneLayout::Row &row = m_layout.rows()[number];
    const LaneName &name = m_names[number];
    const bool current = m_lane == row.lane;
    if (current)
        painter.fillRect(area, m_theme.color(ColorId::Control));
    painter.setPen(m_theme.color(current ? ColorId::Text : ColorId::DimText));
    if (row.lane == m_layout.leaderOf(row.lane) && m_layout.canCollapse(row.lane))
        painter.drawText(area.adjusted(2, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         m_layout.isCollapsed(row.lane) ? QStringLiteral("▸") : QStringLiteral("▾"));
    if (hasStackTriangle(row))
        painter.drawText(area.adjusted(stackTriangle, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         row.isStrip() ? QStringLiteral("▸") : QStringLiteral("▾"));
    if (row.pinned || isPinned(row.lane))
        painter.fillRect(QRect(0, area.top(), 2, area.height()), m_theme.color(ColorId::Accent));
    QStringList neighbours;
    for (const std::size_t other : {number - 1, number + 1})
        if (other < m_names.size() && m_names[other].whole.startsWith(name.whole.left(name.owner)))
            neighbours += m_names[other].whole.mid(name.owner);
    const QRect text = area.adjusted(name.left, 0, -nameRight, 0);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                     cutWhereAlike(painter.fontMetrics(), name.shown(), neighbours, text.width()));
}

} // namespace syncopate::ui

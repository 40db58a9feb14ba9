// SPDX-License-Identifier: GPL-3.0-or-later
// The cached pictures of a TimelineView: lanes at the screen's resolution or, while the window moves, at half of it; and the
// names beside them. A picture exceeds the processor's caches, so it is made lane by lane: ground first, then what is on it.
#include "ui/theme/theme.h"
#include "ui/timeline/font_of_pixels.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QElapsedTimer>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstring>

namespace syncopate::ui {

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
        renderGround(ground, 0, size.height());
        return;
    }
    renderRows(false, ground, size.height());
    if (const int pinned = std::min(size.height(), static_cast<int>(std::lround(m_layout.pinnedHeight() * ratio))); pinned > 0) {
        // Scrolling lanes pass behind pinned ones.
        renderRows(true, ground, pinned);
        renderGround(groundLine(m_theme.color(ColorId::Border).rgb()), std::max(0, pinned - static_cast<int>(std::lround(ratio))),
                     pinned);
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

void TimelineView::renderGround(const std::vector<QRgb> &line, int firstRow, int endRow) {
    for (int y = firstRow; y < endRow; ++y)
        std::memcpy(m_lanes.scanLine(y), line.data(), line.size() * sizeof(QRgb));
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
    m_wide.clear();
    m_deviceTops.resize(m_data->laneCount());
    const int height = std::max(1, static_cast<int>(std::lround(m_layout.laneHeight() * ratio)));
    int grounded = 0; // rows whose ground is painted; lanes are laid out from top to bottom
    for (const LaneLayout::Row &row : m_layout.rows()) {
        if (row.pinned != pinned)
            continue;
        const int top = static_cast<int>(std::lround(m_layout.topOf(row) * ratio));
        m_deviceTops[row.lane] = top;
        if (top >= size.height() || top + height <= 0)
            continue;
        renderGround(ground, grounded, std::min(endRow, top));
        grounded = std::max(grounded, top + height);
        if (row.isStrip())
            painter.paintStrip(m_lanes, QRect(0, top, size.width(), height), *m_data, row.lane, window);
        else
            painter.paintLane(m_lanes, QRect(0, top, size.width(), height), *m_data, row.lane, window,
                              static_cast<int>(SpanLabels::leastWidth * ratio), &m_wide);
    }
    renderGround(ground, grounded, endRow);
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
    // A worker's first lane has its name, the others only their kind: "worker 0 compute", "push", "push 2".
    for (const bool pinned : {false, true}) {
        if (pinned && m_layout.pinnedHeight() > 0) {
            painter.fillRect(0, 0, gutterWidth(), m_layout.pinnedHeight(), m_theme.color(ColorId::Surface));
            painter.fillRect(0, m_layout.pinnedHeight() - 1, gutterWidth(), 1, m_theme.color(ColorId::Border));
        }
        std::size_t above = m_data->laneCount();
        for (const LaneLayout::Row &row : m_layout.rows()) {
            if (row.pinned != pinned)
                continue;
            const bool first = above == m_data->laneCount() || m_layout.leaderOf(above) != m_layout.leaderOf(row.lane);
            above = row.lane;
            const int top = m_layout.topOf(row);
            if (top + height >= 0 && top < plot.height())
                paintLaneName(painter, row, QRect(0, top, gutterWidth(), height), first);
        }
    }
}

void TimelineView::paintLaneName(QPainter &painter, const LaneLayout::Row &row, const QRect &area, bool first) const {
    QString name = QString::fromStdString(m_data->lane(row.lane).name);
    const std::size_t leader = m_layout.leaderOf(row.lane);
    const QString leading = QString::fromStdString(m_data->lane(leader).name);
    const QString owner = leading.left(leading.lastIndexOf(QLatin1Char(' ')) + 1);
    const bool indented = !first && row.lane != leader && !owner.isEmpty() && name.startsWith(owner);
    if (indented)
        name.remove(0, owner.size());
    qsizetype alike = 0; // letters of the name that a neighbour shares
    for (const std::size_t neighbour : {row.lane - 1, row.lane + row.lanes})
        if (neighbour < m_data->laneCount()) {
            const std::string &own = m_data->lane(row.lane).name, &other = m_data->lane(neighbour).name;
            const auto shared = std::mismatch(own.begin(), own.end(), other.begin(), other.end()).first - own.begin();
            alike = std::max<qsizetype>(alike, shared);
        }
    const bool current = m_lane == row.lane;
    if (current)
        painter.fillRect(area, m_theme.color(ColorId::Control));
    painter.setPen(m_theme.color(current ? ColorId::Text : ColorId::DimText));
    if (row.lane == leader && m_layout.canCollapse(row.lane))
        painter.drawText(area.adjusted(2, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         m_layout.isCollapsed(row.lane) ? QStringLiteral("▸") : QStringLiteral("▾"));
    const bool isStack = m_layout.isStacked(row.lane) && m_data->stacks().first(row.lane) == row.lane;
    if (isStack)
        painter.drawText(area.adjusted(stackTriangle, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         row.isStrip() ? QStringLiteral("▸") : QStringLiteral("▾"));
    if (row.pinned || isPinned(row.lane))
        painter.fillRect(QRect(0, area.top(), 2, area.height()), m_theme.color(ColorId::Accent));
    if (row.isStrip())
        name += QStringLiteral("  × %1").arg(row.lanes);
    const QRect text = area.adjusted(indented || isStack ? 26 : 14, 0, -6, 0);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                     elidedLaneName(painter.fontMetrics(), name, indented ? 0 : alike, text.width()));
}

} // namespace syncopate::ui

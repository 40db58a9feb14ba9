// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of a TimelineView: its cached pictures, the title with the legend, and the ruler.
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/theme.h"
#include "ui/timeline/legend_room.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QPaintEvent>
#include <QPainter>
#include <algorithm>

namespace syncopate::ui {

void TimelineView::paintEvent(QPaintEvent *event) {
    if (m_lanesDirty)
        renderLanes();
    if (m_gutterDirty)
        renderGutter();
    QPainter painter(this);
    const QRect plot = plotRect();
    const QRect wanted = event->rect();
    if (wanted.top() < headerHeight) {
        paintTitle(painter);
        paintRuler(painter);
    }
    painter.fillRect(QRect(plot.right() + 1, headerHeight, width() - plot.right() - 1, plot.height()),
                     m_theme.color(ColorId::TimelineBackground));
    painter.drawPixmap(0, headerHeight, m_gutter);
    const QRect part = wanted & plot;
    if (!part.isEmpty()) {
        const qreal ratio = m_lanes.devicePixelRatio();
        painter.drawImage(QRectF(part), m_lanes,
                          QRectF(QPointF(part.topLeft() - plot.topLeft()) * ratio, QSizeF(part.size()) * ratio));
    }
    if (!m_data) {
        painter.setFont(fontOfPixels(font(), 11));
        painter.setPen(m_theme.color(ColorId::DimText));
        painter.drawText(plot.adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap, m_reason);
    }
    paintOverlay(painter);
}

void TimelineView::paintTitle(QPainter &painter) const {
    QRect row(0, 0, width(), titleHeight);
    painter.fillRect(row, m_theme.color(ColorId::Control));
    painter.setPen(m_theme.color(ColorId::Border));
    painter.drawLine(0, 0, width(), 0);
    const QRect badge(8, 4, 16, 16);
    painter.fillRect(badge, m_theme.color(ColorId::Accent));
    painter.setFont(fontOfPixels(font(), 11, true));
    painter.setPen(m_theme.color(ColorId::AccentText));
    painter.drawText(badge, Qt::AlignCenter, m_badge);
    row.adjust(32, 0, -8, 0);
    paintLegend(painter, row);
    painter.setFont(fontOfPixels(font(), 12, true));
    painter.setPen(m_theme.color(ColorId::Text));
    const QString title = painter.fontMetrics().elidedText(m_title, Qt::ElideRight, row.width());
    painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, title);
    row.setLeft(row.left() + painter.fontMetrics().horizontalAdvance(title) + 10);
    painter.setFont(fontOfPixels(font(), 12));
    painter.setPen(m_theme.color(ColorId::DimText));
    if (row.width() > 30)
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(m_detail, Qt::ElideRight, row.width()));
}

void TimelineView::paintLegend(QPainter &painter, QRect &row) const {
    if (!m_data)
        return;
    painter.setFont(fontOfPixels(font(), 11));
    auto entries = legendOf(*m_data, m_data->origin(), m_data->origin() + m_data->iteration());
    const QFontMetrics metrics = painter.fontMetrics();
    QStringList names;
    for (const auto &[category, name] : entries)
        names += name;
    constexpr int aroundName = 10 + 4 + 12;
    const LegendRoom room = fitLegend(metrics, names, aroundName, row.width() * 3 / 5);
    if (room.names == 0)
        return;
    int x = row.right() - room.width;
    row.setRight(x - 12);
    if (!room.rest.isEmpty()) {
        painter.setPen(m_theme.color(ColorId::DimText));
        painter.drawText(QRect(0, 0, x + room.width, titleHeight), Qt::AlignVCenter | Qt::AlignRight, room.rest);
    }
    entries.resize(static_cast<std::size_t>(room.names));
    for (const auto &[category, name] : entries) {
        painter.fillRect(QRect(x, 7, 10, 10), m_theme.categoryColor(category));
        painter.setPen(m_theme.color(ColorId::DimText));
        const int advance = painter.fontMetrics().horizontalAdvance(name);
        painter.drawText(QRect(x + 14, 0, advance + 2, titleHeight), Qt::AlignVCenter | Qt::AlignLeft, name);
        x += 14 + advance + 12;
    }
}

void TimelineView::paintRuler(QPainter &painter) const {
    const QRect plot = plotRect();
    const QRect row(0, titleHeight, width(), rulerHeight);
    painter.fillRect(row, m_theme.color(ColorId::Surface));
    painter.setFont(fontOfPixels(font(), 11));
    const auto [from, to] = m_axis->window();
    painter.save();
    painter.setClipRect(QRect(plot.left(), titleHeight, plot.width(), rulerHeight));
    const QRect labels(plot.left(), row.top(), plot.width(), rulerHeight);
    const std::vector<QRect> texts = rulerTexts(); // a tick's figure that one of them covers in part would read as another
    int taken = labels.left() - 1;
    for (const Tick &tick : rulerTicks(from, to, plot.width())) {
        const int x = static_cast<int>(xOf(tick.time));
        painter.setPen(m_theme.color(ColorId::Border));
        painter.drawLine(x, row.bottom() - 4, x, row.bottom());
        painter.setPen(m_theme.color(ColorId::DimText));
        const QRect label = tickLabelRect(painter.fontMetrics(), tick.label, x, labels, taken);
        if (label.isEmpty() || std::ranges::any_of(texts, [&](const QRect &text) { return text.intersects(label); }))
            continue;
        painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip, tick.label);
        taken = label.right();
    }
    painter.restore();
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay of a TimelineView's lanes: marks, selection, flow arrows, cursor, focus.
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/theme.h"
#include "ui/timeline/flow_arrows.h"
#include "ui/timeline/timeline_view.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace syncopate::ui {

std::vector<TimelineView::PlacedMark> TimelineView::placedMarks() const {
    std::vector<std::pair<int, QString>> marks;
    const QRect plot = plotRect();
    for (const TimeMark &mark : m_marks)
        if (const int x = columnOf(mark.time - m_offset); mark.time > 0 && x >= plot.left() && x <= plot.right())
            marks.emplace_back(x, mark.name);
    std::stable_sort(marks.begin(), marks.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    const auto labels = placeMarkLabels(QFontMetrics(fontOfPixels(font(), 10)), marks,
                                        QRect(plot.left(), titleHeight, plot.width(), rulerHeight - 1), flagBoxes());
    std::vector<PlacedMark> placed;
    for (std::size_t m = 0; m < marks.size(); ++m)
        placed.push_back({marks[m].first, labels[m]});
    return placed;
}

std::vector<QRect> TimelineView::rulerTexts() const {
    std::vector<QRect> texts = flagBoxes();
    for (const PlacedMark &mark : placedMarks())
        if (!mark.label.rect.isEmpty())
            texts.push_back(mark.label.rect);
    return texts;
}

void TimelineView::paintMarks(QPainter &painter) const {
    painter.setFont(fontOfPixels(font(), 10));
    const QColor color = m_theme.color(ColorId::Warning);
    for (const auto &[x, label] : placedMarks()) {
        painter.setPen(QPen(color, 1, Qt::DashLine));
        painter.drawLine(x, titleHeight, x, height());
        if (label.rect.isEmpty())
            continue;
        painter.fillRect(label.rect, m_theme.color(ColorId::WarningSurface));
        painter.setPen(color);
        painter.drawText(label.rect, Qt::AlignCenter, label.text);
    }
}

void TimelineView::paintOverlay(QPainter &painter) const {
    const QRect plot = plotRect();
    painter.save();
    painter.setClipRect(plot.adjusted(0, -rulerHeight, 0, 0));
    if (m_stale) {
        QColor veil = m_theme.color(ColorId::TimelineBackground);
        veil.setAlphaF(static_cast<float>(1 - staleOpacity));
        painter.fillRect(plot, veil);
    }
    paintMarks(painter);
    paintNotes(painter);
    const QColor accent = m_theme.color(ColorId::Accent);
    if (const auto selection = m_axis->selection()) {
        const QRectF band(QPointF(xOf(selection->first), titleHeight), QPointF(xOf(selection->second), height()));
        QColor fill = accent;
        fill.setAlpha(44);
        painter.fillRect(band, fill);
        painter.fillRect(QRectF(band.left(), band.top(), 1, band.height()), accent);
        painter.fillRect(QRectF(band.right(), band.top(), 1, band.height()), accent);
    }
    paintFlows(painter);
    if (m_data && m_selected) {
        painter.setPen(QPen(accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(spanRect(*m_selected).adjusted(-1, -1, 1, 1));
    }
    if (const auto cursor = m_axis->cursor())
        painter.fillRect(QRectF(std::floor(xOf(*cursor)), titleHeight, 1, height()), accent);
    painter.restore();
    if (m_gesture == Gesture::MoveLane && m_dropY >= 0)
        painter.fillRect(QRect(0, plot.top() + m_dropY - 1, width(), 2), accent);
    if (m_focusRing && hasFocus()) {
        painter.setPen(QPen(accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRect(1, 1, width() - 2, height() - 2));
    }
}

void TimelineView::paintFlows(QPainter &painter) const {
    if (!m_data || m_flows.empty())
        return;
    const QRect plot = plotRect();
    // Arrows to the selection have the text colour, arrows from it the accent.
    const QColor into = m_theme.color(ColorId::Text), out = m_theme.color(ColorId::Accent);
    std::vector<FlowArrow> arrows;
    arrows.reserve(std::min(m_flows.size(), maxFlowArrows));
    for (const SpanFlow &flow : m_flows) {
        if (arrows.size() == maxFlowArrows)
            break;
        const Lane &from = m_data->lane(flow.from.lane), &to = m_data->lane(flow.to.lane);
        const auto at = [&](Nanoseconds time, std::size_t lane) {
            return QPointF(xOf(static_cast<double>(time) - origin()),
                           plot.top() + m_layout.topOf(m_layout.rowOf(lane)) + m_layout.laneHeight() / 2.0);
        };
        arrows.push_back({at(from.end[flow.from.span], flow.from.lane), at(to.start[flow.to.span], flow.to.lane),
                          m_selected && flow.to == *m_selected ? into : out});
    }
    QColor ground = m_theme.color(ColorId::TimelineBackground);
    ground.setAlphaF(0.7F);
    paintFlowArrows(painter, arrows, plot, ground);
}

QRect TimelineView::spanRect(const SpanRef &span) const {
    const Lane &lane = m_data->lane(span.lane);
    const QRect plot = plotRect();
    const auto x = [&](Nanoseconds time) {
        return static_cast<int>(std::clamp(xOf(static_cast<double>(time) - origin()), plot.left() - 8.0, plot.right() + 8.0));
    };
    const int left = x(lane.start[span.span]);
    return {left, plot.top() + m_layout.topOf(m_layout.rowOf(span.lane)), std::max(2, x(lane.end[span.span]) - left),
            m_layout.laneHeight()};
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/flow_arrows.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

/// `end` of an arrow from or to `other`, brought to a little outside of what is visible: strokes of millions of pixels, which
/// zooming in makes, cost QPainter as much as if they were seen.
QPointF nearby(const QPointF &end, const QPointF &other, const QRectF &visible) {
    constexpr double margin = 200;
    const double x = std::clamp(end.x(), visible.left() - margin, visible.right() + margin);
    if (x == end.x() || other.x() == end.x())
        return {x, end.y()};
    return {x, end.y() + (other.y() - end.y()) * (x - end.x()) / (other.x() - end.x())};
}

} // namespace

void paintFlowArrows(QPainter &painter, const std::vector<FlowArrow> &arrows, const QRectF &visible, const QColor &ground) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FlowArrow &whole : arrows) {
        const FlowArrow arrow{nearby(whole.from, whole.to, visible), nearby(whole.to, whole.from, visible), whole.color};
        const double bend = std::clamp(std::abs(arrow.to.x() - arrow.from.x()) * 0.5, 10.0, 60.0);
        const QRectF box =
            QRectF(arrow.from, arrow.to).normalized().adjusted(-bend, -4, bend, 4); // curves stay within their control points
        if (!box.intersects(visible))
            continue;
        QPainterPath path(arrow.from);
        path.cubicTo(arrow.from + QPointF(bend, 0), arrow.to - QPointF(bend, 0), arrow.to);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(ground, 3.2));
        painter.drawPath(path);
        painter.setPen(QPen(arrow.color, 1.4));
        painter.drawPath(path);
        const QPointF head[3] = {arrow.to, arrow.to + QPointF(-6, -3.2), arrow.to + QPointF(-6, 3.2)};
        painter.setPen(Qt::NoPen);
        painter.setBrush(arrow.color);
        painter.drawConvexPolygon(head, 3);
    }
    painter.restore();
}

} // namespace syncopate::ui

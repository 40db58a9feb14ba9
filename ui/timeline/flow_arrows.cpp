// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/flow_arrows.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

void paintFlowArrows(QPainter &painter, const std::vector<FlowArrow> &arrows, const QRectF &visible, const QColor &ground) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FlowArrow &arrow : arrows) {
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/flow_arrows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace syncopate::ui {

namespace {

/// `end` of an arrow from or to `other`, clipped to a little outside of the visible area: strokes of millions of pixels, which
/// zooming in creates, cost QPainter as much as if they were visible.
QPointF nearby(const QPointF &end, const QPointF &other, const QRectF &visible) {
    constexpr double margin = 200;
    const double x = std::clamp(end.x(), visible.left() - margin, visible.right() + margin);
    if (x == end.x() || other.x() == end.x())
        return {x, end.y()};
    return {x, end.y() + (other.y() - end.y()) * (x - end.x()) / (other.x() - end.x())};
}

/// The cubic that leaves `from` and reaches `to` along the time axis, as a few lines: QPainter takes several times as long to
/// stroke curves.
std::array<QPointF, 13> curveOf(const QPointF &from, const QPointF &to, double bend) {
    std::array<QPointF, 13> points;
    const QPointF leaves = from + QPointF(bend, 0), arrives = to - QPointF(bend, 0);
    for (std::size_t p = 0; p < points.size(); ++p) {
        const double t = static_cast<double>(p) / static_cast<double>(points.size() - 1), u = 1 - t;
        points[p] = u * u * u * from + 3 * u * u * t * leaves + 3 * u * t * t * arrives + t * t * t * to;
    }
    return points;
}

} // namespace

void paintFlowArrows(QPainter &painter, const std::vector<FlowArrow> &arrows, const QRectF &visible, const QColor &ground) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FlowArrow &whole : arrows) {
        const FlowArrow arrow{nearby(whole.from, whole.to, visible), nearby(whole.to, whole.from, visible), whole.color};
        const double bend = std::clamp(std::abs(arrow.to.x() - arrow.from.x()) * 0.5, 10.0, 60.0);
        const QRectF box =
            QRectF(arrow.from, arrow.to).normalized().adjusted(-bend, -4, bend, 4); // a curve lies within its control points
        if (!box.intersects(visible))
            continue;
        const auto curve = curveOf(arrow.from, arrow.to, bend);
        painter.setPen(QPen(ground, 3.2, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));
        painter.drawPolyline(curve.data(), static_cast<int>(curve.size()));
        painter.setPen(QPen(arrow.color, 1.4, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));
        painter.drawPolyline(curve.data(), static_cast<int>(curve.size()));
        const QPointF head[3] = {arrow.to, arrow.to + QPointF(-6, -3.2), arrow.to + QPointF(-6, 3.2)};
        painter.setPen(Qt::NoPen);
        painter.setBrush(arrow.color);
        painter.drawConvexPolygon(head, 3);
    }
    painter.restore();
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// How a PlanDagView draws nodes, edges and their legend; plan_dag_view.cpp places them.
#include "ui/runs/plan_dag_view.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr double channelBand = 8, roundCorner = 9, squareCorner = 1.5;
constexpr double criticalWidth = 2.6;
constexpr double smallestBox = 13; ///< pixels of height; lower boxes have no room for a name

/// A pattern in addition to the colour, so that channels can be distinguished without it; the first one is plain.
Qt::BrushStyle patternOf(ChannelId channel) {
    constexpr std::array patterns{Qt::NoBrush, Qt::BDiagPattern, Qt::VerPattern, Qt::DiagCrossPattern, Qt::HorPattern};
    return patterns[channel.index() % patterns.size()];
}

void fillChannel(QPainter &painter, const QRectF &area, const QColor &color, ChannelId channel) {
    painter.fillRect(area, color);
    if (patternOf(channel) == Qt::NoBrush)
        return;
    QColor ink = Theme::inkOn(color);
    ink.setAlphaF(0.65F);
    painter.setBrushOrigin(area.topLeft());
    painter.fillRect(area, QBrush(ink, patternOf(channel)));
}

QColor computeColor(const Theme &theme, bool isBackward) {
    return theme.color(isBackward ? ColorId::Backward : ColorId::Forward);
}

/// Of a comm-op that has no channels yet.
QBrush notPlannedBrush(const Theme &theme) { return {theme.color(ColorId::OtherComm), Qt::Dense4Pattern}; }

QString channelNames(const DagPicture &picture, const DagNode &node) {
    QStringList names;
    for (const DagNode::Share &share : node.channels)
        names << QString::fromStdString(picture.channels[share.channel.index()]);
    return names.join(QLatin1Char('+'));
}

} // namespace

QPen PlanDagView::edgePen(const DagEdge &edge) const {
    if (edge.isCritical)
        return {m_theme.color(ColorId::Accent), criticalWidth, edge.kind == DagEdge::Kind::Parent ? Qt::SolidLine : Qt::DashLine,
                Qt::FlatCap, Qt::BevelJoin};
    if (edge.kind == DagEdge::Kind::ComputeOrder)
        return {m_theme.color(ColorId::Hatch), 1, Qt::DotLine};
    return {m_theme.color(ColorId::DimText), 1, edge.kind == DagEdge::Kind::NextIteration ? Qt::DashLine : Qt::SolidLine};
}

void PlanDagView::paintEdges(QPainter &painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const bool critical : {false, true}) // critical edges on top
        for (std::size_t e = 0; e < m_picture->edges.size(); ++e) {
            const DagEdge &edge = m_picture->edges[e];
            const bool isRouted = e < m_picture->layout.routes.size();
            const bool isDrawn = critical || edge.from == m_selected || edge.to == m_selected || (isRouted && drawsAllEdges());
            if (edge.isCritical != critical || !isDrawn)
                continue;
            painter.setPen(edgePen(edge));
            if (isRouted)
                paintRoute(painter, m_picture->layout.routes[e]);
            else
                paintLoop(painter, edge);
        }
    painter.restore();
}

/// Curves between layers, level lines through the layers an edge crosses; parts out of view are left out.
void PlanDagView::paintRoute(QPainter &painter, const std::vector<LayoutPoint> &route) const {
    const QRectF plot = plotRect();
    for (std::size_t i = 1; i < route.size(); ++i) {
        const QPointF from = toWidget(route[i - 1]), to = toWidget(route[i]);
        if (to.x() < plot.left() || from.x() > plot.right() || std::max(from.y(), to.y()) < plot.top() ||
            std::min(from.y(), to.y()) > plot.bottom())
            continue;
        if (from.y() == to.y() || to.x() - from.x() < 6) {
            painter.drawLine(from, to);
            continue;
        }
        const double bend = (to.x() - from.x()) / 2;
        QPainterPath curve(from);
        curve.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
        painter.drawPath(curve);
    }
    const QPointF tip = toWidget(route.back());
    if (m_scale.x() < 0.25 || !plot.adjusted(-8, -8, 8, 8).contains(tip))
        return;
    const QPointF head[3] = {tip, tip + QPointF(-6, -3), tip + QPointF(-6, 3)};
    painter.save();
    painter.setBrush(painter.pen().color());
    painter.setPen(Qt::NoPen);
    painter.drawConvexPolygon(head, 3);
    painter.restore();
}

/// Edges that may go back: routed below the nodes, from right to left.
void PlanDagView::paintLoop(QPainter &painter, const DagEdge &edge) const {
    const QRectF from = rectOf(edge.from), to = rectOf(edge.to);
    const QPointF out(from.right(), from.center().y()), in(to.left(), to.center().y());
    QPainterPath curve(out);
    if (in.x() > out.x()) {
        const double bend = std::min(60.0, (in.x() - out.x()) / 2);
        curve.cubicTo(out + QPointF(bend, 0), in - QPointF(bend, 0), in);
    } else {
        const double below = std::max(from.bottom(), to.bottom()) + 16;
        curve.cubicTo(out + QPointF(30, 0), QPointF(out.x() + 24, below), QPointF(out.x() - 10, below));
        if (in.x() + 10 < out.x() - 10)
            curve.lineTo(in.x() + 10, below);
        curve.cubicTo(QPointF(in.x() - 24, below), in - QPointF(30, 0), in);
    }
    if (curve.controlPointRect().intersects(plotRect()))
        painter.drawPath(curve);
}

void PlanDagView::paintNode(QPainter &painter, std::int32_t number) const {
    const QRectF box = rectOf(number);
    const bool isCompute = opOf(number).isCompute(), isCritical = node(number).isCritical;
    const bool hasText = box.height() >= smallestBox && box.width() >= 24;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, box.width() > 12);
    const double corner = std::min({isCompute ? squareCorner : roundCorner, box.width() / 3, box.height() / 3});
    QPainterPath shape;
    shape.addRoundedRect(box, corner, corner);
    painter.fillPath(shape, m_theme.color(ColorId::Raised));
    const QRectF band = hasText ? QRectF(box.left(), box.bottom() - std::min(channelBand, box.height() / 3), box.width(),
                                         std::min(channelBand, box.height() / 3))
                                : box;
    painter.save();
    painter.setClipPath(shape, Qt::IntersectClip);
    paintBand(painter, number, band);
    painter.restore();
    painter.setBrush(Qt::NoBrush);
    if (isCritical || box.width() > 6) {
        painter.setPen(isCritical ? QPen(m_theme.color(ColorId::Accent), criticalWidth)
                                  : QPen(m_theme.color(ColorId::DimText), 1));
        painter.drawPath(shape);
    }
    if (number == m_selected) {
        painter.setPen(QPen(m_theme.color(ColorId::Text), 2));
        painter.drawRoundedRect(box.adjusted(-4, -4, 4, 4), corner + 4, corner + 4);
    }
    if (hasText)
        paintTexts(painter, number, QRectF(box.left() + 5, box.top() + 1, box.width() - 10, band.top() - box.top() - 1));
    if (box.width() > 16)
        paintNextMarks(painter, number);
    painter.restore();
}

/// Each channel's share of the op's time, side by side; a comm-op without a plan is stippled.
void PlanDagView::paintBand(QPainter &painter, std::int32_t number, const QRectF &band) const {
    const DagOp &op = opOf(number);
    const DagNode &of = node(number);
    if (op.isCompute()) {
        painter.fillRect(band, computeColor(m_theme, op.backward));
        return;
    }
    if (of.channels.empty()) {
        painter.fillRect(band, notPlannedBrush(m_theme));
        return;
    }
    double seconds = 0, motifs = 0, x = band.left();
    for (const DagNode::Share &share : of.channels) {
        seconds += share.seconds;
        motifs += share.motifs;
    }
    for (const DagNode::Share &share : of.channels) {
        const double part = seconds > 0 ? share.seconds / seconds : share.motifs / motifs;
        fillChannel(painter, QRectF(x, band.top(), part * band.width(), band.height()), channelColor(share.channel),
                    share.channel);
        x += part * band.width();
    }
}

/// Small triangles at the sides: right for an edge to the next iteration, left for one from the previous.
void PlanDagView::paintNextMarks(QPainter &painter, std::int32_t number) const {
    const QRectF box = rectOf(number);
    const auto n = static_cast<std::size_t>(number);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(ColorId::DimText));
    const auto mark = [&](double x) {
        const double y = box.top() + box.height() * 0.2;
        const QPointF triangle[3] = {{x, y - 4}, {x + 6, y}, {x, y + 4}};
        painter.drawConvexPolygon(triangle, 3);
    };
    if (m_awaited[n] != 0)
        mark(box.right() + 2);
    if (m_awaits[n] != 0)
        mark(box.left() - 8);
}

QString PlanDagView::figuresOf(std::int32_t number) const {
    const DagOp &op = opOf(number);
    const DagNode &of = node(number);
    if (op.isCompute())
        return secondsText(op.seconds);
    if (!m_picture->isPlanned)
        return bytesText(op.sizeBytes);
    const QString channels = channelNames(*m_picture, of);
    return of.span ? tr("%1 · %2").arg(channels, secondsText(of.endSeconds - of.startSeconds)) : channels;
}

void PlanDagView::paintTexts(QPainter &painter, std::int32_t number, const QRectF &room) const {
    painter.setFont(fontOfPixels(font(), 11));
    const int line = painter.fontMetrics().height();
    const bool both = room.height() >= line + 10;
    const auto elided = [&](const QString &text) {
        return painter.fontMetrics().elidedText(text, Qt::ElideMiddle, static_cast<int>(room.width()));
    };
    painter.setPen(m_theme.color(ColorId::Text));
    painter.drawText(QRectF(room.left(), room.top(), room.width(), both ? line : room.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     elided(QString::fromStdString(opOf(number).name)));
    if (!both)
        return;
    painter.setFont(fontOfPixels(font(), 10));
    painter.setPen(m_theme.color(ColorId::DimText));
    painter.drawText(QRectF(room.left(), room.top() + line - 1, room.width(), room.height() - line + 1),
                     Qt::AlignLeft | Qt::AlignVCenter, elided(figuresOf(number)));
}

std::vector<PlanDagView::LegendEntry> PlanDagView::legendEntries() const {
    using Kind = LegendEntry::Kind;
    std::vector<LegendEntry> entries;
    if (!m_picture || m_picture->nodes.empty())
        return entries;
    entries = {{Kind::Forward, tr("forward"), {}}, {Kind::Backward, tr("backward"), {}}};
    for (std::size_t c = 0; c < m_picture->channels.size(); ++c)
        entries.push_back({Kind::Channel, QString::fromStdString(m_picture->channels[c]), ChannelId(c)});
    if (!m_picture->isPlanned)
        entries.push_back({Kind::NotPlanned, tr("collective, not planned yet"), {}});
    if (std::any_of(m_awaited.begin(), m_awaited.end(), [](std::uint8_t is) { return is != 0; }))
        entries.push_back({Kind::Awaited, tr("next iteration waits for it"), {}});
    if (m_picture->isPlanned)
        entries.push_back({Kind::Critical, tr("critical path"), {}});
    return entries;
}

QStringList PlanDagView::legend() const {
    QStringList names;
    for (const LegendEntry &entry : legendEntries())
        names << entry.name;
    return names;
}

void PlanDagView::paintSwatch(QPainter &painter, const LegendEntry &entry, const QRectF &area) const {
    using Kind = LegendEntry::Kind;
    switch (entry.kind) {
    case Kind::Forward:
    case Kind::Backward:
        painter.fillRect(area, computeColor(m_theme, entry.kind == Kind::Backward));
        return;
    case Kind::Channel:
        fillChannel(painter, area, channelColor(entry.channel), entry.channel);
        return;
    case Kind::NotPlanned:
        painter.fillRect(area, notPlannedBrush(m_theme));
        return;
    case Kind::Critical:
        painter.setPen(QPen(m_theme.color(ColorId::Accent), criticalWidth));
        painter.drawLine(QPointF(area.left(), area.center().y()), QPointF(area.right(), area.center().y()));
        return;
    case Kind::Awaited:
        break;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(ColorId::DimText));
    const double x = area.right(), y = area.top();
    const QPointF triangle[3] = {{x - 8, y + 2}, {x - 2, y + 6}, {x - 8, y + 10}};
    painter.drawConvexPolygon(triangle, 3);
}

void PlanDagView::paintLegend(QPainter &painter) const {
    constexpr double top = 4, swatch = 12, width = 22;
    const QFont small = fontOfPixels(font(), 11);
    painter.setFont(small);
    double x = 6;
    for (const LegendEntry &entry : legendEntries()) {
        const QRectF area(x, top, width, swatch);
        const int letters = painter.fontMetrics().horizontalAdvance(entry.name);
        if (area.right() + 4 + letters > rect().right() - 4) // half an entry would read as another one
            break;
        paintSwatch(painter, entry, area);
        painter.setPen(m_theme.color(ColorId::Text));
        painter.drawText(QRectF(area.right() + 4, 0, letters + 2, 20), Qt::AlignLeft | Qt::AlignVCenter, entry.name);
        x = area.right() + 4 + letters + 14;
    }
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_dag_view.h"

#include "ui/theme/theme.h"
#include "ui/timeline/timeline_data.h"

#include <QPainter>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr double legendHeight = 20, dagMargin = 20;
constexpr double maxScaleX = 2, maxScaleY = 1.4, maxFit = 1.15;

/// A low panel has little room to spare.
double marginY(const QRectF &plot) { return std::min(dagMargin, 0.1 * plot.height()); }

} // namespace

PlanDagView::PlanDagView(const Theme &theme, QWidget *parent) : QWidget(parent), m_theme(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Graph of the training DAG"));
    select(-1);
    connect(&theme, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
}

void PlanDagView::setPicture(std::shared_ptr<const DagPicture> picture, const QString &reason) {
    const auto names = [](const DagPicture *of) {
        std::vector<std::string> all;
        for (std::size_t n = 0; of && n < of->nodes.size(); ++n)
            all.push_back(of->dag->ops[of->nodes[n].op.index()].name);
        return all;
    };
    const bool isSame = picture && m_picture && names(picture.get()) == names(m_picture.get());
    m_picture = std::move(picture);
    m_reason = reason;
    const std::size_t count = m_picture ? m_picture->nodes.size() : 0;
    m_awaited.assign(count, 0);
    m_awaits.assign(count, 0);
    if (m_picture)
        for (const DagEdge &edge : m_picture->edges)
            if (edge.kind == DagEdge::Kind::NextIteration)
                m_awaited[static_cast<std::size_t>(edge.from)] = m_awaits[static_cast<std::size_t>(edge.to)] = 1;
    if (!isSame) {
        m_selected = -1;
        fit();
    }
    update();
}

void PlanDagView::select(std::int32_t node) {
    m_selected = m_picture && node >= 0 && node < static_cast<std::int32_t>(m_picture->nodes.size()) ? node : -1;
    setAccessibleDescription(m_selected >= 0 ? describe(m_selected)
                                             : tr("Arrow keys go from op to op and select it in the timeline, plus and minus "
                                                  "zoom, F fits. Ctrl+wheel zooms, Shift+wheel or dragging moves."));
    if (m_selected >= 0) {
        const double y = marginY(plotRect());
        const QRectF plot = plotRect().adjusted(dagMargin, y, -dagMargin, -y), box = rectOf(m_selected);
        const auto moved = [](double from, double to, double low, double high) { // towards the nearer edge
            return from < low ? from - low : to > high ? to - high : 0;
        };
        const QPointF by(moved(box.left(), box.right(), plot.left(), plot.right()),
                         moved(box.top(), box.bottom(), plot.top(), plot.bottom()));
        if (!by.isNull()) {
            m_corner += QPointF(by.x() / m_scale.x(), by.y() / m_scale.y());
            hold();
        }
    }
    update();
}

void PlanDagView::fit() {
    m_fitted = true;
    if (!m_picture || m_picture->nodes.empty())
        return;
    const QRectF plot = plotRect().adjusted(dagMargin, marginY(plotRect()), -dagMargin, -marginY(plotRect()));
    const LayeredLayout &layout = m_picture->layout;
    m_scale = {std::clamp(plot.width() / layout.width, 1e-3, maxFit), std::clamp(plot.height() / layout.height, 1e-3, maxFit)};
    hold();
}

void PlanDagView::hold() {
    if (!m_picture)
        return;
    const QRectF plot = plotRect();
    const auto held = [](double corner, double size, double room, double margin) {
        if (size + 2 * margin <= room) // smaller than the view: centred
            return (size - room) / 2;
        return std::max(-margin, std::min(corner, size + margin - room));
    };
    const LayeredLayout &layout = m_picture->layout;
    m_corner = {held(m_corner.x(), layout.width, plot.width() / m_scale.x(), dagMargin / m_scale.x()),
                held(m_corner.y(), layout.height, plot.height() / m_scale.y(), marginY(plot) / m_scale.y())};
    update();
}

void PlanDagView::zoomAt(const QPointF &position, double factor) {
    if (!m_picture || m_picture->nodes.empty())
        return;
    const QRectF plot = plotRect();
    const LayeredLayout &layout = m_picture->layout;
    const auto scaled = [factor](double scale, double room, double size, double max) {
        const double whole = std::min(max, room / size); // zooming out stops when all is visible
        return std::clamp(scale * factor, std::max(1e-3, std::min(scale, whole)), std::max(scale, max));
    };
    const QPointF at(m_corner.x() + (position.x() - plot.left()) / m_scale.x(),
                     m_corner.y() + (position.y() - plot.top()) / m_scale.y());
    m_scale = {scaled(m_scale.x(), plot.width() - 2 * dagMargin, layout.width, maxScaleX),
               scaled(m_scale.y(), plot.height() - 2 * marginY(plot), layout.height, maxScaleY)};
    m_corner = {at.x() - (position.x() - plot.left()) / m_scale.x(), at.y() - (position.y() - plot.top()) / m_scale.y()};
    m_fitted = false;
    hold();
}

QRectF PlanDagView::plotRect() const { return QRectF(rect()).adjusted(0, legendHeight, 0, 0); }

QPointF PlanDagView::toWidget(const LayoutPoint &point) const {
    const QRectF plot = plotRect();
    return {plot.left() + (point.x - m_corner.x()) * m_scale.x(), plot.top() + (point.y - m_corner.y()) * m_scale.y()};
}

QRectF PlanDagView::rectOf(std::int32_t number) const {
    const LayeredLayout::Node &at = m_picture->layout.nodes[static_cast<std::size_t>(number)];
    const LayoutMetrics metrics;
    return {toWidget({at.x, at.y}), QSizeF(metrics.nodeWidth * m_scale.x(), metrics.nodeHeight * m_scale.y())};
}

std::int32_t PlanDagView::nodeAt(const QPointF &position) const {
    if (!m_picture || !plotRect().contains(position))
        return -1;
    for (std::size_t n = 0; n < m_picture->nodes.size(); ++n) {
        QRectF box = rectOf(static_cast<std::int32_t>(n));
        if (box.width() < 6) // so that narrow boxes can be hit, too
            box.adjust(-2, 0, 2, 0);
        if (box.contains(position))
            return static_cast<std::int32_t>(n);
    }
    return -1;
}

QColor PlanDagView::channelColor(ChannelId channel) const { return m_theme.categoryColor(TimelineData::colorOfChannel(channel)); }

void PlanDagView::resizeEvent(QResizeEvent * /*event*/) {
    if (m_fitted)
        fit();
    else
        hold();
}

void PlanDagView::paintEvent(QPaintEvent * /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorId::Surface));
    if (!m_picture || m_picture->nodes.empty()) {
        painter.setPen(m_theme.color(ColorId::DimText));
        painter.drawText(rect().adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap, m_reason);
        return;
    }
    paintLegend(painter);
    painter.fillRect(plotRect(), m_theme.color(ColorId::TimelineBackground));
    painter.setClipRect(plotRect());
    paintEdges(painter);
    for (std::size_t n = 0; n < m_picture->nodes.size(); ++n)
        if (rectOf(static_cast<std::int32_t>(n)).adjusted(-8, -4, 8, 4).intersects(plotRect()))
            paintNode(painter, static_cast<std::int32_t>(n));
    if (hasFocus()) {
        painter.setClipping(false);
        painter.setPen(m_theme.color(ColorId::Accent));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(plotRect().adjusted(0, 0, -1, -1));
    }
}

} // namespace syncopate::ui

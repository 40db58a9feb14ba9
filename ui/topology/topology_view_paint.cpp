// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of a TopologyView: boxes of nodes, their cables to the switch, and the texts in them.
#include "engine/base/units.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"
#include "ui/topology/topology_view.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>

namespace syncopate::ui {

namespace {

constexpr int moreRoom = 24;   ///< for "+12" behind the devices
constexpr int textMargin = 6;  ///< in a box
constexpr int deviceSide = 11; ///< of a device's square in a large box
constexpr int laneWidth = 5;   ///< of a lane's bar, as that of a direction to the switch

/// The first of the texts, which become shorter, that fits into `width` pixels; else the last one, elided.
QString fitting(const QFontMetrics &metrics, const QStringList &texts, int width) {
    const auto fits = [&](const QString &text) { return metrics.horizontalAdvance(text) <= width; };
    const auto first = std::find_if(texts.begin(), texts.end(), fits);
    return first != texts.end() ? *first : metrics.elidedText(texts.back(), Qt::ElideRight, width);
}

/// A figure that has no room is left to the node's tooltip: cut, it would read as another one.
void paintFigure(QPainter &painter, const QRect &room, Qt::Alignment side, const QString &text) {
    if (painter.fontMetrics().horizontalAdvance(text) <= room.width())
        painter.drawText(room, static_cast<int>(side | Qt::AlignVCenter), text);
}

} // namespace

void TopologyView::paintGauge(QPainter &painter, const QRect &rect, LinkId link, bool up) const {
    const QColor color = linkColor(paintedShare(link));
    painter.fillRect(rect, color);
    // An arrowhead at the receiving end: colour alone does not show the direction.
    const int x = rect.center().x(), tip = up ? rect.top() : rect.bottom(), back = up ? tip + 5 : tip - 5;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygon({QPoint(x - 4, back), QPoint(x + 5, back), QPoint(x, tip)}));
}

void TopologyView::paintNode(QPainter &painter, std::size_t node) const {
    const QRect box = boxOf(node);
    paintCable(painter, node, box);
    painter.setPen(QPen(m_theme.color(m_selected[node] ? ColorId::Accent : ColorId::Border), m_selected[node] ? 2 : 1));
    painter.setBrush(m_theme.color(ColorId::Raised));
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (hasFocus() && node == m_current && !m_selected[node]) {
        painter.setPen(QPen(m_theme.color(ColorId::Accent), 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(3, 3, -4, -4));
    }
    const QFontMetrics metrics(painter.font());
    QRect line = box.adjusted(textMargin, 4, -textMargin, -4);
    line.setHeight(metrics.height());
    painter.setPen(m_theme.color(ColorId::Text));
    painter.drawText(
        line, Qt::AlignLeft,
        metrics.elidedText(QString::fromStdString(m_data->cluster->nodes[node].address), Qt::ElideMiddle, line.width()));
    const int side = isLarge() ? deviceSide : 8;
    const QRect devices(line.left(), line.bottom() + 4, line.width(), side);
    paintDevices(painter, node, isLarge() ? paintLanes(painter, node, devices) : devices);
    if (isLarge())
        paintFacts(painter, node, line.translated(0, line.height() + side + 6));
}

void TopologyView::paintCable(QPainter &painter, std::size_t node, const QRect &box) const {
    const NodeLinks links = m_data->run ? m_data->links[node] : NodeLinks();
    const int centre = box.center().x(), top = box.top() - cable + bar;
    if (m_data->run) {
        paintGauge(painter, QRect(centre - 12, top, 5, cable - bar), links.transmit, true);
        paintGauge(painter, QRect(centre + 8, top, 5, cable - bar), links.receive, false);
        if (isLarge()) {
            painter.setPen(m_theme.color(ColorId::DimText));
            const QRect left(box.left(), top, box.width() / 2 - 18, cable - bar - 2),
                right = left.translated(centre + 18 - left.x(), 0);
            paintFigure(painter, left, Qt::AlignRight, gaugeText(links.transmit));
            paintFigure(painter, right, Qt::AlignLeft, gaugeText(links.receive));
        }
    } else {
        painter.fillRect(QRect(centre - 1, top, 3, cable - bar), m_theme.color(ColorId::Border));
    }
}

int TopologyView::minDevicesWidth(std::size_t node, const QFontMetrics &metrics) const {
    if (onlyServes(node))
        return metrics.horizontalAdvance(tr("server only")) + 4;
    const int replicas = m_data->cluster->nodes[node].replicaCount();
    return std::min(replicas * (deviceSide + 3), deviceSide + 3 + moreRoom);
}

QFont TopologyView::boxFont() const { return fontOfPixels(font(), isLarge() ? 11 : 10); }

QString TopologyView::laneText(std::size_t node) const {
    const LinkId lane = m_data && isLarge() ? strongestLane(node) : LinkId();
    if (!lane.exists())
        return {};
    const QFontMetrics metrics(boxFont());
    const QString text = tr("inside %1").arg(gaugeText(lane));
    const int room = m_box.width() - 2 * textMargin - minDevicesWidth(node, metrics);
    return metrics.horizontalAdvance(text) + 8 + laneWidth <= room ? text : QString();
}

QRect TopologyView::paintLanes(QPainter &painter, std::size_t node, const QRect &row) const {
    const LinkId lane = strongestLane(node);
    if (!lane.exists())
        return row;
    const QString text = laneText(node);
    const int textWidth = text.isEmpty() ? 0 : painter.fontMetrics().horizontalAdvance(text) + 4;
    const int left = row.right() - textWidth - laneWidth;
    painter.fillRect(left, row.top(), laneWidth, row.height(), linkColor(paintedShare(lane)));
    painter.setPen(m_theme.color(ColorId::DimText));
    painter.drawText(QRect(left + laneWidth + 4, row.top() - 4, textWidth, row.height() + 8), Qt::AlignLeft | Qt::AlignVCenter,
                     text);
    return row.adjusted(0, 0, left - row.right() - 4, 0);
}

void TopologyView::paintDevices(QPainter &painter, std::size_t node, const QRect &row) const {
    const Cluster &cluster = *m_data->cluster;
    const bool serves = onlyServes(node);
    const int replicas = serves ? 0 : cluster.nodes[node].replicaCount(), side = row.height();
    const bool allFit = replicas * (side + 3) <= row.width() + 3;
    const int bottom = row.top() + side, shown = allFit ? replicas : std::max(1, (row.width() - moreRoom) / (side + 3));
    for (int r = 0; r < std::min(replicas, shown); ++r)
        painter.fillRect(QRect(row.left() + r * (side + 3), row.top(), side, side), m_theme.color(ColorId::Forward));
    painter.setPen(m_theme.color(ColorId::DimText));
    if (replicas > shown)
        painter.drawText(QPoint(row.left() + shown * (side + 3), bottom), QStringLiteral("+%1").arg(replicas - shown));
    if (serves)
        painter.drawText(QPoint(row.left(), bottom), tr("server only"));
}

void TopologyView::paintFacts(QPainter &painter, std::size_t node, QRect line) const {
    const Node &n = m_data->cluster->nodes[node];
    const QFontMetrics metrics(painter.font());
    QStringList facts{QString::fromStdString(formatBandwidth(n.bandwidthBytesPerSecond))};
    if (!n.device.empty())
        facts.prepend(QString::fromStdString(n.device));
    if (n.computeScale != 1)
        facts += tr("× %1").arg(n.computeScale, 0, 'g', 3);
    painter.drawText(line, Qt::AlignLeft, metrics.elidedText(facts.join(QStringLiteral(" · ")), Qt::ElideRight, line.width()));
    if (!m_data->run)
        return;
    line.translate(0, line.height() + 1);
    paintSaving(painter, node, line);
    line.translate(0, line.height() + 1);
    if (const ServerShare &share = m_data->servers[node]; share.units > 0) {
        painter.setPen(m_theme.color(ColorId::Text));
        const QString bytes = bytesText(share.bytes);
        const auto parts = static_cast<int>(share.units);
        painter.drawText(
            line, Qt::AlignLeft,
            fitting(metrics, {tr("PS %1 in %n parts", nullptr, parts).arg(bytes), tr("PS %1").arg(bytes)}, line.width()));
    }
}

void TopologyView::paintSaving(QPainter &painter, std::size_t node, const QRect &rect) const {
    const QStringList texts = savingOfNode(node);
    if (texts.isEmpty())
        return;
    const bool isLoss = m_data->savedSeconds(m_data->links[node].transmit).value_or(0) < 0;
    painter.setPen(m_theme.color(isLoss ? ColorId::Worse : ColorId::Better));
    painter.drawText(rect, Qt::AlignLeft, fitting(painter.fontMetrics(), texts, rect.width()));
}

std::size_t TopologyView::nodeAt(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns) + static_cast<std::size_t>(column);
}

void TopologyView::paintRow(QPainter &painter, int row) const {
    const std::size_t first = nodeAt(row, 0);
    const std::size_t last = std::min(m_selected.size(), first + static_cast<std::size_t>(m_columns)) - 1;
    const QRect from = boxOf(first), to = boxOf(last);
    const int y = from.top() - cable;
    painter.fillRect(QRect(QPoint(from.left(), y), QPoint(to.right(), y + bar - 1)), m_theme.color(ColorId::DimText));
    paintRing(painter, first, last);
}

void TopologyView::paintRing(QPainter &painter, std::size_t first, std::size_t last) const {
    painter.setPen(QPen(m_theme.color(ColorId::AllReduce), 2));
    for (std::size_t n = 1; n < m_data->ring.size(); ++n) {
        const std::size_t from = m_data->ring[n - 1], to = m_data->ring[n];
        if (from < first || to > last)
            continue;
        const QRect a = boxOf(from), b = boxOf(to);
        const int y = a.bottom() - 8, below = a.bottom() + 5, leaves = a.right() + 5, enters = b.left() - 6;
        if (to == from + 1)
            painter.drawLine(a.right() + 1, y, b.left() - 1, y);
        else
            painter.drawPolyline(QPolygon({QPoint(a.right() + 1, y), QPoint(leaves, y), QPoint(leaves, below),
                                           QPoint(enters, below), QPoint(enters, y), QPoint(b.left() - 1, y)}));
        painter.drawLine(b.left() - 5, y - 3, b.left() - 1, y);
        painter.drawLine(b.left() - 5, y + 3, b.left() - 1, y);
    }
}

void TopologyView::paintEvent(QPaintEvent *) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), m_theme.color(ColorId::Surface));
    if (!m_data || m_selected.empty()) {
        painter.setPen(m_theme.color(ColorId::DimText));
        painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin), Qt::AlignTop | Qt::TextWordWrap,
                         m_emptyText);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(m_zoom, m_zoom);
    painter.setFont(boxFont());
    const int rows = (static_cast<int>(m_selected.size()) + m_columns - 1) / m_columns;
    for (int row = 0; row < rows; ++row) {
        const QRect rect = boxOf(nodeAt(row, 0));
        if (rect.bottom() < 0 || rect.top() - cable > viewport()->height())
            continue;
        paintRow(painter, row);
        for (int column = 0; column < m_columns; ++column)
            if (const std::size_t node = nodeAt(row, column); node < m_selected.size())
                paintNode(painter, node);
    }
}

} // namespace syncopate::ui

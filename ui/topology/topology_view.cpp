// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_view.h"

#include "engine/base/units.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr int margin = 12, topMargin = 6;
constexpr int gap = 10;   ///< between boxes
constexpr int cable = 26; ///< from the switch's bar to a box
constexpr int bar = 4;    ///< thickness of the switch
constexpr QSize large(150, 88), small(74, 58);
constexpr int moreRoom = 24;          ///< for "+12" behind the devices
constexpr int narrowest = 108;        ///< minimum width of a large box
constexpr std::size_t manyNodes = 40; ///< with more, boxes are small unless all large ones fit
constexpr double maxZoom = 2, zoomStep = 0.25;

/// How many boxes fit beside each other.
int columnsOf(int width, int boxWidth) { return (width - 2 * margin + gap) / (boxWidth + gap); }

/// Height of `count` boxes in so many columns, with their cables.
int pictureHeight(int count, int columns, QSize box) {
    const int rows = (count + columns - 1) / columns;
    return topMargin + rows * (cable + box.height() + gap) - gap + topMargin;
}

/// A figure that has no room is left to the node's tooltip: cut, it would read as another one.
void paintFigure(QPainter &painter, const QRect &room, Qt::Alignment side, const QString &text) {
    if (painter.fontMetrics().horizontalAdvance(text) <= room.width())
        painter.drawText(room, static_cast<int>(side | Qt::AlignVCenter), text);
}

} // namespace

TopologyView::TopologyView(const Theme &theme, QWidget *parent) : QAbstractScrollArea(parent), m_theme(theme) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Cluster"));
    setAccessibleDescription(tr("Nodes and the load of their links. Arrow keys go from node to node."));
    viewport()->setMouseTracking(true);
    connect(&theme, &Theme::themeChanged, viewport(), qOverload<>(&QWidget::update));
}

void TopologyView::setData(std::shared_ptr<const TopologyData> data) {
    const std::size_t count = data ? data->cluster->nodes.size() : 0;
    m_data = std::move(data);
    if (m_selected.size() != count) {
        m_selected.resize(count, false);
        m_current = std::min(m_current, count == 0 ? 0 : count - 1);
        Q_EMIT selectionChanged();
    }
    layOut();
    viewport()->update();
}

void TopologyView::setWindow(double from, double to) {
    m_from = from;
    m_to = to;
    viewport()->update();
}

std::vector<std::size_t> TopologyView::selectedNodes() const {
    std::vector<std::size_t> nodes;
    for (std::size_t n = 0; n < m_selected.size(); ++n)
        if (m_selected[n])
            nodes.push_back(n);
    return nodes;
}

void TopologyView::select(std::size_t node, bool alone) {
    if (node >= m_selected.size())
        return;
    if (alone)
        std::fill(m_selected.begin(), m_selected.end(), false);
    m_selected[node] = alone || !m_selected[node];
    m_current = node;
    const QRect rect = nodeRect(node);
    if (rect.top() < cable)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.top() - cable);
    else if (rect.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.bottom() - viewport()->height() + margin);
    setAccessibleDescription(describe(node));
    viewport()->update();
    Q_EMIT selectionChanged();
}

bool TopologyView::enlarge() {
    const int count = static_cast<int>(m_selected.size());
    const bool isRow = columnsOf(viewport()->width(), narrowest) >= count; // which is never broken: a ring is drawn along it
    for (m_zoom = maxZoom; m_zoom >= 1; m_zoom -= zoomStep) {
        const QSize room = viewport()->size() / m_zoom;
        m_columns = std::clamp(columnsOf(room.width(), large.width()), 1, std::max(1, count));
        if ((m_columns >= count || !isRow) && pictureHeight(count, m_columns, large) <= room.height()) {
            m_box = large;
            return true;
        }
    }
    m_zoom = 1;
    return false;
}

void TopologyView::layOut() {
    const int count = static_cast<int>(m_selected.size());
    if (!enlarge()) {
        m_box = m_selected.size() > manyNodes ? small : large;
        // Narrows the boxes somewhat if all of them then fit into one row.
        if (isLarge() && count > 0)
            m_box.setWidth(std::clamp((viewport()->width() - 2 * margin + gap) / count - gap, narrowest, large.width()));
        m_columns = std::clamp(columnsOf(viewport()->width(), m_box.width()), 1, std::max(1, count));
    }
    const int height = m_zoom > 1 ? 0 : pictureHeight(count, m_columns, m_box);
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(cable + m_box.height() + gap);
}

bool TopologyView::isLarge() const { return m_box.height() == large.height(); }

QRect TopologyView::boxOf(std::size_t node) const {
    const int row = static_cast<int>(node) / m_columns, column = static_cast<int>(node) % m_columns;
    return {{margin + column * (m_box.width() + gap),
             topMargin + row * (cable + m_box.height() + gap) + cable - verticalScrollBar()->value()},
            m_box};
}

QRect TopologyView::nodeRect(std::size_t node) const {
    const QRect box = boxOf(node);
    return {(QPointF(box.topLeft()) * m_zoom).toPoint(), box.size() * m_zoom};
}

std::ptrdiff_t TopologyView::nodeAt(const QPoint &position) const {
    for (std::size_t n = 0; n < m_selected.size(); ++n)
        if (boxOf(n).adjusted(0, -cable + bar, 0, 0).contains((QPointF(position) / m_zoom).toPoint()))
            return static_cast<std::ptrdiff_t>(n);
    return -1;
}

double TopologyView::load(LinkId link) const {
    return m_data && m_data->loads ? std::clamp(m_data->loads->share(link, m_from, m_to), 0.0, 1.0) : 0;
}

void TopologyView::setLinkPaint(LinkPaint paint) {
    m_paint = paint;
    viewport()->update();
}

double TopologyView::paintedShare(LinkId link) const {
    if (m_paint == LinkPaint::Load)
        return load(link);
    const double steepest = m_data ? m_data->steepestSecondsPerGbit : 0;
    return steepest < 0 ? m_data->secondsPerGbit(link) / steepest : 0;
}

QColor TopologyView::linkColor(double share) const {
    const QColor idle = m_theme.color(ColorId::Border);
    const QColor full = m_theme.color(m_paint == LinkPaint::Load ? ColorId::Push : ColorId::Better);
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(idle.red(), full.red()), mix(idle.green(), full.green()), mix(idle.blue(), full.blue())};
}

bool TopologyView::inRing() const {
    if (!m_data || !m_data->run || m_data->run->scenario.policy.algorithm != CollectiveAlgorithm::Ring)
        return false;
    const auto &units = m_data->run->graph.units;
    return std::any_of(units.begin(), units.end(), [](const SyncUnit &u) { return u.kind == SynchronizerKind::AllReduce; });
}

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
    QRect line = box.adjusted(6, 4, -6, -4);
    line.setHeight(metrics.height());
    painter.setPen(m_theme.color(ColorId::Text));
    painter.drawText(
        line, Qt::AlignLeft,
        metrics.elidedText(QString::fromStdString(m_data->cluster->nodes[node].address), Qt::ElideMiddle, line.width()));
    const int side = isLarge() ? 11 : 8;
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

QRect TopologyView::paintLanes(QPainter &painter, std::size_t node, const QRect &row) const {
    const LinkId lane = strongestLane(node);
    if (!lane.exists())
        return row;
    constexpr int width = 5; // of its bar, as that of a direction to the switch
    const QFontMetrics metrics = painter.fontMetrics();
    const int replicas = m_data->cluster->nodes[node].replicaCount();
    const int devices = onlyServes(node) ? metrics.horizontalAdvance(tr("server only")) + 4
                                         : std::min(replicas * (row.height() + 3) + moreRoom, row.width() / 2);
    const QString figure = gaugeText(lane);
    for (const QString &text : {tr("inside %1").arg(figure), figure}) { // where neither has room, the tooltip tells
        const int textWidth = metrics.horizontalAdvance(text), left = row.right() - textWidth - 4 - width;
        if (left - 4 < row.left() + devices)
            continue;
        painter.fillRect(left, row.top(), width, row.height(), linkColor(paintedShare(lane)));
        painter.setPen(m_theme.color(ColorId::DimText));
        painter.drawText(QRect(left + width + 4, row.top() - 4, textWidth + 1, row.height() + 8),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        return row.adjusted(0, 0, left - row.right() - 4, 0);
    }
    return row;
}

void TopologyView::paintDevices(QPainter &painter, std::size_t node, const QRect &row) const {
    const Cluster &cluster = *m_data->cluster;
    const bool serves = onlyServes(node);
    const int replicas = serves ? 0 : cluster.nodes[node].replicaCount(), side = row.height();
    const int bottom = row.top() + side, fitting = std::max(1, (row.width() - moreRoom) / (side + 3));
    for (int r = 0; r < std::min(replicas, fitting); ++r)
        painter.fillRect(QRect(row.left() + r * (side + 3), row.top(), side, side), m_theme.color(ColorId::Forward));
    painter.setPen(m_theme.color(ColorId::DimText));
    if (replicas > fitting)
        painter.drawText(QPoint(row.left() + fitting * (side + 3), bottom), QStringLiteral("+%1").arg(replicas - fitting));
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
    paintSlopes(painter, node, line);
    line.translate(0, line.height() + 1);
    if (const ServerShare &share = m_data->servers[node]; share.units > 0) {
        painter.setPen(m_theme.color(ColorId::Text));
        const QString text = tr("PS %1 in %2").arg(bytesText(share.bytes)).arg(share.units);
        painter.drawText(line, Qt::AlignLeft, metrics.elidedText(text, Qt::ElideRight, line.width()));
    }
}

void TopologyView::paintSlopes(QPainter &painter, std::size_t node, const QRect &rect) const {
    const QString text = slopesText(node);
    if (text.isEmpty())
        return;
    painter.setPen(m_theme.color(ColorId::Better));
    painter.drawText(rect, Qt::AlignLeft, QFontMetrics(painter.font()).elidedText(text, Qt::ElideRight, rect.width()));
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
    if (inRing() && first != last) {
        // The ring's order: partial sums go from each node to the next, and from the last back to the first.
        painter.setPen(QPen(m_theme.color(ColorId::AllReduce), 2));
        for (std::size_t n = first; n < last; ++n) {
            const QRect a = boxOf(n), b = boxOf(n + 1);
            const int middle = a.bottom() - 8;
            painter.drawLine(a.right() + 1, middle, b.left() - 1, middle);
            painter.drawLine(b.left() - 5, middle - 3, b.left() - 1, middle);
            painter.drawLine(b.left() - 5, middle + 3, b.left() - 1, middle);
        }
    }
}

void TopologyView::paintEvent(QPaintEvent *) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), m_theme.color(ColorId::Surface));
    if (!m_data || m_selected.empty()) {
        painter.setPen(m_theme.color(ColorId::DimText));
        painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin), Qt::AlignTop | Qt::TextWordWrap,
                         tr("No cluster is loaded."));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(m_zoom, m_zoom);
    QFont font = painter.font();
    font.setPixelSize(isLarge() ? 11 : 10);
    painter.setFont(font);
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

void TopologyView::resizeEvent(QResizeEvent *) { layOut(); }

void TopologyView::mousePressEvent(QMouseEvent *event) {
    const std::ptrdiff_t node = nodeAt(event->pos());
    if (node >= 0) {
        select(static_cast<std::size_t>(node), !(event->modifiers() & Qt::ControlModifier));
    } else if (event->button() == Qt::LeftButton) {
        std::fill(m_selected.begin(), m_selected.end(), false);
        viewport()->update();
        Q_EMIT selectionChanged();
    }
}

void TopologyView::keyPressEvent(QKeyEvent *event) {
    if (event->matches(QKeySequence::SelectAll)) {
        std::fill(m_selected.begin(), m_selected.end(), true);
        viewport()->update();
        Q_EMIT selectionChanged();
        return;
    }
    const auto move = [&](std::ptrdiff_t by) {
        const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(m_current) + by;
        if (to >= 0 && to < static_cast<std::ptrdiff_t>(m_selected.size()))
            select(static_cast<std::size_t>(to));
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return move(-1);
    case Qt::Key_Right:
        return move(1);
    case Qt::Key_Up:
        return move(-m_columns);
    case Qt::Key_Down:
        return move(m_columns);
    case Qt::Key_Space:
        return select(m_current, false);
    case Qt::Key_Escape:
        std::fill(m_selected.begin(), m_selected.end(), false);
        viewport()->update();
        Q_EMIT selectionChanged();
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

bool TopologyView::viewportEvent(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const std::ptrdiff_t node = nodeAt(help->pos());
        QToolTip::showText(help->globalPos(), plainTip(node >= 0 ? describe(static_cast<std::size_t>(node)) : QString()),
                           viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace syncopate::ui

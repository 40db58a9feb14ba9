// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_view.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr int topMargin = 6;
constexpr int gap = 10; ///< between boxes
constexpr QSize large(150, 88), small(74, 58);
constexpr int narrowest = 108;        ///< minimum width of a large box
constexpr std::size_t manyNodes = 40; ///< with more, boxes are small unless all large ones fit
constexpr double maxZoom = 2, zoomStep = 0.25;

/// The number of boxes that fit beside each other into `room`, margins excluded.
int columnsOf(int room, int boxWidth) { return (room + gap) / (boxWidth + gap); }

/// Height of `count` boxes in `columns` columns; a row is a box with its cable.
int pictureHeight(int count, int columns, int rowHeight) {
    const int rows = (count + columns - 1) / columns;
    return topMargin + rows * (rowHeight + gap) - gap + topMargin;
}

} // namespace

TopologyView::TopologyView(const Theme &theme, QWidget *parent) : QAbstractScrollArea(parent), m_theme(theme) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Cluster"));
    m_emptyText = tr("No cluster is loaded.");
    setAccessibleDescription(tr("Nodes and the load of their links. Arrow keys go from node to node."));
    viewport()->setMouseTracking(true);
    connect(&theme, &Theme::themeChanged, viewport(), qOverload<>(&QWidget::update));
}

void TopologyView::setData(std::shared_ptr<const TopologyData> data) {
    const std::vector<Node> none, &nodes = data ? data->cluster->nodes : none; // which m_data keeps
    // Nodes stay selected by their addresses: another may have the place of one that is gone.
    std::set<std::string_view> addresses;
    for (const std::size_t node : selectedNodes())
        addresses.insert(m_data->cluster->nodes[node].address);
    std::vector<bool> selected;
    for (const Node &node : nodes)
        selected.push_back(addresses.contains(node.address));
    m_data = std::move(data);
    m_current = std::min(m_current, nodes.empty() ? 0 : nodes.size() - 1);
    if (std::exchange(m_selected, selected) != selected)
        Q_EMIT selectionChanged();
    layOut();
    viewport()->update();
}

void TopologyView::setEmptyText(const QString &text) {
    m_emptyText = text;
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
    const bool isRow =
        columnsOf(viewport()->width() - 2 * margin, narrowest) >= count; // which is never broken: a ring is drawn along it
    for (m_zoom = maxZoom; m_zoom >= 1; m_zoom -= zoomStep) {
        const QSize room = viewport()->size() / m_zoom;
        m_columns = std::clamp(columnsOf(room.width() - 2 * margin, large.width()), 1, std::max(1, count));
        if ((m_columns >= count || !isRow) && pictureHeight(count, m_columns, cable + large.height()) <= room.height()) {
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
        m_columns = std::clamp(columnsOf(viewport()->width() - 2 * margin, m_box.width()), 1, std::max(1, count));
    }
    const int height = m_zoom > 1 ? 0 : pictureHeight(count, m_columns, cable + m_box.height());
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
    const double largest = m_data ? m_data->largestSaving : 0;
    return largest > 0 ? std::max(0.0, m_data->savedSeconds(link).value_or(0)) / largest : 0;
}

QColor TopologyView::linkColor(double share) const {
    const QColor idle = m_theme.color(ColorId::Border);
    const QColor full = m_theme.color(m_paint == LinkPaint::Load ? ColorId::Push : ColorId::Better);
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(idle.red(), full.red()), mix(idle.green(), full.green()), mix(idle.blue(), full.blue())};
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

// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and keyboard do to a PlanDagView, and how it describes its nodes.
#include "engine/plan/planned_costs.h"
#include "ui/runs/plan_dag_view.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

QString PlanDagView::namesOf(std::int32_t number, bool ofIterationBefore) const {
    constexpr int most = 6;
    QStringList names;
    int left = 0;
    for (const DagEdge &edge : m_picture->edges) {
        const bool fits = ofIterationBefore ? edge.kind == DagEdge::Kind::NextIteration : edge.kind == DagEdge::Kind::Parent;
        if (!fits || edge.to != number)
            continue;
        if (names.size() < most)
            names << QString::fromStdString(opOf(edge.from).name);
        else
            ++left;
    }
    if (left > 0)
        names << tr("%1 more").arg(left);
    return names.join(QStringLiteral(", "));
}

QString PlanDagView::describe(std::int32_t number) const {
    const DagOp &op = opOf(number);
    const DagNode &of = node(number);
    QStringList lines{QString::fromStdString(op.name)};
    if (op.isCompute()) {
        lines << tr("compute, %1").arg(secondsText(op.seconds));
    } else {
        const std::string_view kind = nameOf(*op.collective);
        lines << tr("%1 of %2 a process, among %3")
                     .arg(QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size())), bytesText(op.sizeBytes),
                          QString::fromStdString(membersOf(op, m_picture->dag->processes)));
    }
    for (const DagNode::Share &share : of.channels) {
        const QString channel = QString::fromStdString(m_picture->channels[share.channel.index()]);
        lines << tr("%n motifs on %1, %2", nullptr, static_cast<int>(share.motifs)).arg(channel, secondsText(share.seconds));
    }
    if (of.span)
        lines << tr("from %1, takes %2")
                     .arg(of.startSeconds < 0 ? signedText(of.startSeconds, secondsText(-of.startSeconds))
                                              : secondsText(of.startSeconds),
                          secondsText(of.endSeconds - of.startSeconds));
    if (of.isCritical)
        lines << tr("on the critical path of the iteration");
    if (const QString names = namesOf(number, false); !names.isEmpty())
        lines << tr("waits for %1").arg(names);
    if (const QString names = namesOf(number, true); !names.isEmpty())
        lines << tr("waits for %1 of the iteration before").arg(names);
    return lines.join(QLatin1Char('\n'));
}

bool PlanDagView::event(QEvent *event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_F && key->modifiers() == Qt::NoModifier) { // the window's own F does not apply
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const std::int32_t at = nodeAt(help->pos()); at >= 0)
            QToolTip::showText(help->globalPos(), plainTip(describe(at)), this, rectOf(at).toRect());
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void PlanDagView::wheelEvent(QWheelEvent *event) {
    const QPoint angle = event->angleDelta();
    const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    const bool isLow = m_picture && m_picture->layout.height * m_scale.y() <= plotRect().height();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomAt(event->position(), std::pow(1.25, notches));
    } else {
        if (event->modifiers().testFlag(Qt::ShiftModifier) || angle.y() == 0 || isLow)
            m_corner.rx() -= notches * 0.1 * plotRect().width() / m_scale.x();
        else
            m_corner.ry() -= notches * 60 / m_scale.y();
        m_fitted = false;
        hold();
    }
    event->accept();
}

void PlanDagView::pick(std::int32_t number) {
    select(number);
    if (number >= 0)
        Q_EMIT nodePicked(number);
}

void PlanDagView::mousePressEvent(QMouseEvent *event) {
    const bool pans = event->button() == Qt::MiddleButton || event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->button() != Qt::LeftButton && !pans)
        return;
    if (const std::int32_t at = pans ? -1 : nodeAt(event->position()); at >= 0)
        pick(at);
    else if (m_picture)
        m_dragged = event->position();
}

void PlanDagView::mouseMoveEvent(QMouseEvent *event) {
    if (!m_dragged) {
        setCursor(nodeAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    setCursor(Qt::ClosedHandCursor);
    const QPointF by = event->position() - std::exchange(*m_dragged, event->position());
    m_corner -= QPointF(by.x() / m_scale.x(), by.y() / m_scale.y());
    m_fitted = m_fitted && by.isNull();
    hold();
}

void PlanDagView::mouseReleaseEvent(QMouseEvent * /*event*/) {
    m_dragged.reset();
    setCursor(Qt::ArrowCursor);
}

void PlanDagView::mouseDoubleClickEvent(QMouseEvent *event) {
    if (nodeAt(event->position()) < 0)
        fit();
}

/// The node to the left or right along an edge, nearest in height; up and down the nearest in the layer. -1 = none.
std::int32_t PlanDagView::neighbour(std::int32_t number, int key) const {
    const auto &places = m_picture->layout.nodes;
    const LayeredLayout::Node &at = places[static_cast<std::size_t>(number)];
    std::int32_t best = -1;
    double nearest = HUGE_VAL;
    const auto offer = [&](std::int32_t other, double distance) {
        if (distance < nearest) {
            nearest = distance;
            best = other;
        }
    };
    const bool right = key == Qt::Key_Right;
    if (right || key == Qt::Key_Left) {
        for (std::size_t e = 0; e < m_picture->layout.routes.size(); ++e) {
            const DagEdge &edge = m_picture->edges[e];
            if ((right ? edge.from : edge.to) != number)
                continue;
            const std::int32_t other = right ? edge.to : edge.from;
            const LayeredLayout::Node &there = places[static_cast<std::size_t>(other)];
            offer(other, 1e3 * std::abs(there.layer - at.layer) + std::abs(there.y - at.y));
        }
        return best;
    }
    for (std::size_t n = 0; n < places.size(); ++n) {
        const double down = places[n].y - at.y;
        if (places[n].layer == at.layer && (key == Qt::Key_Down ? down > 0 : down < 0))
            offer(static_cast<std::int32_t>(n), std::abs(down));
    }
    return best;
}

void PlanDagView::keyPressEvent(QKeyEvent *event) {
    if (!m_picture || m_picture->nodes.empty())
        return QWidget::keyPressEvent(event);
    const QPointF middle = m_selected >= 0 ? rectOf(m_selected).center() : plotRect().center();
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (const std::int32_t next = m_selected < 0 ? 0 : neighbour(m_selected, event->key()); next >= 0)
            pick(next);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        pick(m_selected);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Minus:
        zoomAt(middle, event->key() == Qt::Key_Plus ? 1.25 : 0.8);
        break;
    case Qt::Key_F:
        fit();
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and keyboard do to a PlanStack; plan_stack.cpp paints it.
#include "ui/runs/plan_stack.h"
#include "ui/theme/plain_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

void PlanStack::wheelEvent(QWheelEvent *event) {
    const QPoint angle = event->angleDelta();
    const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    if (event->modifiers().testFlag(Qt::ControlModifier))
        m_axis.zoomAt(timeAt(static_cast<int>(event->position().x())), std::pow(0.8, notches));
    else if (event->modifiers().testFlag(Qt::ShiftModifier) || angle.y() == 0)
        m_axis.pan(-notches * m_axis.span() * 0.1);
    else
        verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                      static_cast<int>(notches * 3 * verticalScrollBar()->singleStep()));
    viewport()->update();
    event->accept();
}

void PlanStack::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return;
    const auto row = m_pressed = rowAt(event->position().toPoint().y());
    if (!row)
        return;
    m_current = row;
    const auto span = spanAt(event->position().toPoint());
    if (span && isChannel(span->lane) && m_rows[*row].isEditable)
        m_drag = Drag{*span, event->position().toPoint(), event->position().toPoint()};
    viewport()->update();
}

void PlanStack::mouseMoveEvent(QMouseEvent *event) {
    const QPoint position = event->position().toPoint();
    if (!m_drag) {
        const auto span = spanAt(position);
        viewport()->setCursor(span && isChannel(span->lane) && m_rows[span->row].isEditable ? Qt::OpenHandCursor
                                                                                            : Qt::ArrowCursor);
        return;
    }
    m_drag->to = position;
    m_drag->moved = m_drag->moved || (position - m_drag->from).manhattanLength() >= QApplication::startDragDistance();
    viewport()->setCursor(m_drag->moved ? Qt::ClosedHandCursor : Qt::OpenHandCursor);
    viewport()->update();
}

void PlanStack::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return;
    const auto drag = std::exchange(m_drag, std::nullopt);
    const auto pressed = std::exchange(m_pressed, std::nullopt);
    viewport()->setCursor(Qt::ArrowCursor);
    viewport()->update();
    const QPoint position = event->position().toPoint();
    if (drag && drag->moved) {
        const auto over = laneAt(drag->span.row, position.y());
        const double seconds = (timeAt(position.x()) - timeAt(drag->from.x())) * 1e-9;
        if (plotRect().contains(position) && over && isChannel(*over))
            Q_EMIT spanDragged(static_cast<int>(drag->span.row), drag->span.lane, drag->span.span, *over, seconds);
        return;
    }
    if (const auto row = rowAt(position.y()); row && row == pressed)
        Q_EMIT rowClicked(static_cast<int>(*row));
}

void PlanStack::mouseDoubleClickEvent(QMouseEvent *event) {
    if (plotRect().contains(event->position().toPoint()))
        fit();
}

void PlanStack::keyPressEvent(QKeyEvent *event) {
    const std::size_t count = m_rows.size();
    switch (event->key()) {
    case Qt::Key_Escape:
        if (!m_drag)
            return QAbstractScrollArea::keyPressEvent(event);
        m_drag.reset();
        m_pressed.reset(); // the release is no click
        break;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        if (count == 0)
            return;
        const int step = event->key() == Qt::Key_Up ? -1 : 1;
        const int next = m_current ? static_cast<int>(*m_current) + step : 0;
        m_current = static_cast<std::size_t>(std::clamp(next, 0, static_cast<int>(count) - 1));
        const int top = topOf(*m_current) - rulerHeight, height = heightOf(m_rows[*m_current]);
        if (top < 0 || top + height > verticalScrollBar()->pageStep())
            verticalScrollBar()->setValue(verticalScrollBar()->value() + top);
        break;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current)
            Q_EMIT rowClicked(static_cast<int>(*m_current));
        break;
    case Qt::Key_Left:
    case Qt::Key_Right:
        m_axis.pan((event->key() == Qt::Key_Left ? -0.1 : 0.1) * m_axis.span());
        break;
    case Qt::Key_Plus:
    case Qt::Key_Minus:
        m_axis.zoomAt(m_axis.window().first + m_axis.span() / 2, event->key() == Qt::Key_Plus ? 0.8 : 1.25);
        break;
    case Qt::Key_F:
        fit();
        break;
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
    viewport()->update();
}

bool PlanStack::event(QEvent *event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_F && key->modifiers() == Qt::NoModifier) { // the window's own F does not apply
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

bool PlanStack::viewportEvent(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const auto span = spanAt(help->pos()))
        QToolTip::showText(help->globalPos(), plainTip(describe(*span)), viewport());
    else if (const auto row = rowAt(help->pos().y()); row && help->pos().x() < m_gutter)
        QToolTip::showText(help->globalPos(), plainTip(m_rows[*row].name + QLatin1Char('\n') + m_rows[*row].figures), viewport());
    else
        QToolTip::hideText();
    return true;
}

} // namespace syncopate::ui

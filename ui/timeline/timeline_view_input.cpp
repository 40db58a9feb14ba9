// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and keyboard do to a TimelineView; how it is painted is in timeline_view.cpp.
#include "engine/base/units.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

std::optional<SpanRef> TimelineView::spanAt(const QPoint &position) const {
    const QRect plot = plotRect();
    if (!m_data || !plot.contains(position))
        return {};
    if (const auto lane = laneAt(position.y())) {
        // The pixel column, not an instant: short spans can be hit too.
        const auto from = static_cast<Nanoseconds>(timeAt(position.x())) + m_data->origin();
        const auto to = static_cast<Nanoseconds>(timeAt(position.x() + 1)) + m_data->origin();
        const std::size_t span = m_data->index(*lane).firstEndingAfter(from);
        if (span < m_data->lane(*lane).size() && m_data->lane(*lane).start[span] < to)
            return SpanRef{*lane, span};
    }
    return {};
}

std::optional<std::size_t> TimelineView::laneAt(int y) const {
    const int within = y - plotRect().top() + m_scroll->value();
    for (std::size_t lane = 0; lane < m_laneTop.size(); ++lane)
        if (within >= m_laneTop[lane] && within < m_laneTop[lane] + m_laneHeight)
            return lane;
    return {};
}

std::optional<SpanRef> TimelineView::spanOfTask(std::int32_t task) const {
    if (m_data)
        for (std::size_t l = 0; l < m_data->laneCount(); ++l) {
            const auto &tasks = m_data->lane(l).task;
            if (const auto found = std::find(tasks.begin(), tasks.end(), task); found != tasks.end())
                return SpanRef{l, static_cast<std::size_t>(found - tasks.begin())};
        }
    return {};
}

QString TimelineView::describe(const SpanRef &span) const {
    const Lane &lane = m_data->lane(span.lane);
    const Nanoseconds start = lane.start[span.span], end = lane.end[span.span];
    const double duration = static_cast<double>(end - start) * 1e-9;
    const auto row = [](const QString &name, const QString &value) {
        return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>").arg(name.toHtmlEscaped(), value.toHtmlEscaped());
    };
    const auto seconds = [](double s) { return QString::fromStdString(formatSeconds(s)); };
    const Category category = lane.category[span.span];
    QString text = QStringLiteral("<b>%1</b><table>")
                       .arg(QString::fromStdString(m_data->timeline().labels[static_cast<std::size_t>(lane.label[span.span])])
                                .toHtmlEscaped());
    text += row(tr("Kind"), QString::fromUtf8(nameOf(category)) + QStringLiteral(" · ") + QString::fromStdString(lane.name));
    if (lane.sizeBytes[span.span] > 0)
        text += row(tr("Bytes"), QString::fromStdString(formatBytes(lane.sizeBytes[span.span])));
    text += row(tr("Start"), formatTime(static_cast<double>(start - m_data->origin()), 1000));
    text += row(tr("Duration"), seconds(duration));
    if (isCommunication(category)) {
        const double overlapped = static_cast<double>(m_data->computeBusy(lane.worker, start, end)) * 1e-9;
        text += row(tr("Overlapped by compute"),
                    tr("%1 (%2 %)").arg(seconds(overlapped)).arg(100 * overlapped / duration, 0, 'f', 0));
    }
    return text + QStringLiteral("</table>");
}

bool TimelineView::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const auto span = spanAt(help->pos()))
            QToolTip::showText(help->globalPos(), describe(*span), this, spanRect(*span));
        else if (m_data && help->pos().x() < gutterWidth() && help->pos().y() > plotRect().top()) {
            if (const auto lane = laneAt(help->pos().y()))
                QToolTip::showText(help->globalPos(), QString::fromStdString(m_data->lane(*lane).name), this);
        } else
            QToolTip::hideText();
        return true;
    }
    // Tab leaves the pane; the keys that walk its spans must not.
    return QWidget::event(event);
}

void TimelineView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    layOutLanes();
    invalidate();
}

void TimelineView::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        QFont labels = font();
        labels.setPixelSize(10);
        m_labels = SpanLabels(labels);
        invalidate();
    }
}

void TimelineView::focusInEvent(QFocusEvent *event) {
    m_focusRing = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                  event->reason() == Qt::ShortcutFocusReason;
    update();
}

void TimelineView::focusOutEvent(QFocusEvent *) { update(); }

void TimelineView::mousePressEvent(QMouseEvent *event) {
    const QPoint position = event->position().toPoint();
    m_pressed = position;
    m_pressedTime = timeAt(position.x());
    const bool pans = event->button() == Qt::MiddleButton ||
                      (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    if (pans) {
        m_gesture = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton && position.x() >= plotRect().left()) {
        m_gesture = Gesture::Press;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent *event) {
    const QPoint position = event->position().toPoint();
    if (m_gesture == Gesture::Press && std::abs(position.x() - m_pressed.x()) > 3)
        m_gesture = Gesture::Select;
    if (m_gesture == Gesture::Select)
        m_axis->setSelection(TimeAxis::Range(m_pressedTime, timeAt(position.x())));
    if (m_gesture == Gesture::Pan)
        m_axis->pan(m_pressedTime - timeAt(position.x()));
    const QRect plot = plotRect();
    if (position.x() >= plot.left() && position.x() <= plot.right())
        m_axis->setCursor(timeAt(position.x()));
    else
        m_axis->setCursor({});
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event) {
    if (m_gesture == Gesture::Press) {
        const auto span = spanAt(event->position().toPoint());
        if (!span)
            m_axis->setSelection({});
        selectSpan(span);
        if (const auto lane = laneAt(event->position().toPoint().y()); !span && lane && m_data->lane(*lane).isCompute)
            Q_EMIT gapClicked(m_data->lane(*lane).worker, timeAt(event->position().toPoint().x()));
    }
    if (m_gesture == Gesture::Pan)
        unsetCursor();
    m_gesture = Gesture::None;
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event) {
    if (const auto span = spanAt(event->position().toPoint())) {
        const Lane &lane = m_data->lane(span->lane);
        const auto origin = static_cast<double>(m_data->origin());
        m_axis->fit(static_cast<double>(lane.start[span->span]) - origin, static_cast<double>(lane.end[span->span]) - origin);
    }
}

void TimelineView::leaveEvent(QEvent *) { m_axis->setCursor({}); }

void TimelineView::wheelEvent(QWheelEvent *event) {
    const QPoint angle = event->angleDelta();
    // Alt swaps the wheel's axes on some platforms, and Shift does on others.
    const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        m_axis->zoomAt(timeAt(static_cast<int>(event->position().x())), std::pow(0.8, notches));
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || angle.y() == 0) {
        m_axis->pan(-notches * m_axis->span() * 0.1);
    } else {
        m_scroll->setValue(m_scroll->value() - static_cast<int>(notches * m_scroll->singleStep() * 3));
    }
    event->accept();
}

void TimelineView::keyPressEvent(QKeyEvent *event) {
    const auto [from, to] = m_axis->window();
    const double focus = m_axis->cursor().value_or((from + to) / 2);
    if (event->modifiers().testFlag(Qt::AltModifier) && event->key() == Qt::Key_Left) {
        m_axis->back();
        return;
    }
    if (event->modifiers().testFlag(Qt::AltModifier) && event->key() == Qt::Key_Right) {
        m_axis->forward();
        return;
    }
    switch (event->key()) {
    case Qt::Key_W:
        m_axis->zoomAt(focus, 0.8);
        break;
    case Qt::Key_S:
        m_axis->zoomAt(focus, 1.25);
        break;
    case Qt::Key_A:
        m_axis->pan(-m_axis->span() * 0.1);
        break;
    case Qt::Key_D:
        m_axis->pan(m_axis->span() * 0.1);
        break;
    case Qt::Key_F:
        fitSelectionOrIteration();
        break;
    case Qt::Key_Escape:
        m_axis->setSelection({});
        selectSpan({});
        break;
    case Qt::Key_Up:
        moveLane(-1);
        break;
    case Qt::Key_Down:
        moveLane(1);
        break;
    case Qt::Key_Left:
    case Qt::Key_Comma:
        moveSpan(-1);
        break;
    case Qt::Key_Right:
    case Qt::Key_Period:
        moveSpan(1);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_data && m_selected) {
            const Lane &lane = m_data->lane(m_selected->lane);
            const auto origin = static_cast<double>(m_data->origin());
            m_axis->fit(static_cast<double>(lane.start[m_selected->span]) - origin,
                        static_cast<double>(lane.end[m_selected->span]) - origin);
        }
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void TimelineView::fitSelectionOrIteration() {
    if (const auto selection = m_axis->selection())
        m_axis->fit(selection->first, selection->second);
    else
        m_axis->fit(m_axis->bounds().first, m_axis->bounds().second);
}

void TimelineView::selectSpan(std::optional<SpanRef> span) {
    if (span && (!m_data || span->lane >= m_data->laneCount() || span->span >= m_data->lane(span->lane).size()))
        span.reset();
    m_selected = span;
    update();
    Q_EMIT spanSelected();
}

void TimelineView::moveLane(int step) {
    if (!m_data || m_data->laneCount() == 0)
        return;
    const auto [from, to] = m_axis->window();
    Nanoseconds time = m_data->origin() + static_cast<Nanoseconds>((from + to) / 2);
    int lane = step > 0 ? -1 : static_cast<int>(m_data->laneCount());
    if (m_selected) {
        lane = static_cast<int>(m_selected->lane);
        time = m_data->lane(m_selected->lane).start[m_selected->span];
    }
    for (lane += step; lane >= 0 && lane < static_cast<int>(m_data->laneCount()); lane += step) {
        const auto l = static_cast<std::size_t>(lane);
        if (m_data->lane(l).size() == 0)
            continue;
        selectSpan(SpanRef{l, std::min(m_data->index(l).firstEndingAfter(time), m_data->lane(l).size() - 1)});
        revealSelected();
        return;
    }
}

void TimelineView::moveSpan(int step) {
    if (!m_selected) {
        moveLane(1);
        return;
    }
    const auto size = static_cast<std::int64_t>(m_data->lane(m_selected->lane).size());
    const std::int64_t next = std::clamp<std::int64_t>(static_cast<std::int64_t>(m_selected->span) + step, 0, size - 1);
    selectSpan(SpanRef{m_selected->lane, static_cast<std::size_t>(next)});
    revealSelected();
}

void TimelineView::revealSelected() {
    const Lane &lane = m_data->lane(m_selected->lane);
    const auto [from, to] = m_axis->window();
    const auto start = static_cast<double>(lane.start[m_selected->span] - m_data->origin());
    const auto end = static_cast<double>(lane.end[m_selected->span] - m_data->origin());
    if (end < from || start > to)
        m_axis->pan((start + end) / 2 - (from + to) / 2);
    const int top = m_laneTop[m_selected->lane];
    if (top < m_scroll->value())
        m_scroll->setValue(top - 4);
    else if (top + m_laneHeight > m_scroll->value() + plotRect().height())
        m_scroll->setValue(top + m_laneHeight - plotRect().height() + 4);
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and keyboard do to a TimelineView; timeline_view.cpp paints it.
#include "engine/base/units.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/scrolled_label.h"
#include "ui/theme/translation.h"
#include "ui/timeline/notes.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
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
        // Tests the whole pixel column, not an instant, so that short spans can be hit, too.
        const auto from = static_cast<Nanoseconds>(timeAt(position.x()) + origin());
        const auto to = static_cast<Nanoseconds>(timeAt(position.x() + 1) + origin());
        for (std::size_t l = *lane; l < *lane + m_layout.rowOf(*lane).lanes; ++l) {
            const std::size_t span = m_data->index(l).firstEndingAfter(from);
            if (span < m_data->lane(l).size() && m_data->lane(l).start[span] < to)
                return SpanRef{l, span};
        }
    }
    return {};
}

std::optional<std::size_t> TimelineView::laneAt(int y) const {
    return m_data ? m_layout.laneAt(y - plotRect().top()) : std::nullopt;
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
    const auto shown = [](const std::string &name) { return withBreaks(QString::fromStdString(name)); };
    const Category category = lane.category[span.span];
    QString text = QStringLiteral("<b>%1</b><table>")
                       .arg(shown(m_data->timeline().labels[static_cast<std::size_t>(lane.label[span.span])]).toHtmlEscaped());
    text += row(tr("Kind"), worded({nameOf(category)}) + QStringLiteral(" · ") + shown(lane.name));
    if (lane.sizeBytes[span.span] > 0)
        text += row(tr("Bytes"), QString::fromStdString(formatBytes(lane.sizeBytes[span.span])));
    text += row(tr("Start"), formatTime(static_cast<double>(start - m_data->origin()), 1000));
    text += row(tr("Duration"), seconds(duration));
    if (isCommunication(category) && end > start) { // a recorded one may have no length
        const double overlapped = static_cast<double>(m_data->computeBusy(lane.worker, start, end)) * 1e-9;
        text += row(tr("Overlapped by compute"),
                    tr("%1 (%2 %)").arg(seconds(overlapped)).arg(100 * overlapped / duration, 0, 'f', 0));
    }
    return text + QStringLiteral("</table>");
}

QString TimelineView::describeStrip(const LaneLayout::Row &row, int x, const SpanRef &first) const {
    const auto from = static_cast<Nanoseconds>(timeAt(x) + origin());
    const auto to = std::max(from + 1, static_cast<Nanoseconds>(timeAt(x + 1) + origin()));
    int transfers = 0;
    for (std::size_t l = row.lane; l < row.lane + row.lanes; ++l) {
        const std::size_t span = m_data->index(l).firstEndingAfter(from);
        transfers += span < m_data->lane(l).size() && m_data->lane(l).start[span] < to ? 1 : 0;
    }
    const LaneStrip &strip = *m_data->strip(row.lane);
    const double percent = 100 * std::min(1.0, strip.share(from, to));
    return QStringLiteral("<b>%1</b>: %2<br>")
               .arg(QString::fromStdString(m_data->lane(row.lane).name).toHtmlEscaped(),
                    (strip.isOfLink() ? tr("%1 % of the link's rate, %n transfers; the first:", nullptr, transfers)
                                      : tr("%1 % of its lanes are busy, %n transfers; the first:", nullptr, transfers))
                        .arg(percent, 0, 'f', 0)) +
           describe(first);
}

bool TimelineView::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const auto note = noteAt(help->pos()))
            QToolTip::showText(help->globalPos(), describeNote(*note), this);
        else if (const auto span = spanAt(help->pos())) {
            const LaneLayout::Row &row = m_layout.rowOf(span->lane);
            QToolTip::showText(help->globalPos(), row.isStrip() ? describeStrip(row, help->pos().x(), *span) : describe(*span),
                               this, spanRect(*span));
        } else if (m_data && help->pos().x() < gutterWidth() && help->pos().y() > plotRect().top()) {
            if (const auto lane = laneAt(help->pos().y()))
                QToolTip::showText(
                    help->globalPos(),
                    plainTip(
                        (m_layout.rowOf(*lane).isStrip()
                             ? tr("%1, as one strip: its height is its transfers' share of the link; up to %2 of them overlap\n"
                                  "T or ▸ to see each transfer. ")
                                   .arg(QString::fromStdString(m_data->lane(*lane).name),
                                        QString::number(m_layout.rowOf(*lane).lanes))
                             : QString::fromStdString(m_data->lane(*lane).name) + QLatin1Char('\n')) +
                        tr("Drag to move, Space to pin, C to collapse or expand the worker")),
                    this);
        } else
            QToolTip::hideText();
        return true;
    }
    // Tab leaves the pane instead of walking its spans.
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
        const QFont labels = fontOfPixels(font(), 10);
        m_labels = SpanLabels(labels);
        m_minGutter = 0;
        invalidate();
    }
}

void TimelineView::focusInEvent(QFocusEvent *event) {
    m_focusRing = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                  event->reason() == Qt::ShortcutFocusReason;
    Q_EMIT focused();
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
    } else if (event->button() == Qt::LeftButton) {
        pressGutter(position);
    }
}

void TimelineView::pressGutter(const QPoint &position) {
    const auto lane = position.y() >= plotRect().top() ? laneAt(position.y()) : std::nullopt;
    if (!lane)
        return;
    constexpr int triangle = 14;
    if (position.x() < triangle && m_layout.leaderOf(*lane) == *lane && m_layout.canCollapse(*lane)) {
        setCollapsed(*lane, !m_layout.isCollapsed(*lane));
        return;
    }
    if (position.x() < stackTriangle + triangle && m_layout.isStacked(*lane) && m_data->stacks().first(*lane) == *lane) {
        setExpanded(*lane, !m_layout.isExpanded(*lane));
        return;
    }
    setCurrentLane(lane);
    m_gesture = Gesture::Gutter;
}

void TimelineView::dragLane(int y) {
    // A line between two rows shows where the lane would go.
    m_dropY = -1;
    m_dropBefore.reset();
    const int within = std::clamp(y - plotRect().top(), 0, std::max(0, plotRect().height() - 1));
    m_dropPinned = within < m_layout.pinnedHeight();
    for (const LaneLayout::Row &row : m_layout.rows()) {
        if (row.pinned != m_dropPinned)
            continue;
        const int top = m_layout.topOf(row);
        m_dropY = top + m_layout.laneHeight() + 1;
        m_dropBefore.reset();
        if (within < top + m_layout.pitch() / 2) {
            m_dropY = top - 1;
            m_dropBefore = row.lane;
            break;
        }
    }
    update();
}

void TimelineView::dropLane() {
    if (!m_lane || !m_data || m_dropY < 0)
        return;
    const std::size_t lane = *m_lane, end = m_data->laneCount();
    const std::size_t before = m_dropBefore.value_or(end);
    if (!m_dropPinned) {
        setPinned(lane, false);
        moveLaneBefore(lane, before);
        return;
    }
    rearrange([&](LaneArrangement &arrangement) {
        const std::string &name = m_data->lane(lane).name;
        if (before < end && before == lane)
            return;
        std::erase(arrangement.pinned, name);
        const auto place = before < end
                               ? std::find(arrangement.pinned.begin(), arrangement.pinned.end(), m_data->lane(before).name)
                               : arrangement.pinned.end();
        arrangement.pinned.insert(place, name);
    });
}

void TimelineView::mouseMoveEvent(QMouseEvent *event) {
    const QPoint position = event->position().toPoint();
    if (m_gesture == Gesture::Press && std::abs(position.x() - m_pressed.x()) > 3)
        m_gesture = Gesture::Select;
    if (m_gesture == Gesture::Select)
        m_axis->setSelection(TimeAxis::Range(m_pressedTime, timeAt(position.x())));
    if (m_gesture == Gesture::Pan)
        m_axis->pan(m_pressedTime - timeAt(position.x()));
    if (m_gesture == Gesture::Gutter && std::abs(position.y() - m_pressed.y()) > 4)
        m_gesture = Gesture::MoveLane;
    if (m_gesture == Gesture::MoveLane)
        dragLane(position.y());
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
        const auto lane = laneAt(event->position().toPoint().y());
        if (!span)
            setCurrentLane(lane);
        if (!span && lane && m_data->lane(*lane).isCompute)
            Q_EMIT gapClicked(m_data->lane(*lane).worker, timeAt(event->position().toPoint().x()) + m_offset);
    }
    if (m_gesture == Gesture::MoveLane)
        dropLane();
    if (m_gesture == Gesture::Pan)
        unsetCursor();
    m_gesture = Gesture::None;
    m_dropY = -1;
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event) {
    if (const auto note = noteAt(event->position().toPoint()))
        editNote(m_notes->notes()[*note], false);
    else if (const auto span = spanAt(event->position().toPoint()))
        zoomToSpan(*span);
}

void TimelineView::leaveEvent(QEvent *) { m_axis->setCursor({}); }

void TimelineView::wheelEvent(QWheelEvent *event) {
    const QPoint angle = event->angleDelta();
    // Alt swaps the wheel's axes on some platforms, Shift on others.
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

void TimelineView::contextMenuEvent(QContextMenuEvent *event) {
    const QPoint position =
        event->reason() == QContextMenuEvent::Mouse || !m_selected ? event->pos() : spanRect(*m_selected).center();
    std::unique_ptr<QMenu> menu = makeMenu(position);
    if (menu->isEmpty())
        return;
    // Not exec(): the view, which owns the menu, may be closed while it is open.
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu.release()->popup(event->reason() == QContextMenuEvent::Mouse ? event->globalPos() : mapToGlobal(position));
}

} // namespace syncopate::ui

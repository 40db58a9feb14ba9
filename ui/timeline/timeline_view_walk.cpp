// SPDX-License-Identifier: GPL-3.0-or-later
// How keys walk through a TimelineView's lanes and spans.
#include "engine/timeline/find_spans.h"
#include "ui/timeline/timeline_view.h"

#include <QKeyEvent>
#include <algorithm>

namespace syncopate::ui {

void TimelineView::keyPressEvent(QKeyEvent *event) {
    if (event->matches(QKeySequence::Copy)) {
        Q_EMIT copyWanted();
        return;
    }
    const int key = event->key();
    const auto plainKey = [&] { return timeKey(key) || laneKey(key) || spanKey(key); };
    // First the keys of flows: AltGr, which many layouts need for brackets, may be reported as Alt.
    const bool known = flowKey(key) || (event->modifiers().testFlag(Qt::AltModifier) ? altKey(key) : plainKey());
    if (!known)
        QWidget::keyPressEvent(event);
}

bool TimelineView::altKey(int key) {
    switch (key) {
    case Qt::Key_Left:
        m_axis->back();
        return true;
    case Qt::Key_Right:
        m_axis->forward();
        return true;
    case Qt::Key_Up:
        shiftLane(-1);
        return true;
    case Qt::Key_Down:
        shiftLane(1);
        return true;
    default:
        return false;
    }
}

bool TimelineView::flowKey(int key) {
    switch (key) {
    case Qt::Key_BracketLeft:
        moveFlow(-1);
        return true;
    case Qt::Key_BracketRight:
        moveFlow(1);
        return true;
    default:
        return false;
    }
}

bool TimelineView::timeKey(int key) {
    const auto [from, to] = m_axis->window();
    const double focus = m_axis->cursor().value_or((from + to) / 2);
    switch (key) {
    case Qt::Key_W:
        m_axis->zoomAt(focus, 0.8);
        return true;
    case Qt::Key_S:
        m_axis->zoomAt(focus, 1.25);
        return true;
    case Qt::Key_A:
        m_axis->pan(-m_axis->span() * 0.1);
        return true;
    case Qt::Key_D:
        m_axis->pan(m_axis->span() * 0.1);
        return true;
    case Qt::Key_F:
        fitSelectionOrIteration();
        return true;
    case Qt::Key_Escape:
        m_axis->setSelection({});
        selectSpan({});
        return true;
    default:
        return false;
    }
}

bool TimelineView::laneKey(int key) {
    switch (key) {
    case Qt::Key_Up:
        moveLane(-1);
        return true;
    case Qt::Key_Down:
        moveLane(1);
        return true;
    case Qt::Key_Space:
        if (m_lane)
            setPinned(*m_lane, !isPinned(*m_lane));
        return true;
    case Qt::Key_C:
        if (m_lane)
            setCollapsed(*m_lane, !m_layout.isCollapsed(*m_lane));
        return true;
    case Qt::Key_T:
        if (m_lane)
            setExpanded(*m_lane, !m_layout.isExpanded(*m_lane));
        return true;
    default:
        return false;
    }
}

bool TimelineView::spanKey(int key) {
    switch (key) {
    case Qt::Key_Left:
        moveSpan(-1);
        return true;
    case Qt::Key_Right:
        moveSpan(1);
        return true;
    case Qt::Key_Comma:
        moveSameName(-1);
        return true;
    case Qt::Key_Period:
        moveSameName(1);
        return true;
    case Qt::Key_M:
    case Qt::Key_R:
        selectTimeOfSpan();
        return true;
    case Qt::Key_N:
        writeNote();
        return true;
    case Qt::Key_Slash:
        Q_EMIT searchWanted();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_data && m_selected)
            zoomToSpan(*m_selected);
        return true;
    default:
        return false;
    }
}

void TimelineView::fitSelectionOrIteration() {
    if (const auto selection = m_axis->selection())
        m_axis->fit(selection->first, selection->second);
    else if (m_data && m_selected)
        zoomToSpan(*m_selected);
    else
        m_axis->fit(m_axis->bounds().first, m_axis->bounds().second);
}

TimeAxis::Range TimelineView::timeOf(const SpanRef &span) const {
    const Lane &lane = m_data->lane(span.lane);
    return {static_cast<double>(lane.start[span.span]) - origin(), static_cast<double>(lane.end[span.span]) - origin()};
}

void TimelineView::zoomToSpan(const SpanRef &span) {
    const auto [from, to] = timeOf(span);
    m_axis->fit(from, to);
}

void TimelineView::selectTimeOfSpan() {
    if (!m_data || !m_selected)
        return;
    if (const TimeAxis::Range time = timeOf(*m_selected); time.first < time.second)
        m_axis->setSelection(time);
}

void TimelineView::selectSpan(std::optional<SpanRef> span) {
    if (span && (!m_data || span->lane >= m_data->laneCount() || span->span >= m_data->lane(span->lane).size()))
        span.reset();
    m_selected = span;
    m_flows.clear();
    if (span) {
        const LaneLayout::Row &row = m_layout.rowOf(span->lane);
        setCurrentLane(row.isStrip() ? row.lane : span->lane);
    }
    update();
    Q_EMIT spanSelected();
}

void TimelineView::setCurrentLane(std::optional<std::size_t> lane) {
    if (lane && (!m_data || *lane >= m_data->laneCount()))
        lane.reset();
    if (lane == m_lane)
        return;
    m_lane = lane;
    m_gutterDirty = true;
    update();
}

std::optional<std::size_t> TimelineView::laneNamed(const std::string &name) const {
    if (m_data && !name.empty())
        for (std::size_t l = 0; l < m_data->laneCount(); ++l)
            if (m_data->lane(l).name == name)
                return l;
    return {};
}

void TimelineView::moveLane(int step) {
    const auto &rows = m_layout.rows();
    if (!m_data || rows.empty())
        return;
    const auto [from, to] = m_axis->window();
    auto time = static_cast<Nanoseconds>(origin() + (from + to) / 2);
    const auto count = static_cast<std::ptrdiff_t>(rows.size());
    std::ptrdiff_t row = step > 0 ? -1 : count;
    if (m_lane)
        row = &m_layout.rowOf(*m_lane) - rows.data();
    if (m_selected)
        time = m_data->lane(m_selected->lane).start[m_selected->span];
    for (row += step; row >= 0 && row < count; row += step) {
        const std::size_t lane = rows[static_cast<std::size_t>(row)].lane;
        if (m_data->lane(lane).size() == 0)
            continue;
        SpanRef nearest{lane, std::min(m_data->index(lane).firstEndingAfter(time), m_data->lane(lane).size() - 1)};
        for (std::size_t l = lane + 1; l < lane + rows[static_cast<std::size_t>(row)].lanes; ++l) {
            const std::size_t span = m_data->index(l).firstEndingAfter(time);
            const bool sooner =
                span < m_data->lane(l).size() && m_data->lane(l).start[span] < m_data->lane(nearest.lane).start[nearest.span];
            if (sooner)
                nearest = {l, span};
        }
        selectSpan(nearest);
        revealSelected();
        return;
    }
}

void TimelineView::moveSpan(int step) {
    if (!m_selected) {
        moveLane(1);
        return;
    }
    if (const LaneLayout::Row &row = m_layout.rowOf(m_selected->lane); row.isStrip() && row.has(m_selected->lane)) {
        selectSpan(nextInStrip(row, *m_selected, step).value_or(*m_selected));
        revealSelected();
        return;
    }
    const auto size = static_cast<std::int64_t>(m_data->lane(m_selected->lane).size());
    const std::int64_t next = std::clamp<std::int64_t>(static_cast<std::int64_t>(m_selected->span) + step, 0, size - 1);
    selectSpan(SpanRef{m_selected->lane, static_cast<std::size_t>(next)});
    revealSelected();
}

std::optional<SpanRef> TimelineView::nextInStrip(const LaneLayout::Row &row, const SpanRef &from, int step) const {
    const Nanoseconds start = m_data->lane(from.lane).start[from.span];
    std::optional<SpanRef> next;
    const auto startOf = [this](const SpanRef &span) { return m_data->lane(span.lane).start[span.span]; };
    // Spans that start together are ordered by lane.
    for (std::size_t l = row.lane; l < row.lane + row.lanes; ++l) {
        const auto &starts = m_data->lane(l).start;
        const bool laterLane = l > from.lane;
        const auto place = step > 0                      ? (laterLane ? std::lower_bound(starts.begin(), starts.end(), start)
                                                                      : std::upper_bound(starts.begin(), starts.end(), start))
                           : laterLane || l == from.lane ? std::lower_bound(starts.begin(), starts.end(), start)
                                                         : std::upper_bound(starts.begin(), starts.end(), start);
        if (step > 0 ? place == starts.end() : place == starts.begin())
            continue;
        const SpanRef found{l, static_cast<std::size_t>((step > 0 ? place : place - 1) - starts.begin())};
        if (!next || (step > 0 ? startOf(found) < startOf(*next) : startOf(found) >= startOf(*next)))
            next = found;
    }
    return next;
}

void TimelineView::moveSameName(int step) {
    if (!m_data || !m_selected)
        return;
    std::vector<std::uint8_t> wanted(m_data->timeline().labels.size(), 0);
    const Lane &lane = m_data->lane(m_selected->lane);
    const auto label = static_cast<std::size_t>(lane.label[m_selected->span]);
    // A label can match twice: as a layer and as its synchronisation.
    for (std::size_t l = 0; l < wanted.size(); ++l)
        wanted[l] = m_data->timeline().labels[l] == m_data->timeline().labels[label];
    if (const auto next = neighbour(m_data->timeline(), wanted, m_selected, step > 0))
        showSpan(*next);
}

void TimelineView::moveFlow(int step) {
    if (!m_data || !m_selected)
        return;
    const auto startOf = [this](const SpanRef &span) { return m_data->lane(span.lane).start[span.span]; };
    const auto endOf = [this](const SpanRef &span) { return m_data->lane(span.lane).end[span.span]; };
    std::optional<SpanRef> nearest;
    for (const SpanFlow &flow : m_flows) {
        if ((step < 0 ? flow.to : flow.from) != *m_selected)
            continue;
        const SpanRef &other = step < 0 ? flow.from : flow.to;
        if (!nearest || (step < 0 ? endOf(other) > endOf(*nearest) : startOf(other) < startOf(*nearest)))
            nearest = other;
    }
    if (nearest)
        showSpan(*nearest);
}

void TimelineView::showSpan(const SpanRef &span) {
    selectSpan(span);
    if (!m_selected)
        return;
    // In a collapsed worker or a strip, the span could not be distinguished from its neighbours.
    unhide(span.lane);
    setCurrentLane(span.lane); // so far the strip was current
    revealSelected();
}

void TimelineView::unhide(std::size_t lane) {
    if (m_layout.isHidden(lane) && m_layout.isCollapsed(lane))
        setCollapsed(lane, false);
    if (m_layout.isStacked(lane))
        setExpanded(lane, true);
}

void TimelineView::revealSelected() {
    const auto [from, to] = timeOf(*m_selected);
    m_axis->bringIn(from, to);
    revealLane(m_selected->lane);
}

void TimelineView::showLane(std::size_t lane) {
    if (!m_data || lane >= m_data->laneCount())
        return;
    if (m_layout.isHidden(lane))
        unhide(lane);
    setCurrentLane(lane);
    revealLane(lane);
    setFocus(Qt::ShortcutFocusReason);
}

void TimelineView::revealLane(std::size_t lane) {
    const LaneLayout::Row &row = m_layout.rowOf(lane);
    if (row.pinned)
        return;
    const int room = plotRect().height() - m_layout.pinnedHeight();
    if (row.top < m_scroll->value())
        m_scroll->setValue(row.top - 4);
    else if (row.top + m_layout.laneHeight() > m_scroll->value() + room)
        m_scroll->setValue(row.top + m_layout.laneHeight() - room + 4);
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// How keys and menus walk through a TimelineView's lanes and spans, and arrange its lanes.
#include "engine/timeline/find_spans.h"
#include "ui/timeline/notes.h"
#include "ui/timeline/timeline_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <algorithm>

namespace syncopate::ui {

namespace {
bool isOfRow(const LaneLayout::Row &row, std::size_t lane) { return lane >= row.lane && lane < row.lane + row.lanes; }
} // namespace

void TimelineView::keyPressEvent(QKeyEvent *event) {
    if (event->matches(QKeySequence::Copy)) {
        Q_EMIT copyWanted();
        return;
    }
    const int key = event->key();
    const bool known = event->modifiers().testFlag(Qt::AltModifier) ? altKey(key) : timeKey(key) || laneKey(key) || spanKey(key);
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

std::unique_ptr<QMenu> TimelineView::makeMenu(const QPoint &position) {
    auto menu = std::make_unique<QMenu>(this);
    if (!m_data)
        return menu;
    const auto add = [&menu](const QString &name, const QString &text, const QKeySequence &key, std::function<void()> run) {
        QAction *action = menu->addAction(text, std::move(run));
        action->setObjectName(name);
        action->setShortcut(key); // shown; the view's own keys do the work
        action->setShortcutContext(Qt::WidgetShortcut);
        return action;
    };
    const auto span = spanAt(position);
    const auto lane = span ? std::optional(span->lane) : laneAt(position.y());
    if (span) {
        selectSpan(span);
        add(QStringLiteral("zoomToSpan"), tr("&Zoom to this span"), Qt::Key_Return, [this] {
            if (m_data && m_selected) // another run may have come while the menu was open
                zoomToSpan(*m_selected);
        });
        add(QStringLiteral("nextOfName"), tr("&Next of this name"), Qt::Key_Period, [this] { moveSameName(1); });
        add(QStringLiteral("previousOfName"), tr("&Previous of this name"), Qt::Key_Comma, [this] { moveSameName(-1); });
        menu->addSeparator();
    }
    if (m_notes) {
        if (const auto note = noteAt(position)) {
            add(QStringLiteral("editNote"), tr("&Edit note…"), {}, [this, note] {
                if (*note < m_notes->notes().size()) // another project may have come while the menu was open
                    editNote(m_notes->notes()[*note], note);
            });
            add(QStringLiteral("removeNote"), tr("&Remove note"), {}, [this, note] { m_notes->remove(*note); });
        }
        add(QStringLiteral("writeNote"), tr("&Write a note…"), Qt::Key_N, [this] { writeNote(); });
        menu->addSeparator();
    }
    if (lane) {
        setCurrentLane(lane);
        const bool pinned = isPinned(*lane);
        add(QStringLiteral("pin"), pinned ? tr("Un&pin lane") : tr("&Pin lane to the top"), Qt::Key_Space,
            [this, lane, pinned] { setPinned(*lane, !pinned); });
        const bool collapsed = m_layout.isCollapsed(*lane);
        add(QStringLiteral("collapse"), collapsed ? tr("E&xpand worker") : tr("&Collapse worker"), Qt::Key_C,
            [this, lane, collapsed] { setCollapsed(*lane, !collapsed); })
            ->setEnabled(m_layout.canCollapse(*lane));
        const bool expanded = m_layout.isExpanded(*lane);
        add(QStringLiteral("transfers"), expanded ? tr("Transfers as one strip") : tr("Show each transfer"), Qt::Key_T,
            [this, lane, expanded] { setExpanded(*lane, !expanded); })
            ->setEnabled(m_layout.isStacked(*lane));
        add(QStringLiteral("laneUp"), tr("Move lane &up"), QKeySequence(Qt::ALT | Qt::Key_Up), [this] { shiftLane(-1); });
        add(QStringLiteral("laneDown"), tr("Move lane &down"), QKeySequence(Qt::ALT | Qt::Key_Down), [this] { shiftLane(1); });
        menu->addSeparator();
    }
    add(QStringLiteral("collapseAll"), tr("Collapse &all workers"), {}, [this] { setAllCollapsed(true); });
    add(QStringLiteral("expandAll"), tr("&Expand all workers"), {}, [this] {
        setAllCollapsed(false);
    })->setEnabled(!m_arrangement.collapsed.empty());
    add(QStringLiteral("allTransfers"), tr("Each t&ransfer on a lane"), {}, [this] { setAllExpanded(true); });
    add(QStringLiteral("allStrips"), tr("Overlapping transfers as &strips"), {}, [this] {
        setAllExpanded(false);
    })->setEnabled(!m_arrangement.expanded.empty());
    add(QStringLiteral("asSimulated"), tr("Lanes as &simulated"), {}, [this] {
        setArrangement({});
    })->setEnabled(m_arrangement != LaneArrangement{});
    return menu;
}

void TimelineView::fitSelectionOrIteration() {
    if (const auto selection = m_axis->selection())
        m_axis->fit(selection->first, selection->second);
    else
        m_axis->fit(m_axis->bounds().first, m_axis->bounds().second);
}

void TimelineView::zoomToSpan(const SpanRef &span) {
    const Lane &lane = m_data->lane(span.lane);
    m_axis->fit(static_cast<double>(lane.start[span.span]) - origin(), static_cast<double>(lane.end[span.span]) - origin());
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
    if (const LaneLayout::Row &row = m_layout.rowOf(m_selected->lane); row.isStrip() && isOfRow(row, m_selected->lane)) {
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
    // Of those that start together the order is that of the lanes.
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
    // Labels can be told twice: as a layer and as what is synchronised.
    for (std::size_t l = 0; l < wanted.size(); ++l)
        wanted[l] = m_data->timeline().labels[l] == m_data->timeline().labels[label];
    if (const auto next = neighbour(m_data->timeline(), wanted, m_selected, step > 0))
        showSpan(*next);
}

void TimelineView::showSpan(const SpanRef &span) {
    selectSpan(span);
    if (!m_selected)
        return;
    // A span of a collapsed worker, or of a strip, could not be told from its neighbours.
    unhide(span.lane);
    setCurrentLane(span.lane); // selected above, it was the strip
    revealSelected();
}

void TimelineView::unhide(std::size_t lane) {
    if (m_layout.isHidden(lane) && m_layout.isCollapsed(lane))
        setCollapsed(lane, false);
    if (m_layout.isStacked(lane))
        setExpanded(lane, true);
}

void TimelineView::revealSelected() {
    const Lane &lane = m_data->lane(m_selected->lane);
    m_axis->bringIn(static_cast<double>(lane.start[m_selected->span]) - origin(),
                    static_cast<double>(lane.end[m_selected->span]) - origin());
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

void TimelineView::setArrangement(LaneArrangement arrangement) {
    if (arrangement == m_arrangement)
        return;
    m_arrangement = std::move(arrangement);
    layOutLanes();
    invalidate();
    Q_EMIT arrangementChanged();
}

void TimelineView::rearrange(const std::function<void(LaneArrangement &)> &change) {
    if (!m_data)
        return;
    LaneArrangement next = m_arrangement;
    change(next);
    setArrangement(std::move(next));
}

bool TimelineView::isPinned(std::size_t lane) const {
    const auto &pinned = m_arrangement.pinned;
    return m_data && lane < m_data->laneCount() &&
           std::find(pinned.begin(), pinned.end(), m_data->lane(lane).name) != pinned.end();
}

void TimelineView::setPinned(std::size_t lane, bool pinned) {
    rearrange([&](LaneArrangement &arrangement) {
        if (lane >= m_data->laneCount() || pinned == isPinned(lane))
            return;
        if (pinned)
            arrangement.pinned.push_back(m_data->lane(lane).name);
        else
            std::erase(arrangement.pinned, m_data->lane(lane).name);
    });
}

void TimelineView::setCollapsed(std::size_t lane, bool collapsed) {
    rearrange([&](LaneArrangement &arrangement) {
        if (lane >= m_data->laneCount() || !m_layout.canCollapse(lane) || collapsed == m_layout.isCollapsed(lane))
            return;
        const std::string &leader = m_data->lane(m_layout.leaderOf(lane)).name;
        if (collapsed)
            arrangement.collapsed.push_back(leader);
        else
            std::erase(arrangement.collapsed, leader);
    });
}

void TimelineView::setExpanded(std::size_t lane, bool expanded) {
    rearrange([&](LaneArrangement &arrangement) {
        if (lane >= m_data->laneCount() || !m_layout.isStacked(lane) || expanded == m_layout.isExpanded(lane))
            return;
        const std::string &first = m_data->lane(m_data->stacks().first(lane)).name;
        if (expanded)
            arrangement.expanded.push_back(first);
        else
            std::erase(arrangement.expanded, first);
    });
}

void TimelineView::setAllExpanded(bool expanded) {
    rearrange([&](LaneArrangement &arrangement) {
        arrangement.expanded.clear();
        for (std::size_t l = 0; expanded && l < m_data->laneCount(); ++l)
            if (m_data->stacks().size(l) > 1)
                arrangement.expanded.push_back(m_data->lane(l).name);
    });
}

void TimelineView::setAllCollapsed(bool collapsed) {
    rearrange([&](LaneArrangement &arrangement) {
        arrangement.collapsed.clear();
        for (std::size_t l = 0; collapsed && l < m_data->laneCount(); ++l)
            if (m_layout.leaderOf(l) == l && m_layout.canCollapse(l))
                arrangement.collapsed.push_back(m_data->lane(l).name);
    });
}

void TimelineView::moveLaneBefore(std::size_t lane, std::size_t other) {
    rearrange([&](LaneArrangement &arrangement) {
        if (lane >= m_data->laneCount() || lane == other)
            return;
        // A collapsed worker moves as a whole, and so does a strip.
        const bool whole = m_layout.isCollapsed(lane) && m_layout.leaderOf(lane) == lane;
        const LaneLayout::Row &row = m_layout.rowOf(lane);
        const bool strip = row.isStrip() && row.lane == lane;
        std::vector<std::size_t> moved, order;
        for (const std::size_t l : m_layout.order()) {
            const bool moves = l == lane || (whole && m_layout.leaderOf(l) == lane) || (strip && isOfRow(row, l));
            (moves ? moved : order).push_back(l);
        }
        const auto place = std::find(order.begin(), order.end(), other);
        order.insert(place, moved.begin(), moved.end());
        arrangement.order.clear();
        for (const std::size_t l : order)
            arrangement.order.push_back(m_data->lane(l).name);
    });
}

void TimelineView::shiftLane(int step) {
    if (!m_data || !m_lane)
        return;
    const auto &rows = m_layout.rows();
    const LaneLayout::Row &row = m_layout.rowOf(*m_lane);
    if (row.lane != *m_lane)
        return;
    if (isPinned(*m_lane)) {
        rearrange([&](LaneArrangement &arrangement) {
            auto &pinned = arrangement.pinned;
            const auto at = std::find(pinned.begin(), pinned.end(), m_data->lane(*m_lane).name) - pinned.begin();
            if (at + step >= 0 && at + step < static_cast<std::ptrdiff_t>(pinned.size()))
                std::swap(pinned[static_cast<std::size_t>(at)], pinned[static_cast<std::size_t>(at + step)]);
        });
        return;
    }
    const std::ptrdiff_t at = &row - rows.data();
    const std::ptrdiff_t target = step < 0 ? at - 1 : at + 2; // before that row
    if (target < 0 || target > static_cast<std::ptrdiff_t>(rows.size()))
        return;
    if (step < 0 && isPinned(rows[static_cast<std::size_t>(target)].lane))
        return;
    moveLaneBefore(*m_lane, target < static_cast<std::ptrdiff_t>(rows.size()) ? rows[static_cast<std::size_t>(target)].lane
                                                                              : m_data->laneCount());
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// How a TimelineView's lanes are arranged: pinned, collapsed, expanded and moved, by name.
#include "ui/timeline/timeline_view.h"

#include <algorithm>

namespace syncopate::ui {

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
        // A collapsed worker or a strip moves as a whole.
        const bool whole = m_layout.isCollapsed(lane) && m_layout.leaderOf(lane) == lane;
        const LaneLayout::Row &row = m_layout.rowOf(lane);
        const bool strip = row.isStrip() && row.lane == lane;
        std::vector<std::size_t> moved, order;
        for (const std::size_t l : m_layout.order()) {
            const bool moves = l == lane || (whole && m_layout.leaderOf(l) == lane) || (strip && row.has(l));
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

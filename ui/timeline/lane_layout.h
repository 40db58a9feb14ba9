// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/annotations.h"
#include "ui/timeline/timeline_data.h"

#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// The positions of a timeline's lanes in a pane: pinned ones on top and always visible, the others below in a part that scrolls.
/// Workers are spaced apart; lanes of collapsed workers and lanes without spans are left out. A stack of lanes is one row, a
/// strip, unless it is expanded. Logical pixels from the top of the lanes.
class LaneLayout final {
public:
    struct Row {
        std::size_t lane = 0;
        int top = 0; ///< within its part
        bool pinned = false;
        std::size_t lanes = 1; ///< from `lane` on: the lanes of a strip
        [[nodiscard]] bool isStrip() const { return lanes > 1; }
        [[nodiscard]] bool has(std::size_t number) const { return number >= lane && number < lane + lanes; }
    };

    /// Lanes shrink before they scroll. O(lanes^2) for the worst arrangement, usually O(lanes log lanes).
    void layOut(const TimelineData *data, const LaneArrangement &arrangement, int plotHeight);
    void setScroll(int pixels) { m_scroll = pixels; }

    [[nodiscard]] const std::vector<Row> &rows() const { return m_rows; } ///< from top to bottom
    [[nodiscard]] int laneHeight() const { return m_laneHeight; }
    [[nodiscard]] int pitch() const { return m_pitch; }
    [[nodiscard]] int pinnedHeight() const { return m_pinnedHeight; }
    [[nodiscard]] int contentHeight() const { return m_contentHeight; } ///< of the part that scrolls
    /// Top of a row after scrolling.
    [[nodiscard]] int topOf(const Row &row) const { return row.pinned ? row.top : m_pinnedHeight + row.top - m_scroll; }
    /// The row of a lane, or the row that represents it while it is collapsed.
    [[nodiscard]] const Row &rowOf(std::size_t lane) const { return m_rows[m_rowOf[lane]]; }
    [[nodiscard]] bool isHidden(std::size_t lane) const { return rowOf(lane).lane != lane; }
    [[nodiscard]] std::optional<std::size_t> laneAt(int y) const;
    /// First lane of the worker that `lane` belongs to.
    [[nodiscard]] std::size_t leaderOf(std::size_t lane) const { return m_leader[lane]; }
    /// The worker of `lane` has lanes that can be hidden, and they are hidden.
    [[nodiscard]] bool isCollapsed(std::size_t lane) const { return m_collapsed[m_leader[lane]] != 0; }
    [[nodiscard]] bool canCollapse(std::size_t lane) const { return m_followers[m_leader[lane]] > 0; }
    /// `lane` belongs to a stack of several.
    [[nodiscard]] bool isStacked(std::size_t lane) const { return m_stackSize[lane] > 1; }
    [[nodiscard]] bool isExpanded(std::size_t lane) const { return m_expanded[lane] != 0; }
    /// All lanes as arranged, including hidden ones.
    [[nodiscard]] const std::vector<std::size_t> &order() const { return m_order; }
    /// Height of all rows at their full size.
    [[nodiscard]] int fullHeight() const;

private:
    void findLeaders(const TimelineData &data, const LaneArrangement &arrangement);
    [[nodiscard]] std::vector<std::size_t> pinnedLanes(const TimelineData &data, const LaneArrangement &arrangement) const;
    void findStacks(const TimelineData &data, const LaneArrangement &arrangement);
    [[nodiscard]] bool isLeftOut(const TimelineData &data, std::size_t lane) const;
    void chooseHeights(std::size_t pinned, std::size_t shown, int plotHeight);
    void addRow(std::size_t lane, int top, bool pinned);
    [[nodiscard]] std::vector<std::size_t> ordered(const TimelineData &data, const LaneArrangement &arrangement) const;

    std::vector<Row> m_rows;
    std::vector<std::size_t> m_order;
    std::vector<std::size_t> m_rowOf, m_leader, m_followers;
    std::vector<std::size_t> m_stack, m_stackSize; ///< first lane of a lane's stack, and the stack's size
    std::vector<std::uint8_t> m_collapsed, m_expanded;
    int m_laneHeight = 18, m_pitch = 21, m_pinnedHeight = 0, m_contentHeight = 0, m_scroll = 0, m_gaps = 0;
};

/// The words that the names of a worker's lanes begin with: "worker 0 " of "worker 0 compute" and "worker 0 push". The rest of a
/// name begins with a word, not with a number: "GPU 0 " of "GPU 0 stream 7" and "GPU 0 stream 24". Empty: none.
[[nodiscard]] QString laneOwner(const QStringList &names);

} // namespace syncopate::ui

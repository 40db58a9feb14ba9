// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_layout.h"

#include <algorithm>
#include <unordered_map>

namespace syncopate::ui {

namespace {

constexpr int fullPitch = 21; ///< lane and gap; lanes shrink to compactPitch before a pane scrolls
constexpr int compactPitch = 13;
constexpr int groupGap = 5;         ///< extra space between workers
constexpr std::size_t crowded = 24; ///< number of lanes from which on workers are no longer spaced apart
constexpr int margin = 4;

bool contains(const std::vector<std::string> &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

std::vector<std::size_t> LaneLayout::ordered(const TimelineData &data, const LaneArrangement &arrangement) const {
    std::vector<std::size_t> lanes;
    lanes.reserve(data.laneCount());
    if (arrangement.order.empty()) {
        for (std::size_t l = 0; l < data.laneCount(); ++l)
            lanes.push_back(l);
        return lanes;
    }
    std::unordered_map<std::string, std::size_t> byName;
    for (std::size_t l = 0; l < data.laneCount(); ++l)
        byName.try_emplace(data.lane(l).name, l);
    for (const std::string &name : arrangement.order)
        if (const auto found = byName.find(name); found != byName.end()) {
            lanes.push_back(found->second);
            byName.erase(found); // a name given twice counts once
        }
    std::vector<std::uint8_t> placed(data.laneCount(), 0);
    for (const std::size_t lane : lanes)
        placed[lane] = 1;
    for (std::size_t l = 0; l < data.laneCount(); ++l) {
        if (placed[l] != 0)
            continue;
        const auto before = l == 0 ? lanes.end() : std::find(lanes.begin(), lanes.end(), l - 1);
        lanes.insert(l == 0 ? lanes.begin() : before + 1, l);
    }
    return lanes;
}

void LaneLayout::layOut(const TimelineData *data, const LaneArrangement &arrangement, int plotHeight) {
    m_rows.clear();
    m_order.clear();
    m_contentHeight = m_pinnedHeight = m_gaps = 0;
    const std::size_t count = data ? data->laneCount() : 0;
    m_rowOf.assign(count, 0);
    m_leader.assign(count, 0);
    m_followers.assign(count, 0);
    m_collapsed.assign(count, 0);
    if (count == 0)
        return;
    findLeaders(*data, arrangement);
    findStacks(*data, arrangement);
    m_order = ordered(*data, arrangement);
    const std::vector<std::size_t> pinned = pinnedLanes(*data, arrangement);
    std::vector<std::size_t> others;
    for (const std::size_t l : m_order)
        if (!isLeftOut(*data, l) && std::find(pinned.begin(), pinned.end(), l) == pinned.end())
            others.push_back(l);
    const std::size_t shown = pinned.size() + others.size();
    const auto gapBefore = [&](std::size_t i) {
        const bool sameWorker = i == 0 || data->lane(others[i]).worker == data->lane(others[i - 1]).worker;
        return sameWorker || shown > crowded ? 0 : groupGap;
    };
    for (std::size_t i = 0; i < others.size(); ++i)
        m_gaps += gapBefore(i);
    chooseHeights(pinned.size(), shown, plotHeight);

    // Pins that would leave no room for the rest scroll with it.
    const auto stuck = std::min(pinned.size(), static_cast<std::size_t>(std::max(0, plotHeight * 3 / 5) / m_pitch));
    int top = margin;
    for (std::size_t i = 0; i < stuck; ++i, top += m_pitch)
        addRow(pinned[i], top, true);
    m_pinnedHeight = stuck > 0 ? top + margin : 0;
    top = margin;
    for (std::size_t i = stuck; i < pinned.size(); ++i, top += m_pitch)
        addRow(pinned[i], top, false);
    for (std::size_t i = 0; i < others.size(); ++i, top += m_pitch) {
        top += gapBefore(i);
        addRow(others[i], top, false);
    }
    m_contentHeight = top + margin;
    for (std::size_t l = 0; l < count; ++l)
        if (m_rows[m_rowOf[l]].lane != l)
            m_rowOf[l] = m_rowOf[m_rows[m_rowOf[m_stack[l]]].lane == m_stack[l] ? m_stack[l] : m_leader[l]];
}

void LaneLayout::findStacks(const TimelineData &data, const LaneArrangement &arrangement) {
    const LaneStacks &stacks = data.stacks();
    m_stack.resize(data.laneCount());
    m_stackSize.resize(data.laneCount());
    m_expanded.assign(data.laneCount(), 0);
    for (std::size_t l = 0; l < data.laneCount(); ++l) {
        m_stack[l] = stacks.first(l);
        m_stackSize[l] = stacks.size(m_stack[l]);
        m_expanded[l] = m_stack[l] == l ? contains(arrangement.expanded, data.lane(l).name) : m_expanded[m_stack[l]];
    }
}

bool LaneLayout::isLeftOut(const TimelineData &data, std::size_t lane) const {
    if (m_leader[lane] == lane)
        return false;
    const bool isInStrip = m_stack[lane] != lane && m_expanded[lane] == 0;
    return isInStrip || m_collapsed[m_leader[lane]] != 0 || data.lane(lane).size() == 0;
}

void LaneLayout::findLeaders(const TimelineData &data, const LaneArrangement &arrangement) {
    std::unordered_map<std::int32_t, std::size_t> leaders;
    for (std::size_t l = 0; l < data.laneCount(); ++l) {
        const auto [leader, first] = leaders.try_emplace(data.lane(l).worker, l);
        m_leader[l] = leader->second;
        if (!first)
            ++m_followers[leader->second];
        else
            m_collapsed[l] = contains(arrangement.collapsed, data.lane(l).name);
    }
}

std::vector<std::size_t> LaneLayout::pinnedLanes(const TimelineData &data, const LaneArrangement &arrangement) const {
    std::vector<std::size_t> pinned;
    for (const std::string &name : arrangement.pinned)
        for (const std::size_t l : m_order)
            if (data.lane(l).name == name && std::find(pinned.begin(), pinned.end(), l) == pinned.end())
                pinned.push_back(l);
    return pinned;
}

void LaneLayout::chooseHeights(std::size_t pinned, std::size_t shown, int plotHeight) {
    const int room = std::max(1, plotHeight - 2 * margin - (pinned == 0 ? 0 : 2 * margin) - m_gaps);
    m_pitch = std::clamp(room / static_cast<int>(std::max<std::size_t>(1, shown)), compactPitch, fullPitch);
    m_laneHeight = m_pitch >= 17 ? m_pitch - 3 : m_pitch - 1;
}

void LaneLayout::addRow(std::size_t lane, int top, bool pinned) {
    m_rowOf[lane] = m_rows.size();
    const bool isStrip = m_stack[lane] == lane && m_stackSize[lane] > 1 && m_expanded[lane] == 0;
    m_rows.push_back({lane, top, pinned, isStrip ? m_stackSize[lane] : 1});
}

std::optional<std::size_t> LaneLayout::laneAt(int y) const {
    const bool inPins = y < m_pinnedHeight;
    for (const Row &row : m_rows)
        if (row.pinned == inPins && y >= topOf(row) && y < topOf(row) + m_laneHeight)
            return row.lane;
    return {};
}

int LaneLayout::fullHeight() const {
    return static_cast<int>(m_rows.size()) * fullPitch + m_gaps + 2 * margin + (m_pinnedHeight > 0 ? 2 * margin : 0);
}

QString laneOwner(const QStringList &names) {
    if (names.size() < 2)
        return {};
    const QString &first = names.front();
    qsizetype alike = first.size();
    for (const QString &name : names)
        alike = std::min<qsizetype>(alike, std::ranges::mismatch(first, name).in1 - first.begin());
    const auto leavesName = [](const QString &name, qsizetype owner) {
        return name.size() > owner && name[owner].isLetter(); // "24", "#2" and "(2)" name nothing
    };
    for (; alike > 0; --alike)
        if (first[alike - 1] == QLatin1Char(' ') &&
            std::ranges::all_of(names, [&](const QString &name) { return leavesName(name, alike); }))
            break;
    return first.left(alike);
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/lane_packer.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

std::size_t LanePacker::addGroup(std::string name, std::int32_t worker, bool isCompute) {
    m_groups.push_back({std::move(name), worker, isCompute, {}});
    return m_groups.size() - 1;
}

void LanePacker::add(std::size_t group, Nanoseconds start, Nanoseconds end, Category category, std::int32_t label,
                     std::int32_t task, double sizeBytes) {
    Group &g = m_groups[group];
    auto lane = std::find_if(g.lanes.begin(), g.lanes.end(), [&](const Lane &l) { return l.end.back() <= start; });
    if (lane == g.lanes.end()) {
        if (g.lanes.size() < maxLanes) {
            Lane fresh;
            fresh.name = g.lanes.empty() ? g.name : fmt::format("{} ({})", g.name, g.lanes.size() + 1);
            fresh.worker = g.worker;
            fresh.isCompute = g.isCompute;
            g.lanes.push_back(std::move(fresh));
        }
        lane = std::prev(g.lanes.end());
    }
    const Nanoseconds from = std::max(start, lane->size() > 0 ? lane->end.back() : Nanoseconds{0});
    lane->start.push_back(from);
    lane->end.push_back(std::max(from, end));
    lane->category.push_back(category);
    lane->label.push_back(label);
    lane->variable.push_back(-1);
    lane->task.push_back(task);
    lane->sizeBytes.push_back(sizeBytes);
}

Timeline LanePacker::take() {
    for (Group &group : m_groups) {
        for (Lane &lane : group.lanes) {
            m_timeline.duration = std::max(m_timeline.duration, lane.end.back());
            m_timeline.lanes.push_back(std::move(lane));
        }
    }
    m_groups.clear();
    m_timeline.labels.reserve(m_labels.size());
    for (std::uint32_t i = 0; i < m_labels.size(); ++i)
        m_timeline.labels.push_back(m_labels[i]);
    m_labels = {};
    return std::move(m_timeline);
}

} // namespace syncopate

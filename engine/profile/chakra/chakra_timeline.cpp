// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/chakra/chakra_timeline.h"

#include "engine/profile/lane_packer.h"
#include "engine/profile/recording/recording_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <utility>

namespace syncopate {

namespace {

using Index = std::size_t;
using kineto::Phase;

class TimelineAdder {
public:
    TimelineAdder(const ChakraStep &step, ImportedProfile &profile) : m_step(step), m_profile(profile) {}

    void add() {
        std::vector<std::int32_t> labels(m_step.trace.names.size(), -1);
        LanePacker packer;
        const LaneGroups groups = addLaneGroups(packer);
        std::int32_t number = 0;
        for (const Index i : nodesByStart()) {
            const ChakraNode &n = m_step.node(i);
            std::int32_t &label = labels[n.name];
            if (label < 0)
                label = packer.label(m_step.trace.names[n.name]);
            packer.add(groups.at(laneKey(n)), m_step.start[i], m_step.end[i], categoryOf(i), label, number++,
                       n.communicates() && !n.onHost ? static_cast<double>(std::max<std::int64_t>(0, n.sizeBytes)) : 0);
        }
        m_profile.timeline = packer.take();
        m_profile.timeline.iterationStart.push_back(0);
    }

private:
    [[nodiscard]] std::vector<Index> nodesByStart() const {
        std::vector<Index> order(m_step.trace.nodes.size());
        std::iota(order.begin(), order.end(), Index{0});
        const auto byStart = [&](Index a, Index b) { return m_step.start[a] < m_step.start[b]; };
        if (!std::is_sorted(order.begin(), order.end(), byStart))
            std::stable_sort(order.begin(), order.end(), byStart);
        return order;
    }

    /// Lanes in order: compute streams, communication streams, threads.
    using LaneKey = std::pair<int, std::int64_t>;
    using LaneGroups = std::map<LaneKey, std::size_t>;
    static constexpr int computeLane = 0, communicationLane = 1, threadLane = 2;
    static LaneKey laneKey(const ChakraNode &n) {
        return {n.onHost ? threadLane : n.communicates() ? communicationLane : computeLane, n.thread};
    }
    LaneGroups addLaneGroups(LanePacker &packer) const {
        LaneGroups groups;
        for (const ChakraNode &n : m_step.trace.nodes)
            groups.emplace(laneKey(n), 0);
        constexpr const char *whats[] = {"compute stream", "communication stream", "thread"};
        for (auto &[key, group] : groups)
            group = packer.addGroup(fmt::format("{} {}", whats[key.first], key.second), 0,
                                    key.first == (m_step.onDevice ? computeLane : threadLane));
        return groups;
    }

    [[nodiscard]] Category categoryOf(Index i) const {
        const ChakraNode &n = m_step.node(i);
        if (n.onHost && m_step.onDevice)
            return Category::Host;
        if (n.communicates())
            return n.onHost ? Category::OtherCompute : n.collective == 0 ? Category::AllReduce : Category::OtherComm;
        if (!n.onHost && isCopyName(m_step.trace.names[n.name]))
            return Category::Copy;
        if (n.onHost == m_step.onDevice)
            return Category::OtherCompute;
        return m_step.phase[i] == Phase::Forward    ? Category::Forward
               : m_step.phase[i] == Phase::Backward ? Category::Backward
                                                    : Category::Update;
    }

    const ChakraStep &m_step;
    ImportedProfile &m_profile;
};

} // namespace

void addChakraTimeline(const ChakraStep &step, ImportedProfile &profile) { TimelineAdder(step, profile).add(); }

} // namespace syncopate

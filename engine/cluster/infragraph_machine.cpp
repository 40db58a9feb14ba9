// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/infragraph_machine.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>

namespace syncopate::infragraph {

namespace {

/// Disjoint sets of the components that links have joined so far.
class JoinedComponents {
public:
    explicit JoinedComponents(std::size_t count) : m_parent(count) {
        std::iota(m_parent.begin(), m_parent.end(), std::uint32_t{0});
    }
    [[nodiscard]] std::uint32_t setOf(std::uint32_t component) {
        while (m_parent[component] != component)
            component = m_parent[component] = m_parent[m_parent[component]];
        return component;
    }
    void join(const DeviceLink &link) { m_parent[setOf(link.a)] = setOf(link.b); }
    /// Undoes join() for `links`, which must be all links joined so far.
    void forget(std::span<const DeviceLink> links) {
        for (const DeviceLink &link : links) {
            m_parent[link.a] = link.a;
            m_parent[link.b] = link.b;
        }
    }
    [[nodiscard]] bool areOne(const std::vector<std::uint32_t> &components) {
        return std::ranges::all_of(components, [&](std::uint32_t c) { return setOf(c) == setOf(components.front()); });
    }

private:
    std::vector<std::uint32_t> m_parent;
};

/// The number of these links at the accelerator that has fewest.
std::int64_t fewestOf(std::span<const DeviceLink> links, const std::vector<std::uint32_t> &xpus) {
    std::unordered_map<std::uint32_t, std::int64_t> at;
    for (const DeviceLink &link : links) {
        ++at[link.a];
        ++at[link.b];
    }
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (const std::uint32_t xpu : xpus)
        fewest = std::min(fewest, at[xpu]);
    return fewest;
}

} // namespace

Fabric fabricOf(const Inside &inside, const std::vector<Link> &links) {
    std::vector<std::uint32_t> xpus;
    for (std::size_t c = 0; c < inside.kinds.size(); ++c)
        if (inside.kinds[c] == ComponentKind::Xpu)
            xpus.push_back(static_cast<std::uint32_t>(c));
    std::vector<DeviceLink> stated;
    std::ranges::copy_if(inside.links, std::back_inserter(stated),
                         [&](const DeviceLink &link) { return links[link.link].bytesPerSecond > 0; });
    std::ranges::stable_sort(stated, {}, &DeviceLink::link);
    Fabric fabric;
    if (xpus.empty())
        return fabric;
    JoinedComponents joined(inside.kinds.size());
    for (auto first = stated.begin(); first != stated.end();) {
        const auto end = std::find_if(first, stated.end(), [&](const DeviceLink &link) { return link.link != first->link; });
        const std::span<const DeviceLink> ofName(first, end);
        if (ofName.size() + 1 >= xpus.size()) { // fewer links cannot connect all accelerators
            std::ranges::for_each(ofName, [&](const DeviceLink &link) { joined.join(link); });
            if (joined.areOne(xpus)) {
                const double rate = static_cast<double>(fewestOf(ofName, xpus)) * links[first->link].bytesPerSecond;
                if (rate > fabric.bytesPerSecond)
                    fabric = {rate, first->link, true};
            }
            joined.forget(ofName);
        }
        first = end;
    }
    if (fabric.bytesPerSecond > 0)
        return fabric;
    // The paths of a maximum spanning tree have the greatest possible bandwidth.
    std::ranges::stable_sort(stated, std::greater<>(), [&](const DeviceLink &link) { return links[link.link].bytesPerSecond; });
    std::size_t sets = xpus.size();
    std::vector<std::uint8_t> hasXpu(inside.kinds.size(), 0);
    for (const std::uint32_t xpu : xpus)
        hasXpu[xpu] = 1;
    for (const DeviceLink &link : stated) {
        const std::uint32_t a = joined.setOf(link.a), b = joined.setOf(link.b);
        if (a == b)
            continue;
        sets -= hasXpu[a] != 0 && hasXpu[b] != 0 ? 1 : 0;
        hasXpu[a] = hasXpu[b] = hasXpu[a] | hasXpu[b];
        joined.join(link);
        if (sets == 1)
            return {links[link.link].bytesPerSecond, link.link, false};
    }
    return {};
}

} // namespace syncopate::infragraph

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "engine/base/yaml_text.h"
#include "engine/cluster/addresses.h"
#include "engine/cluster/cluster_file.h"
#include "engine/cluster/described_node.h"
#include "engine/cluster/infragraph_document.h"
#include "engine/cluster/infragraph_machine.h"
#include "engine/cluster/infragraph_paths.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <yaml-cpp/yaml.h>

namespace syncopate {

namespace infragraph {
namespace {

constexpr std::size_t maxInfraGraphBytes = 8U << 20;
constexpr std::int64_t maxAccelerators = 1 << 20; ///< of all machines together
constexpr std::size_t maxListed = 8;              ///< groups of machines that get a note of their own

/// A text of the document as a label; empty if it is long or has control characters.
std::string labelOf(const std::string &text) {
    const bool isPlain = std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
    return isPlain && text.size() <= 60 ? text : std::string();
}

std::string rateText(double bytesPerSecond) { return fmt::format("{:.4g} Gbit/s", gbitsFromBytesPerSecond(bytesPerSecond)); }

class InfraGraphCluster {
public:
    explicit InfraGraphCluster(const Document &document) : m_document(document) {}

    Result<Cluster> make() {
        TRY(findMachines());
        m_exits = exitsOf(m_document, m_machines);
        std::vector<DescribedNode> nodes;
        for (const Machine &machine : m_machines.list) {
            DescribedNode &node = nodes.emplace_back();
            node.gpus.resize(static_cast<std::size_t>(m_document.devices[machine.device].xpus));
            std::iota(node.gpus.begin(), node.gpus.end(), 0);
            node.bandwidthBytesPerSecond = m_exits.ofMachine[nodes.size() - 1].bytesPerSecond;
            if (node.bandwidthBytesPerSecond > fastestLink)
                return fail(fmt::format("the links of {} have {} together", machine.name, rateText(node.bandwidthBytesPerSecond)),
                            "check the bandwidths of links");
        }
        m_cluster = clusterOf(nodes);
        m_cluster.name = labelOf(m_document.name);
        noteMachines();
        TRY(setInside());
        noteNetwork();
        TRY(setLatency());
        setRacks();
        return std::move(m_cluster);
    }

private:
    void note(std::string text) { m_cluster.notes.push_back(std::move(text)); }

    Result<void> findMachines() {
        std::int64_t accelerators = 0;
        m_machines.ofInstance.assign(static_cast<std::size_t>(m_document.instanceCount), -1);
        m_machines.groupOf.resize(static_cast<std::size_t>(m_document.instanceCount));
        for (const Instances &instances : m_document.instances) {
            if (!m_insides.contains(instances.device))
                m_insides.emplace(instances.device, insideOf(m_document, instances.device));
            const std::int64_t xpus = m_document.devices[instances.device].xpus;
            const auto first = static_cast<std::size_t>(instances.first), count = static_cast<std::size_t>(instances.count);
            const auto group = static_cast<std::uint32_t>(&instances - m_document.instances.data());
            std::fill_n(m_machines.groupOf.begin() + static_cast<std::ptrdiff_t>(first), count, group);
            if (xpus == 0) // instances without accelerators are the network
                continue;
            if (xpus > maxDevicesOfNode)
                return fail(fmt::format("{} has {} accelerators", instances.name, xpus),
                            fmt::format("a node has up to {}", maxDevicesOfNode));
            accelerators += xpus * instances.count;
            if (accelerators > maxAccelerators)
                return fail(fmt::format("there are {} accelerators or more", accelerators),
                            fmt::format("up to {} are read", maxAccelerators));
            for (std::size_t i = 0; i < count; ++i) {
                m_machines.ofInstance[first + i] = static_cast<std::int32_t>(m_machines.list.size());
                m_machines.list.push_back(
                    {fmt::format("{}.{}", instances.name, i), static_cast<std::uint32_t>(first + i), instances.device});
            }
        }
        for (const auto &[device, inside] : m_insides)
            m_machines.kinds.emplace(device, &inside.kinds);
        if (m_machines.list.empty())
            return fail("no instance of this InfraGraph document has an accelerator (a component of choice xpu)",
                        m_document.instances.empty() ? "add instances of devices" : "give the graph of machines that train");
        return {};
    }

    void noteMachines() {
        std::int64_t components = 0, links = static_cast<std::int64_t>(m_document.edges.size());
        for (const Instances &instances : m_document.instances) {
            components += instances.count * m_document.devices[instances.device].size;
            links += instances.count * static_cast<std::int64_t>(m_insides.at(instances.device).links.size());
        }
        note(fmt::format("Read: an InfraGraph document of {} components and {} links; {} of its {} instances have accelerators "
                         "and are nodes.",
                         components, links, m_machines.list.size(), m_document.instanceCount));
        std::size_t listed = 0;
        for (const Instances &instances : m_document.instances) {
            const std::int32_t machine = m_machines.ofInstance[static_cast<std::size_t>(instances.first)];
            if (machine < 0 || ++listed > maxListed)
                continue;
            const auto first = static_cast<std::size_t>(machine), last = first + static_cast<std::size_t>(instances.count) - 1;
            const std::size_t accelerators = m_cluster.nodes[first].gpus.size();
            if (first == last)
                note(fmt::format("Read: {} is {}, of {} accelerators.", m_machines.list[first].name,
                                 m_cluster.nodes[first].address, accelerators));
            else
                note(fmt::format("Read: {} to {} are {} to {}, of {} accelerators each.", m_machines.list[first].name,
                                 m_machines.list[last].name, m_cluster.nodes[first].address, m_cluster.nodes[last].address,
                                 accelerators));
        }
        if (listed > maxListed)
            note(fmt::format("Read: {} more groups of instances follow in the document's order.", listed - maxListed));
        if (m_document.cutShort > 0)
            note(fmt::format(
                "Assumed: {} one2one edges, whose sides are not equally long, join as many as the shorter one has, as "
                "InfraGraph's own service does.",
                m_document.cutShort));
        if (m_document.withinInstance > 0)
            note(fmt::format("Assumed: {} links that edges between instances draw within one instance do not count.",
                             m_document.withinInstance));
        noteTransfers();
    }

    void noteTransfers() {
        const auto transfers = std::ranges::find_if(m_document.links, [](const Link &l) { return l.transfersPerSecond > 0; });
        if (transfers != m_document.links.end())
            note(fmt::format("Assumed: link {} states {:g} GT/s, which without a width are no bandwidth; links in GT/s count as "
                             "unknown.",
                             transfers->name, transfers->transfersPerSecond / 1e9));
    }

    /// Sets what accelerators of a machine communicate over: the slowest kind of machine decides for all.
    Result<void> setInside() {
        double slowest = 0;
        std::string how;
        bool isUnknown = false;
        std::map<std::size_t, std::size_t> machineOf; // one machine per device
        for (std::size_t m = 0; m < m_machines.list.size(); ++m)
            machineOf.try_emplace(m_machines.list[m].device, m);
        for (const auto &[device, machine] : machineOf) {
            const Device &type = m_document.devices[device];
            for (const Component &component : type.components)
                if (component.kind == ComponentKind::Xpu)
                    m_deviceLabels[device] = labelOf(component.description);
            if (type.xpus < 2)
                continue;
            const Fabric fabric = fabricOf(m_insides.at(device), m_document.links);
            isUnknown |= fabric.bytesPerSecond == 0;
            if (fabric.bytesPerSecond > 0 && (slowest == 0 || fabric.bytesPerSecond < slowest)) {
                slowest = fabric.bytesPerSecond;
                how = fabric.isOneLink
                          ? fmt::format("all their links \"{}\", counted at the accelerator with the fewest",
                                        m_document.links[fabric.link].name)
                          : fmt::format("the narrowest link, \"{}\", on the widest path", m_document.links[fabric.link].name);
                how = fmt::format("Read: accelerators of a {} talk at {:.4g} GB/s each way, over {}.", type.name, slowest / 1e9,
                                  how);
            }
        }
        for (std::size_t m = 0; m < m_machines.list.size(); ++m)
            if (const auto label = m_deviceLabels.find(m_machines.list[m].device); label != m_deviceLabels.end())
                m_cluster.nodes[m].device = label->second;
        if (slowest > fastestLink)
            return fail(fmt::format("the links of an accelerator have {} together", rateText(slowest)),
                        "check the bandwidths of links");
        if (slowest > 0) {
            m_cluster.intraNodeBandwidthBytesPerSecond = slowest;
            note(how);
        }
        if (isUnknown)
            note(slowest > 0 ? "Assumed: machines whose links between accelerators state no bandwidth have the same."
                             : "Assumed: accelerators of a machine talk over PCIe 3 x16, 12 GB/s each way; no bandwidth is "
                               "stated on a path between all of them.");
        return {};
    }

    void noteNetwork() {
        const Exits &exits = m_exits;
        if (exits.links == 0) {
            note("Assumed: 1 Gbit/s of network, AutoDist's default; no link leaves a machine.");
            return;
        }
        if (exits.stated > 0) {
            const auto first = std::ranges::find_if(exits.ofMachine, [](const auto &own) { return own.bytesPerSecond > 0; });
            const auto m = static_cast<std::size_t>(first - exits.ofMachine.begin());
            note(fmt::format("Read: the network of a machine is its {} links to other instances together, {} of {}.",
                             first->links, rateText(m_cluster.nodes[m].bandwidthBytesPerSecond), m_machines.list[m].name));
        }
        if (exits.stated > 0)
            note("Assumed: a link has its bandwidth in either direction at once; the format does not say.");
        if (const std::int64_t unstated = exits.links - exits.stated; unstated > 0)
            note(fmt::format("Assumed: {} of {} links between instances state no bandwidth; {}.", unstated, exits.links,
                             exits.stated > 0 ? "they count as none, and a machine that has no others has 1 Gbit/s"
                                              : "machines have 1 Gbit/s, AutoDist's default"));
        if (exits.leftOut > 0)
            note(fmt::format(
                "Assumed: {} links that leave machines from components of other kinds (accelerators, CPUs, management) "
                "are not part of the network, as machines have NICs or ports that are.",
                exits.leftOut));
        if (exits.blocking)
            note(fmt::format(
                "Assumed: the network between the machines does not block, though {} has {} to machines and {} beyond.",
                nameOfInstance(exits.blocking->instance), rateText(exits.blocking->downBytesPerSecond),
                rateText(exits.blocking->upBytesPerSecond)));
        else if (m_machines.list.size() > 1)
            note("Assumed: the network between the machines does not block.");
    }

    Result<void> setLatency() {
        if (m_machines.list.size() < 2 || m_exits.links == 0)
            return {};
        const FarthestMachine far = farthestMachine(m_document, m_machines, m_exits);
        if (far.unreached > 0)
            note(fmt::format("Assumed: {} machines that no link joins with {} are reached like the others.", far.unreached,
                             m_machines.list.front().name));
        if (!far.statesLatency)
            return {};
        if (far.seconds > longestLatency)
            return fail(
                fmt::format("a message takes {:g} s from {} to the farthest machine", far.seconds, m_machines.list.front().name),
                "check the latencies of links");
        m_cluster.latencySeconds = far.seconds;
        note(fmt::format("Read: a latency of {:.4g} us, of the fastest path from {} to the farthest machine, over the links "
                         "between instances.",
                         far.seconds * 1e6, m_machines.list.front().name));
        note("Assumed: links without a latency, and the insides of machines and switches, take no time.");
        return {};
    }

    /// A machine's rack is the switch that all its links lead to, if every machine has one and they differ.
    void setRacks() {
        const std::vector<std::int64_t> racks = switchesOf(m_document, m_machines, m_exits);
        const bool isEach = std::ranges::all_of(racks, [](std::int64_t instance) { return instance >= 0; });
        const bool isOne = std::ranges::all_of(racks, [&](std::int64_t instance) { return instance == racks.front(); });
        if (!isEach || isOne)
            return;
        for (std::size_t m = 0; m < racks.size(); ++m)
            m_cluster.nodes[m].rack = labelOf(nameOfInstance(static_cast<std::uint32_t>(racks[m])));
        note("Read: a node's rack is the switch that all of its links lead to; it matters where flow_limit is set.");
    }

    [[nodiscard]] std::string nameOfInstance(std::uint32_t number) const {
        const Instances &group = m_document.instances[m_machines.groupOf[number]];
        return fmt::format("{}.{}", group.name, number - group.first);
    }

    const Document &m_document;
    std::map<std::size_t, Inside> m_insides; ///< by device, for devices with instances
    std::map<std::size_t, std::string> m_deviceLabels;
    Machines m_machines;
    Exits m_exits;
    Cluster m_cluster;
};

} // namespace
} // namespace infragraph

Result<Cluster> readInfraGraph(std::string_view text, const std::string &file) {
    const YamlFormat format{"an InfraGraph document", "neither YAML nor JSON", infragraph::maxInfraGraphBytes};
    return readYaml<Cluster>(text, file, format, [](const YAML::Node &root) {
        const infragraph::Document document = infragraph::readInfraGraphDocument(root);
        return infragraph::InfraGraphCluster(document).make();
    });
}

} // namespace syncopate

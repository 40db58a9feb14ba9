// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/infragraph_document.h"

#include "engine/base/utf8.h"
#include "engine/base/yaml_text.h"
#include "engine/cluster/addresses.h"
#include "engine/cluster/infragraph_endpoint.h"
#include "engine/cluster/infragraph_entries.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>
#include <yaml-cpp/yaml.h>

namespace syncopate::infragraph {

namespace {

constexpr int maxListedEntries = 1 << 18; ///< devices, components, links, instances and edges together
constexpr int deepestDevice = 16;         ///< levels of devices in devices

using Names = std::map<std::string, std::size_t, std::less<>>;

class DocumentReader {
public:
    Document read(const YAML::Node &document) {
        checkMap(document, "an InfraGraph document");
        const bool isAnnotated = isGiven(document["infrastructure"]);
        const YAML::Node root = isAnnotated ? document["infrastructure"] : document;
        checkMap(root, "infrastructure");
        if (isGiven(root["connections"]))
            refuse(root["connections"].Mark(), "connections is a key of an older InfraGraph, which has no counts",
                   "write instances with count, and edges");
        const bool alone = isGiven(root["components"]) && !isGiven(root["devices"]);
        if (isGiven(root["name"]))
            m_document.name = textAt(root, "name", "the document");
        readDevices(alone ? std::vector{root} : listAt(root, "devices"));
        if (alone) {
            m_document.instances.push_back({m_document.devices.front().name, 0, 1, 0});
            m_document.instanceCount = 1;
        } else {
            for (const auto &instances : listAt(root, "instances"))
                readInstances(instances);
            const Names links = readLinks(root);
            for (const auto &edge : listAt(root, "edges"))
                readEdge(edge, links);
            keepLastOfEach(m_document.edges);
        }
        checkSize();
        return std::move(m_document);
    }

private:
    static void checkMap(const YAML::Node &node, const std::string &what) {
        if (!node.IsMap())
            refuse(node.Mark(), what + " is not a map", documentRemedy);
    }

    /// The maps listed under `key`; none if it is missing.
    std::vector<YAML::Node> listAt(const YAML::Node &map, const char *key) {
        const YAML::Node list = map[key];
        std::vector<YAML::Node> entries;
        if (!isGiven(list))
            return entries;
        if (!list.IsSequence())
            refuse(list.Mark(), fmt::format("{} is not a list", key), documentRemedy);
        for (const auto &entry : list) {
            if (++m_entries > maxListedEntries) // YAML aliases may list the same text over and over
                refuse(list.Mark(), fmt::format("the document lists more than {} entries", maxListedEntries),
                       "give a smaller one; instances have a count");
            checkMap(entry, fmt::format("an entry of {}", key));
            entries.push_back(entry);
        }
        return entries;
    }

    static void addName(Names &names, const std::string &name, std::size_t number, const YAML::Node &at, const char *what) {
        if (!names.try_emplace(name, number).second)
            refuse(at.Mark(), fmt::format("two {} are called {}", what, name), "give each a name of its own");
    }

    Names readLinks(const YAML::Node &of) {
        Names names;
        for (const auto &node : listAt(of, "links")) {
            m_document.links.push_back(linkOf(node));
            addName(names, m_document.links.back().name, m_document.links.size() - 1, node, "links");
        }
        return names;
    }

    void readDevices(const std::vector<YAML::Node> &nodes) {
        std::vector<Names> links;
        for (const YAML::Node &node : nodes) {
            Device device;
            device.name = textAt(node, "name", "a device");
            addName(m_deviceNames, device.name, m_document.devices.size(), node, "devices");
            Names names;
            for (const auto &entry : listAt(node, "components")) {
                device.components.push_back(componentOf(entry));
                addName(names, device.components.back().name, device.components.size() - 1, entry, "components");
            }
            if (names.empty()) // otherwise empty devices could be repeated endlessly
                refuse(node.Mark(), fmt::format("device {} has no components", device.name), documentRemedy);
            m_document.devices.push_back(std::move(device));
            m_components.push_back(std::move(names));
            links.push_back(readLinks(node));
        }
        m_isLaidOut.resize(nodes.size(), LayOut::Open);
        for (std::size_t d = 0; d < nodes.size(); ++d)
            layOut(d, nodes, 0);
        for (std::size_t d = 0; d < nodes.size(); ++d)
            for (const auto &edge : listAt(nodes[d], "edges"))
                readDeviceEdge(edge, d, links[d]);
        m_isLaidOut.assign(nodes.size(), LayOut::Open);
        for (std::size_t d = 0; d < nodes.size(); ++d)
            countLinks(d);
    }

    /// Numbers the components of a device, nested devices first.
    void layOut(std::size_t number, const std::vector<YAML::Node> &nodes, int depth) {
        if (m_isLaidOut[number] == LayOut::Done)
            return;
        Device &device = m_document.devices[number];
        if (m_isLaidOut[number] == LayOut::Begun || depth > deepestDevice)
            refuse(nodes[number].Mark(), fmt::format("device {} is part of itself, or too deep in others", device.name),
                   fmt::format("devices may be {} deep in each other", deepestDevice));
        m_isLaidOut[number] = LayOut::Begun;
        for (Component &component : device.components) {
            component.first = device.size;
            if (component.kind == ComponentKind::Device) {
                const auto nested = m_deviceNames.find(component.name);
                if (nested == m_deviceNames.end())
                    refuse(nodes[number].Mark(),
                           fmt::format("component {} of {} is a device that is not there", component.name, device.name),
                           "list it under devices");
                component.device = nested->second;
                layOut(nested->second, nodes, depth + 1);
                component.size = m_document.devices[nested->second].size;
                device.xpus += component.count * m_document.devices[nested->second].xpus;
            } else if (component.kind == ComponentKind::Xpu) {
                device.xpus += component.count;
            }
            device.size += component.count * component.size;
            if (device.size > maxComponents)
                refuse(nodes[number].Mark(), fmt::format("device {} has {} components or more", device.name, device.size),
                       fmt::format("up to {} are read", maxComponents));
        }
        m_isLaidOut[number] = LayOut::Done;
    }

    void countLinks(std::size_t number) {
        if (m_isLaidOut[number] == LayOut::Done)
            return;
        m_isLaidOut[number] = LayOut::Done;
        Device &device = m_document.devices[number];
        device.drawn = static_cast<std::int64_t>(device.links.size());
        for (const Component &component : device.components)
            if (component.kind == ComponentKind::Device) {
                countLinks(component.device);
                device.drawn += component.count * m_document.devices[component.device].drawn; // < 2^16 * 2^16 * maxLinks
                device.drawn = std::min(device.drawn, maxLinks + 1);
            }
    }

    Endpoint endpointIn(std::size_t device, std::string_view path, const YAML::Node &at) {
        Endpoint endpoint;
        for (std::size_t from = 0; from <= path.size();) {
            const std::size_t end = std::min(path.find('.', from), path.size());
            const auto [name, slice] = nameAndSlice(path.substr(from, end - from), at);
            from = end + 1;
            const Device &inside = m_document.devices[device];
            const auto known = m_components[device].find(name);
            if (known == m_components[device].end())
                refuse(at.Mark(), fmt::format("device {} has no component '{}'", inside.name, validUtf8(name.substr(0, 40))),
                       "name one of its components");
            const Component &component = inside.components[known->second];
            endpoint.addLevel(sliceOf(slice, component.count, name, at), component.first, component.size);
            const bool isLast = from > path.size();
            if (isLast == (component.kind == ComponentKind::Device))
                refuse(at.Mark(),
                       fmt::format("the endpoint {} at {}, which is {} device", isLast ? "ends" : "goes on", component.name,
                                   isLast ? "a" : "not a"),
                       "name a component, and before it the devices it is in: cx5[0].port[0]");
            device = component.device;
        }
        return endpoint;
    }

    static YAML::Node endpointAt(const YAML::Node &edge, const char *key) {
        const YAML::Node endpoint = edge[key];
        if (!isGiven(endpoint) || !endpoint.IsMap())
            refuse(edge.Mark(), fmt::format("an edge has no endpoint {}", key), "write ep1: {component: xpu[0:2]}");
        return endpoint;
    }

    static std::uint32_t linkAtEdge(const YAML::Node &edge, const Names &links) {
        const std::string name = textAt(edge, "link", "an edge");
        const auto known = links.find(name);
        if (known == links.end())
            refuse(edge["link"].Mark(), fmt::format("there is no link {}", name), "list it under links");
        return static_cast<std::uint32_t>(known->second);
    }

    /// Calls `visit` with the indices of each pair that the edge's scheme makes of its sides, which have `first` and `second`
    /// components; counts one2one edges that are cut short.
    template <class Visit> void forEachPair(const YAML::Node &edge, std::int64_t first, std::int64_t second, Visit visit) {
        const std::string scheme = textAt(edge, "scheme", "an edge");
        if (scheme != "one2one" && scheme != "many2many")
            refuse(edge["scheme"].Mark(), fmt::format("the scheme is '{}'", scheme.substr(0, 40)),
                   "use one2one or many2many; InfraGraph's own service expands no other");
        const bool all = scheme == "many2many";
        const std::int64_t left = maxLinks - m_drawn;
        if (all ? first > left / second : std::min(first, second) > left)
            refuse(edge.Mark(),
                   fmt::format("this edge draws {:.4g} links", all ? static_cast<double>(first) * static_cast<double>(second)
                                                                   : static_cast<double>(std::min(first, second))),
                   fmt::format("a document may draw {}", maxLinks));
        m_drawn += all ? first * second : std::min(first, second);
        m_document.cutShort += !all && first != second ? 1 : 0;
        for (std::int64_t a = 0; a < (all ? first : std::min(first, second)); ++a)
            for (std::int64_t b = all ? 0 : a; b < (all ? second : a + 1); ++b)
                visit(a, b);
    }

    void readDeviceEdge(const YAML::Node &edge, std::size_t device, const Names &links) {
        const auto endpoint = [&](const char *key) {
            const YAML::Node node = endpointAt(edge, key);
            std::string path = textAt(node, "component", "an endpoint");
            if (isGiven(node["device"]))
                path = textAt(node, "device", "an endpoint") + '.' + path;
            return endpointIn(device, path, node);
        };
        const Endpoint first = endpoint("ep1"), second = endpoint("ep2");
        const std::uint32_t link = linkAtEdge(edge, links);
        std::vector<DeviceLink> &deviceLinks = m_document.devices[device].links;
        forEachPair(edge, first.size(), second.size(), [&](std::int64_t a, std::int64_t b) {
            if (first.at(a) != second.at(b)) // a component has no link to itself
                deviceLinks.push_back({first.at(a), second.at(b), link});
        });
    }

    void readInstances(const YAML::Node &node) {
        Instances instances;
        instances.name = textAt(node, "name", "an instance");
        const std::string device = textAt(node, "device", "an instance");
        const auto known = m_deviceNames.find(device);
        if (known == m_deviceNames.end())
            refuse(node["device"].Mark(), fmt::format("instance {} names device {}, which is not there", instances.name, device),
                   "list it under devices");
        instances.device = known->second;
        instances.count = countAt(node, "instance", instances.name, maxNodes);
        instances.first = m_document.instanceCount;
        m_document.instanceCount += instances.count;
        if (m_document.instanceCount > maxNodes)
            refuse(node.Mark(), fmt::format("there are {} instances or more", m_document.instanceCount),
                   fmt::format("up to {} are read", maxNodes));
        addName(m_instanceNames, instances.name, m_document.instances.size(), node, "instances");
        m_document.instances.push_back(std::move(instances));
    }

    struct Side {
        Endpoint components;
        SliceRange range;
        std::int64_t first = 0;
        [[nodiscard]] std::int64_t size() const { return range.count * components.size(); }
        [[nodiscard]] Place at(std::int64_t index) const {
            const std::int64_t instance = first + range.start + index / components.size() * range.step;
            return {static_cast<std::uint32_t>(instance), components.at(index % components.size())};
        }
    };

    Side sideOf(const YAML::Node &edge, const char *key) {
        const YAML::Node node = endpointAt(edge, key);
        const std::string text = textAt(node, "instance", "an endpoint");
        const auto [name, slice] = nameAndSlice(text, node);
        const auto known = m_instanceNames.find(name);
        if (known == m_instanceNames.end())
            refuse(node.Mark(), fmt::format("there is no instance '{}'", name.substr(0, 40)), "name one of instances");
        const Instances &instances = m_document.instances[known->second];
        return {endpointIn(instances.device, textAt(node, "component", "an endpoint"), node),
                sliceOf(slice, instances.count, name, node), instances.first};
    }

    void readEdge(const YAML::Node &edge, const Names &links) {
        const Side first = sideOf(edge, "ep1"), second = sideOf(edge, "ep2");
        const std::uint32_t link = linkAtEdge(edge, links);
        forEachPair(edge, first.size(), second.size(), [&](std::int64_t a, std::int64_t b) {
            Place from = first.at(a), to = second.at(b);
            if (to < from)
                std::swap(from, to);
            if (from.instance != to.instance)
                m_document.edges.push_back({from, to, link});
            else if (from != to)
                ++m_document.withinInstance;
        });
    }

    /// Limits what insideOf() makes for the devices that have instances.
    void checkSize() {
        std::set<std::size_t> devices;
        std::int64_t sum = 0;
        for (const Instances &instances : m_document.instances) {
            const Device &device = m_document.devices[instances.device];
            if (!devices.insert(instances.device).second)
                continue;
            sum += device.size + device.drawn;
            if (sum > maxLinks)
                refuse(YAML::Mark::null_mark(),
                       fmt::format("device {} and those before it have more than {} components and links", device.name, maxLinks),
                       "give a smaller document");
        }
    }

    enum class LayOut : std::uint8_t { Open, Begun, Done };
    Document m_document;
    Names m_deviceNames, m_instanceNames;
    std::vector<Names> m_components; ///< by device
    std::vector<LayOut> m_isLaidOut; ///< by device
    int m_entries = 0;
    std::int64_t m_drawn = 0;
};

} // namespace

Document readInfraGraphDocument(const YAML::Node &root) { return DocumentReader().read(root); }

} // namespace syncopate::infragraph

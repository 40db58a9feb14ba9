// SPDX-License-Identifier: GPL-3.0-or-later
// InfraGraph describes a cluster by types of devices, each a small graph of components, and by instances of them that edges join.
// A few lines of it stand for millions of components, so numbers are multiplied before anything is made, the inside of a
// device is expanded once for all of its instances, and the rules of expansion are those of InfraGraph's own service
// (github.com/Keysight/infragraph, infragraph_service.py): links have no direction, two components share one at most.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace YAML {
class Node;
}

namespace syncopate::infragraph {

constexpr std::int64_t maxComponents = 1 << 16; ///< of one device, as expanded
constexpr std::int64_t maxLinks = 1 << 21;      ///< that one document draws
constexpr double fastestLink = 1e15 / 8;        ///< bytes per second, as in resource_spec.yml; also of a machine's together
constexpr double longestLatency = 10;           ///< seconds, also of a path

enum class ComponentKind : std::uint8_t { Cpu, Xpu, Nic, Memory, Port, Switch, Custom, Device };

/// A kind of link, as the document names it.
struct Link {
    std::string name;
    double bytesPerSecond = 0; ///< 0 = not stated
    double transfersPerSecond = 0;
    std::optional<double> latencySeconds{};
};

/// `count` equal parts of a device.
struct Component {
    std::string name, description;
    ComponentKind kind = ComponentKind::Custom;
    std::int64_t count = 0;
    std::size_t device = 0; ///< of kind Device: which one
    std::int64_t first = 0; ///< number of its first one among the components of its device
    std::int64_t size = 1;  ///< how many components each of them is, as expanded
};

/// Components by their numbers in the expanded device, and a link by its number in the document.
struct DeviceLink {
    std::uint32_t a = 0, b = 0, link = 0;
};

/// A device, or a part of one that the document describes by itself.
struct Device {
    std::string name;
    std::vector<Component> components;
    std::vector<DeviceLink> links; ///< its own, as drawn: with repetitions, without those of the devices in it
    std::int64_t size = 0;         ///< components, as expanded
    std::int64_t xpus = 0;         ///< accelerators among them
    std::int64_t drawn = 0;        ///< links, with those of the devices in it
};

/// `count` devices called "name.0"..; they are numbered through all of a document's.
struct Instances {
    std::string name;
    std::size_t device = 0;
    std::int64_t count = 0;
    std::int64_t first = 0;
};

/// A component of an instance, by numbers.
struct Place {
    std::uint32_t instance = 0, component = 0;
    auto operator<=>(const Place &) const = default;
};

/// A link between components of two instances.
struct InstanceLink {
    Place a, b;
    std::uint32_t link = 0;
};

/// An InfraGraph document with its edges expanded.
struct Document {
    std::string name;
    std::vector<Link> links; ///< of its devices, and its own
    std::vector<Device> devices;
    std::vector<Instances> instances;
    std::vector<InstanceLink> edges; ///< between different instances, each pair of components once
    std::int64_t instanceCount = 0;
    std::int64_t cutShort = 0;       ///< one2one edges whose sides are not equally long
    std::int64_t withinInstance = 0; ///< links that edges between instances draw inside one, and which are left out
};

/// The document, also one that holds a single device. Throws YamlRefusal (base/yaml_text.h), and yaml-cpp's exceptions.
[[nodiscard]] Document readInfraGraphDocument(const YAML::Node &root);

/// A device as expanded: the kinds of its components, and the links among them, each pair once.
struct Inside {
    std::vector<ComponentKind> kinds;
    std::vector<DeviceLink> links;
};
/// O(n log n) of its components and links, which reading a document has bounded.
[[nodiscard]] Inside insideOf(const Document &document, std::size_t device);

/// Keeps one link between any two ends `a` and `b`: the one drawn last.
template <class Link> void keepLastOfEach(std::vector<Link> &links) {
    const auto ends = [](const Link &link) { return std::pair(link.a, link.b); };
    std::ranges::stable_sort(links, {}, ends);
    std::ranges::reverse(links);
    const auto sameEnds = [&ends](const Link &one, const Link &other) { return ends(one) == ends(other); };
    links.erase(std::unique(links.begin(), links.end(), sameEnds), links.end());
    std::ranges::reverse(links);
}

} // namespace syncopate::infragraph

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/infragraph_entries.h"

#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "engine/base/yaml_text.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate::infragraph {

namespace {

/// The text of the file there, shortened for messages.
std::string valueText(const YAML::Node &node) {
    return node && node.IsScalar() ? fmt::format("'{}'", validUtf8(node.Scalar().substr(0, 40))) : "no text";
}

double positiveAt(const YAML::Node &node, const std::string &what, double max) {
    double value = 0;
    if (!node.IsScalar() || !YAML::convert<double>::decode(node, value) || !std::isfinite(value) || value < 0 || value > max)
        refuse(node.Mark(), fmt::format("{} is {}", what, valueText(node)), fmt::format("write a number from 0 to {:g}", max));
    return value;
}

struct KindName {
    const char *name;
    ComponentKind kind;
};
constexpr std::array<KindName, 8> kindNames{{{"cpu", ComponentKind::Cpu},
                                             {"xpu", ComponentKind::Xpu},
                                             {"nic", ComponentKind::Nic},
                                             {"memory", ComponentKind::Memory},
                                             {"port", ComponentKind::Port},
                                             {"switch", ComponentKind::Switch},
                                             {"custom", ComponentKind::Custom},
                                             {"device", ComponentKind::Device}}};

ComponentKind kindAt(const YAML::Node &component, const std::string &name) {
    const YAML::Node choice = component["choice"];
    if (!isGiven(choice) && isGiven(component["type"]))
        refuse(component["type"].Mark(), fmt::format("component {} has the key type, which belongs to an older InfraGraph", name),
               "write choice: xpu in its place, and count");
    for (const auto &[text, kind] : kindNames)
        if (isGiven(choice) && choice.IsScalar() && choice.Scalar() == text)
            return kind;
    refuse(isGiven(choice) ? choice.Mark() : component.Mark(),
           fmt::format("the choice of component {} is {}", name, valueText(choice)),
           "choose cpu, xpu, nic, memory, port, switch, custom or device");
}

constexpr double slowestLink = bytesPerSecondFromGbits(1e-6);

struct UnitName {
    const char *name;
    double factor; ///< converts to the unit used in memory
};

/// The value of a choice such as {choice: us, us: 5} in the unit used in memory, and the index of its unit; -1 = none.
template <std::size_t N> std::pair<double, int> choiceAt(const YAML::Node &map, const std::array<UnitName, N> &units,
                                                         const std::string &what, double max) {
    if (!map.IsMap())
        refuse(map.Mark(), fmt::format("{} is not a map", what), documentRemedy);
    const YAML::Node choice = map["choice"];
    std::string list;
    for (std::size_t u = 0; u < N; ++u) {
        const auto &[name, factor] = units[u];
        list += (list.empty() ? "" : ", ") + std::string(name);
        const YAML::Node value = map[name];
        if (isGiven(value) && (!isGiven(choice) || (choice.IsScalar() && choice.Scalar() == name)))
            return {positiveAt(value, what + " in " + name, max) * factor, static_cast<int>(u)};
    }
    if (!isGiven(choice) && map.size() == 0)
        return {0, -1};
    refuse(map.Mark(), fmt::format("the choice of {} is {}, or its value is missing", what, valueText(choice)),
           "use one of " + list);
}

} // namespace

std::string textAt(const YAML::Node &map, const char *key, const char *what) {
    const YAML::Node node = map[key];
    if (!isGiven(node) || !node.IsScalar() || node.Scalar().empty() || node.Scalar().size() > 200)
        refuse(isGiven(node) ? node.Mark() : map.Mark(), fmt::format("{} has no {}, or one that is not a short text", what, key),
               documentRemedy);
    return validUtf8(node.Scalar());
}

std::int64_t countAt(const YAML::Node &map, const char *what, const std::string &name, std::int64_t max) {
    const YAML::Node node = map["count"];
    std::int64_t count = 0;
    if (!isGiven(node) || !node.IsScalar() || !YAML::convert<std::int64_t>::decode(node, count) || count < 1 || count > max)
        refuse(isGiven(node) ? node.Mark() : map.Mark(), fmt::format("the count of {} {} is {}", what, name, valueText(node)),
               fmt::format("write a whole number from 1 to {}", max));
    return count;
}

Component componentOf(const YAML::Node &entry) {
    Component component;
    component.name = textAt(entry, "name", "a component");
    component.kind = kindAt(entry, component.name);
    component.count = countAt(entry, "component", component.name, maxComponents);
    if (const YAML::Node about = entry["description"]; isGiven(about) && about.IsScalar())
        component.description = validUtf8(about.Scalar().substr(0, 200));
    return component;
}

Link linkOf(const YAML::Node &node) {
    Link link;
    link.name = textAt(node, "name", "a link");
    if (isGiven(node["bandwidth"]))
        refuse(node["bandwidth"].Mark(),
               fmt::format("link {} has the key bandwidth, which belongs to an older InfraGraph", link.name),
               "write physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 100}}");
    const YAML::Node physical = node["physical"];
    if (!isGiven(physical))
        return link;
    if (!physical.IsMap())
        refuse(physical.Mark(), fmt::format("physical of link {} is not a map", link.name), documentRemedy);
    static constexpr std::array<UnitName, 3> rates{
        {{"gigabits_per_second", 1e9 / 8}, {"gigabytes_per_second", 1e9}, {"gigatransfers_per_second", 1e9}}};
    static constexpr std::array<UnitName, 3> times{{{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};
    if (const YAML::Node bandwidth = physical["bandwidth"]; isGiven(bandwidth)) {
        const auto [rate, unit] = choiceAt(bandwidth, rates, "bandwidth of link " + link.name, 1e6);
        (unit == 2 ? link.transfersPerSecond : link.bytesPerSecond) = rate;
        if (link.bytesPerSecond != 0 && (link.bytesPerSecond < slowestLink || link.bytesPerSecond > fastestLink))
            refuse(bandwidth.Mark(), fmt::format("the bandwidth of link {} is {:g} GB/s", link.name, link.bytesPerSecond / 1e9),
                   "write one from 1e-6 to 1e6 Gbit/s");
    }
    if (const YAML::Node latency = physical["latency"]; isGiven(latency))
        if (const auto [seconds, unit] = choiceAt(latency, times, "latency of link " + link.name, 1e9); unit >= 0)
            link.latencySeconds = seconds;
    if (link.latencySeconds.value_or(0) > longestLatency)
        refuse(physical.Mark(), fmt::format("the latency of link {} is {:g} s", link.name, *link.latencySeconds),
               fmt::format("write at most {:g} s", longestLatency));
    return link;
}

} // namespace syncopate::infragraph

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/spec_values.h"

#include "engine/base/units.h"
#include "engine/base/yaml_text.h"

#include <cmath>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr std::size_t maxDevices = 1024; ///< per node

} // namespace

std::string shown(const YAML::Node &node) {
    if (!node.IsScalar())
        return node.IsSequence() ? "a list" : node.IsMap() ? "a map" : "nothing";
    return fmt::format("'{}'", node.Scalar().substr(0, 60));
}

double readNumber(const YAML::Node &node, const char *key, double min, double max) {
    double value = 0;
    if (!node.IsScalar() || !YAML::convert<double>::decode(node, value) || !std::isfinite(value))
        refuse(node.Mark(), fmt::format("{} is {}, not a number", key, shown(node)), "write a plain number");
    if (value < min || value > max)
        refuse(node.Mark(), fmt::format("{} is {}", key, value), fmt::format("write a number from {} to {}", min, max));
    return value;
}

std::int32_t readInteger(const YAML::Node &node, const char *key, std::int32_t min, std::int32_t max) {
    std::int32_t value = 0;
    if (!node.IsScalar() || !YAML::convert<std::int32_t>::decode(node, value) || value < min || value > max)
        refuse(node.Mark(), fmt::format("{} has {}", key, shown(node)),
               fmt::format("write a whole number from {} to {}", min, max));
    return value;
}

std::string readText(const YAML::Node &node, const char *key) {
    if (!node.IsScalar())
        refuse(node.Mark(), fmt::format("{} is {}, not a text", key, shown(node)), "write one word or a quoted text");
    return node.Scalar();
}

/// AutoDist puts the indices into a set; sorted here, like Python's set for 0..n-1.
std::vector<std::int32_t> readIndices(const YAML::Node &node, const char *key) {
    if (!node.IsSequence())
        refuse(node.Mark(), fmt::format("{} is {}, not a list of indices", key, shown(node)),
               fmt::format("write {}: [0, 1]", key));
    if (node.size() > maxDevices)
        refuse(node.Mark(), fmt::format("{} lists {} devices", key, node.size()), fmt::format("a node has up to {}", maxDevices));
    std::set<std::int32_t> indices;
    for (const auto &item : node)
        indices.insert(readInteger(item, key, 0, maxDeviceIndex));
    return {indices.begin(), indices.end()};
}

void checkKeys(const YAML::Node &entry, const char *list, const std::set<std::string> &known, const char *example) {
    if (!entry.IsMap())
        refuse(entry.Mark(), fmt::format("{} lists {}", list, shown(entry)), fmt::format("write {}", example));
    for (const auto &field : entry)
        if (!known.contains(readText(field.first, list)))
            refuse(field.first.Mark(), fmt::format("{} has no key {}", list, shown(field.first)),
                   fmt::format("write {}", example));
}

bool readFlag(const YAML::Node &node, const char *key, bool usual) {
    if (!isGiven(node))
        return usual;
    if (!YAML::convert<bool>::decode(node, usual))
        refuse(node.Mark(), fmt::format("{} is {}", key, shown(node)), "write true or false");
    return usual;
}

double readRate(const YAML::Node &node, const char *key) {
    return bytesPerSecondFromGbits(readNumber(node, key, minSpecGbits, maxSpecGbits));
}

} // namespace syncopate

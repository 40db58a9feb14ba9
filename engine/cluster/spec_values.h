// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the room: single values of a resource_spec.yml, checked. Errors (refuse() of base/yaml_text.h) name the line and the
// key.

#include <cstdint>
#include <set>
#include <string>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace syncopate {

inline constexpr double minSpecGbits = 1e-6;
inline constexpr double maxSpecGbits = 1e6;
inline constexpr std::int32_t maxDeviceIndex = 65535;

/// Whether a key is there and has a value.
[[nodiscard]] inline bool isGiven(const YAML::Node &node) { return node && !node.IsNull(); }
/// A short, one-line rendering of a scalar for messages.
[[nodiscard]] std::string shown(const YAML::Node &node);
[[nodiscard]] double readNumber(const YAML::Node &node, const char *key, double min, double max);
[[nodiscard]] std::int32_t readInteger(const YAML::Node &node, const char *key, std::int32_t min, std::int32_t max);
[[nodiscard]] std::string readText(const YAML::Node &node, const char *key);
/// True or false; `usual` where there is no value.
[[nodiscard]] bool readFlag(const YAML::Node &node, const char *key, bool usual);
/// A rate in bytes/s, which the file has in Gbit/s.
[[nodiscard]] double readRate(const YAML::Node &node, const char *key);
/// Indices of devices, ascending, each once.
[[nodiscard]] std::vector<std::int32_t> readIndices(const YAML::Node &node, const char *key);
/// Refuses an entry of `list` that is no map, or has other keys than `known`.
void checkKeys(const YAML::Node &entry, const char *list, const std::set<std::string> &known, const char *example);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
// Single entries of an InfraGraph document. All of these throw YamlRefusal, which names the line.
#pragma once

#include "engine/cluster/infragraph_document.h"
#include "engine/cluster/spec_values.h"

#include <cstdint>
#include <string>
#include <yaml-cpp/yaml.h>

namespace syncopate::infragraph {

inline constexpr const char *documentRemedy = "see InfraGraph in docs/cluster-file.md";

/// A short text, which `what` must have.
[[nodiscard]] std::string textAt(const YAML::Node &map, const char *key, const char *what);
/// The count of `what`, 1 to `max`.
[[nodiscard]] std::int64_t countAt(const YAML::Node &map, const char *what, const std::string &name, std::int64_t max);
[[nodiscard]] Component componentOf(const YAML::Node &entry);
[[nodiscard]] Link linkOf(const YAML::Node &entry);

} // namespace syncopate::infragraph

// SPDX-License-Identifier: GPL-3.0-or-later
// How readers of YAML fail in the middle of a file: the calls of yaml-cpp throw, so throwing is the one way out there, too, and
// readYamlCluster() is the one place where it ends.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/cluster.h"

#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <yaml-cpp/yaml.h>

namespace syncopate {

/// Thrown by readers, caught by readYamlCluster().
struct YamlRefusal {
    Error error;
};

/// Throws with the line of `mark`, or without a place where there is none.
[[noreturn]] inline void refuse(const YAML::Mark &mark, std::string what, std::string remedy) {
    throw YamlRefusal{{std::move(what),
                       std::move(remedy),
                       {},
                       mark.is_null() || mark.line < 0 ? std::string{} : fmt::format("{}", mark.line + 1)}};
}

/// A format in YAML, as its errors name it.
struct YamlFormat {
    const char *file = "";  ///< "a network file"
    const char *isNot = ""; ///< of a text with another syntax: "not YAML"
    std::size_t maxBytes = 0;
};

/// Reads a cluster from a YAML text with `read`, which may throw what refuse() and yaml-cpp throw. Errors have `file`, and the
/// line where it is known.
[[nodiscard]] Result<Cluster> readYamlCluster(std::string_view text, const std::string &file, const YamlFormat &format,
                                              const std::function<Result<Cluster>(const YAML::Node &root)> &read);

} // namespace syncopate

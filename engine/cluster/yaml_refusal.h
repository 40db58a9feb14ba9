// SPDX-License-Identifier: GPL-3.0-or-later
// How readers of YAML fail in the middle of a file: the calls of yaml-cpp throw, so throwing is the one way out here, too.
#pragma once

#include "engine/base/result.h"

#include <fmt/format.h>
#include <string>
#include <utility>
#include <yaml-cpp/mark.h>

namespace syncopate {

/// Thrown and caught in one file: no reader lets it out.
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

} // namespace syncopate

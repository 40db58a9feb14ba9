// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>

namespace syncopate {

/// The whole content of a regular file, for the small inputs (jobs, clusters, strategies). The error names the file;
/// files over `maximumBytes` are refused before anything is read.
[[nodiscard]] Result<std::string> readInputFile(const std::string &path, std::uint64_t maximumBytes = std::uint64_t{1} << 30);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile.h"

#include <memory>
#include <string>
#include <string_view>

namespace syncopate {

/// True for the beginning of a layer profile of PipeDream's profiler (graph.txt).
[[nodiscard]] bool looksLikePipeDream(std::string_view head);

/// Imports PipeDream's graph.txt: a layer for each node but the inputs (whose time is data loading), parents by the edges, times
/// as measured, one variable for each tensor that follows from the node's description and its parameter_size (float32). Its
/// timeline lays the durations end to end, as the file has no start times. Errors name the line. O(nodes log nodes + edges).
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> importPipeDream(std::string_view text, const std::string &name);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/session/scenario_options.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace syncopate {

/// One scenario of a batch: the options, and the seed for its policy's or planner's random choices.
struct ScenarioLine {
    ScenarioOptions options;
    std::int32_t seed = 1;
    PlanCosts costs{}; ///< of a training DAG

    static constexpr std::size_t maximumBytes = std::size_t{1} << 20;
};

/// Why a line was refused.
struct RefusedLine {
    Error error;         ///< its place is the key, or the byte of the line where the JSON is wrong
    bool isJson = false; ///< the line is a JSON object with a wrong key or value
};

/// Reads one line of a batch: a JSON object whose keys are the options of `simulate` without their dashes (docs/command-line.md).
/// `defaults` hold for options that the line does not name. Numbers may be texts with a unit, as on the command line; the latency
/// as a number is in seconds. Refuses unknown keys, keys given twice, other types, values that the options refuse, and a missing
/// job or cluster. A strategy may be missing, as a training DAG needs none; for other jobs the caller refuses it (missingKey()).
[[nodiscard]] tl::expected<ScenarioLine, RefusedLine> readScenarioLine(std::string_view json, ScenarioLine defaults);

/// The error of a line without that key, and without a default for it.
[[nodiscard]] Error missingKey(const std::string &name);

} // namespace syncopate

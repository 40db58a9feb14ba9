// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/metrics.h"
#include "engine/base/json_writer.h"
#include "engine/simulate/run.h"

#include <string>

namespace syncopate::cli {

/// Writes the figures that every recording has, from its iterationStatistics() `area`, as members of the open object: times,
/// overlap, samples per second (null where it knows no samples), workers and events.
void writeFigures(JsonWriter &json, const Recording &run, const AreaStatistics &area);
/// Writes a run's figures as members of the open object.
void writeRun(JsonWriter &json, const Run &run);
/// The same as lines of text; without throughput where the recording knows no samples.
[[nodiscard]] std::string describeRun(const Recording &run);

} // namespace syncopate::cli

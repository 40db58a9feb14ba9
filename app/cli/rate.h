// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_writer.h"

#include <string>

namespace syncopate::cli {

/// Writes a rate of a job with this batch (0 = not known; then it counts steps) as the members "samples_per_second", null where
/// the batch is not known, and "steps_per_second", both after `prefix`.
void writeRate(JsonWriter &json, double batchSize, double rate, const std::string &prefix = {});

} // namespace syncopate::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_writer.h"
#include "engine/simulate/run.h"

#include <string>

namespace syncopate::cli {

/// Writes a run's figures as members of the open object.
void writeRun(JsonWriter &json, const Run &run);
/// The same as lines of text.
[[nodiscard]] std::string describeRun(const Recording &run);

} // namespace syncopate::cli

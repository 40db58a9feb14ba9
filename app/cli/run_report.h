// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_writer.h"
#include "engine/simulate/run.h"

#include <string>

namespace syncopate::cli {

/// The members of the object being written that say how a run went.
void writeRun(JsonWriter &json, const Run &run);
/// The same as lines of text.
[[nodiscard]] std::string describeRun(const Recording &run);

} // namespace syncopate::cli

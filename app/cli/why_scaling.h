// SPDX-License-Identifier: GPL-3.0-or-later
// The scaling and the stragglers that `why` prints besides causes and remedies.
#pragma once

#include "engine/analyze/scaling.h"
#include "engine/analyze/stragglers.h"
#include "engine/base/json_writer.h"

#include <string>

namespace syncopate::cli {

void writeScaling(JsonWriter &json, const Job &job, const Scaling &scaling);
[[nodiscard]] std::string scalingText(const Job &job, const Scaling &scaling);
/// Adds the key "stragglers"; an object with an error if nothing could be played.
void writeStragglers(JsonWriter &json, const Result<Stragglers> &found);
[[nodiscard]] std::string stragglersText(const Result<Stragglers> &found);

} // namespace syncopate::cli

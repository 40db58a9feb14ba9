// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_writer.h"
#include "engine/search/winner.h"

#include <string>

namespace syncopate::cli {

// Writes the result of `search --explain`, as the member "explained" of an object and as text.
void writeExplained(JsonWriter &json, const WinnerReport &explained);
[[nodiscard]] std::string explainedText(const WinnerReport &explained);

} // namespace syncopate::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/trace_difference.h"
#include "engine/export/table.h"

namespace syncopate {

/// All rows of a comparison: kind (op, layer, stream), name, seconds and spans of a step in A and in B, and the change.
[[nodiscard]] Table tableOf(const TraceDifference &difference);

} // namespace syncopate

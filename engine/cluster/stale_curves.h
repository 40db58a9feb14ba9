// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace syncopate {

/// The note of a cluster whose measured collectives withoutStaleCurves() has left out.
inline constexpr const char *staleCurvesNote = "Measured times of collectives are left out: they belong to other links.";

} // namespace syncopate

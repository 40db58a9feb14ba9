// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"
#include "engine/strategy/launcher.h"

#include <string>

namespace syncopate {

/// The file that makes the launcher's system do what `scenario` says, in the units that it reads. The settings that would tune
/// these knobs away while training are switched off. What a setting cannot say but a script can (a compressor, the wrapper that
/// crosses the barrier) stands in comments.
/// Errors: the policy, the strategy or the collective algorithm is one that the system has no way to do; the text says
/// which, and what could be simulated instead.
[[nodiscard]] Result<std::string> writeLauncherSettings(const Launcher &launcher, const Scenario &scenario);

} // namespace syncopate

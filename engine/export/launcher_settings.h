// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"
#include "engine/strategy/launcher.h"

#include <string>

namespace syncopate {

/// The settings file with which the launcher's system runs as in `scenario`, in the units that it reads. Settings that would tune
/// these knobs during training are switched off. Settings that only a script can express (a compressor, the wrapper that crosses
/// the barrier) stand in comments. Errors: the system cannot do the policy, the strategy or the collective algorithm; the text
/// names it, and an alternative to simulate.
[[nodiscard]] Result<std::string> writeLauncherSettings(const Launcher &launcher, const Scenario &scenario);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/launcher_settings.h"

#include "engine/strategy/policy.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

Result<std::string> writeLauncherSettings(const Launcher &launcher, const Scenario &scenario) {
    const auto &able = scenario.policy.kind().launchers;
    if (std::find(able.begin(), able.end(), &launcher) == able.end())
        return fail(fmt::format("the policy {} does not model {}", formatPolicy(scenario.policy), launcher.system),
                    fmt::format("simulate {}(..) instead, then export its settings", launcher.policy));
    return launcher.write({*scenario.job, *scenario.cluster, *scenario.strategy, scenario.policy});
}

} // namespace syncopate

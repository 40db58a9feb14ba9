// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/tune/settings_cost.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// The findings in a launcher's settings, and the settings' costs.
struct SettingsReport {
    SettingsFindings found;
    std::vector<SettingsCost> costs; ///< of each meaning that can be simulated; none without a job
};

/// Checks settings by their systems' rules and, with a recipe, against its job and cluster: its strategy and policy are replaced
/// by those that the settings describe. `fileOrText`: a file, or the settings themselves. Errors: they cannot be read, they
/// contain no setting, a requested stop. A meaning that cannot be simulated becomes a finding.
[[nodiscard]] Result<SettingsReport> reportSettings(const std::string &fileOrText, const std::optional<ScenarioRecipe> &recipe,
                                                    const std::stop_token &stop = {});

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/space/recipe.h"
#include "engine/strategy/settings/lint_settings.h"
#include "engine/trial/judge.h"

#include <stop_token>
#include <string>

namespace syncopate {

/// The predicted cost of settings for a job; seconds of an iteration.
struct SettingsCost {
    SettingsMeaning meaning;
    double seconds = 0;
    double defaultSeconds = 0; ///< with the system's defaults
    /// The fastest of the two above and a small grid of the policy's sizes, with the switches that are set and the overlap that
    /// they allow. The defaults are not taken where they give up a sharded optimiser that is set.
    double bestSeconds = 0;
    std::string bestPolicy;
    bool defaultsServe = true; ///< the defaults keep a sharded optimiser where it is set
};

/// Simulates the settings for the job on the cluster: all-reduce of every variable, or load-balanced parameter servers. Errors:
/// the scenario cannot be built or simulated.
[[nodiscard]] Result<SettingsCost> costOfSettings(const SettingsMeaning &meaning, const ScenarioRecipe &base, Judge &judge,
                                                  std::stop_token stop = {});

inline constexpr double harmfulShare = 0.02; ///< settings slower than the defaults by more than this are harmful
inline constexpr double betterShare = 0.05;  ///< a best setting faster by more than this is worth a note
/// The lint marks that follow from the cost, without a setting's name.
[[nodiscard]] std::vector<SettingMark> marksOfCost(const SettingsCost &cost);

} // namespace syncopate

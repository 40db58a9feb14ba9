// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "engine/store/project_file.h"

#include <string>

namespace syncopate::cli {

/// The project that a search is to be kept in: the file's, or a new one where there is no such file. Errors: the file is no
/// project, or `options` have settings that projects do not keep.
[[nodiscard]] Result<Project> projectForSearch(const ScenarioOptions &options, const std::string &path);

/// Saves the project with `search`, whose plan is made here, in place of the one it had, which becomes one of the past; a new
/// project shows the best builder and the best trial side by side. `profile` is that of the job, if any; the project then keeps
/// its measured timeline, too.
[[nodiscard]] Outcome saveSearch(const Common &common, Project project, const std::string &path, const ScenarioOptions &options,
                                 const PlannedSearch &planned, const std::shared_ptr<const ImportedProfile> &profile,
                                 SearchState search);

} // namespace syncopate::cli

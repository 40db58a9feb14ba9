// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/store/project_file.h"

#include <string>

namespace syncopate::cli {

/// The project that a search is to be kept in: what the file holds, or a new one where there is no such file. Errors: it is no
/// project, or `options` say what a project has no place for.
[[nodiscard]] Result<Project> projectForSearch(const ScenarioOptions &options, const std::string &path);

/// Saves the project with the search in place of the one it had; a new one shows the best builder and the best trial side by
/// side. `profile` is what the job was read from, whose measured timeline the project then has, too.
[[nodiscard]] Outcome saveSearch(const Common &common, Project project, const std::string &path, const ScenarioOptions &options,
                                 const SearchRequest &request, const std::shared_ptr<const ImportedProfile> &profile,
                                 const SamplerSettings &sampler, const std::string &method, SearchHistory history);

} // namespace syncopate::cli

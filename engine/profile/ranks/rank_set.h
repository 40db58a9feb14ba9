// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"
#include "engine/profile/profile.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// Imports ranks and execution traces from files, folders and archives, as importProfiles() does after recognising them.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> importRanks(const std::vector<std::string> &paths,
                                                                         const ImportOptions &options = {},
                                                                         std::stop_token stop = {}, Progress *progress = nullptr);

/// True where a path names a folder: of ranks, unless its own reader knows better.
[[nodiscard]] bool isFolder(const std::string &path);

} // namespace syncopate

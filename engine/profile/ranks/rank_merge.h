// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/ranks/rank_align.h"

#include <memory>
#include <vector>

namespace syncopate::kineto {

/// One profile of several ranks: lanes of all of them on the first rank's clock, the job and steps of the rank whose step is the
/// median. With one rank, that rank's profile. An error when they do not belong together (alignRanks).
[[nodiscard]] Result<std::shared_ptr<ImportedProfile>> mergeRanks(std::vector<RankFacts> ranks);

} // namespace syncopate::kineto

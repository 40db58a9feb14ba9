// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search.h"
#include "engine/search/search_method.h"
#include "engine/trial/judge.h"

#include <string>

namespace syncopate {

/// A search's data set {(G, D, S), f} as JSON lines: first a line for all (format, job, cluster as a resource_spec.yml, judge,
/// method, seed), then one line for each baseline and trial with a time or an error: `builder` or `trial`, `source` where the
/// method names one, `strategy`, `seconds` (null without a time), `confidence`, `spread_seconds`, `error`. Equal strategies of a
/// deterministic judge are written once. Errors: genes that the method cannot decode.
[[nodiscard]] Result<std::string> trialLines(const SearchRequest &request, const SearchMethod &method, const Judge &judge,
                                             const SearchHistory &history);

} // namespace syncopate

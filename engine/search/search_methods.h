// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search.h"
#include "engine/strategy/arguments.h"

#include <memory>
#include <string_view>
#include <vector>

namespace syncopate {

/// The methods that expressions may name, with their arguments:
///
///   random(whole=100KB, split=2147483647, parts=2..40, balance=on, slack=1, merge=on, groups=1..20, synchronisers=both,
///          shares=on)    Random+G of AutoDist (engine/search/random_search.h)
///   rules(stretches=3, classes=3, fresh=10, reductions=off)    evolution over rules (engine/search/rule_search.h)
///   anneal(hot=30, halving=60)    simulated annealing over rules (engine/search/anneal_search.h)
///   autosync(simulator=predefined, proposals=rules, explore=20, diversity=20, similarity=choices)
///          Algorithm 1 of AutoDist (engine/search/autosync_search.h)
///   released(variant=autostrategy_fixed)    AutoSync's released sampler (engine/search/released_sampler.h)
[[nodiscard]] const std::vector<ExpressionInfo> &searchMethods();

/// A method for `request` from its expression. Errors: an unknown method (lists all), an argument that it does not take or that
/// is out of bounds (the place is a byte offset in `expression`); no job or cluster, or a cluster without reduction devices.
[[nodiscard]] Result<std::unique_ptr<SearchMethod>> makeSearchMethod(std::string_view expression, const SearchRequest &request);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/meta_network.h"
#include "engine/search/tune/point_search.h"
#include "engine/strategy/arguments.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace syncopate {

/// The tuners that expressions may name:
///
///   grid(steps=8)         all points of a grid with that many values an axis, or all whole numbers of a shorter range
///   random()              points drawn evenly
///   coordinate()          coordinate descent, as AutoCCL tunes: one axis at a time, as long as it gets faster
///   nelder_mead()         NLopt's simplex (Nelder and Mead 1965), from the present setting
///   direct()              NLopt's DIRECT (Jones, Perttunen and Stuckman 1993)
///   bo(preset=own, kernel=matern, xi=0.01, first=8)    Bayesian optimisation: bayes_search.h
///   meta(tries=3)         AutoByte's meta-network: meta_tuner.h
[[nodiscard]] const std::vector<ExpressionInfo> &tuners();

/// A tuner from its expression; a '-' in its name is read as '_'. Errors: an unknown tuner (lists all), an argument that it does
/// not take, a preset or a network for other knobs than the space's. `network` is for meta(); null: the shipped one.
[[nodiscard]] Result<std::unique_ptr<PointSearch>> makeTuner(std::string_view expression, const TuneSpace &space,
                                                             std::uint64_t seed,
                                                             std::shared_ptr<const MetaNetwork> network = nullptr);
/// The points of a grid with gridCounts(axes, counts) values on the axes, the last axis changing first.
[[nodiscard]] std::unique_ptr<PointSearch> makeGrid(const TuneSpace &space, const std::vector<std::size_t> &counts);

} // namespace syncopate

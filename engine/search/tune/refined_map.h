// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a map of a space that is useful at once and becomes detailed. The problem: its slowest points, tiny partitions, cost a
// hundred times its fastest. So a dozen points of the grid come first, then those halfway between them, beginning with the ones
// beside the fastest known points. A map that is stopped early is fine where settings are good.
#pragma once

#include "engine/search/tune/tuning.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

namespace syncopate {

/// The level of each point of a grid, in the order of Landscape::points: 0 on the coarsest grid, up to five values of an axis
/// (the first and the last among them); each level halves the steps of the one before.
[[nodiscard]] std::vector<std::size_t> mapLevels(const std::vector<std::size_t> &counts);

/// How much of a map is made, and on how many threads.
struct MapOptions {
    bool coarse = false;  ///< only level 0; the other points keep no times and no error
    unsigned threads = 0; ///< 0 = one per core
};

/// Receives a point of the grid when it is judged: on any thread, one call at a time.
using MapSink = std::function<void(std::size_t point, const TuneStep &step)>;

/// The points of landscapeOf() for the same number of values `asked` of each axis, with the same values and times, judged level
/// by level. Errors: `stop` was requested.
[[nodiscard]] Result<Landscape> refineMap(const TuneSpace &space, const std::vector<std::size_t> &asked, Judge &judge,
                                          const MapOptions &options, const MapSink &sink, const std::stop_token &stop = {});

} // namespace syncopate

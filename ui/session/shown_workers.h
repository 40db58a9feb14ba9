// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/recording.h"
#include "engine/simulate/run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate::ui {

/// A worker (class), rank or device of a run.
struct ShownWorker {
    std::int32_t id = 0; ///< Lane::worker
    std::string name;    ///< "workers 0–15", "rank 3", "GPU 1"
};

/// Those of the graph; without a graph those that lanes of the timeline belong to, by id, or worker 0 where none does. A
/// recording has no names of its workers, but its lanes begin with them ("rank 3 compute stream 7"): a name is as many words as
/// all lanes of the worker begin with, and no more than tell it from the others. O(lanes).
[[nodiscard]] std::vector<ShownWorker> workersOf(const Recording &recording, const GraphRun *graph);

} // namespace syncopate::ui

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

/// The workers of the graph; without a graph, those that the timeline's lanes belong to, by id, or worker 0 if none does. A
/// recording names its workers only in its lanes ("rank 3 compute stream 7"): a name is the words that all lanes of the worker
/// begin with, no more than distinguish it from the others. O(lanes).
[[nodiscard]] std::vector<ShownWorker> workersOf(const Recording &recording, const GraphRun *graph);

} // namespace syncopate::ui

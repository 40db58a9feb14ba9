// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/graph/task_graph.h"
#include "engine/rewrite/scenario.h"
#include "engine/simulate/event_loop.h"
#include "engine/simulate/run_timeline.h"

#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

/// The part of a simulation that a search needs: the figures of a Run, and the spans of the iteration that they are of.
struct SimulatedIteration {
    double iterationSeconds = 0, confidence = 0, samplesPerSecond = 0; ///< as in Recording
    std::pair<Nanoseconds, Nanoseconds> window;                        ///< as iterationWindow() has it
    std::int32_t windowIterations = 1;                                 ///< as in Recording
    std::vector<WorkerSpans> spans;                                    ///< spansWithin() the window
    std::vector<std::string> assumptions;
    double wallSeconds = 0;
};

/// simulate() for searches, which try hundreds of strategies and look at none of the runs. No timeline is made, and nothing after
/// the iteration is played where its figures do not depend on it. All figures have the bits of simulate(). Errors: those of
/// simulate().
[[nodiscard]] Result<SimulatedIteration> simulateIteration(const Scenario &scenario, std::stop_token stop = {});

/// Changes the capacity of a graph's resources, such as a link's rate, and none of its tasks.
using GraphChange = std::function<void(TaskGraph &)>;
/// The iteration time of a scenario with its graph changed, in seconds. Errors: those of simulate().
[[nodiscard]] Result<double> iterationSecondsWith(const GraphChange &change, const Scenario &scenario, std::stop_token stop = {});

/// Memory of a simulation that has ended, for the next one. A graph of a million tasks has some 120 MB, which the operating
/// system gives page by page: allocating them anew for every trial took a tenth of a search's time (docs/performance.md).
struct SimulationMemory {
    TaskGraph graph;
    Schedule schedule;
    std::optional<Scenario> made{}; ///< from which the graph was made, kept to compare; none where the graph was unrolled further
};
/// The same with the memory of any earlier simulation, which is returned to `memory` unless there was an error. Where only the
/// credit of the policy has changed since, the graph is used again (change_credit.h).
[[nodiscard]] Result<SimulatedIteration> simulateIteration(const Scenario &scenario, SimulationMemory &memory,
                                                           std::stop_token stop = {});

/// Memory that simulations on several threads use in turn: as many as ever ran at once.
class SimulationMemories {
public:
    /// simulateIteration() with one of them. From any thread.
    [[nodiscard]] Result<SimulatedIteration> simulateIteration(const Scenario &scenario, std::stop_token stop = {});

private:
    /// Takes one whose graph can be reused for `scenario`, else the most recently used one.
    [[nodiscard]] SimulationMemory take(const Scenario &scenario);

    std::mutex m_mutex;
    std::vector<SimulationMemory> m_free; ///< of no simulation at present
};

} // namespace syncopate

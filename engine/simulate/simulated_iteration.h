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

/// What a search needs to know of a simulation: the figures of the iteration that a Run's figures are of, and what happens in it.
struct SimulatedIteration {
    double iterationSeconds = 0, confidence = 0, samplesPerSecond = 0; ///< as in Recording
    std::pair<Nanoseconds, Nanoseconds> window;                        ///< as iterationWindow() has it
    std::int32_t windowIterations = 1;                                 ///< as in Recording
    std::vector<WorkerSpans> spans;                                    ///< spansWithin() the window
    std::vector<std::string> assumptions;
    double wallSeconds = 0;
};

/// simulate() for searches, which try hundreds of strategies and look at none of the runs. No timeline is made, and what comes
/// after the iteration is not played where the iteration is known without. All figures have the bits of simulate(). Errors: those
/// of simulate().
[[nodiscard]] Result<SimulatedIteration> simulateIteration(const Scenario &scenario, std::stop_token stop = {});

/// Changes what a graph's resources can do, as a link's rate, and none of its tasks.
using GraphChange = std::function<void(TaskGraph &)>;
/// The iteration time of a scenario with its graph changed, in seconds. Errors: those of simulate().
[[nodiscard]] Result<double> iterationSecondsWith(const GraphChange &change, const Scenario &scenario, std::stop_token stop = {});

/// Memory of a simulation that has ended, for the next one. A graph of a million tasks has some 120 MB, which the operating
/// system gives page by page: getting them anew for every trial took a tenth of a search's time (docs/performance.md).
struct SimulationMemory {
    TaskGraph graph;
    Schedule schedule;
    std::optional<Scenario> made{}; ///< whose graph it is, kept to compare; none where the graph was unrolled further
};
/// The same, with the memory of another simulation, whatever that was of; it is kept in `memory` again unless there was an error.
/// Where only the credit of the policy has changed since, the graph is used again (change_credit.h).
[[nodiscard]] Result<SimulatedIteration> simulateIteration(const Scenario &scenario, SimulationMemory &memory,
                                                           std::stop_token stop = {});

/// Memory that simulations on several threads use one after another: as much as were ever under way at once.
class SimulationMemories {
public:
    /// simulateIteration() with one of them. From any thread.
    [[nodiscard]] Result<SimulatedIteration> simulateIteration(const Scenario &scenario, std::stop_token stop = {});

private:
    /// One whose graph can be used again for `scenario`, if there is any; else the one that was used last.
    [[nodiscard]] SimulationMemory take(const Scenario &scenario);

    std::mutex m_mutex;
    std::vector<SimulationMemory> m_free; ///< of no simulation at present
};

} // namespace syncopate

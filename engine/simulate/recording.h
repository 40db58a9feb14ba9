// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"
#include "engine/timeline/timeline.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace syncopate {

/// A timeline with its figures: everything that pictures and tables of figures need. Profiles (measuredRecording()) and played
/// steps (traceRun()) give one; a simulation gives one with a graph and a scenario besides (Run). Functions that need those take
/// a Run, so they cannot be called with a mere recording. Not the glossary's recording, a file without a training step.
struct Recording {
    std::shared_ptr<const Job> job;
    Timeline timeline;
    /// Simulated: SteadyState::secondsPerStep, by the iteration starts of worker 0. Where workers drift apart
    /// (TaskGraph::workersInStep false): the time of as many samples as all replicas take in one step.
    double iterationSeconds = 0;
    /// Simulated: by how much the long run may differ, as a share (SteadyState::confidence); infinite: not steady.
    double confidence = 0;
    double windowStartSeconds = 0; ///< of worker 0's last full iteration
    /// Iterations that the figures are the means of, worker 0's last full ones: several where those of workers in step differ
    /// (SteadyState::iterations).
    std::int32_t windowIterations = 1;
    double samplesPerSecond = 0;          ///< replicas * countOfStep(*job) / iterationSeconds
    std::int32_t workers = 0;             ///< replicas
    bool measured = false;                ///< by a profile; else simulated or played
    std::uint64_t events = 0;             ///< task starts and completions processed, or events recorded
    std::vector<std::string> assumptions; ///< definition, model, efficiency: shown with the numbers
};

} // namespace syncopate

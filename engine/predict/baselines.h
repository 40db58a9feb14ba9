// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/generate.h"

#include <cstdint>

namespace syncopate {

/// The phases of a step that the two coarse models know with which the async-SGD paper compares (section 1): seconds of one
/// worker alone, means over its steps. Phases do not overlap there; overlap in the trace is charged to the earlier phase.
struct StepPhases {
    double downlinkSeconds = 0;    ///< from the step's start to the end of its last transfer down
    double computeSeconds = 0;     ///< from there to the start of its first transfer up, 0 where that is earlier
    double uplinkSeconds = 0;      ///< from there to the end of its last transfer up
    double updateSeconds = 0;      ///< from there to the step's end
    double busyComputeSeconds = 0; ///< T_P: all of the worker's compute ops
    double transferSeconds = 0;    ///< T_C: bytes of one direction over the bandwidth, of the direction and server with most
    [[nodiscard]] double stepSeconds() const { return downlinkSeconds + computeSeconds + uplinkSeconds + updateSeconds; }
};

/// Phases of the steps in a trace of one worker (GenerateOptions::traceSteps > 0). Where steps overlap (per-layer), the phases
/// overlap too. Zeros where no step is complete.
[[nodiscard]] StepPhases phasesOf(const StepSet &set, const Generated &oneWorker, double bytesPerSecond);

/// Cynthia (Zheng et al., ICPP 2019): W K / (T_P max(1, W U_1) + 2 T_C) samples/s, with U_1 = the share of a
/// single worker's step for which the busiest direction is busy. `linkShare` is the share of the server's link that one worker's
/// connection takes, 0 to 1: T_C is spent at the connection's rate, but keeps the link busy for T_C linkShare only.
[[nodiscard]] double cynthiaSamplesPerSecond(const StepPhases &phases, double batchSize, std::int32_t workers,
                                             double linkShare = 1);

/// The phase-based queueing model as the async-SGD paper describes it (its reference [10]): every worker cycles through the four
/// phases; each direction of the server's link is a processor-sharing station, compute and updates delay a worker without
/// queueing. Solved exactly by mean value analysis (Reiser and Lavenberg 1980), which for processor sharing holds for any
/// distribution. Of a phase on a link, `linkShare` is work of the station; the rest, for which the connection's limit holds bytes
/// back while the link is free, delays like compute. O(workers).
[[nodiscard]] double queueingSamplesPerSecond(const StepPhases &phases, double batchSize, std::int32_t workers,
                                              double linkShare = 1);

} // namespace syncopate

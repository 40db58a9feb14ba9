// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/curve.h"
#include "engine/simulate/recording.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

namespace syncopate {

/// One point of a throughput curve, to be shown step by step.
struct TraceRequest {
    std::shared_ptr<const PredictRequest> request;
    std::int32_t workers = 1;
    double samplesPerSecond = 0;    ///< the curve's value at this point
    std::shared_ptr<const Job> job; ///< that the steps were profiled of
    std::string title;              ///< "4 workers, 1 server"
};

/// Steps that the curve's simulation of that point plays, as a recording: up to eight of each worker after the warm-up (or as
/// much of it as the number of spans allows), and an iteration before them. Per worker a lane for each of the four resources
/// (downlink, compute, uplink, ps; of several servers one for each); launch gaps of the sampled steps are gaps in the compute
/// lane (Lane::hostUntil). Over TCP, whose connections take transfers before the ones in front of them have arrived, a transfer
/// begins where the one before it ends. The iteration is the mean time of a worker's step, and its window begins with worker 0's
/// first step after the warm-up. Lanes are of the first 64 workers. Errors: those of generateTrace(); more ops than can be kept.
[[nodiscard]] Result<std::shared_ptr<const Recording>> traceRun(const TraceRequest &asked, const std::stop_token &stop = {});

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/recording.h"
#include "engine/timeline/time_ranges.h"

#include <span>
#include <stop_token>
#include <utility>

namespace syncopate {

/// Busy and waiting times of one worker in one window, in seconds.
///
/// Compute counts on the worker's compute streams (Lane::isCompute). communicating = any communication lane of the worker is
/// busy; overlap = communicating while computing; wait = the compute stream idles, whatever its host's threads do. Exposed = the
/// part of the wait that communication causes, the worker's own or another worker's: traffic is under way somewhere, or, in a
/// simulation, no worker computes (a collective waits for its cycle or its launch). Waiting for the host is a third kind, neither
/// compute nor exposed: a simulation knows it from its job (Lane::hostUntil), a profile shows it as a wait without traffic.
/// Copying is a fourth: a device copies (Category::Copy), on any of its streams, and runs no kernel. A simulation has no copies:
/// they are part of its layers' durations. The rest of a simulation's wait is for another worker's compute: exposed <= window -
/// compute - host wait - copying, and both are equal where all workers are alike.
struct AreaStatistics {
    std::int32_t worker = -1; ///< whose statistics these are; -1 = means over all
    double windowSeconds = 0;
    double computeSeconds = 0;
    double forwardSeconds = 0;
    double backwardSeconds = 0;
    double updateSeconds = 0;
    double communicationSeconds = 0;
    double pushSeconds = 0;
    double pullSeconds = 0;
    double allReduceSeconds = 0;
    double overlappedSeconds = 0;
    double exposedSeconds = 0;
    double waitSeconds = 0;
    double hostWaitSeconds = 0; ///< of the wait, for the host; simulations only
    double copySeconds = 0;     ///< of the wait, the device copies
    std::size_t spans = 0;
    std::size_t transfers = 0; ///< communication spans that the window touches; the next three count their whole lengths
    double shortestTransferSeconds = 0;
    double meanTransferSeconds = 0;
    double longestTransferSeconds = 0;
    [[nodiscard]] double overlapRatio() const { return communicationSeconds > 0 ? overlappedSeconds / communicationSeconds : 0; }
};

/// The window of a recording's figures: worker 0's last full iteration, or the last Recording::windowIterations of them.
/// [first, second).
[[nodiscard]] std::pair<Nanoseconds, Nanoseconds> iterationWindow(const Recording &recording);

/// Worker 0's last full iteration, with its own length: [first, second). Of a measurement its step, or the whole recording.
[[nodiscard]] std::pair<Nanoseconds, Nanoseconds> lastIteration(const Recording &recording);

/// The mean of `iterations` iterations, given the statistics of all of them; those of single transfers stay.
[[nodiscard]] AreaStatistics perIteration(AreaStatistics all, std::int32_t iterations);

/// Statistics of an iteration, averaged over that window, of the worker with the longest exposed communication; on a tie the
/// first. One definition for tables, strips, reports, traces and searches. Cost and `stop` as areaStatistics().
[[nodiscard]] AreaStatistics iterationStatistics(const Recording &recording, const std::stop_token &stop = {});

/// The stretches of the whole timeline in which communication is exposed to `worker`, in order. Cost and `stop` as
/// areaStatistics().
[[nodiscard]] TimeRanges exposedIntervals(const Timeline &timeline, std::int32_t worker, const std::stop_token &stop = {});

/// Statistics of `worker`'s lanes (all workers' averaged if -1; transfers are those of all) within [from, to). `multiplicity`:
/// how many workers each one stands for, as TaskGraph::workerMultiplicity; empty: itself. O(n log n) for n spans
/// within, times the workers for all; meaningless when `stop` is requested.
[[nodiscard]] AreaStatistics areaStatistics(const Timeline &timeline, Nanoseconds from, Nanoseconds to, std::int32_t worker = -1,
                                            const std::stop_token &stop = {}, std::span<const std::int32_t> multiplicity = {});

} // namespace syncopate

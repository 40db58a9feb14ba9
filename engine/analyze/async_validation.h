// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/spread.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// The configuration of a run of a testbed of asynchronous training, without its number of workers.
struct AsyncConfiguration {
    std::string job;
    double bandwidthGbits = 0;
    bool flowControl = false;
    std::string order; ///< in which a worker requests variables; empty where the table has no such column
    std::int32_t servers = 1;
    // NOLINTNEXTLINE(modernize-use-nullptr): a zero that the compiler writes
    auto operator<=>(const AsyncConfiguration &) const = default;
};

/// One configuration and number of workers: steps per second of all workers together.
struct AsyncRow {
    AsyncConfiguration configuration;
    std::int32_t workers = 0;
    std::int32_t starts = 0;                                                ///< measured
    double measured = 0, measuredMin = 0, measuredMax = 0;                  ///< mean over the starts, min and max
    double predicted = 0, predictedMin = 0, predictedMax = 0;               ///< the same of the simulated starts
    [[nodiscard]] double error() const { return predicted / measured - 1; } ///< signed, relative
};

/// Number of workers past which another one adds less than a tenth of what the first brings; -1 = not reached.
struct AsyncCurve {
    AsyncConfiguration configuration;
    std::int32_t measuredBottleneck = -1, predictedBottleneck = -1;
};

/// All rows of a testbed of asynchronous training with their predictions, and the errors.
struct AsyncValidation {
    std::vector<AsyncRow> rows; ///< by configuration, then workers
    std::vector<AsyncCurve> curves;
    double medianError = 0, maxError = 0; ///< of |error|
    std::size_t within10 = 0;             ///< rows with an error of at most 10 %
    std::vector<std::string> notes;       ///< how predictions were made
};

/// Which rows are simulated, and how.
struct AsyncValidationOptions {
    std::int32_t starts = 10;             ///< simulated for each row
    std::int32_t steps = 60, warmUp = 20; ///< per worker and start, where platform.json does not state the runs' length
    std::string job;                      ///< only rows of this job; empty = all
    std::int32_t maxWorkers = 0;          ///< only rows of at most as many; 0 = all
    std::uint64_t seed = 1;
};

/// Whether `folder` is laid out as the gRPC testbed writes it: runs.csv with a column flow_control, and profiles/.
[[nodiscard]] bool isAsyncFolder(const std::string &folder);

/// Predicts every row of `folder`/runs.csv from the profile of one worker in the same configuration alone
/// (profiles/JOB_GBITSgbits_flow_control_on|off[_order_ORDER]/), and from the links and TCP settings of platform.json. Errors
/// name file and line, or are of kind Cancelled. `spread` takes one part per configuration and does not change the result;
/// whether processes read the same profiles is not checked.
[[nodiscard]] Result<AsyncValidation> validateAsync(const std::string &folder, const AsyncValidationOptions &options = {},
                                                    const std::stop_token &stop = {}, const Spread &spread = {});

} // namespace syncopate

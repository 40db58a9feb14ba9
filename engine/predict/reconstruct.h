// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/generate.h"
#include "engine/predict/recorded_steps.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace syncopate {

/// Time from the last byte of a tensor to its use (section 3.2.1): alpha * size + beta.
struct ParsingOverhead {
    double secondsPerByte = 0; ///< alpha
    double seconds = 0;        ///< beta
    [[nodiscard]] double of(double bytes) const { return secondsPerByte * bytes + seconds; }
    bool operator==(const ParsingOverhead &) const = default;
};

/// A transfer whose bytes had arrived `overheadSeconds` before its op ended.
struct OverheadPair {
    double sizeBytes = 0;
    double overheadSeconds = 0;
};

/// The line through pairs by Theil and Sen: the median of the slopes between pairs of different size, then the median of the
/// remainders; neither is negative. Up to half of the pairs less 29 % may be off by any amount. Slopes are taken between all
/// pairs
/// up to 1000, evenly spread ones beyond. Pairs of one size give their median and no slope. Without pairs, both are 0. O(n^2), n
/// <= 1000.
[[nodiscard]] ParsingOverhead fitOverhead(const std::vector<OverheadPair> &pairs);

/// A stream of an HTTP/2 connection: requested at `start`, `sizeBytes` long.
struct Stream {
    double startSeconds = 0;
    double sizeBytes = 0;
};

/// When the last byte of each stream arrives on a connection of `bytesPerSecond` (section 3.2.2): streams are chosen in the order
/// in which they start (ties: as given); the first time a stream sends at most `windowBytes`, then it waits behind those
/// that wait already, and the second time it sends all the rest. O(n log n).
[[nodiscard]] std::vector<double> streamEnds(const std::vector<Stream> &streams, double bytesPerSecond, double windowBytes);

/// Errors of predicted end times of downlink streams, as the paper's Table 1: |predicted - recorded| / (recorded - step start).
struct EndTimeErrors {
    double average = 0, median = 0, percentile95 = 0, maximum = 0;
    std::size_t streams = 0;
};

/// Predicted against recorded end of one downlink stream; for plots.
struct EndTimeResidual {
    std::int32_t step = 0, op = 0;
    double recordedSeconds = 0, predictedSeconds = 0; ///< from the step's start, parsing included
    double sentSeconds = 0;                           ///< predicted end of its bytes
};

/// What is known about recorded transfers, and what is to be fitted.
struct ReconstructOptions {
    double bytesPerSecond = 0; ///< goodput of the link that the profile was recorded on
    /// Window in bytes, infinite = off. Empty: the one with the least mean error of downlink end times.
    std::optional<double> windowBytes = std::numeric_limits<double>::infinity();
    /// Empty: fitted to the delay of the recorded ends of downlink streams behind the modelled ends of their bytes, and charged
    /// where it is credible as parsing (see reconstruct()).
    std::optional<ParsingOverhead> overhead;
    GenerateOptions replay;     ///< how links are shared and TCP behaves where a fit is tried on one worker; the rest is set here
    std::size_t maxSteps = 100; ///< for window, fit and errors; as many as the paper's Table 1
};

/// The result of reconstruct().
struct Reconstruction {
    StepSet set; ///< transfers as bytes, parsing as ops of their own
    double windowBytes = std::numeric_limits<double>::infinity();
    ParsingOverhead overhead; ///< charged in `set`
    ParsingOverhead fitted;   ///< the line through `pairs`, charged or not
    std::string overheadNote; ///< states what is charged, or why nothing is: one sentence or two
    EndTimeErrors errors;
    std::vector<EndTimeResidual> residuals; ///< of up to maxSteps steps
    std::vector<OverheadPair> pairs;        ///< of the downlinks; empty where the overhead was given
};

/// The slowest parsing that is credible: 100 MB/s, a tenth of what copying and checking bytes takes on one core, and 1 ms per
/// tensor, five times what captures of gRPC show (docs/validation.md).
inline constexpr ParsingOverhead slowestParsing{1e-8, 1e-3};
/// One worker reproduces the recorded steps where its mean step is as long as theirs within this share.
inline constexpr double replayTolerance = 0.05;

/// Section 3.2: every transfer becomes its bytes, followed by a compute op that takes the parsing overhead, on the worker for
/// downlinks and on the server for uplinks. Ops that depended on the transfer depend on that op. Window and overhead are found
/// from the downlinks where they are not given.
///
/// Recorded ends lag the model for all that it misses (a wrong window, other traffic, bursts), not only for parsing, so a fitted
/// overhead is charged only where it lowers the average error of end times, is no slower than slowestParsing, and one worker that
/// plays the steps with it takes as long as they were recorded (replayTolerance). Otherwise nothing is charged, and overheadNote
/// says why. Errors: no bandwidth, or an invalid step set.
[[nodiscard]] Result<Reconstruction> reconstruct(const RecordedSteps &recorded, const ReconstructOptions &options);

} // namespace syncopate

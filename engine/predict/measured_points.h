// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/predict/throughput.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// One measured run.
struct MeasuredPoint {
    std::int32_t workers = 0;
    double perSecond = 0; ///< samples, or steps, of all workers together
    bool operator==(const MeasuredPoint &) const = default;
};

/// Runs that differ in nothing but the number of workers (and the start, where there are several of one number).
struct MeasuredSeries {
    std::string name;     ///< their description in the file: "alexnet, bandwidth_gbits 0.5, flow_control on"; empty = nothing
    bool inSteps = false; ///< perSecond counts steps, not samples
    std::vector<MeasuredPoint> points; ///< ascending in workers, else as in the file
    bool operator==(const MeasuredSeries &) const = default;

    /// Samples per second of `point` where a step has `batchSize` samples.
    [[nodiscard]] double samplesPerSecond(const MeasuredPoint &point, double batchSize) const {
        return inSteps ? point.perSecond * batchSize : point.perSecond;
    }
};

/// Reads a table of measured throughputs: comma, semicolon or tab separated, fields perhaps in double quotes, lines that start
/// with # left out. The header names a column of workers and one of throughput (steps_per_second or iterations_per_second; else
/// samples_per_second, examples_per_second, images_per_second or throughput), in any case, "/s" for "_per_second" and spaces for
/// underscores. Rows are put into one series for each combination of the columns job, model, architecture, servers,
/// bandwidth_gbits, flow_control, window, order and batch_size that there are. Errors: no such columns, a line that is short
/// or has no positive number in them (with the line's number), no rows, more than 100,000. O(n log n).
[[nodiscard]] Result<std::vector<MeasuredSeries>> readMeasuredPoints(std::string_view text, const std::string &file = {});
/// As readMeasuredPoints(), for a file of at most 16 MiB.
[[nodiscard]] Result<std::vector<MeasuredSeries>> readMeasuredPointsFile(const std::string &path);

/// A measured point beside the prediction for the same number of workers.
struct PointError {
    std::int32_t workers = 0;
    double measuredSamplesPerSecond = 0, predictedSamplesPerSecond = 0;
    [[nodiscard]] double relative() const { return predictedSamplesPerSecond / measuredSamplesPerSecond - 1; } ///< > 0: too fast
};

/// Measured points compared with a predicted curve.
struct PointErrors {
    std::vector<PointError> points; ///< those with a prediction, in the series' order
    double median = 0, worst = 0;   ///< of |relative()|; 0 without points
    std::int32_t worstWorkers = 0;
    std::size_t withoutPrediction = 0; ///< points at numbers of workers that `curve` does not have
};
[[nodiscard]] PointErrors pointErrors(const MeasuredSeries &series, const std::vector<Throughput> &curve, double batchSize);

} // namespace syncopate

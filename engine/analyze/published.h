// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/network_effects.h"
#include "engine/base/spread.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// One throughput of a published chart, and its prediction.
struct PublishedRow {
    std::string model;       ///< as the chart calls it
    std::string system;      ///< a strategy builder, or another system
    std::int32_t gpus = 0;   ///< in all
    double published = 0;    ///< samples (transformer: tokens) per second, in all
    double predicted = 0;    ///< the same
    bool calibrated = false; ///< the speed of compute was taken from this row, so it proves nothing
    std::string chart{};     ///< that it is from: "AutoDist", "ByteScheduler"
    [[nodiscard]] double error() const { return predicted / published - 1; } ///< signed, relative
};

/// How well the predictions order the systems of the chart, for one model and number of GPUs.
struct PublishedRanking {
    std::string model;
    std::int32_t gpus = 0;
    std::int32_t systems = 0;
    double spearman = 0, kendall = 0; ///< engine/analyze/rank_correlation.h; NaN where one side has no order
    std::string publishedBest, predictedBest, chart;
};

/// The effects that predictions of charts use; their parameters are published.
inline constexpr NetworkEffects effectsOfCharts{.flowLimit = true, .latencyPipelines = true};

/// All rows of published charts with their predictions, the errors, and the assumptions.
struct PublishedValidation {
    std::vector<PublishedRow> rows;               ///< in the order of the files
    std::vector<PublishedRanking> rankings;       ///< of three systems or more, at sizes without a calibrated row
    double medianError = 0, maxError = 0;         ///< of |error| over the rows that were not calibrated
    double medianSpearman = 0, medianKendall = 0; ///< over the rankings that have one; NaN without any
    std::vector<std::string> notPredicted;        ///< "TF-Distribute: why"
    std::vector<std::string> published;           ///< facts of the test beds, with their source
    std::vector<std::string> assumed;             ///< values filled in, for all rows alike
};

/// Predicts every row of the published charts in `folder` (such as tests/data/measured/published) that the catalogue's models and
/// our builders or policies can represent. Charts are known by their header:
///   model,builder,gpus,samples_per_s_per_gpu     AutoDist's documentation: nodes of 4 T4, 50 Gbit/s
///   model,system,gpus,samples_or_tokens_per_s    ByteScheduler's: nodes of 8 V100, 100 Gbit/s RDMA
/// `model` is the chart's or a catalogue name, `builder` any builder expression without a comma.
/// The speed of compute is calibrated once per (model, builder), on its row with 1 GPU: such that the simulation of that row
/// gives the published throughput. Where there is none, on the model's row "Linear" of the smallest size, whose throughput is
/// that of one GPU times their number. Nothing else is fitted. Errors name the file and, of a damaged row, its line. `spread`
/// takes the rows of a model and system as a part and does not change the result.
[[nodiscard]] Result<PublishedValidation>
validatePublished(const std::string &folder, const NetworkEffects &effects = effectsOfCharts, const Spread &spread = {});
/// Reads the rows of one chart, predicted = 0. At most 2000; GPUs up to 1024, whole nodes of the test bed beyond one.
[[nodiscard]] Result<std::vector<PublishedRow>> readPublishedChart(std::string_view text, const std::string &file = {});
/// Whether the folder holds such a chart.
[[nodiscard]] bool isPublishedFolder(const std::string &folder);

} // namespace syncopate

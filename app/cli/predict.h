// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "engine/predict/setting.h"
#include "engine/session/load_scenario.h"

#include <string>
#include <vector>

namespace syncopate::cli {

class RankSpread;

/// The arguments of `predict`.
struct PredictArguments {
    ScenarioOptions scenario;
    std::string workers = "1-10";
    std::string window = "off";       ///< bytes, "off" or "auto"
    std::string overhead = "auto";    ///< "alpha,beta", "auto" or "off"
    double batchSize = 0;             ///< 0 = the profile's
    double profileBandwidthGbits = 0; ///< 0 = the cluster's
    std::string order = "fifo";
    std::string sharing = "auto";
    std::int32_t steps = PredictSetting().steps, warmUp = PredictSetting().warmUp;
    std::int32_t staleness = -1; ///< -1 = asynchronous
    std::int32_t starts = PredictSetting().starts;
    std::string tcpWindow = "1MiB";
    std::string pairs; ///< file of captured pairs, empty = none
    bool perLayer = false;
    double gain = 0.1;
    double pricePerNodeHour = 0; ///< 0 = not given
};

/// The numbers of workers given by --workers.
[[nodiscard]] Result<std::vector<std::int32_t>> workersOf(const PredictArguments &arguments);

/// Whether the strategy's workers wait for each other, or it partitions variables: then it must be simulated.
[[nodiscard]] bool isOfTheSimulator(const Strategy &strategy);
/// Predicts such a strategy by means of simulate().
[[nodiscard]] Outcome predictBySimulation(const Common &common, const PredictArguments &arguments, const LoadedJob &loaded,
                                          const Cluster &cluster, const StrategyRecipe &strategy, RankSpread &ranks);

} // namespace syncopate::cli

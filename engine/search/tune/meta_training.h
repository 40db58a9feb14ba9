// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/search/tune/pair_choice.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// The training set of the meta-network (AutoByte, section III-B), simulated: catalogue jobs under ByteScheduler, each in a
/// random condition (bandwidth 0.5 to 100 Gbit/s, 2 to 16 workers, parameter servers on nodes of their own or the workers', or
/// all-reduce, latency, cost of a message, compute 5 times as fast to 3 times as slow; in every sixth a slow worker, in every
/// sixth a slow card), with pairs of partition (4 KB to 1 GB) and credit (1 to 16 partitions).
///
/// The target is the speed in the coming iterations, at the simulated bandwidth. Of every four conditions, the monitor's series
/// before them is steady in two; in one it has another bandwidth until some point of the window (up to MetaNetwork::maxChange
/// times as high or low; the look during the change has the mean); and in one it fluctuates by 2 to 30 % about the bandwidth,
/// independently for each card and look. So a change counts at once, noise is averaged, and a late monitor's last look is a
/// mixture.
struct MetaSetOptions {
    std::size_t conditions = 600; ///< to learn from, with `pairs` drawn pairs each
    std::size_t pairs = 16;
    std::size_t heldOutConditions = 20; ///< of the same models, and as many of models that are left out
    std::uint64_t seed = 1;
    bool newestLookAlone = false;   ///< the monitor forgets all earlier looks: a control for what a series is worth
    bool heldOutCandidates = false; ///< held-out conditions have all MetaTuner::candidatePoints(), five times as many
    unsigned threads = 0;           ///< that simulate, 0 = one per core; changes only the time
};

/// The models of the training set; the models left out test it afterwards.
[[nodiscard]] const std::vector<std::string> &metaTrainingModels();
[[nodiscard]] const std::vector<std::string> &metaLeftOutModels();

/// A training set of the meta-network, and two sets that test it.
struct MetaSet {
    std::vector<MetaExample> training;
    std::vector<MetaExample> heldOut; ///< other conditions of the same models, a grid of 12 x 5 pairs each
    std::vector<MetaExample> leftOut; ///< other models, the same grid
    double wallSeconds = 0;
    [[nodiscard]] std::size_t points() const;
};
/// Simulates the set; the same for any number of threads. `progress` counts conditions. Pairs that cut a job into more than
/// MetaTuner::maxPartitions are left out, and so are conditions that leave fewer than two pairs. Errors: `stop` was requested.
[[nodiscard]] Result<MetaSet> makeMetaSet(const MetaSetOptions &options, const std::stop_token &stop = {},
                                          Progress *progress = nullptr);

/// A network's errors on examples that it was not trained on.
struct MetaErrors {
    std::size_t conditions = 0;
    double medianError = 0, p90Error = 0; ///< |predicted / measured - 1| of the speeds, over all pairs
    /// How much faster the grid's fastest pair is than the one chosen by its prediction, or the best of several, relative.
    double medianRegret = 0, meanRegret = 0, p90Regret = 0, maxRegret = 0;
    double within2 = 0, within5 = 0; ///< share of the conditions whose regret is at most 2 and 5 %
    double medianMiddleRegret = 0;   ///< the same of the pair in the middle of the grid, as a control
    double middleWithin5 = 0;
    double randomWithin2 = 0, randomWithin5 = 0; ///< the same of as many pairs drawn from the grid: the expected share
};
/// `tries`: pairs that may be measured for the regret, as MetaSearch chooses them by its rule or another, without adapting.
[[nodiscard]] MetaErrors errorsOf(const MetaNetwork &network, const std::vector<MetaExample> &examples, std::size_t tries = 1,
                                  PairChoice choice = PairChoice::Middle);

} // namespace syncopate

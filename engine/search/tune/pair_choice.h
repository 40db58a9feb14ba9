// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/meta_network.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace syncopate {

/// The rule by which a pair is chosen from predicted speeds. A network errs by more than the speeds of neighbours differ, so the
/// maximum of its predictions is where its noise is highest: at the edge of a plateau as often as in it. The rules stand side by
/// side because docs/tuning.md compares them on simulated conditions; Middle is what AutoByte's arm and `meta()` use.
enum class PairChoice : std::uint8_t {
    Fastest,          ///< the highest prediction, the first of equals
    Middle,           ///< of the pairs tied with it, the one with the min sum of distances to the others
    Averaged,         ///< the highest mean over a pair and its neighbours, weighted by a Gaussian of neighbourOctaves
    LargestPartition, ///< of the pairs tied with it, the one with the largest partition; of equals the fastest
};
inline constexpr PairChoice pairChoices[] = {PairChoice::Middle, PairChoice::Fastest, PairChoice::Averaged,
                                             PairChoice::LargestPartition};
/// "middle", "fastest", "averaged", "largest_partition".
[[nodiscard]] std::string_view nameOf(PairChoice choice);

/// A pair is tied with the fastest pair if the latter's predicted speed is higher by at most this, relative. Of 0.5, 1, 2, 3 and
/// 5 % none lost less on simulated conditions that the network had not seen (docs/tuning.md); wider ties take in slower pairs.
inline constexpr double tieOfPairs = 0.01;
/// Deviation of Averaged's weights, a factor of 1.7: a step of the candidates' partitions.
inline constexpr double neighbourOctaves = 0.8;

/// Whether a pair says little about the other, by factors: the network errs alike on pairs that lie close together.
[[nodiscard]] bool areUnlike(const SchedulerSetting &a, const SchedulerSetting &b);

/// Index of the pair that the rule takes among those unlike every pair of `tried`; null without any. Distances are those of the
/// logarithms of partition and credit. `speeds` (predicted, above 0) are aligned with `settings`. O(settings^2).
[[nodiscard]] std::optional<std::size_t> choosePair(std::span<const SchedulerSetting> settings, std::span<const double> speeds,
                                                    std::span<const SchedulerSetting> tried = {},
                                                    PairChoice choice = PairChoice::Middle);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/collective/collective_log.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

// Shared by the readers of collectives' logs.
namespace syncopate {

inline constexpr std::size_t maxCollectiveSamples = 1'000'000;
inline constexpr double maxCollectiveBytes = 1e18, maxCollectiveSeconds = 1e7;
inline constexpr std::int32_t maxCollectiveRanks = 1'000'000;

/// The collective that a text names, in any known spelling ("all_reduce_perf", "ncclAllReduce", "OSU MPI Bcast"), of several the
/// one with the longest name; empty for any other text. "reduce" has to be a word of its own, and "permute" all of the text.
[[nodiscard]] std::optional<CollectiveKind> collectiveNamed(std::string_view text);
/// The collective that the nearest part of a path names, the file first; vTrain's AR_GPU8_.. is an all-reduce.
[[nodiscard]] std::optional<CollectiveKind> collectiveOfPath(std::string_view path);

/// Whether size and time are finite, not negative and of plausible magnitude; both may be 0.
[[nodiscard]] bool isCollectiveSample(double sizeBytes, double seconds);

/// What the rows of an all-reduce tell about its ranks n, by busbw / algbw = 2 (n-1)/n.
class BusRatio {
public:
    /// `rounding`: what the decimals of the file leave out of a bandwidth at most, in GB/s.
    explicit BusRatio(double rounding) : m_rounding(rounding) {}
    /// A row's bandwidths in GB/s; small ones tell too little and are left out.
    void add(double algorithm, double bus);
    /// The only number up to maxCollectiveRanks that fits all rows; empty if several do, or none.
    [[nodiscard]] std::optional<std::int32_t> ranks() const;

private:
    double m_rounding;
    double m_min = 0, m_max = std::numeric_limits<double>::infinity(); ///< of the ratio
};

/// Sorts the samples, names the collective and, where the log does not say, infers the ranks of an all-reduce from `bus`, if any.
/// Errors: fewer than three samples; no collective is named.
[[nodiscard]] Result<CollectiveLog> finishCollectiveLog(CollectiveLog log, std::optional<CollectiveKind> kind,
                                                        const std::optional<BusRatio> &bus);

} // namespace syncopate

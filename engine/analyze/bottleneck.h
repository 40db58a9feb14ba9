// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/causes.h"

#include <array>
#include <cstdint>
#include <string>

namespace syncopate {

/// The kind of work that an iteration's critical path spends most time on, by its causes (CauseKind).
enum class Bottleneck : std::uint8_t {
    Compute, ///< forward, backward, update
    Network, ///< transfer and sharing: bytes over links
    Host,    ///< a node's CPU: at work for messages, or waited for by its devices
    Latency, ///< fixed times of messages; before the first task, the run's start
};
inline constexpr std::size_t bottleneckCount = 4;
[[nodiscard]] const char *nameOf(Bottleneck bottleneck); ///< "compute"
[[nodiscard]] Bottleneck bottleneckOf(CauseKind kind);

/// How a chain of causes divides its time, and where most of it goes.
struct IterationBottleneck {
    std::array<double, bottleneckCount> shares{}; ///< of the chain, in the order of Bottleneck; they add up to 1, or are all 0
    Bottleneck kind = Bottleneck::Compute;        ///< with the largest share; on a tie the first
    /// The link, or the host's queue, that takes most of its time; empty: no single one. "connections at their own limit" where
    /// transfers that no link limits take longer than those of any link. Links are those of CauseFinder::ofPeriod().
    std::string resource;
};
[[nodiscard]] IterationBottleneck bottleneckOf(const Run &run, const CauseFinder &finder, const CauseChain &chain);

} // namespace syncopate

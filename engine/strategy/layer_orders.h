// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/job/job.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace syncopate {

/// TicTac's orders (Hashemi, Jyothi and Campbell, "TicTac: Accelerating Distributed Deep Learning with Communication
/// Scheduling", sections 4.2 and 4.3) over the forward DAG of general jobs. A layer's parameters are one transfer, since its op
/// needs them all. Both return each layer's rank, 0 = transferred first; that of a layer without a transfer says nothing.
///
/// With dep(op) = transfers that an op waits for directly or through others, M(op) = the time of those, and
/// M+(r) = the min of M(op) over ops that wait for r and others:
/// TIC sorts by M+ with every transfer taking 1 (ties: forward order).
/// TAC takes transfers one by one. With P(r) = time of the ops that by then wait for r alone, a goes before b if
/// min(P(b), M(a)) < min(P(a), M(b)); ties by M+, then forward order. `transferSeconds` is per layer, 0 = no transfer.
/// Cost: chains at once; other DAGs O(layers^2) for TIC and O(layers^3 / 64) for TAC, refused beyond 4096 layers.
[[nodiscard]] Result<std::vector<std::int32_t>> ticOrder(const Job &job, const std::vector<double> &transferSeconds);
[[nodiscard]] Result<std::vector<std::int32_t>> tacOrder(const Job &job, const std::vector<double> &transferSeconds);

/// Bits of a priority that hold a transfer's place in its layer; the bits above them hold the layer's rank.
inline constexpr int placeBits = 24;
/// The priority of a transfer, smaller first: by the rank of its layer, then by its place, from 0. Places from 2^24 - 1 on count
/// as the same, so that they never reach the next layer.
[[nodiscard]] constexpr std::int64_t transferPriority(std::int64_t layerRank, std::int64_t place) {
    constexpr std::int64_t lastPlace = (std::int64_t{1} << placeBits) - 1;
    return (layerRank << placeBits) + std::min(place, lastPlace);
}

} // namespace syncopate

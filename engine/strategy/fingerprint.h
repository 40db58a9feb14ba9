// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/strategy/strategy.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace syncopate {

/// 128 bits that identify a strategy: equal for equal node configs and replicas, whatever their ids and paths; different, almost
/// certainly, for all others.
struct StrategyFingerprint {
    std::uint64_t high = 0, low = 0;
    bool operator==(const StrategyFingerprint &) const = default;
};

/// O(shards).
[[nodiscard]] StrategyFingerprint fingerprintOf(const Strategy &strategy);

} // namespace syncopate

template <> struct std::hash<syncopate::StrategyFingerprint> {
    [[nodiscard]] std::size_t operator()(const syncopate::StrategyFingerprint &fingerprint) const noexcept {
        return static_cast<std::size_t>(fingerprint.low);
    }
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Most systems fill buckets with gradients of one type, one after the other, and differ in little: what they count, whether the
// gradient that reaches the limit still goes into the bucket, and in which order gradients come. These details decide when a
// bucket may be sent, so each policy (engine/strategy/policy/) states them as a BucketRule, and buckets are filled in one place.

#include "engine/strategy/policy.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace syncopate {

/// When a bucket is closed.
enum class BucketClosing : std::uint8_t {
    AtLimit,        ///< by the gradient that reaches the limit, as its last one: PyTorch DDP, Megatron-LM
    BeforeOverflow, ///< by a gradient that does not fit and begins the next one: DeepSpeed
    SkipLarge,      ///< as before, but a gradient above the limit goes alone and closes nothing: XLA
};

/// How a system fills its buckets.
struct BucketRule {
    BucketClosing closing = BucketClosing::AtLimit;
    bool countsElements = false; ///< limits are numbers of elements, else bytes
    double limit = std::numeric_limits<double>::infinity();
    double firstLimit = limit;                                         ///< of the first bucket of a type
    std::size_t maxMessages = std::numeric_limits<std::size_t>::max(); ///< of a bucket, at least 1
    bool registered = false;     ///< gradients come in the order of registration, the first layer's first; else as they get ready
    bool launchedByNext = false; ///< a bucket starts when the gradient that closes it is ready (Fusion::launchedBy)
    bool afterBackward = false;  ///< nothing starts before the end of the backward pass (Fusion::afterBackward)
};

/// Fills buckets with the collectives of each type; those of sparse gradients, and messages to servers, go alone. With
/// `launchedByNext` a bucket that nothing closes starts after the backward pass. Buckets come in the order in which they are
/// begun; if `registered` and not `afterBackward` the last begun comes first, as it is ready first. O(messages).
[[nodiscard]] std::vector<Fusion> fillBuckets(const Traffic &traffic, const BucketRule &rule);

/// The knob of overlap: off (buckets wait for the end of the backward pass) or on.
[[nodiscard]] PolicyKnob overlapKnob();

} // namespace syncopate

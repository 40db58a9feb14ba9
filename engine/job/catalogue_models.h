// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"

#include <cstdint>
#include <string>

namespace syncopate::catalogue {

// The catalogue's jobs, generated from the published architectures: variables with the names and in the order of the
// public TensorFlow definitions (Keras applications, google-research/bert), one layer for each convolution, dense layer or
// attention block.
//
//     forward_seconds  = batch * FLOPs(layer, one sample) / sustained FLOP/s      (a multiply-add counts 2)
//     backward_seconds = 2 * forward_seconds                                      (gradients of inputs and of weights)
//
// The device is an NVIDIA T4, float32, 8.1 TFLOP/s peak. The sustained rate is what one T4 reaches end to end in the
// throughput that AutoDist's documentation publishes (petuum/autodist, docs/usage/figure1.png, 1 GPU, AllReduce):
// samples/s * 3 * forward FLOPs. It therefore includes the optimizer, whose own time is 0 here.

[[nodiscard]] Job resNet50();
[[nodiscard]] Job vgg16();
/// `blocks` encoder layers of width `hidden`, heads of 64, 4 * hidden inside the feed-forward part, vocabulary 30522.
[[nodiscard]] Job bert(std::string name, std::int32_t blocks, std::int64_t hidden, std::int64_t batchSize);

} // namespace syncopate::catalogue

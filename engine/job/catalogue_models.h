// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/model_builder.h"

#include <cstdint>
#include <vector>

namespace syncopate::catalogue {

// The catalogue's architectures: variables with the names, shapes and order of the public definitions, one layer for each
// convolution, dense layer, embedding or attention block. engine/job/catalogue.cpp has their batch sizes and devices, and the
// sources of their times.

constexpr std::int64_t bertTokens = 128;       ///< of a sequence
constexpr std::int64_t bertPredicted = 20;     ///< masked tokens of a sequence (max_predictions_per_seq)
constexpr std::int64_t transformerLength = 27; ///< tokens that one token attends to, assumed
constexpr std::int64_t lm1bSteps = 20;         ///< words of a sequence

/// Bottleneck blocks of each of the four stages: 3, 4, 6, 3 for ResNet-50.
void resNet(ModelBuilder &model, const std::vector<std::int32_t> &blocksOfStage);
void vgg16(ModelBuilder &model);
void denseNet121(ModelBuilder &model);
void alexNet(ModelBuilder &model);

void vgg11(ModelBuilder &model);
void googLeNet(ModelBuilder &model);
void inceptionV3(ModelBuilder &model);
void inceptionV4(ModelBuilder &model);

/// `blocks` encoder layers of width `hidden`, heads of 64, 4 * hidden inside the feed-forward part, vocabulary 30522, with the
/// pre-training heads. `sparse`: the gradient of the word embeddings stays IndexedSlices.
void bert(ModelBuilder &model, std::int32_t blocks, std::int64_t hidden, bool sparse);
void transformerBase(ModelBuilder &model);
void lm1b(ModelBuilder &model);

/// `layers`: widths of the perceptron, the first being its input, half of it from each table.
void neuralCollaborativeFiltering(ModelBuilder &model, std::int64_t users, std::int64_t items, std::int64_t factors,
                                  const std::vector<std::int64_t> &layers, bool sparse);

} // namespace syncopate::catalogue

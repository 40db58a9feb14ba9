// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/model_builder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate::catalogue {

/// The input of a layer: the layers that produce it (several after a concatenation or an addition), and its size.
struct FeatureMap {
    std::vector<std::int32_t> producers; ///< none for the network's input
    std::int64_t channels = 3;
    std::int64_t side = 224; ///< height and width
};

/// One step of a column of an Inception module.
struct Step {
    enum class Kind : std::uint8_t { Convolution, Pool, Share };
    Kind kind = Kind::Convolution;
    std::int64_t out = 0; ///< channels
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t stride = 1;
    bool valid = false; ///< no padding
};
[[nodiscard]] inline Step conv(std::int64_t out, std::int64_t height, std::int64_t width) {
    return {Step::Kind::Convolution, out, height, width, 1, false};
}
/// A 3x3 convolution of stride 2 without padding.
[[nodiscard]] inline Step reduce(std::int64_t out) { return {Step::Kind::Convolution, out, 3, 3, 2, true}; }
[[nodiscard]] inline Step pool() { return {Step::Kind::Pool, 0, 3, 3, 1, false}; }
[[nodiscard]] inline Step poolReduce() { return {Step::Kind::Pool, 0, 3, 3, 2, true}; }
/// The output of the same step in the column before.
[[nodiscard]] inline Step share() { return {Step::Kind::Share, 0, 1, 1, 1, false}; }
using Column = std::vector<Step>;

/// A convolutional network whose layers number themselves, in one of two public naming schemes:
///
///   Keras       conv2d_7/kernel:0, batch_normalization_7/beta:0                  (no bias, no gamma)
///   Benchmarks  v/cg/conv7/conv2d/kernel:0, v/cg/conv7/biases:0 or .../batchnorm7/beta:0, v/cg/affine0/weights:0
///
/// Pooling, concatenation and additions have no variables and next to no work, so they are not layers.
class ConvNet {
public:
    enum class Naming : std::uint8_t { Keras, Benchmarks };
    ConvNet(ModelBuilder &model, Naming naming, bool normalised) : m_model(model), m_naming(naming), m_normalised(normalised) {}

    FeatureMap apply(const FeatureMap &input, const Step &step, const std::string &scope = {});
    /// Columns side by side, concatenated along channels. `name` numbers itself too: incept_v10, incept_v11, ...
    FeatureMap inception(const std::string &name, const FeatureMap &input, const std::vector<Column> &columns);
    FeatureMap affine(const FeatureMap &input, std::int64_t out);

private:
    ModelBuilder &m_model;
    Naming m_naming;
    bool m_normalised;
    std::int32_t m_convolutions = 0;
    std::int32_t m_affines = 0;
    std::vector<std::string> m_modules;
};

} // namespace syncopate::catalogue

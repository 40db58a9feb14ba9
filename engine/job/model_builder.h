// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace syncopate::catalogue {

using Shape = std::vector<std::int64_t>;
/// New variables of a layer: name and shape, float32 and dense unless markSparse() says otherwise.
using NamedShapes = std::vector<std::pair<std::string, Shape>>;

/// Floating-point operations of a convolution on a square output of `side` by `side`; a multiply-add counts 2.
[[nodiscard]] double convolutionFlops(std::int64_t kernelHeight, std::int64_t kernelWidth, std::int64_t in, std::int64_t out,
                                      std::int64_t side);
/// The same of `rows` rows through a dense layer, or of a product of matrices rows x in and in x out.
[[nodiscard]] double denseFlops(std::int64_t in, std::int64_t out, std::int64_t rows = 1);

/// Builds a job layer by layer, with times by the formula of engine/job/catalogue.h.
class ModelBuilder {
public:
    ModelBuilder(std::string name, double batchSize, double sustainedFlopsPerSecond);

    /// Adds a layer of `flops` floating-point operations per sample that reads the outputs of `parents`. Returns its index.
    std::int32_t layer(std::string name, double flops, std::vector<std::int32_t> parents, const NamedShapes &variables);
    /// Adds a layer after the one before it.
    std::int32_t next(std::string name, double flops, const NamedShapes &variables);
    /// Registers a variable that a later layer owns: for models that register variables in another order than they use them.
    std::int32_t declare(std::string name, Shape shape, bool sparse);
    /// Gives declared variables to a layer, in the order in which they were registered.
    void own(std::int32_t layer, const std::vector<std::int32_t> &variables);
    /// Marks the gradient of the variable registered last, whichever layer's it is, as sparse (IndexedSlices). There must be one.
    void markSparse() { m_job.variables.back().sparse = true; }
    [[nodiscard]] std::int32_t last() const { return static_cast<std::int32_t>(m_job.layers.size()) - 1; }

    [[nodiscard]] Job take() { return std::move(m_job); }

private:
    Job m_job;
    double m_rate;
};

} // namespace syncopate::catalogue

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/model_builder.h"

#include <algorithm>

namespace syncopate::catalogue {

double convolutionFlops(std::int64_t kernelHeight, std::int64_t kernelWidth, std::int64_t in, std::int64_t out,
                        std::int64_t side) {
    return 2.0 * static_cast<double>(kernelHeight * kernelWidth * in * out) * static_cast<double>(side * side);
}

double denseFlops(std::int64_t in, std::int64_t out, std::int64_t rows) {
    return 2.0 * static_cast<double>(in * out) * static_cast<double>(rows);
}

ModelBuilder::ModelBuilder(std::string name, double batchSize, double sustainedFlopsPerSecond) : m_rate(sustainedFlopsPerSecond) {
    m_job.name = std::move(name);
    m_job.batchSize = batchSize;
}

std::int32_t ModelBuilder::layer(std::string name, double flops, std::vector<std::int32_t> parents,
                                 const NamedShapes &variables) {
    Layer layer;
    layer.name = std::move(name);
    layer.forwardSeconds = m_job.batchSize * flops / m_rate;
    layer.backwardSeconds = 2 * layer.forwardSeconds;
    layer.parents = std::move(parents);
    for (const auto &[variable, shape] : variables) {
        layer.variables.push_back(static_cast<std::int32_t>(m_job.variables.size()));
        m_job.variables.push_back({variable, shape, DataType::Float32, false, false});
    }
    m_job.layers.push_back(std::move(layer));
    return last();
}

std::int32_t ModelBuilder::next(std::string name, double flops, const NamedShapes &variables) {
    std::vector<std::int32_t> parents;
    if (!m_job.layers.empty())
        parents.push_back(last());
    return layer(std::move(name), flops, std::move(parents), variables);
}

std::int32_t ModelBuilder::declare(std::string name, Shape shape, bool sparse) {
    m_job.variables.push_back({std::move(name), std::move(shape), DataType::Float32, sparse, false});
    return static_cast<std::int32_t>(m_job.variables.size()) - 1;
}

void ModelBuilder::own(std::int32_t layer, const std::vector<std::int32_t> &variables) {
    auto &owned = m_job.layers[static_cast<std::size_t>(layer)].variables;
    owned.insert(owned.end(), variables.begin(), variables.end());
    std::sort(owned.begin(), owned.end());
}

} // namespace syncopate::catalogue

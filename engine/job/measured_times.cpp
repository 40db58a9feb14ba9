// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/measured_times.h"

#include "engine/job/batch.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace syncopate {

namespace {

constexpr double minShare = 0.95;

struct Elements {
    std::int64_t all = 0;
    std::int64_t largest = 0; ///< of the largest variable
};

Elements elementsOf(const Job &job, const Layer &layer) {
    Elements elements;
    for (const std::int32_t v : layer.variables) {
        const std::int64_t count = job.variables[static_cast<std::size_t>(v)].elementCount();
        elements.all += count;
        elements.largest = std::max(elements.largest, count);
    }
    return elements;
}

/// Per layer of `measured`: the index of its counterpart in `job`, or -1.
std::vector<std::int32_t> pairLayers(const Job &job, const Job &measured) {
    std::map<std::int64_t, std::deque<std::size_t>> bySize;
    for (std::size_t m = 0; m < measured.layers.size(); ++m)
        if (const std::int64_t elements = elementsOf(measured, measured.layers[m]).all; elements > 0)
            bySize[elements].push_back(m);
    std::vector<std::int32_t> partner(measured.layers.size(), -1);
    for (std::size_t l = 0; l < job.layers.size(); ++l) {
        const Elements elements = elementsOf(job, job.layers[l]);
        for (const std::int64_t size : {elements.all, elements.largest}) {
            const auto candidates = bySize.find(size);
            if (size == 0 || candidates == bySize.end() || candidates->second.empty())
                continue;
            partner[candidates->second.front()] = static_cast<std::int32_t>(l);
            candidates->second.pop_front();
            break;
        }
    }
    return partner;
}

} // namespace

Result<Job> withMeasuredTimes(const Job &job, const Job &measured) {
    const std::vector<std::int32_t> partner = pairLayers(job, measured);
    double paired = 0;
    for (const std::int32_t l : partner)
        if (l >= 0)
            paired += static_cast<double>(elementsOf(job, job.layers[static_cast<std::size_t>(l)]).all);
    const double share = paired / std::max(1.0, static_cast<double>(job.parameterCount()));
    if (share < minShare)
        return fail(
            fmt::format("'{}' and '{}' are not the same model: layers of the same size hold {:.1f} % of the parameters, and "
                        "{:.0f} % are needed",
                        job.name, measured.name, std::floor(1000 * share) / 10, 100 * minShare),
            "give a profile of this model");

    Job result = withoutStatedBatch(job);
    result.batchSize = measured.batchSize;
    result.batchStated = measured.batchStated;
    result.updateSeconds = measured.updateSeconds;
    result.updateHostSeconds = measured.updateHostSeconds;
    for (Layer &layer : result.layers)
        layer.forwardSeconds = layer.backwardSeconds = layer.forwardHostSeconds = layer.backwardHostSeconds = 0;
    std::int32_t current = *std::find_if(partner.begin(), partner.end(), [](std::int32_t l) { return l >= 0; });
    for (std::size_t m = 0; m < measured.layers.size(); ++m) {
        if (partner[m] >= 0)
            current = partner[m];
        Layer &layer = result.layers[static_cast<std::size_t>(current)];
        layer.forwardSeconds += measured.layers[m].forwardSeconds;
        layer.backwardSeconds += measured.layers[m].backwardSeconds;
        layer.forwardHostSeconds += measured.layers[m].forwardHostSeconds;
        layer.backwardHostSeconds += measured.layers[m].backwardHostSeconds;
    }
    result.notes.push_back(fmt::format(
        "Measured: times, the update's included, and the batch are those of '{}', {}; notes above on the job's own no longer "
        "apply; "
        "layers of the same size hold {:.1f} % of the parameters.",
        measured.name, statesBatch(measured) ? fmt::format("batch {}", measured.batchSize) : "whose batch is not known",
        100 * share));
    result.notes.insert(result.notes.end(), measured.notes.begin(), measured.notes.end());
    return result;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/random_search.h"

#include <fmt/format.h>

namespace syncopate {

RandomSearch::RandomSearch(std::shared_ptr<const Job> job, std::shared_ptr<const Cluster> cluster,
                           const SamplerSettings &settings, std::uint64_t seed)
    : m_job(std::move(job)), m_cluster(std::move(cluster)), m_settings(settings), m_seed(seed) {}

Result<std::vector<std::shared_ptr<const Strategy>>> RandomSearch::propose(std::uint64_t first, std::stop_token stop) {
    std::vector<std::shared_ptr<const Strategy>> batch;
    for (std::uint64_t trial = first; trial < first + batchSize(); ++trial) {
        if (stop.stop_requested())
            return cancelled();
        batch.push_back(*reproduce(trial));
    }
    return batch;
}

Result<std::shared_ptr<const Strategy>> RandomSearch::reproduce(std::uint64_t trial) {
    // Two steps of SplitMix64 keep the streams of neighbouring seeds and trials apart.
    Rng rng(Rng(Rng(m_seed).next() ^ trial).next());
    return std::make_shared<const Strategy>(sampleStrategy(*m_job, *m_cluster, m_settings, rng));
}

const std::vector<SearchMethodInfo> &searchMethods() {
    static const std::vector<SearchMethodInfo> methods{
        {"random", "Random+G of AutoDist: samples guided by the constraints c_lb and c_am, each simulated"}};
    return methods;
}

Result<std::unique_ptr<SearchMethod>> makeSearchMethod(std::string_view name, const SearchRequest &request,
                                                       const SamplerSettings &settings) {
    std::string known;
    for (const SearchMethodInfo &method : searchMethods())
        known += (known.empty() ? "" : ", ") + method.name;
    if (name != "random")
        return fail(fmt::format("there is no search method '{}'", name), fmt::format("use one of: {}", known));
    TRY(validateSampler(settings));
    if (!request.base.job || !request.base.cluster)
        return fail("a search needs a job and a cluster", "load both");
    if (request.base.cluster->reductionDevices().empty())
        return fail("the cluster has no device for a parameter server", "add a node");
    return std::make_unique<RandomSearch>(request.base.job, request.base.cluster, settings, request.seed);
}

} // namespace syncopate

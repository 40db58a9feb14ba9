// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/setting.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace syncopate {

namespace {

constexpr std::int32_t mostWorkers = 4096, mostServers = 1000;

/// Bytes of each variable, by what comes down for it.
std::vector<double> variableBytes(const StepGraph &graph) {
    std::vector<double> bytes;
    for (const StepOp &op : graph.ops) {
        if (op.variable < 0 || op.resource != StepResource::Downlink)
            continue;
        if (static_cast<std::size_t>(op.variable) >= bytes.size())
            bytes.resize(static_cast<std::size_t>(op.variable) + 1, 0);
        bytes[static_cast<std::size_t>(op.variable)] += op.sizeBytes;
    }
    return bytes;
}

} // namespace

Result<std::shared_ptr<const Reconstruction>> reconstructionOf(const Job &job, const ImportedProfile *profile,
                                                               double bytesPerSecond, std::optional<double> windowBytes) {
    if (!profile || profile->opGraphs.empty())
        return nullptr;
    const auto steps = recordedStepsOf(profile->opGraphs, profile->file, job.batchSize);
    if (!steps)
        return Unexpected(steps.error());
    ReconstructOptions options;
    options.bytesPerSecond = bytesPerSecond;
    options.windowBytes = windowBytes;
    auto made = reconstruct(*steps, options);
    if (!made)
        return Unexpected(made.error());
    return std::make_shared<const Reconstruction>(*std::move(made));
}

Result<std::shared_ptr<const PredictRequest>> predictRequest(const Job &job, const ImportedProfile *profile,
                                                             const Reconstruction *reconstruction, const Cluster &cluster,
                                                             const PredictSetting &setting) {
    const std::int32_t servers =
        setting.servers != 0 ? setting.servers : std::max(static_cast<std::int32_t>(cluster.serverOnly.size()), 1);
    if (setting.mostWorkers < 1 || setting.mostWorkers > mostWorkers || servers < 1 || servers > mostServers)
        return fail(fmt::format("{} workers and {} servers", setting.mostWorkers, servers),
                    fmt::format("ask for 1 to {} workers and 1 to {} servers", mostWorkers, mostServers));
    if (cluster.nodes.empty())
        return fail("the cluster has no nodes", "choose a cluster");
    if (!reconstruction && !setting.windowBytes)
        return fail("the profile has no recorded transfers to find the window from", "give the window a size, or turn it off");
    auto request = std::make_shared<PredictRequest>();
    auto steps = reconstruction ? Result<StepSet>(reconstruction->set)
                                : stepSetFromJob(job, profile ? profile->samples : std::vector<StepSample>());
    if (!steps)
        return Unexpected(steps.error());
    if (setting.batchSize > 0)
        steps->batchSize = setting.batchSize;
    const std::vector<double> bytes = variableBytes(steps->graph);
    if (bytes.empty())
        return fail("the profile tells no sizes of variables, so nothing is sent", "open a profile or job file that has them");
    if (steps->graph.servers != servers || servers > 1) {
        steps = withPlacement(std::move(*steps), placeGreedily(bytes, servers), servers);
        if (!steps)
            return Unexpected(steps.error());
    }
    request->steps = std::make_shared<const StepSet>(*std::move(steps));
    request->cluster =
        static_cast<std::int32_t>(cluster.serverOnly.size()) == servers ? cluster : withDedicatedServers(cluster, servers);
    if (setting.bandwidthGbits > 0)
        request->cluster = withBandwidth(request->cluster, setting.bandwidthGbits);
    request->workers.resize(static_cast<std::size_t>(setting.mostWorkers));
    std::iota(request->workers.begin(), request->workers.end(), 1);
    request->order = setting.order;
    request->gain = setting.gain;
    request->generate.windowBytes = reconstruction ? reconstruction->windowBytes : *setting.windowBytes;
    request->generate.sharing = setting.sharing;
    request->generate.steps = setting.steps;
    request->generate.warmUp = setting.warmUp;
    request->generate.seed = setting.seed;
    return request;
}

} // namespace syncopate

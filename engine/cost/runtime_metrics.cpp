// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/runtime_metrics.h"

#include "engine/job/batch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace syncopate {

namespace {

bool isServed(const Synchronizer &synchronizer) { return synchronizer.kind == SynchronizerKind::ParameterServer; }

/// Share of a variable's bytes that are served by parameter servers.
double servedShareOf(const NodeConfig &node) {
    if (!node.isPartitioned())
        return isServed(node.synchronizer) ? 1 : 0;
    const auto served =
        std::count_if(node.parts.begin(), node.parts.end(), [](const PartConfig &part) { return isServed(part.synchronizer); });
    return static_cast<double>(served) / static_cast<double>(node.parts.size());
}

void measureModel(const Scenario &scenario, RuntimeMetrics &metrics) {
    const Job &job = *scenario.job;
    double served = 0, all = 0;
    for (const Layer &layer : job.layers) {
        double bytes = 0;
        for (const std::int32_t v : layer.variables) {
            const auto index = static_cast<std::size_t>(v);
            const double variableBytes = job.variables[index].gradientBytes();
            bytes += variableBytes;
            metrics.largestVariableBytes = std::max(metrics.largestVariableBytes, variableBytes);
            if (index < scenario.strategy->nodes.size())
                served += variableBytes * servedShareOf(scenario.strategy->nodes[index]);
        }
        all += bytes;
        metrics.layerBytes.push_back(bytes);
    }
    metrics.servedShare = all > 0 ? served / all : 0;
}

void measureNodes(const Scenario &scenario, RuntimeMetrics &metrics) {
    const Job &job = *scenario.job;
    const Cluster &cluster = *scenario.cluster;
    std::vector<std::int32_t> trains = cluster.replicaNodes();
    trains.erase(std::unique(trains.begin(), trains.end()), trains.end()); // replicas of a node are adjacent
    metrics.backwardSeconds = Matrix<double>(job.layers.size(), trains.size());
    metrics.upBytesPerSecond = Matrix<double>(1, trains.size());
    for (std::size_t w = 0; w < trains.size(); ++w) {
        const Node &node = cluster.nodes[static_cast<std::size_t>(trains[w])];
        double bytesPerSecond = node.bandwidthBytesPerSecond * cluster.linkEfficiency;
        if (const std::int32_t connections = scenario.policy.connections;
            metrics.servedShare == 0) // a ring has one peer; servers have one connection each
            bytesPerSecond = std::min(node.streamsBytesPerSecond(connections) * cluster.linkEfficiency,
                                      connections * cluster.ringConnectionLimit() * cluster.linkEfficiency);
        metrics.upBytesPerSecond(0, w) = bytesPerSecond;
        for (std::size_t l = 0; l < job.layers.size(); ++l)
            metrics.backwardSeconds(l, w) = job.layers[l].backwardSeconds / node.computeScale;
        metrics.otherSeconds.push_back((job.forwardSeconds() + job.updateSeconds) / node.computeScale);
    }
    metrics.downBytesPerSecond = metrics.upBytesPerSecond;
    if (metrics.servedShare == 0)
        return;
    std::vector<std::int32_t> servers = cluster.serverOnly;
    metrics.serversTrain = servers.empty();
    if (servers.empty())
        servers = trains;
    metrics.servers = static_cast<double>(servers.size());
    for (const std::int32_t n : servers)
        metrics.serverBytesPerSecond +=
            cluster.nodes[static_cast<std::size_t>(n)].bandwidthBytesPerSecond * cluster.linkEfficiency;
}

} // namespace

double RuntimeMetrics::gradientBytes() const { return std::accumulate(layerBytes.begin(), layerBytes.end(), 0.0); }

double RuntimeMetrics::computeSeconds() const {
    double slowest = 0;
    for (std::size_t w = 0; w < workers(); ++w) {
        double seconds = otherSeconds[w];
        for (std::size_t l = 0; l < backwardSeconds.rows; ++l)
            seconds += backwardSeconds(l, w);
        slowest = std::max(slowest, seconds);
    }
    return slowest;
}

double RuntimeMetrics::boundSamplesPerSecond() const {
    const auto count = static_cast<double>(workers());
    const double card =
        *std::min_element(upBytesPerSecond.values.end() - static_cast<std::ptrdiff_t>(workers()), upBytesPerSecond.values.end());
    const double served = gradientBytes() * servedShare, reduced = gradientBytes() - served;
    double network = (served + (count > 1 ? 2 * (count - 1) / count * reduced : 0)) / card;
    if (serverBytesPerSecond > 0)
        network = std::max(network, served * (serversTrain ? count - 1 : count) / serverBytesPerSecond);
    return batchSamples / std::max(computeSeconds(), network);
}

RuntimeMetrics metricsAfter(std::span<const RuntimeMetrics> looks) {
    RuntimeMetrics metrics = looks.back();
    const auto seriesOf = [&](Matrix<double> RuntimeMetrics::*direction) {
        Matrix<double> series(0, metrics.workers());
        for (const RuntimeMetrics &look : looks.last(std::min(looks.size(), bandwidthLooks))) {
            const std::vector<double> &seen = (look.*direction).values;
            series.values.insert(series.values.end(), seen.end() - static_cast<std::ptrdiff_t>(series.cols), seen.end());
            ++series.rows;
        }
        return series;
    };
    Matrix<double> down = seriesOf(&RuntimeMetrics::downBytesPerSecond), up = seriesOf(&RuntimeMetrics::upBytesPerSecond);
    metrics.downBytesPerSecond = std::move(down);
    metrics.upBytesPerSecond = std::move(up);
    return metrics;
}

Result<RuntimeMetrics> runtimeMetricsOf(const Scenario &scenario) {
    if (!scenario.job || !scenario.cluster || !scenario.strategy)
        return fail("the scenario is incomplete", "give it a job, a cluster and a strategy");
    RuntimeMetrics metrics;
    metrics.batchSamples = countOfStep(*scenario.job) * scenario.cluster->replicaCount();
    metrics.latencySeconds = scenario.cluster->latencySeconds;
    const HostCosts &host = scenario.cluster->host;
    metrics.messageSeconds = scenario.cluster->messageSeconds + host.sendSeconds + host.receiveSeconds;
    measureModel(scenario, metrics);
    measureNodes(scenario, metrics);
    if (metrics.workers() == 0)
        return fail("no node of the cluster trains", "give it nodes with devices");
    if (const double bound = metrics.boundSamplesPerSecond(); !std::isfinite(bound) || !(bound > 0))
        return fail("the job neither computes nor sends anything", "give its layers times, or its variables sizes");
    return metrics;
}

} // namespace syncopate

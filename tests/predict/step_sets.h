// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Small step sets and machines for tests of the trace generator.

#include "engine/base/rng.h"
#include "engine/predict/generate.h"
#include "engine/predict/throughput.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace syncopate::testing {

/// `workers` nodes and `servers` more, each with `rate` bytes/s.
inline PredictMachines machinesLike(std::int32_t workers, std::int32_t servers, double rate) {
    PredictMachines m;
    m.nodeBytesPerSecond.assign(static_cast<std::size_t>(workers + servers), rate);
    m.workerScale.assign(static_cast<std::size_t>(workers), 1);
    for (std::int32_t w = 0; w < workers; ++w)
        m.workerNode.push_back(w);
    for (std::int32_t s = 0; s < servers; ++s)
        m.serverNode.push_back(workers + s);
    return m;
}

/// A step with ops on all four resources and edges from earlier to later ops; times and sizes without ties.
inline StepSet randomSteps(std::uint64_t seed, std::int32_t steps) {
    Rng rng(seed);
    StepSet set;
    const std::int32_t pulls = 6, computes = 14, pushes = 6, updates = 6;
    const auto add = [&](StepResource resource, double bytes) {
        StepOp op;
        op.name = "op" + std::to_string(set.graph.ops.size());
        op.resource = resource;
        op.sizeBytes = bytes;
        op.rank = static_cast<std::int64_t>(set.graph.ops.size());
        set.graph.ops.push_back(op);
        return static_cast<std::int32_t>(set.graph.ops.size()) - 1;
    };
    for (std::int32_t i = 0; i < pulls; ++i)
        add(StepResource::Downlink, rng.uniform(1e3, 4e5));
    for (std::int32_t i = 0; i < computes; ++i) {
        const std::int32_t op = add(StepResource::Worker, 0);
        for (int e = 0; e < 3; ++e) // earlier ops of every kind; duplicate edges must not count twice
            if (const auto from = static_cast<std::int32_t>(rng.next() % static_cast<std::uint64_t>(op));
                std::find(set.graph.edges.begin(), set.graph.edges.end(), std::pair(from, op)) == set.graph.edges.end())
                set.graph.edges.emplace_back(from, op);
    }
    for (std::int32_t i = 0; i < pushes; ++i) {
        const std::int32_t op = add(StepResource::Uplink, rng.uniform(1e3, 4e5));
        set.graph.edges.emplace_back(pulls + static_cast<std::int32_t>(rng.next() % computes), op);
    }
    for (std::int32_t i = 0; i < updates; ++i)
        set.graph.edges.emplace_back(pulls + computes + i, add(StepResource::Server, 0));
    for (std::int32_t s = 0; s < steps; ++s) {
        std::vector<double> seconds;
        for (const StepOp &op : set.graph.ops)
            seconds.push_back(isTransfer(op.resource) ? 0 : rng.uniform(1e-4, 4e-3));
        set.seconds.push_back(seconds);
    }
    return set;
}

/// Steps of one op.
inline StepSet oneOp(StepResource resource, double seconds, double bytes) {
    StepSet set;
    StepOp op;
    op.name = "only";
    op.resource = resource;
    op.sizeBytes = bytes;
    set.graph.ops = {op};
    set.seconds = {{seconds}};
    return set;
}

/// The throughput of a trace of at most 200 steps of each worker; -1 if it is refused or has none.
inline double samplesPerSecond(const StepSet &set, const PredictMachines &machines, GenerateOptions options = {}) {
    options.steps = std::min(options.steps, 200);
    const auto trace = generateTrace(set, machines, options);
    if (!trace)
        return -1;
    const auto throughput = throughputOf(*trace, set.batchSize, static_cast<std::int32_t>(machines.workerNode.size()));
    return throughput ? throughput->samplesPerSecond : -1;
}

} // namespace syncopate::testing

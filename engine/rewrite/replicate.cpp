// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/kernels.h"

namespace syncopate {

std::vector<ComputeOps> replicate(RewriteContext &context, const std::vector<std::int32_t> &computeQueues,
                                  std::int32_t iteration) {
    const Job &job = context.job;
    GraphBuilder &builder = context.builder;
    const auto layers = static_cast<std::int32_t>(job.layers.size());
    std::vector<ComputeOps> all;
    for (std::size_t w = 0; w < context.placement.workers.size(); ++w) {
        ComputeOps ops;
        if (iteration >= builder.graph().workerIterations[w]) {
            all.push_back(ops);
            continue;
        }
        ops.worker = static_cast<std::int32_t>(w);
        ops.queue = computeQueues[w];
        const double scale = context.placement.workers[w].computeScale; // of the devices, not of the host's copies
        TaskRow row;
        row.worker = static_cast<std::int32_t>(w);
        row.queue = computeQueues[w];
        row.iteration = iteration;
        // The compute stream takes ready ops in program order; iterations come one after the other.
        const std::int64_t base = static_cast<std::int64_t>(iteration) * 4 * layers;
        row.kind = TaskKind::Forward;
        for (std::int32_t l = 0; l < layers; ++l) {
            const Layer &layer = job.layers[static_cast<std::size_t>(l)];
            row.layer = l;
            row.fixedSeconds = layer.forwardSeconds / scale;
            row.orderKey = base + layers + l;
            ops.forward.push_back(builder.addTask(row));
            for (const std::int32_t parent : layer.parents)
                builder.addEdge(ops.forward[static_cast<std::size_t>(parent)], ops.forward.back());
        }
        row.kind = TaskKind::Backward;
        for (std::int32_t l = 0; l < layers; ++l) {
            const Layer &layer = job.layers[static_cast<std::size_t>(l)];
            double gradientBytes = 0;
            for (const std::int32_t v : layer.variables)
                gradientBytes += job.variables[static_cast<std::size_t>(v)].gradientBytes();
            row.layer = l;
            row.fixedSeconds = layer.backwardSeconds / scale + gradientBytes * job.hostSecondsPerByteBeforeSend;
            row.orderKey = base + 3 * layers - l;
            ops.backward.push_back(builder.addTask(row));
        }
        for (std::int32_t l = 0; l < layers; ++l) {
            const auto i = static_cast<std::size_t>(l);
            for (const std::int32_t child : context.children[i])
                builder.addEdge(ops.backward[static_cast<std::size_t>(child)], ops.backward[i]);
            // A layer's own forward precedes its backward; said only where the dataflow does not already say it.
            if (context.children[i].empty())
                builder.addEdge(ops.forward[i], ops.backward[i]);
        }
        row.kind = TaskKind::Update;
        if (context.policy.barrier) {
            row.layer = -1;
            row.fixedSeconds = job.updateSeconds / scale;
            row.orderKey = base + 4 * layers;
            ops.update = builder.addTask(row);
            for (const std::int32_t op : ops.backward)
                builder.addEdge(op, ops.update);
        } else {
            // Per-layer mode: each layer is updated on its own before its next forward, in proportion to its bytes.
            const double perByte = job.parameterBytes() > 0 ? job.updateSeconds / static_cast<double>(job.parameterBytes()) : 0;
            for (std::int32_t l = 0; l < layers; ++l) {
                const Layer &layer = job.layers[static_cast<std::size_t>(l)];
                double seconds = 0;
                for (const std::int32_t v : layer.variables) {
                    const Variable &variable = job.variables[static_cast<std::size_t>(v)];
                    seconds += static_cast<double>(variable.sizeBytes()) * perByte / scale +
                               variable.gradientBytes() * job.hostSecondsPerByteAfterReceive;
                }
                if (layer.variables.empty()) {
                    ops.layerUpdate.push_back(-1);
                    continue;
                }
                TaskRow own = row;
                own.layer = l;
                own.fixedSeconds = seconds;
                if (seconds <= 0) { // costs nothing: no turn on the stream
                    own.kind = TaskKind::Join;
                    own.queue = -1;
                }
                own.orderKey = base + 5 * layers + l - 1; // just before the same layer's next forward
                ops.layerUpdate.push_back(builder.addTask(own));
                builder.addEdge(ops.backward[static_cast<std::size_t>(l)], ops.layerUpdate.back());
            }
        }
        all.push_back(std::move(ops));
    }
    return all;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/kernels.h"
#include "engine/rewrite/program_order.h"

namespace syncopate {

namespace {

/// One worker class in one iteration.
struct Replica {
    RewriteContext &context;
    TaskRow row;      ///< worker, queue and iteration of its ops
    double scale = 1; ///< of its devices' time, not of the host's copies

    [[nodiscard]] const std::vector<Layer> &layers() const { return context.job.layers; }
    [[nodiscard]] ProgramOrder order() const { return {layers().size(), row.iteration}; }
};

std::vector<TaskId> addForward(const Replica &replica) {
    GraphBuilder &builder = replica.context.builder;
    std::vector<TaskId> forward;
    TaskRow row = replica.row;
    row.kind = TaskKind::Forward;
    for (const Layer &layer : replica.layers()) {
        row.layer = LayerId(forward.size());
        row.fixedSeconds = layer.forwardSeconds / replica.scale;
        row.orderKey = replica.order().forward(row.layer.number());
        forward.push_back(builder.addTask(row));
        for (const std::int32_t parent : layer.parents)
            builder.addEdge(forward[static_cast<std::size_t>(parent)], forward.back());
    }
    return forward;
}

std::vector<TaskId> addBackward(const Replica &replica, const std::vector<TaskId> &forward) {
    const Job &job = replica.context.job;
    GraphBuilder &builder = replica.context.builder;
    std::vector<TaskId> backward;
    TaskRow row = replica.row;
    row.kind = TaskKind::Backward;
    for (const Layer &layer : replica.layers()) {
        double gradientBytes = 0;
        for (const std::int32_t v : layer.variables)
            gradientBytes += job.variables[static_cast<std::size_t>(v)].gradientBytes();
        row.layer = LayerId(backward.size());
        row.fixedSeconds = layer.backwardSeconds / replica.scale + gradientBytes * job.hostSecondsPerByteBeforeSend;
        row.orderKey = replica.order().backward(row.layer.number());
        backward.push_back(builder.addTask(row));
    }
    for (std::size_t l = 0; l < backward.size(); ++l) {
        const std::vector<std::int32_t> &children = replica.context.children[l];
        for (const std::int32_t child : children)
            builder.addEdge(backward[static_cast<std::size_t>(child)], backward[l]);
        // A layer's forward precedes its own backward; an edge is needed only where the dataflow does not imply it.
        if (children.empty())
            builder.addEdge(forward[l], backward[l]);
    }
    return backward;
}

/// Barrier mode: a single update after the whole backward pass.
TaskId addUpdate(const Replica &replica, const std::vector<TaskId> &backward) {
    GraphBuilder &builder = replica.context.builder;
    TaskRow row = replica.row;
    row.kind = TaskKind::Update;
    row.fixedSeconds = replica.context.job.updateSeconds * replica.context.keptOfAll / replica.scale;
    row.orderKey = replica.order().update();
    const TaskId update = builder.addTask(row);
    for (const TaskId op : backward)
        builder.addEdge(op, update);
    return update;
}

/// Per-layer mode: each layer is updated by itself before its next forward. It takes the share of the job's update that the
/// layer's kept bytes are of all parameters, and the time in which the host copies the gradients that arrived.
std::vector<TaskId> addLayerUpdates(const Replica &replica, const std::vector<TaskId> &backward) {
    const Job &job = replica.context.job;
    GraphBuilder &builder = replica.context.builder;
    std::vector<TaskId> updates;
    const double perByte = job.parameterBytes() > 0 ? job.updateSeconds / static_cast<double>(job.parameterBytes()) : 0;
    for (const Layer &layer : replica.layers()) {
        const auto l = static_cast<std::int32_t>(updates.size());
        if (layer.variables.empty()) {
            updates.emplace_back();
            continue;
        }
        double seconds = 0;
        for (const std::int32_t v : layer.variables) {
            const Variable &variable = job.variables[static_cast<std::size_t>(v)];
            const double updated = replica.context.keptShares[static_cast<std::size_t>(v)];
            // The whole sum arrives where the parameters alone are sharded (ParameterGather).
            const double received = replica.context.gatheredBytes.empty() ? updated : 1;
            seconds += updated * static_cast<double>(variable.sizeBytes()) * perByte / replica.scale +
                       received * variable.gradientBytes() * job.hostSecondsPerByteAfterReceive;
        }
        TaskRow row = replica.row;
        row.kind = TaskKind::Update;
        row.layer = LayerId(l);
        row.fixedSeconds = seconds;
        if (seconds <= 0) { // no duration, so no turn on the stream
            row.kind = TaskKind::Join;
            row.queue = {};
        }
        row.orderKey = replica.order().beforeNextForward(l);
        updates.push_back(builder.addTask(row));
        builder.addEdge(backward[static_cast<std::size_t>(l)], updates.back());
    }
    return updates;
}

} // namespace

std::vector<ComputeOps> replicate(RewriteContext &context, const std::vector<QueueId> &computeQueues, std::int32_t iteration) {
    std::vector<ComputeOps> all(context.placement.workers.size());
    for (std::size_t w = 0; w < all.size(); ++w) {
        if (iteration >= context.builder.graph().workerIterations[w])
            continue;
        ComputeOps &ops = all[w];
        ops.worker = WorkerClassId(w);
        ops.queue = computeQueues[w];
        Replica replica{context, {}, context.placement.workers[w].computeScale};
        replica.row.worker = ops.worker;
        replica.row.queue = ops.queue;
        replica.row.iteration = iteration;
        ops.forward = addForward(replica);
        ops.backward = addBackward(replica, ops.forward);
        if (context.policy.barrier)
            ops.update = addUpdate(replica, ops.backward);
        else
            ops.layerUpdate = addLayerUpdates(replica, ops.backward);
    }
    return all;
}

} // namespace syncopate

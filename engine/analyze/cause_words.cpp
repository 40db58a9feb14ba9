// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/causes.h"

namespace syncopate {

const char *nameOf(CauseKind kind) {
    switch (kind) {
    case CauseKind::Forward:
        return translatable("forward");
    case CauseKind::Backward:
        return translatable("backward");
    case CauseKind::Update:
        return translatable("update");
    case CauseKind::HostWait:
        return translatable("waiting for host");
    case CauseKind::Latency:
        return translatable("latency");
    case CauseKind::Transfer:
        return translatable("transfer");
    case CauseKind::Sharing:
        return translatable("sharing");
    case CauseKind::Host:
        return translatable("host");
    case CauseKind::Start:
        return translatable("start");
    }
    return "";
}

namespace {

/// The work of a task of this kind on `object`.
Phrase actionOf(TaskKind kind, const Phrase &object) {
    switch (kind) {
    case TaskKind::Forward:
        return phrase("forward of %1", object);
    case TaskKind::Backward:
        return phrase("backward of %1", object);
    case TaskKind::Update:
        return phrase("update of %1", object);
    case TaskKind::HostCopy:
        return phrase("host copy of %1", object);
    case TaskKind::Encode:
        return phrase("compression of %1", object);
    case TaskKind::Decode:
        return phrase("decompression of %1", object);
    case TaskKind::Push:
        return phrase("push of %1", object);
    case TaskKind::Pull:
        return phrase("pull of %1", object);
    case TaskKind::Transfer:
        return phrase("transfer of %1 between servers", object);
    case TaskKind::AllReduce:
    case TaskKind::RingStep:
        return phrase("all-reduce of %1", object);
    case TaskKind::ReduceScatter:
        return phrase("reduce-scatter of %1", object);
    case TaskKind::AllGather:
        return phrase("all-gather of %1", object);
    case TaskKind::Reduce:
        return phrase("reduction of %1", object);
    case TaskKind::Broadcast:
        return phrase("broadcast of %1", object);
    case TaskKind::AllToAll:
        return phrase("all-to-all of %1", object);
    case TaskKind::Permute:
        return phrase("permute of %1", object);
    case TaskKind::LocalReduce:
        return phrase("reduction of %1 within its node", object);
    case TaskKind::LocalBroadcast:
        return phrase("broadcast of %1 within its node", object);
    default:
        return object;
    }
}

} // namespace

CauseWords CauseFinder::words(const Cause &cause) const {
    const TaskGraph &graph = m_run.graph;
    if (cause.kind == CauseKind::Start) {
        const Phrase begins = phrase("the run begins");
        return {begins, begins};
    }
    const auto at = [](const auto &list, auto id) { return list[id.index()]; };
    const std::size_t t = cause.task.index();
    const WorkerClassId worker = graph.worker[t];
    const LayerId layer = graph.layer[t];
    const UnitId unit = graph.unit[t];
    const Phrase name = unit.exists()    ? named(at(graph.units, unit).name)
                        : layer.exists() ? named(std::string(at(m_run.timeline.labels, layer)))
                                         : phrase("all variables");
    if (graph.kind[t] == TaskKind::Host)
        return {phrase("%1 for %2", graph.queues[graph.queue[t].index()].name, name), name};
    const Phrase object = worker.exists() ? joined({name, named(at(graph.workerNames, worker))}, ", ") : name;
    return {actionOf(graph.kind[t], object), object};
}

} // namespace syncopate

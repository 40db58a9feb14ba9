// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/causes.h"

namespace syncopate {

const char *nameOf(CauseKind kind) {
    switch (kind) {
    case CauseKind::Forward:
        return "forward";
    case CauseKind::Backward:
        return "backward";
    case CauseKind::Update:
        return "update";
    case CauseKind::HostWait:
        return "waiting for host";
    case CauseKind::Latency:
        return "latency";
    case CauseKind::Transfer:
        return "transfer";
    case CauseKind::Sharing:
        return "sharing";
    case CauseKind::Host:
        return "host";
    case CauseKind::Start:
        return "start";
    }
    return "";
}

CauseWords CauseFinder::words(const Cause &cause) const {
    const TaskGraph &graph = m_run.graph;
    if (cause.kind == CauseKind::Start)
        return {{}, "the run begins"};
    const auto at = [](const auto &list, std::int32_t index) { return list[static_cast<std::size_t>(index)]; };
    const std::size_t t = cause.task.index();
    const std::int32_t worker = graph.worker[t], layer = graph.layer[t], unit = graph.unit[t];
    const std::string where = worker >= 0 ? ", " + at(graph.workerNames, worker) : "";
    const std::string name = unit >= 0    ? at(graph.units, unit).name
                             : layer >= 0 ? at(m_run.timeline.labels, layer)
                                          : "all variables";
    const std::string object = name + where;
    switch (graph.kind[t]) {
    case TaskKind::Forward:
        return {"forward of", object};
    case TaskKind::Backward:
        return {"backward of", object};
    case TaskKind::Update:
        return {"update of", object};
    case TaskKind::HostCopy:
        return {"host copy of", object};
    case TaskKind::Encode:
        return {"compression of", object};
    case TaskKind::Decode:
        return {"decompression of", object};
    case TaskKind::Host:
        return {graph.queues[graph.queue[t].index()].name + " for", name};
    case TaskKind::Push:
        return {"push of", object};
    case TaskKind::Pull:
        return {"pull of", object};
    case TaskKind::Transfer:
        return {"transfer between servers of", object};
    case TaskKind::AllReduce:
    case TaskKind::RingStep:
        return {"all-reduce of", object};
    case TaskKind::ReduceScatter:
        return {"reduce-scatter of", object};
    case TaskKind::AllGather:
        return {"all-gather of", object};
    case TaskKind::Reduce:
        return {"reduction of", object};
    case TaskKind::Broadcast:
        return {"broadcast of", object};
    case TaskKind::AllToAll:
        return {"all-to-all of", object};
    case TaskKind::Permute:
        return {"permute of", object};
    case TaskKind::LocalReduce:
        return {"reduction inside the node of", object};
    case TaskKind::LocalBroadcast:
        return {"broadcast inside the node of", object};
    default:
        return {{}, object};
    }
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"
#include "engine/job/job.h"

namespace syncopate {

/// The task that does a collective as a whole.
[[nodiscard]] constexpr TaskKind taskKindOf(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return TaskKind::AllReduce;
    case CollectiveKind::ReduceScatter:
        return TaskKind::ReduceScatter;
    case CollectiveKind::AllGather:
        return TaskKind::AllGather;
    case CollectiveKind::Reduce:
        return TaskKind::Reduce;
    case CollectiveKind::Broadcast:
        return TaskKind::Broadcast;
    case CollectiveKind::Permute:
        return TaskKind::Permute;
    case CollectiveKind::AllToAll:
        break;
    }
    return TaskKind::AllToAll;
}

/// Whether a task of this kind is a collective of its own, as of taskKindOf().
[[nodiscard]] constexpr bool isCollective(TaskKind kind) {
    return kind == TaskKind::AllReduce || kind == TaskKind::ReduceScatter || kind == TaskKind::AllGather ||
           kind == TaskKind::Reduce || kind == TaskKind::Broadcast || kind == TaskKind::AllToAll || kind == TaskKind::Permute;
}

} // namespace syncopate

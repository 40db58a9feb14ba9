// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/host_share.h"

namespace syncopate {

double hostShareOf(const Job &job, const TaskGraph &graph, TaskId task) {
    const std::size_t t = task.index();
    if (!graph.worker[t].exists()) // a server's: it is on no device
        return 0;
    const LayerId l = graph.layer[t];
    double host = 0, all = 0;
    if (graph.kind[t] == TaskKind::Update) { // belongs to one layer: the same share as in the whole job
        host = job.updateHostSeconds;
        all = job.updateSeconds;
    } else if (l.exists() && (graph.kind[t] == TaskKind::Forward || graph.kind[t] == TaskKind::Backward)) {
        const Layer &layer = job.layers[l.index()];
        host = graph.kind[t] == TaskKind::Forward ? layer.forwardHostSeconds : layer.backwardHostSeconds;
        all = graph.kind[t] == TaskKind::Forward ? layer.forwardSeconds : layer.backwardSeconds;
    }
    return all > 0 ? host / all : 0;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/host_share.h"

namespace syncopate {

double hostShareOf(const Job &job, const TaskGraph &graph, TaskId task) {
    const std::size_t t = task.index();
    if (graph.worker[t] < 0) // a server's: it is on no device
        return 0;
    const std::int32_t l = graph.layer[t];
    double host = 0, all = 0;
    if (graph.kind[t] == TaskKind::Update) { // belongs to one layer: the same share as in the whole job
        host = job.updateHostSeconds;
        all = job.updateSeconds;
    } else if (l >= 0 && (graph.kind[t] == TaskKind::Forward || graph.kind[t] == TaskKind::Backward)) {
        const Layer &layer = job.layers[static_cast<std::size_t>(l)];
        host = graph.kind[t] == TaskKind::Forward ? layer.forwardHostSeconds : layer.backwardHostSeconds;
        all = graph.kind[t] == TaskKind::Forward ? layer.forwardSeconds : layer.backwardSeconds;
    }
    return all > 0 ? host / all : 0;
}

} // namespace syncopate

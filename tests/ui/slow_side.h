// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/session/session_state.h"

#include <memory>

namespace syncopate::ui {

/// Two sides that are not ready together: all-reduce on 256 workers is simulated in milliseconds, 256 balanced servers take a
/// minute.
[[nodiscard]] inline SessionState slowB() {
    SessionState state;
    state.source = "bert_large";
    state.job = std::make_shared<const Job>(*catalogueJob("bert_large"));
    state.clusterSource = "uniform";
    state.cluster = std::make_shared<const Cluster>(uniformCluster(256, 25));
    state.sides = {SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"},
                   SideState{Built{"PSLoadBalancing"}, "fifo(barrier=off)"}};
    return state;
}

} // namespace syncopate::ui

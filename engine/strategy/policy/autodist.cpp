// SPDX-License-Identifier: GPL-3.0-or-later
// AutoDist on TensorFlow: a step is one session.run() per worker. Gradients go to the servers' accumulators as they become ready,
// but values are read by the next run, which no worker starts before all variables are updated: its first ops dequeue a token for
// each (ps_synchronizer.py). All reads of a run start together, and an op waits for its own variables.
#include "engine/base/phrase.h"
#include "engine/strategy/policy.h"

namespace syncopate::policy {

const Policy &autodist() {
    static const Policy policy{
        .name = "autodist",
        .about = translatable("gradients when they are ready, values read when the step is over"),
        .barrier = false,
        .opens = "TensorFlow opens one gRPC channel from each process to each other, for all tensors",
        .readsAfterStep = true,
        .assumption =
            "A step is over when every variable is updated; then every worker reads the servers' values, and a layer waits "
            "for its own.",
    };
    return policy;
}

} // namespace syncopate::policy

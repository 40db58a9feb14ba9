// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/strategy/strategy.h"

#include <array>

namespace syncopate {

/// The input of AutoSync's released predefined simulator beyond a job's variables: it sizes sparse gradients by the batch.
struct ReleasedBatch {
    double batchPerDevice = 1;
    double sequenceLength = 1;
};

/// The 12 features of AutoSync's predefined simulator as it was released (petuum/autodist, branch autosync_simulator,
/// predefined_simulator.py): [transmission, network overhead, memory latency] as maximum over parameter
/// servers, sum over them, maximum over all-reduce groups and sum over groups. Transmission is in seconds, the others count.
///
/// It is kept apart from engine/cost/cost_model.h because it differs from the paper's Eq. 2 and 3: a device talks to its own
/// machine at 10,000 Gbit/s, only the server's own NIC counts, a ring goes at the rate of the slowest NIC but the first node's,
/// an all-reduce moves its bytes once (no 2(w-1)/w), a group pays its overhead for each member, the overhead of a server counts
/// its own machine, and sparse gradients to servers carry 160 bits an element and 128 more. Nothing but tests calls it: it shows
/// that variables, partitions and groups are read as the release reads them. Errors: another number of variables than the job
/// has, a partition that does not fit, or a server outside the cluster.
[[nodiscard]] Result<std::array<double, 12>> releasedFeatures(const Job &job, const Cluster &cluster, const Strategy &strategy,
                                                              const ReleasedBatch &batch);

} // namespace syncopate

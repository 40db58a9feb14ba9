// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Training steps so small that their iteration has a closed form.

#include "tests/checks.h"
#include "tests/scenarios.h"
#include "tests/simulate/policies.h"

namespace syncopate::testing {

/// Seconds; -1, with a warning, where it cannot be simulated.
inline double iterationOf(const Scenario &s) {
    const auto run = simulate(s);
    if (!run)
        qWarning("%s", run.error().toString().c_str());
    return run ? (*run)->iterationSeconds : -1;
}

/// `count` variables of `elements` float32 each in layers that take no time, after one that takes `seconds`.
inline Job smallTensors(int count, std::int64_t elements, double seconds) {
    std::vector<LayerSpec> layers(static_cast<std::size_t>(count), {0, 0, elements});
    layers.push_back({seconds / 2, seconds / 2, 0});
    return chainJob(layers);
}

/// One variable of 1 MB on a separate server, with 1 ms of compute.
inline Scenario oneVariable(int workers, const Cluster &cluster) {
    const Job job = chainJob({{0.5e-3, 0.5e-3, 250000}});
    return scenario(job, cluster, parameterServers(job, {fmt::format("n{}:CPU:0", workers)}));
}

} // namespace syncopate::testing

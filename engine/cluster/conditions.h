// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster on a worse or a better day, for figures that have to hold elsewhere, too.
#pragma once

#include "engine/cluster/cluster.h"

namespace syncopate {

/// Whether collectives use the nodes' NICs: they are neither on named channels nor inside one node.
[[nodiscard]] bool collectivesUseNics(const Cluster &cluster);
/// The same cluster with every NIC at `factor` times its own rate. Without the measured times of collectives that use them.
[[nodiscard]] Cluster withLinksScaled(const Cluster &cluster, double factor);
/// The same cluster whose last training node computes at `speed` times its own speed: a straggler where it is below 1.
[[nodiscard]] Cluster withStraggler(const Cluster &cluster, double speed);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the room: the links between devices, hosts and nodes in a resource_spec.yml. Errors (refuse() of base/yaml_text.h)
// name the line.

#include "engine/cluster/cluster.h"

#include <yaml-cpp/yaml.h>

namespace syncopate {

/// Adds the lanes between a node's devices and its host.
void readHostLanes(const YAML::Node &lanes, Cluster &cluster);
/// Sets the max rate of a connection: one number for all pairs of nodes, or one for each class of pairs.
void readFlowLimit(const YAML::Node &limits, Cluster &cluster);
/// Sets the number of channels, or adds a list of named ones.
void readChannels(const YAML::Node &channels, Cluster &cluster);

} // namespace syncopate

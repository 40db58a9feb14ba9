// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the room: the measured times of collectives in a resource_spec.yml.

#include "engine/cluster/cluster.h"

#include <yaml-cpp/yaml.h>

namespace syncopate {

/// Adds measured collectives (Cluster::collectives). Errors (refuse() of base/yaml_text.h) name the line.
void readCollectives(const YAML::Node &curves, Cluster &cluster);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"

#include <yaml-cpp/yaml.h>

// Private to the room: the notes of a resource_spec.yml.

namespace syncopate {

/// Adds `notes` and `figure_notes`; a file from before the latter has the notes of figures and of collectives, which are read
/// already, among its notes. Errors (refuse() of base/yaml_text.h) name the line.
void readNotes(const YAML::Node &root, Cluster &cluster);

} // namespace syncopate

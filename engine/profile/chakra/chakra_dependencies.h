// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/chakra/chakra.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace syncopate {

/// Replaces the ids that nodes depend on by indices, checks that no cycle of data dependencies is left, and sorts the nodes by
/// id. Each node's `ids` are inputCount from firstInput on, control dependencies last. Keeps the control dependencies that
/// ChakraTrace::inputs describes, on nodes in the file; leaves all out where they form a cycle with the data dependencies.
/// Errors: two nodes with one id, a node that depends on itself, a requested stop. O((nodes + dependencies) log nodes).
[[nodiscard]] Result<void> tieChakraDependencies(ChakraTrace &trace, std::vector<std::uint64_t> ids, const std::stop_token &stop);

} // namespace syncopate

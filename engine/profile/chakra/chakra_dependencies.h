// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/chakra/chakra.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace syncopate {

/// Makes indices of the ids that nodes depend on, checks that no cycle of data dependencies is left, and sorts the nodes by id.
/// Each node's `ids` are inputCount from firstInput on, control dependencies last. Those are kept that ChakraTrace::inputs
/// describes, of nodes that are in the file; all are left out where they form a cycle with the data dependencies. Errors: an id
/// that two nodes have, a node that depends on itself; a requested stop is one, too. O(nodes log nodes + dependencies).
[[nodiscard]] Result<void> tieChakraDependencies(ChakraTrace &trace, std::vector<std::uint64_t> ids, const std::stop_token &stop);

} // namespace syncopate

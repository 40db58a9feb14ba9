// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"
#include "engine/profile/chakra/chakra_step.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// The layers of a step, without times, and the layer of each node.
struct ChakraLayers {
    std::vector<Layer> layers;        ///< in forward order, at least one
    std::vector<std::int32_t> ofNode; ///< layer of each op of the host; -1 = of none
    std::uint64_t paired = 0;         ///< backward ops that were paired with forward ops

    /// Layer of a node that computes: a device node is in that of the op that launched it. -1 = of none.
    [[nodiscard]] std::int32_t of(const ChakraStep &step, std::size_t node) const {
        if (step.node(node).onHost)
            return ofNode[node];
        return step.launch[node] < 0 ? -1 : ofNode[static_cast<std::size_t>(step.launch[node])];
    }
};

/// Makes a layer of each forward op that owns parameters, by its name; its parents follow the data dependencies. Backward ops are
/// paired with forward ops of their kind, last with first. O(nodes + dependencies).
[[nodiscard]] ChakraLayers findChakraLayers(const ChakraStep &step);

} // namespace syncopate

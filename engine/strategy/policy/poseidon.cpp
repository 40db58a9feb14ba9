// SPDX-License-Identifier: GPL-3.0-or-later
// Poseidon (Zhang et al., ATC 2017): wait-free backpropagation over a key-value store with pairs of equal size.
#include "engine/base/phrase.h"
#include "engine/strategy/policy.h"

namespace syncopate::policy {

const Policy &poseidon() {
    static const Policy policy{
        .name = "poseidon",
        .about = translatable("wait-free backpropagation: a layer as soon as its backward is through, in equal pairs over the "
                              "servers that the strategy uses"),
        // A worker begins the next iteration once every layer is synchronised.
        .parameters = {{.key = "pair", .usual = 2.0 * 1024 * 1024, .knob = partitionKnob()}},
        .joinsGroups = false,
        .cut = [](const CommPolicy &self, const TrainingNodes &) -> Result<Cut> {
            return Cut{.pieceBytes = self.value("pair"), .sizes = PieceSizes::Full};
        },
        .serverOf = serverInTurn,
        .assumption = "Poseidon's layers all go over the store; none is sent as sufficient factors.",
    };
    return policy;
}

} // namespace syncopate::policy

// SPDX-License-Identifier: GPL-3.0-or-later
// P3 (AutoByte section II, "credit size of 1X"): slices, the most urgent first, one in flight.
#include "engine/base/phrase.h"
#include "engine/strategy/launcher.h"
#include "engine/strategy/policy.h"

namespace syncopate::policy {

const Policy &p3() {
    static const Policy policy{
        .name = "p3",
        .about = translatable("slices, the most urgent first, one in flight"),
        .barrier = false,
        .opens = psLiteConnections,
        .parameters = {{.key = "slice", .usual = 160e3, .knob = partitionKnob()}}, // AutoByte section II, Table I
        .joinsGroups = false,
        .cut = [](const CommPolicy &self, const TrainingNodes &) -> Result<Cut> {
            return Cut{.pieceBytes = self.value("slice"), .sizes = PieceSizes::Full};
        },
        .queues =
            [](const CommPolicy &, const TrainingNodes &) {
                return Discipline{.orderedCollectives = true,
                                  .orderedPushes = true,
                                  .orderedPulls = true,
                                  .onePush = true,
                                  .pullsOncePerNode = true}; // as MXNet's kvstore_dist.h: Comm::Broadcast copies to the devices
            },
        .serverOf = serverInTurn, // MXNet's p3store_dist.h goes on from the last server of the tensor before
        .assumption =
            "A worker pushes one slice at a time, the one needed first, and waits for it to arrive; MXNet's release waits only "
            "until it is handed to the network. Workers in step push a slice to its server all at once. A tensor's slices go to "
            "the servers in turn, from the one after the first of the tensor before it in the alphabet; in MXNet, after its "
            "last. "
            "Servers answer in the order of need.",
        .launchers = {&byteSchedulerLauncher()},
    };
    return policy;
}

} // namespace syncopate::policy

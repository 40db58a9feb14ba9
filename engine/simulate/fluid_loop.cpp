// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/fluid.h"
#include "engine/simulate/loop.h"

namespace syncopate {

std::unique_ptr<GraphPlayer> makeFluidPlayer(const TaskGraph &graph, Schedule &out) {
    return std::make_unique<Loop<FluidLinks>>(graph, out);
}

} // namespace syncopate

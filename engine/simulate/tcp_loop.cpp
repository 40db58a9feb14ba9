// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tcp_paths.h"
#include "engine/simulate/loop.h"

namespace syncopate {

std::unique_ptr<GraphPlayer> makeTcpPlayer(const TaskGraph &graph, Schedule &out) {
    return std::make_unique<Loop<TcpPaths>>(graph, out);
}

} // namespace syncopate

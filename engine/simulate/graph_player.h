// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/event_loop.h"

#include <limits>
#include <memory>

namespace syncopate {

/// Private to the room: the event loop over one network, behind an interface that is called a few times a run.
class GraphPlayer {
public:
    static constexpr std::int32_t noGoal = std::numeric_limits<std::int32_t>::min(); ///< no iteration has this number

    GraphPlayer() = default;
    GraphPlayer(const GraphPlayer &) = delete;
    GraphPlayer &operator=(const GraphPlayer &) = delete;
    virtual ~GraphPlayer() = default;
    /// Runs until worker class 0 starts the iteration, or to the end.
    virtual void run(std::int32_t iteration, const std::stop_token &stop, Progress *progress) = 0;
    /// The graph has grown beyond its first `tasks` tasks. Returns false if a new task would have been ready by now.
    virtual bool grow(std::size_t tasks) = 0;
};

/// Players over the network that LinkPaths::linkModel names; `graph` and `out` must outlive them.
[[nodiscard]] std::unique_ptr<GraphPlayer> makeFluidPlayer(const TaskGraph &graph, Schedule &out);
[[nodiscard]] std::unique_ptr<GraphPlayer> makeTcpPlayer(const TaskGraph &graph, Schedule &out);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace syncopate {

enum class TaskKind : std::uint8_t {
    Forward,
    Backward,
    Update,
    HostCopy, // on a worker's compute stream
    Push,
    Pull,
    AllReduce,
    RingStep, // traffic between nodes
    LocalReduce,
    LocalBroadcast, // traffic inside a node
    Join,           // no work, no resource: waits for its parents
};

/// A fluid link: active flows share `bytesPerSecond` max-min fairly.
struct FluidLink {
    std::string name;
    double bytesPerSecond = 0;
};

/// Where tasks wait and in what order they start. An exclusive resource is a queue with one slot; a communicator's channels
/// are one queue with as many slots; a sender is a queue whose window limits the bytes in flight.
struct TaskQueue {
    std::string name;
    std::int32_t worker = -1;                                     ///< worker class, -1 = server or shared
    std::int32_t slots = 1;                                       ///< tasks that may be active at once
    double windowBytes = std::numeric_limits<double>::infinity(); ///< credit: a task starts while credit left > 0
    bool byPriority = false; ///< smallest order key first; otherwise first ready, first started (ties: order key)
};

/// One link of a path; `weight` flows of that path's kind cross the link in reality (folding).
struct PathHop {
    std::int32_t link;
    double weight;
};

/// What has to be done and in what order, as columns (one entry per task) and CSR successors. Made by the kernels of
/// engine/rewrite/, consumed by the event loop.
struct TaskGraph {
    // columns
    std::vector<TaskKind> kind;
    std::vector<std::int32_t> worker;   ///< worker class, -1 = shared
    std::vector<std::int32_t> queue;    ///< into queues, -1 = starts at once
    std::vector<std::int32_t> path;     ///< into pathOffsets, -1 = no traffic
    std::vector<double> fixedSeconds;   ///< compute time, or latency before the bytes flow
    std::vector<double> sizeBytes;      ///< bytes that flow along the path
    std::vector<std::int64_t> orderKey; ///< priority, smaller first
    std::vector<std::int32_t> layer;    ///< -1 = none
    std::vector<std::int32_t> variable; ///< -1 = none or several (see group)
    std::vector<std::int32_t> group;    ///< bucket or fusion group, -1 = none
    std::vector<std::int32_t> part;     ///< -1 = whole
    std::vector<std::int32_t> iteration;
    // edges, CSR
    std::vector<std::uint32_t> successorOffsets; ///< size() + 1
    std::vector<std::uint32_t> successors;
    // resources
    std::vector<FluidLink> links;
    std::vector<TaskQueue> queues;
    std::vector<std::uint32_t> pathOffsets; ///< paths + 1
    std::vector<PathHop> pathHops;
    // workers
    std::vector<std::string> workerNames; ///< "worker 0", "workers 1-15" per class
    std::vector<std::int32_t> workerMultiplicity;
    std::int32_t iterations = 0;

    [[nodiscard]] std::size_t size() const { return kind.size(); }
};

} // namespace syncopate

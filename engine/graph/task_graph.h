// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/link_paths.h"
#include "engine/job/job.h"
#include "engine/strategy/strategy.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace syncopate {

/// Staleness of a variable that is updated asynchronously: workers never wait for each other.
inline constexpr std::int32_t unboundedStaleness = std::numeric_limits<std::int32_t>::max();

/// A unit of synchronisation: a variable, a part of one, a bucket or a fusion group.
struct SyncUnit {
    std::string name; ///< "fc1/kernel", "fc1/kernel part 2", "bucket 1 (12 gradients)"
    SynchronizerKind kind = SynchronizerKind::AllReduce;
    std::vector<std::int32_t> variables; ///< indices into the job's variables
    std::int32_t part = -1;              ///< -1 = whole
    double sizeBytes = 0;                ///< of one replica's gradient, before compression; sparse: of the rows it touches
    double wireBytes = 0;                ///< as one replica sends it: after compression, sparse with an index for each row
    bool sparse = false;                 ///< rows with indices: gathered, not summed, by collectives
    double touchedShare = 1;             ///< sparse: rows that one replica touches / all rows
    std::string destination;             ///< reduction device, ParameterServer only
    std::string transferDestination;     ///< ParameterServer: where gradients are summed first, "" = nowhere
    bool localReplication = false;       ///< ParameterServer: one cached copy per node
    std::int32_t staleness = 0;          ///< ParameterServer: steps that a worker may be ahead of the slowest
    double encodeSeconds = 0;            ///< compressor, on each worker's compute stream at computeScale 1
    double decodeSeconds = 0;
    double launchDelaySeconds = 0;              ///< from its last gradient to its start: Horovod waits for the end of its cycle
    std::int32_t group = -1;                    ///< AllReduce group or bucket
    Reduction reduction = Reduction::AllReduce; ///< AllReduce, not sparse
    LayerId lastLayer{0};                       ///< the first layer of its variables: its gradient is complete last
    std::int64_t priority = 0;                  ///< smaller first: needed earlier by the next forward
    std::int32_t shards = 1;                    ///< AllReduce: replicas with a shard each (Sharding); 1 = each has all of it
    std::int32_t updaters = 1;                  ///< AllReduce: replicas that update a share each; 1 = each updates all of it
    bool isRoot = false;                        ///< of a module around all others
    bool afterBackward = false;                 ///< not encoded or sent before the end of a worker's backward pass
    LayerId launchLayer;                        ///< a layer whose backward op it waits for, too
};

/// The work of a task.
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
    Encode,
    Decode,   // a compressor's work on a worker's compute stream
    Transfer, // between a transfer destination and the server
    ReduceScatter,
    AllGather,
    Reduce,
    Broadcast,
    AllToAll,
    Permute, // collectives like AllReduce
    Host,    // the work of a node's CPU for messages
    Join,    // no work: waits for its parents, may hold or release a queue's slot
};

/// A class of workers that are played as one, of TaskGraph::workerNames.
using WorkerClassId = Id<struct WorkerClassKind>;
/// Of TaskGraph::units; in a plan's graph, a motif's number.
using UnitId = Id<struct UnitKind>;
/// A task of a TaskGraph.
using TaskId = Id<struct TaskIdKind>;
/// A queue of a TaskGraph.
using QueueId = Id<struct QueueKind>;
/// A ring of a TaskGraph.
using RingId = Id<struct RingKind>;
/// An iteration of a simulation, counted from 0.
using IterationId = Id<struct IterationKind>;

/// A queue in which tasks wait for a slot, and its order. An exclusive resource is a queue with one slot; a communicator's
/// channels are one queue with as many slots; ByteScheduler's credit is a queue with a window.
struct TaskQueue {
    std::string name;
    WorkerClassId worker{};                                       ///< none = shared
    std::int32_t slotCount = 1;                                   ///< tasks that may be active at once
    double windowBytes = std::numeric_limits<double>::infinity(); ///< a task starts while window left > 0
    /// Starts a task only if the window has room for all of it (BytePS); a smaller one behind it may go first.
    bool strictWindow = false;
    bool byPriority = false; ///< smallest order key first; otherwise first ready, first started (ties: order key)
};

/// A lane of a ring. The event loop plays a ring's messages, one per step and lane, without a task each: lane l starts a step
/// when it and lane l-1 (cyclic) have finished the step before. A step takes `fixedSeconds`, then moves its bytes along `path`.
struct RingLane {
    PathId path{0};
    double fixedSeconds = 0;
};
/// A ring: its lanes, and how many steps each of them does.
struct RingShape {
    std::vector<RingLane> lanes;
    std::int32_t steps = 0; ///< per lane
};

/// Whether a task of this kind runs on a worker's compute stream.
[[nodiscard]] constexpr bool isCompute(TaskKind kind) {
    return kind == TaskKind::Forward || kind == TaskKind::Backward || kind == TaskKind::Update || kind == TaskKind::HostCopy ||
           kind == TaskKind::Encode || kind == TaskKind::Decode;
}

/// All work of a simulation and its order, as columns (one entry per task) and CSR successors. Made by the kernels of
/// engine/rewrite/, played by the event loop. A task first waits for its parents, then for a slot of its queue, then runs
/// `fixedSeconds`, then moves `sizeBytes` along its path (or in equal steps around its ring). Then it returns the slot to
/// `releases`; `flightSeconds` later, when its last byte has arrived, its successors may start, so messages on one connection
/// pipeline.
struct TaskGraph : LinkPaths {
    // columns
    std::vector<TaskKind> kind;
    std::vector<WorkerClassId> worker;  ///< none = shared by all
    std::vector<QueueId> queue;         ///< takes a slot (and windowBytes) here before it starts; none = starts at once
    std::vector<QueueId> releases;      ///< returns a slot here when done; differs from queue where a chain holds one slot
    std::vector<PathId> path;           ///< none = no traffic, or traffic of `ring`
    std::vector<RingId> ring;           ///< none = no ring; else sizeBytes is moved by each lane in all its steps
    std::vector<double> fixedSeconds;   ///< compute time, or the sender's cost of a message before its bytes flow
    std::vector<double> flightSeconds;  ///< latency: from the end of the flow to the successors
    std::vector<double> sizeBytes;      ///< bytes that flow along the path
    std::vector<double> windowBytes;    ///< taken from / returned to the queue's window
    std::vector<std::int64_t> orderKey; ///< priority, smaller first
    std::vector<LayerId> layer;         ///< of a sharded unit's gather, the first op that waits for it; in a plan's graph, the op
    std::vector<UnitId> unit;
    std::vector<std::int32_t> iteration; ///< 0-based
    // edges, CSR
    std::vector<std::uint32_t> successorOffsets; ///< size() + 1
    std::vector<TaskId> successors;
    std::vector<std::uint32_t> parentCount;
    // resources, beside the links and paths
    std::vector<TaskQueue> queues;
    std::vector<RingShape> rings;
    // the subjects of the tasks
    std::vector<SyncUnit> units;
    std::vector<std::string> workerNames;         ///< "worker 0", "workers 1–15" per class
    std::vector<std::int32_t> workerMultiplicity; ///< nodes per class
    std::vector<std::int32_t> workerReplicas;     ///< model replicas per class, over all its nodes
    std::vector<double> workerSlowdown;           ///< per class: factor on compute time while it communicates
    std::vector<std::int32_t> workerIterations;   ///< unrolled iterations per class
    std::vector<std::int32_t> workerWarmUp;       ///< of those, the number of first ones that steady-state figures leave out
    bool workersInStep = true;                    ///< all variables are synchronous; else workers may drift apart
    bool reachesSteady = true;            ///< false: its iterations end before faster workers meet their bound of staleness
    std::int32_t iterations = 0;          ///< of worker class 0
    std::vector<std::string> assumptions; ///< assumptions of the kernels, for the user

    [[nodiscard]] std::size_t size() const { return kind.size(); }
};

} // namespace syncopate

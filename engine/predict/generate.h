// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/cluster/background.h"
#include "engine/cluster/cluster.h"
#include "engine/cluster/connection_limits.h"
#include "engine/network/tcp_links.h"
#include "engine/predict/step_ids.h"
#include "engine/predict/step_set.h"
#include "engine/predict/utilisation.h"

#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// The machines of workers and servers: nodes with full-duplex NICs. A connection between worker w and server s uses NIC s of the
/// worker's node and NIC w of the server's, modulo their number, as in the simulator under a policy of one connection
/// (engine/rewrite/placement.h).
struct PredictMachines {
    std::vector<double> nodeBytesPerSecond; ///< goodput of each node's NICs together, each direction
    std::vector<std::int32_t> nodeNics{};   ///< of each node, which share it equally; empty: one each
    std::vector<std::int32_t> workerNode;   ///< node of each worker
    std::vector<double> workerScale;        ///< speed of each worker: compute takes its seconds / scale
    std::vector<std::int32_t> serverNode;   ///< node of each parameter server; one of a worker's, or its own
    double messageSeconds = 0;              ///< before the bytes of a transfer flow: sender's cost and latency
    ConnectionLimits limits{};              ///< of the connection between a worker and a server, each direction; none unless set
};

/// The workers (replicas) of `cluster` and its parameter servers: its dedicated ones, or where it has none, `servers` more
/// nodes like the first. Errors: no worker; not 1 to 10000 servers; another number of dedicated ones.
[[nodiscard]] Result<PredictMachines> machinesOf(const Cluster &cluster, std::int32_t servers);

/// Max connections between workers and servers that are played. Each has three lanes and two paths of its own, some 7 KB in all,
/// as many times as there are threads; and where flows have several bottlenecks every chunk costs a look at all that are active.
/// 1000 workers may have 50 servers, and 4096 have 12.
inline constexpr std::int64_t maxConnections = 50'000;
/// Refuses more of them than that.
[[nodiscard]] Result<void> checkConnections(std::int64_t workers, std::int64_t servers);

/// How the transfers from one server to one worker take turns (section 3.3).
enum class TransferOrder : std::uint8_t {
    Recorded, ///< first ready, first served; ties in recorded order
    Reverse,  ///< of the recorded order
    Random,   ///< one permutation drawn from the seed
    Tic,
    Tac, ///< TicTac's orders (engine/strategy/layer_orders.h)
};

/// How flows share a link.
enum class LinkSharing : std::uint8_t {
    Equal, ///< max-min fair at every moment (section 3.1: a fraction 1/n of the bandwidth for each of n workers)
    /// Every transfer draws a weight from an exponential distribution, rounded to eighths of its mean and at least one of them,
    /// and gets bandwidth in proportion, max-min fairly. The shares of n flows are then nearly uniform over all ways to split the
    /// link: the distribution that assumes nothing beyond the link being full. No constant is fitted.
    Uneven,
    /// Linux's TCP over first-come-first-served queues (engine/network/tcp_links.h). A step's first transfers begin when the
    /// request for them has passed the queues, and through them a worker learns that its step is done.
    Tcp,
};

/// How steps are played: their number, their order, and the sharing of links.
struct GenerateOptions {
    std::int32_t steps = 1000; ///< counted, per worker in the mean: faster ones do more; with stopEach each does as many
    std::int32_t warmUp = 50;  ///< left out before them, per worker in the mean
    /// Above 0, steps are counted by time, as in a measurement: those that end within `countedSeconds` after `warmUpSeconds`;
    /// `steps` and `warmUp` are then ignored. Not with stopEach.
    double warmUpSeconds = 0, countedSeconds = 0;
    /// HTTP/2 flow-control window (section 3.2.2): a stream sends at most this many bytes the first time it is chosen, all the
    /// rest the second time. Infinite: off, whole streams. Over TCP as gRPC does it (engine/network/http2_connection.h).
    double windowBytes = std::numeric_limits<double>::infinity();
    /// Per op: place in the order of transfers down, smaller first; empty: first ready, first served. With flow control it
    /// decides among streams that become ready at once.
    std::vector<std::int64_t> transferRank;
    bool computeByRank = true; ///< compute takes ready ops in recorded order; false: first ready, first served
    LinkSharing sharing = LinkSharing::Equal;
    TcpOptions tcp;                            ///< of LinkSharing::Tcp
    std::vector<BackgroundTraffic> background; ///< other jobs' shares of the links of workers and servers
    /// Steps that a worker may be ahead of the slowest; -1 = asynchronous, 0 = synchronous. Needs steps without nextEdges.
    std::int32_t staleness = -1;
    /// Cores of one machine on which all workers run: requesting a step keeps a core busy for StepSet::betweenSeconds, and later
    /// workers wait for one. So workers that start together send their requests one after another. 0: a machine each, no waiting.
    std::int32_t sharedCores = 0;
    /// Workers begin at moments drawn from the length of a step, not all at once, so that lockstep due to a common start alone is
    /// not taken for typical. For several workers; not where they share cores, which decides when they begin.
    bool spreadStarts = false;
    std::uint64_t seed = 1;
    /// Every worker stops after its steps, as in Algorithm 3.1; else all go on until they have done that many together.
    bool stopEach = false;
    std::int32_t traceSteps = 0; ///< steps per worker whose chunks are kept
};

/// A chunk of an op: the whole of it, or one of a stream's turns; these are two, over TCP as many as its windows make.
struct TraceChunk {
    WorkerId worker{0};
    OpId op{0};
    StepId step{0};
    double startSeconds = 0, endSeconds = 0; ///< it holds its resource
};

/// The result of generateTrace(). Seconds from its start.
struct Generated {
    std::vector<double> completionSeconds; ///< of every counted step of all workers, ascending
    double warmUpEndSeconds = 0;           ///< end of the last step left out; where time is counted, its start
    double endSeconds = 0;                 ///< where time is counted, its end; else 0: the last counted step's
    std::vector<std::int32_t> sampledFrom; ///< [worker * traceSteps + step]: index into StepSet::seconds, of traced steps
    std::vector<TraceChunk> trace;         ///< in the order in which chunks end
    std::vector<Utilisation> utilisation;
    std::uint64_t events = 0; ///< starts and ends of chunks
    std::uint64_t ops = 0;    ///< completed
};

/// Algorithm 3.1 (GenerateTrace): every worker runs steps sampled with replacement, one scheduler per worker and resource,
/// links shared among all. Steps are played from one template, so memory is O(workers * (ops + servers)) however many steps are
/// generated.
/// Cost per chunk: O(log workers) where all workers' links are as fast as the servers' together, and O(active flows) where
/// flows have more than one bottleneck. Deterministic. Errors: an invalid step set, more connections than checkConnections()
/// allows, or one of kind Cancelled.
[[nodiscard]] Result<Generated> generateTrace(const StepSet &set, const PredictMachines &machines, const GenerateOptions &options,
                                              const std::stop_token &stop = {}, Progress *progress = nullptr);

/// Ranks of the transfers down for `order` (empty for Recorded); gradients always go as they become ready. TIC and TAC look at
/// the whole DAG with the mean times of its ops; `bytesPerSecond` turns bytes into TAC's transfer times. Errors: DAGs of more ops
/// than engine/strategy/layer_orders.h takes.
[[nodiscard]] Result<std::vector<std::int64_t>> transferRanks(const StepSet &set, TransferOrder order, double bytesPerSecond,
                                                              std::uint64_t seed);

} // namespace syncopate

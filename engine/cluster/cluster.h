// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/job/job.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// One machine with its full-duplex NICs.
struct Node {
    std::string address;
    bool chief = false;
    std::vector<std::int32_t> gpus;
    std::vector<std::int32_t> cpus{0};  ///< CPU indices as AutoDist counts them: only CPU 0 when the node has GPUs
    double bandwidthBytesPerSecond = 0; ///< of all its NICs together, each direction, as stated (before Cluster::linkEfficiency)
    /// Equal NICs that share it. A connection uses one of them (Placement says which), so it carries a share of 1 / nics at most.
    std::int32_t nics = 1;
    /// The rack, switch or placement group that it is in; nodes without one are in one together.
    std::string rack;
    std::string sshConfig;
    /// Speed of its devices against the job's times: a layer takes its seconds / computeScale here; 0.5 is a straggler.
    double computeScale = 1;
    std::string device; ///< model of its GPUs (or CPUs where it has none), "T4"; empty where it is not stated
    /// Factor on the time of a layer while the node communicates: 1.1 is a tenth longer. At least 1.
    double communicationSlowdown = 1;
    bool operator==(const Node &) const = default;

    /// Model replicas that this node runs: its GPUs, or one per CPU where it has none (AutoDist's rule).
    [[nodiscard]] std::int32_t replicaCount() const;
    [[nodiscard]] double nicBytesPerSecond() const { return bandwidthBytesPerSecond / nics; } ///< of one NIC
    /// The rate that this many connections of a collective, which share its bytes evenly, reach together: the NIC with most of
    /// them decides.
    [[nodiscard]] double streamsBytesPerSecond(std::int32_t connections) const;
};

/// CPU time of a node for messages, beside its NIC: one serial queue for its worker and one for its server, each served by
/// `threads`. Seconds; all 0 = free.
struct HostCosts {
    double sendSeconds = 0;             ///< per message between nodes, on the sender
    double sendSecondsPerByte = 0;      ///< as its copy
    double receiveSeconds = 0;          ///< per message between nodes, on the receiver
    double receiveSecondsPerByte = 0;   ///< as its copy
    double aggregateSecondsPerByte = 0; ///< on a server: adding a gradient to the others'
    double updateSecondsPerByte = 0;    ///< on a server: applying the sum
    double variableSeconds = 0;         ///< on a server: per variable, part or slice, in each iteration
    double collectiveSeconds = 0;       ///< on every worker: launching a collective
    /// Per message of a collective's step between nodes, beyond latency, sending and receiving; other collectives go on
    /// meanwhile.
    double collectiveMessageSeconds = 0;
    std::int32_t threads = 1;
    bool operator==(const HostCosts &) const = default;
    /// Whether a server spends no time on answering, so that equal workers are answered at the same moment; its time for their
    /// gradients adds up. `serverThreads`: those of the server, which the policy may choose.
    [[nodiscard]] bool answersAtOnce(std::int32_t serverThreads) const;
    /// Whether a server spends no time at all.
    [[nodiscard]] bool isFreeForServers() const;
};

/// A communicator stream between all processes: runs its collectives in turn, over links that other channels may use, too
/// ("NVLink and RDMA" beside "PCIe and TCP").
struct Channel {
    std::string name;
    std::vector<std::string> links;     ///< that a collective on it occupies; on channels with a link in common two share it
    double bandwidthBytesPerSecond = 0; ///< of one process, each direction
    double latencySeconds = 0;          ///< per step of a collective
    /// Loss of wide all-to-alls to incast: bytes that d processes of other nodes send to one at once take 1 + incast log2(d)
    /// times as long as by the bandwidth. 0 = none.
    double incast = 0;
    std::int32_t concurrent = 1; ///< collectives that it runs at once: they share its links, and their latencies overlap
    bool operator==(const Channel &) const = default;
};
inline constexpr std::int32_t maxConcurrent = 64; ///< of a channel

/// A lane between a node's devices and its host (PCI Express, then host memory): a node's sum of gradients, its copies back to
/// the devices, and its traffic with a server on the same node cross all lanes.
struct HostLane {
    std::string name;
    double bytesPerSecond = 0; ///< each direction; of each device, or of all of a node's together (isShared)
    bool isShared = false;     ///< by all devices of a node, as memory is; else each has a lane of its own
    bool isDuplex = true;      ///< both directions at once; else they share the rate
    bool operator==(const HostLane &) const = default;
};

/// Measured times of one collective among `ranks` replicas, which replace the times that follow from latencies and rates.
struct MeasuredCollective {
    struct Point {
        double sizeBytes = 0; ///< as nccl-tests counts it: the large buffer; for an all-to-all all bytes that one replica sends
        double seconds = 0;
        bool operator==(const Point &) const = default;
    };
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::int32_t ranks = 0;
    std::vector<Point> points; ///< two or more, by size, each above the one before
    std::string note{};        ///< where they come from, a sentence for people; empty = not stated
    bool operator==(const MeasuredCollective &) const = default;
};

/// Where a figure of a cluster comes from, for people: calibrating the figure again replaces it.
struct FigureNote {
    std::string figure; ///< its key in a cluster file: "latency_seconds", "host.send_seconds"
    std::string text;   ///< a sentence
    bool operator==(const FigureNote &) const = default;
};

/// How AutoDist reaches a node (an `ssh` entry of resource_spec.yml); the simulation needs none of it.
struct SshConfig {
    std::string username;
    std::int32_t port = 22;
    std::string pythonVenv;
    std::string keyFile;
    std::map<std::string, std::string> sharedEnvs;
    bool operator==(const SshConfig &) const = default;
};

/// A latency above it lacks its unit: twice around the earth takes a quarter of a second.
inline constexpr double maxLatencySeconds = 10;

/// The machines (D of AutoDist section 3). Links: every node's NICs (tx and rx) to a non-blocking switch, and one
/// intra-node fabric per node.
struct Cluster {
    std::string name;
    std::vector<Node> nodes;
    std::map<std::string, SshConfig> ssh;
    double latencySeconds = 0;                      ///< per message between nodes, one way
    double intraNodeBandwidthBytesPerSecond = 12e9; ///< per direction and device (PCIe 3 x16 unless stated)
    std::vector<HostLane> hostLanes{};              ///< none: devices and their host use the devices' own lanes, just above
    double linkEfficiency = 1;                      ///< goodput of a plain stream / stated rate
    double collectiveEfficiency = 1;                ///< of a collective / of a plain stream (TCP all-reduce < 1)
    double messageSeconds = 0;                      ///< sender's cost per message, beyond latency
    /// Max rate of one connection, each direction, as stated (before linkEfficiency): between two nodes of a rack, between racks
    /// (the same where it is not stated), and between a worker and a server on one node (no linkEfficiency there).
    double connectionBytesPerSecond = std::numeric_limits<double>::infinity();
    std::optional<double> acrossRacksBytesPerSecond{};
    double inNodeConnectionBytesPerSecond = std::numeric_limits<double>::infinity();
    /// Bytes that a NIC shaped by a token bucket lets pass at once, each direction, after a long enough pause; 0 = no bucket.
    double burstBytes = 0;
    HostCosts host{};
    std::int32_t channels = 1; ///< collectives that may run at the same time
    /// Channels that plans bind collectives to (planChannels()); empty, or enough to run `channels` collectives at once.
    std::vector<Channel> namedChannels;
    std::vector<MeasuredCollective> collectives{}; ///< one for a kind and number of ranks
    /// Nodes that only serve (no replica): where dedicated parameter servers live. Indices into nodes.
    std::vector<std::int32_t> serverOnly;
    std::vector<std::string> notes;        ///< what is published, what is assumed
    std::vector<FigureNote> figureNotes{}; ///< one for a figure
    bool staleCurvesLeftOut = false;       ///< withoutStaleCurves() has emptied `collectives`
    bool operator==(const Cluster &) const = default;

    /// All sentences about where the cluster comes from: `notes`, then those of figures and of measured collectives.
    [[nodiscard]] std::vector<std::string> allNotes() const;
    [[nodiscard]] std::int32_t replicaCount() const;
    /// Node of every replica, and nodes that only serve: in node order. Elsewhere "worker N" and "server N" count along these.
    [[nodiscard]] std::vector<std::int32_t> replicaNodes() const;
    [[nodiscard]] std::vector<std::int32_t> serverNodes() const;
    /// The nodes that have replicas, each once: replicaNodes() without repetitions.
    [[nodiscard]] std::vector<std::int32_t> trainingNodes() const;
    /// The least computeScale of the nodes that train; 1 if none does.
    [[nodiscard]] double slowestComputeScale() const;
    /// AutoDist device strings of all replicas: GPUs in node order, then CPUs of nodes without GPUs.
    [[nodiscard]] std::vector<std::string> replicaDevices() const;
    /// AutoDist reduction devices: "<address>:CPU:<index>" of every node in order. Dedicated servers, where there are any,
    /// are the only ones.
    [[nodiscard]] std::vector<std::string> reductionDevices() const;
    [[nodiscard]] std::int32_t nodeOf(std::string_view deviceOrAddress) const; ///< index, or -1
    /// Max rate of one connection between two nodes, as stated.
    [[nodiscard]] double connectionLimit(const Node &from, const Node &to) const;
    /// The min of connectionLimit() around a ring of the nodes that train, in their order; infinite for a single one.
    [[nodiscard]] double ringConnectionLimit() const;
};

/// resource_spec.yml exactly as AutoDist reads it (autodist/resource_spec.py: its defaults and refusals), plus optional keys
/// of the cluster and of its nodes, which docs/cluster-file.md lists.
[[nodiscard]] Result<Cluster> readResourceSpecText(std::string_view yaml, const std::string &file = {});
[[nodiscard]] Result<Cluster> readResourceSpecFile(const std::string &path);
[[nodiscard]] std::string writeResourceSpec(const Cluster &cluster);

/// The channels that plans may use, each with one collective at a time: the named ones, or else one, "nic", on which a process
/// has one connection: its share of the NIC that this uses, at most Cluster::ringConnectionLimit(). A channel that runs k at once
/// is k channels over the same links, "nccl (1 of 2)".
[[nodiscard]] std::vector<Channel> planChannels(const Cluster &cluster);
/// The name in planChannels() of a channel's part, by its turn from 1 to Channel::concurrent; the channel's own where it runs one
/// at a time.
[[nodiscard]] std::string partName(const Channel &channel, std::int32_t turn);
inline constexpr double maxIncast = 100; ///< of a channel

/// `count` one-GPU nodes "10.0.0.1".. on links of `gbits`.
[[nodiscard]] Cluster uniformCluster(std::int32_t count, double gbits);
/// The same machines with `workers` replicas in all: nodes are dropped or repeated (the last one is the pattern) and the
/// last node may keep only some of its devices. Dedicated servers stay.
[[nodiscard]] Cluster withWorkers(const Cluster &cluster, std::int32_t workers);
/// The same cluster with one more node like node `like`, under the next free address.
[[nodiscard]] Cluster withNodeLike(const Cluster &cluster, std::size_t like);
/// The same cluster without the nodes whose mark is set; the marks are one per node.
[[nodiscard]] Cluster withoutNodes(const Cluster &cluster, const std::vector<bool> &without);
/// The same cluster with every node's NICs at `gbits` together.
[[nodiscard]] Cluster withBandwidth(const Cluster &cluster, double gbits);
/// Returns `changed` without its measured collectives, and says so in a note, if the links or hosts of nodes that both clusters
/// have differ from those in `before`: a measurement holds for the links that it was made on.
[[nodiscard]] Cluster withoutStaleCurves(Cluster changed, const Cluster &before);
/// The same cluster with `count` nodes, "ps0".., that only serve, in place of those it had, each with the NICs and the rack of
/// the first node that trains; 0 leaves none. A cluster in which no node trains is returned as it is.
[[nodiscard]] Cluster withDedicatedServers(const Cluster &cluster, std::int32_t count);

/// A testbed of one of the papers.
struct CatalogueCluster {
    std::string name;
    std::string description;
    std::vector<std::string> published; ///< facts of its source, which is named, one sentence each
    std::vector<std::string> assumed;   ///< facts filled in to make a cluster of it
};
[[nodiscard]] const std::vector<CatalogueCluster> &catalogueClusters();
/// The cluster of that name ("A2", "B7", "syndicate"); its notes are "Published: ..." and "Assumed: ...". The error lists the
/// known names.
[[nodiscard]] Result<Cluster> catalogueCluster(std::string_view name);

} // namespace syncopate

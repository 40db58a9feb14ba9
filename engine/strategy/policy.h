// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A communication policy is one value of type Policy: its parameters, how it fuses, orders and cuts messages, how the queues
// serve them and how its system's launcher is set. Each has a file of its own in engine/strategy/policy/; the build lists that
// folder, so adding a policy adds a file and edits none. Everything else asks the Policy.

#include "engine/base/result.h"
#include "engine/job/job.h"
#include "engine/strategy/comm_policy.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace syncopate {

struct Launcher;

/// The form in which a parameter is written.
enum class ParameterUnit : std::uint8_t {
    Bytes,        ///< a size, as engine/base/units.h reads it
    Seconds,      ///< a time
    Integer,      ///< a whole number
    BytesOrCount, ///< a size with a unit, or a bare number that counts another parameter's value
    Choice,       ///< one of `words`; its value is the word's index
    Elements,     ///< a whole number of values of a variable's type, which some systems count in place of bytes
};

/// The knob of a parameter, for sliders, sweeps and remedies. Policies whose parameters mean the same share one knob.
struct PolicyKnob {
    std::string id;    ///< "partition"
    std::string label; ///< "Partition"
    std::string about; ///< "tensors are cut into pieces of this many bytes"
    double min = 0, max = 0;
    std::vector<double> remedyFactors{}; ///< multiples of the present value that may shorten an iteration
    std::vector<double> remedyValues{};  ///< Choice: values that may shorten an iteration
};

/// A parameter of a policy, as expressions write it, and the knob that changes it.
struct PolicyParameter {
    std::string key; ///< in expressions: "bucket_cap"
    ParameterUnit unit = ParameterUnit::Bytes;
    double usual = 0;                 ///< the system's default; bytes, seconds or the number
    std::vector<std::string> words{}; ///< each stands for `meaning`, which is written back as the first of them
    double meaning = 0;
    double min = 0;             ///< Integer, Elements: the smallest value accepted
    std::string counts{};       ///< BytesOrCount: key of an earlier parameter, whose value a bare number multiplies
    std::string countsAs{};     ///< BytesOrCount: the system's own setting with that count
    double maxCountedBytes = 0; ///< BytesOrCount: a bare number that means more is refused
    std::optional<PolicyKnob> knob{};
};

/// A message as the strategy makes it, before the policy changes it: one variable, a part of one or a group.
struct Message {
    std::span<const std::int32_t> variables; ///< indices into the job's
    LayerId lastLayer{0};                    ///< the layer whose backward op completes it
    bool isCollective = true;                ///< all-reduced; others are pushed to and pulled from servers
    bool isSparse = false;                   ///< rows with indices, which collectives gather
    double sizeBytes = 0;                    ///< of one replica's gradient
    double wireBytes = 0;                    ///< as one replica sends it: compressed, or with indices
    double readySeconds = 0;                 ///< after the start of the backward pass, on the slowest worker
};

/// The nodes that train, as a policy sees them.
struct TrainingNodes {
    double minComputeScale = std::numeric_limits<double>::infinity();
    double minBytesPerSecond = std::numeric_limits<double>::infinity(); ///< of a link, as streams reach it
    double maxReplicas = 1;                                             ///< per node
    double replicas = 1;                                                ///< of all nodes
};

/// All messages of one iteration in gradient-ready order: last layer first, and within a layer the last registered variable
/// first.
struct Traffic {
    const Job &job;
    std::vector<Message> messages;
    std::vector<std::int32_t> layerOfVariable;
    TrainingNodes nodes;
};

/// Messages that are sent as one. Only collectives can be fused.
struct Fusion {
    std::vector<std::size_t> messages{};    ///< into Traffic::messages, in the order of the fused buffer
    double launchDelaySeconds = 0;          ///< from its last gradient to its start
    std::optional<std::int64_t> priority{}; ///< smaller first; by default the smallest of the messages'
    bool isRoot = false;                    ///< sharded: of the module around all others (Sharding)
    bool afterBackward = false; ///< starts, its compression included, when a worker's last gradient of the backward pass is ready
    std::optional<std::size_t> launchedBy{}; ///< into Traffic::messages: another gradient that must be ready before it starts
};

/// Sizes of the pieces of a message.
enum class PieceSizes : std::uint8_t {
    Even, ///< all alike
    Full, ///< full pieces, then the rest
    Rows, ///< whole rows of its variable's first dimension, as even as possible: the last pieces are a row larger
};

/// How a message larger than `pieceBytes` is cut. The order of pieces is that of the messages, then first to last.
struct Cut {
    double pieceBytes = std::numeric_limits<double>::infinity();
    PieceSizes sizes = PieceSizes::Even;
    bool operator==(const Cut &) const = default;
};

/// A piece of a variable for which a server is chosen, and the servers to choose from.
struct Piece {
    std::size_t tensor = 0;           ///< rank of the variable's name among the job's, in alphabetical order
    std::size_t part = 0;             ///< of the variable, in the order of its bytes
    std::size_t servers = 1;          ///< dedicated ones first, both in the order of nodes
    std::size_t colocatedServers = 0; ///< of these, on nodes that train
    std::size_t workers = 1;          ///< nodes that train
};

/// Replicas keep a shard each of the dense all-reduced variables: of parameters, gradients and optimiser state. A module (a
/// Fusion) is gathered before its layers' forward, and again before their backward unless it was kept; its gradients are
/// reduce-scattered. The root module is gathered first, kept, and scattered last. engine/rewrite/sharded_order.h has the order.
struct Sharding {
    std::int32_t forwardPrefetch = 0;  ///< modules whose gathers are issued ahead of the computing one
    std::int32_t backwardPrefetch = 1; ///< the same in the backward pass
    bool reshardsAfterForward = true;  ///< frees modules other than the root after their forward
    bool scattersApart = false;        ///< reduce-scatters have a communicator of their own
    /// Parameters stay whole on every replica, which updates its shard of them (ZeRO-1): they are gathered once, before the
    /// forward pass, into the memory where they stay, and no op or gather waits for a buffer.
    bool keepsParameters = false;
    bool gathersFirst = false; ///< the forward pass starts when all modules are gathered
    bool operator==(const Sharding &) const = default;
};

/// Replicas hold all parameters, and each updates its share of the dense all-reduced ones. Before the next forward pass they are
/// gathered: a type at a time, in equal pieces of `elements` values or more, one after the other (ZeRO stages 1 and 2).
struct ParameterGather {
    double elements = std::numeric_limits<double>::infinity();
    bool shardsGradients = false; ///< a replica keeps only its share of a reduced gradient
    bool operator==(const ParameterGather &) const = default;
};

/// How the queues serve a policy's messages. By default: first come, first served, one collective at a time.
struct Discipline {
    std::optional<std::int32_t>
        channels{}; ///< collectives in flight at the same time, where the system fixes it; else Cluster::channels
    std::optional<double> creditBytes{}; ///< units take credit before they are sent, by priority
    bool strictCredit = false;           ///< credit is never exceeded; otherwise the last unit may exceed it
    /// The credit of messages to servers is each worker's own, and held only while its devices' gradients are summed: on a node
    /// with one device it limits nothing.
    bool creditOfNodeSum = false;
    bool orderedCollectives = false, orderedPushes = false, orderedPulls = false; ///< by priority
    /// All-reduces in two halves: a reduce-scatter when it is ready, first come first served, and an all-gather by priority once
    /// all of the iteration's are scattered.
    bool splitsAllReduce = false;
    std::optional<Sharding> sharding{};
    std::optional<ParameterGather> gather{};     ///< not with `sharding`, whose modules are gathered
    std::optional<std::int32_t> serverThreads{}; ///< of a server's host, where the system fixes it; else HostCosts::threads
    bool onePush = false;                        ///< a worker pushes to one server at a time
    bool pullsOncePerNode = false;               ///< dense variables, for all devices of a node, as if the strategy had proxies
    double streamBytes = std::numeric_limits<double>::infinity(); ///< bytes that a stream sends before the others' turn
    bool operator==(const Discipline &) const = default;
};

/// The definition of one policy. Members that are left empty are fifo's: whole messages in the order of readiness.
struct Policy {
    std::string name;             ///< in expressions: "bytescheduler"
    std::string about;            ///< one line for lists, without a full stop
    bool barrier = true;          ///< the system's default: the next forward waits for all communication
    std::int32_t connections = 1; ///< the default of CommPolicy::connections
    ConnectionSharing sharing = ConnectionSharing::Messages;
    std::string opens{}; ///< the connections that the system opens, as the end of a sentence; empty: not known, or of no system
    std::vector<PolicyParameter> parameters{};

    // Messages are fused or joined, then ordered, then cut.
    bool joinsGroups = true; ///< the strategy's all-reduce groups become one message each, unless `fuse` decides
    /// Assigns every message to one Fusion, in the order in which they are queued. Errors: a parameter makes no sense.
    std::function<Result<std::vector<Fusion>>(const CommPolicy &, const Traffic &)> fuse{};
    std::string fusedName{}; ///< "bucket", as in "bucket 3"
    /// Returns a priority for every message, smaller first; without it, the order in which the next forward needs them.
    std::function<Result<std::vector<std::int64_t>>(const CommPolicy &, const Traffic &)> order{};
    std::function<Result<Cut>(const CommPolicy &, const TrainingNodes &)> cut{};
    std::function<Discipline(const CommPolicy &, const TrainingNodes &)> queues{};
    /// Chooses the server of a piece, a number below Piece::servers, where the system does so itself; null keeps the strategy's
    /// server. Without it, the strategy's always holds.
    std::function<std::optional<std::size_t>(const CommPolicy &, const Piece &)> serverOf{};

    /// Steps are programs run one after the other: a step is over when every variable is updated, and only then does the next one
    /// read the servers' values, each layer waiting for its own. Otherwise servers answer with each value once it is updated.
    bool readsAfterStep = false;
    std::string assumption{};                  ///< what the simulation takes for granted, a sentence for the user
    std::vector<const Launcher *> launchers{}; ///< that can write it as settings
};

/// The built-in policies, by name.
[[nodiscard]] const std::vector<const Policy *> &policies();
/// Null where `known` has none of this name.
[[nodiscard]] const Policy *findPolicy(std::string_view name, std::span<const Policy *const> known = policies());
/// The queues' discipline under `policy` on `nodes`.
[[nodiscard]] Discipline disciplineOf(const CommPolicy &policy, const TrainingNodes &nodes);
/// Whether it sends whole messages, one by one as they become ready: no fusing, cutting or ordering.
[[nodiscard]] bool sendsWhatIsReady(const CommPolicy &policy);
/// Whether it places every piece on a server itself, whatever the strategy's placement (Policy::serverOf).
[[nodiscard]] bool choosesServers(const CommPolicy &policy);
/// The name with every parameter's default: "byteps(partition=4000KiB,credit=off,engine_threads=4,hash=djb2)".
[[nodiscard]] std::string policySignature(const Policy &policy);

// The connections that several systems open (Policy::opens).
inline constexpr const char *ncclConnections = "NCCL opens one socket for each channel of a ring of a communicator, on AWS 16 "
                                               "(two threads with eight each), on Google Cloud 4; "
                                               "with gloo a pair of processes has one (sharing=all)";
inline constexpr const char *psLiteConnections =
    "ps-lite opens one socket from each worker to each server, and one back, for all partitions";

/// The knobs that several policies share.
[[nodiscard]] PolicyKnob partitionKnob();
[[nodiscard]] PolicyKnob creditKnob();

/// For Policy::serverOf: the pieces of a tensor go to all of the strategy's servers in turn, whatever its placement. Each tensor
/// starts one server after the one before it in the alphabet.
[[nodiscard]] std::optional<std::size_t> serverInTurn(const CommPolicy &policy, const Piece &piece);

// For policies that order whole messages.

/// Serves waiting collectives and pulls by priority.
[[nodiscard]] Discipline orderedQueues(const CommPolicy &policy, const TrainingNodes &nodes);
inline constexpr const char *orderedQueuesAssumption =
    "The order chooses among pulls and collectives that wait; pushes go as gradients become ready.";

/// Time that each layer's parameters take on the slowest node's link, 0 where it has none.
[[nodiscard]] std::vector<double> layerTransferSeconds(const Traffic &traffic);
/// Priorities from a rank per layer, 0 = first: a message has the rank of the first of its layers, and within a layer the
/// variable registered first goes first.
[[nodiscard]] std::vector<std::int64_t> prioritiesByLayer(const Traffic &traffic, const std::vector<std::int32_t> &rankOfLayer);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace syncopate {

enum class PolicyKind : std::uint8_t {
    Fifo,     ///< each message is sent when it is ready, one at a time per sender
    Ddp,      ///< PyTorch DDP: gradients in reverse order fused into buckets (reference section 6.4)
    Priority, ///< ByteScheduler: partition, priority by layer, credit
    Horovod,  ///< what became ready within a cycle is fused up to a threshold (reference section 6.3)
    P3,       ///< slices, priority by layer, one slice in flight (AutoByte section II: "credit size of 1X")
    Tic,      ///< TicTac's order from the graph alone (timing-independent communication)
    Tac,      ///< TicTac's order from measured times (timing-aware communication)
    Reverse,  ///< whole messages, the layer needed last goes first
    Random,   ///< whole messages in one permutation drawn from `seed`
    BytePs,   ///< partition and priority; a part starts only if it fits what is left of the credit (reference section 6.2)
    Http2,    ///< gRPC's streams: the first `windowBytes` of each, then the rest at once (async-SGD paper, section 3.2)
};

/// How explicit a collective is: one task with the closed-form cost, or every ring step as a flow on the links.
enum class CollectiveForm : std::uint8_t { Analytic, Flows };

/// How replicas reduce a gradient together. engine/rewrite/collective.h has each one's steps and closed form.
enum class CollectiveAlgorithm : std::uint8_t {
    Ring,                   ///< bandwidth optimal, 2(n-1) steps (Patarasuk and Yuan 2009)
    Tree,                   ///< one binomial tree, whole messages: reduce to replica 0, broadcast back
    HalvingDoubling,        ///< recursive halving, then doubling (Rabenseifner 2004)
    Hierarchical,           ///< reduce inside each node, ring between nodes, broadcast inside
    ReduceScatterAllGather, ///< the two halves of a ring as collectives of their own
    BroadcastReduce,        ///< reduce to replica 0 and broadcast, each a pipelined chain
};

/// When and in what pieces the traffic that a Strategy causes is sent.
struct CommPolicy {
    PolicyKind kind = PolicyKind::Fifo;
    double bucketCapBytes = 25.0 * 1024 * 1024;
    double firstBucketBytes = 1024.0 * 1024;
    std::int32_t concurrent = 1; ///< collectives in flight at the same time
    /// Priority: the size of a partition. P3: of a slice. BytePs: of a partition, which BytePS rounds up to a multiple of
    /// (devices of a node x 4096 bytes); that depends on the cluster, so it is left to the rewriting.
    double partitionBytes = 4.0 * 1024 * 1024;
    /// Priority: bytes in flight; may go negative by one task, as ByteScheduler's. P3: one slice. BytePs: never negative.
    double creditBytes = 16.0 * 1024 * 1024;
    double fusionBytes = 128.0 * 1024 * 1024; ///< Horovod: HOROVOD_FUSION_THRESHOLD; 0 = no fusion
    double cycleSeconds = 1e-3;               ///< Horovod: HOROVOD_CYCLE_TIME
    double windowBytes = 65535;               ///< Http2: infinite = whole streams in order
    std::int32_t seed = 1;                    ///< Random
    bool barrier = true;                      ///< next forward waits for all communication, or for each layer's own
    CollectiveForm form = CollectiveForm::Analytic;
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::Ring;
    bool operator==(const CommPolicy &) const = default;
};

/// A name, or a name with settings; in any of them `barrier=on|off`, `form=analytic|flows` and
/// `algorithm=ring|tree|hd|hierarchical|rsag|breduce`. What is left out has the value that the named system ships with:
///
///   fifo
///   ddp(bucket_cap=25MiB, first_bucket=1MiB, concurrent=1)
///   horovod(fusion=128MiB, cycle=1ms)        fusion=0: every tensor alone
///   bytescheduler(partition=4MB, credit=16MB, barrier=off)  the release counts 1e6 and 4e6 parameters; here float32
///   p3(slice=160KB, barrier=off)
///   tic, tac, reverse, random(seed=1)        barrier=off: a forward op waits for its own variables
///   byteps(partition=4096000, credit=off)    off is BytePS's 32 GiB; a size, or a number of partitions as in
///                                            BYTEPS_SCHEDULING_CREDIT
///   http2(window=65535, barrier=off)         RFC 9113's initial window, before gRPC has probed the link; window=off
///
/// Sizes and times take units (engine/base/units.h). Errors: the place is the byte offset in `expression`.
[[nodiscard]] Result<CommPolicy> parsePolicy(std::string_view expression);
/// The name that parsePolicy() knows it by: "bytescheduler" for Priority.
[[nodiscard]] const char *policyName(PolicyKind kind);
/// Text that parsePolicy() reads back as an equal policy.
[[nodiscard]] std::string formatPolicy(const CommPolicy &policy);

} // namespace syncopate

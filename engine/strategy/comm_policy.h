// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

struct Policy;

/// How explicit a collective is: one task with the closed-form cost, or every ring step as a flow on the links.
enum class CollectiveForm : std::uint8_t { Analytic, Flows };

/// How replicas reduce a gradient together. engine/collective/collective_plan.h has the steps and closed form of each.
enum class CollectiveAlgorithm : std::uint8_t {
    Ring,                   ///< bandwidth optimal, 2(n-1) steps (Patarasuk and Yuan 2009)
    Tree,                   ///< one binomial tree, whole messages: reduce to replica 0, broadcast back
    HalvingDoubling,        ///< recursive halving, then doubling (Rabenseifner 2004)
    Hierarchical,           ///< reduce-scatter inside nodes, rings between them, all-gather inside
    ReduceScatterAllGather, ///< the two halves of a ring as collectives of their own
    BroadcastReduce,        ///< reduce to replica 0 and broadcast, each a pipelined chain
};

/// Which traffic shares the connections between two nodes (CommPolicy::connections).
enum class ConnectionSharing : std::uint8_t {
    Messages, ///< those of a worker and a server, one message at a time on each; a collective in flight has its own (NCCL's
              ///< communicators)
    All,      ///< also collectives in flight, which share a pair's connections (gloo, MPI)
    None,     ///< every message and every collective in flight has connections of its own: one for each partition or stream
};
[[nodiscard]] const std::string &nameOf(ConnectionSharing sharing); ///< "messages"

/// Decides when and in what pieces the traffic of a Strategy is sent: a Policy (engine/strategy/policy.h), with a value for each
/// of its parameters. The Policy outlives it.
class CommPolicy {
public:
    CommPolicy();                            ///< fifo
    explicit CommPolicy(const Policy &kind); ///< with the system's default values

    [[nodiscard]] const Policy &kind() const { return *m_kind; }
    [[nodiscard]] bool has(std::string_view key) const;
    /// The value of a parameter that the policy has: bytes, seconds or a number.
    [[nodiscard]] double value(std::string_view key) const;
    void set(std::string_view key, double value);
    /// Key of the parameter that a knob changes (PolicyKnob::id), if the policy has one.
    [[nodiscard]] std::optional<std::string_view> keyOfKnob(std::string_view knob) const;

    bool barrier = true; ///< the next forward waits for all communication, else each layer for its own
    /// Connections from each sender to each receiver: between a worker and a server, or between two nodes of a collective, whose
    /// bytes are spread over all of them.
    std::int32_t connections = 1;
    ConnectionSharing sharing = ConnectionSharing::Messages;
    CollectiveForm form = CollectiveForm::Analytic;
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::Ring;
    bool operator==(const CommPolicy &) const = default;

private:
    [[nodiscard]] std::optional<std::size_t> find(std::string_view key) const;

    const Policy *m_kind;
    std::vector<double> m_values; ///< aligned with Policy::parameters
};

/// A name, or a name with settings; in any of them `barrier=on|off`, `connections=N`, `sharing=messages|all|none`,
/// `form=analytic|flows` and `algorithm=ring|tree|hd|hierarchical|rsag|breduce`. Settings that are left out have the named
/// system's default (engine/strategy/policy/): `ddp(bucket_cap=25MiB, first_bucket=1MiB, concurrent=1, barrier=on)`.
///
/// Sizes and times take units (engine/base/units.h). `known`: the policies that may be named; empty = the built-in ones.
/// Errors: the place is the byte offset in `expression`.
[[nodiscard]] Result<CommPolicy> parsePolicy(std::string_view expression, std::span<const Policy *const> known = {});
/// Text that parsePolicy() reads back as an equal policy.
[[nodiscard]] std::string formatPolicy(const CommPolicy &policy);

} // namespace syncopate

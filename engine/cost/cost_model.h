// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// AutoSync's closed-form model of synchronisation (supplement, sections 1 to 3). The printed Eq. 2 and 3 are damaged; this code
// follows the text around them (docs/cost-models.md has the derivation):
//
//   Eq. 2  T_PS(v)  = sum over workers k of I(j,k) m r_k^(1-h) / b_jk  +  phi sum over k of I(j,k) r_k^(1-h)  +  delta
//   Eq. 3  T_CC(v)  = s m / b_min  +  phi w  +  delta
//
// j is v's server, I(j,k) says that worker k is another machine, r_k are k's replicas, h says that replicas of a machine are
// reduced (pushes) or answered (pulls) once, m is the encoded size of the message, w the devices of the ring, b_min its slowest
// link and s the share of m that crosses each link: 2(w-1)/w of an all-reduce, (w-1)/w of reduce-scatter and all-gather, 1 of
// broadcast and reduce. phi is the overhead of a network message, delta that of moving a message between device and host.

#include "engine/cost/ranker.h"
#include "engine/strategy/variable_parts.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace syncopate {

/// The three terms of Eq. 2 or 3, the domain-agnostic features z of a variable: coefficients that do not name machines.
struct CostTerms {
    double transferSeconds = 0; ///< network transfer
    double messages = 0;        ///< coefficient of phi
    double copies = 0;          ///< coefficient of delta
    CostTerms &operator+=(const CostTerms &other) {
        transferSeconds += other.transferSeconds;
        messages += other.messages;
        copies += other.copies;
        return *this;
    }
    CostTerms &operator-=(const CostTerms &other) { return *this += {-other.transferSeconds, -other.messages, -other.copies}; }
    bool operator==(const CostTerms &) const = default;
};

/// One partitioned variable of the transformed graph V': a part, or a whole variable.
struct Shard {
    const Synchronizer *synchronizer = nullptr;
    std::int32_t server = -1;  ///< of a served shard, index into Cluster::reductionDevices(); -1 = all-reduced
    std::int32_t station = -1; ///< its transfer destination, the same index; -1 = none
    double pushBytes = 0;      ///< encoded gradient of one replica: of a sparse variable the touched rows and their indices
    double pullBytes = 0;      ///< its value: of a sparse variable the touched rows
    double valueBytes = 0;     ///< all its rows
    bool sparse = false;
    bool proxy = false; ///< honoured, so never of a sparse variable
};

/// Eq. 2 and 3 for one domain. Copies are cheap beside a strategy; thread-safe once made.
class CostModel {
public:
    /// The domain has job, cluster and replicas.
    explicit CostModel(const RankerDomain &domain);

    /// T_comp: forward, backward and update on the slowest device, seconds.
    [[nodiscard]] double computeSeconds() const { return m_computeSeconds; }
    /// phi: the cost of a message between nodes beyond its bytes: latency, and the sending and receiving hosts' time for it.
    [[nodiscard]] double phiSeconds() const { return m_phiSeconds; }
    /// delta: the cost of a message on its way between device and host; the host's time per variable where the cluster states it.
    [[nodiscard]] double deltaSeconds() const { return m_deltaSeconds; }
    [[nodiscard]] double seconds(const CostTerms &terms) const {
        return terms.transferSeconds + m_phiSeconds * terms.messages + m_deltaSeconds * terms.copies;
    }

    [[nodiscard]] std::size_t serverCount() const { return m_servers.size(); }
    /// b_min of Eq. 3, bytes per second.
    [[nodiscard]] double ringBytesPerSecond() const { return m_ringBytesPerSecond; }

    /// Calls `take(const Shard &)` for each shard of variable `v`, in the order of its parts. `node` is of this
    /// variable. Errors: its partition does not fit, or it names a device that the cluster lacks.
    template <class Take> [[nodiscard]] Result<void> forEachShard(std::size_t v, const NodeConfig &node, Take &&take) const;

    /// Eq. 2 of a push and a pull together (they are symmetric except for what replicas share), on the shard's server; with a
    /// transfer destination, on that station. O(1).
    [[nodiscard]] CostTerms served(const Shard &shard) const;
    /// For a shard with a transfer destination, the terms of its server: one message from the station and one back, neither over
    /// the network where both are on one machine. O(1).
    [[nodiscard]] CostTerms behindStation(const Shard &shard) const;
    /// Eq. 3 of a message of `bytes` (of an all-gather: the contribution of one device), alone or merged. O(1).
    [[nodiscard]] CostTerms collective(CollectiveKind kind, double bytes) const;
    /// The terms of dense gradients of `bytes`, by one collective or two. O(1).
    [[nodiscard]] CostTerms reduced(Reduction reduction, double bytes) const;
    /// The terms of a shard without a server, alone: an all-gather where it is sparse, else its reduction.
    [[nodiscard]] CostTerms reduced(const Shard &shard) const {
        return shard.sparse ? collective(CollectiveKind::AllGather, shard.pushBytes)
                            : reduced(shard.synchronizer->reduction, shard.pushBytes);
    }

    [[nodiscard]] const Job &job() const { return *m_domain.job; }
    [[nodiscard]] const RankerDomain &domain() const { return m_domain; }
    /// Errors: another number of variables than the job has.
    [[nodiscard]] Result<void> check(const Strategy &strategy) const;

private:
    /// A server: the largest sums over one of its NICs, over the other machines k, of 1/b_jk and r_k/b_jk, or the time of one
    /// machine's busiest NIC where that is longer; and the numbers of machines and replicas.
    struct Server {
        std::int32_t node = 0;
        double secondsPerByte = 0, replicaSecondsPerByte = 0, machines = 0, replicas = 0;
    };
    /// A shard with `share` of the variable's elements; of a sparse variable it has `rowsTouched` rows of a step's gradient.
    [[nodiscard]] Result<Shard> shardOf(const Variable &variable, const Synchronizer &synchronizer, double share,
                                        double rowsTouched) const;
    [[nodiscard]] Result<std::int32_t> serverOf(const std::string &device) const;

    RankerDomain m_domain;
    std::vector<Server> m_servers;
    std::unordered_map<std::string, std::int32_t> m_serverOf; ///< by device string
    double m_computeSeconds = 0, m_phiSeconds = 0, m_deltaSeconds = 0;
    double m_ringDevices = 0, m_ringBytesPerSecond = 0;
};

template <class Take> Result<void> CostModel::forEachShard(std::size_t v, const NodeConfig &node, Take &&take) const {
    const Variable &variable = job().variables[v];
    const double touched = touchedRows(variable);
    if (!node.isPartitioned()) {
        take(TRY(shardOf(variable, node.synchronizer, 1, touched)));
        return {};
    }
    const std::int64_t rows = TRY(rowsToCut(variable, node));
    const auto count = static_cast<std::int64_t>(node.parts.size());
    const bool acrossRows = node.partitionAxis() > 0; // every part then has a piece of each row
    for (std::size_t p = 0; p < node.parts.size(); ++p) {
        const auto own = static_cast<double>(rowsOfPart(rows, count, static_cast<std::int64_t>(p)));
        const double share = own / static_cast<double>(rows);
        take(TRY(shardOf(variable, node.parts[p].synchronizer, share, acrossRows ? touched : touched * share)));
    }
    return {};
}

} // namespace syncopate

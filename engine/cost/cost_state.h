// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/cost_model.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace syncopate {

/// Eq. 2 and 3 of a whole strategy, updated while single variables change. T_sync is the busiest server's time (Eq. 2 adds up
/// over the variables that it hosts; servers work at the same time) plus that of all collectives one after the other (Eq. 3; a
/// group is one message, each gathered sparse variable another), which share the servers' links. T = max(T_comp, T_sync). A
/// change costs O(shards of the variable) amortised, whatever the job: sums are recomputed after as many changes as there are
/// variables, so rounding errors do not accumulate.
class CostState {
public:
    /// Errors: the strategy is not for the model's domain.
    [[nodiscard]] static Result<CostState> of(std::shared_ptr<const CostModel> model, const Strategy &strategy);

    /// Replaces the node config of one variable. On an error nothing has changed.
    [[nodiscard]] Result<void> change(std::size_t variable, const NodeConfig &node);

    [[nodiscard]] double syncSeconds() const; ///< O(servers)
    /// T of the supplement's Eq. 1.
    [[nodiscard]] double seconds() const { return std::max(m_model->computeSeconds(), syncSeconds()); }
    /// As seconds(), but where compute hides all of T_sync, less a thousandth of the remainder, so that such strategies still
    /// differ.
    [[nodiscard]] double score() const;

    [[nodiscard]] CostTerms collectiveTerms() const { return m_collectives; } ///< of all groups together
    [[nodiscard]] std::size_t collectiveCount() const { return m_groups.size() + m_gathered; }

private:
    /// The load of one shard, and where it goes.
    struct Load {
        std::int32_t server = -1, station = -1; ///< as in Shard
        std::int32_t group = -1;                ///< of a dense all-reduced shard
        Reduction reduction = Reduction::AllReduce;
        double bytes = 0;        ///< of a reduced or gathered one
        CostTerms terms, behind; ///< on its server or station, and on a server behind a station
    };
    struct Group {
        double bytes = 0;
        std::int64_t shards = 0;
    };
    explicit CostState(std::shared_ptr<const CostModel> model) : m_model(std::move(model)) {}
    void add(const Load &load);
    void remove(const Load &load);
    void addUp();
    [[nodiscard]] Result<std::vector<Load>> loadsOf(std::size_t variable, const NodeConfig &node) const;

    std::shared_ptr<const CostModel> m_model;
    std::vector<std::vector<Load>> m_loads; ///< per variable
    std::vector<CostTerms> m_servers;       ///< along Cluster::reductionDevices()
    struct GroupHash {
        std::size_t operator()(const std::pair<std::int32_t, Reduction> &key) const {
            return std::hash<std::int64_t>()(static_cast<std::int64_t>(key.first) * 4 + static_cast<std::int64_t>(key.second));
        }
    };
    std::unordered_map<std::pair<std::int32_t, Reduction>, Group, GroupHash> m_groups;
    CostTerms m_collectives;
    std::size_t m_gathered = 0, m_changes = 0;
};

} // namespace syncopate

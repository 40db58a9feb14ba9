// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/cost_state.h"

#include <algorithm>

namespace syncopate {

namespace {

constexpr double hiddenShare = 1e-3; ///< weight in score() of communication that compute hides

} // namespace

Result<CostState> CostState::of(std::shared_ptr<const CostModel> model, const Strategy &strategy) {
    TRY(model->check(strategy));
    CostState state(std::move(model));
    state.m_loads.reserve(strategy.nodes.size());
    for (std::size_t v = 0; v < strategy.nodes.size(); ++v)
        state.m_loads.push_back(TRY(state.loadsOf(v, strategy.nodes[v])));
    state.addUp();
    return state;
}

Result<std::vector<CostState::Load>> CostState::loadsOf(std::size_t variable, const NodeConfig &node) const {
    std::vector<Load> loads;
    loads.reserve(std::max<std::size_t>(1, node.parts.size()));
    TRY(m_model->forEachShard(variable, node, [&](const Shard &shard) {
        Load load;
        if (shard.server >= 0) {
            load.server = shard.server;
            load.station = shard.station;
            load.terms = m_model->served(shard);
            if (shard.station >= 0)
                load.behind = m_model->behindStation(shard);
        } else {
            load.bytes = shard.pushBytes;
            if (shard.sparse)
                load.terms = m_model->reduced(shard);
            else
                load.group = std::max(0, shard.synchronizer->group);
            load.reduction = shard.synchronizer->reduction;
        }
        loads.push_back(load);
    }));
    return loads;
}

void CostState::add(const Load &load) {
    if (load.server >= 0) {
        m_servers[static_cast<std::size_t>(load.station >= 0 ? load.station : load.server)] += load.terms;
        if (load.station >= 0)
            m_servers[static_cast<std::size_t>(load.server)] += load.behind;
    } else if (load.group < 0) {
        m_collectives += load.terms;
        ++m_gathered;
    } else {
        Group &group = m_groups[{load.group, load.reduction}];
        if (group.shards > 0)
            m_collectives -= m_model->reduced(load.reduction, group.bytes);
        group.bytes += load.bytes;
        ++group.shards;
        m_collectives += m_model->reduced(load.reduction, group.bytes);
    }
}

void CostState::remove(const Load &load) {
    if (load.server >= 0) {
        m_servers[static_cast<std::size_t>(load.station >= 0 ? load.station : load.server)] -= load.terms;
        if (load.station >= 0)
            m_servers[static_cast<std::size_t>(load.server)] -= load.behind;
    } else if (load.group < 0) {
        m_collectives -= load.terms;
        --m_gathered;
    } else {
        const auto found = m_groups.find({load.group, load.reduction});
        Group &group = found->second;
        m_collectives -= m_model->reduced(load.reduction, group.bytes);
        group.bytes -= load.bytes;
        if (--group.shards == 0)
            m_groups.erase(found);
        else
            m_collectives += m_model->reduced(load.reduction, group.bytes);
    }
}

void CostState::addUp() {
    m_servers.assign(m_model->serverCount(), {});
    m_groups.clear();
    m_collectives = {};
    m_gathered = m_changes = 0;
    for (const std::vector<Load> &loads : m_loads)
        for (const Load &load : loads)
            add(load);
}

Result<void> CostState::change(std::size_t variable, const NodeConfig &node) {
    std::vector<Load> loads = TRY(loadsOf(variable, node));
    for (const Load &load : m_loads[variable])
        remove(load);
    m_loads[variable] = std::move(loads);
    for (const Load &load : m_loads[variable])
        add(load);
    if (++m_changes >= std::max<std::size_t>(64, m_loads.size()))
        addUp();
    return {};
}

double CostState::syncSeconds() const {
    double busiest = 0;
    for (const CostTerms &terms : m_servers)
        busiest = std::max(busiest, m_model->seconds(terms));
    return busiest + m_model->seconds(m_collectives);
}

double CostState::score() const {
    const double sync = syncSeconds(), compute = m_model->computeSeconds();
    return sync > compute ? sync : compute - hiddenShare * (compute - sync);
}

} // namespace syncopate

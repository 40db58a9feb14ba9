// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/genes.h"
#include "engine/strategy/strategy.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace syncopate {

/// The strategies of the batch that a method has proposed, so that judging and learning do not decode it again: making a strategy
/// of thousands of parts takes as long as simulating a small one. May be called from any thread.
class DecodedBatch {
public:
    void keep(const Genes &genes, std::shared_ptr<const Strategy> strategy) {
        const std::scoped_lock lock(m_mutex);
        m_strategies.insert_or_assign(genes, std::move(strategy));
    }
    /// Null if it was not kept.
    [[nodiscard]] std::shared_ptr<const Strategy> find(const Genes &genes) const {
        const std::scoped_lock lock(m_mutex);
        const auto known = m_strategies.find(genes);
        return known == m_strategies.end() ? nullptr : known->second;
    }
    void clear() {
        const std::scoped_lock lock(m_mutex);
        m_strategies.clear();
    }

private:
    mutable std::mutex m_mutex;
    std::unordered_map<Genes, std::shared_ptr<const Strategy>> m_strategies;
};

} // namespace syncopate

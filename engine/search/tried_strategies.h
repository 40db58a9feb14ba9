// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/genes.h"
#include "engine/search/search_method.h"
#include "engine/strategy/fingerprint.h"

#include <functional>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

namespace syncopate {

/// The strategies that a search has tried, so that it tries none twice.
class TriedStrategies {
public:
    /// Adds the strategies of a batch.
    void add(const std::vector<SearchTrial> &batch, const SearchMethod &method) {
        for (const SearchTrial &trial : batch)
            if (trial.strategy != StrategyFingerprint())
                m_known.insert(trial.strategy);
            else if (const auto scenario = method.decode(trial.genes))
                m_known.insert(fingerprintOf(*scenario->strategy));
    }

    /// A proposal, decoded.
    struct Proposed {
        Genes genes;
        std::shared_ptr<const Strategy> strategy; ///< null where the genes cannot be decoded
    };
    /// Proposes until the strategy is new, neither tried nor in `batch`, or returns the last proposal after some attempts. Adds
    /// its fingerprint to `batch`.
    [[nodiscard]] Proposed newOne(const SearchMethod &method, std::unordered_set<StrategyFingerprint> &batch,
                                  const std::function<Genes()> &propose) const {
        Proposed proposed;
        for (int attempt = 0; attempt < maxAttempts; ++attempt) {
            proposed = {propose(), nullptr};
            const auto scenario = method.decode(proposed.genes);
            if (!scenario)
                continue;
            proposed.strategy = scenario->strategy;
            const StrategyFingerprint fingerprint = fingerprintOf(*proposed.strategy);
            if (!m_known.contains(fingerprint) && batch.insert(fingerprint).second)
                break;
        }
        return proposed;
    }

    [[nodiscard]] bool contains(const StrategyFingerprint &strategy) const { return m_known.contains(strategy); }

private:
    static constexpr int maxAttempts = 12;
    std::unordered_set<StrategyFingerprint> m_known;
};

} // namespace syncopate

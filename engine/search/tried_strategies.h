// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/genes.h"
#include "engine/search/search_method.h"
#include "engine/strategy/fingerprint.h"

#include <functional>
#include <unordered_set>
#include <vector>

namespace syncopate {

/// The strategies that a search has tried, so that it tries none twice.
class TriedStrategies {
public:
    /// Adds the strategies of a batch.
    void add(const std::vector<SearchTrial> &batch, const SearchMethod &method) {
        for (const SearchTrial &trial : batch)
            if (const auto scenario = method.decode(trial.genes))
                m_known.insert(fingerprintOf(*scenario->strategy));
    }

    /// Proposes until the strategy is new, neither tried nor in `batch`, or returns the last proposal after some attempts. Adds
    /// its fingerprint to `batch`.
    [[nodiscard]] Genes newOne(const SearchMethod &method, std::unordered_set<StrategyFingerprint> &batch,
                               const std::function<Genes()> &propose) const {
        Genes genes;
        for (int attempt = 0; attempt < maxAttempts; ++attempt) {
            genes = propose();
            const auto scenario = method.decode(genes);
            if (!scenario)
                continue;
            const StrategyFingerprint fingerprint = fingerprintOf(*scenario->strategy);
            if (!m_known.contains(fingerprint) && batch.insert(fingerprint).second)
                break;
        }
        return genes;
    }

    [[nodiscard]] bool contains(const StrategyFingerprint &strategy) const { return m_known.contains(strategy); }

private:
    static constexpr int maxAttempts = 12;
    std::unordered_set<StrategyFingerprint> m_known;
};

} // namespace syncopate

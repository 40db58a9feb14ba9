// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/genes.h"
#include "engine/search/search_method.h"
#include "engine/strategy/fingerprint.h"

#include <functional>
#include <unordered_set>
#include <vector>

namespace syncopate {

/// The strategies that a search has tried, so that it does not try them again.
class TriedStrategies {
public:
    /// Adds those of a batch that was told.
    void add(const std::vector<SearchTrial> &batch, const SearchMethod &method) {
        for (const SearchTrial &trial : batch)
            if (const auto scenario = method.decode(trial.genes))
                m_known.insert(fingerprintOf(*scenario->strategy));
    }

    /// Genes of a strategy that is neither among the tried nor in `batch`, or after some attempts whatever was proposed last.
    /// `batch` grows by its fingerprint.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/cost_model.h"
#include "engine/learn/tape.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace syncopate {

/// The features of a strategy for learned rankers: numbers that name no machine, variable or group, so that weights learned on
/// one (job, cluster) apply to another. Times are shares of the domain's own scale (compute and an all-reduce of everything),
/// counts and bytes are on log scales; all lie in about [0, 3].
struct StrategyFeatures {
    Matrix<float> variables;    ///< variables in graph order x FeatureExtractor::variableWidth
    std::vector<float> globals; ///< FeatureExtractor::globalWidth
};

/// z_raw and z_pre of the supplement's Eq. 4 and 8 for the variables of one domain, and the global features of its sections 2
/// and 3.
///
/// A row is a variable with its parts added up; AutoSync's released network sums over parts only after its first layers, which
/// takes a row for each part. Raw features: size, sparsity, place in the graph, when its gradient is ready and its value needed,
/// parts, kind, proxy, compressor, staleness, station. Predefined: the terms of Eq. 2 and 3, and the other load of its servers
/// and groups. Beyond the paper: when its communication would end if servers (of a variable with a transfer destination, that
/// station alone) and the ring served gradients in the order in which they are ready.
class FeatureExtractor {
public:
    static constexpr std::size_t variableWidth = 26, globalWidth = 38;

    explicit FeatureExtractor(std::shared_ptr<const CostModel> model);

    /// Errors: the strategy is not for the domain. Thread-safe. O(variables + servers + shards log groups).
    [[nodiscard]] Result<StrategyFeatures> extract(const Strategy &strategy) const;

    /// Nodes of the graph: layers in forward order, to whose rows those of their variables are added.
    [[nodiscard]] std::size_t layerCount() const { return m_layers; }
    [[nodiscard]] const std::vector<std::uint32_t> &layerOfRow() const { return m_layerOfRow; }
    /// Each layer gathers from itself, its parents and its children.
    [[nodiscard]] const GatherGraph &graph() const { return m_graph; }
    [[nodiscard]] const CostModel &model() const { return *m_model; }

private:
    friend class FeatureWalk;
    /// Facts of a variable that are the same for every strategy.
    struct RowFacts {
        std::size_t variable = 0;
        double bytes = 0, byteShare = 0, touchedShare = 1;
        double place = 0;                        ///< of its layer, 0 to 1
        double readySeconds = 0, readyShare = 0; ///< when its layer's backward ends, from the iteration's start; of all backward
        double neededShare = 0;                  ///< of all forward, before its layer's
        bool sparse = false;
    };
    std::shared_ptr<const CostModel> m_model;
    std::size_t m_layers = 0;
    std::vector<std::uint32_t> m_layerOfRow;
    std::vector<RowFacts> m_rows;
    GatherGraph m_graph;
    double m_scaleSeconds = 1;
};

} // namespace syncopate

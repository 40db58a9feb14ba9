// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/features.h"

#include <string>
#include <vector>

namespace syncopate {

/// Gradient-boosted trees (XGBoost, objective rank:pairwise; Chen and Guestrin 2016) as comparator of the networks: they read the
/// global features, and of the variables' features mean and maximum over the variables, so they ignore the order of layers.
/// Loaded trees give the scores until it learns; learning adds new trees, fitted on the predictions of the loaded ones.
class TreeRanker final : public Ranker {
public:
    struct Settings {
        int rounds = 100, depth = 4;
    };
    TreeRanker(const RankerDomain &domain, const ArgumentValues &values, std::uint64_t seed);

    [[nodiscard]] std::string text() const override { return m_text; }
    [[nodiscard]] Result<std::vector<double>> score(std::span<const std::shared_ptr<const Strategy>> strategies,
                                                    const std::stop_token &stop) const override;
    [[nodiscard]] Result<void> learn(std::span<const RankedTrial> trials, const std::stop_token &stop) override;
    [[nodiscard]] std::string save() const override;
    [[nodiscard]] Result<void> load(std::string_view text) override;

private:
    /// One row per strategy.
    [[nodiscard]] Result<Matrix<float>> rowsOf(std::span<const std::shared_ptr<const Strategy>> strategies,
                                               const std::stop_token &stop) const;

    FeatureExtractor m_domain;
    std::string m_text;
    Settings m_settings;
    std::uint64_t m_seed;
    std::string m_model, m_first; ///< trees as XGBoost's JSON, and those that learning starts from; empty = none, all score 0
};

[[nodiscard]] const ExpressionInfo &treeRankerInfo();

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/cost_model.h"

namespace syncopate {

/// The predefined performance model of AutoDist, section 2.4: Eq. 2 and 3 as they are, in seconds. Nothing is learned.
class PredefinedRanker final : public Ranker {
public:
    explicit PredefinedRanker(const RankerDomain &domain);
    [[nodiscard]] std::string text() const override { return "predefined()"; }
    [[nodiscard]] bool learns() const override { return false; }
    [[nodiscard]] Result<std::vector<double>> score(std::span<const std::shared_ptr<const Strategy>> strategies,
                                                    const std::stop_token &stop) const override;
    [[nodiscard]] Result<void> learn(std::span<const RankedTrial>, const std::stop_token &) override { return {}; }
    [[nodiscard]] std::string save() const override { return R"j({"ranker":"predefined()"})j"; }
    [[nodiscard]] Result<void> load(std::string_view text) override;

private:
    std::shared_ptr<const CostModel> m_model;
};

[[nodiscard]] const ExpressionInfo &predefinedRankerInfo();

} // namespace syncopate

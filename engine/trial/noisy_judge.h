// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/trial/simulated_judge.h"

#include <cstdint>

namespace syncopate {

/// Judges a scenario like a run on real machines: the simulated iteration time, repeated with noise, without the first
/// iterations. Each iteration, and the communication in it, takes the simulated time times a log-normal factor of mean 1. The
/// noise is drawn from the seed and the strategy, so the same strategy always has the same verdict, and a search is repeatable.
class NoisyJudge final : public Judge {
public:
    struct Settings {
        std::int32_t iterations = 50, warmUp = 10; ///< `warmUp` of them are left out; AutoDist, section 3.3
        std::int32_t variation = 5;                ///< coefficient of variation of an iteration, percent
        std::int32_t seed = 1;
    };
    explicit NoisyJudge(const Settings &settings) : m_settings(settings) {}
    [[nodiscard]] static const ExpressionInfo &info();
    /// Errors: no iteration is left after the warm-up.
    [[nodiscard]] static Result<std::unique_ptr<Judge>> make(const Expression &expression);

    [[nodiscard]] std::string text() const override;
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override;

private:
    Settings m_settings;
    SimulatedJudge m_simulated;
};

} // namespace syncopate

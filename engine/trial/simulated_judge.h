// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/simulated_iteration.h"
#include "engine/trial/judge.h"

namespace syncopate {

/// Judges a scenario by its event simulation, simulate(). As long as the judge lives, it keeps the memory of its simulations.
class SimulatedJudge final : public Judge {
public:
    [[nodiscard]] std::string text() const override { return "simulated()"; }
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override;

private:
    SimulationMemories m_memories;
};

} // namespace syncopate

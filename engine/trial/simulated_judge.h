// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/simulated_iteration.h"
#include "engine/trial/judge.h"

#include <mutex>
#include <vector>

namespace syncopate {

/// Judges a scenario by its event simulation, simulate(). Simulations use each other's memory: as long as the judge lives, it
/// keeps that of as many as were ever under way at once.
class SimulatedJudge final : public Judge {
public:
    [[nodiscard]] std::string text() const override { return "simulated()"; }
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override;

private:
    [[nodiscard]] SimulationMemory takeMemory();

    std::mutex m_mutex;
    std::vector<SimulationMemory> m_memories; ///< of no simulation at present
};

} // namespace syncopate

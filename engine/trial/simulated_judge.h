// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/trial/judge.h"

namespace syncopate {

/// Judges a scenario by its event simulation, simulate().
class SimulatedJudge final : public Judge {
public:
    [[nodiscard]] std::string text() const override { return "simulated()"; }
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override;
};

} // namespace syncopate

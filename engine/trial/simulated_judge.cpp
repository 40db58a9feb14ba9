// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trial/simulated_judge.h"

#include "engine/analyze/metrics.h"
#include "engine/simulate/run.h"

#include <cmath>
#include <utility>

namespace syncopate {

Result<Verdict> SimulatedJudge::judge(const Scenario &scenario, std::stop_token stop) {
    const auto run = TRY(simulateFigures(scenario, std::move(stop)));
    const AreaStatistics area = iterationStatistics(*run);
    Verdict verdict;
    verdict.iterationSeconds = run->iterationSeconds;
    verdict.confidence = run->confidence;
    verdict.exposedSeconds = area.exposedSeconds;
    verdict.communicationSeconds = area.communicationSeconds;
    verdict.samplesPerSecond = run->samplesPerSecond;
    verdict.costSeconds = run->wallSeconds;
    verdict.assumptions = run->assumptions;
    return verdict;
}

} // namespace syncopate

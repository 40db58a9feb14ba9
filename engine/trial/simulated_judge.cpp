// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trial/simulated_judge.h"

#include "engine/analyze/communication_statistics.h"

#include <cmath>
#include <utility>

namespace syncopate {

Result<Verdict> SimulatedJudge::judge(const Scenario &scenario, std::stop_token stop) {
    auto iteration = TRY(m_memories.simulateIteration(scenario, std::move(stop)));
    const CommunicationStatistics communication = communicationStatistics(iteration);
    Verdict verdict;
    verdict.iterationSeconds = iteration.iterationSeconds;
    verdict.confidence = iteration.confidence;
    verdict.exposedSeconds = communication.exposedSeconds;
    verdict.communicationSeconds = communication.communicationSeconds;
    verdict.samplesPerSecond = iteration.samplesPerSecond;
    verdict.costSeconds = iteration.wallSeconds;
    verdict.assumptions = std::move(iteration.assumptions);
    return verdict;
}

} // namespace syncopate

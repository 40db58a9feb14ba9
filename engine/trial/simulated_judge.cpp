// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trial/simulated_judge.h"

#include "engine/analyze/communication_statistics.h"

#include <cmath>
#include <utility>

namespace syncopate {

SimulationMemory SimulatedJudge::takeMemory() {
    const std::scoped_lock lock(m_mutex);
    if (m_memories.empty())
        return {};
    SimulationMemory memory = std::move(m_memories.back());
    m_memories.pop_back();
    return memory;
}

Result<Verdict> SimulatedJudge::judge(const Scenario &scenario, std::stop_token stop) {
    SimulationMemory memory = takeMemory();
    auto iteration = TRY(simulateIteration(scenario, memory, std::move(stop)));
    {
        const std::scoped_lock lock(m_mutex);
        m_memories.push_back(std::move(memory));
    }
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_report.h"

#include "app/cli/rate.h"
#include "engine/analyze/comparable.h"
#include "engine/analyze/training_memory.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/strategy/policy.h"

#include <fmt/format.h>

namespace syncopate::cli {

void writeRun(JsonWriter &json, const Run &run) {
    const AreaStatistics area = iterationStatistics(run);
    json.member("job", run.scenario.job->name).member("cluster", run.scenario.cluster->name);
    json.member("policy", formatPolicy(run.scenario.policy));
    json.member("iteration_seconds", run.iterationSeconds).member("confidence", run.confidence);
    json.member("compute_seconds", area.computeSeconds);
    json.member("communication_seconds", area.communicationSeconds).member("exposed_communication_seconds", area.exposedSeconds);
    json.member("host_wait_seconds", hostWaitSeconds(run, area));
    json.member("overlap_ratio", area.overlapRatio());
    writeRate(json, run.scenario.job->batchSize, run.samplesPerSecond);
    json.member("workers", run.workers).member("events", run.events).member("wall_seconds", run.wallSeconds);
    const TrainingMemory memory = trainingMemory(run);
    json.member("peak_memory_bytes", memory.deviceBytes()).member("parameter_bytes", memory.parameterBytes);
    json.member("optimizer_bytes", memory.optimizerBytes).member("gradient_bytes", memory.bufferBytes);
    json.member("server_memory_bytes", memory.serverBytes);
    json.key("assumptions").beginArray();
    for (const std::string &assumption : run.assumptions)
        json.value(assumption);
    json.value(trainingMemoryAssumption());
    for (const std::string &note : run.scenario.job->notes)
        json.value(note);
    for (const std::string &note : run.scenario.cluster->notes)
        json.value(note);
    json.endArray();
}

std::string describeRun(const Recording &run) {
    const AreaStatistics area = iterationStatistics(run);
    const double host = hostWaitSeconds(run, area);
    const bool known = statesBatch(*run.job);
    return fmt::format(
        "iteration       {}\ncompute         {}\n{}communication   {}\nexposed         {}\noverlap         {:.0f} %\n"
        "throughput      {:.5g} {} on {} workers{}\n",
        formatIteration(run.iterationSeconds, run.confidence), formatSeconds(area.computeSeconds),
        host > 0 ? fmt::format("waits for host  {}\n", formatSeconds(host)) : "", formatSeconds(area.communicationSeconds),
        formatSeconds(area.exposedSeconds), area.overlapRatio() * 100, run.samplesPerSecond, rateUnit(known), run.workers,
        known ? "" : " (the batch is not known: --batch-size K)");
}

} // namespace syncopate::cli

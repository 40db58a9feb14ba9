// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_report.h"

#include "app/cli/rate.h"
#include "engine/analyze/comparable.h"
#include "engine/analyze/training_memory.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/strategy/policy.h"

#include <fmt/format.h>
#include <limits>

namespace syncopate::cli {

void writeFigures(JsonWriter &json, const Recording &run, const AreaStatistics &area) {
    json.member("iteration_seconds", run.iterationSeconds).member("confidence", run.confidence);
    json.member("compute_seconds", area.computeSeconds);
    json.member("communication_seconds", area.communicationSeconds).member("exposed_communication_seconds", area.exposedSeconds);
    json.member("host_wait_seconds", hostWaitSeconds(run, area)).member("copy_seconds", area.copySeconds);
    json.member("overlap_ratio", area.overlapRatio());
    if (run.samplesPerSecond > 0)
        writeRate(json, run.job->batchSize, run.samplesPerSecond);
    else
        json.member("samples_per_second", std::numeric_limits<double>::quiet_NaN());
    json.member("workers", run.workers).member("events", run.events);
}

void writeRun(JsonWriter &json, const Run &run) {
    json.member("job", run.scenario.job->name).member("cluster", run.scenario.cluster->name);
    json.member("policy", formatPolicy(run.scenario.policy));
    writeFigures(json, run, iterationStatistics(run));
    json.member("wall_seconds", run.wallSeconds);
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
    for (const std::string &note : run.scenario.cluster->allNotes())
        json.value(note);
    json.endArray();
}

namespace {
/// The rate with its unit; for a recording without a rate, its number of processes.
std::string throughputLine(const Recording &run) {
    if (!(run.samplesPerSecond > 0))
        return fmt::format("processes       {}\n", run.workers);
    const bool knowsBatch = statesBatch(*run.job);
    return fmt::format("throughput      {:.5g} {} on {}{}\n", run.samplesPerSecond, rateUnit(knowsBatch),
                       counted(run.workers, "worker"), knowsBatch ? "" : " (the batch is not known: --batch-size K)");
}
} // namespace

std::string describeRun(const Recording &run) {
    const AreaStatistics area = iterationStatistics(run);
    const double host = hostWaitSeconds(run, area);
    return fmt::format(
        "iteration       {}\ncompute         {}\n{}communication   {}\nexposed         {}\noverlap         {:.0f} %\n"
        "{}",
        formatIteration(run.iterationSeconds, run.confidence), formatSeconds(area.computeSeconds),
        (host > 0 ? fmt::format("waits for host  {}\n", formatSeconds(host)) : "") +
            (area.copySeconds > 0 ? fmt::format("copies          {}\n", formatSeconds(area.copySeconds)) : ""),
        formatSeconds(area.communicationSeconds), formatSeconds(area.exposedSeconds), area.overlapRatio() * 100,
        throughputLine(run));
}

} // namespace syncopate::cli

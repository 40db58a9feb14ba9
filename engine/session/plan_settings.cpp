// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/plan_settings.h"

#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/plan/dag_text.h"
#include "engine/plan/job_dag.h"
#include "engine/plan/measured_costs.h"
#include "engine/profile/chakra/chakra_recorded.h"
#include "engine/profile/recording/recording.h"
#include "engine/session/dag_job.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

const RecordedStep *plannedStep(const ImportedProfile *profile, PlannedCollectives which) {
    return profile && which == PlannedCollectives::Recorded ? profile->recorded.get() : nullptr;
}

Result<RecordedDag> planDag(const Job &job, const ImportedProfile *profile, PlannedCollectives which, const Cluster &cluster,
                            const std::string &file) {
    const std::int32_t processes = cluster.replicaCount();
    if (const RecordedStep *step = plannedStep(profile, which))
        return dagOfStep(*step, job.name, profile->platform.ranks, processes, file);
    const double computeScale = cluster.slowestComputeScale();
    RecordedDag gradients{TRY(inFile(dagOfJob(job, processes, computeScale), file)), {}};
    if (profile && which == PlannedCollectives::Recorded)
        gradients.notes.emplace_back(
            "The profile has no collectives that can be planned as recorded; the gradients of its layers are planned "
            "instead, as in data-parallel training.");
    if (computeScale != 1)
        gradients.notes.push_back(computeScaleNote(computeScale));
    return gradients;
}

std::string nameOfTrace(const std::string &path) { return visibleText(std::filesystem::path(path).stem().string()); }

Result<double> readMemoryBound(std::string_view text) {
    if (text.empty())
        return 0.0;
    const double bytes = TRY(parseBytes(text));
    if (!(bytes >= 1))
        return fail("the memory of a plan is bounded to one byte or more", "give a size such as 2GiB");
    return bytes;
}

Result<PlanTask> planTask(const SessionState &state, const PlanSettings &settings) {
    if (!state.job || !state.cluster)
        return fail("nothing is loaded", "open a profile, a job file, a training DAG or a catalogue job");
    if (showsDag(state) && !settings.dag)
        return needsLayers(state.job->name, "choose a DAG to plan");
    if (!showsDag(state) && !settings.dag && isRecordingOnly(*state.job))
        return recordingOnly();
    PlanTask task;
    task.method = TRY(readPlanMethod(settings.method, task.request));
    const Cluster cluster = withKnobs(*state.cluster, state);
    task.request.dag = settings.dag;
    if (!settings.dag) {
        RecordedDag recorded = TRY(planDag(*state.job, state.profile.get(), settings.collectives, cluster, state.source));
        task.ofRecording = plannedStep(state.profile.get(), settings.collectives) != nullptr;
        task.ofJob = !task.ofRecording;
        task.request.dag = std::make_shared<const TrainingDag>(std::move(recorded.dag));
        task.notes = std::move(recorded.notes);
    }
    task.request.channels = planChannels(cluster);
    const std::int32_t processes = task.request.dag->processes;
    task.clusterCosts = !settings.costs;
    if (settings.costs) {
        task.request.costs = modelledCosts(cluster, task.request.channels);
        task.request.costs.takeMeasured(*settings.costs);
    } else {
        task.request.costs = costsOfCluster(cluster, {task.request.channels, processes}, task.notes);
    }
    TRY(checkGroupsOnNodes(*task.request.dag, task.request.costs.processesPerNode));
    task.request.seed = settings.seed;
    task.request.evaluations = settings.evaluations;
    task.request.minEvaluations = std::min(task.request.minEvaluations, settings.evaluations);
    task.request.maxBytes = settings.maxBytes;
    return task;
}

PlannedWork plannedWork(const PlanTask &task, const FoundPlan &found) {
    return {.title = fmt::format("{} plan of {}", titleOf(found.method), task.request.dag->name),
            .dag = *task.request.dag,
            .plan = found.plan,
            .costs = task.request.costs,
            .ofJob = task.ofJob,
            .ofRecording = task.ofRecording,
            .onCluster = true,
            .clusterCosts = task.clusterCosts};
}

namespace {

/// The recorded DAG of a Chakra trace, for as many processes as the shared cluster has GPUs.
Result<PlanFile> readChakraDag(const std::string &path, const SessionState &state) {
    if (!state.cluster)
        return fail("nothing is loaded", "open a profile, a job file or a catalogue job", path);
    const RecordedStep step = TRY(recordChakraFile(path));
    const std::int32_t processes = withKnobs(*state.cluster, state).replicaCount();
    RecordedDag recorded = TRY(dagOfStep(step, nameOfTrace(path), 0, processes, path));
    return std::make_shared<const TrainingDag>(std::move(recorded.dag));
}

} // namespace

Result<PlanFile> readPlanFile(const std::string &path, const SessionState &state, const PlanSettings &settings) {
    if (isChakraFile(path))
        return readChakraDag(path, state);
    if (isTrainingDagFile(path))
        return std::make_shared<const TrainingDag>(TRY(readTrainingDagFile(path)));
    if (!path.ends_with(".json"))
        return std::make_shared<const MotifCosts>(TRY(readMotifCostsFile(path)));
    const PlanTask task = TRY(planTask(state, settings));
    return std::make_shared<const PlannedWork>(TRY(workOfFile(path, task)));
}

bool beginsAsDagFile(const std::string &path) {
    const std::string head = headOfDagFile(path);
    return (looksLikeDagText(head) || head.find("\"ops\"") != std::string::npos) && isTrainingDagFile(path);
}

} // namespace syncopate

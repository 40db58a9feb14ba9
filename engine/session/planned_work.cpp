// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/planned_work.h"

#include "engine/analyze/causes.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/plan/job_dag.h"
#include "engine/plan/measured_costs.h"
#include "engine/plan/plan_json.h"
#include "engine/search/plan_search.h"
#include "engine/simulate/planned_timeline.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

const std::string editedMark = "edited "; ///< before the title of a plan that was edited by hand

/// The plan's channels, with the figures that the cluster has for channels of the same names.
Result<std::vector<Channel>> channelsOn(const Cluster &cluster, const std::vector<Channel> &planned) {
    const std::vector<Channel> present = planChannels(cluster);
    std::vector<Channel> channels;
    for (const Channel &channel : planned) {
        const auto found = std::find_if(present.begin(), present.end(), [&](const Channel &c) { return c.name == channel.name; });
        if (found == present.end())
            return fail(fmt::format("the cluster has no channel \"{}\", which the plan uses", channel.name),
                        "plan again for this cluster");
        channels.push_back(*found);
    }
    return channels;
}

/// PlannedRecording::criticalTasks.
std::vector<TaskId> criticalTasks(const PlannedRecording &run) {
    std::vector<TaskId> tasks;
    for (const Cause &cause : CauseFinder(run, run.settledIteration).ofIteration().causes)
        if (tasks.empty() || tasks.back() != cause.task)
            tasks.push_back(cause.task);
    return tasks;
}

std::string linksOf(const std::vector<LinkSlowdown> &slowdowns) {
    std::string links;
    for (const LinkSlowdown &slowdown : slowdowns)
        links += (links.empty() ? "" : ", ") + slowdown.link;
    return links;
}

/// `notes` say which of the cluster's measured times are left out.
std::vector<std::string> assumptionsOf(const PlannedWork &work, const PresentPlan &present, const PlannedRecording &run,
                                       const PlayedPlan &played, const std::vector<std::string> &notes) {
    std::vector<std::string> lines{
        fmt::format("Planned, not measured: {}; {} processes, each motif on its channel in its strict order. Equal processes are "
                    "played as one.",
                    work.title, present.dag.processes),
        fmt::format("No plan of these collectives on these channels has iterations below {}; this one is {}.",
                    formatSeconds(run.boundSeconds), describeAboveBound(run.iterationSeconds, run.boundSeconds)),
        present.costs.curves.empty()
            ? "Motifs take the steps of their algorithm times the channel's latency, and the bytes that a process sends over its "
              "bandwidth."
            : fmt::format("Motifs take the measured times of their kind and size ({} curves); others follow from the channel's "
                          "latency and bandwidth.",
                          present.costs.curves.size()),
        "Motifs on channels with a link in common share it; " +
            (present.costs.slowdowns.empty()
                 ? std::string("effects of other channels on each other are left out.")
                 : fmt::format("on links that were measured in pairs ({}) they take longer while another of these is busy.",
                               linksOf(present.costs.slowdowns)))};
    if (present.costs.launchSeconds > 0)
        lines.push_back(fmt::format("Dispatching a motif takes {}, which is in measured times already.",
                                    formatSeconds(present.costs.launchSeconds)));
    if (present.costs.largestNode > present.costs.processesPerNode)
        lines.push_back(unevenNodesNote(present.costs));
    lines.insert(lines.end(), notes.begin(), notes.end());
    if (run.computeScale != 1)
        lines.push_back(computeScaleNote(run.computeScale));
    if (!work.ofJob)
        lines.emplace_back(
            run.job->layers.empty() ? "A training DAG says nothing of samples."
            : work.ofRecording
                ? "The DAG is the profile's recorded step: it says nothing of samples, and layers and variables are those of the "
                  "job."
                : "The DAG is a file's: it says nothing of samples, and layers and variables are those of the job.");
    if (std::string note = describeSteadyState(played.steady, played.graph); !note.empty())
        lines.push_back(std::move(note));
    return lines;
}

/// presentPlan(); `notes` say which of the cluster's measured times are left out.
Result<PresentPlan> presentPlanOf(const PlannedWork &work, const Job &job, const Cluster &cluster,
                                  std::vector<std::string> &notes) {
    PresentPlan present{work.dag, work.plan, {}};
    if (work.ofJob)
        present.dag = TRY(dagOfJob(job, cluster.replicaCount(), cluster.slowestComputeScale()));
    present.costs = costsOfCluster(cluster, {planChannels(cluster), present.dag.processes}, notes);
    TRY(checkGroupsOnNodes(present.dag, present.costs.processesPerNode));
    if (!work.clusterCosts) { // given times know no cluster
        present.costs.takeMeasured(work.costs);
        notes.clear();
    }
    if (work.onCluster)
        present.plan.channels = TRY(channelsOn(cluster, work.plan.channels));
    if (const auto valid = validatePlan(present.plan, present.dag); !valid) {
        Error error = valid.error();
        if (present.dag.processes != work.dag.processes) {
            error.what = fmt::format("the plan was made for {} processes and does not fit {}: {}", work.dag.processes,
                                     present.dag.processes, error.what);
            error.remedy = "plan again for this cluster";
        }
        return Unexpected(std::move(error));
    }
    return present;
}

} // namespace

Result<PresentPlan> presentPlan(const PlannedWork &work, const Job &job, const Cluster &cluster) {
    std::vector<std::string> notes; // planning has shown them
    return presentPlanOf(work, job, cluster, notes);
}

Result<std::shared_ptr<const PlannedRecording>> plannedRun(const PlannedWork &work, const std::shared_ptr<const Job> &job,
                                                           const Cluster &cluster, const std::stop_token &stop) {
    std::vector<std::string> notes;
    PresentPlan present = TRY(presentPlanOf(work, *job, cluster, notes));
    PlanRequest bounded;
    bounded.dag = std::make_shared<const TrainingDag>(present.dag);
    bounded.channels = present.plan.channels;
    bounded.costs = present.costs;
    present.dag = withSubmission(std::move(present.dag), work.plan.enforced);
    PlayedPlan played = TRY(playPlanTasks(present.dag, present.plan, present.costs, stop));
    auto run = std::make_shared<PlannedRecording>();
    run->job = job;
    run->workers = present.dag.processes;
    if (work.ofJob)
        run->computeScale = cluster.slowestComputeScale();
    run->iterationSeconds = played.steady.secondsPerStep;
    run->confidence = played.steady.confidence;
    run->windowStartSeconds = iterationStarts(played.graph, played.schedule).front()[static_cast<std::size_t>(played.settled)];
    if (work.ofJob && run->iterationSeconds > 0)
        run->samplesPerSecond = run->workers * countOfStep(*job) / run->iterationSeconds;
    if (run->iterationSeconds > 0)
        run->computeIdleRatio = std::max(0.0, 1 - present.dag.computeSeconds() / run->iterationSeconds);
    run->timeline = plannedTimeline(present.dag, present.plan, played, stop);
    for (std::size_t lane = 0; lane < run->timeline.lanes.size(); ++lane) // compute first, then the channels
        run->laneChannels.push_back(lane == 0 ? ChannelId() : ChannelId(lane - 1));
    run->boundSeconds = planBoundSeconds(bounded, stop);
    if (stop.stop_requested()) // discard incomplete results
        return cancelled();
    run->events = played.schedule.events;
    run->assumptions = assumptionsOf(work, present, *run, played, notes);
    run->graph = std::move(played.graph);
    run->readySeconds = std::move(played.schedule.readySeconds);
    run->startSeconds = std::move(played.schedule.startSeconds);
    run->endSeconds = std::move(played.schedule.endSeconds);
    run->settledIteration = played.settled;
    run->criticalTasks = criticalTasks(*run);
    return run;
}

Result<PlannedWork> editedWork(const PlannedWork &work, const Job &job, const Cluster &cluster, const PlanEdit &edit,
                               const std::stop_token &stop) {
    PresentPlan present = TRY(presentPlan(work, job, cluster));
    PlannedWork edited = work;
    edited.plan = TRY(editPlan(withSubmission(present.dag, work.plan.enforced), present.plan, present.costs, edit, stop));
    edited.dag = std::move(present.dag);
    if (!std::exchange(edited.edited, true))
        edited.title = editedMark + edited.title;
    return edited;
}

std::string writePlannedWork(const PlannedWork &work) {
    JsonWriter json;
    json.beginObject().member("title", work.title).member("enforced", work.plan.enforced).member("of_job", work.ofJob);
    json.member("of_recording", work.ofRecording)
        .member("on_cluster", work.onCluster)
        .member("cluster_costs", work.clusterCosts)
        .member("edited", work.edited);
    json.newLine().member("dag", writeTrainingDag(work.dag));
    json.newLine().member("plan", writeExecutionPlan(work.plan, work.dag));
    json.newLine().key("costs").beginArray();
    for (const MotifCurve &curve : work.costs.curves) {
        json.newLine().beginObject().member("kind", nameOf(curve.kind)).member("link", curve.link);
        json.member("spline", curve.spline.index).member("splines", curve.spline.of).key("samples").beginArray();
        for (const CollectiveSample &sample : curve.samples)
            json.beginObject().member("bytes", sample.sizeBytes).member("seconds", sample.seconds).endObject();
        json.endArray().endObject();
    }
    json.endArray();
    if (!work.costs.slowdowns.empty()) {
        json.newLine().key("slowdowns").beginArray();
        for (const LinkSlowdown &slowdown : work.costs.slowdowns) {
            json.newLine().beginObject().member("link", slowdown.link).key("samples").beginArray();
            for (const LinkSlowdown::Sample &sample : slowdown.samples)
                json.beginObject().member("seconds_alone", sample.aloneSeconds).member("factor", sample.factor).endObject();
            json.endArray().endObject();
        }
        json.endArray();
    }
    return json.endObject().newLine().take();
}

namespace {

/// The name of a link, which may be empty in a file of measurements.
Result<std::string> linkIn(planjson::element item, const planjson::Place &place) {
    std::string_view link;
    if (TRY(planjson::member(item, "link", place)).get(link))
        return (place / "link").refuse("this is not a text");
    return std::string(link);
}

/// Reads a slowdown of writePlannedWork().
Result<LinkSlowdown> readSlowdown(planjson::element item, const planjson::Place &place) {
    LinkSlowdown slowdown{TRY(linkIn(item, place)), {}};
    TRY(planjson::forEach(item, "samples", place, [&](planjson::element sample, const planjson::Place &at) -> Result<void> {
        const double seconds = TRY(planjson::number(sample, "seconds_alone", minSlowedSeconds, maxSlowedSeconds, at));
        const double factor = TRY(planjson::number(sample, "factor", 1, maxSlowdown, at));
        slowdown.samples.push_back({seconds, factor});
        const std::size_t last = slowdown.samples.size() - 1;
        if (last > 0 && slowdown.samples[last].aloneSeconds < slowdown.samples[last - 1].aloneSeconds)
            return at.refuse("a sample is shorter than the one before");
        return {};
    }));
    return slowdown;
}

/// Reads a curve of writePlannedWork(). Sizes and times do not decrease, on which MotifCosts relies.
Result<MotifCurve> readCurve(planjson::element item, const planjson::Place &place) {
    MotifCurve curve;
    const std::string kind = TRY(planjson::text(item, "kind", place));
    const auto known = collectiveFromName(kind);
    if (!known)
        return (place / "kind").refuse(fmt::format("the kind \"{}\" is not known", kind));
    curve.kind = *known;
    curve.link = TRY(linkIn(item, place));
    curve.spline.of = TRY(planjson::integer(item, "splines", 1, 65536, place));
    curve.spline.index = TRY(planjson::integer(item, "spline", 0, curve.spline.of - 1, place));
    TRY(planjson::forEach(item, "samples", place, [&](planjson::element sample, const planjson::Place &at) -> Result<void> {
        const double bytes = TRY(planjson::number(sample, "bytes", 1, 1e15, at));
        const double seconds = TRY(planjson::number(sample, "seconds", 0, 1e6, at));
        curve.samples.push_back({bytes, seconds});
        const std::size_t last = curve.samples.size() - 1;
        if (last > 0 && (curve.samples[last].sizeBytes < curve.samples[last - 1].sizeBytes ||
                         curve.samples[last].seconds < curve.samples[last - 1].seconds))
            return at.refuse("a sample is smaller than the one before, or faster");
        return {};
    }));
    if (curve.samples.empty())
        return (place / "samples").refuse("a curve has a sample");
    return curve;
}

} // namespace

Result<PlannedWork> readPlannedWork(std::string_view json, const std::string &file) {
    simdjson::dom::parser parser;
    const auto root = TRY(planjson::parse(parser, json, file));
    const planjson::Place top{file, {}};
    const auto flag = [&](std::string_view key) { return planjson::flag(root, key, top); };
    // Reads a field whose text may be longer than planjson::text() allows: a whole file's, or a title, which quotes names.
    const auto content = [&](std::string_view key) -> Result<std::string_view> {
        std::string_view text;
        if (TRY(planjson::member(root, key, top)).get(text))
            return (top / key).refuse("this is not a text");
        return text;
    };
    PlannedWork work;
    work.title = TRY(content("title"));
    if (work.title.empty() || visibleText(work.title) != work.title)
        return (top / "title").refuse("a text of one line is expected");
    work.ofJob = TRY(flag("of_job"));
    if (planjson::has(root, "of_recording")) // older projects do not say so
        work.ofRecording = TRY(flag("of_recording"));
    work.onCluster = TRY(flag("on_cluster"));
    if (planjson::has(root, "cluster_costs")) // older projects have given costs only
        work.clusterCosts = TRY(flag("cluster_costs"));
    work.edited = planjson::has(root, "edited") ? TRY(flag("edited")) : work.title.starts_with(editedMark); // older: the title
    work.dag = TRY(readTrainingDagText(TRY(content("dag")), file));
    work.plan = TRY(readExecutionPlanText(TRY(content("plan")), work.dag, file));
    work.plan.enforced = TRY(flag("enforced")); // plans of older projects do not say so themselves
    TRY(planjson::forEach(root, "costs", top, [&](planjson::element item, const planjson::Place &place) -> Result<void> {
        work.costs.curves.push_back(TRY(readCurve(item, place)));
        return {};
    }));
    if (planjson::has(root, "slowdowns"))
        TRY(planjson::forEach(root, "slowdowns", top, [&](planjson::element item, const planjson::Place &place) -> Result<void> {
            work.costs.slowdowns.push_back(TRY(readSlowdown(item, place)));
            return {};
        }));
    return work;
}

} // namespace syncopate

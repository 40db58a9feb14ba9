// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/trace_run.h"

#include "engine/base/rounding.h"
#include "engine/predict/curve.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace syncopate {

namespace {

constexpr std::int64_t minSteps = 2, shownSteps = 8;
constexpr std::int64_t spansKept = 400'000, maxSpans = 4'000'000;
constexpr std::int32_t maxLanedWorkers = 64;

Category categoryOf(const StepOp &op) {
    switch (op.resource) {
    case StepResource::Downlink:
        return Category::Pull;
    case StepResource::Uplink:
        return Category::Push;
    case StepResource::Server:
        return Category::Update;
    case StepResource::Worker:
        break;
    }
    if (op.name.ends_with("/parse"))
        return Category::OtherCompute;
    // Names from a job's layers (stepSetFromJob()), and TensorFlow's.
    return op.name.ends_with("/backward") || op.name.starts_with("gradients/") ? Category::Backward : Category::Forward;
}

/// Index of an op's lane within a worker, as in the step player: downlinks by server, compute, uplinks, then updates.
std::size_t laneOf(const StepOp &op, std::int32_t servers) {
    const auto server = static_cast<std::size_t>(op.server), count = static_cast<std::size_t>(servers);
    switch (op.resource) {
    case StepResource::Downlink:
        return server;
    case StepResource::Worker:
        return count;
    case StepResource::Uplink:
        return count + 1 + server;
    case StepResource::Server:
        break;
    }
    return 2 * count + 1 + server;
}

std::vector<Lane> makeLanes(std::int32_t workers, std::int32_t servers) {
    std::vector<Lane> lanes;
    const auto add = [&](std::int32_t worker, const char *resource, std::int32_t server) {
        Lane lane;
        lane.name = server < 0 || servers == 1 ? fmt::format("worker {} {}", worker, resource)
                                               : fmt::format("worker {} {} {}", worker, resource, server);
        lane.worker = worker;
        lane.isCompute = server < 0;
        lanes.push_back(std::move(lane));
    };
    for (std::int32_t w = 0; w < workers; ++w) {
        for (std::int32_t m = 0; m < servers; ++m)
            add(w, nameOf(StepResource::Downlink), m);
        add(w, "compute", -1);
        for (std::int32_t m = 0; m < servers; ++m)
            add(w, nameOf(StepResource::Uplink), m);
        for (std::int32_t m = 0; m < servers; ++m)
            add(w, nameOf(StepResource::Server), m);
    }
    return lanes;
}

/// How long the worker's device waits for the host at the end of a chunk with the duration `taken`.
Nanoseconds hostWaitOf(const StepSet &set, const std::vector<std::int32_t> &sampledFrom, std::int32_t tracedSteps,
                       const TraceChunk &chunk, Nanoseconds taken) {
    const auto sample =
        static_cast<std::size_t>(sampledFrom[chunk.worker.index() * static_cast<std::size_t>(tracedSteps) + chunk.step.index()]);
    const std::size_t op = chunk.op.index();
    const double host = set.hostSeconds[sample][op], all = set.seconds[sample][op]; // scaled with the worker's slowness
    return all > 0 ? std::min(roundToInteger(host / all * static_cast<double>(taken)), taken - 1) : 0;
}

/// The part of the trace from `from` on, which becomes time 0.
Timeline timelineOf(const StepSet &set, const Generated &generated, std::int32_t tracedSteps, std::int32_t workers, double from) {
    const StepGraph &graph = set.graph;
    Timeline timeline;
    timeline.lanes = makeLanes(workers, graph.servers);
    const std::size_t each = timeline.lanes.size() / static_cast<std::size_t>(workers);
    for (const StepOp &op : graph.ops)
        timeline.labels.push_back(op.name);
    StepId step; // none yet
    for (const TraceChunk &chunk : generated.trace) {
        const Nanoseconds begin = toNanoseconds(chunk.startSeconds) - toNanoseconds(from);
        const Nanoseconds shownBegin = std::max<Nanoseconds>(begin, 0);
        const Nanoseconds end = toNanoseconds(chunk.endSeconds) - toNanoseconds(from);
        if (chunk.worker == WorkerId(0) && step < chunk.step && chunk.startSeconds >= from) {
            step = chunk.step;
            timeline.iterationStart.push_back(shownBegin);
        }
        if (chunk.worker.number() >= workers)
            continue;
        const StepOp &op = graph.ops[chunk.op.index()];
        Lane &lane = timeline.lanes[chunk.worker.index() * each + laneOf(op, graph.servers)];
        // A TCP connection takes transfers before those in front of them have arrived: each span begins where they are there.
        const Nanoseconds start = lane.end.empty() ? shownBegin : std::max(shownBegin, lane.end.back());
        if (start >= end)
            continue;
        const bool waits = lane.isCompute && !set.hostSeconds.empty();
        const Nanoseconds wait = waits ? hostWaitOf(set, generated.sampledFrom, tracedSteps, chunk, end - begin) : 0;
        lane.start.push_back(start);
        lane.end.push_back(std::max(end - wait, start + 1)); // spans that begin before time 0 are cut
        if (waits)
            lane.hostUntil.push_back(end);
        lane.category.push_back(categoryOf(op));
        lane.label.push_back(chunk.op.number());
        lane.variable.push_back(-1); // recorded steps number variables by transfer, not like the job
        lane.task.push_back(chunk.op.number());
        lane.sizeBytes.push_back(op.sizeBytes);
        timeline.duration = std::max(timeline.duration, end);
    }
    return timeline;
}

} // namespace

Result<std::shared_ptr<const Recording>> traceRun(const TraceRequest &asked, const std::stop_token &stop) {
    if (!asked.request || !asked.request->steps || !asked.job || asked.workers < 1 || asked.request->cluster.nodes.empty())
        return fail("there are no steps to show", "choose a point of a throughput curve");
    const PredictRequest &request = *asked.request;
    const StepSet &set = *request.steps;
    const std::int64_t spansOfStep = static_cast<std::int64_t>(set.graph.ops.size()) * asked.workers;
    if (minSteps * spansOfStep > maxSpans)
        return fail(fmt::format("a step of {} workers has {} ops, more than can be shown", asked.workers, spansOfStep),
                    "choose fewer workers");
    const double rate = connectionRate(request.cluster);
    const auto machines = TRY(machinesOf(withWorkers(request.cluster, asked.workers), set.graph.servers));
    auto ranks = TRY(transferRanks(set, request.order, rate, request.generate.seed));
    GenerateOptions options = request.generate;
    options.transferRank = std::move(ranks);
    const auto kept = std::clamp<std::int64_t>(spansKept / std::max<std::int64_t>(spansOfStep, 1), minSteps,
                                               std::int64_t{options.warmUp} + shownSteps);
    options.traceSteps = static_cast<std::int32_t>(kept);
    options.steps =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(kept - options.warmUp, std::min(shownSteps, kept / 2), shownSteps));
    options.warmUp = options.traceSteps - options.steps;
    auto generated = TRY(generateTrace(set, machines, options, stop));
    std::vector<TraceChunk> &trace = generated.trace;
    std::stable_sort(trace.begin(), trace.end(),
                     [](const TraceChunk &a, const TraceChunk &b) { return a.startSeconds < b.startSeconds; });
    const auto first = std::find_if(trace.begin(), trace.end(), [&](const TraceChunk &chunk) {
        return chunk.worker == WorkerId(0) && chunk.step.number() >= options.warmUp;
    });
    if (first == trace.end())
        return fail("worker 0 is so much slower than the others that it has no whole step among theirs", "choose another point");
    const std::int32_t laned = std::min(asked.workers, maxLanedWorkers);
    auto run = std::make_shared<Recording>();
    run->job = asked.job;
    run->workers = asked.workers;
    run->events = generated.events;
    run->samplesPerSecond = asked.samplesPerSecond;
    run->iterationSeconds = asked.samplesPerSecond > 0 ? asked.workers * set.batchSize / asked.samplesPerSecond : 0;
    // One iteration before the window shows what the others were doing; the warm-up before it would only distract.
    const double from = std::max(0.0, first->startSeconds - run->iterationSeconds);
    run->timeline = timelineOf(set, generated, options.traceSteps, laned, from);
    run->windowStartSeconds = static_cast<double>(toNanoseconds(first->startSeconds) - toNanoseconds(from)) * 1e-9;
    run->assumptions = set.notes;
    run->assumptions.push_back(
        fmt::format("Generated, not recorded: steps of training with parameter servers (Algorithm 3.1), {} of each worker after "
                    "{} that are left out; seed {}.",
                    options.steps, options.warmUp, options.seed));
    if (options.staleness >= 0)
        run->assumptions.push_back(describeStaleness(options.staleness));
    run->assumptions.emplace_back("The iteration is the mean time of a worker's step; throughput is the curve's.");
    if (!set.hostSeconds.empty())
        run->assumptions.emplace_back("Each op waits for the host at its end as long as in the step that it was sampled from, or "
                                      "by the job's share where that step does not record it.");
    if (laned < asked.workers)
        run->assumptions.push_back(fmt::format("Lanes of the first {} of {} workers.", laned, asked.workers));
    return run;
}

} // namespace syncopate

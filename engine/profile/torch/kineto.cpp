// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto.h"

#include "engine/base/numbers.h"
#include "engine/base/units.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/finish_profile.h"
#include "engine/profile/ranks/rank_align.h"
#include "engine/profile/torch/kineto_analysis.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace syncopate {

namespace {

using namespace kineto;

/// "rank0" from "dir/rank0.pt.trace.json.gz".
std::string jobName(const std::string &file) {
    std::string name = std::filesystem::path(file).filename().string();
    for (const char *ending : {".gz", ".json", ".trace", ".pt"}) {
        if (name.ends_with(ending))
            name.resize(name.size() - std::string_view(ending).size());
    }
    return name.empty() ? "profile" : name;
}

/// The complete step of median length: the first ones set things up, and others may have been disturbed.
std::int32_t medianStep(const std::vector<StepMeasure> &measures) {
    std::vector<std::int32_t> complete;
    for (std::size_t i = 0; i < measures.size(); ++i) {
        if (measures[i].complete)
            complete.push_back(static_cast<std::int32_t>(i));
    }
    if (complete.empty())
        return -1;
    std::stable_sort(complete.begin(), complete.end(), [&](std::int32_t a, std::int32_t b) {
        const auto length = [&](std::int32_t i) {
            return measures[static_cast<std::size_t>(i)].end - measures[static_cast<std::size_t>(i)].start;
        };
        return length(a) < length(b);
    });
    return complete[(complete.size() - 1) / 2];
}

/// Counts of the unused categories, of at most 8.
std::string listOfIgnored(const TraceEvents &trace) {
    std::string list;
    std::size_t named = 0;
    for (const auto &[category, count] : trace.ignored) {
        if (named++ == 8)
            return list + ", ...";
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, category.empty() ? "without category" : category);
    }
    return list;
}

void stateFacts(const TraceEvents &trace, const Analysis &analysis, ImportedProfile &profile) {
    auto &read = profile.read;
    read.push_back(fmt::format("{} events in {} of text{}, {} kept as ops, annotations, launches, kernels and copies.",
                               trace.eventCount, formatBytes(static_cast<double>(trace.textBytes)),
                               trace.compressed ? " (gzip)" : "", trace.events.size()));
    if (!trace.ignored.empty())
        read.push_back(fmt::format("Not used: {}.", listOfIgnored(trace)));
    if (trace.rank >= 0) {
        const std::string backend = trace.backend.empty() ? std::string() : ", backend " + trace.backend;
        read.push_back(trace.worldSize > 0 ? fmt::format("Rank {} of {}{}.", trace.rank, trace.worldSize, backend)
                                           : fmt::format("Rank {}{}.", trace.rank, backend));
    }
    if (!trace.deviceName.empty())
        read.push_back(fmt::format("Device: {}.", trace.deviceName));
    for (const OverlapFigures &device : profile.overlap) {
        const std::string communication =
            device.communicationKernels == 0
                ? "no collective"
                : fmt::format("{} collectives take {}, {} of it ({:.1f} %) hidden under compute", device.communicationKernels,
                              formatSeconds(device.communicationSeconds), formatSeconds(device.hiddenSeconds),
                              100 * device.hiddenRatio());
        if (analysis.onDevice)
            read.push_back(fmt::format("Device {}: {} compute kernels keep it busy for {}; {}; {} copies; busy with any of them "
                                       "for {}.",
                                       device.device, device.computeKernels, formatSeconds(device.computeSeconds), communication,
                                       device.copies, formatSeconds(device.busySeconds)));
        else
            read.push_back(fmt::format("No device work: {} outermost CPU ops keep the threads busy for {}; {}.",
                                       device.computeKernels, formatSeconds(device.computeSeconds), communication));
    }
    if (trace.negativeDurations > 0)
        read.push_back(fmt::format("{} negative durations were taken as 0.", trace.negativeDurations));
    if (trace.unreadableTimes > 0)
        read.push_back(fmt::format("{} events have no readable time and were left out.", trace.unreadableTimes));
    if (trace.openArray)
        read.emplace_back("The array of events is not closed, as the array form allows.");
}

/// For example "25 all-reduces with 25557032 elements".
std::string listed(const std::vector<const CollectiveRequest *> &requests) {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> kinds; // count and elements
    for (const CollectiveRequest *request : requests) {
        auto &[count, elements] = kinds[request->name];
        ++count;
        elements = saturatingSum(elements, request->elements);
    }
    std::string text;
    for (const auto &[name, sums] : kinds)
        text += (text.empty() ? "" : ", ") + fmt::format("{} {} with {} elements", sums.first, name, sums.second);
    return text;
}

/// States which collectives were called without a recorded kernel or transfer.
void stateRequests(const TraceEvents &trace, const Analysis &analysis, std::vector<std::string> &inferred) {
    std::vector<const CollectiveRequest *> requests;
    std::int64_t largestGroup = 0;
    for (const CollectiveRequest &request : analysis.requests) {
        requests.push_back(&request);
        largestGroup = std::max(largestGroup, request.groupSize);
    }
    if (requests.empty()) {
        if (analysis.collectives.empty() && trace.worldSize > 1)
            inferred.push_back(fmt::format(
                "No collective was recorded, although the run had {} ranks; record a step that synchronises.", trace.worldSize));
        else if (analysis.collectives.empty())
            inferred.emplace_back("No collective was recorded: one worker, without synchronisation.");
        return;
    }
    const std::int64_t world = std::max(trace.worldSize, largestGroup);
    inferred.push_back(
        fmt::format("{} collectives were called by ops, but no kernel or transfer of them was recorded: {} over all steps. {}",
                    requests.size(), listed(requests),
                    world == 1 ? "With a world of 1 rank they moved nothing."
                               : "Their time is not known; record the CUDA activity too, and whole steps."));
}

void stateCollectives(const TraceEvents &trace, const Analysis &analysis, std::int32_t step, ImportedProfile &profile) {
    auto &inferred = profile.inferred;
    stateRequests(trace, analysis, inferred);
    if (analysis.collectives.empty())
        return;
    std::int64_t gradients = 0, elements = 0, others = 0, kernels = 0;
    for (const Collective &collective : analysis.collectives) {
        kernels += collective.continued;
        if (collective.step != step || collective.continued)
            continue;
        gradients += collective.gradient;
        elements = saturatingSum(elements, collective.gradient ? collective.elements : 0);
        others += !collective.gradient;
    }
    const SizeSources &sizes = analysis.sizes;
    std::string how;
    const auto add = [&](std::int32_t count, const char *source) {
        if (count > 0)
            how += fmt::format("{}{} {}", how.empty() ? "" : ", ", count, source);
    };
    add(sizes.kernel, "from the kernel's own metadata");
    add(sizes.externalId, "from record_param_comms with the same external id");
    add(sizes.launch, "from the collective's op around the launch");
    add(sizes.annotation, "from the annotation's input shapes");
    add(sizes.missing, "not recorded");
    inferred.push_back(
        fmt::format("{} gradient collectives with {} elements were lifted out of the step: their time is not compute. Sizes of "
                    "the profile's {} collectives: {}.",
                    gradients, elements, static_cast<std::int64_t>(analysis.collectives.size()) - kernels, how));
    if (kernels == 1)
        inferred.emplace_back("1 kernel continues a collective that began with another: its size counts once.");
    else if (kernels > 1)
        inferred.push_back(
            fmt::format("{} kernels continue a collective that began with another: its size counts once.", kernels));
    if (others > 0)
        inferred.push_back(
            fmt::format("{} other collectives of the step (broadcasts of buffers, all-to-all, ...) are neither compute nor "
                        "gradient traffic and are left out of the job; `plan` keeps those that it can plan.",
                        others));
}

void addSteps(const Analysis &analysis, const std::vector<StepMeasure> &measures, Nanoseconds zero, ImportedProfile &profile) {
    for (std::size_t i = 0; i < measures.size(); ++i) {
        const StepMeasure &measure = measures[i];
        profile.steps.push_back({analysis.steps[i].name, secondsOf(measure.start - zero), secondsOf(measure.lastWork - zero),
                                 secondsOf(measure.busy[0]), secondsOf(measure.busy[1]), secondsOf(measure.busy[2]),
                                 secondsOf(measure.communication), secondsOf(measure.exposed),
                                 secondsOf(measure.end - measure.start)});
    }
    for (const Collective &collective : analysis.collectives) {
        if (collective.gradient)
            profile.gradients.push_back({collective.step, collective.elements, collective.dtype,
                                         secondsOf(collective.start - zero), secondsOf(collective.end - collective.start)});
    }
}

/// The number of ranks from the header, else from the largest group; 1 if nothing was ever sent.
RecordedPlatform platformOf(const TraceEvents &trace, const Analysis &analysis) {
    RecordedPlatform platform;
    platform.ranks = std::max<std::int64_t>(trace.worldSize, 0);
    for (const RecordedGroup &group : trace.groups)
        platform.ranks = std::max({platform.ranks, group.size, static_cast<std::int64_t>(group.ranks.size())});
    for (const Collective &collective : analysis.collectives)
        platform.ranks = std::max(platform.ranks, collective.groupSize);
    for (const CollectiveRequest &request : analysis.requests)
        platform.ranks = std::max(platform.ranks, request.groupSize);
    if (platform.ranks == 0 && analysis.collectives.empty() && analysis.requests.empty())
        platform.ranks = 1;
    if (analysis.onDevice) {
        platform.device = trace.deviceName;
        platform.devicesOfNode = trace.deviceCount;
    }
    platform.backend = trace.backend;
    return platform;
}

/// Facts that tie this rank to others.
void stateRank(const TraceEvents &trace, const Analysis &analysis, const std::vector<StepMeasure> &measures, Nanoseconds zero,
               RankFacts &facts) {
    constexpr Nanoseconds bound = std::numeric_limits<Nanoseconds>::max() / 4;
    const auto absolute = [&](Nanoseconds time) { return std::clamp(time + trace.baseNanoseconds, -bound, bound); };
    facts.rank = trace.rank;
    facts.worldSize = trace.worldSize;
    facts.zero = absolute(zero);
    facts.groups = trace.groups;
    for (std::size_t i = 0; i < measures.size(); ++i) {
        facts.steps.push_back(analysis.steps[i].name);
        facts.complete.push_back(measures[i].complete);
    }
    std::map<std::string, std::uint32_t> keys;
    std::int32_t gradients = 0;
    for (const Collective &collective : analysis.collectives) {
        const std::int32_t gradient = collective.gradient ? gradients++ : -1;
        if (collective.pointToPoint)
            continue;
        // Gloo runs several at once in any order: only collectives of equal size have an order.
        std::string key = collective.group;
        if (!trace.events[collective.event].onDevice())
            key += fmt::format("{}|{} {}", key.empty() ? "|" : "", collective.name, collective.elements);
        const auto [place, fresh] = keys.try_emplace(key, static_cast<std::uint32_t>(keys.size()));
        if (fresh)
            facts.groupKeys.push_back(key);
        facts.collectives.push_back({absolute(collective.start), absolute(collective.end), collective.elements, collective.step,
                                     place->second, gradient, collective.name});
    }
}

/// The step that the job is made from: as requested, or the median.
Result<std::int32_t> chooseStep(const Analysis &analysis, const std::vector<StepMeasure> &measures, const ImportOptions &options,
                                const std::string &name) {
    const auto count = static_cast<std::int32_t>(measures.size());
    if (options.step < -1 || options.step >= count)
        return fail(fmt::format("there is no step {}", options.step), fmt::format("choose one of 0 to {}", count - 1), name);
    const std::int32_t step = options.step >= 0 ? options.step : medianStep(measures);
    if (!measures[static_cast<std::size_t>(step)].complete)
        return fail(fmt::format("step {} ({}) has no forward or no backward work", step,
                                analysis.steps[static_cast<std::size_t>(step)].name),
                    "choose another step", name);
    return step;
}

/// States how steps were found, which one the job is, and what belongs to it.
void stateConclusions(const Analysis &analysis, std::int32_t step, bool isAsked, std::ptrdiff_t complete,
                      std::vector<std::string> &inferred) {
    inferred.push_back(analysis.stepSource);
    const std::string &stepName = analysis.steps[static_cast<std::size_t>(step)].name;
    inferred.push_back(isAsked ? fmt::format("The job is step {} ({}), as asked.", step, stepName)
                       : complete == 1
                           ? fmt::format("The job is {}, the only complete step.", stepName)
                           : fmt::format("The job is {}, the median of the {} complete steps by length.", stepName, complete));
    if (analysis.onDevice)
        inferred.emplace_back("Device work belongs to the step, phase and layer of the op that launched it (correlation ids); a "
                              "step lasts from its first work on the busiest stream to the next step's.");
    else
        inferred.emplace_back("The trace has no device work: the outermost CPU ops are the compute, their times are CPU times.");
    if (analysis.unknownLaunches == 1)
        inferred.emplace_back("1 kernel or copy has no recorded launch: shown, but in no step.");
    else if (analysis.unknownLaunches > 1)
        inferred.push_back(
            fmt::format("{} kernels and copies have no recorded launch: shown, but in no step.", analysis.unknownLaunches));
}

/// How many complete steps are samples: at least the job's own.
std::string samplesKept(std::size_t samples, std::ptrdiff_t complete) {
    if (complete == 1)
        return "The only complete step has the job's layers: its durations are kept as a sample.";
    return samples == 1
               ? fmt::format("1 of the {} complete steps has the job's layers: its durations are kept as a sample.", complete)
               : fmt::format("{} of the {} complete steps have the job's layers: their durations are kept as samples.", samples,
                             complete);
}

/// Where the trace begins, which has an event.
Nanoseconds earliestStart(const TraceEvents &trace) {
    Nanoseconds start = trace.events.front().start;
    for (const TraceEvent &event : trace.events)
        start = std::min(start, event.start);
    return start;
}

} // namespace

Result<std::shared_ptr<ImportedProfile>> analyseTrace(const TraceEvents &trace, const std::string &name,
                                                      const ImportOptions &options, const std::stop_token &stop,
                                                      RankFacts *facts) {
    Analysis analysis;
    analysis.stop = stop;
    findContexts(trace, analysis);
    if (stop.stop_requested())
        return cancelled(name);
    collectWork(trace, analysis);
    if (stop.stop_requested())
        return cancelled(name);
    const std::vector<StepMeasure> measures = measureSteps(analysis);
    if (stop.stop_requested())
        return cancelled(name);
    TRY(inFile(requireTraining(trace, analysis, measures), name));

    const std::int32_t step = TRY(chooseStep(analysis, measures, options, name));
    auto profile = std::make_shared<ImportedProfile>();
    profile->file = name;
    profile->eventCount = trace.eventCount;
    profile->textBytes = trace.textBytes;
    const Nanoseconds zero = earliestStart(trace);
    profile->timeline = buildTimeline(trace, analysis, measures, zero);
    addSteps(analysis, measures, zero, *profile);
    profile->jobStep = step;
    profile->overlap = overlapFigures(trace, analysis);
    if (stop.stop_requested())
        return cancelled(name);
    stateFacts(trace, analysis, *profile);

    const auto complete = std::count_if(measures.begin(), measures.end(), [](const StepMeasure &m) { return m.complete; });
    stateConclusions(analysis, step, options.step >= 0, complete, profile->inferred);
    BuiltJob built = buildJob(trace, analysis, measures, step, profile->inferred);
    profile->job = std::move(built.job);
    profile->isBucketed = built.variables.areBuckets;
    profile->sizelessNote = std::move(built.variables.sizelessNote);
    stateCollectives(trace, analysis, step, *profile);
    profile->recorded = recordStep(trace, analysis, measures[static_cast<std::size_t>(step)], step);
    profile->samples = sampleSteps(trace, analysis, measures, profile->job);
    if (stop.stop_requested())
        return cancelled(name);
    profile->inferred.push_back(samplesKept(profile->samples.size(), complete));
    profile->job.name = jobName(name);
    profile->job.notes = profile->inferred;
    profile->job.notes.insert(profile->job.notes.begin(),
                              fmt::format("Measured: imported from a PyTorch profile, {}.", profile->job.name));
    profile->platform = platformOf(trace, analysis);
    profile->synchronises = trace.worldSize > 1 || !analysis.collectives.empty();
    checkSizes(*profile);
    makeNamesValid(*profile);
    TRY(validateJob(profile->job, name));
    if (facts) {
        stateRank(trace, analysis, measures, zero, *facts);
        facts->file = name;
        facts->profile = profile;
    }
    return profile;
}

Result<std::shared_ptr<const ImportedProfile>> importKineto(ByteSource &source, const std::string &name,
                                                            const ImportOptions &options, std::stop_token stop) {
    return withinMemory(name, recordLess, [&]() -> Result<std::shared_ptr<const ImportedProfile>> {
        const auto trace = TRY(inFile(readTraceEvents(source, stop), name));
        return analyseTrace(trace, name, options, stop);
    });
}

} // namespace syncopate

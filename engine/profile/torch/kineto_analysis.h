// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/stoppable_sort.h"
#include "engine/job/job.h"
#include "engine/profile/profile.h"
#include "engine/profile/recorded_step.h"
#include "engine/profile/torch/kineto_events.h"
#include "engine/timeline/time_ranges.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate::kineto {

/// The part of a training step that an event belongs to.
using Phase = StepPhase;

/// The place of an event in the step. `key` is the autograd sequence number of the op or backward node that it belongs to, -1 =
/// unknown; forward ops and backward nodes of the same layer have the same number (PyTorch: at::sequence_number).
struct Context {
    std::int64_t key = -1;
    std::int32_t parent = -1; ///< event: innermost enclosing op (host), or the launch (device)
    std::int32_t step = -1;
    Phase phase = Phase::Forward;
    bool top = false; ///< a host op inside no other op
};

/// The host's window of a step.
struct StepWindow {
    std::string name;
    Nanoseconds start = 0, end = 0;
};

/// An op with a sequence number: a backward node, or an outermost forward op.
struct Node {
    std::int32_t step = -1;
    std::int64_t key = -1;
    std::uint32_t event = 0;
};

/// The end of a gradient's computation (AccumulateGrad) for one variable.
struct GradientReady {
    std::int32_t step = -1;
    std::int64_t key = -1;
    std::int32_t detail = -1; ///< shape, when it was recorded
    Nanoseconds start = 0;
};

/// Computation: a kernel, a copy, or (no device in the trace) an outermost CPU op.
struct Work {
    Nanoseconds start = 0, end = 0;
    std::uint32_t event = 0;
    std::uint32_t row = 0; ///< stream or thread
    std::int32_t step = -1;
    std::int64_t key = -1;
    Phase phase = Phase::Forward;
    bool copy = false;
    bool known = true; ///< the launch was found
};

/// A send or a receive by the rank that recorded the trace; -1 = not recorded.
struct PointToPoint {
    bool isSend = false;
    std::int64_t peerRank = -1;   ///< the partner's rank
    std::int64_t selfMember = -1; ///< this rank's place in the group
    std::int64_t peerMember = -1; ///< the partner's place in the group
    std::int64_t elements = 0;    ///< 0 = not recorded
    DataType dtype = DataType::Float32;
    std::uint32_t op = 0; ///< the event that recorded it
};

/// A collective, on the device or by gloo.
struct Collective {
    Nanoseconds start = 0, end = 0;
    std::uint32_t event = 0;
    std::uint32_t firstEvent = 0; ///< of the collective that this one continues; else its own
    std::int32_t step = -1;
    std::int64_t key = -1;
    Phase phase = Phase::Forward;
    std::string name; ///< "allreduce"
    std::int64_t elements = 0, groupSize = 0;
    DataType dtype = DataType::Float32;
    bool gradient = false;
    bool continued = false;    ///< a further kernel of the op that another collective stands for: its size is there
    bool pointToPoint = false; ///< a send or receive, in which not every rank of the group takes part, or a batch of them
    std::vector<PointToPoint> transfers; ///< the send or receive itself, or all of a batch; empty = not recorded
    std::string group;                   ///< process group, "RANKS|NAME" with ranks "[0, 1]" or nothing; empty = not recorded
};

/// A collective that a host op requested, but of which no kernel or transfer was recorded.
struct CollectiveRequest {
    std::int32_t step = -1;
    std::int64_t key = -1;
    Phase phase = Phase::Forward;
    std::string name; ///< "allreduce"
    std::int64_t elements = 0;
    DataType dtype = DataType::Float32;
    std::int64_t groupSize = 0; ///< 0 = not recorded

    /// Whether it is a gradient's, as far as an op shows.
    [[nodiscard]] bool isGradient() const {
        return step >= 0 && phase == Phase::Backward && (name == "allreduce" || name == "reducescatter");
    }
};

/// How the sizes of collectives were found.
struct SizeSources {
    std::int32_t kernel = 0, externalId = 0, launch = 0, annotation = 0, missing = 0;
};

/// The structure of a trace: steps, nodes, work and collectives.
struct Analysis {
    std::vector<StepWindow> steps;
    std::string stepSource; ///< a sentence for the user
    bool stepsMarked = false;
    std::vector<Context> contexts;                           ///< one per event
    std::vector<Node> backward, forward;                     ///< by step
    std::vector<GradientReady> gradients;                    ///< by step, and in the order of execution
    std::vector<Work> work;                                  ///< by start
    std::vector<std::vector<std::uint32_t>> stepWork;        ///< of each step: its work, by start
    std::vector<Collective> collectives;                     ///< by start
    std::vector<std::vector<std::uint32_t>> stepCollectives; ///< of each step: its collectives, by start
    std::vector<CollectiveRequest> requests;                 ///< in file order
    bool onDevice = false;
    std::uint64_t backwardOps = 0; ///< autograd nodes run, AccumulateGrad left out
    std::uint32_t mainStream = 0;  ///< row with the most work
    std::uint64_t kernels = 0, copies = 0, unknownLaunches = 0;
    SizeSources sizes;
    std::stop_token stop; ///< when it is requested, everything below returns early, with meaningless results

    /// Whether a loop should stop at its `i`-th element; checks only now and then.
    [[nodiscard]] bool stopsAt(std::size_t i) const { return i % stopInterval == 0 && stop.stop_requested(); }
};

/// Finds the steps and gives every host event its context.
void findContexts(const TraceEvents &trace, Analysis &analysis);
/// Matches device work with its launches, and collects work and collectives; after findContexts().
void collectWork(const TraceEvents &trace, Analysis &analysis);

/// Part of [from, to) that lies in none of the united ranges.
[[nodiscard]] Nanoseconds outside(const TimeRanges &ranges, Nanoseconds from, Nanoseconds to);

/// A step measured on the device's clock.
struct StepMeasure {
    Nanoseconds start = 0, end = 0;  ///< first work on the main stream to the next step's
    Nanoseconds lastWork = 0;        ///< end of the last work or collective
    Nanoseconds busy[3] = {0, 0, 0}; ///< by phase, union over streams
    Nanoseconds idle = 0;            ///< neither computing nor communicating: waiting for the host
    Nanoseconds communication = 0, exposed = 0;
    bool complete = false;
};
[[nodiscard]] std::vector<StepMeasure> measureSteps(const Analysis &analysis);

/// An error that says why there is no training step in the trace, if there is none.
[[nodiscard]] Result<void> requireTraining(const TraceEvents &trace, const Analysis &analysis,
                                           const std::vector<StepMeasure> &measures);

/// An error where the CPU's ops are not the work of the steps, because these ran on a device of which no kernel was read.
[[nodiscard]] Result<void> requireDeviceWork(const TraceEvents &trace, const Analysis &analysis);

/// Figures of each device, or of the CPU where the trace has no device work; devices in the order of their names.
[[nodiscard]] std::vector<OverlapFigures> overlapFigures(const TraceEvents &trace, const Analysis &analysis);

/// The entries of a step in a list sorted by step.
template <class T> [[nodiscard]] std::span<const T> ofStep(const std::vector<T> &list, std::int32_t step) {
    const auto before = [](const T &item, std::int32_t s) { return item.step < s; };
    const auto from = std::lower_bound(list.begin(), list.end(), step, before);
    return {from, std::lower_bound(from, list.end(), step + 1, before)};
}

/// The durations of all complete steps that have the layers of `job`.
[[nodiscard]] std::vector<StepSample> sampleSteps(const TraceEvents &trace, const Analysis &analysis,
                                                  const std::vector<StepMeasure> &measures, const Job &job);

/// The result of addVariables().
struct AddedVariables {
    bool areBuckets = false;  ///< ImportedProfile::isBucketed
    std::string sizelessNote; ///< ImportedProfile::sizelessNote
};

/// The result of buildJob().
struct BuiltJob {
    Job job;
    AddedVariables variables;
};
/// The Job of one step. Conclusions go to `inferred`, as sentences.
[[nodiscard]] BuiltJob buildJob(const TraceEvents &trace, const Analysis &analysis, const std::vector<StepMeasure> &measures,
                                std::int32_t step, std::vector<std::string> &inferred);

/// The layer of a sequence number, where `starts` has the first one of each layer.
[[nodiscard]] inline std::size_t layerOf(const std::vector<std::int64_t> &starts, std::int64_t key) {
    const auto after = std::upper_bound(starts.begin(), starts.end(), key);
    return after == starts.begin() ? 0 : static_cast<std::size_t>(after - starts.begin()) - 1;
}

/// Gives the layers of a step, whose first sequence numbers are `starts`, their variables, and the job its batch size.
/// Conclusions go to `inferred`, as sentences.
[[nodiscard]] AddedVariables addVariables(const TraceEvents &trace, const Analysis &analysis, std::int32_t step,
                                          const std::vector<std::int64_t> &starts, Job &job, std::vector<std::string> &inferred);

/// Calls take(work, busy) for the step's work in order of time, cut to the measure's time, and takeIdle(before, idle) for the
/// idle time between, without waits for communication: `before` = the preceding work, of the idle time before all work the first
/// one, and at the end of the step a Work of Phase::Update that stands for no recorded work.
template <class Take, class TakeIdle> void sweepStep(const Analysis &analysis, const StepMeasure &measure,
                                                     const TimeRanges &communication, std::int32_t step, Take &&take,
                                                     TakeIdle &&takeIdle) {
    Nanoseconds cursor = measure.start;
    const Work *before = nullptr;
    for (const std::uint32_t index : analysis.stepWork[static_cast<std::size_t>(step)]) {
        const Work &work = analysis.work[index];
        if (const Nanoseconds until = std::min(work.start, measure.end);
            until > cursor) { // the first work takes the time before it
            takeIdle(before ? *before : work, outside(communication, cursor, until));
            cursor = until;
        }
        const Nanoseconds from = std::max(cursor, work.start), to = std::min(work.end, measure.end);
        take(work, std::max<Nanoseconds>(0, to - from));
        cursor = std::max(cursor, to);
        before = &work;
    }
    if (before && measure.end > cursor) {
        Work tail;
        tail.phase = Phase::Update;
        takeIdle(tail, outside(communication, cursor, measure.end));
    }
}

/// The step's collectives as ranges.
[[nodiscard]] TimeRanges communicationOf(const Analysis &analysis, std::int32_t step);

/// The step with its own collectives and their dependencies, as far as launches and the host's waits show them. Null where it has
/// none, or where its launches are too far from the order of its times to be searched.
[[nodiscard]] std::shared_ptr<const RecordedStep> recordStep(const TraceEvents &trace, const Analysis &analysis,
                                                             const StepMeasure &measure, std::int32_t step);

/// Lanes of compute and communication with their true times.
[[nodiscard]] Timeline buildTimeline(const TraceEvents &trace, const Analysis &analysis, const std::vector<StepMeasure> &measures,
                                     Nanoseconds zero);

} // namespace syncopate::kineto

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto_analysis.h"
#include "engine/profile/torch/kineto_raw_event.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate::kineto {

namespace {

/// Evidence of the kind of a trace without a backward pass, from its events.
struct Evidence {
    std::uint64_t graphLaunches = 0, ops = 0;
    bool updates = false; ///< an optimizer step, or a user's range named backward
};

Evidence collectEvidence(const TraceEvents &trace) {
    Evidence evidence;
    for (const TraceEvent &e : trace.events) {
        const std::string &name = trace.nameOf(e);
        if (e.kind == EventKind::Runtime)
            evidence.graphLaunches += name.find("GraphLaunch") != std::string::npos ? 1 : 0;
        else if (e.kind == EventKind::Operator)
            evidence.ops += name != "record_param_comms" ? 1 : 0;
        else if (e.kind == EventKind::Annotation)
            evidence.updates |= name.starts_with("Optimizer.step") || name.find("backward") != std::string::npos;
    }
    return evidence;
}

/// Events of accelerators whose work is not read, for example "1313 mtia_ccp_events"; empty if there are none. Kernels go before
/// launches of the same accelerator's runtime.
std::string foreignDeviceWork(const TraceEvents &trace) {
    std::string launches;
    for (const auto &[category, count] : trace.ignored) {
        const std::string name = plainName(category);
        const bool foreign = name.starts_with("mtia") || name.starts_with("hpu") || name.starts_with("glow") ||
                             name.starts_with("neuron") || category == ascendFlow;
        if (!foreign)
            continue;
        if (name.find("runtime") == std::string::npos)
            return fmt::format("{} {}", count, category);
        launches = fmt::format("{} {}", count, category);
    }
    return launches;
}

Unexpected refuseWithoutBackward(const TraceEvents &trace, const Analysis &analysis) {
    const Evidence evidence = collectEvidence(trace);
    const std::string what = fmt::format("no backward pass is recorded in its {} events: ", trace.eventCount);
    const char *const whole = "record whole training steps: forward, loss.backward() and optimizer.step()";
    if (const std::string foreign = foreignDeviceWork(trace); !foreign.empty())
        return fail(what + fmt::format("this is inference, on an accelerator whose work is not read ({})", foreign),
                    "record training on a GPU or CPU, or measure the layers and write a job file");
    if (evidence.graphLaunches > 0)
        return fail(what +
                        fmt::format("{} graph launches ran {} kernels, and a graph's ops are not recorded when it is replayed; "
                                    "this is inference, or training inside CUDA or HIP graphs",
                                    evidence.graphLaunches, analysis.kernels),
                    "record training steps with graphs turned off");
    if (evidence.updates)
        return fail(what +
                        "annotations name a backward pass or an optimizer step, but the ops of the autograd thread are missing",
                    "record all threads and the CPU activity, without sampling");
    if (evidence.ops == 0)
        return fail(what + (analysis.kernels > 0 ? "there are kernels, but no ops that launched them"
                                                 : "it holds collectives only, no computation"),
                    trace.advice);
    return fail(what + "this is inference, or only a part of a training step", whole);
}

} // namespace

Result<void> requireDeviceWork(const TraceEvents &trace, const Analysis &analysis) {
    if (analysis.onDevice)
        return {};
    if (const std::string foreign = foreignDeviceWork(trace); !foreign.empty())
        return fail(
            fmt::format("the steps ran on an accelerator whose work is not read ({}{}), and the times of the CPU's ops are "
                        "not the step's",
                        foreign, trace.deviceName.empty() ? "" : " on " + trace.deviceName),
            "record training on a GPU or CPU, or measure the layers and write a job file");
    std::uint64_t launches = 0;
    for (const TraceEvent &e : trace.events) {
        const std::string &name = trace.nameOf(e);
        launches += e.kind == EventKind::Runtime &&
                    (name.find("LaunchKernel") != std::string::npos || name.find("GraphLaunch") != std::string::npos);
    }
    if (launches > 0)
        return fail(
            fmt::format(
                "{} kernels were launched, but no compute kernel was recorded: the times of the CPU's ops are those of the "
                "launches, not the step's",
                launches),
            trace.advice);
    return {};
}

Result<void> requireTraining(const TraceEvents &trace, const Analysis &analysis, const std::vector<StepMeasure> &measures) {
    if (trace.events.empty())
        return fail(
            fmt::format("none of the {} events is an op or a kernel: this is not a profile of training", trace.eventCount),
            trace.advice);
    if (analysis.backwardOps == 0)
        return refuseWithoutBackward(trace, analysis);
    TRY(requireDeviceWork(trace, analysis));
    if (std::none_of(measures.begin(), measures.end(), [](const StepMeasure &m) { return m.complete; }))
        return fail("a backward pass is recorded, but no step has both forward and backward work that can be tied to it",
                    trace.advice);
    return {};
}

} // namespace syncopate::kineto

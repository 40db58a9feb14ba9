// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/damaged/execution_trace/*
#include "engine/profile/torch/execution_trace.h"

#include <cstdlib>

/// Any bytes yield an execution trace or an Error that says what is wrong; merging it with a Kineto trace succeeds or is refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const std::string kineto = [] {
        std::string events = "[";
        for (const char *name : {"record_param_comms", "torch::autograd::AccumulateGrad", "record_param_comms"})
            events += std::string(events.size() > 1 ? "," : "") +
                      R"({"ph": "X", "cat": "cpu_op", "ts": 1, "dur": 1, "tid": 2, "name": ")" + name +
                      R"(", "args": {"Input Dims": [[6]]}})";
        return events + "]";
    }();
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    const bool sniffed = syncopate::looksLikeExecutionTrace(bytes);
    const auto source = syncopate::ByteSource::fromMemory(bytes);
    const auto trace = syncopate::readExecutionTrace(*source, "fuzz_0.json");
    if (!trace)
        return trace.error().what.empty() ? (std::abort(), 0) : 0;
    static volatile bool seen = false;
    seen = sniffed;
    const auto again = syncopate::ByteSource::fromMemory(kineto);
    auto events = syncopate::readTraceEvents(*again);
    const auto use = syncopate::applyExecutionTrace(*events, *trace);
    if (!use && use.error().what.empty())
        std::abort();
    return 0;
}

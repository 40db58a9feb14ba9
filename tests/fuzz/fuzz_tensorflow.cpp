// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/damaged/tensorflow/*
#include "engine/profile/tensorflow/tensorflow.h"

#include <cstdlib>

/// Any bytes yield a timeline whose inputs point backwards or are missing (-1), figures of which no more communication is hidden
/// than there is, and a valid job with lanes without overlap or the reason why there is none; or an Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    static volatile bool seen = false;
    seen = syncopate::looksLikeTensorFlowTimeline(bytes);
    const auto source = syncopate::ByteSource::fromMemory(bytes);
    const auto graph = syncopate::readTensorFlowTimeline(*source, "fuzz.json");
    if (!graph)
        return graph.error().what.empty() ? (std::abort(), 0) : 0;
    for (std::size_t i = 0; i < (*graph)->ops.size(); ++i) {
        const syncopate::ProfiledOp &op = (*graph)->ops[i];
        if (op.start < 0 || op.end < op.start || static_cast<std::size_t>(op.resource) >= (*graph)->resources.size())
            std::abort();
        for (const std::int32_t input : op.inputs) {
            if (input < -1 || input >= static_cast<std::int32_t>(i))
                std::abort();
        }
    }
    for (const syncopate::OverlapFigures &figures : syncopate::overlapFigures(**graph)) {
        if (figures.hiddenSeconds > figures.communicationSeconds + 1e-9)
            std::abort();
    }
    const auto profile = syncopate::importOpGraphs({*graph, *graph}, "fuzz.json");
    if (!profile)
        return profile.error().what.empty() ? (std::abort(), 0) : 0;
    if (!syncopate::validateJob((*profile)->job))
        std::abort();
    for (const syncopate::Lane &lane : (*profile)->timeline.lanes) {
        for (std::size_t i = 0; i < lane.size(); ++i) {
            if (lane.end[i] < lane.start[i] || (i > 0 && lane.start[i] < lane.end[i - 1]))
                std::abort();
        }
    }
    return 0;
}

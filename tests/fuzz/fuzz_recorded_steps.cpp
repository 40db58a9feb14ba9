// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/data/profiles/*.json
#include "engine/predict/generate.h"
#include "engine/predict/reconstruct.h"
#include "engine/profile/tensorflow/tensorflow.h"

#include <cstdlib>

/// Any timeline yields steps to sample from or an Error, and the steps are
/// re-timed and played, or refused with a reason.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace syncopate;
    const auto source = ByteSource::fromMemory(std::string_view(reinterpret_cast<const char *>(data), size));
    const auto graph = readTensorFlowTimeline(*source, "fuzz.json");
    if (!graph)
        return 0;
    const auto recorded = recordedStepsOf({*graph, *graph}, "fuzz.json", 1);
    if (!recorded)
        return recorded.error().what.empty() ? (std::abort(), 0) : 0;
    ReconstructOptions options;
    options.bytesPerSecond = 1e9;
    options.windowBytes.reset();
    const auto made = reconstruct(*recorded, options);
    if (!made)
        return made.error().what.empty() ? (std::abort(), 0) : 0;
    const auto machines = machinesOf(uniformCluster(2, 10), made->set.graph.servers);
    if (!machines)
        std::abort();
    GenerateOptions play;
    play.steps = 3;
    play.warmUp = 1;
    play.windowBytes = made->windowBytes;
    const auto trace = generateTrace(made->set, *machines, play);
    if (!trace)
        return trace.error().what.empty() ? (std::abort(), 0) : 0;
    for (std::size_t i = 1; i < trace->completionSeconds.size(); ++i)
        if (trace->completionSeconds[i] < trace->completionSeconds[i - 1])
            std::abort();
    return 0;
}

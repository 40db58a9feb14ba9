// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: sample_data/resnet50_cpu_gloo_rank0.json.gz tests/damaged/kineto/*
#include "engine/plan/recorded_dag.h"
#include "engine/profile/torch/kineto.h"

#include <cstdlib>

/// Any bytes, gzip or not, yield a consistent profile, whose step is a DAG or is refused, or an Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto source = syncopate::ByteSource::fromMemory({reinterpret_cast<const char *>(data), size});
    const auto profile = syncopate::importKineto(*source, "fuzz");
    if (!profile)
        return profile.error().what.empty() ? (std::abort(), 0) : 0;
    if (!syncopate::validateJob((*profile)->job))
        std::abort();
    if (const auto &step = (*profile)->recorded)
        if (const auto dag = syncopate::dagOfStep(*step, "fuzz", 0, 4, "fuzz"); !dag && dag.error().what.empty())
            std::abort();
    for (const syncopate::Lane &lane : (*profile)->timeline.lanes) {
        for (std::size_t i = 0; i < lane.size(); ++i) {
            if (lane.start[i] < 0 || lane.end[i] < lane.start[i] || (i > 0 && lane.start[i] < lane.end[i - 1]))
                std::abort();
        }
    }
    return 0;
}

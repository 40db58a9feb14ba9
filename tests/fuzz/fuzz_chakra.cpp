// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/damaged/chakra/*
#include "engine/plan/recorded_dag.h"
#include "engine/profile/chakra/chakra_recorded.h"

#include <cstdlib>

/// Any bytes yield a valid job and a step that is a DAG, or an Error that says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    static volatile bool seen = false;
    seen = syncopate::looksLikeChakra(bytes);
    const auto source = syncopate::ByteSource::fromMemory(bytes);
    const auto profile = syncopate::importChakra(*source, "fuzz.et");
    if (profile ? !syncopate::validateJob((*profile)->job) : profile.error().what.empty())
        std::abort();
    const auto again = syncopate::ByteSource::fromMemory(bytes);
    const auto trace = syncopate::readChakra(*again);
    if (!trace)
        return 0;
    const auto step = syncopate::recordChakra(*trace, "fuzz.et");
    if (!step)
        return step.error().what.empty() ? (std::abort(), 0) : 0;
    if (const auto dag = syncopate::dagOfStep(*step, "fuzz", 0, 4, "fuzz.et"); !dag && dag.error().what.empty())
        std::abort();
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/damaged/pipedream/*
#include "engine/profile/pipedream/pipedream.h"

#include <cstdlib>

/// Any text yields a valid job, or an Error that says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto profile = syncopate::importPipeDream({reinterpret_cast<const char *>(data), size}, "fuzz_graph.txt");
    if (profile ? !syncopate::validateJob((*profile)->job) : profile.error().what.empty())
        std::abort();
    return 0;
}

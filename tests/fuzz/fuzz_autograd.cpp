// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/damaged/autograd/*
#include "engine/profile/autograd/autograd_trace.h"

#include <cstdlib>

/// Any bytes yield a valid job or an Error that says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto source = syncopate::ByteSource::fromMemory({reinterpret_cast<const char *>(data), size});
    const auto profile = syncopate::importAutogradTrace(*source, "fuzz.json");
    if (profile ? !syncopate::validateJob((*profile)->job) : profile.error().what.empty())
        std::abort();
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/damaged/variables/*
#include "engine/profile/variables/variable_list.h"

#include <cstdlib>

/// Any bytes, read as each kind of list, yield a list or an Error that says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
    const auto source = syncopate::ByteSource::fromMemory(bytes);
    const auto list = data[0] % 4 == 0   ? syncopate::readSafetensors(*source, bytes.size())
                      : data[0] % 4 == 1 ? syncopate::readTensorList(bytes)
                      : data[0] % 4 == 2 ? syncopate::readOnnx(*source)
                                         : syncopate::readCheckpointIndex(bytes);
    if (!list)
        return list.error().what.empty() ? (std::abort(), 0) : 0;
    syncopate::ImportedProfile profile;
    profile.job.layers.resize(3);
    profile.job.layers[0].name = "conv_1";
    profile.unsized = {{"a", 0}, {"b", 2}};
    const auto matched = syncopate::withVariables(profile, *list);
    if (matched ? !syncopate::validateJob((*matched)->job) : matched.error().what.empty())
        std::abort();
    return 0;
}

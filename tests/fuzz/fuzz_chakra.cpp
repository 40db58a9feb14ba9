// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/chakra/chakra.h"

#include <cstdlib>

/// Any bytes are a valid job or an Error that says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    static volatile bool seen = false;
    seen = syncopate::looksLikeChakra(bytes);
    const auto source = syncopate::ByteSource::fromMemory(bytes);
    const auto profile = syncopate::importChakra(*source, "fuzz.et");
    if (profile ? !syncopate::validateJob((*profile)->job) : profile.error().what.empty())
        std::abort();
    return 0;
}

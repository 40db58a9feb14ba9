// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/perfetto/pftrace.h"

#include <cstdlib>
#include <string_view>

/// Any bytes yield a timeline with spans, or an Error that says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    const auto source = syncopate::ByteSource::fromMemory(bytes);
    const auto profile = syncopate::importPerfetto(*source, "fuzz.pftrace");
    if (profile ? (*profile)->timeline.spanCount() == 0 : profile.error().what.empty())
        std::abort();
    return 0;
}

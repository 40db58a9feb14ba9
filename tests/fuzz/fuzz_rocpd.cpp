// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/rocm/rocpd.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

/// Any bytes read as a database yield a timeline with spans, or an Error that says what is wrong. SQLite reads files, so each
/// input becomes one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const std::string path =
        (std::filesystem::temp_directory_path() / ("fuzz_rocpd_" + std::to_string(getpid()) + ".sqlite")).string();
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    const auto profile = syncopate::importRocpd(path);
    if (profile ? (*profile)->timeline.spanCount() == 0 : profile.error().what.empty())
        std::abort();
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/nsight/nsight.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

/// Any bytes read as a database yield a valid job or an Error. SQLite reads files, so each input becomes one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const std::string path =
        (std::filesystem::temp_directory_path() / ("fuzz_nsight_" + std::to_string(getpid()) + ".sqlite")).string();
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    const auto profile = syncopate::importNsight(path);
    if (profile ? !syncopate::validateJob((*profile)->job) : profile.error().what.empty())
        std::abort();
    return 0;
}

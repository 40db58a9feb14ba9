// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/data/projects/*.syncopate
#include "engine/store/project_file.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

// SQLite reads files: each input becomes one, in memory if the system supports that.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const std::string path =
        std::string(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") + "/fuzz-project-" + std::to_string(getpid());
    std::FILE *file = std::fopen(path.c_str(), "wb");
    if (!file)
        std::abort();
    std::fwrite(data, 1, size, file);
    std::fclose(file);
    const auto read = syncopate::readProject(path);
    if (!read && read.error().what.empty())
        std::abort();
    std::remove(path.c_str());
    std::remove((path + "-journal").c_str());
    return 0;
}

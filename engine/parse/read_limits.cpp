// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/read_limits.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace syncopate {

namespace {

constexpr std::uint64_t smallestBound = std::uint64_t{1} << 28; ///< any trace may take this much, however full the machine is
constexpr double marginOfEstimate = 2;                          ///< a file may be denser than its beginning suggests
constexpr double smallestPartForEstimate = 0.02;                ///< share of the file

/// The number after a key in a system file ("MemAvailable: 1234 kB"), or the whole file's if the key is empty; `otherwise` if
/// there is no number ("max").
std::uint64_t numberIn(const char *path, std::string_view key, std::uint64_t otherwise) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::uint64_t number = 0;
        if (line.starts_with(key) && std::istringstream(line.substr(key.size())) >> number)
            return number;
    }
    return otherwise;
}

std::uint64_t availableBytes() {
    constexpr std::uint64_t kibi = 1024, otherwise = std::uint64_t{4} << 30, none = ReadLimits::unlimited;
    const std::uint64_t available = numberIn("/proc/meminfo", "MemAvailable:", otherwise / kibi) * kibi;
    const std::uint64_t most = numberIn("/sys/fs/cgroup/memory.max", "", none);
    if (most == none)
        return available;
    // The page cache counts as used, but can be reclaimed.
    const std::uint64_t used = numberIn("/sys/fs/cgroup/memory.current", "", 0),
                        cached = numberIn("/sys/fs/cgroup/memory.stat", "inactive_file ", 0);
    return std::min(available, most - std::min(most, used - std::min(used, cached)));
}

std::string bytesText(double bytes) {
    return bytes < 1 << 20   ? fmt::format("{:.0f} KiB", bytes / 1024)
           : bytes < 1 << 30 ? fmt::format("{:.1f} MiB", bytes / (1 << 20))
                             : fmt::format("{:.1f} GiB", bytes / (1 << 30));
}
std::string bytesText(std::uint64_t bytes) { return bytesText(static_cast<double>(bytes)); }

} // namespace

ReadLimits ReadLimits::ofThisMachine() {
    ReadLimits limits;
    limits.keptBytes = std::max(smallestBound, availableBytes() / 4 * 3);
    return limits;
}

ReadLimits ReadLimits::of(std::uint64_t keptBytes) {
    if (keptBytes == 0)
        return ofThisMachine();
    ReadLimits limits;
    limits.keptBytes = keptBytes;
    limits.ratio = 0;
    return limits;
}

Result<void> checkLimits(const ReadLimits &limits, std::uint64_t keptBytes, std::uint64_t textBytes, Stored stored) {
    const auto text = static_cast<double>(textBytes), kept = static_cast<double>(keptBytes);
    const auto read = static_cast<double>(stored.read), size = static_cast<double>(stored.size);
    if (limits.ratio > 0 && textBytes > limits.ratioFromBytes && stored.read > 0 && text > limits.ratio * read)
        return fail(
            fmt::format("{} of it already unpacked to {}, {:.0f} times as much: traces unpack to 10 to 40 times their size, and "
                        "more than {:.0f} times looks like a file made to fill the memory",
                        bytesText(stored.read), bytesText(textBytes), text / read, limits.ratio),
            "if this is the right file, name the memory that it may take: syncopate-cli import --limit 8GiB -o job.json");
    if (limits.keptBytes == ReadLimits::unlimited)
        return {};
    const char *const remedy =
        "record fewer steps or ranks, or name the memory that it may take: syncopate-cli import --limit 16GiB "
        "-o job.json (none = all)";
    const std::string bound = bytesText(limits.keptBytes);
    if (keptBytes > limits.keptBytes)
        return fail(fmt::format("its content takes more than the {} of memory that reading may take ({} of text were read)",
                                bound, bytesText(textBytes)),
                    remedy);
    if (size > 0 && read >= smallestPartForEstimate * size && read <= size &&
        kept / read * size > marginOfEstimate * static_cast<double>(limits.keptBytes))
        return fail(
            fmt::format(
                "its content will take about {} of memory, and reading may take {} ({:.0f} % of the file was read, {} of text)",
                bytesText(kept / read * size), bound, 100 * read / size, bytesText(textBytes)),
            remedy);
    return {};
}

} // namespace syncopate

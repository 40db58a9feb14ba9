// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <new>
#include <string>
#include <type_traits>

namespace syncopate {

/// Limits of memory and text for reading one input. A file of some megabytes can decompress to any length, and a reader keeps
/// about as much memory as there is text: without limits a small file can take all memory.
struct ReadLimits {
    static constexpr std::uint64_t unlimited = UINT64_MAX;

    std::uint64_t keptBytes = unlimited; ///< of memory that a reader may keep
    /// Text per byte of the file. Recorded traces unpack to 10 to 40 times their size; deflate can do 1032. 0 = any.
    double ratio = 200;
    std::uint64_t ratioFromBytes = std::uint64_t{1} << 26; ///< of text: small files may have any ratio

    /// The memory that the system and this process's control group have left, less a quarter for the work after reading.
    [[nodiscard]] static ReadLimits ofThisMachine();
    /// The limit that a user set: `keptBytes`, and any ratio; 0 = as ofThisMachine().
    [[nodiscard]] static ReadLimits of(std::uint64_t keptBytes);
};

/// How much of its file a source has read.
struct Stored {
    std::uint64_t read = 0;
    std::uint64_t size = 0; ///< 0 = not known
};

/// An error where a reader that keeps `keptBytes` of memory for `textBytes` of text exceeds the limits, or will at the file's end
/// if it goes on at this rate. It names the figures and the option that raises the limit.
[[nodiscard]] Result<void> checkLimits(const ReadLimits &limits, std::uint64_t keptBytes, std::uint64_t textBytes, Stored stored);

/// The remedy of most readers where memory does not suffice.
inline constexpr const char *recordLess = "record less, or close other programs";

/// The Result of `read()`, or an error where the machine has less memory than the limits allow.
template <class Read>
[[nodiscard]] std::invoke_result_t<Read> withinMemory(const std::string &file, const char *remedy, Read &&read) {
    try {
        return read();
    } catch (const std::bad_alloc &) {
        return fail("not enough memory to read this", remedy, file);
    }
}

} // namespace syncopate

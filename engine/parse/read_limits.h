// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>

namespace syncopate {

/// Bounds of what reading one input may take. A file of some megabytes can unpack to any length, and what a reader keeps of its
/// text is about as long as the text: without a bound a small file takes all memory.
struct ReadLimits {
    static constexpr std::uint64_t unlimited = UINT64_MAX;

    std::uint64_t keptBytes = unlimited; ///< of memory, for what a reader keeps
    /// Text per byte of the file. Recorded traces unpack to 10 to 40 times their size; deflate can do 1032. 0 = any.
    double ratio = 200;
    std::uint64_t ratioFromBytes = std::uint64_t{1} << 26; ///< of text: small files may have any ratio

    /// As much memory as the system and this process's control group have left, less a quarter for what comes after reading.
    [[nodiscard]] static ReadLimits ofThisMachine();
    /// What a user set: `keptBytes`, and any ratio; 0 = as ofThisMachine().
    [[nodiscard]] static ReadLimits of(std::uint64_t keptBytes);
};

/// How far a source has read the file that it stands on.
struct Stored {
    std::uint64_t read = 0;
    std::uint64_t size = 0; ///< 0 = not known
};

/// An error where a reader that made `keptBytes` of memory out of `textBytes` of text is beyond the limits, or will be at the
/// file's end if that goes on as it began. It names the figures and the option to go on with.
[[nodiscard]] Result<void> checkLimits(const ReadLimits &limits, std::uint64_t keptBytes, std::uint64_t textBytes, Stored stored);

} // namespace syncopate

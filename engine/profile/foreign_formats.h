// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile_formats.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>

namespace syncopate {

/// A format of profiles, traces or workloads of which no job can be made: what it is and what to do instead.
struct ForeignFormat {
    const char *what, *remedy;
    /// Reads it as a recording (importRecording()); null where that cannot be done.
    Result<std::shared_ptr<const ImportedProfile>> (*read)(const std::string &path, const FileHead &head,
                                                           const ImportOptions &options, std::stop_token stop,
                                                           Progress *progress) = nullptr;
};

/// The foreign format of a file that begins like this, or null.
[[nodiscard]] const ForeignFormat *foreignFormatOf(const FileHead &head);

/// Why none of a set's files makes a profile, by the first file that is none: its format, and what to do with it.
[[nodiscard]] Unexpected refuseSetOf(const std::string &set, std::size_t files, const std::string &first, const FileHead &head);

} // namespace syncopate

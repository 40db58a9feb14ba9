// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile_formats.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>

namespace syncopate {

/// A format of profiles, traces or workloads that cannot become a job: its name, and what to do instead.
struct ForeignFormat {
    const char *what, *remedy;
    /// Reads it as a recording (importRecording()); null where that is impossible.
    Result<std::shared_ptr<const ImportedProfile>> (*read)(const std::string &path, const FileHead &head,
                                                           const ImportOptions &options, std::stop_token stop,
                                                           Progress *progress) = nullptr;
};

/// The foreign format of a file that begins like this, or null.
[[nodiscard]] const ForeignFormat *foreignFormatOf(const FileHead &head);

/// The error for a set in which no file is a profile. It names the first file's format, and what to do with it.
[[nodiscard]] Unexpected refuseSetOf(const std::string &set, std::size_t files, const std::string &first, const FileHead &head);

} // namespace syncopate

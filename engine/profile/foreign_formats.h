// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile_formats.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace syncopate {

/// A format of profiles, traces or workloads that cannot become a job: what it is, as the start of an error
/// ("this is ..."), and the remedy.
struct ForeignFormat {
    const char *what, *remedy;
    /// Reads it as a recording (importRecording()); null where that is impossible.
    Result<std::shared_ptr<const ImportedProfile>> (*read)(const std::string &path, const FileHead &head,
                                                           const ImportOptions &options, std::stop_token stop,
                                                           Progress *progress) = nullptr;
};

/// A strategy, in AutoDist's format or as JSON.
inline constexpr ForeignFormat foreignStrategy{"this is a strategy file, which says how variables are synchronised",
                                               "give it as the strategy (--strategy, or a side of the explorer), and a profile, "
                                               "job file or job of the catalogue as the job"};

/// The foreign format of a file that begins like this, or null.
[[nodiscard]] const ForeignFormat *foreignFormatOf(const FileHead &head);
/// The foreign format of a file with this name, or null: reports of profilers in formats of their own.
[[nodiscard]] const ForeignFormat *foreignFormatNamed(std::string_view path);

/// The error for a set in which no file is a profile. It names the first file's format, and what to do with it.
[[nodiscard]] Unexpected refuseSetOf(const std::string &set, std::size_t files, const std::string &first, const FileHead &head);

} // namespace syncopate

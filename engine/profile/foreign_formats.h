// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile_formats.h"

#include <cstddef>
#include <string>

namespace syncopate {

/// A format of profiles, traces or workloads that is known but not read: what it is and what to do instead.
struct ForeignFormat {
    const char *what, *remedy;
};

/// The foreign format of a file that begins like this, or null.
[[nodiscard]] const ForeignFormat *foreignFormatOf(const FileHead &head);

/// Why none of a set's files makes a profile, by the first file that is none: its format, and what to do with it.
[[nodiscard]] Unexpected refuseSetOf(const std::string &set, std::size_t files, const std::string &first, const FileHead &head);

} // namespace syncopate

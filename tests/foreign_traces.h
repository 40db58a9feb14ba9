// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Profiles, logs and topologies of other projects, which a clone does not have: their licences allow reading them, but this
// repository contains only its own files. tests/foreign_traces.txt lists the tests that need them; each of these skips itself,
// with a one-line message.

#include <filesystem>
#include <string>

namespace syncopate::testing {

/// The path of a foreign file or folder; "" is the folder containing them all.
inline std::string foreignTrace(const std::string &name) { return SYNCOPATE_SHARED "/traces/" + name; }

} // namespace syncopate::testing

/// Skips the rest of a test if `name` is missing, as in REQUIRE_FOREIGN_TRACE("kineto").
#define REQUIRE_FOREIGN_TRACE(name)                                                                                              \
    if (!std::filesystem::exists(::syncopate::testing::foreignTrace(name)))                                                      \
    QSKIP("skipped: needs the foreign traces in " name "/ (tests/foreign_traces.txt)")

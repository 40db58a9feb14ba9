// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Profiles, logs and topologies of other projects, which a clone does not have: their licences allow reading them, and this
// repository ships only what is its own. tests/foreign_traces.txt lists the tests that want them; each skips by itself, with one
// line.

#include <filesystem>
#include <string>

namespace syncopate::testing {

/// The path of a foreign file or folder; "" is the folder of them all.
inline std::string foreignTrace(const std::string &name) { return SYNCOPATE_SHARED "/traces/" + name; }

} // namespace syncopate::testing

/// Skips the rest of a test without `name`, as in REQUIRE_FOREIGN_TRACE("kineto").
#define REQUIRE_FOREIGN_TRACE(name)                                                                                              \
    if (!std::filesystem::exists(::syncopate::testing::foreignTrace(name)))                                                      \
    QSKIP("skipped: needs the foreign traces in " name "/ (tests/foreign_traces.txt)")

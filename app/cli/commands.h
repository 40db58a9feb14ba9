// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace syncopate::cli {

class Ranks;

/// Options common to all commands, and the files that a command's own options name.
struct Common {
    bool json = false;
    bool quiet = false;
    bool force = false; ///< existing files may be replaced
    std::int32_t seed = 1;
    Ranks *ranks = nullptr;                     ///< of mpirun, for a command that spreads its work; null = this process is alone
    std::vector<std::string> inputs;            ///< values of options that name existing files or folders
    std::vector<const std::string *> outputs;   ///< options that name files to write, of every command; empty = none
    std::vector<const std::string *> keptFiles; ///< options that name files which are read if they exist, and written
    std::vector<const void *> outputOptions{};  ///< the same options, as identified by CLI11
};

/// The failure of a command, by exit code: 1 failed while running, 2 bad input.
struct Failure {
    int exitCode = 2;
    Error error;
};
using Outcome = tl::expected<void, Failure>;

/// Runs a command with its parsed options.
using Action = std::function<Outcome()>;

/// A command: its name and its action.
struct CommandEntry {
    std::string_view name, help;
    /// Declares the options on `command`. The action owns the parsed values; `common` must outlive it.
    Action (*declare)(CLI::App &command, Common &common);
    bool spreads = false; ///< over Common::ranks. Other commands run on rank 0 only.
};

/// All commands, in the order of --help.
[[nodiscard]] const std::vector<CommandEntry> &commands();

extern const CommandEntry catalogEntry, importEntry, buildEntry, simulateEntry, compareEntry, diffEntry, sweepEntry, whyEntry,
    exportEntry, queryEntry, trialEntry, searchEntry, tuneEntry, planEntry, predictEntry, validateEntry, calibrateEntry,
    lintEntry, completionEntry;

} // namespace syncopate::cli

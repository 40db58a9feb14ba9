// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The settings file of a system that trains: what each policy's file in engine/strategy/policy/ writes of its own system, and the
// questions that all of them ask of a strategy first.

#include "engine/base/result.h"
#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/strategy.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// What is to be set up.
struct LauncherRequest {
    const Job &job;
    const Cluster &cluster;
    const Strategy &strategy;
    const CommPolicy &policy;
};

/// One kind of settings file. Policies that a system can do point to it (Policy::launchers).
struct Launcher {
    const char *format; ///< the name on the command line: "bytescheduler", "horovod-yaml"
    const char *title;  ///< "Horovod, config file"
    const char *suffix; ///< of its files: ".env", ".yml", ".py"
    const char *system; ///< "Horovod"
    const char *policy; ///< name of the policy that simulates it
    /// In the units that the system reads. Errors: what the system has no way to do, and what could be simulated instead.
    Result<std::string> (*write)(const LauncherRequest &);
};

/// Of the built-in policies.
[[nodiscard]] const std::vector<const Launcher *> &launchers();
/// Null where there is none.
[[nodiscard]] const Launcher *findLauncher(std::string_view format);
/// ByteScheduler's, whose settings p3's slices can be, too.
[[nodiscard]] const Launcher &byteSchedulerLauncher();

/// What the strategy does with all variables; each system has one way for all of them.
struct VariableWay {
    SynchronizerKind kind = SynchronizerKind::AllReduce;
    bool sync = true;
    Compressor compressor = Compressor::None;
};
/// The one way of all variables. Errors: there is none that `system` could follow.
[[nodiscard]] Result<VariableWay> commonWay(const Strategy &strategy, const std::string &system);
[[nodiscard]] Result<void> needAllReduce(const VariableWay &way, const std::string &system);
[[nodiscard]] Result<void> refuseErrorFeedback(Compressor compressor, const std::string &system);

/// Bytes as a whole number of at least 1, in units of `unit` bytes; fractions of a unit cannot be set.
[[nodiscard]] Result<std::int64_t> wholeUnits(double bytes, double unit, const char *what, const char *unitName);

[[nodiscard]] std::string settingsComment(const std::string &text);
/// Comment lines that say of what the settings are and, last, how to use them.
[[nodiscard]] std::string settingsHeading(const LauncherRequest &request, const std::string &system, const std::string &use);
/// A comment line where the strategy compresses, which only `call` in the training script can say.
[[nodiscard]] std::string compressorComment(Compressor compressor, const char *call);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Settings files of training systems. Each policy's file in engine/strategy/policy/ writes those of its own system; this header
// has the launcher's type and the checks of a strategy that all of them share.

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

/// The scenario whose settings are written.
struct LauncherRequest {
    const Job &job;
    const Cluster &cluster;
    const Strategy &strategy;
    const CommPolicy &policy;
};

/// One kind of settings file. The policies that a system implements point to it (Policy::launchers).
struct Launcher {
    const char *format; ///< the name on the command line: "bytescheduler", "horovod-yaml"
    const char *title;  ///< "Horovod, config file"
    const char *suffix; ///< of its files: ".env", ".yml", ".py"
    const char *system; ///< "Horovod"
    const char *policy; ///< name of the policy that simulates it
    /// Writes the settings in the units that the system reads. Errors: what the system cannot do, and what could be simulated
    /// instead.
    Result<std::string> (*write)(const LauncherRequest &);
};

/// The launchers of the built-in policies.
[[nodiscard]] const std::vector<const Launcher *> &launchers();
/// Null where there is none.
[[nodiscard]] const Launcher *findLauncher(std::string_view format);
/// ByteScheduler's launcher, which can also express p3's slices.
[[nodiscard]] const Launcher &byteSchedulerLauncher();

/// How the strategy synchronises all variables, as a system has one way for all of them.
struct VariableWay {
    SynchronizerKind kind = SynchronizerKind::AllReduce;
    bool sync = true;
    Compressor compressor = Compressor::None;
};
/// The way in which all variables are synchronised. Errors: they differ, or `system` cannot do it.
[[nodiscard]] Result<VariableWay> commonWay(const Strategy &strategy, const std::string &system);
[[nodiscard]] Result<void> needAllReduce(const VariableWay &way, const std::string &system);
[[nodiscard]] Result<void> refuseErrorFeedback(Compressor compressor, const std::string &system);

/// Bytes as a whole number of at least 1, in units of `unit` bytes; fractions of a unit cannot be set.
[[nodiscard]] Result<std::int64_t> wholeUnits(double bytes, double unit, const char *what, const char *unitName);

[[nodiscard]] std::string settingsComment(const std::string &text);
/// Comment lines that name the scenario of the settings and, last, how to use them.
[[nodiscard]] std::string settingsHeading(const LauncherRequest &request, const std::string &system, const std::string &use);
/// A comment line where the strategy compresses, which only `call` in the training script can express.
[[nodiscard]] std::string compressorComment(Compressor compressor, const char *call);

} // namespace syncopate

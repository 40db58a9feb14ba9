// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Settings files of training systems. Each policy's file in engine/strategy/policy/ writes those of its own system; this header
// has the launcher's type and the checks of a strategy that all systems share.

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
    /// Writes the settings in the units that the system reads, rounded to whole ones. Errors: what the system cannot do, and what
    /// could be simulated instead.
    Result<std::string> (*write)(const LauncherRequest &);
};

/// The launchers of the built-in policies.
[[nodiscard]] const std::vector<const Launcher *> &launchers();
/// Null where there is none.
[[nodiscard]] const Launcher *findLauncher(std::string_view format);
/// ByteScheduler's launcher, which can also express p3's slices.
[[nodiscard]] const Launcher &byteSchedulerLauncher();

/// The way in which a strategy synchronises all variables: a system has one for all.
struct VariableWay {
    SynchronizerKind kind = SynchronizerKind::AllReduce;
    bool sync = true;
    Compressor compressor = Compressor::None;
};
/// The way in which all variables are synchronised. Errors: they differ, or `system` cannot do it.
[[nodiscard]] Result<VariableWay> commonWay(const Strategy &strategy, const std::string &system);
[[nodiscard]] Result<void> needAllReduce(const VariableWay &way, const std::string &system);
[[nodiscard]] Result<void> refuseErrorFeedback(Compressor compressor, const std::string &system);

/// Rounds the size `key` of `policy` to the nearest whole number of units of `unit` bytes, the precision of a setting, and
/// returns that number: at least 1. Errors: less than half a unit.
[[nodiscard]] Result<std::int64_t> roundToUnits(CommPolicy &policy, std::string_view key, double unit, const char *unitName);
/// The same for the size of partitions. A credit keeps its number of partitions: a parameter more would let another partition go.
[[nodiscard]] Result<std::int64_t> roundPartition(CommPolicy &policy, double unit, const char *unitName);

/// The numbers of machines that train, and of machines that the strategy reduces on.
struct Machines {
    std::size_t workers = 0, servers = 0;
    std::int32_t maxReplicas = 0; ///< of a machine that trains
};
[[nodiscard]] Machines machinesOf(const Cluster &cluster, const Strategy &strategy);
/// ps-lite's counts of machines, as shell assignments.
[[nodiscard]] std::string countAssignments(const Machines &machines);

[[nodiscard]] std::string settingsComment(const std::string &text);
/// Comment lines that name the scenario of the settings, the policy that they express (`written`) where its sizes had to be
/// rounded and, last, how to use them.
[[nodiscard]] std::string settingsHeading(const LauncherRequest &request, const CommPolicy &written, const std::string &system,
                                          const std::string &use);
/// A comment line where the strategy compresses, which only `call` in the training script can express; else empty.
[[nodiscard]] std::string compressorComment(Compressor compressor, const char *call);

} // namespace syncopate

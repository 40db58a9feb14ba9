// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The systems whose settings a scenario can be turned into.
enum class Launcher {
    ByteScheduler, ///< environment; sizes in parameters
    BytePs,        ///< environment; partition in bytes, credit in partitions
    Horovod,       ///< environment; threshold in bytes, cycle in ms
    HorovodConfig, ///< YAML for `horovodrun --config-file`; threshold in MiB, cycle in ms
    Ddp,           ///< a Python module with wrap(model); caps in MiB
};

struct LauncherInfo {
    Launcher launcher;
    const char *format; ///< the name on the command line: "bytescheduler", "horovod-yaml"
    const char *title;  ///< "Horovod, config file"
    const char *suffix; ///< of its files: ".env", ".yml", ".py"
};
[[nodiscard]] const std::vector<LauncherInfo> &launchers();

/// The file that makes `launcher` do what `scenario` says, in the units that it reads (ByteScheduler bytescheduler/common and
/// its docs; BytePS docs/env.md; Horovod docs and horovod/runner; torch.nn.parallel.DistributedDataParallel). The settings that
/// would tune these knobs away while training are switched off. What a setting cannot say but a script can (a compressor, the
/// wrapper that crosses the barrier) stands in comments.
/// Errors: the policy, the strategy or the collective algorithm is one that the system has no way to do; the text says
/// which, and what could be simulated instead.
[[nodiscard]] Result<std::string> writeLauncherSettings(Launcher launcher, const Scenario &scenario);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/profile.h"
#include "engine/profile/torch/kineto_events.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The activity of one process of a capture, as the events of a Kineto trace: kernels, copies, CUDA calls, and NVTX ranges
/// (PyTorch's emit_nvtx names them like ops, with sequence numbers and sizes).
struct NsightProcess {
    std::int64_t globalPid = 0;
    std::int64_t device = -1; ///< the first one used
    TraceEvents trace;
};

/// The processes of a capture.
struct NsightCapture {
    std::string schema;                   ///< "3.25.0"; empty = not written
    std::vector<NsightProcess> processes; ///< those with device work, or all where none has any; by process id
    std::vector<std::string> missing;     ///< tables that other captures have
};

/// True for the beginning of an SQLite database.
[[nodiscard]] bool looksLikeSqlite(std::string_view head);

/// Reads the SQLite export of Nsight Systems (schemas 2.9 to 3.25), read-only; tables and columns that a version lacks are
/// optional. `progress` counts rows. Errors name the file and table; kind Cancelled when `stop` was requested; events that would
/// take more memory than `limits` allow.
[[nodiscard]] Result<NsightCapture> readNsight(const std::string &path, std::stop_token stop = {}, Progress *progress = nullptr,
                                               const ReadLimits &limits = ReadLimits::ofThisMachine());

/// Imports a capture; its processes are ranks of one clock.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>>
importNsight(const std::string &path, const ImportOptions &options = {}, std::stop_token stop = {}, Progress *progress = nullptr);

/// The overlap figures of any capture, training or not, by process and device; several processes are ranks in this order. Errors,
/// `stop`, `progress` and `limits` as readNsight().
[[nodiscard]] Result<std::vector<OverlapFigures>> measureNsightOverlap(const std::string &path, std::stop_token stop = {},
                                                                       Progress *progress = nullptr,
                                                                       const ReadLimits &limits = ReadLimits::ofThisMachine());

} // namespace syncopate

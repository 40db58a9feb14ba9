// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/profile/profile.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace syncopate {

/// True for the beginning of a database of ROCm's profilers: SQLite with tables called rocpd_*.
[[nodiscard]] bool looksLikeRocpd(std::string_view head);

/// Reads a rocpd database (rocprofv3, rocprof-sys; schema 3 and 4, ROCm/rocprofiler-sdk
/// source/share/rocprofiler-sdk-rocpd/rocpd_tables.sql) as a recording: kernels and copies of each GPU, host calls and markers of
/// each thread, ProfilerStep markers as steps. Of the process only its threads are read, never its environment, which the file
/// holds. `progress` counts rows. Errors: another database, a damaged one, one without spans; of kind Cancelled.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>>
importRocpd(const std::string &path, const ImportOptions &options = {}, std::stop_token stop = {}, Progress *progress = nullptr);

} // namespace syncopate

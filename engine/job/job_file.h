// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"

#include <string>
#include <string_view>

namespace syncopate {

/// Reads a job file (docs/job-file.md): JSON, layers in forward order, a chain unless "parents" says otherwise. Errors name the
/// byte offset or the field ("layers[3].forward_seconds").
[[nodiscard]] Result<Job> readJobText(std::string_view json, const std::string &file = {});
[[nodiscard]] Result<Job> readJobFile(const std::string &path);
/// The job file of `job`; readJobText(writeJobText(job)) equals job.
[[nodiscard]] std::string writeJobText(const Job &job);

} // namespace syncopate

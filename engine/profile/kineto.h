// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/byte_source.h"
#include "engine/profile/kineto_events.h"
#include "engine/profile/profile.h"

#include <memory>
#include <stop_token>
#include <string>

namespace syncopate {

/// Imports a PyTorch Kineto trace from any source of bytes; `name` is the file's, for errors and for the job's name.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>>
importKineto(ByteSource &source, const std::string &name, const ImportOptions &options = {}, std::stop_token stop = {});

/// The same from events of any PyTorch-like profile that another reader brought into the form of a Kineto trace.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> importTraceEvents(const TraceEvents &trace, const std::string &name,
                                                                               const ImportOptions &options = {},
                                                                               std::stop_token stop = {});

} // namespace syncopate

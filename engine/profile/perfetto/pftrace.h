// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"
#include "engine/profile/profile.h"

#include <memory>
#include <stop_token>
#include <string>

namespace syncopate {

/// Reads a Perfetto trace (protobuf; protos/perfetto/trace/trace.proto) as a recording: slices of track events, nested ones in
/// lanes below each other, and work of GPU render stages. Counters, instants and flows are counted, not shown. Errors: a damaged
/// trace, one without slices; of kind Cancelled.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> importPerfetto(ByteSource &source, const std::string &name,
                                                                            std::stop_token stop = {});

} // namespace syncopate

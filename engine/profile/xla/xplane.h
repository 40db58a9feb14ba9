// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"
#include "engine/profile/profile.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace syncopate {

/// Reads a profile of XLA's profiler (JAX, TensorFlow, PyTorch/XLA; XSpace of tsl/profiler/protobuf/xplane.proto) as a recording:
/// each device's streams or XLA ops, each host thread, and the steps that are marked. Lines that repeat others (framework ops,
/// name scopes) are left out. `head` is the source's beginning. Errors: a file that is damaged, such as by a text filter, one
/// without spans; of kind Cancelled.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> importXPlane(ByteSource &source, const std::string &name,
                                                                          std::string_view head = {}, std::stop_token stop = {});

} // namespace syncopate

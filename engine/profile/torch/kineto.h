// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"
#include "engine/profile/profile.h"
#include "engine/profile/torch/kineto_events.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// Imports a PyTorch Kineto trace from any source of bytes; `name` is the file's, for errors and for the job's name.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>>
importKineto(ByteSource &source, const std::string &name, const ImportOptions &options = {}, std::stop_token stop = {});

/// The overlap figures of any Kineto trace, training or not.
[[nodiscard]] Result<std::vector<OverlapFigures>> measureKinetoOverlap(ByteSource &source, const std::string &name,
                                                                       std::stop_token stop = {});

namespace kineto {
struct RankFacts;
}
/// As importKineto(), from events that were read already, by this or another dialect's reader. Throws std::bad_alloc. Stores in
/// `facts`, if not null, the facts for aligning it with other ranks, and the profile.
[[nodiscard]] Result<std::shared_ptr<ImportedProfile>> analyseTrace(const TraceEvents &trace, const std::string &name,
                                                                    const ImportOptions &options, const std::stop_token &stop,
                                                                    kineto::RankFacts *facts = nullptr);

/// The overlap figures of such events.
[[nodiscard]] Result<std::vector<OverlapFigures>> measureTraceOverlap(const TraceEvents &trace, const std::string &name,
                                                                      const std::stop_token &stop = {});

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"
#include "engine/profile/profile.h"
#include "engine/profile/torch/kineto_events.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// True for the beginning of an export of PyTorch's older profiler (torch.autograd.profiler, before Kineto): an array of events
/// of the processes "CPU functions" and "CUDA functions".
[[nodiscard]] bool looksLikeAutogradTrace(std::string_view head);

/// How the export's ops were converted into the form of a Kineto trace.
struct AutogradNumbers {
    std::uint64_t backwardNodes = 0; ///< numbered in reverse order
    std::uint64_t forwardOps = 0;    ///< paired with a backward node
};

/// Reads such an export, streaming, as the events of a Kineto trace. The export has no sequence numbers, so they are
/// reconstructed: the backward nodes of a pass get numbers in the reverse order of execution, and a forward op gets the number of
/// the node of its name ("aten::addmm", "AddmmBackward"): the k-th op of a name that of its k-th last node, if there are equally
/// many. Errors carry the byte offset.
[[nodiscard]] Result<TraceEvents> readAutogradTrace(ByteSource &source, AutogradNumbers &numbers, std::stop_token stop = {});

[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> importAutogradTrace(ByteSource &source, const std::string &name,
                                                                                 const ImportOptions &options = {},
                                                                                 const std::stop_token &stop = {});

/// The overlap figures of any such export.
[[nodiscard]] Result<std::vector<OverlapFigures>> measureAutogradOverlap(ByteSource &source, const std::string &name,
                                                                         const std::stop_token &stop = {});

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/collective/collective_log.h"

namespace syncopate {

/// Whether the text begins like the JSON that nccl-tests writes with -J.
[[nodiscard]] bool isNcclTestsJson(std::string_view text);

/// nccl-tests' results as JSON (`-J FILE`, format version 3; NVIDIA/nccl-tests src/util.cu): the out-of-place time, or the
/// in-place one where there is none. The ranks are the devices listed, times `nthreads` and `ngpus` where each is of another
/// process (under MPI only a process's first is listed); nodes are their host names. nccl-tests writes the file while it runs: if
/// it ends in the middle, the complete rows are kept, with a note. Rows whose time is not a number ("nan") are left out, with a
/// note. Nothing of `env` is kept. Errors name the row (results[3].size) or the byte.
[[nodiscard]] Result<CollectiveLog> readNcclTestsJson(std::string_view text, const std::string &file = {});

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
// Training DAGs as text to write by hand: one op per line.
#pragma once

#include "engine/plan/training_dag.h"

#include <string>
#include <string_view>

namespace syncopate {

/// A DAG as text (docs/plan.md, "A DAG as text"):
///
///     dag pipeline processes 8
///     op forward   compute 20ms after "data 0" previous backward
///     op backward  compute 40ms after forward
///     op "data 0"  permute 1MiB shift -1 previous forward
///     op gradients all_reduce 4MB group 4x2 after backward
///     order submission gradients "data 0"
///
/// Lines in any order after the first; "#" begins a comment. Names are those that JSON may have. Errors name file, line and
/// remedy.
[[nodiscard]] Result<TrainingDag> readDagText(std::string_view text, const std::string &file = {});
/// Whether the first line that is neither empty nor a comment begins with "dag". `text` may be the beginning of a file.
[[nodiscard]] bool looksLikeDagText(std::string_view text);

} // namespace syncopate

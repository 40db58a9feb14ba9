// SPDX-License-Identifier: GPL-3.0-or-later
// Training DAGs as text that people write: a line for each op.
#pragma once

#include "engine/plan/training_dag.h"

#include <string>
#include <string_view>

namespace syncopate {

/// A DAG as text (docs/plan.md, "A DAG as text"):
///
///     dag pipeline processes 8
///     op forward   compute 20ms after "data 0" previous update
///     op gradients all_reduce 4MB group 4x2 after backward
///     op ahead     permute 1MiB shift -1 after forward
///     order compute forward backward update
///     order submission gradients ahead
///
/// Lines in any order behind the first; "#" begins a comment. Errors name file, line and remedy.
[[nodiscard]] Result<TrainingDag> readDagText(std::string_view text, const std::string &file = {});
/// Whether the first line that is neither empty nor a comment begins with "dag". `text` may be the beginning of a file.
[[nodiscard]] bool looksLikeDagText(std::string_view text);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/training_dag.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

// Training DAGs of published models. Times follow from the work of one process, on an eighth of a node of SYNDICATE's Table 1:
//
//     seconds of arithmetic = FLOPs / (peak of the number format * 1/2)       (backward: twice the forward)
//     seconds of look-ups   = bytes of rows read / (memory bandwidth * 1/2)   (backward: twice, rows are read and written)
//
// One half is an assumption for both and for all models; nothing is fitted to the paper's measurements.

/// A DAG of the catalogue, with its published facts and the assumptions that fill the gaps.
struct CatalogueDag {
    std::string name;                   ///< "syndicate:a2", as given on the command line
    std::string description;            ///< one line
    std::vector<std::string> published; ///< with their sources
    std::vector<std::string> assumed;
};
[[nodiscard]] const std::vector<CatalogueDag> &catalogueDags();
[[nodiscard]] bool isCatalogueDag(std::string_view name);

/// The DAG among `processes`, of which `processesPerNode` share a node. Its batch is fixed per process, that of gpt:6.7b per
/// node. Errors list the known names.
[[nodiscard]] Result<TrainingDag> catalogueDag(std::string_view name, std::int32_t processes, std::int32_t processesPerNode);

} // namespace syncopate

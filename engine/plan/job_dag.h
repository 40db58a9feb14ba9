// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/training_dag.h"

#include <string>

namespace syncopate {

/// The DAG of a job that `processes` equal replicas train data-parallel: a forward and a backward op per layer, the job's own
/// collectives behind the ops that they follow, and an all-reduce per layer of its dense gradients, which the layer's next
/// forward waits for. That forward op begins with the layer's share, by bytes of parameters, of the optimizer's update. Sparse
/// gradients are all-gathered, the rows of all replicas. Layers without variables have no all-reduce. Ops take the job's seconds
/// / `computeScale`: since the processes are equal, that of the slowest node. Errors: fewer than two processes.
[[nodiscard]] Result<TrainingDag> dagOfJob(const Job &job, std::int32_t processes, double computeScale = 1);
/// The assumption that this makes where `computeScale` is not 1.
[[nodiscard]] std::string computeScaleNote(double computeScale);

} // namespace syncopate

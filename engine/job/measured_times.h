// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"

namespace syncopate {

/// Combines the variables, names and order of `job` with the times of `measured`, a profile of the same model from another
/// framework: PipeDream's layers, an imported step. Layers are paired by their parameters: the k-th layer of `job` with that many
/// elements (in all, or in its largest variable, where the profile keeps a kernel apart from its normalisation) gets the times of
/// the k-th such layer of `measured`. Time of `measured` in layers without a partner (activations, pooling, normalisation) goes
/// to the paired layer before it, or to the first one. Batch size and update time are the measured ones.
///
/// Error: fewer than 95 % of the parameters of `job` find a partner. O(layers log layers).
[[nodiscard]] Result<Job> withMeasuredTimes(const Job &job, const Job &measured);

} // namespace syncopate

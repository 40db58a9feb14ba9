// SPDX-License-Identifier: GPL-3.0-or-later
// A worker, an op of a step and a step itself are all small numbers, and a chunk has one of each.
#pragma once

#include "engine/base/id.h"

namespace syncopate {

using WorkerId = Id<struct WorkerKind>;
using OpId = Id<struct OpKind>;                           ///< index into StepGraph::ops
using StepId = Id<struct StepKind>;                       ///< of one worker: its first, second, ... step
using ParameterServerId = Id<struct ParameterServerKind>; ///< index into PredictMachines::serverNode

} // namespace syncopate

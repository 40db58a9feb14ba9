// SPDX-License-Identifier: GPL-3.0-or-later
// A plan hangs together by numbers: an order names motifs, a motif its op and its channel, and all of them begin at 0, so that
// one passes for another and the plan is a different one without an error. Each has a type of its own.
#pragma once

#include "engine/base/id.h"

namespace syncopate {

using DagOpId = Id<struct DagOpKind>;     ///< index into TrainingDag::ops
using MotifId = Id<struct MotifKind>;     ///< index into ExecutionPlan::motifs; Motif::after counts within an op instead
using ChannelId = Id<struct ChannelKind>; ///< index into ExecutionPlan::channels
using ProcessId = Id<struct ProcessKind>; ///< of a TrainingDag's processes

} // namespace syncopate

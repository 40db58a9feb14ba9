// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a plan refer to each other by number: an order to motifs, a motif to its op and its channel. All numbers begin at
// 0, so one could pass for another and silently make a different plan. Each has a type of its own.
#pragma once

#include "engine/base/id.h"

namespace syncopate {

using DagOpId = Id<struct DagOpKind>;     ///< index into TrainingDag::ops
using MotifId = Id<struct MotifKind>;     ///< index into ExecutionPlan::motifs; Motif::after counts within an op instead
using ChannelId = Id<struct ChannelKind>; ///< index into ExecutionPlan::channels
using ProcessId = Id<struct ProcessKind>; ///< of a TrainingDag's processes

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/graph/task_graph.h"
#include "engine/job/job.h"
#include "engine/strategy/policy.h"
#include "engine/strategy/strategy.h"

#include <utility>
#include <vector>

namespace syncopate {

/// Partition kernel: one unit per variable, or per part of a partitioned one (AutoDist section 3.2: the first
/// `dim mod k` parts are one row larger). Units come in gradient-ready order: last layer first, and within a layer the
/// last registered variable first.
[[nodiscard]] Result<std::vector<SyncUnit>> partitionVariables(const Job &job, const Strategy &strategy);

/// Fusion kernel of AutoDist's groups: AllReduce units of one group and reduction become one message. Sparse units stay apart:
/// they are gathered.
[[nodiscard]] std::vector<SyncUnit> fuseGroups(std::vector<SyncUnit> units);

/// Slice kernel (section 4.1 of AutoByte): each unit larger than a piece is cut into ceil(bytes / cut.pieceBytes) slices,
/// priority by unit then slice. With PieceSizes::Rows there are no more than it has rows: of a part of a variable, as many as its
/// share of the variable's bytes. Errors: pieceBytes is not above 0; more than 65536 slices of a unit, or 2 million in all.
[[nodiscard]] Result<std::vector<SyncUnit>> sliceUnits(const Job &job, std::vector<SyncUnit> units, const Cut &cut);

/// Per variable of the job, the layer that owns it: each variable has exactly one.
[[nodiscard]] std::vector<std::int32_t> owningLayers(const Job &job);
/// The layers that have a gradient of any of the unit's variables, ascending. `layersOfVariable`: the same of each variable.
[[nodiscard]] std::vector<std::int32_t> layersOf(const SyncUnit &unit,
                                                 const std::vector<std::vector<std::int32_t>> &layersOfVariable);

/// Whether replicas can have a share each of its parameters, or of their update: it is all-reduced and not sparse.
[[nodiscard]] bool isShardable(const SyncUnit &unit);

/// The two collectives of a reduction; an all-reduce that is cut in two is a reduce-scatter and an all-gather.
[[nodiscard]] std::pair<CollectiveKind, CollectiveKind> halvesOf(Reduction reduction);

/// Appends `unit` to `whole`: a collective over both.
void mergeUnits(SyncUnit &whole, const SyncUnit &unit);
/// Names a merged unit "<what> <group> (12 gradients)"; one that holds a single gradient keeps its name and part.
void nameFused(SyncUnit &unit, const char *what);

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/job/job.h"
#include "engine/strategy/strategy.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncopate {

// How a strategy cuts and compresses a variable's gradient: the rules that the simulator and the closed-form cost share.

/// Bytes of a row's index in a sparse gradient (IndexedSlices): TensorFlow's are int64.
inline constexpr double indexBytes = 8;

/// Bytes of a job's parameters.
struct ElementBytes {
    std::int64_t bytes = 4; ///< of a parameter in most of the job's bytes; 4 without variables
    bool isMixed = false;   ///< whether parameters of other sizes exist
};
[[nodiscard]] ElementBytes usualElementBytes(const Job &job);

/// Whether a gradient is compressed: a dense one that is all-reduced. The rows of a sparse one are gathered as they are
/// (all_reduce_synchronizer.py of AutoDist; horovod.tensorflow.allreduce).
[[nodiscard]] bool isCompressed(const Variable &variable, const Synchronizer &synchronizer);

/// Bytes on the wire per gradient byte: c of AutoSync's Eq. 2 and 3. Horovod's compressors cast float32 to float16 before the
/// all-reduce; a job may state a ratio of its own.
[[nodiscard]] double wireRatio(const Job &job, const Variable &variable, const Synchronizer &synchronizer);

/// Rows of a gradient in an iteration; all where the variable does not state them.
[[nodiscard]] double touchedRows(const Variable &variable);

/// Rows along the axis that a partitioned variable is cut along. Errors: no axis of this variable, or fewer rows than parts.
[[nodiscard]] Result<std::int64_t> rowsToCut(const Variable &variable, const NodeConfig &node);

/// Rows of part `part` of `parts`: as even as possible, the first parts are a row larger.
[[nodiscard]] constexpr std::int64_t rowsOfPart(std::int64_t rows, std::int64_t parts, std::int64_t part) {
    return rows / parts + (part < rows % parts ? 1 : 0);
}

/// Bytes of such a part of a variable that is cut along `axis`.
[[nodiscard]] double partBytes(const Variable &variable, std::int32_t axis, std::int64_t part, std::int64_t parts);

/// Calls `visit(synchronizer, bytes)` for each part that a node config, const or not, cuts its variable into; once for a variable
/// that stays whole.
template <class Node, class Visit> void forEachShard(Node &node, const Variable &variable, Visit visit) {
    const auto parts = static_cast<std::int64_t>(node.parts.size());
    if (parts == 0)
        visit(node.synchronizer, static_cast<double>(variable.sizeBytes()));
    for (std::int64_t p = 0; p < parts; ++p)
        visit(node.parts[static_cast<std::size_t>(p)].synchronizer, partBytes(variable, node.partitionAxis(), p, parts));
}

/// Axes along which a variable can be cut: those with several rows, of a sparse one the first alone.
[[nodiscard]] std::vector<std::size_t> axesToCut(const Variable &variable);

} // namespace syncopate

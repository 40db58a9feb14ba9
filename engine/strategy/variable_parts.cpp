// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace syncopate {

ElementBytes usualElementBytes(const Job &job) {
    std::map<std::int64_t, std::int64_t> bytesBySize;
    for (const Variable &variable : job.variables)
        bytesBySize[sizeOf(variable.dtype)] += variable.sizeBytes();
    ElementBytes usual{.isMixed = bytesBySize.size() > 1};
    std::int64_t most = -1;
    for (const auto &[size, bytes] : bytesBySize)
        if (bytes > most) {
            most = bytes;
            usual.bytes = size;
        }
    return usual;
}

bool isCompressed(const Variable &variable, const Synchronizer &synchronizer) {
    return synchronizer.kind == SynchronizerKind::AllReduce && synchronizer.compressor != Compressor::None && !variable.sparse;
}

double wireRatio(const Job &job, const Variable &variable, const Synchronizer &synchronizer) {
    if (!isCompressed(variable, synchronizer))
        return 1;
    if (job.compressionRatio > 0)
        return job.compressionRatio;
    return variable.dtype == DataType::Float32 ? 0.5 : 1;
}

double touchedRows(const Variable &variable) {
    const double rows = variable.shape.empty() ? 1 : static_cast<double>(variable.shape.front());
    return variable.rowsTouched > 0 ? std::min(variable.rowsTouched, rows) : rows;
}

Result<std::int64_t> rowsToCut(const Variable &variable, const NodeConfig &node) {
    const std::int32_t axis = node.partitionAxis();
    const bool known = axis >= 0 && static_cast<std::size_t>(axis) < variable.shape.size();
    const std::int64_t rows = known ? variable.shape[static_cast<std::size_t>(axis)] : 0;
    if (rows < static_cast<std::int64_t>(node.parts.size()))
        return fail(fmt::format("'{}' cannot be cut into {} parts", variable.name, node.parts.size()),
                    "give it at most one part per row");
    return rows;
}

double partBytes(const Variable &variable, std::int32_t axis, std::int64_t part, std::int64_t parts) {
    const std::int64_t rows = variable.shape[static_cast<std::size_t>(axis)];
    const std::int64_t partRows = rowsOfPart(rows, parts, part);
    return static_cast<double>(variable.sizeBytes()) * static_cast<double>(partRows) / static_cast<double>(rows);
}

std::vector<std::size_t> axesToCut(const Variable &variable) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < variable.shape.size(); ++axis)
        if (variable.shape[axis] > 1 && (axis == 0 || !variable.sparse))
            axes.push_back(axis);
    return axes;
}

} // namespace syncopate

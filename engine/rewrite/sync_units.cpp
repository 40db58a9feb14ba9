// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/sync_units.h"

#include "engine/strategy/layer_orders.h"
#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace syncopate {

namespace {

constexpr double maxSlicesOfOne = 65536; ///< as in BytePS; also keeps the priorities of slices apart
constexpr double maxSlices = 2e6;

/// A variable or a part of it: bytes of all its rows, their number, and, if sparse, how many of them a gradient has.
struct Share {
    double bytes, rows, rowsTouched;
};

SyncUnit makeUnit(const Job &job, std::int32_t index, const Synchronizer &s, const Share &part, std::int32_t layer) {
    const Variable &variable = job.variables[static_cast<std::size_t>(index)];
    SyncUnit unit;
    unit.name = variable.name;
    unit.kind = s.kind;
    unit.variables = {index};
    unit.sizeBytes = part.bytes;
    unit.sparse = variable.sparse;
    if (unit.sparse) {
        unit.touchedShare = part.rowsTouched / part.rows;
        unit.sizeBytes *= unit.touchedShare;
    }
    unit.wireBytes = unit.sizeBytes * wireRatio(job, variable, s) + (unit.sparse ? part.rowsTouched * indexBytes : 0);
    if (isCompressed(variable, s)) {
        unit.encodeSeconds = unit.sizeBytes * job.encodeSecondsPerByte;
        unit.decodeSeconds = unit.sizeBytes * job.decodeSecondsPerByte;
        // With error feedback the sender also decodes its own message, to keep the compression error.
        if (s.compressor == Compressor::HorovodEF)
            unit.encodeSeconds += unit.decodeSeconds;
    }
    if (s.kind == SynchronizerKind::ParameterServer) { // an edited all-reduce may have kept what it had on a server
        unit.destination = s.reductionDestination;
        unit.transferDestination = s.transferDestination;
        // AutoDist makes no proxy of a variable that is sparse or updated asynchronously (ps_synchronizer.py).
        unit.localReplication = s.localReplication && s.sync && !variable.sparse;
        unit.staleness = s.sync ? s.staleness : unboundedStaleness;
    } else {
        unit.group = s.group;
    }
    unit.reduction = s.reduction;
    unit.lastLayer = LayerId(layer);
    return unit;
}

Result<void> checkStaleness(const NodeConfig &node) {
    if (anySynchronizer(node, [](const Synchronizer &s) { return !hasValidStaleness(s); }))
        return fail(fmt::format("'{}' has a staleness that is negative, or is given together with sync=False", node.variableName),
                    "give a staleness of 0 or more with sync=True, or 0 with sync=False");
    return {};
}

/// The parts into which a strategy cuts a variable, of which `touched` of `allRows` rows have a gradient.
Result<std::vector<Share>> cutVariable(const Variable &variable, const NodeConfig &node, double allRows, double touched) {
    const std::int64_t rows = TRY(rowsToCut(variable, node));
    const std::int32_t axis = node.partitionAxis();
    const auto parts = static_cast<std::int64_t>(node.parts.size());
    std::vector<Share> shares;
    shares.reserve(node.parts.size());
    for (std::int64_t p = 0; p < parts; ++p) {
        const auto partRows = static_cast<double>(rowsOfPart(rows, parts, p));
        const double bytes = partBytes(variable, axis, p, parts), share = partRows / static_cast<double>(rows);
        // Cut along the rows, a part has its share of the touched rows; cut across them, every part has all.
        shares.push_back(axis == 0 ? Share{bytes, partRows, touched * share} : Share{bytes, allRows, touched});
    }
    return shares;
}

} // namespace

std::vector<std::int32_t> layersOf(const SyncUnit &unit, const std::vector<std::vector<std::int32_t>> &layersOfVariable) {
    std::vector<std::int32_t> layers;
    for (const std::int32_t v : unit.variables) {
        const auto &ofVariable = layersOfVariable[static_cast<std::size_t>(v)];
        layers.insert(layers.end(), ofVariable.begin(), ofVariable.end());
    }
    std::sort(layers.begin(), layers.end());
    layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
    return layers;
}

std::vector<std::int32_t> owningLayers(const Job &job) {
    std::vector<std::int32_t> layerOf(job.variables.size(), 0);
    for (std::size_t l = 0; l < job.layers.size(); ++l)
        for (const std::int32_t v : job.layers[l].variables)
            layerOf[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(l);
    return layerOf;
}

bool isShardable(const SyncUnit &unit) { return unit.kind == SynchronizerKind::AllReduce && !unit.sparse; }

std::pair<CollectiveKind, CollectiveKind> halvesOf(Reduction reduction) {
    if (reduction == Reduction::ReduceBroadcast)
        return {CollectiveKind::Reduce, CollectiveKind::Broadcast};
    return {CollectiveKind::ReduceScatter, CollectiveKind::AllGather};
}

void mergeUnits(SyncUnit &whole, const SyncUnit &unit) {
    whole.variables.insert(whole.variables.end(), unit.variables.begin(), unit.variables.end());
    whole.sizeBytes += unit.sizeBytes;
    whole.wireBytes += unit.wireBytes;
    whole.encodeSeconds += unit.encodeSeconds;
    whole.decodeSeconds += unit.decodeSeconds;
    whole.lastLayer = std::min(whole.lastLayer, unit.lastLayer);
    whole.priority = std::min(whole.priority, unit.priority);
}

void nameFused(SyncUnit &unit, const char *what) {
    if (unit.variables.size() < 2)
        return;
    unit.part = -1;
    unit.name = fmt::format("{} {} ({} gradients)", what, unit.group, unit.variables.size());
}

Result<std::vector<SyncUnit>> partitionVariables(const Job &job, const Strategy &strategy) {
    if (strategy.nodes.size() != job.variables.size())
        return fail(fmt::format("the strategy has {} variables, the job {}", strategy.nodes.size(), job.variables.size()),
                    "build the strategy for this job");
    const std::vector<std::int32_t> layerOf = owningLayers(job);
    std::vector<std::int32_t> order;
    for (auto layer = job.layers.rbegin(); layer != job.layers.rend(); ++layer)
        order.insert(order.end(), layer->variables.rbegin(), layer->variables.rend());

    std::vector<SyncUnit> units;
    std::size_t count = 0; // builders cut a variable with a prime number of rows into as many parts: there may be a million
    for (const NodeConfig &node : strategy.nodes)
        count += std::max<std::size_t>(1, node.parts.size());
    units.reserve(count);
    for (const std::int32_t v : order) {
        const auto index = static_cast<std::size_t>(v);
        const NodeConfig &node = strategy.nodes[index];
        const Variable &variable = job.variables[index];
        if (node.variableName != variable.name)
            return fail(
                fmt::format("the strategy's variable '{}' stands where the job has '{}'", node.variableName, variable.name),
                "match the strategy with the job first");
        TRY(checkStaleness(node));
        const double allRows = variable.shape.empty() ? 1 : static_cast<double>(variable.shape.front());
        const double touched = touchedRows(variable);
        if (!node.isPartitioned()) {
            units.push_back(makeUnit(job, v, node.synchronizer, {static_cast<double>(variable.sizeBytes()), allRows, touched},
                                     layerOf[index]));
            continue;
        }
        const std::vector<Share> shares = TRY(cutVariable(variable, node, allRows, touched));
        for (std::size_t p = 0; p < shares.size(); ++p) {
            SyncUnit &unit = units.emplace_back(makeUnit(job, v, node.parts[p].synchronizer, shares[p], layerOf[index]));
            unit.part = static_cast<std::int32_t>(p);
            const fmt::format_int number(p);
            unit.name.append(" part ").append(number.data(), number.size());
        }
    }
    // Smaller = needed earlier by the next forward: by layer, then by place within it.
    for (std::size_t i = 0; i < units.size(); ++i)
        units[i].priority = transferPriority(units[i].lastLayer.number(), static_cast<std::int64_t>(units.size() - i));
    return units;
}

std::vector<SyncUnit> fuseGroups(std::vector<SyncUnit> units) {
    std::vector<SyncUnit> fused;
    std::map<std::pair<std::int32_t, Reduction>, std::size_t> placeOfGroup;
    for (SyncUnit &unit : units) {
        if (unit.sparse) { // gathered separately
            fused.push_back(std::move(unit));
            continue;
        }
        const auto known =
            unit.kind == SynchronizerKind::AllReduce ? placeOfGroup.find({unit.group, unit.reduction}) : placeOfGroup.end();
        if (known != placeOfGroup.end()) {
            mergeUnits(fused[known->second], unit);
            continue;
        }
        if (unit.kind == SynchronizerKind::AllReduce)
            placeOfGroup[{unit.group, unit.reduction}] = fused.size();
        fused.push_back(std::move(unit));
    }
    for (SyncUnit &unit : fused)
        if (unit.kind == SynchronizerKind::AllReduce)
            nameFused(unit, "group");
    return fused;
}

namespace {

/// Rows along the first dimension; 1 of a unit of several variables.
double rowsOf(const Job &job, const SyncUnit &unit) {
    const Variable &variable = job.variables[static_cast<std::size_t>(unit.variables.front())];
    if (unit.variables.size() > 1 || variable.shape.empty())
        return 1;
    const auto rows = static_cast<double>(variable.shape.front());
    return std::max(1.0, std::round(rows * unit.sizeBytes / static_cast<double>(variable.sizeBytes())));
}

double sliceCount(const Job &job, const SyncUnit &unit, const Cut &cut) {
    const double count = std::max(1.0, std::ceil(unit.sizeBytes / cut.pieceBytes - 1e-9));
    return cut.sizes == PieceSizes::Rows ? std::min(count, rowsOf(job, unit)) : count;
}

} // namespace

Result<std::vector<SyncUnit>> sliceUnits(const Job &job, std::vector<SyncUnit> units, const Cut &cut) {
    if (!(cut.pieceBytes > 0))
        return fail(fmt::format("slices of {} bytes cannot be made", cut.pieceBytes), "give a size above 0");
    double total = 0;
    for (const SyncUnit &unit : units) {
        const double count = sliceCount(job, unit, cut);
        total += count;
        if (!(total <= maxSlices) || count > maxSlicesOfOne)
            return fail(fmt::format("slices of {:.0f} bytes cut '{}' into {:.0f}, and the job into over {:.0f}", cut.pieceBytes,
                                    unit.name, count, std::min(total, maxSlices)),
                        fmt::format("use larger slices: up to {:.0f} of a variable, {:.0f} in all", maxSlicesOfOne, maxSlices));
    }
    std::vector<SyncUnit> slices;
    slices.reserve(static_cast<std::size_t>(total));
    for (SyncUnit &unit : units) {
        const auto count = static_cast<std::int64_t>(sliceCount(job, unit, cut)); // at most maxSlicesOfOne
        unit.priority *= static_cast<std::int64_t>(maxSlicesOfOne);
        if (count < 2) {
            slices.push_back(std::move(unit));
            continue;
        }
        const auto rows = cut.sizes == PieceSizes::Rows ? static_cast<std::int64_t>(rowsOf(job, unit)) : 0;
        for (std::int64_t s = 0; s < count; ++s) {
            SyncUnit slice = unit;
            auto parts = static_cast<double>(count); // the slice is 1 / parts of the unit
            if (cut.sizes == PieceSizes::Full)
                parts = unit.sizeBytes / std::min(cut.pieceBytes, unit.sizeBytes - static_cast<double>(s) * cut.pieceBytes);
            else if (cut.sizes == PieceSizes::Rows) // the last ones are a row larger
                parts = static_cast<double>(rows) / static_cast<double>(rows / count + (s >= count - rows % count ? 1 : 0));
            slice.sizeBytes = unit.sizeBytes / parts;
            slice.wireBytes = unit.wireBytes / parts;
            slice.encodeSeconds = unit.encodeSeconds / parts;
            slice.decodeSeconds = unit.decodeSeconds / parts;
            slice.priority += s;
            slice.name += fmt::format(" slice {}", s);
            slices.push_back(std::move(slice));
        }
    }
    return slices;
}

} // namespace syncopate

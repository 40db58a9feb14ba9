// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/sync_units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace syncopate {

namespace {

/// Bytes on the wire per gradient byte. Horovod's compressors cast float32 to float16 before the all-reduce.
double wireRatio(const Synchronizer &s, DataType type) {
    if (s.kind == SynchronizerKind::AllReduce && s.compressor != Compressor::None && type == DataType::Float32)
        return 0.5;
    return 1;
}

std::vector<std::int32_t> layerOfVariable(const Job &job) {
    std::vector<std::int32_t> layerOf(job.variables.size(), 0);
    for (std::size_t l = 0; l < job.layers.size(); ++l)
        for (const std::int32_t v : job.layers[l].variables)
            layerOf[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(l);
    return layerOf;
}

SyncUnit makeUnit(const Variable &variable, std::int32_t index, const Synchronizer &s, double bytes, std::int32_t layer) {
    SyncUnit unit;
    unit.name = variable.name;
    unit.kind = s.kind;
    unit.variables = {index};
    unit.sizeBytes = bytes;
    unit.wireBytes = bytes * wireRatio(s, variable.dtype);
    unit.destination = s.reductionDestination;
    unit.localReplication = s.localReplication;
    unit.group = s.kind == SynchronizerKind::AllReduce ? s.group : -1;
    unit.lastLayer = layer;
    return unit;
}

/// Appends `unit` to `whole`: a collective over both.
void mergeInto(SyncUnit &whole, const SyncUnit &unit) {
    whole.variables.insert(whole.variables.end(), unit.variables.begin(), unit.variables.end());
    whole.sizeBytes += unit.sizeBytes;
    whole.wireBytes += unit.wireBytes;
    whole.lastLayer = std::min(whole.lastLayer, unit.lastLayer);
    whole.priority = std::min(whole.priority, unit.priority);
}

void nameFused(SyncUnit &unit, const Job &job, const char *what) {
    const std::size_t count = unit.variables.size();
    unit.name = count == 1 ? job.variables[static_cast<std::size_t>(unit.variables.front())].name
                           : fmt::format("{} {} ({} gradients)", what, unit.group, count);
}

} // namespace

Result<std::vector<SyncUnit>> partitionVariables(const Job &job, const Strategy &strategy) {
    if (strategy.nodes.size() != job.variables.size())
        return fail(fmt::format("the strategy has {} variables, the job {}", strategy.nodes.size(), job.variables.size()),
                    "build the strategy for this job");
    const std::vector<std::int32_t> layerOf = layerOfVariable(job);
    std::vector<std::int32_t> order;
    for (auto layer = job.layers.rbegin(); layer != job.layers.rend(); ++layer)
        order.insert(order.end(), layer->variables.rbegin(), layer->variables.rend());

    std::vector<SyncUnit> units;
    units.reserve(order.size());
    for (const std::int32_t v : order) {
        const auto index = static_cast<std::size_t>(v);
        const NodeConfig &node = strategy.nodes[index];
        const Variable &variable = job.variables[index];
        const auto unsupported = [&](const Synchronizer &s) {
            return s.kind == SynchronizerKind::ParameterServer && (!s.sync || s.staleness > 0);
        };
        if (node.variableName != variable.name)
            return fail(
                fmt::format("the strategy's variable '{}' stands where the job has '{}'", node.variableName, variable.name),
                "match the strategy with the job first");
        if (!node.isPartitioned()) {
            if (unsupported(node.synchronizer))
                return fail(fmt::format("'{}' is synchronised asynchronously or with staleness", variable.name),
                            "only synchronous parameter servers can be simulated: set sync=True, staleness=0");
            units.push_back(makeUnit(variable, v, node.synchronizer, static_cast<double>(variable.sizeBytes()), layerOf[index]));
            continue;
        }
        const auto axis = node.partitionAxis();
        const auto k = static_cast<std::int64_t>(node.parts.size());
        if (axis < 0 || static_cast<std::size_t>(axis) >= variable.shape.size() ||
            variable.shape[static_cast<std::size_t>(axis)] < k)
            return fail(fmt::format("'{}' cannot be cut into {} parts", variable.name, k), "give it at most one part per row");
        const std::int64_t rows = variable.shape[static_cast<std::size_t>(axis)];
        const double rowBytes = static_cast<double>(variable.sizeBytes()) / static_cast<double>(rows);
        for (std::int64_t p = 0; p < k; ++p) {
            const Synchronizer &s = node.parts[static_cast<std::size_t>(p)].synchronizer;
            if (unsupported(s))
                return fail(fmt::format("'{}' is synchronised asynchronously or with staleness", variable.name),
                            "only synchronous parameter servers can be simulated: set sync=True, staleness=0");
            const double bytes = rowBytes * static_cast<double>(rows / k + (p < rows % k ? 1 : 0));
            SyncUnit unit = makeUnit(variable, v, s, bytes, layerOf[index]);
            unit.part = static_cast<std::int32_t>(p);
            unit.name += fmt::format(" part {}", p);
            units.push_back(std::move(unit));
        }
    }
    // Needed earlier by the next forward = smaller: layer first, then place within it.
    for (std::size_t i = 0; i < units.size(); ++i)
        units[i].priority = (static_cast<std::int64_t>(units[i].lastLayer) << 24) + static_cast<std::int64_t>(units.size() - i);
    return units;
}

std::vector<SyncUnit> fuseGroups(const Job &job, std::vector<SyncUnit> units) {
    std::vector<SyncUnit> fused;
    std::map<std::int32_t, std::size_t> placeOfGroup;
    for (SyncUnit &unit : units) {
        const auto known = unit.kind == SynchronizerKind::AllReduce ? placeOfGroup.find(unit.group) : placeOfGroup.end();
        if (known != placeOfGroup.end()) {
            mergeInto(fused[known->second], unit);
            continue;
        }
        if (unit.kind == SynchronizerKind::AllReduce)
            placeOfGroup[unit.group] = fused.size();
        fused.push_back(std::move(unit));
    }
    for (SyncUnit &unit : fused)
        if (unit.kind == SynchronizerKind::AllReduce && unit.variables.size() > 1) {
            unit.part = -1;
            nameFused(unit, job, "group");
        }
    return fused;
}

std::vector<SyncUnit> fuseBuckets(const Job &job, std::vector<SyncUnit> units, const CommPolicy &policy) {
    std::vector<SyncUnit> buckets;
    struct Open {
        std::size_t place;
        bool first;
    };
    std::map<DataType, Open> open; // the bucket being filled, per dtype
    std::map<DataType, bool> firstClosed;
    std::int32_t count = 0;
    for (SyncUnit &unit : units) {
        if (unit.kind != SynchronizerKind::AllReduce) {
            buckets.push_back(std::move(unit));
            continue;
        }
        const Variable &variable = job.variables[static_cast<std::size_t>(unit.variables.front())];
        if (variable.sparse) {
            unit.group = count++;
            buckets.push_back(std::move(unit));
            continue;
        }
        auto at = open.find(variable.dtype);
        if (at == open.end()) {
            unit.group = count++;
            at = open.emplace(variable.dtype, Open{buckets.size(), !firstClosed[variable.dtype]}).first;
            buckets.push_back(std::move(unit));
        } else {
            mergeInto(buckets[at->second.place], unit);
        }
        if (buckets[at->second.place].sizeBytes >= (at->second.first ? policy.firstBucketBytes : policy.bucketCapBytes)) {
            firstClosed[variable.dtype] = true;
            open.erase(at);
        }
    }
    for (SyncUnit &unit : buckets)
        if (unit.kind == SynchronizerKind::AllReduce)
            nameFused(unit, job, "bucket");
    return buckets;
}

std::vector<SyncUnit> sliceUnits(std::vector<SyncUnit> units, double partitionBytes) {
    std::vector<SyncUnit> slices;
    for (SyncUnit &unit : units) {
        const double count = std::max(1.0, std::ceil(unit.sizeBytes / partitionBytes - 1e-9));
        unit.priority *= 65536;
        if (count < 2) {
            slices.push_back(std::move(unit));
            continue;
        }
        for (double s = 0; s < count; ++s) {
            SyncUnit slice = unit;
            slice.sizeBytes = unit.sizeBytes / count;
            slice.wireBytes = unit.wireBytes / count;
            slice.priority += static_cast<std::int64_t>(s);
            slice.name += fmt::format(" slice {}", s);
            slices.push_back(std::move(slice));
        }
    }
    return slices;
}

} // namespace syncopate

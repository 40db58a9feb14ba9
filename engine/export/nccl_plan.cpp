// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/plan_export.h"

#include "engine/base/rounding.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace syncopate {

namespace {

enum class Algorithm : std::uint8_t { Ring, Tree };
const char *nameOf(Algorithm algorithm) { return algorithm == Algorithm::Ring ? "ring" : "tree"; }

/// NCCL's tuner's name for a kind; "" if it has none, because the plugin takes unknown names for all-reduces.
const char *tunerName(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return "allreduce";
    case CollectiveKind::ReduceScatter:
        return "reducescatter";
    case CollectiveKind::AllGather:
        return "allgather";
    case CollectiveKind::Reduce:
        return "reduce";
    case CollectiveKind::Broadcast:
        return "broadcast";
    case CollectiveKind::AllToAll:
    case CollectiveKind::Permute:
        break;
    }
    return "";
}

/// Calls of one kind among a group of processes.
struct Calls {
    CollectiveKind kind;
    std::int32_t ranks, stride;
    bool operator<(const Calls &other) const {
        return std::tie(kind, ranks, stride) < std::tie(other.kind, other.ranks, other.stride);
    }
};

/// How a comm-op maps to a call, or why NCCL's tuner cannot express it.
struct Reading {
    std::string refusal{};
    Algorithm algorithm = Algorithm::Ring;
    CollectiveKind kind = CollectiveKind::AllReduce; ///< kind of the call
    double bytes = 0;                                ///< size of a call
};

Reading read(const ExecutionPlan &plan, const ExecutionPlan::Range &range, const DagOp &op) {
    Reading reading{.kind = *op.collective, .bytes = op.sizeBytes};
    if (op.collective == CollectiveKind::AllToAll)
        return {.refusal = "NCCL does not tune all-to-alls"};
    if (op.collective == CollectiveKind::Permute)
        return {.refusal = "NCCL does not tune sends and receives"};
    if (op.isUneven())
        return {.refusal = "its groups differ in size, and the tuner chooses by the number of ranks"};
    for (std::int32_t m = 0; m < range.count; ++m) {
        const PlannedMotif &planned = plan.motifs[range.at(m).index()];
        const Motif &motif = planned.motif;
        if (planned.channel != ChannelId(0))
            return {.refusal = fmt::format("a part of it runs on the channel \"{}\", and a call cannot choose its network",
                                           plan.channels[planned.channel.index()].name)};
        if (motif.spline.of > 1)
            return {.refusal = "it is splined, and NCCL's rings and trees are among all ranks"};
        if (motif.kind == CollectiveKind::Reduce && op.collective == CollectiveKind::AllReduce)
            reading.algorithm = Algorithm::Tree;
        else if (motif.group.size > 0 && reading.algorithm == Algorithm::Ring)
            return {.refusal = "NCCL's ring and tree have no groups of their own"};
        if (motif.kind == CollectiveKind::ReduceScatter)
            reading.kind = CollectiveKind::ReduceScatter; // the all-gather is another call
        const double bytes = op.sizeBytes / motif.segment.of;
        if (m > 0 && bytes != reading.bytes)
            return {.refusal = "its segments differ in size, and the tuner has one choice for a collective"};
        reading.bytes = bytes;
    }
    if (reading.algorithm == Algorithm::Tree && reading.kind == CollectiveKind::ReduceScatter)
        return {.refusal = "NCCL's tree is one call, not a reduce-scatter and an all-gather"};
    return reading;
}

Unexpected nothingIsLeft(const std::vector<std::string> &refused) {
    return fail("NCCL chooses an algorithm for none of the plan's collectives: " + describeRefused(refused),
                "export it as JSON, which holds all of it");
}

struct Choices {
    std::map<Calls, std::map<std::uint64_t, Algorithm>> bySize;
    std::vector<std::string> refused;
};

Result<Choices> choicesOf(const ExecutionPlan &plan, const TrainingDag &dag) {
    Choices choices;
    const auto ranges = plan.rangesByOp(dag.ops.size());
    for (std::size_t o = 0; o < dag.ops.size(); ++o) {
        const DagOp &op = dag.ops[o];
        if (op.isCompute() || ranges[o].count == 0)
            continue;
        const Reading reading = read(plan, ranges[o], op);
        std::string refusal = reading.refusal;
        const bool halves = op.collective == CollectiveKind::AllReduce && reading.kind == CollectiveKind::ReduceScatter;
        if (refusal.empty())
            for (const CollectiveKind kind :
                 halves ? std::vector{CollectiveKind::ReduceScatter, CollectiveKind::AllGather} : std::vector{reading.kind}) {
                auto &sizes = choices.bySize[{kind, dag.groupSize(op), op.group.stride}];
                const auto bytes = static_cast<std::uint64_t>(roundToInteger(reading.bytes));
                const auto [at, isNew] = sizes.emplace(bytes, reading.algorithm);
                if (!isNew && at->second != reading.algorithm)
                    refusal = fmt::format("another {} of {} bytes is a {}, and NCCL tells them apart by size alone",
                                          tunerName(kind), bytes, nameOf(at->second));
            }
        if (!refusal.empty())
            choices.refused.push_back(fmt::format("{}: {}", op.name, refusal));
    }
    if (choices.bySize.empty())
        return nothingIsLeft(choices.refused);
    return choices;
}

/// The number of nodes that each group of the calls is on; none where that is not one number, or is not known.
std::optional<std::int32_t> nodesOf(const Calls &calls, std::int32_t processes, const MotifCosts &costs) {
    const std::int32_t node = costs.processesPerNode, block = calls.ranks * calls.stride;
    if (costs.largestNode > node) // they differ: multiples of `node`, in an order that the costs do not state
        return node % block == 0 ? std::optional(1) : std::nullopt;
    std::optional<std::int32_t> nodes;
    for (std::int32_t first = 0; first < processes; ++first) {
        if (first % block >= calls.stride)
            continue; // not the first member of its group
        std::int32_t count = 0, last = -1;
        for (std::int32_t member = 0; member < calls.ranks; ++member) {
            const std::int32_t at = (first + member * calls.stride) / node;
            count += at != last;
            last = at;
        }
        if (nodes && *nodes != count)
            return std::nullopt;
        nodes = count;
    }
    return nodes;
}

} // namespace

Result<ExportedPlan> writeNcclTuner(const ExecutionPlan &plan, const TrainingDag &dag, const MotifCosts &costs) {
    Choices choices = TRY(choicesOf(plan, dag));
    constexpr std::string_view header = "# collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks\n";
    ExportedPlan written{.text = std::string(header), .refused = std::move(choices.refused)};
    for (const auto &[calls, sizes] : choices.bySize) {
        const auto nodes = nodesOf(calls, dag.processes, costs);
        if (!nodes) {
            written.refused.push_back(fmt::format(
                "{} of {} ranks: {}, and a row of the tuner is of one number of nodes", tunerName(calls.kind), calls.ranks,
                costs.largestNode > costs.processesPerNode ? "the nodes of its ranks differ in size"
                                                           : "its groups are on different numbers of nodes"));
            continue;
        }
        const std::int32_t onNode = std::clamp(costs.processesPerNode / calls.stride, 1, calls.ranks);
        std::uint64_t begin = 0;
        for (auto at = sizes.begin(); at != sizes.end();) {
            auto end = at;
            while (end != sizes.end() && end->second == at->second)
                ++end;
            std::uint64_t last = UINT64_MAX;
            if (end != sizes.end()) // halfway between two sizes, on a logarithmic scale
                last = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(std::prev(end)->first)) *
                                                  std::sqrt(static_cast<double>(end->first)));
            written.text += fmt::format("{},{},{},{},simple,{},{},{}\n", tunerName(calls.kind), begin, last, nameOf(at->second),
                                        onNode, *nodes, calls.ranks);
            begin = last + 1;
            at = end;
        }
    }
    if (written.text == header)
        return nothingIsLeft(written.refused);
    return written;
}

Result<ExportedPlan> writeNcclEnvironment(const ExecutionPlan &plan, const TrainingDag &dag) {
    Choices choices = TRY(choicesOf(plan, dag));
    ExportedPlan written{.text = {}, .refused = std::move(choices.refused)};
    std::map<CollectiveKind, std::optional<Algorithm>> byKind; // nullopt = both
    for (const auto &[calls, sizes] : choices.bySize)
        for (const auto &[bytes, algorithm] : sizes) {
            const auto [at, isNew] = byKind.emplace(calls.kind, algorithm);
            if (!isNew && at->second != algorithm)
                at->second.reset();
        }
    std::string algorithms = "ring";
    for (const auto &[kind, algorithm] : byKind) {
        if (!algorithm)
            written.refused.push_back(
                fmt::format("{}: ring for some sizes and tree for others, which the variables cannot express", tunerName(kind)));
        else if (*algorithm == Algorithm::Tree)
            algorithms += fmt::format(";{}:tree", tunerName(kind));
    }
    written.text = fmt::format("export NCCL_ALGO=\"{}\"\nexport NCCL_PROTO=Simple\n", algorithms);
    return written;
}

} // namespace syncopate

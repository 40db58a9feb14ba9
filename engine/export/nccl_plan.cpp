// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/plan_export.h"

#include "engine/base/rounding.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
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

/// The calls that the tuner's rows tell apart. NCCL's variables name no nodes: for them `nodes` is 0.
struct Calls {
    CollectiveKind kind;
    std::int32_t ranks, nodes;
    bool operator<(const Calls &other) const {
        return std::tie(kind, ranks, nodes) < std::tie(other.kind, other.ranks, other.nodes);
    }
};

/// What NCCL does for a size.
struct Choice {
    Algorithm algorithm = Algorithm::Ring;
    std::int32_t channels = 1;
    bool operator==(const Choice &) const = default;
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

/// The number of nodes that each group is on; none where that is not one number, or is not known.
std::optional<std::int32_t> nodesOf(std::int32_t ranks, std::int32_t stride, std::int32_t processes, const MotifCosts &costs) {
    const std::int32_t node = costs.processesPerNode, block = ranks * stride;
    if (costs.largestNode > node) // they differ: multiples of `node`, in an order that the costs do not state
        return node % block == 0 ? std::optional(1) : std::nullopt;
    std::optional<std::int32_t> nodes;
    for (std::int32_t first = 0; first < processes; ++first) {
        if (first % block >= stride)
            continue; // not the first member of its group
        std::int32_t count = 0, last = -1;
        for (std::int32_t member = 0; member < ranks; ++member) {
            const std::int32_t at = (first + member * stride) / node;
            count += at != last;
            last = at;
        }
        if (nodes && *nodes != count)
            return std::nullopt;
        nodes = count;
    }
    return nodes;
}

/// The choice for every size of the plan's calls, the algorithms of each kind of them, and the ops that have none.
struct Choices {
    std::map<Calls, std::map<std::uint64_t, Choice>> bySize{}; ///< without costs only the first of each size
    std::map<CollectiveKind, std::set<Algorithm>> byKind{};
    std::vector<std::string> refused{};
};

class ChoiceReader {
public:
    /// `costs`: of choices by the number of nodes; else null.
    ChoiceReader(const ExecutionPlan &plan, const TrainingDag &dag, const MotifCosts *costs)
        : m_plan(plan), m_dag(dag), m_costs(costs) {}

    Result<Choices> choices() {
        const auto ranges = m_plan.rangesByOp(m_dag.ops.size());
        for (std::size_t o = 0; o < m_dag.ops.size(); ++o) {
            const DagOp &op = m_dag.ops[o];
            if (op.isCompute() || ranges[o].count == 0)
                continue;
            if (const std::string refusal = add(op, read(m_plan, ranges[o], op)); !refusal.empty())
                m_choices.refused.push_back(fmt::format("{}: {}", op.name, refusal));
        }
        if (m_choices.bySize.empty())
            return nothingIsLeft(m_choices.refused);
        return std::move(m_choices);
    }

private:
    /// Returns why the op has no choice; empty: it has.
    std::string add(const DagOp &op, const Reading &reading) {
        if (!reading.refusal.empty())
            return reading.refusal;
        const std::int32_t ranks = m_dag.groupSize(op), stride = op.group.stride;
        const auto nodes = nodesOfGroups(ranks, stride);
        if (!nodes)
            return fmt::format("{}, and a row of the tuner is of one number of nodes",
                               m_costs->largestNode > m_costs->processesPerNode ? "the nodes of its ranks differ in size"
                                                                                : "its groups are on different numbers of nodes");
        const Choice choice{reading.algorithm, m_costs ? std::clamp(m_costs->processesPerNode / stride, 1, ranks) : 1};
        const auto bytes = static_cast<std::uint64_t>(roundToInteger(reading.bytes));
        const bool halves = op.collective == CollectiveKind::AllReduce && reading.kind == CollectiveKind::ReduceScatter;
        const auto kinds =
            halves ? std::vector{CollectiveKind::ReduceScatter, CollectiveKind::AllGather} : std::vector{reading.kind};
        for (const CollectiveKind kind : kinds)
            if (const Choice *other = m_costs ? find({kind, ranks, *nodes}, bytes) : nullptr; other && *other != choice)
                return fmt::format("another {} of {} bytes is a {}{}, and NCCL cannot tell the two apart", tunerName(kind), bytes,
                                   nameOf(other->algorithm),
                                   other->algorithm == choice.algorithm ? fmt::format(" of {} channels", other->channels) : "");
        for (const CollectiveKind kind : kinds) {
            m_choices.bySize[{kind, ranks, *nodes}].emplace(bytes, choice);
            m_choices.byKind[kind].insert(choice.algorithm);
        }
        return {};
    }

    [[nodiscard]] const Choice *find(const Calls &calls, std::uint64_t bytes) const {
        const auto sizes = m_choices.bySize.find(calls);
        if (sizes == m_choices.bySize.end())
            return nullptr;
        const auto at = sizes->second.find(bytes);
        return at == sizes->second.end() ? nullptr : &at->second;
    }

    /// nodesOf(), which takes O(processes), once for all ops of the same groups.
    std::optional<std::int32_t> nodesOfGroups(std::int32_t ranks, std::int32_t stride) {
        if (!m_costs)
            return 0;
        const auto [at, isNew] = m_nodes.try_emplace({ranks, stride});
        if (isNew)
            at->second = nodesOf(ranks, stride, m_dag.processes, *m_costs);
        return at->second;
    }

    const ExecutionPlan &m_plan;
    const TrainingDag &m_dag;
    const MotifCosts *m_costs;
    std::map<std::pair<std::int32_t, std::int32_t>, std::optional<std::int32_t>> m_nodes; ///< by ranks and stride
    Choices m_choices;
};

} // namespace

Result<ExportedPlan> writeNcclTuner(const ExecutionPlan &plan, const TrainingDag &dag, const MotifCosts &costs) {
    Choices choices = TRY(ChoiceReader(plan, dag, &costs).choices());
    ExportedPlan written{.text = "# collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks\n",
                         .refused = std::move(choices.refused)};
    for (const auto &[calls, sizes] : choices.bySize) {
        std::uint64_t begin = 0;
        for (auto at = sizes.begin(); at != sizes.end();) {
            auto end = at;
            while (end != sizes.end() && end->second == at->second)
                ++end;
            std::uint64_t last = UINT64_MAX;
            if (end != sizes.end()) // halfway between two sizes, on a logarithmic scale
                last = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(std::prev(end)->first)) *
                                                  std::sqrt(static_cast<double>(end->first)));
            written.text += fmt::format("{},{},{},{},simple,{},{},{}\n", tunerName(calls.kind), begin, last,
                                        nameOf(at->second.algorithm), at->second.channels, calls.nodes, calls.ranks);
            begin = last + 1;
            at = end;
        }
    }
    return written;
}

Result<ExportedPlan> writeNcclEnvironment(const ExecutionPlan &plan, const TrainingDag &dag) {
    Choices choices = TRY(ChoiceReader(plan, dag, nullptr).choices());
    ExportedPlan written{.text = {}, .refused = std::move(choices.refused)};
    std::string algorithms = "ring";
    for (const auto &[kind, used] : choices.byKind) {
        if (used.size() > 1)
            written.refused.push_back(
                fmt::format("{}: ring for some calls and tree for others, which the variables cannot express", tunerName(kind)));
        else if (*used.begin() == Algorithm::Tree)
            algorithms += fmt::format(";{}:tree", tunerName(kind));
    }
    written.text = fmt::format("export NCCL_ALGO=\"{}\"\nexport NCCL_PROTO=Simple\n", algorithms);
    return written;
}

} // namespace syncopate

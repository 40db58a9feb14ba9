// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/execution_plan.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <unordered_set>

namespace syncopate {

namespace {

constexpr const char *remedy = "see docs/plan.md";

/// The inputs of a proof, as text, so that collectives cut alike are proved only once.
std::string proofKey(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes) {
    std::string key = fmt::format("{} {}", static_cast<int>(kind), processes);
    for (const Motif &motif : motifs) {
        fmt::format_to(std::back_inserter(key), ";{} {}/{} {}/{} {}x{}/{}", static_cast<int>(motif.kind), motif.segment.index,
                       motif.segment.of, motif.spline.index, motif.spline.of, motif.group.size, motif.group.stride,
                       motif.group.every);
        for (const std::int32_t before : motif.after)
            fmt::format_to(std::back_inserter(key), ",{}", before);
    }
    return key;
}

Result<void> validateMotifs(const ExecutionPlan &plan, const TrainingDag &dag, const std::string &file) {
    for (std::size_t m = 0; m < plan.motifs.size(); ++m) {
        const PlannedMotif &planned = plan.motifs[m];
        if (!planned.op.exists() || planned.op.index() >= dag.ops.size())
            return fail(fmt::format("motif {} names an op that the DAG does not have", m), remedy, file);
        if (!planned.channel.exists() || planned.channel.index() >= plan.channels.size())
            return fail(fmt::format("motif {} names a channel that the plan does not have", m), remedy, file);
        if (m > 0 && planned.op < plan.motifs[m - 1].op)
            return fail(fmt::format("motif {} stands after motifs of a later op", m), remedy, file);
    }
    const auto ranges = plan.rangesByOp(dag.ops.size());
    ProofBudget budget;
    std::unordered_set<std::string> proved;
    for (std::size_t o = 0; o < dag.ops.size(); ++o) {
        const DagOp &op = dag.ops[o];
        std::vector<Motif> motifs;
        for (std::int32_t m = 0; m < ranges[o].count; ++m)
            motifs.push_back(plan.motifs[ranges[o].at(m).index()].motif);
        if (op.isCompute() && !motifs.empty())
            return fail(fmt::format("\"{}\" computes, and has motifs", op.name), remedy, file);
        if (op.isCompute())
            continue;
        if (op.isUneven() &&
            std::ranges::any_of(motifs, [](const Motif &motif) { return motif.group != ProcessGroup{} || motif.spline.of != 1; }))
            return fail(fmt::format("\"{}\" has groups of different sizes, and a motif is a spline or has groups of its own, "
                                    "which need groups that they divide",
                                    op.name),
                        "cut it into segments or a ring only", file);
        if (!proved.insert(proofKey(*op.collective, motifs, dag.groupSize(op))).second)
            continue;
        const auto checked = checkMotifs(*op.collective, motifs, dag.groupSize(op), budget);
        if (!checked && budget.moves < 0 && proved.size() > 1)
            return fail(
                fmt::format("the motifs of the {} collectives up to \"{}\", all cut differently, are too many to be proved",
                            proved.size(), op.name),
                "cut equal collectives in the same way, or cut into fewer motifs", file);
        if (!checked)
            return fail(fmt::format("\"{}\": {}", op.name, checked.error().what), checked.error().remedy, file);
    }
    return {};
}

Result<void> validateOrders(const ExecutionPlan &plan, const std::string &file) {
    if (plan.orders.size() != plan.channels.size())
        return fail("an order per channel is expected", remedy, file, "order");
    std::vector<std::int32_t> seen(plan.motifs.size(), 0);
    for (std::size_t c = 0; c < plan.orders.size(); ++c)
        for (const OrderEntry &entry : plan.orders[c]) {
            if (!entry.motif.exists() || entry.motif.index() >= plan.motifs.size() ||
                plan.motifs[entry.motif.index()].channel != ChannelId(c))
                return fail(fmt::format("the order of \"{}\" has a motif of another channel", plan.channels[c].name), remedy,
                            file, "order");
            if (std::abs(entry.iterationOffset) > 16)
                return fail("an iteration_offset of -16 to 16 is expected", remedy, file, "order");
            ++seen[entry.motif.index()];
        }
    for (std::size_t m = 0; m < seen.size(); ++m)
        if (seen[m] != 1)
            return fail(fmt::format("motif {}, on \"{}\", is {} in the orders", m,
                                    plan.channels[plan.motifs[m].channel.index()].name,
                                    seen[m] == 0 ? "missing" : "more than once"),
                        "give every motif once, in the order of its channel", file, "order");
    return {};
}

} // namespace

Result<void> validateChannels(const std::vector<Channel> &channels, const std::string &file) {
    if (channels.empty() || channels.size() > 1024)
        return fail("1 to 1024 channels are expected", remedy, file, "channels");
    for (std::size_t c = 0; c < channels.size(); ++c) {
        const Channel &channel = channels[c];
        const std::string place = fmt::format("channels[{}]", c);
        if (channel.links.empty())
            return fail("a channel without links carries nothing", remedy, file, place);
        if (!(channel.bandwidthBytesPerSecond > 0 && channel.bandwidthBytesPerSecond < 1e15) ||
            !(channel.latencySeconds >= 0 && channel.latencySeconds < 60))
            return fail(fmt::format("channel \"{}\" has {} bytes/s and a latency of {} s", channel.name,
                                    channel.bandwidthBytesPerSecond, channel.latencySeconds),
                        "give a bandwidth above 0 and below 1e15 bytes/s, and a latency from 0 to below 60 s", file, place);
        if (!(channel.incast >= 0 && channel.incast <= maxIncast))
            return fail(fmt::format("a channel's incast is 0 to {}", maxIncast), remedy, file, place);
        std::vector<std::string> links = channel.links;
        std::sort(links.begin(), links.end());
        if (std::adjacent_find(links.begin(), links.end()) != links.end())
            return fail("a channel names a link twice", remedy, file, place);
        for (std::size_t other = 0; other < c; ++other)
            if (channels[other].name == channel.name)
                return fail(fmt::format("two channels are called \"{}\"", channel.name), remedy, file, place);
    }
    return {};
}

std::vector<ExecutionPlan::Range> ExecutionPlan::rangesByOp(std::size_t opCount) const {
    std::vector<Range> ranges(opCount);
    for (std::size_t m = 0; m < motifs.size(); ++m) {
        Range &range = ranges[motifs[m].op.index()];
        if (range.count++ == 0)
            range.first = MotifId(m);
    }
    return ranges;
}

Result<void> validatePlan(const ExecutionPlan &plan, const TrainingDag &dag, const std::string &file) {
    TRY(validateChannels(plan.channels, file));
    TRY(validateMotifs(plan, dag, file));
    return validateOrders(plan, file);
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/training_dag.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace syncopate {

namespace {

bool isPermutation(const TrainingDag &dag, std::vector<DagOpId> order, bool compute) {
    std::sort(order.begin(), order.end());
    return order == defaultOrder(dag, compute);
}

/// An op that, by its parents and the compute stream's order, waits for itself within one iteration; none if there is none.
DagOpId opInCycle(const TrainingDag &dag) {
    std::vector<std::vector<DagOpId>> children(dag.ops.size());
    std::vector<std::int32_t> waiting(dag.ops.size(), 0);
    std::vector<DagOpId> ready;
    const auto add = [&](DagOpId parent, DagOpId child) {
        children[parent.index()].push_back(child);
        ++waiting[child.index()];
    };
    for (std::size_t o = 0; o < dag.ops.size(); ++o)
        for (const DagOpId parent : dag.ops[o].parents)
            add(parent, DagOpId(o));
    for (std::size_t i = 1; i < dag.computeOrder.size(); ++i)
        add(dag.computeOrder[i - 1], dag.computeOrder[i]);
    for (std::size_t o = 0; o < dag.ops.size(); ++o)
        if (waiting[o] == 0)
            ready.emplace_back(o);
    for (std::size_t r = 0; r < ready.size(); ++r)
        for (const DagOpId child : children[ready[r].index()])
            if (--waiting[child.index()] == 0)
                ready.push_back(child);
    // An op that is left waits for another one that is: from one to the next, some op comes twice, and is in a cycle. Others only
    // wait for one.
    std::vector<DagOpId> waitsFor(dag.ops.size());
    DagOpId op;
    for (std::size_t o = 0; o < dag.ops.size(); ++o)
        if (waiting[o] > 0) {
            op = op.exists() ? op : DagOpId(o);
            for (const DagOpId child : children[o])
                waitsFor[child.index()] = DagOpId(o);
        }
    std::vector<bool> isSeen(dag.ops.size(), false);
    while (op.exists() && !isSeen[op.index()]) {
        isSeen[op.index()] = true;
        op = waitsFor[op.index()];
    }
    return op;
}

std::int64_t sumOf(const std::vector<std::int32_t> &sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

/// The fault of an op's groups; empty = none.
std::string whatIsWrongAboutGroups(const DagOp &op, std::int32_t processes) {
    if (op.isCompute() && (op.isUneven() || op.group != ProcessGroup{}))
        return fmt::format("\"{}\" computes, and has no group", op.name);
    if (op.isUneven() && op.group != ProcessGroup{})
        return fmt::format("\"{}\" has equal groups and groups of different sizes", op.name);
    if (!op.isUneven() && (!fits(op.group, processes) || op.group.every != 1))
        return fmt::format("the group of \"{}\" does not divide {} processes", op.name, processes);
    if (std::ranges::any_of(op.groupSizes, [](std::int32_t size) { return size < 2; }))
        return fmt::format("a group of \"{}\" has fewer than two processes", op.name);
    if (op.isUneven() && sumOf(op.groupSizes) != processes)
        return fmt::format("the groups of \"{}\" have {} processes in all, and the DAG {}", op.name, sumOf(op.groupSizes),
                           processes);
    if (op.collective != CollectiveKind::Permute)
        return {};
    for (const std::int32_t size : op.isUneven() ? op.groupSizes : std::vector{op.membersAmong(processes)})
        if (op.shift % size == 0)
            return fmt::format("\"{}\" shifts by {} among {} processes: each would send to itself", op.name, op.shift, size);
    return {};
}

/// The fault of an op; empty = none. `edges`: count up to and including this op's.
std::string whatIsWrong(const TrainingDag &dag, const DagOp &op, std::size_t edges) {
    if (!(op.seconds >= 0 && op.seconds <= maxDagSeconds) || !(op.sizeBytes >= 0 && op.sizeBytes <= maxDagBytes))
        return "an op takes 0 to 1e6 seconds, a collective moves 0 to 1e15 bytes";
    if (std::string wrong = whatIsWrongAboutGroups(op, dag.processes); !wrong.empty())
        return wrong;
    if (edges > maxDagEdges)
        return fmt::format("more than {} edges", maxDagEdges);
    const auto isMissing = [&](DagOpId parent) { return !parent.exists() || parent.index() >= dag.ops.size(); };
    for (const auto *parents : {&op.parents, &op.previousParents})
        if (std::any_of(parents->begin(), parents->end(), isMissing))
            return "an edge comes from an op that is not there";
    return {};
}

} // namespace

double TrainingDag::computeSeconds() const {
    double seconds = 0;
    for (const DagOp &op : ops)
        seconds += op.seconds;
    return seconds;
}

tl::expected<void, DagFault> checkDag(const TrainingDag &dag) {
    using About = DagFault::About;
    const auto refuse = [](std::string what, std::string field, About about = About::Dag) {
        return tl::unexpected(DagFault{std::move(what), about, {}, std::move(field)});
    };
    const auto refuseOp = [](std::string what, DagOpId op) {
        return tl::unexpected(DagFault{std::move(what), About::Op, op, fmt::format("ops[{}]", op.number())});
    };
    if (dag.processes < 2 || dag.processes > maxDagProcesses)
        return refuse("2 to 65,536 processes are expected", "hosts");
    if (dag.ops.empty() || dag.ops.size() > maxDagOps)
        return refuse("1 to 100,000 ops are expected", "ops");
    std::unordered_set<std::string_view> names;
    std::size_t edges = 0;
    for (std::size_t o = 0; o < dag.ops.size(); ++o) {
        const DagOp &op = dag.ops[o];
        edges += op.parents.size() + op.previousParents.size();
        const std::string wrong =
            !names.insert(op.name).second ? fmt::format("two ops are called \"{}\"", op.name) : whatIsWrong(dag, op, edges);
        if (!wrong.empty())
            return refuseOp(wrong, DagOpId(o));
    }
    if (!isPermutation(dag, dag.computeOrder, true))
        return refuse("compute_order does not hold every compute-op once", "compute_order", About::ComputeOrder);
    if (dag.computeOrder.empty())
        return refuse("there is no compute-op to measure iterations by", "ops");
    if (!isPermutation(dag, dag.submissionOrder, false))
        return refuse("submission_order does not hold every comm-op once", "submission_order", About::SubmissionOrder);
    if (const DagOpId op = opInCycle(dag); op.exists())
        return refuseOp(fmt::format("\"{}\" waits for itself inside one iteration", dag.ops[op.index()].name), op);
    return {};
}

Result<void> validateDag(const TrainingDag &dag, const std::string &file) {
    auto valid = checkDag(dag);
    if (valid)
        return {};
    return fail(std::move(valid.error().what), "see docs/plan.md", file, std::move(valid.error().field));
}

void simplifyGroups(TrainingDag &dag) {
    for (DagOp &op : dag.ops) {
        if (!op.isUneven() || op.group != ProcessGroup{} || sumOf(op.groupSizes) != dag.processes)
            continue;
        const std::int32_t size = op.groupSizes.front();
        if (size < 2 || std::ranges::any_of(op.groupSizes, [size](std::int32_t other) { return other != size; }))
            continue;
        if (size < dag.processes)
            op.group = {size, 1};
        op.groupSizes.clear();
    }
}

DagOp ofGroupSize(const DagOp &op, std::int32_t size) {
    DagOp alone = op;
    alone.groupSizes.clear();
    alone.group = {size, 1};
    return alone;
}

Result<void> checkGroupsOnNodes(const TrainingDag &dag, std::int32_t processesPerNode) {
    for (const DagOp &op : dag.ops) {
        std::int32_t first = 0;
        for (const std::int32_t size : op.groupSizes) {
            const std::int32_t end = first + size;
            const bool isInside = first / processesPerNode == (end - 1) / processesPerNode;
            const bool fillsNodes = first % processesPerNode == 0 && end % processesPerNode == 0;
            if (!isInside && !fillsNodes)
                return fail(
                    fmt::format("a group of \"{}\", processes {} to {}, lies unevenly on nodes of {} processes: the time of a "
                                "collective there is not known",
                                op.name, first, end - 1, processesPerNode),
                    "let groups of different sizes stay inside nodes or fill them, or choose a cluster with one GPU a node");
            first = end;
        }
    }
    return {};
}

namespace {

/// Ops that a compute-op of some iteration waits for, by itself or through others.
std::vector<bool> opsComputeWaitsFor(const TrainingDag &dag) {
    std::vector<bool> isWaitedFor(dag.ops.size());
    std::vector<DagOpId> reached = dag.computeOrder;
    while (!reached.empty()) {
        const DagOp &op = dag.ops[reached.back().index()];
        reached.pop_back();
        for (const auto *parents : {&op.parents, &op.previousParents})
            for (const DagOpId parent : *parents)
                if (!isWaitedFor[parent.index()]) {
                    isWaitedFor[parent.index()] = true;
                    reached.push_back(parent);
                }
    }
    return isWaitedFor;
}

} // namespace

TrainingDag withSubmission(TrainingDag dag, bool enforced) {
    for (DagOp &op : dag.ops)
        if (!op.isCompute() && op.parents.empty())
            op.previousParents.push_back(enforced ? dag.computeOrder.front() : dag.computeOrder.back());
    const std::vector<bool> isWaitedFor = opsComputeWaitsFor(dag);
    std::vector<bool> isFollowed(dag.ops.size()); // in its iteration, by another such op
    for (std::size_t o = 0; o < dag.ops.size(); ++o)
        if (!isWaitedFor[o])
            for (const DagOpId parent : dag.ops[o].parents)
                isFollowed[parent.index()] = true;
    auto &lastParents = dag.ops[dag.computeOrder.back().index()].previousParents;
    for (const DagOpId op : dag.submissionOrder)
        if (!isWaitedFor[op.index()] && !isFollowed[op.index()])
            lastParents.push_back(op);
    return dag;
}

std::vector<DagOpId> defaultOrder(const TrainingDag &dag, bool compute) {
    std::vector<DagOpId> order;
    for (std::size_t o = 0; o < dag.ops.size(); ++o)
        if (dag.ops[o].isCompute() == compute)
            order.emplace_back(o);
    return order;
}

bool isBackwardName(std::string_view name) { return name.starts_with("bwd") || name.starts_with("backward"); }

} // namespace syncopate

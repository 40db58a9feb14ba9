// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/training_dag.h"

#include "engine/base/input_file.h"
#include "engine/base/json_writer.h"
#include "engine/collective/log_parts.h"
#include "engine/plan/dag_text.h"
#include "engine/plan/plan_json.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace syncopate {

namespace {

constexpr double maxSeconds = 1e6, maxBytes = 1e15;
constexpr std::uint64_t maxDagFileBytes = 64U << 20; ///< profiles may be larger, and are not read to tell them apart

using planjson::element;
using planjson::Place;

using OpNumbers = std::unordered_map<std::string, DagOpId>; ///< by name

/// The named ops; an unknown name is an error at its place in the file.
Result<std::vector<DagOpId>> opsNamed(element object, std::string_view key, const Place &place, const OpNumbers &byName) {
    std::vector<DagOpId> found;
    if (!planjson::has(object, key))
        return found;
    const auto names = TRY(planjson::texts(object, key, place));
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto op = byName.find(names[i]);
        if (op == byName.end())
            return (place / key)[i].refuse(fmt::format("there is no op \"{}\"", names[i]));
        found.push_back(op->second);
    }
    return found;
}

Result<DagOp> readOp(element item, const Place &place) {
    DagOp op;
    TRY(planjson::onlyKeys(
        item,
        {"name", "kind", "seconds", "backward", "bytes_per_process", "parents", "parents_previous_iteration", "group", "shift"},
        place));
    op.name = TRY(planjson::text(item, "name", place));
    const std::string kind = TRY(planjson::text(item, "kind", place));
    if (kind == "compute") {
        op.seconds = TRY(planjson::number(item, "seconds", 0, maxSeconds, place));
        op.backward = isBackwardName(op.name);
        if (planjson::has(item, "backward"))
            op.backward = TRY(planjson::flag(item, "backward", place));
        return op;
    }
    op.collective = collectiveNamed(kind);
    if (!op.collective)
        return (place / "kind").refuse(fmt::format("the kind \"{}\" is neither compute nor a collective", kind));
    op.sizeBytes = TRY(planjson::number(item, "bytes_per_process", 0, maxBytes, place));
    op.groupSizes = TRY(planjson::groupSizes(item, place));
    if (!op.isUneven())
        op.group = TRY(planjson::group(item, place));
    if (planjson::has(item, "shift") && op.collective != CollectiveKind::Permute)
        return (place / "shift").refuse("only a permute has a shift");
    if (planjson::has(item, "shift"))
        op.shift = TRY(planjson::integer(item, "shift", -65535, 65535, place));
    return op;
}

/// Reads "ops" with their edges, which may refer to ops further down.
Result<std::vector<DagOp>> readOps(element root, const Place &top, OpNumbers &byName) {
    std::vector<DagOp> ops;
    TRY(planjson::forEach(root, "ops", top, [&](element item, const Place &place) -> Result<void> {
        ops.push_back(TRY(readOp(item, place)));
        byName.emplace(ops.back().name, DagOpId(ops.size() - 1));
        return {};
    }));
    TRY(planjson::forEach(root, "ops", top, [&, o = std::size_t{0}](element item, const Place &place) mutable -> Result<void> {
        ops[o].parents = TRY(opsNamed(item, "parents", place, byName));
        ops[o++].previousParents = TRY(opsNamed(item, "parents_previous_iteration", place, byName));
        return {};
    }));
    return ops;
}

bool isPermutation(const TrainingDag &dag, std::vector<DagOpId> order, bool compute) {
    std::sort(order.begin(), order.end());
    return order == defaultOrder(dag, compute);
}

/// An op that, by its parents and the compute stream's order, waits for itself within one iteration; may be none.
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
    const auto left = std::find_if(waiting.begin(), waiting.end(), [](std::int32_t count) { return count > 0; });
    return left == waiting.end() ? DagOpId() : DagOpId(static_cast<std::size_t>(left - waiting.begin()));
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
    if (!(op.seconds >= 0 && op.seconds <= maxSeconds) || !(op.sizeBytes >= 0 && op.sizeBytes <= maxBytes))
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

/// The beginning of a file, long enough for the comments that a DAG as text may begin with.
std::string headOf(const std::string &path) {
    std::string head(std::size_t{64} << 10, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return head;
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
    if (dag.processes < 2 || dag.processes > 65536)
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

Result<TrainingDag> readTrainingDagText(std::string_view json, const std::string &file) {
    simdjson::dom::parser parser;
    const element root = TRY(planjson::parse(parser, json, file));
    const Place top{file, {}};
    TRY(planjson::onlyKeys(root, {"name", "hosts", "ops", "compute_order", "submission_order"}, top));
    TrainingDag dag;
    dag.name = TRY(planjson::text(root, "name", top));
    dag.processes = TRY(planjson::integer(root, "hosts", 2, 65536, top));
    OpNumbers byName;
    dag.ops = TRY(readOps(root, top, byName));
    dag.computeOrder = TRY(opsNamed(root, "compute_order", top, byName));
    dag.submissionOrder = TRY(opsNamed(root, "submission_order", top, byName));
    if (!planjson::has(root, "compute_order"))
        dag.computeOrder = defaultOrder(dag, true);
    if (!planjson::has(root, "submission_order"))
        dag.submissionOrder = defaultOrder(dag, false);
    simplifyGroups(dag);
    TRY(validateDag(dag, file));
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

Result<TrainingDag> readTrainingDagFile(const std::string &path) {
    const std::string text = TRY(readInputFile(path, maxDagFileBytes));
    return looksLikeDagText(text) ? readDagText(text, path) : readTrainingDagText(text, path);
}

bool isTrainingDagFile(const std::string &path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) // opening a pipe would wait for its writer
        return false;
    if (looksLikeDagText(headOf(path)))
        return true;
    if (!path.ends_with(".json"))
        return false;
    const auto text = readInputFile(path, maxDagFileBytes);
    simdjson::dom::parser parser;
    const auto root = text ? planjson::parse(parser, *text, path) : Unexpected(text.error());
    return root && planjson::has(*root, "ops");
}

std::string writeTrainingDag(const TrainingDag &dag) {
    JsonWriter json;
    const auto names = [&](std::string_view key, const std::vector<DagOpId> &ops) {
        json.key(key).beginArray();
        for (const DagOpId op : ops)
            json.value(dag.ops[op.index()].name);
        json.endArray();
    };
    json.beginObject().member("name", dag.name).member("hosts", dag.processes).key("ops").beginArray();
    for (const DagOp &op : dag.ops) {
        json.newLine().beginObject().member("name", op.name);
        if (op.collective)
            json.member("kind", nameOf(*op.collective)).member("bytes_per_process", op.sizeBytes);
        else
            json.member("kind", "compute").member("seconds", op.seconds);
        if (op.isCompute() && op.backward != isBackwardName(op.name)) // the default of a file without the key
            json.member("backward", op.backward);
        if (op.group.size > 0) {
            json.key("group").beginObject().member("size", op.group.size).member("stride", op.group.stride);
            json.endObject();
        } else if (op.isUneven()) {
            json.key("group").beginObject().key("sizes").beginArray();
            for (const std::int32_t size : op.groupSizes)
                json.value(size);
            json.endArray().endObject();
        }
        if (op.collective == CollectiveKind::Permute)
            json.member("shift", op.shift);
        names("parents", op.parents);
        names("parents_previous_iteration", op.previousParents);
        json.endObject();
    }
    json.newLine().endArray();
    names("compute_order", dag.computeOrder);
    names("submission_order", dag.submissionOrder);
    return json.endObject().newLine().take();
}

} // namespace syncopate

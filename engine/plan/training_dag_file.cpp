// SPDX-License-Identifier: GPL-3.0-or-later
// DAG files of JSON, and which files are DAGs.
#include "engine/base/input_file.h"
#include "engine/base/json_writer.h"
#include "engine/plan/dag_text.h"
#include "engine/plan/plan_json.h"
#include "engine/plan/training_dag.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <initializer_list>
#include <unordered_map>

namespace syncopate {

namespace {

constexpr std::uint64_t maxDagFileBytes = 64U << 20; ///< profiles may be larger, and are not read to tell them apart
constexpr std::int32_t maxShift = maxDagProcesses - 1;

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

/// Refuses the fields that ops of the other kind have, which would be ignored.
Result<void> refuseFields(element item, std::initializer_list<const char *> fields, const char *what, const Place &place) {
    for (const char *field : fields)
        if (planjson::has(item, field))
            return (place / field).refuse(what);
    return {};
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
        TRY(refuseFields(item, {"bytes_per_process", "group", "shift"}, "only a collective has this", place));
        op.seconds = TRY(planjson::number(item, "seconds", 0, maxDagSeconds, place));
        op.backward = isBackwardName(op.name);
        if (planjson::has(item, "backward"))
            op.backward = TRY(planjson::flag(item, "backward", place));
        return op;
    }
    op.collective = collectiveFromName(kind);
    if (!op.collective)
        return (place / "kind").refuse(fmt::format("the kind \"{}\" is neither compute nor a collective", kind));
    TRY(refuseFields(item, {"seconds", "backward"}, "only a compute-op has this", place));
    op.sizeBytes = TRY(planjson::number(item, "bytes_per_process", 0, maxDagBytes, place));
    op.groupSizes = TRY(planjson::groupSizes(item, place));
    if (!op.isUneven())
        op.group = TRY(planjson::group(item, place));
    if (planjson::has(item, "shift") && op.collective != CollectiveKind::Permute)
        return (place / "shift").refuse("only a permute has a shift");
    if (planjson::has(item, "shift"))
        op.shift = TRY(planjson::integer(item, "shift", -maxShift, maxShift, place));
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

} // namespace

Result<TrainingDag> readTrainingDagText(std::string_view json, const std::string &file) {
    simdjson::dom::parser parser;
    const element root = TRY(planjson::parse(parser, json, file));
    const Place top{file, {}};
    TRY(planjson::onlyKeys(root, {"name", "hosts", "ops", "compute_order", "submission_order"}, top));
    TrainingDag dag;
    dag.name = TRY(planjson::text(root, "name", top));
    dag.processes = TRY(planjson::integer(root, "hosts", 2, maxDagProcesses, top));
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

Result<TrainingDag> readTrainingDagFile(const std::string &path) {
    const std::string text = TRY(readInputFile(path, maxDagFileBytes));
    return looksLikeDagText(text) ? readDagText(text, path) : readTrainingDagText(text, path);
}

std::string headOfDagFile(const std::string &path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) // opening a pipe would wait for its writer
        return {};
    std::string head(std::size_t{64} << 10, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return head;
}

bool isTrainingDagFile(const std::string &path) {
    const std::string head = headOfDagFile(path);
    if (head.empty())
        return false;
    if (looksLikeDagText(head))
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

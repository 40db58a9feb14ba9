// SPDX-License-Identifier: GPL-3.0-or-later
// Writes predicted times for compilers that schedule collectives by measured times: PyTorch's Inductor reads a profile
// (torch/_inductor/fx_passes/profile_guided_estimation.py), XLA a list of costs
// (xla/service/profile_guided_latency_estimator.cc). Neither accepts a plan, only times of collectives under its own names.
#include "engine/export/plan_export.h"

#include "engine/base/json_writer.h"
#include "engine/base/rounding.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

/// The ranks in process 0's group.
std::vector<std::int64_t> ranksOf(const ProcessGroup &group, std::int32_t processes) {
    std::vector<std::int64_t> ranks;
    for (std::int32_t member = 0; member < group.sizeAmong(processes); ++member)
        ranks.push_back(static_cast<std::int64_t>(member) * group.stride);
    return ranks;
}

/// As in Kineto's traces: of many ranks only the first ones and the last are listed; Inductor looks them up in the header.
std::string textOf(const std::vector<std::int64_t> &ranks) {
    constexpr std::ptrdiff_t shown = 30;
    if (std::ssize(ranks) <= shown)
        return fmt::format("[{}]", fmt::join(ranks, ", "));
    return fmt::format("[{}, ..., {}]", fmt::join(ranks.begin(), ranks.begin() + shown - 1, ", "), ranks.back());
}

/// Inductor's name for a collective; empty = it does not estimate such collectives.
std::string_view inductorName(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return "allreduce";
    case CollectiveKind::ReduceScatter:
        return "reduce_scatter";
    case CollectiveKind::AllGather:
        return "all_gather";
    case CollectiveKind::AllToAll:
        return "all_to_all";
    case CollectiveKind::Reduce:
    case CollectiveKind::Broadcast:
    case CollectiveKind::Permute:
        break;
    }
    return {};
}

class InductorTrace {
public:
    InductorTrace(const ExecutionPlan &plan, const TrainingDag &dag, const PlannedRun &run)
        : m_plan(plan), m_dag(dag), m_spans(plan.motifs.size(), nullptr) {
        for (const PlannedSpan &span : run.spans) {
            m_firstStart = std::min(m_firstStart, span.startSeconds);
            if (span.motif.exists())
                m_spans[span.motif.index()] = &span;
        }
    }

    Result<ExportedPlan> write() {
        m_made.refused.emplace_back(
            "compute-ops: Inductor looks them up by their op, shapes and strides, which a DAG does not have");
        m_json.beginObject().newLine().key("traceEvents").beginArray();
        const auto ranges = m_plan.rangesByOp(m_dag.ops.size());
        for (const DagOpId op : m_dag.submissionOrder)
            if (const std::string refusal = refusalOf(op, ranges[op.index()]); refusal.empty())
                for (std::int32_t m = 0; m < ranges[op.index()].count; ++m)
                    writeMotif(op, ranges[op.index()].at(m));
            else
                m_made.refused.push_back(fmt::format("{}: {}", m_dag.ops[op.index()].name, refusal));
        m_json.newLine().endArray();
        if (m_written == 0)
            return fail("Inductor estimates none of the plan's collectives: " + m_made.refused.back(),
                        "export it as JSON, which holds all of it");
        writeGroups();
        m_made.text = m_json.endObject().newLine().take();
        return std::move(m_made);
    }

private:
    [[nodiscard]] std::string refusalOf(DagOpId op, const ExecutionPlan::Range &range) const {
        if (m_dag.ops[op.index()].isUneven())
            return "its groups differ in size, and Inductor knows a collective by the ranks of one";
        for (std::int32_t m = 0; m < range.count; ++m) {
            const PlannedMotif &planned = m_plan.motifs[range.at(m).index()];
            if (inductorName(planned.motif.kind).empty())
                return fmt::format("Inductor does not estimate a {}", nameOf(planned.motif.kind));
            if (planned.motif.spline.of > 1)
                return "it is splined, and Inductor's collectives are among all ranks of a group";
            if (planned.channel != ChannelId(0))
                return fmt::format(
                    "a part of it runs on the channel \"{}\", and Inductor knows a collective by its ranks and size "
                    "alone",
                    m_plan.channels[planned.channel.index()].name);
            if (elementsOf(op, planned.motif) < 1)
                return "it moves less than one element";
        }
        return {};
    }

    /// Elements of 4 bytes in the whole buffer.
    [[nodiscard]] double elementsOf(DagOpId op, const Motif &motif) const {
        const double bytes = m_dag.ops[op.index()].sizeBytes / motif.segment.of;
        return std::floor(bytes / (motif.kind == CollectiveKind::AllToAll ? 1 : motif.group.shards()) / 4);
    }

    void writeMotif(DagOpId number, MotifId motifNumber) {
        const DagOp &op = m_dag.ops[number.index()];
        const Motif &motif = m_plan.motifs[motifNumber.index()].motif;
        const PlannedSpan *const span = m_spans[motifNumber.index()];
        if (!span)
            return;
        ProcessGroup group = motif.group;
        group.size = group.sizeAmong(m_dag.groupSize(op));
        group.stride *= op.group.stride;
        const auto [known, isNew] = m_groups.try_emplace({group.size, group.stride});
        if (isNew)
            known->second = {std::to_string(m_groups.size() - 1), textOf(ranksOf(group, m_dag.processes))};
        const auto &[name, ranks] = known->second;
        const bool scatters = motif.kind == CollectiveKind::ReduceScatter, gathers = motif.kind == CollectiveKind::AllGather;
        auto whole = static_cast<std::int64_t>(elementsOf(number, motif));
        const std::int64_t part = (whole + group.size - 1) / group.size;
        if (scatters || gathers) // whose buffer is padded to equal parts
            whole = part * group.size;
        m_json.newLine().beginObject().member("ph", "X").member("cat", "kernel").member("pid", 0).member("tid", "stream 1");
        m_json.member("name", fmt::format("ncclDevKernel_{} ({})", inductorName(motif.kind), op.name));
        m_json.member("ts", 1e6 * (span->startSeconds - m_firstStart));
        m_json.member("dur", std::max(1e-3, 1e6 * (span->endSeconds - span->startSeconds))).key("args").beginObject();
        ++m_written;
        m_json.member("External id", m_written).member("Seq", m_written).member("device", 0).member("stream", 1);
        m_json.member("Collective name", inductorName(motif.kind)).member("dtype", "Float");
        m_json.member("In msg nelems", gathers ? part : whole).member("Out msg nelems", scatters ? part : whole);
        m_json.member("Group size", group.size).member("Process Group Name", name);
        m_json.member("Process Group Description", name).member("Process Group Ranks", ranks);
        m_json.endObject().endObject();
    }

    void writeGroups() {
        m_json.key("distributedInfo").beginObject().member("backend", "nccl").member("rank", 0);
        m_json.member("world_size", m_dag.processes).key("pg_config").beginArray();
        for (const auto &[shape, texts] : m_groups) {
            m_json.beginObject().member("pg_name", texts.name).member("pg_desc", texts.name).key("ranks").beginArray();
            for (const std::int64_t rank : ranksOf({shape.first, shape.second}, m_dag.processes))
                m_json.value(rank);
            m_json.endArray().endObject();
        }
        m_json.endArray().endObject().newLine();
    }

    const ExecutionPlan &m_plan;
    const TrainingDag &m_dag;
    std::vector<const PlannedSpan *> m_spans; ///< per motif
    double m_firstStart = 0; ///< of all events, which may precede the iteration: a trace begins with its first event
    JsonWriter m_json;
    ExportedPlan m_made;
    struct GroupTexts {
        std::string name, ranks;
    };
    std::map<std::pair<std::int32_t, std::int32_t>, GroupTexts> m_groups; ///< by size and stride
    std::int64_t m_written = 0;
};

/// The HLO opcode for this kind of collective; empty = XLA has none.
std::string_view hloName(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return "all-reduce";
    case CollectiveKind::ReduceScatter:
        return "reduce-scatter";
    case CollectiveKind::AllGather:
        return "all-gather";
    case CollectiveKind::AllToAll:
        return "all-to-all";
    case CollectiveKind::Broadcast:
        return "collective-broadcast";
    case CollectiveKind::Permute:
        return "collective-permute";
    case CollectiveKind::Reduce:
        break;
    }
    return {};
}

/// Whether HLO's parser accepts it as a name: letters, digits, '_', '-' and '.', not beginning with a digit.
bool isInstructionName(std::string_view name) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && isLetter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
        return isLetter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
    });
}

std::string xlaRefusal(const DagOp &op, const ExecutionPlan::Range &range) {
    if (!isInstructionName(op.name))
        return "this is not the name of an HLO instruction, by which XLA looks costs up";
    if (op.isCompute())
        return {};
    const std::string_view opcode = hloName(*op.collective);
    if (opcode.empty())
        return fmt::format("XLA has no {}", nameOf(*op.collective));
    if (!op.name.starts_with(opcode))
        return fmt::format("an HLO instruction of this kind is called \"{}.1\" or \"{}-start.1\"", opcode, opcode);
    if (range.count > 1)
        return fmt::format("it is cut into {} motifs, and XLA runs an instruction as a whole", range.count);
    return {};
}

} // namespace

Result<ExportedPlan> writeInductorEstimates(const ExecutionPlan &plan, const TrainingDag &dag, const PlannedRun &run) {
    return InductorTrace(plan, dag, run).write();
}

Result<ExportedPlan> writeXlaCosts(const ExecutionPlan &plan, const TrainingDag &dag, const PlannedRun &run) {
    ExportedPlan exported;
    const auto ranges = plan.rangesByOp(dag.ops.size());
    const std::vector<OpSpan> spans = opSpans(dag, run);
    for (std::size_t o = 0; o < dag.ops.size(); ++o) {
        if (const std::string refusal = xlaRefusal(dag.ops[o], ranges[o]); !refusal.empty())
            exported.refused.push_back(fmt::format("{}: {}", dag.ops[o].name, refusal));
        else if (spans[o].endSeconds >= spans[o].startSeconds)
            exported.text += fmt::format("costs {{ name: \"{}\" cost_us: {:.3f} }}\n", dag.ops[o].name,
                                         1e6 * (spans[o].endSeconds - spans[o].startSeconds));
    }
    if (exported.text.empty())
        return fail("no op of the plan can be an instruction of XLA: " + describeRefused(exported.refused),
                    "name the DAG's ops as the compiled module's instructions are, or export the plan as JSON");
    return exported;
}

} // namespace syncopate

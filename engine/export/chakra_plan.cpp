// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/plan_export.h"

#include "engine/base/rounding.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace syncopate {

namespace {

/// Writes fields of a protobuf message (protobuf.dev/programming-guides/encoding). Fields that are 0 are omitted, as in proto3.
class ProtoWriter {
public:
    void number(std::uint32_t field, std::uint64_t value) {
        if (value != 0)
            always(field, value);
    }
    void always(std::uint32_t field, std::uint64_t value) {
        varint(field << 3U);
        varint(value);
    }
    void bytes(std::uint32_t field, std::string_view text) {
        varint(field << 3U | 2U);
        varint(text.size());
        m_text += text;
    }
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U)
            m_text += static_cast<char>(value | 0x80U);
        m_text += static_cast<char>(value);
    }
    [[nodiscard]] const std::string &text() const { return m_text; }

private:
    std::string m_text;
};

std::uint64_t chakraType(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return 0;
    case CollectiveKind::Reduce:
        return 1;
    case CollectiveKind::AllGather:
        return 2;
    case CollectiveKind::Broadcast:
        return 5;
    case CollectiveKind::AllToAll:
        return 6;
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::Permute: // sends and receives have no such type
        break;
    }
    return 7;
}

constexpr std::uint64_t computeNode = 4, sendNode = 5, receiveNode = 6, collectiveNode = 7; // NodeType in et_def.proto

class ChakraWriter {
public:
    ChakraWriter(const ExecutionPlan &plan, const TrainingDag &dag, const MotifCosts &costs, ProcessId process)
        : m_plan(plan), m_dag(dag), m_costs(costs), m_process(process.number()), m_ranges(plan.rangesByOp(dag.ops.size())),
          m_first(dag.ops.size()) {}

    std::string write() {
        ProtoWriter metadata;
        metadata.bytes(1, "0.0.4");
        delimited(metadata);
        std::uint64_t next = 1;
        for (std::size_t o = 0; o < m_dag.ops.size(); ++o) {
            m_first[o] = next;
            next += nodeCount(DagOpId(o));
        }
        chainOrders(next);
        for (DagOpId o(0); o.index() < m_dag.ops.size(); o = o.next())
            if (m_dag.ops[o.index()].isCompute())
                writeCompute(o);
            else
                for (std::int32_t m = 0; m < m_ranges[o.index()].count; ++m)
                    if (takesPart(m_ranges[o.index()].at(m)))
                        writeMotif(o, m);
        return std::move(m_text);
    }

private:
    /// Number of an op's nodes; a motif of a permute has two, a send and the receive after it.
    [[nodiscard]] std::uint64_t nodeCount(DagOpId op) const {
        return m_dag.ops[op.index()].isCompute() ? 1 : static_cast<std::uint64_t>(m_ranges[op.index()].count) * nodesPerMotif(op);
    }
    [[nodiscard]] std::uint64_t nodesPerMotif(DagOpId op) const {
        return m_dag.ops[op.index()].collective == CollectiveKind::Permute ? 2 : 1;
    }

    /// The number of the process among the members of an op's group.
    [[nodiscard]] std::int32_t memberOf(const DagOp &op) const {
        return m_process / op.group.stride % op.group.sizeAmong(m_dag.processes);
    }
    /// Whether the process takes part in a motif; in one among the roots of smaller groups, only the roots do.
    [[nodiscard]] bool takesPart(MotifId motif) const {
        const PlannedMotif &planned = m_plan.motifs[motif.index()];
        return memberOf(m_dag.ops[planned.op.index()]) % planned.motif.group.every == 0;
    }

    /// Finds the node before each one on its stream or channel. In an iteration, a channel first runs the motifs that belong to
    /// the earliest iterations: entries with the largest offsets.
    void chainOrders(std::uint64_t count) {
        m_before.assign(count, {});
        Before last;
        const auto follow = [&](std::uint64_t node, std::uint64_t nodes) {
            for (std::uint64_t each = 0; each < nodes; ++each)
                m_before[node + each] = last;
            last = {node, nodes};
        };
        for (const DagOpId op : m_dag.computeOrder)
            follow(m_first[op.index()], 1);
        for (std::vector<OrderEntry> order : m_plan.orders) {
            std::stable_sort(order.begin(), order.end(),
                             [](const OrderEntry &a, const OrderEntry &b) { return a.iterationOffset > b.iterationOffset; });
            last = {};
            for (const OrderEntry &entry : order)
                if (takesPart(entry.motif))
                    follow(nodeOf(entry.motif), nodesPerMotif(m_plan.motifs[entry.motif.index()].op));
        }
    }
    [[nodiscard]] std::uint64_t nodeOf(MotifId motif) const {
        const DagOpId op = m_plan.motifs[motif.index()].op;
        return m_first[op.index()] + static_cast<std::uint64_t>(m_ranges[op.index()].numberOf(motif)) * nodesPerMotif(op);
    }

    /// The dependencies of a node. A motif in which the process takes no part stands for its own dependencies, and such motifs
    /// can follow each other through the whole DAG, on many paths: each motif and op is visited once.
    struct NodeParents {
        ProtoWriter &node;
        std::set<std::uint64_t> nodes{}; ///< that are written
        std::set<MotifId> met{};         ///< without a part of the process
        std::vector<MotifId> open{};     ///< of these, whose own dependencies are still to be added
        std::set<DagOpId> passed{};      ///< ops whose parents are added
    };
    /// Writes the dependencies of a motif of `op` behind `after`: these motifs, else the op's parents, for a comm-op all its
    /// motifs.
    void dependOnBefore(ProtoWriter &node, DagOpId op, const std::vector<std::int32_t> &after) const {
        NodeParents all{node};
        addBefore(all, op, after);
        while (!all.open.empty()) {
            const PlannedMotif &absent = m_plan.motifs[all.open.back().index()];
            all.open.pop_back();
            addBefore(all, absent.op, absent.motif.after);
        }
    }
    void addBefore(NodeParents &all, DagOpId op, const std::vector<std::int32_t> &after) const {
        for (const std::int32_t before : after)
            addMotif(all, op, before);
        if (!after.empty() || !all.passed.insert(op).second)
            return;
        for (const DagOpId parent : m_dag.ops[op.index()].parents)
            if (m_dag.ops[parent.index()].isCompute())
                addNodes(all, m_first[parent.index()], 1);
            else
                for (std::int32_t m = 0; m < m_ranges[parent.index()].count; ++m)
                    addMotif(all, parent, m);
    }
    void addMotif(NodeParents &all, DagOpId op, std::int32_t number) const {
        const MotifId motif = m_ranges[op.index()].at(number);
        if (takesPart(motif))
            addNodes(all, nodeOf(motif), nodesPerMotif(op));
        else if (all.met.insert(motif).second)
            all.open.push_back(motif);
    }
    static void addNodes(NodeParents &all, std::uint64_t first, std::uint64_t nodes) {
        for (std::uint64_t each = first; each < first + nodes; ++each)
            if (all.nodes.insert(each).second)
                all.node.always(5, each);
    }

    [[nodiscard]] ProtoWriter nodeNamed(std::uint64_t id, std::string_view name, std::uint64_t type) const {
        ProtoWriter node;
        node.number(1, id);
        node.bytes(2, name);
        node.number(3, type);
        for (std::uint64_t each = 0; each < m_before[id].nodes; ++each)
            node.always(4, m_before[id].first + each);
        return node;
    }
    static void finishTimes(ProtoWriter &node, double seconds) {
        node.number(7, static_cast<std::uint64_t>(roundToInteger(seconds * 1e6)));
        attribute(node, "is_cpu_op", 27, 0);
    }
    static void attribute(ProtoWriter &node, std::string_view name, std::uint32_t member, std::uint64_t value) {
        ProtoWriter inner;
        inner.bytes(1, name);
        inner.always(member, value);
        node.bytes(10, inner.text());
    }

    void writeCompute(DagOpId number) {
        const DagOp &op = m_dag.ops[number.index()];
        ProtoWriter node = nodeNamed(m_first[number.index()], op.name, computeNode);
        dependOnBefore(node, number, {});
        finishTimes(node, op.seconds);
        delimited(node);
    }

    void writeMotif(DagOpId op, std::int32_t number) {
        const DagOp &of = m_dag.ops[op.index()];
        if (of.collective == CollectiveKind::Permute) {
            writeTransfer(op, number, sendNode);
            writeTransfer(op, number, receiveNode);
            return;
        }
        const Motif &motif = plannedOf(op, number).motif;
        ProtoWriter node = motifNode(op, number, collectiveNode);
        attribute(node, "comm_type", 9, chakraType(motif.kind));
        finishMotif(node, of, motif);
    }

    /// Writes one of a permute's two nodes: the send or the receive.
    void writeTransfer(DagOpId op, std::int32_t number, std::uint64_t type) {
        const DagOp &of = m_dag.ops[op.index()];
        const std::int32_t members = m_dag.groupSize(of), ahead = (of.shift % members + members) % members, own = memberOf(of);
        const std::int32_t other = (own + (type == sendNode ? ahead : members - ahead)) % members;
        const auto here = static_cast<std::uint64_t>(m_process),
                   peer = static_cast<std::uint64_t>(m_process + (other - own) * of.group.stride);
        ProtoWriter node = motifNode(op, number, type);
        attribute(node, "comm_src", 9, type == sendNode ? here : peer);
        attribute(node, "comm_dst", 9, type == sendNode ? peer : here);
        attribute(node, "comm_tag", 9, m_first[op.index()] + static_cast<std::uint64_t>(number));
        finishMotif(node, of, plannedOf(op, number).motif);
    }

    [[nodiscard]] const PlannedMotif &plannedOf(DagOpId op, std::int32_t number) const {
        return m_plan.motifs[m_ranges[op.index()].at(number).index()];
    }

    /// A motif's node with its dependencies and duration.
    [[nodiscard]] ProtoWriter motifNode(DagOpId op, std::int32_t number, std::uint64_t type) const {
        const DagOp &of = m_dag.ops[op.index()];
        const PlannedMotif &planned = plannedOf(op, number);
        const std::uint64_t first = nodeOf(m_ranges[op.index()].at(number));
        ProtoWriter node = nodeNamed(type == receiveNode ? first + 1 : first, of.name + ": " + nameOf(planned.motif), type);
        dependOnBefore(node, op, planned.motif.after);
        finishTimes(node, m_costs.seconds(planned.motif, of, m_dag.processes, m_plan.channels[planned.channel.index()]));
        return node;
    }

    /// Adds size and group.
    void finishMotif(ProtoWriter &node, const DagOp &of, const Motif &motif) {
        const std::int32_t shards = motif.kind == CollectiveKind::AllToAll ? 1 : motif.group.shards();
        const double bytes = of.sizeBytes / motif.segment.of / shards;
        attribute(node, "comm_size", 9, static_cast<std::uint64_t>(roundToInteger(bytes)));
        const std::int32_t members = motif.group.sizeAmong(m_dag.groupSize(of));
        if (members != m_dag.processes) {
            ProtoWriter inner;
            inner.bytes(1, "pg_name");
            inner.bytes(29, fmt::format("{}x{}", members, motif.group.stride * of.group.stride));
            node.bytes(10, inner.text());
        }
        delimited(node);
    }

    void delimited(const ProtoWriter &message) {
        ProtoWriter length;
        length.varint(message.text().size());
        m_text += length.text() + message.text();
    }

    const ExecutionPlan &m_plan;
    const TrainingDag &m_dag;
    const MotifCosts &m_costs;
    std::int32_t m_process;
    std::vector<ExecutionPlan::Range> m_ranges;
    /// The nodes of one motif or compute-op; nodes = 0: none.
    struct Before {
        std::uint64_t first = 0, nodes = 0;
    };
    std::vector<std::uint64_t> m_first; ///< per op: its first node
    std::vector<Before> m_before;       ///< per node
    std::string m_text;
};

} // namespace

Result<std::string> writeChakra(const ExecutionPlan &plan, const TrainingDag &dag, const MotifCosts &costs, ProcessId process) {
    for (const DagOp &op : dag.ops)
        if (op.isUneven())
            return fail(fmt::format("\"{}\" has groups of different sizes, and a Chakra node names one", op.name),
                        "export the plan as JSON");
    for (const PlannedMotif &planned : plan.motifs)
        if (planned.motif.spline.of > 1)
            return fail(fmt::format("\"{}\" is splined, and Chakra's collectives are among all processes of a group",
                                    dag.ops[planned.op.index()].name),
                        "export the plan as JSON, or one of a method without splines");
    return ChakraWriter(plan, dag, costs, process).write();
}

} // namespace syncopate

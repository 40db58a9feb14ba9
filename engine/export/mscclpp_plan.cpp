// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_writer.h"
#include "engine/export/mscclpp_op.h"
#include "engine/export/plan_export.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr const char *remedy = "export the plan as JSON, which holds all of it";
constexpr std::int32_t maxRemote = 8; ///< buffers and channels per op
constexpr std::size_t maxBlocks = 64; ///< thread blocks per comm-op

struct Chunk {
    char type = 0; ///< i, o; 0 = remote
    std::int32_t index = 0;
    std::int32_t buffer = 0; ///< index in the thread block, if remote
};

/// Writes the ops of one motif for one process: wait until all are ready, move data, wait until all are done.
class BlockWriter {
public:
    BlockWriter(JsonWriter &json, std::int32_t peers) : m_json(json), m_peers(peers) {}

    void handshake(const char *signal, const char *wait) {
        channelOp(signal);
        nop();
        channelOp(wait);
        nop();
    }
    void nop() { m_json.beginObject().member("name", "nop").endObject(); }
    void data(const char *name, const std::vector<Chunk> &from, const std::vector<Chunk> &to, bool reduces) {
        m_json.beginObject().member("name", name);
        chunks("src_buff", from);
        chunks("dst_buff", to);
        if (std::string_view(name) != "copy")
            m_json.member("channel_type", "memory");
        if (reduces)
            m_json.member("reduce_op", "sum");
        m_json.endObject();
    }

private:
    void channelOp(const char *name) {
        m_json.beginObject().member("name", name).key("channel_ids").beginArray();
        for (std::int32_t peer = 0; peer < m_peers; ++peer)
            m_json.value(peer);
        m_json.endArray().member("channel_type", "memory").endObject();
    }
    void chunks(std::string_view key, const std::vector<Chunk> &all) {
        m_json.key(key).beginArray();
        for (const Chunk &chunk : all) {
            m_json.beginObject();
            if (chunk.type != 0)
                m_json.member("type", std::string_view(&chunk.type, 1));
            else
                m_json.member("buffer_id", chunk.buffer);
            m_json.member("index", chunk.index).member("size", 1).endObject();
        }
        m_json.endArray();
    }

    JsonWriter &m_json;
    std::int32_t m_peers;
};

class MscclppPlan {
public:
    explicit MscclppPlan(const MscclppOp &op) : m_op(op), m_ranks(op.ranks), m_segments(op.segments()) {}

    std::string write() {
        m_json.beginObject().member("name", m_op.title).member("collective", m_op.collective).member("protocol", "Simple");
        m_json.member("inplace", m_op.isInPlace()).member("reuse_resources", false);
        m_json.newLine().key("gpus").beginArray();
        for (std::int32_t rank = 0; rank < m_ranks; ++rank)
            writeRank(rank);
        m_json.endArray().newLine().member("num_threads_per_block", 1024).member("use_double_scratch_buffer", false);
        m_json.member("buffer_alignment", 16).member("min_message_size", 0);
        m_json.member("max_message_size", std::uint64_t{mscclppMaxBytes});
        return m_json.endObject().newLine().take();
    }

private:
    /// The rank that a thread block's buffer or channel leads to.
    [[nodiscard]] std::int32_t peerOf(std::int32_t rank, std::int32_t buffer) const {
        return buffer < rank ? buffer : buffer + 1;
    }

    void writeRank(std::int32_t rank) {
        const std::int32_t all = m_ranks * m_segments;
        m_json.newLine().beginObject().member("id", rank);
        m_json.member("input_chunks", m_op.kind == CollectiveKind::AllGather ? m_segments : all);
        m_json.member("output_chunks", m_op.kind == CollectiveKind::ReduceScatter ? m_segments : all).member("scratch_chunks", 0);
        m_json.key("threadblocks").beginArray();
        for (std::size_t block = 0; block < m_op.motifs.size(); ++block)
            writeBlock(rank, static_cast<std::int32_t>(block));
        m_json.endArray().newLine().key("channels").beginArray().beginObject().member("channel_type", "memory");
        m_json.key("connected_to").beginArray();
        for (std::size_t block = 0; block < m_op.motifs.size(); ++block)
            for (std::int32_t buffer = 0; buffer + 1 < m_ranks; ++buffer)
                m_json.value(peerOf(rank, buffer));
        m_json.endArray().endObject().endArray().key("remote_buffers").beginArray();
        for (std::int32_t buffer = 0; buffer + 1 < m_ranks; ++buffer) {
            m_json.beginObject().member("rank", peerOf(rank, buffer)).member("type", m_op.reduces() ? "i" : "o");
            m_json.key("access_channel_types").beginArray().value("memory").endArray().endObject();
        }
        m_json.endArray().key("semaphores").beginArray().endArray().endObject();
    }

    void writeBlock(std::int32_t rank, std::int32_t block) {
        m_json.newLine().beginObject().member("id", block).key("ops").beginArray();
        BlockWriter ops(m_json, m_ranks - 1);
        ops.nop();
        ops.handshake("rlxsignal", "rlxwait");
        if (writeData(ops, rank, m_op.motifs[static_cast<std::size_t>(block)]))
            ops.nop();
        ops.handshake("signal", "wait");
        m_json.endArray();
        const auto ids = [&](std::string_view key, std::int32_t first) {
            m_json.key(key).beginArray();
            for (std::int32_t buffer = 0; buffer + 1 < m_ranks; ++buffer)
                m_json.value(first + buffer);
            m_json.endArray().endObject().endArray();
        };
        m_json.key("channels").beginArray().beginObject().member("channel_type", "memory");
        ids("channel_ids", block * (m_ranks - 1));
        m_json.key("remote_buffer_refs").beginArray().beginObject().member("access_channel_type", "memory");
        ids("remote_buffer_ids", 0);
        m_json.endObject();
    }

    /// Returns whether there is any: in the first of as many splines as processes, a gather has all that it wants.
    bool writeData(BlockWriter &ops, std::int32_t rank, const Motif &motif) const {
        const std::int32_t segment = motif.segment.index;
        const auto chunkOf = [&](std::int32_t owner) { return owner * m_segments + segment; };
        if (m_op.reduces()) {
            std::vector<Chunk> everywhere{{'i', chunkOf(rank), 0}};
            for (std::int32_t buffer = 0; buffer + 1 < m_ranks; ++buffer)
                everywhere.push_back({0, chunkOf(rank), buffer});
            const bool sends = m_op.kind == CollectiveKind::AllReduce;
            ops.data(sends ? "rres" : "rre", everywhere, sends ? everywhere : std::vector<Chunk>{everywhere.front()}, true);
            return true;
        }
        const auto [first, end] = m_op.hops(motif);
        for (std::int32_t hop = first; hop < end; ++hop) {
            const std::int32_t to = (rank + hop) % m_ranks;
            const bool gathers = m_op.kind == CollectiveKind::AllGather;
            const Chunk from = gathers ? Chunk{'o', chunkOf(rank), 0} : Chunk{'i', chunkOf(to), 0};
            if (to != rank)
                ops.data("put", {from}, {{0, chunkOf(rank), to < rank ? to : to - 1}}, false);
            else if (!gathers)
                ops.data("copy", {from}, {{'o', chunkOf(rank), 0}}, false);
        }
        return m_op.kind != CollectiveKind::AllGather || end > first + (first == 0 ? 1 : 0);
    }

    const MscclppOp &m_op;
    std::int32_t m_ranks, m_segments;
    JsonWriter m_json;
};

std::string_view mscclppName(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return "allreduce";
    case CollectiveKind::AllGather:
        return "allgather";
    case CollectiveKind::ReduceScatter:
        return "reducescatter";
    case CollectiveKind::AllToAll:
        return "alltoall";
    case CollectiveKind::Reduce:
    case CollectiveKind::Broadcast:
    case CollectiveKind::Permute:
        break;
    }
    return "";
}

} // namespace

Result<MscclppOp> mscclppOp(const ExecutionPlan &plan, const TrainingDag &dag, std::int32_t processesPerNode,
                            const std::string &op) {
    const auto found = std::find_if(dag.ops.begin(), dag.ops.end(), [&](const DagOp &each) { return each.name == op; });
    if (found == dag.ops.end() || found->isCompute())
        return fail(fmt::format("the DAG has no collective \"{}\"", op), "name one of its comm-ops");
    const auto refuse = [&](std::string why) { return fail(fmt::format("\"{}\": {}", op, why), remedy); };
    const std::string_view name = mscclppName(*found->collective);
    const std::int32_t ranks = dag.groupSize(*found);
    if (found->isUneven())
        return refuse("its groups differ in size, and an MSCCL++ plan has one size");
    if (name.empty())
        return refuse(fmt::format("MSCCL++ has no {}", nameOf(*found->collective)));
    // Groups lie in blocks of ranks * stride processes; a node that ends inside a block cuts one of its groups.
    if (dag.processes > processesPerNode && processesPerNode % (ranks * found->group.stride) != 0)
        return refuse(fmt::format("{} processes are on several nodes, which memory channels do not connect", ranks));
    if (ranks - 1 > maxRemote)
        return refuse(fmt::format("an op of MSCCL++ takes {} peers, not {}", maxRemote, ranks - 1));
    if (found->sizeBytes > mscclppMaxBytes)
        return refuse("offsets of MSCCL++ have 32 bits: messages stay below 4 GiB");
    const auto range = plan.rangesByOp(dag.ops.size())[static_cast<std::size_t>(found - dag.ops.begin())];
    std::vector<Motif> motifs;
    bool uses = false;
    for (std::int32_t m = 0; m < range.count; ++m) {
        motifs.push_back(plan.motifs[range.at(m).index()].motif);
        uses = uses || motifs.back().kind != *found->collective || motifs.back().group != ProcessGroup{};
    }
    if (motifs.empty() || uses)
        return refuse("it is done in several collectives, which are MSCCL++ plans of their own");
    if (std::any_of(motifs.begin(), motifs.end(),
                    [&](const Motif &motif) { return motif.segment.of != motifs.front().segment.of; }))
        return refuse("its segments differ in size, and chunks of MSCCL++ do not");
    if (found->collective == CollectiveKind::ReduceScatter &&
        std::any_of(motifs.begin(), motifs.end(), [](const Motif &motif) { return motif.spline.of > 1; }))
        return refuse("its splines add to the same sum, and thread blocks of MSCCL++ do not wait for each other");
    if (motifs.size() > maxBlocks)
        return refuse(fmt::format("{} motifs are more than {} thread blocks", motifs.size(), maxBlocks));
    std::string title = fmt::format("{}_{}_{}gpu", plan.name, op, ranks);
    std::replace_if(
        title.begin(), title.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return MscclppOp{std::move(title), name, *found->collective, std::move(motifs), ranks};
}

Result<std::string> writeMscclpp(const ExecutionPlan &plan, const TrainingDag &dag, std::int32_t processesPerNode,
                                 const std::string &op) {
    const MscclppOp of = TRY(mscclppOp(plan, dag, processesPerNode, op));
    return MscclppPlan(of).write();
}

} // namespace syncopate

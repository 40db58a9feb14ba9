// SPDX-License-Identifier: GPL-3.0-or-later
// An algorithm for MSCCL: what every thread block of every GPU sends, receives and adds, step by step. A thread block has one
// peer to send to and one to receive from, so a ring is one thread block of a GPU, and an all-to-all one for each distance. Each
// motif has a channel of its own, on which no other thread block has the same peers.
#include "engine/export/plan_export.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace syncopate {

namespace {

constexpr const char *mscclRemedy = "export the plan as JSON, which holds all of it";
// Of MSCCL's msccl.h: channels (NCCL's MAXCHANNELS), thread blocks of a channel and of a GPU, steps of a thread block.
constexpr std::int32_t mscclMaxChannels = 32, mscclMaxBlocksOfChannel = 32, mscclMaxBlocks = 216, mscclMaxSteps = 256;

const char *mscclName(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return "allreduce";
    case CollectiveKind::ReduceScatter:
        return "reduce_scatter";
    case CollectiveKind::AllGather:
        return "allgather";
    case CollectiveKind::AllToAll:
        return "alltoall";
    case CollectiveKind::Reduce:
    case CollectiveKind::Broadcast:
    case CollectiveKind::Permute:
        break;
    }
    return nullptr;
}

/// A comm-op as MSCCL has it.
struct MscclOp {
    std::string title;
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::int32_t ranks = 0, segments = 1;
    std::vector<Motif> motifs; ///< a channel each, all of the op's own kind
};

/// Whether the reduce-scatter is that of a ring whose all-gather is `gather`, so that both are one all-reduce. A ring that waits
/// for another motif is none: thread blocks of an algorithm wait for steps, not for other channels to end.
bool makeRing(const Motif &scatter, const Motif &gather, std::int32_t scatterNumber) {
    return scatter.kind == CollectiveKind::ReduceScatter && gather.kind == CollectiveKind::AllGather &&
           scatter.segment == gather.segment && scatter.group == ProcessGroup{} && gather.group == ProcessGroup{} &&
           scatter.after.empty() && gather.after == std::vector{scatterNumber};
}

/// The motifs of an op, a reduce-scatter and its all-gather as one; none where there are others than MSCCL can have.
std::optional<std::vector<Motif>> mscclMotifs(CollectiveKind kind, const std::vector<Motif> &all) {
    std::vector<Motif> motifs;
    for (std::size_t m = 0; m < all.size(); ++m) {
        const Motif &motif = all[m];
        const auto gather = std::find_if(all.begin(), all.end(), [&](const Motif &other) {
            return kind == CollectiveKind::AllReduce && makeRing(motif, other, static_cast<std::int32_t>(m));
        });
        if (gather != all.end())
            motifs.push_back({CollectiveKind::AllReduce, motif.segment});
        else if (motif.kind == kind && motif.group == ProcessGroup{} && motif.after.empty())
            motifs.push_back(motif);
        else if (!std::any_of(all.begin(), all.end(), [&](const Motif &other) {
                     return makeRing(other, motif, static_cast<std::int32_t>(&other - all.data()));
                 }))
            return {};
    }
    return motifs;
}

Result<MscclOp> mscclOp(const ExecutionPlan &plan, const TrainingDag &dag, const std::string &op) {
    const auto found = std::find_if(dag.ops.begin(), dag.ops.end(), [&](const DagOp &each) { return each.name == op; });
    if (found == dag.ops.end() || found->isCompute())
        return fail(fmt::format("the DAG has no collective \"{}\"", op), "name one of its comm-ops");
    const auto refuse = [&](const std::string &why) { return fail(fmt::format("\"{}\": {}", op, why), mscclRemedy); };
    const CollectiveKind kind = *found->collective;
    if (found->isUneven())
        return refuse("its groups differ in size, and an MSCCL algorithm has one size");
    if (mscclName(kind) == nullptr)
        return refuse(fmt::format("MSCCL's interpreter runs no {}", nameOf(kind)));
    const auto range = plan.rangesByOp(dag.ops.size())[static_cast<std::size_t>(found - dag.ops.begin())];
    std::vector<Motif> all;
    for (std::int32_t m = 0; m < range.count; ++m)
        all.push_back(plan.motifs[range.at(m).index()].motif);
    if (kind != CollectiveKind::AllToAll &&
        std::any_of(all.begin(), all.end(), [](const Motif &motif) { return motif.spline.of > 1; }))
        return refuse("it is splined, and of MSCCL's algorithms here only all-to-alls send directly");
    auto motifs = mscclMotifs(kind, all);
    if (!motifs || motifs->empty())
        return refuse("it is done in several collectives, by groups, trees or in an order, and an MSCCL algorithm covers one");
    MscclOp of{fmt::format("{}_{}", plan.name, op), kind, dag.groupSize(*found), motifs->front().segment.of, std::move(*motifs)};
    std::replace_if(
        of.title.begin(), of.title.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    if (std::any_of(of.motifs.begin(), of.motifs.end(), [&](const Motif &motif) { return motif.segment.of != of.segments; }))
        return refuse("its segments differ in size, and chunks of MSCCL do not");
    if (of.motifs.size() > mscclMaxChannels)
        return refuse(fmt::format("{} motifs are more than {} channels", of.motifs.size(), mscclMaxChannels));
    std::int32_t peers = 0; // in a motif
    for (const Motif &motif : of.motifs)
        peers = std::max(peers, (of.ranks + motif.spline.of - 1) / motif.spline.of);
    if (kind == CollectiveKind::AllToAll && (peers > mscclMaxBlocksOfChannel || of.ranks * of.segments > mscclMaxBlocks))
        return refuse(fmt::format("an all-to-all among {} needs a thread block for each process and segment, more than MSCCL has",
                                  of.ranks));
    const std::int32_t steps = kind == CollectiveKind::AllReduce ? 2 * of.ranks - 1 : of.ranks; // of a ring
    if (kind != CollectiveKind::AllToAll && steps > mscclMaxSteps)
        return refuse(fmt::format("a ring of {} takes more than the {} steps of a thread block", of.ranks, mscclMaxSteps));
    return of;
}

class MscclWriter {
public:
    explicit MscclWriter(const MscclOp &op) : m_op(op), m_chunks(op.ranks * op.segments) {}

    std::string write() {
        const bool inPlace = m_op.kind != CollectiveKind::AllToAll;
        add("<algo name=\"{}\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" inplace=\"{:d}\" "
            "outofplace=\"{:d}\" minBytes=\"0\" maxBytes=\"1099511627776\">\n",
            m_op.title, m_op.motifs.size(), m_chunks, m_op.ranks, mscclName(m_op.kind), inPlace, !inPlace);
        for (std::int32_t rank = 0; rank < m_op.ranks; ++rank)
            writeGpu(rank);
        m_xml += "</algo>\n";
        return std::move(m_xml);
    }

private:
    template <class... Values> void add(fmt::format_string<Values...> format, Values &&...values) {
        fmt::format_to(std::back_inserter(m_xml), format, std::forward<Values>(values)...);
    }

    void writeGpu(std::int32_t rank) {
        add("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"0\">\n", rank,
            m_op.kind == CollectiveKind::AllGather ? m_op.segments : m_chunks,
            m_op.kind == CollectiveKind::ReduceScatter ? m_op.segments : m_chunks);
        m_block = 0;
        for (std::size_t channel = 0; channel < m_op.motifs.size(); ++channel)
            if (m_op.kind == CollectiveKind::AllToAll)
                writeExchange(rank, channel, m_op.motifs[channel]);
            else
                writeRing(rank, channel, m_op.motifs[channel].segment.index);
        m_xml += "  </gpu>\n";
    }

    /// The number, from 0 to ranks - 1, of a process that is `ahead` of another.
    [[nodiscard]] std::int32_t around(std::int32_t rank, std::int32_t ahead) const {
        return ((rank + ahead) % m_op.ranks + m_op.ranks) % m_op.ranks;
    }

    void beginBlock(std::int32_t send, std::int32_t receive, std::size_t channel) {
        add("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", m_block++, send, receive, channel);
        m_step = 0;
    }
    void endBlock() { m_xml += "    </tb>\n"; }
    /// Steps of a thread block run one after the other; none waits for another thread block.
    void step(const char *type, char from, std::int32_t fromChunk, char to, std::int32_t toChunk) {
        add("      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"1\" depid=\"-1\" "
            "deps=\"-1\" hasdep=\"0\"/>\n",
            m_step++, type, from, fromChunk, to, toChunk);
    }

    /// One ring: chunks travel from process to process, are summed up (a reduce-scatter), then copied (an all-gather). Process r
    /// begins with a chunk and goes on with the one that the process behind it began with, and so on.
    void writeRing(std::int32_t rank, std::size_t channel, std::int32_t segment) {
        const bool reduces = m_op.kind != CollectiveKind::AllGather, gathers = m_op.kind != CollectiveKind::ReduceScatter;
        const char buffer = reduces ? 'i' : 'o'; // in place
        const std::int32_t first = gathers ? rank : rank - 1, rounds = m_op.ranks - 1;
        std::int32_t round = 0;
        const auto next = [&](const char *type) {
            const std::int32_t chunk = around(first, -round++) * m_op.segments + segment;
            step(type, buffer, chunk, buffer, chunk);
        };
        beginBlock(around(rank, 1), around(rank, -1), channel);
        next("s");
        if (reduces) {
            while (round < rounds)
                next("rrs");
            next(gathers ? "rrcs" : "rrc");
        }
        if (gathers) {
            const std::int32_t last = reduces ? 2 * rounds : rounds;
            while (round < last)
                next("rcs");
            next("r");
        }
        endBlock();
    }

    /// The transfers of an all-to-all's motif: at each distance, a chunk to the process ahead and one from the process behind.
    void writeExchange(std::int32_t rank, std::size_t channel, const Motif &motif) {
        const auto chunkOf = [&](std::int32_t owner) { return owner * m_op.segments + motif.segment.index; };
        for (std::int32_t hop = 0; hop < m_op.ranks; ++hop) {
            if (hop * motif.spline.of < motif.spline.index * m_op.ranks ||
                hop * motif.spline.of >= (motif.spline.index + 1) * m_op.ranks)
                continue;
            const std::int32_t to = around(rank, hop), from = around(rank, -hop);
            beginBlock(hop == 0 ? -1 : to, hop == 0 ? -1 : from, channel);
            if (hop == 0) {
                step("cpy", 'i', chunkOf(rank), 'o', chunkOf(rank));
            } else {
                step("s", 'i', chunkOf(to), 'o', chunkOf(rank));
                step("r", 'i', chunkOf(rank), 'o', chunkOf(from));
            }
            endBlock();
        }
    }

    const MscclOp &m_op;
    std::int32_t m_chunks, m_block = 0, m_step = 0;
    std::string m_xml;
};

} // namespace

Result<std::string> writeMscclXml(const ExecutionPlan &plan, const TrainingDag &dag, const std::string &op) {
    const MscclOp of = TRY(mscclOp(plan, dag, op));
    return MscclWriter(of).write();
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
// The program is the plan as loops: a few lines, however many processes and motifs. Every thread block says that it is ready on
// all of its channels, waits for all others, moves data, and does the same again.
#include "engine/export/mscclpp_op.h"
#include "engine/export/plan_export.h"

#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr const char *programHead = R"(#!/usr/bin/env python3
"""A program of MSCCL++'s Python DSL (mscclpp.language): prints the execution plan {title}.

Written by Syncopate, which writes the plan itself as the format mscclpp.
"""
from mscclpp.language.channel import *
from mscclpp.language.collectives import *
from mscclpp.language.general import *
from mscclpp.language.program import *
from mscclpp.language.rank import *

RANKS, SEGMENTS = {ranks}, {segments}
# Of each motif, which is a thread block: its segment, and how far ahead a process sends in it, from and up to.
MOTIFS = [{motifs}]


def peers(rank):
    return [peer for peer in range(RANKS) if peer != rank]


def sync(number):
    """The threads of a block wait for each other before the first and behind the last of the operations on its channels."""
    before = SyncType.before if number == 0 else SyncType.none
    return before | (SyncType.after if number == RANKS - 2 else SyncType.none)


def handshake(block, rank, relaxed):
    for number, peer in enumerate(peers(rank)):
        channels[rank, block, peer].signal(block, data_sync=sync(number), relaxed=relaxed)
    for number, peer in enumerate(peers(rank)):
        channels[rank, block, peer].wait(block, data_sync=sync(number), relaxed=relaxed)


def chunk(buffer, owner, segment):
    index = owner * SEGMENTS + segment
    return buffer[index : index + 1]


)";

constexpr const char *programReduces = R"(def move(block, rank, segment, hops):
    own = chunk(Rank(rank).get_input_buffer(), rank, segment)
    others = {{peer: chunk(Rank(peer).get_input_buffer(), rank, segment) for peer in peers(rank)}}
    for peer, other in others.items():
        channels[rank, block, peer].reduce(own, [other], block)
)";
constexpr const char *programSendsSum = R"(    for peer, other in others.items():
        channels[rank, block, peer].put(other, own, block)
)";
constexpr const char *programGathers = R"(def move(block, rank, segment, hops):
    for peer in [(rank + hop) % RANKS for hop in hops if hop > 0]:
        there, here = Rank(peer).get_output_buffer(), Rank(rank).get_output_buffer()
        channels[rank, block, peer].put(chunk(there, rank, segment), chunk(here, rank, segment), block)
)";
constexpr const char *programExchanges = R"(def move(block, rank, segment, hops):
    for peer in [(rank + hop) % RANKS for hop in hops]:
        there, here = Rank(peer).get_output_buffer(), Rank(rank).get_input_buffer()
        if peer == rank:
            Rank(rank).copy(chunk(there, rank, segment), chunk(here, peer, segment), block)
        else:
            channels[rank, block, peer].put(chunk(there, rank, segment), chunk(here, peer, segment), block)
)";

// Fused, several puts become one of more local chunks than an operation of MSCCL++ takes; reduces and the operations after them
// become one only if they are fused.
constexpr const char *programMain = R"(

with CollectiveProgram(
    "{title}",
    {collective}(RANKS, SEGMENTS, {inPlace}),
    RANKS,
    protocol="Simple",
    instr_fusion={fused},
    num_threads_per_block=1024,
    use_double_scratch_buffer=False,
    min_message_size=0,
    max_message_size={maxBytes},
):
    blocks = [(rank, block) for rank in range(RANKS) for block in range(len(MOTIFS))]
    channels = {{(rank, block, peer): MemoryChannel(peer, rank) for rank, block in blocks for peer in peers(rank)}}
    for rank, block in blocks:
        segment, first, end = MOTIFS[block]
        handshake(block, rank, relaxed=True)
        move(block, rank, segment, range(first, end))
        handshake(block, rank, relaxed=False)
    print(JSON())
)";

/// The class of the collective.
const char *programCollective(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return "AllReduce";
    case CollectiveKind::ReduceScatter:
        return "ReduceScatter";
    case CollectiveKind::AllGather:
        return "AllGather";
    default: // of those that mscclppOp() lets pass
        return "AllToAll";
    }
}

std::string programMove(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::AllReduce:
        return fmt::format(programReduces) + programSendsSum;
    case CollectiveKind::ReduceScatter:
        return fmt::format(programReduces);
    case CollectiveKind::AllGather:
        return programGathers;
    default:
        return programExchanges;
    }
}

const char *pythonTruth(bool is) { return is ? "True" : "False"; }

} // namespace

Result<std::string> writeMscclppProgram(const ExecutionPlan &plan, const TrainingDag &dag, std::int32_t processesPerNode,
                                        const std::string &op) {
    const MscclppOp of = TRY(mscclppOp(plan, dag, processesPerNode, op));
    std::string motifs;
    for (const Motif &motif : of.motifs) {
        const auto [first, end] = of.hops(motif);
        motifs += fmt::format("{}({}, {}, {})", motifs.empty() ? "" : ", ", motif.segment.index, first, end);
    }
    return fmt::format(programHead, fmt::arg("title", of.title), fmt::arg("ranks", of.ranks), fmt::arg("segments", of.segments()),
                       fmt::arg("motifs", motifs)) +
           programMove(of.kind) +
           fmt::format(programMain, fmt::arg("title", of.title), fmt::arg("collective", programCollective(of.kind)),
                       fmt::arg("inPlace", pythonTruth(of.isInPlace())), fmt::arg("fused", pythonTruth(of.reduces())),
                       fmt::arg("maxBytes", mscclppMaxBytes));
}

} // namespace syncopate

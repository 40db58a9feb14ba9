// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plans of a few collectives, to be written in other systems' formats.

#include "tests/plan/dags.h"

#include <QtTest>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace syncopate::testing {

struct PlanCase {
    TrainingDag dag;
    ExecutionPlan plan;
};

/// A compute-op, then each collective of `ops`, cut according to `cuts`, all on one channel except those in `slow`.
inline PlanCase planCase(std::vector<DagOp> ops, const std::vector<MotifCut> &cuts, std::int32_t processes,
                         const std::set<std::size_t> &slow = {}) {
    ops.insert(ops.begin(), computeOp("compute", 1));
    PlanCase c{dagOf(std::move(ops), processes), {}};
    std::vector<ChannelId> channels(cuts.size(), 0_channel);
    for (const std::size_t collective : slow)
        channels[collective] = 1_channel;
    c.plan = cutPlan(c.dag, cuts, channels, {unitChannel("fast"), unitChannel("slow")});
    const auto valid = validatePlan(c.plan, c.dag);
    if (!valid)
        QTest::qFail(valid.error().toString().c_str(), __FILE__, __LINE__);
    return c;
}

/// A collective after the compute-op of planCase().
inline DagOp comm(const char *name, CollectiveKind kind, double bytes) { return commOp(name, kind, bytes, {0_op}); }

/// For a chunk of a buffer, how often each (process, input chunk) is in its sum.
using ChunkSum = std::map<std::pair<int, int>, int>;

/// The sum in chunk `part` of process `owner`'s part at `process` after the collective, with buffers cut into `segments` chunks
/// for each process: in the input's buffer of reductions, else in the output's. Empty: anything.
inline ChunkSum sumAfter(CollectiveKind kind, int processes, int segments, int process, int owner, int part) {
    const int chunk = owner * segments + part;
    ChunkSum all;
    for (int p = 0; p < processes; ++p)
        all[{p, chunk}] = 1;
    switch (kind) {
    case CollectiveKind::AllReduce:
        return all;
    case CollectiveKind::ReduceScatter:
        return owner == process ? all : ChunkSum();
    case CollectiveKind::AllGather:
        return {{{owner, part}, 1}};
    default: // all-to-all
        return {{{owner, process * segments + part}, 1}};
    }
}

} // namespace syncopate::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/plan_memory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace syncopate {

namespace {

constexpr double rounding = 1e-9; ///< share of an iteration: buffers freed and allocated this close do not overlap

class BufferList {
public:
    BufferList(const TrainingDag &dag, const PlannedRun &run) : m_dag(dag), m_spans(opSpans(dag, run)), m_used(dag.ops.size()) {
        for (std::size_t o = 0; o < m_dag.ops.size(); ++o)
            m_used[o] = m_spans[o].endSeconds;
        for (std::size_t o = 0; o < m_dag.ops.size(); ++o) {
            for (const DagOpId parent : m_dag.ops[o].parents)
                use(parent, m_spans[o].endSeconds);
            for (const DagOpId parent : m_dag.ops[o].previousParents)
                use(parent, m_spans[o].endSeconds + run.iterationSeconds);
        }
        for (const DagOpId op : m_dag.submissionOrder)
            if (span(op).startSeconds <= span(op).endSeconds)
                add(op, run.iterationSeconds);
    }

    std::vector<HeldBuffer> take() { return std::move(m_buffers); }

private:
    [[nodiscard]] const OpSpan &span(DagOpId op) const { return m_spans[op.index()]; }

    void use(DagOpId op, double until) {
        double &used = m_used[op.index()];
        used = std::max(used, until);
    }

    void hold(DagOpId op, double bytes, double from, double to) {
        if (bytes > 0 && to > from)
            m_buffers.push_back({op, bytes, from, to});
    }

    void add(DagOpId number, double iterationSeconds) {
        const DagOp &op = m_dag.ops[number.index()];
        const double begin = span(number).startSeconds, end = span(number).endSeconds, used = m_used[number.index()];
        double ready = -std::numeric_limits<double>::infinity();
        bool isResult = false, isComputed = false; // reads results of comm-ops; reads results of compute-ops
        const auto after = [&](DagOpId parent, double shift) {
            ready = std::max(ready, span(parent).endSeconds - shift);
            (m_dag.ops[parent.index()].isCompute() ? isComputed : isResult) = true;
        };
        for (const DagOpId parent : op.parents)
            after(parent, 0);
        for (const DagOpId parent : op.previousParents)
            after(parent, iterationSeconds);
        const bool isOwn = isComputed || !isResult;
        const double from = isOwn && isComputed ? std::min(ready, begin) : begin;
        const double whole = op.sizeBytes, part = whole / smallestGroup(op);
        switch (*op.collective) {
        case CollectiveKind::AllReduce:
        case CollectiveKind::Reduce:
        case CollectiveKind::Broadcast:
            return hold(number, whole, isOwn ? from : end, used);
        case CollectiveKind::AllGather:
            hold(number, isOwn ? part : 0, from, begin);
            return hold(number, whole, begin, used);
        case CollectiveKind::ReduceScatter:
            hold(number, isOwn ? whole : 0, from, end);
            return hold(number, part, end, used);
        case CollectiveKind::AllToAll:
        case CollectiveKind::Permute:
            hold(number, isOwn ? whole : 0, from, end);
            return hold(number, whole, begin, used);
        }
    }

    /// Where groups differ in size, a process of the smallest has the largest part.
    [[nodiscard]] std::int32_t smallestGroup(const DagOp &op) const {
        return op.isUneven() ? *std::ranges::min_element(op.groupSizes) : m_dag.groupSize(op);
    }

    const TrainingDag &m_dag;
    std::vector<OpSpan> m_spans;
    std::vector<double> m_used; ///< per op: until when its result is in use
    std::vector<HeldBuffer> m_buffers;
};

} // namespace

std::vector<HeldBuffer> heldBuffers(const TrainingDag &dag, const PlannedRun &run) { return BufferList(dag, run).take(); }

double peakBytes(const std::vector<HeldBuffer> &buffers, double iterationSeconds) {
    const double period = iterationSeconds;
    if (!(period > 0))
        return 0;
    double always = 0;                              // held throughout iterations, or across their start
    std::vector<std::pair<double, double>> changes; // time within an iteration, bytes allocated or (negative) freed
    for (const HeldBuffer &buffer : buffers) {
        const double length = std::max(0.0, buffer.toSeconds - buffer.fromSeconds - rounding * period);
        const double wholes = std::floor(length / period);
        always += wholes * buffer.bytes;
        const double from = buffer.fromSeconds - std::floor(buffer.fromSeconds / period) * period;
        double to = from + length - wholes * period;
        if (to >= period) {
            to -= period;
            always += buffer.bytes;
        }
        changes.emplace_back(from, buffer.bytes);
        changes.emplace_back(to, -buffer.bytes);
    }
    std::sort(changes.begin(), changes.end()); // at equal times, frees come first
    double held = always, peak = always;
    for (const auto &[when, bytes] : changes)
        peak = std::max(peak, held += bytes);
    return peak;
}

} // namespace syncopate

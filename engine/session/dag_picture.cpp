// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/dag_picture.h"

#include "engine/base/rounding.h"
#include "engine/plan/job_dag.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace syncopate {

namespace {

/// Collects the ops that a picture shows, and the edges between them.
class PictureMaker {
public:
    explicit PictureMaker(std::shared_ptr<const TrainingDag> dag) { m_picture.dag = std::move(dag); }

    Result<void> makeDag(DagOpId around, std::size_t most, const std::stop_token &stop) {
        const std::vector<LayoutEdge> all = edgesOfOps();
        const auto count = static_cast<std::int32_t>(dag().ops.size());
        choose(TRY(topologicalOrder(count, all)), around, most);
        std::vector<LayoutEdge> shown;
        for (std::size_t e = 0; e < all.size(); ++e)
            if (addEdge(DagOpId(all[e].from), DagOpId(all[e].to),
                        e < m_parentEdges ? DagEdge::Kind::Parent : DagEdge::Kind::ComputeOrder))
                shown.push_back({m_picture.edges.back().from, m_picture.edges.back().to, pullOf(all[e])});
        for (DagOpId op(0); op.number() < count; op = op.next())
            for (const DagOpId parent : dag().ops[op.index()].previousParents)
                addEdge(parent, op, DagEdge::Kind::NextIteration);
        m_picture.layout = TRY(layOutLayers(static_cast<std::int32_t>(m_picture.nodes.size()), shown, {}, stop));
        if (m_picture.layout.straightEdges > 0)
            m_picture.notes.push_back(
                fmt::format("{} long edges are drawn straight, across what is in between", m_picture.layout.straightEdges));
        return {};
    }

    void addPlan(const PlannedWork &work, const PlannedRecording &run) {
        m_picture.isPlanned = true;
        for (const Channel &channel : work.plan.channels)
            m_picture.channels.push_back(channel.name);
        for (const PlannedMotif &motif : work.plan.motifs) {
            m_picture.opOfMotif.push_back(motif.op);
            if (DagNode *node = nodeOf(motif.op))
                ++shareOf(*node, motif.channel).motifs;
        }
        addSpans(run);
        addCriticalPath(run);
    }

    DagPicture take() { return std::move(m_picture); }

private:
    [[nodiscard]] const TrainingDag &dag() const { return *m_picture.dag; }
    [[nodiscard]] DagNode *nodeOf(DagOpId op) {
        const std::int32_t node = m_picture.nodeOfOp[op.index()];
        return node < 0 ? nullptr : &m_picture.nodes[static_cast<std::size_t>(node)];
    }

    /// Edges of the DAG, then those that the compute stream's order adds.
    [[nodiscard]] std::vector<LayoutEdge> edgesOfOps() {
        std::vector<LayoutEdge> edges;
        for (std::size_t op = 0; op < dag().ops.size(); ++op)
            for (const DagOpId parent : dag().ops[op].parents)
                edges.push_back({parent.number(), static_cast<std::int32_t>(op)});
        m_parentEdges = edges.size();
        const auto &order = dag().computeOrder;
        for (std::size_t i = 1; i < order.size(); ++i) {
            const auto &parents = dag().ops[order[i].index()].parents;
            if (std::find(parents.begin(), parents.end(), order[i - 1]) == parents.end())
                edges.push_back({order[i - 1].number(), order[i].number()});
        }
        return edges;
    }

    /// Edges between compute-ops pull more, so that the compute stream forms a row.
    [[nodiscard]] double pullOf(const LayoutEdge &edge) const {
        const auto isCompute = [this](std::int32_t op) { return dag().ops[static_cast<std::size_t>(op)].isCompute(); };
        return isCompute(edge.from) && isCompute(edge.to) ? 8 : 1;
    }

    void choose(const std::vector<std::int32_t> &order, DagOpId around, std::size_t most) {
        std::size_t first = 0;
        const std::size_t shown = std::min(order.size(), most);
        if (const auto at = std::find(order.begin(), order.end(), around.number()); at != order.end()) {
            const auto rank = static_cast<std::size_t>(at - order.begin());
            first = std::min(rank - std::min(rank, shown / 2), order.size() - shown);
        }
        m_picture.nodeOfOp.assign(order.size(), -1);
        for (std::size_t i = first; i < first + shown; ++i) {
            m_picture.nodeOfOp[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(m_picture.nodes.size());
            m_picture.nodes.push_back({.op = DagOpId(order[i])});
        }
        if (shown < order.size())
            m_picture.notes.push_back(
                fmt::format("{} of the DAG's {} ops are shown, from \"{}\" on; select a span for the ops around it", shown,
                            order.size(), dag().ops[static_cast<std::size_t>(order[first])].name));
    }

    /// Returns false if one of the two ops is not shown.
    bool addEdge(DagOpId fromOp, DagOpId toOp, DagEdge::Kind kind) {
        const std::int32_t from = m_picture.nodeOfOp[fromOp.index()];
        const std::int32_t to = m_picture.nodeOfOp[toOp.index()];
        if (from < 0 || to < 0)
            return false;
        m_picture.edges.push_back({.from = from, .to = to, .kind = kind});
        return true;
    }

    [[nodiscard]] static DagNode::Share &shareOf(DagNode &node, ChannelId channel) {
        auto at = std::lower_bound(node.channels.begin(), node.channels.end(), channel,
                                   [](const DagNode::Share &share, ChannelId id) { return share.channel < id; });
        if (at == node.channels.end() || at->channel != channel)
            at = node.channels.insert(at, {.channel = channel});
        return *at;
    }

    /// Finds when each op runs in the iteration shown, and its span in the timeline.
    void addSpans(const PlannedRecording &run) {
        const std::int32_t iteration = shownIteration(run);
        for (std::size_t l = 0; l < run.timeline.lanes.size(); ++l) {
            const Lane &lane = run.timeline.lanes[l];
            for (std::size_t s = 0; s < lane.size(); ++s) {
                const std::size_t task = TaskId(lane.task[s]).index();
                DagNode *node =
                    run.graph.iteration[task] == iteration ? nodeOf(DagOpId(run.graph.layer[task].number())) : nullptr;
                if (!node)
                    continue;
                const double start = run.startSeconds[task] - run.windowStartSeconds;
                const double end = run.endSeconds[task] - run.windowStartSeconds;
                const bool isFirst = !node->span;
                if (isFirst || start < node->startSeconds)
                    node->span = SpanRef{l, s};
                node->startSeconds = isFirst ? start : std::min(node->startSeconds, start);
                node->endSeconds = isFirst ? end : std::max(node->endSeconds, end);
                if (l < run.laneChannels.size() && run.laneChannels[l].exists())
                    shareOf(*node, run.laneChannels[l]).seconds += end - start;
            }
        }
    }

    /// The timeline rounds the starts of iterations to nanoseconds like this.
    [[nodiscard]] static std::int32_t shownIteration(const PlannedRecording &run) {
        const auto &starts = run.timeline.iterationStart;
        const auto at = std::lower_bound(starts.begin(), starts.end(), toNanoseconds(run.windowStartSeconds));
        return static_cast<std::int32_t>(at - starts.begin());
    }

    void addCriticalPath(const PlannedRecording &run) {
        std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> known;
        for (std::size_t e = 0; e < m_picture.edges.size(); ++e)
            known[{m_picture.edges[e].from, m_picture.edges[e].to}].push_back(e);
        TaskId before;
        for (const TaskId task : run.criticalTasks) {
            const std::size_t t = task.index();
            DagNode *node =
                !task.exists() || !run.graph.layer[t].exists() ? nullptr : nodeOf(DagOpId(run.graph.layer[t].number()));
            if (!node) { // it is not shown, so no edge leads to it
                before = {};
                continue;
            }
            node->isCritical = true;
            const auto to = static_cast<std::int32_t>(node - m_picture.nodes.data());
            const std::size_t b = before.index();
            if (before.exists() && m_picture.nodeOfOp[run.graph.layer[b].index()] != to)
                markStep(m_picture.nodeOfOp[run.graph.layer[b].index()], to, run.graph.iteration[b] < run.graph.iteration[t],
                         known);
            before = task;
        }
        // The path ends at the first op of the next iteration, which may wait for the last op by an edge of the DAG.
        const std::int32_t first = m_picture.nodeOfOp[dag().computeOrder.front().index()];
        if (!before.exists() || first < 0)
            return;
        const std::size_t last = before.index();
        const bool intoNext = run.graph.iteration[last] <= shownIteration(run); // otherwise it belongs to that iteration itself
        for (const std::size_t e : known[{m_picture.nodeOfOp[run.graph.layer[last].index()], first}])
            if ((m_picture.edges[e].kind == DagEdge::Kind::NextIteration) == intoNext)
                m_picture.edges[e].isCritical = true;
    }

    void markStep(std::int32_t from, std::int32_t to, bool intoNext,
                  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> &known) {
        auto &edges = known[{from, to}];
        for (const std::size_t e : edges)
            if (const auto kind = m_picture.edges[e].kind;
                kind == DagEdge::Kind::ChannelOrder || (kind == DagEdge::Kind::NextIteration) == intoNext) {
                m_picture.edges[e].isCritical = true;
                return;
            }
        edges.push_back(m_picture.edges.size());
        const auto isCompute = [this](std::int32_t node) {
            return dag().ops[m_picture.nodes[static_cast<std::size_t>(node)].op.index()].isCompute();
        };
        // The compute stream is cyclic: the first op of an iteration follows the last one of the previous iteration.
        m_picture.edges.push_back(
            {.from = from,
             .to = to,
             .kind = isCompute(from) && isCompute(to) ? DagEdge::Kind::NextIteration : DagEdge::Kind::ChannelOrder,
             .isCritical = true});
    }

    DagPicture m_picture;
    std::size_t m_parentEdges = 0;
};

} // namespace

DagOpId DagPicture::opOfLabel(std::int32_t label) const {
    const auto ops = static_cast<std::int32_t>(nodeOfOp.size()), motifs = static_cast<std::int32_t>(opOfMotif.size());
    if (label < 0 || label >= ops + motifs)
        return {};
    return label < ops ? DagOpId(label) : opOfMotif[static_cast<std::size_t>(label - ops)];
}

Result<DagPicture> dagPicture(std::shared_ptr<const TrainingDag> dag, DagOpId around, const std::stop_token &stop,
                              std::size_t most) {
    PictureMaker maker(std::move(dag));
    TRY(maker.makeDag(around, most, stop));
    return maker.take();
}

Result<DagPicture> planPicture(const PlannedWork &work, const PlannedRecording &run, DagOpId around, const std::stop_token &stop,
                               std::size_t most) {
    // As it was played: a job's DAG has the processes and the speed that the cluster had at the time.
    auto dag =
        std::make_shared<const TrainingDag>(work.ofJob ? TRY(dagOfJob(*run.job, run.workers, run.computeScale)) : work.dag);
    if (run.timeline.labels.size() != dag->ops.size() + work.plan.motifs.size())
        return internalError("the drawn plan is not the played one");
    PictureMaker maker(std::move(dag));
    TRY(maker.makeDag(around, most, stop));
    maker.addPlan(work, run);
    return maker.take();
}

} // namespace syncopate

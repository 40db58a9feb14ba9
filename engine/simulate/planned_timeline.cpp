// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/planned_timeline.h"

#include "engine/base/rounding.h"
#include "engine/base/stoppable_sort.h"

#include <algorithm>
#include <string>
#include <utility>

namespace syncopate {

namespace {

class PlannedLanes {
public:
    PlannedLanes(const TrainingDag &dag, const ExecutionPlan &plan, const PlayedPlan &played)
        : m_dag(dag), m_plan(plan), m_played(played) {
        m_timeline.waitsAreTraffic = true;
        addLane("compute", true);
        for (const Channel &channel : plan.channels)
            addLane(channel.name, false);
        for (const DagOp &op : dag.ops)
            m_timeline.labels.push_back(op.name);
        for (const SyncUnit &motif : played.graph.units)
            m_timeline.labels.push_back(motif.name);
    }

    Timeline make(const std::stop_token &stop) {
        const TaskGraph &graph = m_played.graph;
        const Schedule &schedule = m_played.schedule;
        std::vector<TaskId> tasks;
        for (std::size_t t = 0; t < graph.size(); ++t)
            if (graph.kind[t] != TaskKind::Join &&
                toNanoseconds(schedule.startSeconds[t]) < toNanoseconds(schedule.endSeconds[t]))
                tasks.emplace_back(t);
        sortUnlessStopped(
            tasks, [&](TaskId a, TaskId b) { return schedule.startSeconds[a.index()] < schedule.startSeconds[b.index()]; }, stop);
        for (const TaskId task : tasks)
            if (!stop.stop_requested())
                add(task);
        const auto starts = iterationStarts(graph, schedule);
        for (const double start : starts.front())
            m_timeline.iterationStart.push_back(toNanoseconds(start));
        return std::move(m_timeline);
    }

private:
    void addLane(const std::string &name, bool isCompute) {
        Lane lane;
        lane.name = name;
        lane.worker = 0;
        lane.isCompute = isCompute;
        m_timeline.lanes.push_back(std::move(lane));
    }

    void add(TaskId task) {
        const TaskGraph &graph = m_played.graph;
        const std::size_t t = task.index();
        const UnitId unit = graph.unit[t];
        const DagOp &op = m_dag.ops[graph.layer[t].index()];
        const PlannedMotif *motif = unit.exists() ? &m_plan.motifs[unit.index()] : nullptr;
        Lane &lane = m_timeline.lanes[motif ? 1 + motif->channel.index() : 0];
        lane.start.push_back(toNanoseconds(m_played.schedule.startSeconds[t]));
        lane.end.push_back(toNanoseconds(m_played.schedule.endSeconds[t]));
        lane.category.push_back(!motif ? op.backward ? Category::Backward : Category::Forward
                                : op.collective == CollectiveKind::AllReduce ? Category::AllReduce
                                                                             : Category::OtherComm);
        lane.label.push_back(motif ? static_cast<std::int32_t>(m_dag.ops.size()) + unit.number() : graph.layer[t].number());
        lane.variable.push_back(-1);
        lane.task.push_back(task.number());
        lane.sizeBytes.push_back(motif ? sentBytes(motif->motif, op.sizeBytes, m_dag.groupSize(op)) : 0);
        m_timeline.duration = std::max(m_timeline.duration, lane.end.back());
    }

    const TrainingDag &m_dag;
    const ExecutionPlan &m_plan;
    const PlayedPlan &m_played;
    Timeline m_timeline;
};

} // namespace

Timeline plannedTimeline(const TrainingDag &dag, const ExecutionPlan &plan, const PlayedPlan &played,
                         const std::stop_token &stop) {
    return PlannedLanes(dag, plan, played).make(stop);
}

} // namespace syncopate

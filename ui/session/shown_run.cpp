// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/shown_run.h"

#include "engine/base/stoppable_sort.h"
#include "engine/graph/task_hops.h"
#include "engine/rewrite/scenario_lint.h"
#include "engine/timeline/find_spans.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {
Nanoseconds toNanoseconds(double seconds) { return static_cast<Nanoseconds>(std::llround(seconds * 1e9)); }

/// The result of `make`, or an empty one if stop was requested.
template <class Make> auto unlessStopped(const std::stop_token &stop, Make make) {
    return stop.stop_requested() ? decltype(make()){} : make();
}
} // namespace

namespace {

/// Per lane, the bytes per second at which its worker's link is full: the first link that its first transfer crosses on the way
/// out or, for pulls, on the way in. 0 if unknown. Empty without a graph: a measured run names no links.
std::vector<double> capacitiesOf(const Recording &recording, const GraphRun *graph) {
    std::vector<double> capacities;
    if (!graph)
        return capacities;
    capacities.assign(recording.timeline.lanes.size(), 0);
    for (std::size_t l = 0; l < capacities.size(); ++l) {
        const Lane &lane = recording.timeline.lanes[l];
        if (lane.size() == 0 || lane.isCompute)
            continue;
        const bool receives = lane.category.front() == Category::Pull;
        forEachHop(graph->graph, TaskId(lane.task.front()), [&](const PathHop &hop, double) {
            const FluidLink &link = graph->graph.links[hop.link.index()];
            if (capacities[l] == 0 && link.receives == receives && !link.nodes.empty() && hop.weight > 0)
                capacities[l] = link.bytesPerSecond / hop.weight;
        });
    }
    return capacities;
}

} // namespace

ShownRun::ShownRun(std::shared_ptr<const Recording> recording, const std::stop_token &stop)
    : ShownRun(std::move(recording), nullptr, stop) {}

ShownRun::ShownRun(const std::shared_ptr<const PlannedRecording> &plan, const std::stop_token &stop)
    : ShownRun(plan, plan.get(), stop, plan->laneChannels) {
    m_plan = plan.get();
}

ShownRun::ShownRun(const std::shared_ptr<const Run> &run, const std::stop_token &stop) : ShownRun(run, run.get(), stop) {
    m_simulation = run.get();
    m_variables = unlessStopped(stop, [this] { return syncopate::variableRows(*m_simulation); });
    m_variableExposed = exposedOfVariables(*m_simulation, stop);
    m_servers = unlessStopped(stop, [this] { return serverShares(*m_simulation); });
    if (!stop.stop_requested())
        m_lint = lintScenario(m_simulation->scenario);
}

ShownRun::ShownRun(std::shared_ptr<const Recording> recording, const GraphRun *graph, const std::stop_token &stop,
                   const std::vector<ChannelId> &laneChannels)
    : m_recording(std::move(recording)), m_graph(graph), m_workers(workersOf(*m_recording, graph)),
      m_window(iterationStatistics(*m_recording, stop)),
      m_timeline(std::shared_ptr<const Timeline>(m_recording, &m_recording->timeline),
                 toNanoseconds(m_recording->windowStartSeconds), toNanoseconds(m_recording->iterationSeconds), stop,
                 m_window.worker, laneChannels, capacitiesOf(*m_recording, graph)) {}

std::vector<double> ShownRun::exposedOfVariables(const Run &run, const std::stop_token &stop) const {
    const TaskGraph &graph = run.graph;
    // Consistent with variableRows(): worker 0's traffic of the last full iteration, wherever it ends.
    const std::int32_t iteration = graph.iterations - 2;
    std::vector<std::vector<std::pair<Nanoseconds, Nanoseconds>>> spans(m_variables.size());
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (t % stopInterval == 0 && stop.stop_requested())
            return {};
        if (graph.iteration[t] != iteration || !graph.unit[t].exists() || (!graph.path[t].exists() && !graph.ring[t].exists()) ||
            graph.worker[t].number() > 0)
            continue;
        const auto span = std::make_pair(toNanoseconds(run.startSeconds[t]), toNanoseconds(run.endSeconds[t]));
        if (span.first < span.second)
            for (const std::int32_t v : graph.units[graph.unit[t].index()].variables)
                spans[static_cast<std::size_t>(v)].push_back(span);
    }
    // To worker 0, too; the timeline has that of the worker with the longest exposed communication.
    std::vector<std::pair<Nanoseconds, Nanoseconds>> toWorker;
    if (m_window.worker != 0)
        toWorker = exposedIntervals(m_recording->timeline, 0, stop);
    else
        for (std::size_t i = 0; i < m_timeline.exposed().lane().size(); ++i)
            toWorker.emplace_back(m_timeline.exposed().lane().start[i], m_timeline.exposed().lane().end[i]);
    std::vector<double> exposed(m_variables.size(), 0.0);
    for (std::size_t v = 0; v < spans.size() && !stop.stop_requested(); ++v) {
        std::sort(spans[v].begin(), spans[v].end());
        Nanoseconds covered = 0, sum = 0;
        for (const auto &[start, end] : spans[v]) {
            const Nanoseconds from = std::max(start, covered);
            auto part = std::ranges::upper_bound(toWorker, from, {}, &std::pair<Nanoseconds, Nanoseconds>::second);
            for (; from < end && part != toWorker.end() && part->first < end; ++part)
                sum += std::min(part->second, end) - std::max(part->first, from);
            covered = std::max(covered, end);
        }
        exposed[v] = static_cast<double>(sum) * 1e-9;
    }
    return exposed;
}

void ShownRun::markLabels(const std::vector<std::uint8_t> &wanted, std::vector<std::uint8_t> &labels) const {
    // Spans know their task, and tasks their unit or layer: no naming convention for labels is needed. A bucket has its variables
    // in a list, not in its name.
    const TaskGraph &graph = m_simulation->graph;
    const Job &job = *m_recording->job;
    const auto hasWanted = [&wanted](const auto &variables) {
        return std::ranges::any_of(variables, [&wanted](std::int32_t v) { return wanted[static_cast<std::size_t>(v)] != 0; });
    };
    std::vector<std::uint8_t> unitLit(graph.units.size(), 0), layerLit(job.layers.size(), 0);
    for (std::size_t u = 0; u < graph.units.size(); ++u)
        unitLit[u] = hasWanted(graph.units[u].variables);
    for (std::size_t l = 0; l < job.layers.size(); ++l)
        layerLit[l] = hasWanted(job.layers[l].variables);
    for (const Lane &lane : m_recording->timeline.lanes)
        for (std::size_t i = 0; i < lane.size(); ++i) {
            const std::size_t task = TaskId(lane.task[i]).index();
            const UnitId unit = graph.unit[task];
            const LayerId layer = graph.layer[task];
            if (unit.exists() ? unitLit[unit.index()] : layer.exists() && layerLit[layer.index()])
                labels[static_cast<std::size_t>(lane.label[i])] = 1;
        }
}

std::vector<std::uint8_t> ShownRun::labelsOf(std::int32_t variable) const {
    std::vector<std::uint8_t> lit(m_recording->timeline.labels.size(), 0);
    if (!m_simulation)
        return lit; // recorded events do not name the variables they move
    std::vector<std::uint8_t> wanted(m_recording->job->variables.size(), 0);
    for (std::size_t v = 0; v < wanted.size(); ++v)
        wanted[v] = static_cast<std::int32_t>(v) == variable;
    markLabels(wanted, lit);
    return lit;
}

std::vector<std::uint8_t> ShownRun::labelsMatching(const std::string &text) const {
    std::vector<std::uint8_t> labels = labelsContaining(m_recording->timeline, text);
    if (text.empty() || !m_simulation)
        return labels;
    std::vector<std::uint8_t> named;
    for (const Variable &variable : m_recording->job->variables)
        named.push_back(containsIgnoringCase(variable.name, text));
    markLabels(named, labels);
    return labels;
}

const FlowFinder &ShownRun::flows() const {
    std::call_once(m_flowsMade, [this] { m_flows = std::make_unique<const FlowFinder>(*m_graph); });
    return *m_flows;
}

std::vector<SpanFlow> ShownRun::toSpans(const std::vector<Flow> &flows, const SpanRef *selected) const {
    const Timeline &timeline = m_recording->timeline;
    const TaskSpans &spans = this->flows().spans();
    std::vector<SpanFlow> arrows;
    arrows.reserve(flows.size());
    for (const Flow &flow : flows) {
        SpanRef from = spans.of(flow.from.number()).front(), to = spans.of(flow.to.number()).front();
        const std::int32_t fromWorker = m_graph->graph.worker[flow.from.index()].number();
        // A collective is on every worker's lanes: the arrow stays on the worker of the other end.
        if (selected) {
            const std::int32_t worker = timeline.lanes[selected->lane].worker;
            const bool out = flow.from == TaskId(timeline.lanes[selected->lane].task[selected->span]);
            (out ? from : to) = *selected;
            (out ? to : from) = *spans.nearest(timeline, (out ? flow.to : flow.from).number(), worker);
        } else {
            to = *spans.nearest(timeline, flow.to.number(), fromWorker);
            from = *spans.nearest(timeline, flow.from.number(), timeline.lanes[to.lane].worker);
        }
        arrows.push_back({from, to});
    }
    return arrows;
}

std::vector<SpanFlow> ShownRun::flowsOfSpan(const SpanRef &span) const {
    const auto &lanes = m_recording->timeline.lanes;
    if (!m_graph || span.lane >= lanes.size() || span.span >= lanes[span.lane].size())
        return {};
    return toSpans(flows().ofTask(TaskId(lanes[span.lane].task[span.span]), maxFlowArrows), &span);
}

std::vector<SpanFlow> ShownRun::flowsOfVariable(std::int32_t variable) const {
    if (!m_simulation)
        return {};
    return toSpans(flows().ofVariable(variable, m_timeline.origin(), m_timeline.origin() + m_timeline.iteration(), maxFlowArrows),
                   nullptr);
}

std::vector<SpanFlow> ShownRun::criticalPath() const {
    std::vector<SpanFlow> path;
    if (!m_plan)
        return path;
    const TaskSpans &spans = flows().spans();
    const SpanRef *before = nullptr;
    for (const TaskId task : m_plan->criticalTasks) {
        const auto drawn = spans.of(task.number());
        if (drawn.empty())
            continue;
        if (before)
            path.push_back({*before, drawn.front()});
        before = &drawn.front();
    }
    return path;
}

UnitId ShownRun::unitOfTask(TaskId task) const {
    return m_simulation && task.exists() && task.index() < m_simulation->graph.size() ? m_simulation->graph.unit[task.index()]
                                                                                      : UnitId();
}

std::string whyNotComparable(Quantity quantity, const ShownRun *a, const ShownRun *b) {
    return a && b ? whyNotComparable(quantity, a->recording(), a->window(), b->recording(), b->window()) : std::string();
}

} // namespace syncopate::ui

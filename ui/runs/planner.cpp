// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/planner.h"

#include "engine/base/rounding.h"
#include "engine/simulate/planned_timeline.h"
#include "ui/tasks/throttle.h"

#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

PlanMethod searchShownFor(PlanMethod chosen) { return isSearch(chosen) ? chosen : PlanMethod::Syndicate; }

/// In the order in which they run.
std::vector<PlanMethod> methodsFor(const PlanTask &task) {
    const PlanMethod shown = searchShownFor(task.method);
    std::vector<PlanMethod> methods = comparedMethods(task.request, task.method);
    std::ranges::stable_sort(methods, {}, [shown](PlanMethod method) {
        return isBaseline(method) ? 0 : method == shown ? 1 : method == PlanMethod::Syndicate ? 2 : isSearch(method) ? 3 : 4;
    });
    return methods;
}

/// The played plan, with its settled iteration at time 0.
Result<std::shared_ptr<const TimelineData>> timelineOf(const PlanRequest &request, const FoundPlan &found,
                                                       const std::stop_token &stop) {
    const TrainingDag dag = withSubmission(*request.dag, found.plan.enforced);
    const PlayedPlan played = TRY(playPlanTasks(dag, found.plan, request.costs, stop));
    auto timeline = std::make_shared<const Timeline>(plannedTimeline(dag, found.plan, played, stop));
    std::vector<ChannelId> channels;
    for (std::size_t lane = 0; lane < timeline->lanes.size(); ++lane) // compute, then the channels
        channels.push_back(lane == 0 ? ChannelId() : ChannelId(lane - 1));
    const Nanoseconds start = timeline->iterationStart[static_cast<std::size_t>(played.settled)];
    auto data = std::make_shared<const TimelineData>(std::move(timeline), start, toNanoseconds(found.run.iterationSeconds), stop,
                                                     0, std::move(channels));
    if (stop.stop_requested()) // incomplete
        return cancelled();
    return data;
}

} // namespace

/// Collects the results of a run and posts them together, at most once per interval.
class Planner::Reporter {
public:
    explicit Reporter(const Background<Batch>::Post &post) : m_post(post) {}

    [[nodiscard]] Batch &batch() { return m_batch; }
    void report(bool now) {
        if (!m_throttle.isDue(now))
            return;
        Batch next; // keeps the fields that do not change from batch to batch
        next.task = m_batch.task;
        next.boundSeconds = m_batch.boundSeconds;
        next.working = m_batch.working;
        m_post(std::exchange(m_batch, std::move(next)));
    }

private:
    const Background<Batch>::Post &m_post;
    Batch m_batch;
    Throttle m_throttle;
};

void Planner::forget() {
    m_task.reset();
    m_boundSeconds = 0;
    m_found = {};
    m_timelines = {};
    m_steps.clear();
    m_error.reset();
}

void Planner::clear() {
    m_worker.cancel();
    forget();
    Q_EMIT cleared();
    setStatus(Status::Idle);
}

void Planner::start(const SessionState &state, const PlanSettings &settings) {
    m_state = state;
    forget();
    m_worker.start([state, settings](const std::stop_token &stop, const auto &post) {
        Reporter reporter(post);
        if (const auto planned = plan(reporter, state, settings, stop); !planned)
            reporter.batch().error = planned.error();
        reporter.batch().ended = true;
        reporter.report(true);
    });
    Q_EMIT cleared();
    setStatus(Status::Running);
}

Result<void> Planner::plan(Reporter &reporter, const SessionState &state, const PlanSettings &settings,
                           const std::stop_token &stop) {
    const auto task = std::make_shared<const PlanTask>(TRY(planTask(state, settings)));
    reporter.batch().task = task;
    for (const PlanMethod method : methodsFor(*task)) {
        reporter.batch().working = method;
        reporter.report(true);
        const bool shown = method == searchShownFor(task->method);
        auto found = TRY(findPlan(task->request, method, stop, [&](const PlanStep &step) {
            if (shown)
                reporter.batch().steps.push_back(step);
            reporter.report(false);
        }));
        auto timeline = TRY(timelineOf(task->request, found, stop));
        reporter.batch().found.push_back({std::make_shared<const FoundPlan>(std::move(found)), std::move(timeline)});
        if (reporter.batch().boundSeconds == 0)
            reporter.batch().boundSeconds = planBoundSeconds(task->request, stop);
    }
    return {};
}

void Planner::stop() {
    if (m_status != Status::Running)
        return;
    m_worker.cancel();
    setStatus(Status::Stopped);
}

void Planner::take(const Batch &batch) {
    m_task = batch.task;
    m_boundSeconds = batch.boundSeconds;
    m_working = batch.working;
    m_steps.insert(m_steps.end(), batch.steps.begin(), batch.steps.end());
    for (const auto &[plan, timeline] : batch.found) {
        m_found[static_cast<std::size_t>(plan->method)] = plan;
        m_timelines[static_cast<std::size_t>(plan->method)] = timeline;
        Q_EMIT planFound(plan->method);
    }
    Q_EMIT progressed();
    if (!batch.ended)
        return;
    m_error = batch.error;
    setStatus(m_error ? Status::Failed : Status::Done);
}

void Planner::setStatus(Status status) {
    m_status = status;
    Q_EMIT statusChanged();
}

std::int32_t Planner::foundCount() const {
    return static_cast<std::int32_t>(std::count_if(m_found.begin(), m_found.end(), [](const auto &found) { return found; }));
}

std::int32_t Planner::methodCount() const {
    return m_task ? static_cast<std::int32_t>(comparedMethods(m_task->request, m_task->method).size()) : 0;
}

} // namespace syncopate::ui

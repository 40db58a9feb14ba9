// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/tune_runner.h"

#include "engine/base/parallel_in_order.h"
#include "engine/search/tune/refined_map.h"
#include "engine/search/tune/tuners.h"
#include "ui/runs/counting_judge.h"
#include "ui/tasks/throttle.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>

namespace syncopate::ui {

namespace {

using Clock = std::chrono::steady_clock;
using Post = std::function<void(std::shared_ptr<const TuneRun>)>;

/// One plan being run.
class Work {
public:
    Work(const TunePlan &plan, std::stop_token stop, Post post) : m_stop(std::move(stop)), m_post(std::move(post)) {
        m_run.plan = plan;
        m_run.map.counts = plan.counts;
        for (const std::string &tuner : plan.tuners)
            m_run.tuners.push_back({tuner, std::nullopt, {}});
    }

    void run() {
        const auto done = runAll();
        const std::scoped_lock lock(m_mutex);
        if (!done && done.error().isCancelled())
            return;
        if (!done)
            m_run.error = done.error();
        m_run.complete = true;
        m_post(std::make_shared<const TuneRun>(m_run));
    }

private:
    Result<void> runAll() {
        const auto space = TRY(TuneSpace::make(TRY(recipeOf(m_run.plan.state, Side::A)), m_run.plan.axes));
        const auto simulated = TRY(makeJudge("simulated()"));
        CountingJudge judge(*simulated, [this] { change([](TuneRun &run) { ++run.simulations; }); });
        TRY(makeMap(space, judge));
        const TuneStep usual = TRY(judgeKnown(space, space.defaultValues(), judge)),
                       present = TRY(judgeKnown(space, space.presentValues(), judge));
        TuneBound bound = usual.error.empty() ? TRY(boundOf(space, m_stop)) : TuneBound{};
        change([&](TuneRun &run) {
            run.usual = usual;
            run.present = present;
            run.bound = std::move(bound);
        });
        return runTuners(space, judge);
    }

    Result<void> makeMap(const TuneSpace &space, Judge &judge) {
        const auto start = Clock::now();
        const auto levels = mapLevels(m_run.plan.counts);
        auto coarseLeft = std::count(levels.begin(), levels.end(), std::size_t{0});
        change([&](TuneRun &run) { run.map.points.resize(levels.size()); });
        const auto sink = [&](std::size_t point, const TuneStep &step) {
            coarseLeft -= levels[point] == 0 ? 1 : 0;
            const bool coarseEnds = coarseLeft == 0 && levels[point] == 0;
            change(
                [&](TuneRun &run) {
                    run.map.points[point] = step;
                    ++run.judged;
                    if (coarseEnds)
                        run.coarseSeconds = std::chrono::duration<double>(Clock::now() - start).count();
                },
                coarseEnds);
        };
        auto map = TRY(refineMap(space, m_run.plan.counts, judge, {.coarse = m_run.plan.coarse}, sink, m_stop));
        change([&](TuneRun &run) { run.map = std::move(map); });
        return {};
    }

    /// A setting that cannot be simulated becomes a step with an error.
    Result<TuneStep> judgeKnown(const TuneSpace &space, const std::vector<double> &values, Judge &judge) {
        auto step = judgeSetting(space, values, judge, m_stop);
        if (step || step.error().isCancelled())
            return step;
        TuneStep failed;
        failed.values = values;
        failed.error = step.error().toString();
        return failed;
    }

    Result<void> runTuners(const TuneSpace &space, Judge &judge) {
        if (m_run.plan.tuners.empty())
            return {};
        std::size_t taken = 0;
        const auto next = [&] { return taken < m_run.plan.tuners.size() ? std::optional(taken++) : std::nullopt; };
        const auto tune = [&](std::size_t tuner) {
            auto tuning = tuningOf(m_run.plan.tuners[tuner], space, judge);
            if (m_stop.stop_requested())
                return false;
            change(
                [&](TuneRun &run) {
                    if (tuning)
                        run.tuners[tuner].tuning = *std::move(tuning);
                    else
                        run.tuners[tuner].error = tuning.error().toString();
                },
                true);
            return true;
        };
        const unsigned threads = threadsFor();
        parallelInOrder<std::size_t, bool>(threads, m_run.plan.tuners.size(), next, tune, [](bool ended) { return ended; });
        return m_stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
    }

    Result<Tuning> tuningOf(const std::string &expression, const TuneSpace &space, Judge &judge) {
        const auto tuner = TRY(makeTuner(expression, space, m_run.plan.seed));
        return runTuning(*tuner, judge, {m_run.plan.evaluations, 1}, m_stop);
    }

    /// Changes the run and, if the last post was long enough ago or `atOnce`, posts it.
    template <class Edit> void change(Edit &&edit, bool atOnce = false) {
        const std::scoped_lock lock(m_mutex);
        edit(m_run);
        if (m_throttle.isDue(atOnce))
            m_post(std::make_shared<const TuneRun>(m_run));
    }

    const std::stop_token m_stop;
    const Post m_post;
    std::mutex m_mutex; ///< guards the members below; the plan is constant
    TuneRun m_run;
    Throttle m_throttle;
};

} // namespace

void TuneRunner::start(const TunePlan &plan) {
    m_worker.start([plan](const std::stop_token &stop, const auto &post) { Work(plan, stop, post).run(); });
}

} // namespace syncopate::ui

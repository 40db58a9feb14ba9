// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/conditions_run.h"

#include "engine/strategy/comm_policy.h"
#include "ui/runs/counting_judge.h"
#include "ui/runs/run_text.h"
#include "ui/runs/tune_run.h"
#include "ui/tasks/throttle.h"

#include <QCoreApplication>
#include <algorithm>
#include <mutex>
#include <utility>

namespace syncopate::ui {

namespace {

QString tr(const char *text) { return QCoreApplication::translate("ConditionsRun", text); }

} // namespace

std::vector<TuneAxis> retunedAxes(const SessionState &state) {
    std::vector<TuneAxis> usual = TuneSpace::partitionAndCredit();
    if (settingOf(state, Side::A, usual))
        return usual;
    std::vector<TuneAxis> own;
    for (std::size_t d = 0; d < scenarioSpace().size() && own.size() < 2; ++d)
        if (!scenarioSpace()[d].isOfCluster() && settingOf(state, Side::A, {usualAxis(d)}))
            own.push_back(usualAxis(d));
    return own;
}

double ConditionsRun::speedOf(std::size_t arm, std::size_t iteration) const {
    const double samples = arms[arm].samplesPerSecond * arms[arm].totalSeconds / static_cast<double>(iterations());
    return samples / arms[arm].steps[iteration].seconds;
}

const std::vector<double> &ConditionsRun::settingOf(std::size_t arm, std::size_t iteration) const {
    const auto &changes = arms[arm].changes;
    const auto after =
        std::upper_bound(changes.begin(), changes.end(), iteration, [](std::size_t when, const RetuningArm::Change &change) {
            return when < static_cast<std::size_t>(change.iteration);
        });
    return std::prev(after)->values; // the first change is at iteration 0
}

QString ConditionsRun::describe(std::size_t iteration) const {
    QStringList speeds;
    for (std::size_t arm = 0; arm < arms.size(); ++arm)
        speeds << QStringLiteral("%1 %2").arg(QString::fromStdString(arms[arm].name), samplesText(speedOf(arm, iteration)));
    return tr("iteration %1, %2, samples/s: %3")
        .arg(QString::number(iteration), QString::fromStdString(conditionOf(retunedArm, iteration).describe()),
             speeds.join(QStringLiteral(", ")));
}

Result<SessionState> withIteration(const SessionState &state, Side side, const ConditionsRun &run, std::size_t arm,
                                   std::size_t iteration) {
    ScenarioRecipe recipe = underCondition(TRY(recipeOf(run.plan.state, Side::A)), run.conditionOf(arm, iteration));
    const std::vector<double> &values = run.settingOf(arm, iteration);
    if (values.empty())
        recipe.policy = TRY(parsePolicy(plainPolicy));
    for (std::size_t i = 0; i < values.size(); ++i)
        recipe = TRY(run.plan.axes[i].of().with(std::move(recipe), values[i]));
    SessionState next = withKnobsInClusters(state);
    SideState &target = next.side(side);
    target.source = run.plan.state.side(Side::A).source;
    target.policy = formatPolicy(recipe.policy);
    target.cluster = recipe.cluster;
    target.clusterSource =
        tr("iteration %1 of %2").arg(QString::number(iteration), QString::fromStdString(run.arms[arm].name)).toStdString();
    next.compare = next.compare || side == Side::B;
    return next;
}

void ConditionsRunner::start(const ConditionsPlan &plan) {
    m_worker.start([plan](const std::stop_token &stop, const auto &post) {
        ConditionsRun run;
        run.plan = plan;
        std::mutex mutex; // of run and throttle
        Throttle throttle;
        const auto count = [&] {
            const std::scoped_lock lock(mutex);
            ++run.simulations;
            if (throttle.isDue())
                post(std::make_shared<const ConditionsRun>(run));
        };
        const auto play = [&]() -> Result<std::vector<RetuningArm>> {
            const auto recipe = TRY(recipeOf(plan.state, Side::A));
            const auto simulated = TRY(makeJudge("simulated()"));
            CountingJudge judge(*simulated, count);
            return playRetuning(recipe, plan.axes, plan.schedule, plan.options, judge, stop);
        };
        auto arms = play();
        if (stop.stop_requested())
            return;
        if (arms)
            run.arms = *std::move(arms);
        else
            run.error = arms.error();
        run.complete = true;
        post(std::make_shared<const ConditionsRun>(run));
    });
}

} // namespace syncopate::ui

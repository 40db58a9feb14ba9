// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/conditions_run.h"

#include "engine/analyze/sweep.h"
#include "engine/export/launcher_settings.h"
#include "engine/search/tune/tuners.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/policy.h"
#include "ui/runs/counting_judge.h"
#include "ui/runs/run_text.h"
#include "ui/runs/tune_run.h"
#include "ui/tasks/throttle.h"
#include "ui/theme/rate_unit.h"

#include <QCoreApplication>
#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <utility>

namespace syncopate::ui {

namespace {

struct ConditionsRunText {
    Q_DECLARE_TR_FUNCTIONS(ConditionsRun)
};

/// A as it was trained, with a setting, under the condition of an iteration.
Result<ScenarioRecipe> recipeAt(const ConditionsRun &run, const Condition &condition, const std::vector<double> &values) {
    ScenarioRecipe recipe = underCondition(TRY(recipeOf(run.plan.state, Side::A)), condition);
    if (values.empty())
        recipe.policy = TRY(parsePolicy(plainPolicy));
    for (std::size_t i = 0; i < values.size(); ++i)
        recipe = TRY(run.plan.axes[i].of().with(std::move(recipe), values[i]));
    return recipe;
}

} // namespace

std::vector<TuneAxis> retunedAxes(const SessionState &state) {
    std::vector<TuneAxis> usual = TuneSpace::partitionAndCredit();
    if (settingOf(state, Side::A, usual))
        return usual;
    std::vector<TuneAxis> axes;
    for (std::size_t d = 0; d < scenarioSpace().size() && axes.size() < 2; ++d)
        if (!scenarioSpace()[d].isOfCluster() && settingOf(state, Side::A, {usualAxis(d)}))
            axes.push_back(usualAxis(d));
    return axes;
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
    const Condition &shown = conditionOf(retunedArm, iteration);
    QStringList speeds;
    for (std::size_t arm = 0; arm < arms.size(); ++arm) {
        const Condition &own = conditionOf(arm, iteration);
        speeds << QStringLiteral("%1 %2").arg(QString::fromStdString(arms[arm].name), samplesText(speedOf(arm, iteration)));
        if (!own.sameAs(shown))
            speeds.back() += QStringLiteral(" (%1)").arg(QString::fromStdString(own.describe()));
    }
    return ConditionsRunText::tr("iteration %1, %2, %3: %4")
        .arg(QString::number(iteration), QString::fromStdString(shown.describe()), rateUnitText(statesBatch()),
             speeds.join(QStringLiteral(", ")));
}

Result<SessionState> withIteration(const SessionState &state, Side side, const ConditionsRun &run, std::size_t arm,
                                   std::size_t iteration) {
    const ScenarioRecipe recipe = TRY(recipeAt(run, run.conditionOf(arm, iteration), run.settingOf(arm, iteration)));
    SessionState next = withKnobsInClusters(state);
    SideState &target = next.side(side);
    target.source = run.plan.state.side(Side::A).source;
    target.policy = formatPolicy(recipe.policy);
    target.cluster = recipe.cluster;
    target.clusterSource = ConditionsRunText::tr("iteration %1 of %2")
                               .arg(QString::number(iteration), QString::fromStdString(run.arms[arm].name))
                               .toStdString();
    next.compare = next.compare || side == Side::B;
    return next;
}

std::string settingSuffix(const ConditionsRun &run) {
    const auto policy = parsePolicy(run.plan.state.side(Side::A).policy);
    return policy && !policy->kind().launchers.empty() ? policy->kind().launchers.front()->suffix : "";
}

Result<std::string> settingFileOf(const ConditionsRun &run, std::size_t arm, std::size_t iteration) {
    const ScenarioRecipe recipe = TRY(recipeAt(run, run.conditionOf(arm, iteration), run.settingOf(arm, iteration)));
    const auto &systems = recipe.policy.kind().launchers;
    if (systems.empty())
        return fail(fmt::format("no system reads settings of the policy {}", formatPolicy(recipe.policy)),
                    "choose a way of tuning that has settings");
    return writeLauncherSettings(*systems.front(), TRY(makeScenario(recipe)));
}

void ConditionsRunner::start(const ConditionsPlan &plan) {
    m_worker.start([plan](const std::stop_token &stop, const auto &post) {
        ConditionsRun run;
        run.plan = plan;
        std::mutex mutex; // guards run and throttle
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
            RetuningOptions options = plan.options;
            const TuneSpace space = TRY(TuneSpace::make(recipe, plan.axes));
            const auto tuner = TRY(makeTuner(options.method, space, options.seed, options.network));
            options.evaluations = evaluationsOf(*tuner, options.evaluations, maxSweepPoints);
            run.lint = lintConditions(plan.schedule, TRY(space.defaultScenario()));
            return playRetuning(recipe, plan.axes, plan.schedule, options, judge, stop);
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

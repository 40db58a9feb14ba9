// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/parts.h"

#include "app/python/engine_error.h"
#include "engine/export/plan_export.h"
#include "engine/export/write_file.h"
#include "engine/job/batch.h"
#include "engine/search/search_methods.h"
#include "engine/session/load_scenario.h"
#include "engine/session/scenario_line.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <utility>

namespace py = pybind11;

namespace syncopate::python {

namespace {

constexpr std::int32_t maxEvaluations = 10'000'000; // as plan --evaluations

/// Converts values that JSON cannot represent: NumPy's numbers to Python's, paths to texts.
py::object plain(const py::object &value) {
    if (py::hasattr(value, "item"))
        return value.attr("item")();
    if (py::hasattr(value, "__fspath__"))
        return value.attr("__fspath__")();
    throw py::type_error(fmt::format("{} is not a text, number or truth value", py::repr(value).cast<std::string>()));
}

/// Parses the keyword arguments like a line of a batch, so that both reject the same input with the same message.
ScenarioLine settingsFrom(const py::kwargs &settings) {
    const auto dumps = py::module_::import("json").attr("dumps");
    const auto text = dumps(settings, py::arg("default") = py::cpp_function(&plain)).cast<std::string>();
    ScenarioLine line;
    line.options.job = line.options.cluster = line.options.strategy = "given";
    line.costs.measuredOption = "costs";
    line.costs.incastOption = "incast";
    auto read = readScenarioLine(text, std::move(line));
    if (!read)
        throw EngineError(std::move(read).error().error);
    return *std::move(read);
}

/// Refuses keys that a batch's line accepts but a function does not.
void refuseKeys(const py::kwargs &settings, std::initializer_list<const char *> keys, const char *remedy) {
    for (const char *key : keys)
        if (settings.contains(key))
            throw EngineError(fail(fmt::format("there is no option '{}' here", key), remedy, {}, key).value());
}

LoadedJob jobOf(const JobArgument &job, const ScenarioOptions &options) {
    if (const auto *path = std::get_if<std::filesystem::path>(&job))
        return loadJobNamed(*path, options.variables, options.measured, options.batchSize);
    if (!options.variables.empty() || !options.measured.empty() || options.batchSize > 0)
        throw EngineError(
            fail("variables, measured and batch_size apply to a job that is loaded here", "give them to load_job()").value());
    return std::get<LoadedJob>(job);
}

/// The cluster; it may be the one that the job's profile was recorded on.
std::shared_ptr<const Cluster> clusterOf(const ClusterArgument &cluster, const LoadedJob &job) {
    const auto *path = std::get_if<std::filesystem::path>(&cluster);
    return path ? valueOf(loadBareCluster(path->string(), job.profile.get())) : std::get<PyCluster>(cluster).cluster;
}

Result<StrategyRecipe> recipeOf(const StrategyArgument &strategy, const Job &job) {
    if (const auto *text = std::get_if<std::filesystem::path>(&strategy))
        return strategyRecipe(loadSource(text->string()), job);
    return strategyRecipe(FromFile{{}, std::get<PyStrategy>(strategy).strategy}, job);
}

} // namespace

LoadedJob loadJobNamed(const std::filesystem::path &nameOrPath, const std::string &variables, const std::string &measured,
                       double batchSize) {
    if (!(batchSize >= 0 && batchSize <= maxBatch))
        throw EngineError(
            fail(fmt::format("the batch size is {}", batchSize), "give the samples per worker and step, above 0", "batch_size")
                .value());
    ScenarioOptions options;
    options.batchSize = batchSize;
    options.job = nameOrPath.string();
    options.variables = variables;
    options.measured = measured;
    return interruptible([&](const std::stop_token &stop) { return loadScenarioJob(options, stop); });
}

PyCluster loadClusterNamed(const std::filesystem::path &nameOrPath) {
    return {valueOf(loadBareCluster(nameOrPath.string(), nullptr))};
}

PyStrategy buildStrategyNamed(const std::filesystem::path &expressionOrFile, const JobArgument &job,
                              const ClusterArgument &cluster) {
    const LoadedJob loaded = jobOf(job, {});
    const auto built = loaded.job;
    const auto on = clusterOf(cluster, loaded);
    return {interruptible([&](const std::stop_token &) -> Result<std::shared_ptr<const Strategy>> {
        const auto recipe = TRY(recipeOf(expressionOrFile, *built));
        return makeStrategy(recipe, *built, *on);
    })};
}

PyScenario scenarioOf(const JobArgument &job, const ClusterArgument &cluster, const StrategyArgument &strategy,
                      const py::kwargs &settings) {
    refuseKeys(settings, {"costs", "incast"}, "give them to plan(), whose motifs they apply to");
    const auto [options, seed, costs] = settingsFrom(settings);
    auto recipe = valueOf(settingsOf(options, seed));
    const LoadedJob loaded = jobOf(job, options);
    recipe.job = loaded.job;
    recipe.cluster = clusterOf(cluster, loaded);
    return interruptible([&](const std::stop_token &) -> Result<PyScenario> {
        recipe.strategy = TRY(recipeOf(strategy, *recipe.job));
        recipe.background = TRY(loadBackground(options));
        recipe.collectiveCurves = TRY(loadCurves(options.curves));
        return PyScenario{TRY(makeScenario(recipe)), loaded.profile};
    });
}

PyRun simulated(const PyScenario &scenario) {
    return interruptible([&](const std::stop_token &stop) -> Result<PyRun> {
        auto run = TRY(simulate(scenario.scenario, stop));
        const AreaStatistics area = iterationStatistics(*run, stop);
        const TrainingMemory memory = trainingMemory(*run);
        return PyRun{{run, area, run->wallSeconds, memory.deviceBytes()}, run, memory, scenario.profile};
    });
}

PyPlannedRun plannedBy(const JobArgument &job, const ClusterArgument &cluster, const std::filesystem::path &methodOrFile,
                       const std::string &collectives, std::optional<std::int32_t> evaluations, const py::kwargs &settings) {
    refuseKeys(settings, {"policy", "iterations", "fold", "curves", "background", "servers", "sharing"},
               "use workers, bandwidth, latency, costs, incast, variables, measured, batch_size or seed");
    if (!collectives.empty() && collectives != "recorded" && collectives != "gradients")
        throw EngineError(fail(fmt::format("there are no collectives '{}'", collectives), "use recorded or gradients").value());
    if (evaluations && !(*evaluations >= 1 && *evaluations <= maxEvaluations))
        throw EngineError(
            fail(fmt::format("a search of {} evaluations", *evaluations), fmt::format("ask for 1 to {}", maxEvaluations))
                .value());
    auto [options, seed, costs] = settingsFrom(settings);
    PlanSource source;
    if (const auto *path = std::get_if<std::filesystem::path>(&job)) {
        options.job = path->string();
        source = interruptible([&](const std::stop_token &stop) { return loadPlanSource(options, collectives, stop); });
    } else {
        const LoadedJob loaded = jobOf(job, options);
        source = {loaded.job->name, loaded, {}, false};
    }
    const auto on = clusterOf(cluster, source.job);
    return interruptible(
        [&, seed = seed, &options = options, &costs = costs](const std::stop_token &stop) -> Result<PyPlannedRun> {
            if (const std::string option = unreadOptionIn(source, options, collectives); !option.empty())
                return isNotRead(keyOfOption(option), source);
            const Cluster turned = withKnobs(*on, TRY(settingsOf(options, seed)).knobs);
            DagJob dag{TRY(planJobOf(source, turned, collectives)), {}, !costs.incast.empty()};
            dag.task = TRY(planTaskOf(dag.job, costs, seed));
            PlanRequest &request = dag.task.request;
            request.evaluations = evaluations.value_or(request.evaluations);
            request.minEvaluations = std::min(request.minEvaluations, request.evaluations);
            auto played = std::make_shared<const DagRun>(TRY(playDag(dag, methodOrFile.string(), "method", stop)));
            const AreaStatistics area = iterationStatistics(*played->run, stop);
            return PyPlannedRun{{played->run, area, played->wallSeconds, played->peakBytes}, played, request.costs};
        });
}

std::vector<std::string> savedPlan(const PyPlannedRun &run, const std::filesystem::path &path, const std::string &format,
                                   const std::string &op) {
    return interruptible([&](const std::stop_token &stop) -> Result<std::vector<std::string>> {
        const PlannedWork &work = run.played->work;
        auto written = TRY(exportPlan(format, {work.plan, work.dag, run.costs, op, &run.played->played, stop}));
        TRY(writeFile(path.string(), written.text));
        return std::move(written.refused);
    });
}

PySearch searched(const PyScenario &scenario, const std::string &method, const std::string &judge, std::uint64_t trials,
                  std::uint64_t seed, const std::string &objective, unsigned threads) {
    if (objective != "iteration" && objective != "exposed")
        throw EngineError(fail(fmt::format("there is no objective '{}'", objective), "use iteration or exposed").value());
    if (trials < 1 || trials > SearchRequest::maxTrials)
        throw EngineError(
            fail(fmt::format("a search of {} trials", trials), fmt::format("ask for 1 to {}", SearchRequest::maxTrials)).value());
    SearchRequest request;
    request.base = scenario.scenario;
    request.objective = objective == "exposed" ? SearchObjective::ExposedCommunication : SearchObjective::IterationTime;
    request.seed = seed;
    request.trials = trials;
    request.threads = threads;
    const auto chooser = valueOf(makeSearchMethod(method, request));
    const auto timer = valueOf(makeJudge(judge));
    return interruptible([&](const std::stop_token &stop) -> Result<PySearch> {
        SearchObserver silent;
        auto history = TRY(runSearch(request, *chooser, *timer, silent, {}, stop));
        auto best = TRY(bestCandidate(history, request.objective, *chooser));
        return PySearch{std::move(history), request.objective, std::move(best)};
    });
}

SettingsReport lintedSettings(const std::filesystem::path &fileOrText, const std::optional<JobArgument> &job,
                              const std::optional<ClusterArgument> &cluster, const py::kwargs &settings) {
    if (job.has_value() != cluster.has_value())
        throw EngineError(fail("settings are checked against a job on a cluster", "name both, or neither").value());
    if (!job && settings.size() > 0)
        throw EngineError(fail(fmt::format("{} says nothing about settings alone", std::string(py::str(settings.begin()->first))),
                               "name a job and a cluster, too")
                              .value());
    // Either the launcher's settings state it, or the checks do not depend on it.
    refuseKeys(settings, {"policy", "iterations", "fold", "curves", "background", "sharing", "costs", "incast"},
               "use workers, servers, bandwidth, latency, variables, measured, batch_size or seed");
    const auto [options, seed, costs] = settingsFrom(settings);
    std::optional<ScenarioRecipe> recipe;
    if (job) {
        recipe = valueOf(settingsOf(options, seed));
        const LoadedJob loaded = jobOf(*job, options);
        recipe->job = loaded.job;
        recipe->cluster = clusterOf(*cluster, loaded);
    }
    return interruptible([&](const std::stop_token &stop) { return reportSettings(fileOrText.string(), recipe, stop); });
}

QueryResult queried(const QueryInput &input, const std::string &sql, std::size_t rows) {
    QueryLimits limits;
    limits.maxRows = rows;
    limits.maxSeconds = 0; // Ctrl+C ends it
    return interruptible([&](const std::stop_token &stop) { return runQuery(input, sql, limits, stop); });
}

} // namespace syncopate::python

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/sweep.h"
#include "app/cli/dag_runs.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/ranks/inputs.h"
#include "app/cli/ranks/rank_spread.h"
#include "app/cli/rate.h"
#include "engine/analyze/pareto.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/predict/throughput.h"
#include "engine/session/dag_sweep.h"
#include "engine/session/load_scenario.h"
#include "engine/strategy/strategy_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <variant>

namespace syncopate::cli {

namespace {

struct SweepArguments {
    ScenarioOptions scenario;
    std::vector<std::string> knobs; ///< one or two of "bandwidth=1..100:13:log"
    std::string output;             ///< CSV file, empty = none
    double pricePerNodeHour = 0;    ///< 0 = not given
    unsigned threads = 0;           ///< 0 = one per core
    PlanCosts costs;                ///< of a training DAG
};

/// "bandwidth, latency, ..."
std::string knobNames() {
    std::string names;
    for (const Dimension &dimension : scenarioSpace())
        names += (names.empty() ? "" : ", ") + dimension.id;
    return names;
}

const Dimension &dimensionOf(const SweepAxis &axis) { return scenarioSpace()[axis.dimension]; }

/// The sweep described by --knob, over a recipe with these knobs.
Result<SweepPlan> planOf(const SweepArguments &arguments, ScenarioRecipe recipe) {
    std::vector<SweepAxis> axes;
    for (const std::string &knob : arguments.knobs) {
        axes.push_back(TRY(inFile(parseSweepAxis(knob), "--knob")));
        const Dimension &dimension = dimensionOf(axes.back());
        if (std::string reason = dimension.whyNot(recipe); !reason.empty())
            return fail(std::move(reason), "choose another knob, or another --policy");
    }
    if (axes.size() > 2)
        return fail(fmt::format("{} knobs are more than a map has", axes.size()), "sweep one or two");
    if (axes.size() == 2 && axes[0].dimension == axes[1].dimension)
        return fail(fmt::format("{} is swept twice", dimensionOf(axes[0]).id), "name two different knobs");
    SweepPlan plan{{std::move(recipe)}, axes.front()};
    if (axes.size() == 2)
        plan.y = axes.back();
    TRY(checkSweepPoints(plan.size()));
    return plan;
}

/// The values at the point with this number, in the order of the knobs.
std::vector<std::pair<const Dimension *, double>> valuesAt(const SweepPlan &plan, std::size_t point) {
    const std::size_t rows = plan.y ? plan.y->values.size() : 1;
    std::vector<std::pair<const Dimension *, double>> values{{&dimensionOf(plan.x), plan.x.values[point / rows]}};
    if (plan.y)
        values.emplace_back(&dimensionOf(*plan.y), plan.y->values[point % rows]);
    return values;
}

/// Which points are on the Pareto front of time and cost.
std::vector<bool> frontOf(const std::vector<SweepPoint> &points) {
    std::vector<Objectives> objectives;
    for (const SweepPoint &point : points)
        objectives.push_back(objectivesOf(point.samplesPerSecond, point.nodes));
    return paretoFront(objectives).has;
}

void writeJson(const SweepPlan &plan, const std::vector<SweepPoint> &points, double batchSize, double pricePerNodeHour,
               const RankSpread &ranks) {
    const std::vector<bool> front = frontOf(points);
    JsonWriter json;
    json.beginObject().key("knobs").beginArray();
    for (const SweepAxis *axis : {&plan.x, plan.y ? &*plan.y : nullptr})
        if (axis != nullptr) {
            json.beginObject().member("knob", dimensionOf(*axis).id).member("unit", nameOf(dimensionOf(*axis).unit));
            json.key("values").beginArray();
            for (const double value : axis->values)
                json.value(value);
            json.endArray().endObject();
        }
    json.endArray().key("points").beginArray();
    for (std::size_t p = 0; p < points.size(); ++p) {
        json.newLine().beginObject();
        for (const auto &[dimension, value] : valuesAt(plan, p))
            json.member(dimension->id, value);
        json.member("iteration_seconds", points[p].iterationSeconds).member("confidence", points[p].confidence);
        if (points[p].samplesPerSecond > 0)
            writeRate(json, batchSize, points[p].samplesPerSecond);
        else
            json.member("samples_per_second", points[p].samplesPerSecond);
        json.member("exposed_communication_seconds", points[p].exposedSeconds).member("nodes", points[p].nodes);
        json.member("peak_memory_bytes", points[p].peakMemoryBytes);
        if (pricePerNodeHour > 0)
            json.member("cost_per_step", costPerStep(points[p].iterationSeconds, points[p].nodes, pricePerNodeHour))
                .member("cost_per_sample",
                        samplesOnly(batchSize > 0, costPerSample(points[p].samplesPerSecond, points[p].nodes, pricePerNodeHour)));
        json.member("pareto_front", static_cast<bool>(front[p]));
        if (!points[p].error.empty())
            json.member("error", points[p].error);
        json.endObject();
    }
    json.endArray();
    ranks.write(json, "points_by_rank");
    json.endObject().newLine();
    printJson(json);
}

/// Whether the points have a rate; plans of a training DAG have none.
bool haveRates(const std::vector<SweepPoint> &points) {
    return std::ranges::any_of(points, [](const SweepPoint &point) { return point.samplesPerSecond > 0; });
}

/// A line per point; fields are empty if it cannot be simulated, or has no rate.
std::string csvOf(const SweepPlan &plan, const std::vector<SweepPoint> &points, bool statesBatch) {
    std::string text;
    for (const auto &[dimension, value] : valuesAt(plan, 0))
        text += dimension->column() + ",";
    text += fmt::format("iteration_seconds,{}\n", rateName(statesBatch));
    for (std::size_t p = 0; p < points.size(); ++p) {
        for (const auto &[dimension, value] : valuesAt(plan, p))
            text += fmt::format("{},", value);
        if (!points[p].error.empty())
            text += ",\n";
        else if (points[p].samplesPerSecond > 0)
            text += fmt::format("{},{}\n", points[p].iterationSeconds, points[p].samplesPerSecond);
        else
            text += fmt::format("{},\n", points[p].iterationSeconds);
    }
    return text;
}

std::string curveText(const SweepPlan &plan, const std::vector<SweepPoint> &points, bool statesBatch) {
    const Dimension &x = dimensionOf(plan.x);
    const std::vector<bool> front = frontOf(points);
    const bool rates = haveRates(points);
    std::string text =
        fmt::format("{:>14} {:>12}{}\n", x.name, "iteration", rates ? fmt::format(" {:>12}", rateUnit(statesBatch)) : "");
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points[i].error.empty())
            text += fmt::format("{:>14} cannot be simulated: {}\n", x.format(plan.x.values[i]), points[i].error);
        else
            text += fmt::format("{:>14} {:>12}{}\n", x.format(plan.x.values[i]), formatSeconds(points[i].iterationSeconds),
                                rates ? fmt::format(" {:>12.5g}{}", points[i].samplesPerSecond, front[i] ? "  *" : "") : "");
    if (!rates)
        return text;
    const char *const counted = statesBatch ? "sample" : "step";
    return text +
           fmt::format("* on the Pareto front: no other point has both more {}s per second and fewer node-seconds per {}\n",
                       counted, counted);
}

/// A table with the first knob downwards, the second to the right.
std::string mapText(const SweepPlan &plan, const std::vector<SweepPoint> &points) {
    const Dimension &x = dimensionOf(plan.x), &y = dimensionOf(*plan.y);
    const std::size_t rows = plan.y->values.size();
    std::string text = fmt::format("iteration, {} downwards, {} to the right\n{:>14}", x.name, y.name, "");
    for (const double value : plan.y->values)
        text += fmt::format(" {:>10}", y.format(value));
    for (std::size_t i = 0; i < plan.x.values.size(); ++i) {
        text += fmt::format("\n{:>14}", x.format(plan.x.values[i]));
        for (std::size_t j = 0; j < rows; ++j) {
            const SweepPoint &point = points[i * rows + j];
            text += fmt::format(" {:>10}", point.error.empty() ? formatSeconds(point.iterationSeconds) : "-");
        }
    }
    return text + "\n";
}

std::string textOf(const SweepPoint &point) {
    return packTexts({bitsOf(point.iterationSeconds), bitsOf(point.confidence), bitsOf(point.samplesPerSecond),
                      bitsOf(point.exposedSeconds), bitsOf(point.nodes), bitsOf(point.peakMemoryBytes), point.error});
}

Result<SweepPoint> pointIn(const std::string &part) {
    const auto texts = TRY(unpackTexts(part));
    if (texts.size() != 7)
        return internalError("a swept point is cut off");
    return SweepPoint{numberOf(texts[0]),
                      numberOf(texts[1]),
                      numberOf(texts[2]),
                      numberOf(texts[3]),
                      numberOf(texts[4]),
                      numberOf(texts[5]),
                      texts[6]};
}

/// The inputs of the sweep, for comparison between ranks.
std::vector<std::string> dependsOn(const ScenarioRecipe &recipe, const std::vector<std::string> &inputs) {
    std::vector<std::string> texts = inputTexts(withoutStrategy(recipe));
    if (const auto *fixed = std::get_if<FixedStrategy>(&recipe.strategy))
        texts.push_back(writeStrategyJson(*fixed->strategy));
    else
        texts.push_back(std::get<BuiltStrategy>(recipe.strategy).expression);
    texts.insert(texts.end(), inputs.begin(), inputs.end());
    return texts;
}

/// A sweep that can begin.
struct PreparedSweep {
    SweepPlan plan;
    std::vector<std::string> inputs; ///< texts that its points depend on besides the recipe
};

/// All points in order, distributed by `spread` unless it is null.
Result<std::vector<SweepPoint>> sweepAll(const PreparedSweep &sweep, const Spread &spread) {
    std::vector<SweepPoint> points;
    if (!spread) {
        points.resize(sweep.plan.size());
        TRY(runSweep(sweep.plan, {}, [&](std::size_t, std::size_t point, const SweepPoint &result) { points[point] = result; }));
        return points;
    }
    const auto make = [&sweep](std::size_t point, const std::stop_token &stop) {
        return textOf(sweptPoint(sweep.plan, 0, point, stop));
    };
    for (const std::string &part :
         TRY(spread([&] { return dependsOn(sweep.plan.recipes.front(), sweep.inputs); }, sweep.plan.size(), make)))
        points.push_back(TRY(pointIn(part)));
    return points;
}

Result<PreparedSweep> prepare(const Common &common, const SweepArguments &arguments) {
    const ScenarioOptions &options = arguments.scenario;
    if (!TRY(playsPlans(options, arguments.costs))) {
        TRY(requireStrategy(options));
        return PreparedSweep{TRY(planOf(arguments, TRY(loadRecipe(options, common.seed)))), arguments.knobs};
    }
    DagSweep dag = TRY(dagSweepOf(options, arguments.costs, common.seed));
    for (const std::string &knob : arguments.knobs) {
        const SweepAxis axis = TRY(inFile(parseSweepAxis(knob), "--knob"));
        TRY(inFile(checkReachesPlans(dimensionOf(axis), options.job, *dag.recipe.cluster), "--knob"));
    }
    PreparedSweep prepared{TRY(planOf(arguments, std::move(dag.recipe))), std::move(dag.inputs)};
    prepared.plan.judges = {std::move(dag.judge)};
    prepared.inputs.insert(prepared.inputs.end(), arguments.knobs.begin(), arguments.knobs.end());
    return prepared;
}

Outcome sweepCommand(const Common &common, const SweepArguments &arguments) {
    RankSpread ranks(common, "sweep");
    auto prepared = prepare(common, arguments);
    if (prepared)
        prepared->plan.threads = arguments.threads;
    const auto swept = prepared ? sweepAll(*prepared, ranks.spread()) : Unexpected(prepared.error());
    if (!swept)
        return ranks.failed(swept.error());
    const SweepPlan &plan = prepared->plan;
    const std::vector<SweepPoint> &points = *swept;
    const Job &job = *plan.recipes.front().job;
    if (std::all_of(points.begin(), points.end(), [](const SweepPoint &point) { return !point.error.empty(); }))
        return badInput("no point can be simulated: " + points.front().error, {});
    if (!arguments.output.empty())
        TRY(save(common, arguments.output, csvOf(plan, points, statesBatch(job))));
    if (common.json)
        writeJson(plan, points, job.batchSize, arguments.pricePerNodeHour, ranks);
    else
        print(plan.y ? mapText(plan, points) : curveText(plan, points, statesBatch(job)));
    return {};
}

Action declareSweep(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<SweepArguments>();
    addScenario(command, arguments->scenario);
    addStrategy(command, arguments->scenario, false);
    takeDags(command, arguments->costs);
    addBackground(command, arguments->scenario);
    addSharing(command, arguments->scenario);
    command
        .add_option(
            "--knob", arguments->knobs,
            "K=FROM..TO[:STEPS][:log], such as bandwidth=1..100 (Gbit/s) or partition=64KiB..64MiB:13:log; a second --knob "
            "makes a map. K: " +
                knobNames() + ". Without STEPS 11 values, or every one of few whole numbers; log: by equal factors")
        ->required()
        ->take_all()
        ->allow_extra_args(false);
    command
        .add_option("--price", arguments->pricePerNodeHour,
                    "Price of a node-hour, for the cost of a step and of a sample in --json; servers count as nodes")
        ->check(between(0.0, 1e9));
    command.add_option("--threads", arguments->threads, "Points simulated at once, 0: one per core; changes only the time")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    addOutput(command, common, "-o,--output", arguments->output, "Table to write, as CSV");
    return [&common, arguments] { return sweepCommand(common, *arguments); };
}

} // namespace

const CommandEntry sweepEntry{"sweep", "Simulate a curve over the values of one knob, or a map over two", declareSweep, true};

} // namespace syncopate::cli

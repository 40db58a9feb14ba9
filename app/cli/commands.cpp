// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/cli/lint_report.h"
#include "app/cli/load_scenario.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "engine/analyze/async_validation.h"
#include "engine/analyze/metrics.h"
#include "engine/analyze/published.h"
#include "engine/analyze/validation.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/collective/curve_fit.h"
#include "engine/export/export.h"
#include "engine/job/catalogue.h"
#include "engine/job/job_file.h"
#include "engine/profile/profile.h"
#include "engine/search/search_methods.h"
#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"
#include "engine/strategy/strategy_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace syncopate::cli {

namespace {

bool endsWith(const std::string &text, std::string_view end) {
    return text.size() >= end.size() && std::string_view(text).substr(text.size() - end.size()) == end;
}

std::string strategyBytes(const Strategy &strategy, bool json) {
    return json ? writeStrategyJson(strategy) : writeStrategyProto(strategy);
}

/// The strategy of `builder` for the job and cluster of `options`, with an id of its own. `marks`: the lint findings on it.
Result<Strategy> buildNamed(const ScenarioOptions &options, const std::string &builder, std::vector<LintMark> *marks = nullptr) {
    const auto job = TRY(loadScenarioJob(options));
    const auto cluster = TRY(loadCluster(options));
    auto strategy = buildStrategy(builder, *job.job, cluster);
    if (strategy)
        strategy->id = newStrategyId();
    if (strategy && marks != nullptr)
        *marks = lint(*job.job, cluster, *strategy);
    return strategy;
}

void writeRun(JsonWriter &json, const Run &run) {
    const AreaStatistics area = iterationStatistics(run);
    json.member("job", run.scenario.job->name).member("cluster", run.scenario.cluster->name);
    json.member("policy", formatPolicy(run.scenario.policy));
    json.member("iteration_seconds", run.iterationSeconds).member("compute_seconds", area.computeSeconds);
    json.member("communication_seconds", area.communicationSeconds).member("exposed_communication_seconds", area.exposedSeconds);
    json.member("overlap_ratio", area.overlapRatio()).member("samples_per_second", run.samplesPerSecond);
    json.member("workers", run.workers).member("events", run.events).member("wall_seconds", run.wallSeconds);
    json.key("assumptions").beginArray();
    for (const std::string &assumption : run.assumptions)
        json.value(assumption);
    for (const std::string &note : run.scenario.job->notes)
        json.value(note);
    for (const std::string &note : run.scenario.cluster->notes)
        json.value(note);
    json.endArray();
}

std::string describeRun(const Recording &run) {
    const AreaStatistics area = iterationStatistics(run);
    return fmt::format(
        "iteration       {}\ncompute         {}\ncommunication   {}\nexposed         {}\noverlap         {:.0f} %\n"
        "throughput      {:.5g} samples/s on {} workers\n",
        formatSeconds(run.iterationSeconds), formatSeconds(area.computeSeconds), formatSeconds(area.communicationSeconds),
        formatSeconds(area.exposedSeconds), area.overlapRatio() * 100, run.samplesPerSecond, run.workers);
}

void writeArgument(JsonWriter &json, const ArgumentInfo &argument) {
    json.beginObject().member("name", argument.name).member("default", argument.usual).member("help", argument.help);
    if (!argument.unit.empty())
        json.member("unit", argument.unit).member("min", argument.min).member("max", argument.max);
    if (!argument.choices.empty()) {
        json.key("choices").beginArray();
        for (const std::string &choice : argument.choices)
            json.value(choice);
        json.endArray();
    }
    json.endObject();
}

} // namespace

Outcome catalog(const Common &common, const std::string &what) {
    JsonWriter json;
    std::string text;
    json.beginObject().key(what).beginArray();
    const auto entry = [&](const std::string &name, const std::string &description) {
        json.beginObject().member("name", name).member("description", description);
        text += fmt::format("{:24} {}\n", name, description);
    };
    if (what == "jobs") {
        for (const CatalogueJob &job : catalogueJobs()) {
            entry(job.name, job.title + ": " + job.description);
            const auto built = catalogueJob(job.name);
            if (!built)
                return failedRunning(built.error());
            json.member("variables", static_cast<std::uint64_t>(built->variables.size()))
                .member("parameters", built->parameterCount());
            json.member("batch_size", built->batchSize).endObject();
        }
    } else if (what == "clusters") {
        for (const CatalogueCluster &cluster : catalogueClusters()) {
            entry(cluster.name, cluster.description);
            const auto built = catalogueCluster(cluster.name);
            if (!built)
                return failedRunning(built.error());
            json.member("nodes", static_cast<std::uint64_t>(built->nodes.size())).member("workers", built->replicaCount());
            for (const auto &[kind, sentences] :
                 {std::pair{"published", &cluster.published}, std::pair{"assumed", &cluster.assumed}}) {
                json.key(kind).beginArray();
                for (const std::string &sentence : *sentences) {
                    json.value(sentence);
                    text += fmt::format("{:26}{}: {}\n", "", kind, sentence);
                }
                json.endArray();
            }
            json.endObject();
        }
    } else if (what == "policies") {
        for (const Policy *policy : policies()) {
            entry(policySignature(*policy), policy->about);
            json.member("barrier", policy->barrier).endObject();
        }
    } else if (what == "builders") {
        for (const BuilderInfo &builder : strategyBuilders()) {
            entry(builder.signature, builder.description);
            json.endObject();
        }
    } else {
        for (const ExpressionInfo &info : what == "methods" ? searchMethods() : judges()) {
            entry(info.name, info.description);
            json.member("signature", info.signature()).key("arguments").beginArray();
            for (const ArgumentInfo &argument : info.arguments) {
                writeArgument(json, argument);
                text += fmt::format("{:26}{}={}: {}\n", "", argument.name, argument.usual, argument.help);
            }
            json.endArray().endObject();
        }
    }
    json.endArray().endObject().newLine();
    print(common.json ? json.take() : text);
    return {};
}

Outcome build(const Common &common, const ScenarioOptions &options, const std::string &builder, const std::string &output) {
    std::vector<LintMark> marks;
    const auto strategy = buildNamed(options, builder, &marks);
    if (!strategy)
        return badInput(strategy.error());
    TRY(save(common, output, strategyBytes(*strategy, endsWith(output, ".json"))));
    if (!common.json && !common.quiet)
        print(lintReport(marks));
    if (common.json) {
        JsonWriter json;
        json.beginObject().member("id", strategy->id).member("file", output);
        json.member("variables", static_cast<std::uint64_t>(strategy->nodes.size()));
        json.member("replicas", static_cast<std::uint64_t>(strategy->replicas.size()));
        writeLint(json, marks);
        json.endObject().newLine();
        print(json.take());
    }
    return {};
}

namespace {

/// What lint finds in the strategy and in the background traffic.
std::vector<LintMark> marksOf(const Scenario &scenario) {
    std::vector<LintMark> marks = lint(*scenario.job, *scenario.cluster, *scenario.strategy);
    for (LintMark &mark : lintBackground(*scenario.cluster, scenario.background))
        marks.push_back(std::move(mark));
    return marks;
}

} // namespace

Outcome simulateCommand(const Common &common, const ScenarioOptions &options, const SimulateOptions &outputs) {
    const auto scenario = loadScenario(options, common.seed);
    if (!scenario)
        return badInput(scenario.error());
    const auto run = simulate(*scenario);
    if (!run)
        return badInput(run.error());
    if (!outputs.traceFile.empty())
        if (auto saved = save(common, outputs.traceFile, [&run](const TextSink &sink) { return writeChromeTrace(**run, sink); });
            !saved)
            return saved;
    if (!outputs.tableFile.empty())
        TRY(save(common, outputs.tableFile, writeTableCsv(**run)));
    if (!outputs.pictureFile.empty()) {
        if (const auto drawn = drawPicture(**run, options, {options.strategy, options.policy}, {}, outputs.pictureFile); !drawn)
            return failedRunning(drawn.error());
        sayWrote(common, outputs.pictureFile);
    }
    if (common.json) {
        JsonWriter json;
        json.beginObject();
        writeRun(json, **run);
        writeLint(json, marksOf(*scenario));
        json.endObject().newLine();
        print(json.take());
    } else {
        print(describeRun(**run));
        if (!common.quiet)
            print(lintReport(marksOf(*scenario)));
    }
    return {};
}

Outcome compare(const Common &common, const ScenarioOptions &options, const std::string &a, const std::string &b,
                const std::string &policyB, const std::string &pictureFile) {
    ScenarioOptions side = options;
    side.strategy = a;
    const auto scenarioA = loadScenario(side, common.seed);
    if (!scenarioA)
        return badInput(scenarioA.error());
    side.strategy = b;
    if (!policyB.empty())
        side.policy = policyB;
    const auto scenarioB = loadScenario(side, common.seed);
    if (!scenarioB)
        return badInput(scenarioB.error());
    const auto runA = simulate(*scenarioA);
    if (!runA)
        return badInput(runA.error());
    const auto runB = simulate(*scenarioB);
    if (!runB)
        return badInput(runB.error());
    if (!pictureFile.empty()) {
        if (const auto drawn = drawPicture(**runA, options, {a, options.policy}, PictureSide{b, side.policy}, pictureFile);
            !drawn)
            return failedRunning(drawn.error());
        sayWrote(common, pictureFile);
    }
    const double delta = (*runB)->iterationSeconds - (*runA)->iterationSeconds;
    if (common.json) {
        JsonWriter json;
        json.beginObject().key("a").beginObject();
        writeRun(json, **runA);
        json.endObject().key("b").beginObject();
        writeRun(json, **runB);
        json.endObject().member("delta_seconds", delta).endObject().newLine();
        print(json.take());
    } else {
        print(fmt::format("A: {}\n{}\nB: {}\n{}\nB is {} {} per iteration ({:+.1f} %)\n", a, describeRun(**runA), b,
                          describeRun(**runB), formatSeconds(std::abs(delta)), delta <= 0 ? "faster" : "slower",
                          100 * delta / (*runA)->iterationSeconds));
    }
    return {};
}

namespace {

/// Cost curves fitted to every log of collectives, with what they miss.
Outcome validateCurves(const Common &common, const std::string &folder) {
    const auto fitted = fitFolder(folder);
    if (!fitted)
        return badInput(fitted.error());
    const auto shortName = [&](const std::string &file) {
        return file.size() > folder.size() && file.starts_with(folder)
                   ? file.substr(folder.size() + (folder.ends_with('/') ? 0 : 1))
                   : file;
    };
    if (common.json) {
        JsonWriter json;
        json.beginObject().key("curves").beginArray();
        for (const CurveFit &fit : fitted->fits) {
            json.newLine().beginObject().member("file", shortName(fit.log.source)).member("tool", fit.log.tool);
            json.member("collective", nameOf(fit.log.kind)).member("ranks", fit.log.ranks);
            json.member("sizes", static_cast<std::int64_t>(fit.log.samples.size()));
            json.member("line_median_error", fit.lineResiduals.median).member("line_max_error", fit.lineResiduals.worst);
            json.member("median_error", fit.curveResiduals.median).member("max_error", fit.curveResiduals.worst);
            json.key("segments").beginArray();
            for (const CurveSegment &segment : fit.curve.segments)
                json.beginObject()
                    .member("from_bytes", segment.fromBytes)
                    .member("alpha_seconds", segment.alphaSeconds)
                    .member("seconds_per_byte", segment.secondsPerByte)
                    .endObject();
            json.endArray().endObject();
        }
        json.endArray().key("not_fitted").beginArray();
        for (const std::string &reason : fitted->notFitted)
            json.value(reason);
        json.endArray().endObject().newLine();
        print(json.take());
        return {};
    }
    std::string text = fmt::format("{:52} {:14} {:>5} {:>5}  {:>15}  {:>8} {:>15}  {:>9} {:>10}\n", "log", "collective", "ranks",
                                   "sizes", "one line: error", "segments", "error", "start", "bytes/s");
    for (const CurveFit &fit : fitted->fits) {
        const CurveSegment &last = fit.curve.segments.back();
        text += fmt::format("{:52} {:14} {:>5} {:>5}  {:>6.1f}% {:>6.1f}%  {:>8} {:>6.1f}% {:>6.1f}%  {:>9} {:>10}\n",
                            shortName(fit.log.source), nameOf(fit.log.kind),
                            fit.log.ranks > 0 ? fmt::format("{}", fit.log.ranks) : "?", fit.log.samples.size(),
                            100 * fit.lineResiduals.median, 100 * fit.lineResiduals.worst, fit.curve.segments.size(),
                            100 * fit.curveResiduals.median, 100 * fit.curveResiduals.worst,
                            formatSeconds(fit.curve.segments.front().alphaSeconds),
                            last.secondsPerByte > 0 ? formatBandwidth(1 / last.secondsPerByte) : "-");
    }
    if (!common.quiet) {
        text += "errors: median and worst of |fitted / measured - 1|; start: alpha of the first segment; bytes/s: of the last\n";
        for (const std::string &reason : fitted->notFitted)
            text += "not fitted: " + reason + "\n";
    }
    print(text);
    return {};
}

} // namespace

Outcome validate(const Common &common, const std::string &folder) {
    if (isPublishedFolder(folder))
        return validateCharts(common, folder);
    if (isAsyncFolder(folder))
        return validateTestbed(common, folder);
    if (std::error_code ignored; !std::filesystem::exists(folder + "/runs.csv", ignored) &&
                                 !std::filesystem::exists(folder + "/platform.json", ignored) &&
                                 std::filesystem::exists(folder, ignored))
        return validateCurves(common, folder);
    const auto validation = validateFolder(folder);
    if (!validation)
        return badInput(validation.error());
    if (common.json) {
        JsonWriter json;
        json.beginObject().key("rows").beginArray();
        for (const ValidationRow &row : validation->rows)
            json.beginObject()
                .member("job", row.job)
                .member("architecture", row.architecture)
                .member("workers", row.workers)
                .member("bandwidth_gbits", row.bandwidthGbits)
                .member("measured_seconds", row.measuredSeconds)
                .member("predicted_seconds", row.predictedSeconds)
                .member("error", row.error())
                .endObject();
        json.endArray().member("median_error", validation->medianError).member("max_error", validation->maxError);
        json.key("assumptions").beginArray();
        for (const std::string &note : validation->notes)
            json.value(note);
        json.endArray().endObject().newLine();
        print(json.take());
        return {};
    }
    std::string text = fmt::format("{:10} {:6} {:>7} {:>9} {:>12} {:>12} {:>8}\n", "job", "arch", "workers", "Gb/s", "measured",
                                   "predicted", "error");
    for (const ValidationRow &row : validation->rows)
        text += fmt::format("{:10} {:6} {:>7} {:>9} {:>12} {:>12} {:>+7.1f}%\n", row.job, row.architecture, row.workers,
                            row.bandwidthGbits, formatSeconds(row.measuredSeconds), formatSeconds(row.predictedSeconds),
                            100 * row.error());
    text += fmt::format("median error {:.2f} %, worst {:.2f} %\n", 100 * validation->medianError, 100 * validation->maxError);
    if (!common.quiet)
        for (const std::string &note : validation->notes)
            text += note + "\n";
    print(text);
    return {};
}

} // namespace syncopate::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// tune: lets a tuner choose a policy's settings, and compares them with a grid, random points and the default.
#include "app/cli/tune.h"

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/ranks/rank_judge.h"
#include "engine/analyze/sweep.h"
#include "engine/base/input_file.h"
#include "engine/base/units.h"
#include "engine/search/tune/tuners.h"
#include "engine/session/load_plan.h"
#include "engine/session/load_scenario.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace syncopate::cli {

namespace {

constexpr const char *gridRemedy = "write a number of values for each knob: 24x16, or off";

/// The dimension over its whole range, or the range given by --knob.
Result<TuneAxis> axisOf(const std::string &knob) {
    if (knob.find('=') == std::string::npos)
        return usualAxis(TRY(inFile(scenarioSpace().indexOf(knob), "--knob")));
    const SweepAxis axis = TRY(inFile(parseSweepAxis(knob), "--knob"));
    const bool byFactors = axis.values.front() > 0 && scenarioSpace()[axis.dimension].scale == Scale::Logarithmic;
    return TuneAxis{axis.dimension, axis.values.front(), axis.values.back(), byFactors ? Scale::Logarithmic : Scale::Linear, {}};
}

/// The builder expression or file of the strategy whose settings are tuned.
std::string tunedStrategy(const TuneArguments &arguments) {
    if (!arguments.scenario.strategy.empty())
        return arguments.scenario.strategy;
    return arguments.arch == "ps" ? "PSLoadBalancing" : "AllReduce(chunk_size=1)";
}

} // namespace

Result<ScenarioRecipe> tuneRecipeOf(const Common &common, const TuneArguments &arguments) {
    ScenarioOptions options = arguments.scenario;
    options.strategy = tunedStrategy(arguments);
    if (options.policy.empty())
        options.policy = arguments.arch == "ps" ? "bytescheduler(hash=mxnet)" : "bytescheduler";
    return loadRecipe(options, common.seed);
}

Result<std::vector<TuneAxis>> tuneAxesOf(const TuneArguments &arguments) {
    if (arguments.knobs.empty())
        return TuneSpace::partitionAndCredit();
    std::vector<TuneAxis> axes;
    for (const std::string &knob : arguments.knobs)
        axes.push_back(TRY(axisOf(knob)));
    return axes;
}

Result<std::shared_ptr<const MetaNetwork>> tuneNetworkOf(const TuneArguments &arguments) {
    if (arguments.network.empty())
        return nullptr;
    const std::string text = TRY(readInputFile(arguments.network, MetaNetwork::maxBytes));
    return std::make_shared<const MetaNetwork>(TRY(MetaNetwork::load(text, arguments.network)));
}

Result<std::vector<std::size_t>> tuneGridOf(const TuneArguments &arguments, std::size_t axes) {
    const std::string &text = arguments.grid;
    if (text == "off")
        return std::vector<std::size_t>();
    if (text.empty())
        return usualGrid(axes);
    std::vector<std::size_t> counts;
    double size = 1;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('x', from), text.size());
        const auto count = parseNumber(text.substr(from, end - from));
        if (!count || *count < 1 || *count > 1000 || *count != std::floor(*count))
            return fail(fmt::format("'{}' is not a grid", text), gridRemedy, "--grid");
        counts.push_back(static_cast<std::size_t>(*count));
        size *= *count;
        from = end + 1;
    }
    if (counts.size() != axes)
        return fail(fmt::format("the grid {} has {} {}, and {} {} tuned", text, counts.size(),
                                counts.size() == 1 ? "axis" : "axes", axes, axes == 1 ? "knob is" : "knobs are"),
                    gridRemedy, "--grid");
    if (size > static_cast<double>(maxSweepPoints))
        return fail(fmt::format("the grid {} has more than {} points", text, maxSweepPoints), "write fewer values for a knob",
                    "--grid");
    return counts;
}

namespace {

Result<TuneSpace> tuneSpaceOf(const Common &common, const TuneArguments &arguments) {
    auto recipe = TRY(tuneRecipeOf(common, arguments));
    return inOption(TuneSpace::make(std::move(recipe), TRY(tuneAxesOf(arguments))), "--strategy");
}

/// The request for comparison between ranks: settings travel with each question.
Result<SearchRequest> tunedRequest(const TuneSpace &space) {
    SearchRequest request;
    request.base = TRY(space.defaultScenario());
    return request;
}

/// The judge, distributed over all ranks if there are any, and how many settings it judges at a time.
struct TuneJudge {
    std::shared_ptr<Judge> judge;
    std::shared_ptr<RankJudge> spread; ///< the same, or null
    unsigned threads = 0;
};

Result<TuneJudge> tuneJudgeOf(const Common &common, const TuneArguments &arguments, const TuneSpace &space) {
    TuneJudge made{TRY(makeJudge("simulated()")), nullptr, arguments.threads};
    if (common.ranks == nullptr)
        return made;
    const SearchRequest request = TRY(tunedRequest(space));
    const auto slots = TRY(common.ranks->begin(workOf(request, *made.judge)));
    made.judge = made.spread =
        std::make_shared<RankJudge>(made.judge, request.base, *common.ranks, slots, common.ranks->threadsHere(arguments.threads));
    made.threads = made.judge->maxConcurrent();
    return made;
}

Result<TuneFindings> find(const Common &common, const TuneArguments &arguments, const TuneSpace &space, PointSearch &tuner) {
    const auto counts = TRY(tuneGridOf(arguments, space.axes().size())); // before the other ranks are waited for
    const auto [judge, spread, threads] = TRY(tuneJudgeOf(common, arguments, space));
    TuneFindings findings;
    findings.usual = TRY(judgeSetting(space, space.defaultValues(), *judge));
    findings.tuning = TRY(runTuning(tuner, *judge, {evaluationsOf(tuner, arguments.evaluations, maxSweepPoints), threads}));
    if (!findings.tuning.best())
        return fail("no setting can be simulated: " + findings.tuning.path.front().error, "tune other knobs, or narrower ones");
    const auto random = TRY(makeTuner("random", space, static_cast<std::uint64_t>(common.seed)));
    findings.random = TRY(runTuning(*random, *judge, {findings.tuning.path.size(), threads}));
    if (!counts.empty())
        findings.grid = TRY(landscapeOf(space, counts, *judge, threads));
    findings.bound = TRY(boundOf(space));
    if (std::ranges::none_of(space.axes(), [](const TuneAxis &axis) { return axis.of().isOfCluster(); })) {
        findings.strategy = tunedStrategy(arguments);
        findings.policy = formatPolicy(TRY(space.scenarioOf(findings.chosen().values)).policy);
    }
    if (spread)
        findings.judgedByRank = spread->judged();
    return findings;
}

/// The part of the ranks other than rank 0: judging settings for it. Only rank 0 does conditions, measured grids and training.
Outcome judgeForFirst(Ranks &ranks, const Common &common, const TuneArguments &arguments) {
    if (!arguments.train.empty() || arguments.test > 0 || !arguments.measuredGrid.empty() || !arguments.schedule.empty() ||
        arguments.scenario.job.empty() || arguments.scenario.cluster.empty())
        return {};
    const auto space = tuneSpaceOf(common, arguments);
    const auto request = space ? tunedRequest(*space) : Unexpected(space.error());
    const auto judge = request ? makeJudge("simulated()") : Unexpected(request.error());
    if (!judge) {
        ranks.refuse(judge.error()); // rank 0 reports it
        return {};
    }
    const auto helped = ranks.help(workOf(*request, **judge), ranks.threadsHere(arguments.threads),
                                   [&](const std::string &question, const std::stop_token &stop) {
                                       return judgeForRank0(question, request->base, **judge, stop);
                                   });
    return helped ? Outcome() : failedRunning(helped.error());
}

/// The first of the options that say what is tuned, and how.
std::string tuningOptionIn(const TuneArguments &arguments) {
    const TuneArguments usual;
    ScenarioOptions others = arguments.scenario;
    others.policy = ScenarioOptions().policy; // that of `tune` is empty where it is not given
    for (const auto &[option, isGiven] : {std::pair("--policy", !arguments.scenario.policy.empty()),
                                          {"--strategy", !others.strategy.empty()},
                                          {"--arch", arguments.arch != usual.arch},
                                          {"--knob", !arguments.knobs.empty()},
                                          {"--grid", !arguments.grid.empty()}})
        if (isGiven)
            return option;
    const std::string ofCluster = clusterOptionIn(others);
    return ofCluster.empty() ? strategyOptionIn(others) : ofCluster;
}

/// Refuses options that the chosen part of the command would ignore.
Result<void> refuseIgnored(const TuneArguments &arguments) {
    const bool trains = !arguments.train.empty(), isOfNetwork = trains || arguments.test > 0;
    const bool isMeasured = !arguments.measuredGrid.empty();
    if (arguments.newestLook && !isOfNetwork)
        return fail("it is about training and testing a meta-network", "leave it out, or give --train or --test",
                    "--newest-look");
    if (!arguments.network.empty() && (trains || isMeasured))
        return fail(trains ? "--train makes a network, and reads none" : "--measured-grid takes the shipped network",
                    "leave it out", "--network");
    if (!arguments.network.empty() && !isOfNetwork && arguments.schedule.empty() && !arguments.method.starts_with("meta"))
        return fail(fmt::format("the method {} has no network", arguments.method), "leave it out, or tune by --method meta",
                    "--network");
    if (!isOfNetwork && !isMeasured)
        return {};
    std::string option = tuningOptionIn(arguments);
    if (option.empty() && isOfNetwork && arguments.method != TuneArguments().method)
        option = "--method";
    if (option.empty() && isOfNetwork && arguments.evaluations > 0)
        option = "--evaluations";
    if (option.empty())
        return {};
    return fail(fmt::format("{} follows no such option", trains       ? "--train"
                                                         : isMeasured ? "--measured-grid"
                                                                      : "--test"),
                "leave it out", option);
}

Outcome tuneCommand(const Common &common, const TuneArguments &arguments) {
    if (common.ranks != nullptr && !common.ranks->isFirst())
        return judgeForFirst(*common.ranks, common, arguments);
    TRY(orBadInput(refuseIgnored(arguments)));
    const bool isOfNetwork = !arguments.train.empty() || arguments.test > 0;
    if (isOfNetwork && !(arguments.scenario.job.empty() && arguments.scenario.cluster.empty()))
        return badInput(
            "a meta-network is trained and tested on models of the catalogue under conditions that it draws, and this "
            "names a job or a cluster",
            "leave out --job and --cluster");
    if (!arguments.train.empty())
        return tuneTrain(common, arguments);
    if (arguments.test > 0)
        return tuneTest(common, arguments);
    if (!arguments.measuredGrid.empty()) {
        if (!(arguments.scenario.job.empty() && arguments.scenario.cluster.empty()))
            return badInput("measured settings are of a job and a cluster of their own, and this names others",
                            "leave out --job and --cluster");
        return tuneMeasured(common, arguments);
    }
    if (arguments.scenario.job.empty() || arguments.scenario.cluster.empty())
        return badInput("there is nothing to tune",
                        "name --job and --cluster, a --measured-grid, a file to --train, or conditions to --test on");
    if (!arguments.schedule.empty())
        return tuneScheduled(common, arguments);
    const auto space = TRY(orBadInput(tuneSpaceOf(common, arguments)));
    const auto network = TRY(orBadInput(tuneNetworkOf(arguments)));
    const auto tuner = TRY(
        orBadInput(inOption(makeTuner(arguments.method, space, static_cast<std::uint64_t>(common.seed), network), "--method")));
    const auto findings = TRY(orBadInput(find(common, arguments, space, *tuner)));
    if (common.json)
        writeTuneJson(common, space, findings);
    else
        print(tuneReport(space, findings, common.quiet));
    return {};
}

/// The options of the meta-network: another one, training and tests.
void addMetaNetwork(CLI::App &command, Common &common, TuneArguments &arguments) {
    command.add_option("--network", arguments.network, "File of a meta-network that --train wrote, instead of the shipped one")
        ->check(CLI::ExistingFile);
    CLI::Option *const train =
        addOutput(
            command, common, "--train", arguments.train,
            "Write a meta-network to FILE: simulate a training set over the catalogue's models, train, and print the errors "
            "on conditions and models that it did not see")
            ->excludes("--schedule")
            ->excludes("--measured-grid");
    command
        .add_option("--test", arguments.test,
                    "Test the meta-network, the shipped one or --network's, on that many simulated conditions of the models it "
                    "learned from and as many of models left out: its errors, and the loss of its choice by selection rule")
        ->excludes("--train")
        ->excludes("--schedule")
        ->excludes("--measured-grid")
        ->check(CLI::Range(1, 10000));
    command.add_option("--conditions", arguments.conditions, "Jobs and conditions of the training set of each member")
        ->needs(train)
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command.add_option("--epochs", arguments.epochs, "Passes over the training set")
        ->needs(train)
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command
        .add_option("--members", arguments.members,
                    "Networks that predict together, each with a seed and training set of its own")
        ->needs(train)
        ->check(CLI::Range(1, static_cast<int>(MetaNetwork::maxMembers)))
        ->capture_default_str();
    command.add_flag("--newest-look", arguments.newestLook,
                     "Train or test on the monitor's newest look at the bandwidth instead of the last eight, as a control");
}

Action declareTune(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<TuneArguments>();
    addScenario(command, arguments->scenario, false);
    arguments->scenario.policy.clear();
    command.get_option("--policy")->default_str("bytescheduler, for --arch ps with hash=mxnet");
    command.add_option("--method", arguments->method, nameExpressions(tuners(), "tuners"))->capture_default_str();
    command.add_option("--arch", arguments->arch, "ps: PSLoadBalancing; allreduce: AllReduce(chunk_size=1)")
        ->check(CLI::IsMember({"ps", "allreduce"}))
        ->capture_default_str();
    addStrategy(command, arguments->scenario, false);
    command
        .add_option(
            "--knob", arguments->knobs,
            "K or K=FROM..TO, a knob of `sweep` to tune, once for each; without it partition=4KB..1GB and a credit of 1 to "
            "16 partitions")
        ->take_all()
        ->allow_extra_args(false);
    command.add_option("--evaluations", arguments->evaluations, "Settings to judge at most (30, or all of a grid)")
        ->check(CLI::Range(1, 1000000));
    command.add_option("--grid", arguments->grid,
                       "Values of each knob in the grid that regret refers to, or off (by the number of knobs 12, 12x8 or "
                       "6x5x4, off beyond); a knob with fewer whole numbers has all of them");
    command
        .add_option(
            "--schedule", arguments->schedule,
            "CSV file of conditions: iteration (or seconds) and any of bandwidth_gbits, network_jobs, compute, straggler. "
            "Speeds under it with the default, tuned once, re-tuned, and of an oracle")
        ->check(CLI::ExistingFile);
    command.add_option("--length", arguments->length, "Training iterations under the schedule")
        ->needs("--schedule")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command
        .add_option("--measured-grid", arguments->measuredGrid,
                    "Folder of measured settings, as tests/data/measured/sched: each tuner's choice there from predictions, and "
                    "its measured time")
        ->excludes("--schedule")
        ->check(CLI::ExistingDirectory);
    command.add_option("--row", arguments->row, "JOB,ARCHITECTURE,WORKERS,GBITS of that folder; without it all, one by one")
        ->needs("--measured-grid");
    addMetaNetwork(command, common, *arguments);
    command.add_option("--threads", arguments->threads, "Settings judged at once, 0: one per core; changes only the time")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    return [&common, arguments] { return tuneCommand(common, *arguments); };
}

} // namespace

const CommandEntry tuneEntry{"tune", "Tune a policy's settings, by default ByteScheduler's partition and credit", declareTune,
                             true};

} // namespace syncopate::cli

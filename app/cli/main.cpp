// SPDX-License-Identifier: GPL-3.0-or-later
// syncopate-cli: the engine on the command line (docs/command-line.md). Exit 0 done, 1 a run-time failure, 2 bad usage or
// input, with one line "error: FILE:PLACE: what; what to do" on stderr.
#include "app/cli/commands.h"
#include "engine/search/search_methods.h"
#include "engine/strategy/policy.h"
#include "engine/trial/judge.h"

#include "engine/space/space.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <functional>

using namespace syncopate;
using namespace syncopate::cli;

namespace {

void addCommon(CLI::App *command, Common &common) {
    command->add_flag("--json", common.json, "Print one JSON object on stdout, nothing else");
    command->add_flag("--quiet", common.quiet, "Print results only");
    command
        ->add_option("--seed", common.seed,
                     "Seed of everything random: a search's trials, and the policy random where it names none itself")
        ->check(CLI::Range(0, 2147483647));
}

void addCluster(CLI::App *command, ScenarioOptions &options, bool needed = true) {
    command->add_option("--job", options.job, "Catalogue name, job file or profile")->required(needed);
    command->add_option("--variables", options.variables,
                        "Sizes for a profile that lacks them: job file, .safetensors, ONNX model, TensorFlow checkpoint .index");
    command->add_option("--measured", options.measured,
                        "Times for the job: a profile of the same model (PipeDream's layers, an imported step), or its job file");
    command
        ->add_option("--cluster", options.cluster,
                     "Catalogue name, resource_spec.yml, nvidia-smi topo -m, NCCL XML or ASTRA-sim network")
        ->required(needed);
    command->add_option("--workers", options.workers, "Replicas in all, instead of the cluster's own")
        ->check(CLI::Range(1, 100000));
    command->add_option("--servers", options.servers, "Dedicated parameter servers to add, each with a node's link")
        ->check(CLI::Range(0, 10000));
    command->add_option("--bandwidth", options.bandwidthGbits, "Every node's link, Gbit/s each way")
        ->check(CLI::Range(1e-6, 1e6));
    command->add_option("--latency", options.latency, "One-way time per message between nodes, such as 50us");
}

/// "fifo, ddp(bucket_cap=25MiB,first_bucket=1MiB,concurrent=1), ..."
std::string policyChoices() {
    std::string choices;
    for (const Policy *policy : policies())
        choices += (choices.empty() ? "" : ", ") + policySignature(*policy);
    return choices;
}

void addScenario(CLI::App *command, ScenarioOptions &options, bool needed = true) {
    addCluster(command, options, needed);
    command
        ->add_option("--policy", options.policy,
                     policyChoices() +
                         "; barrier=on|off, form=analytic|flows and algorithm=ring|tree|hd|hierarchical|rsag|breduce in any of "
                         "them")
        ->capture_default_str();
    command->add_option("--iterations", options.iterations, "Iterations to unroll")
        ->check(CLI::Range(3, 10000))
        ->capture_default_str();
    command->add_option("--curves", options.curves,
                        "Logs of measured collectives (nccl-tests, OSU, vTrain): a file or folder. Analytic collectives among as "
                        "many replicas take what was measured");
    command->add_flag("!--no-fold", options.fold, "Simulate every node, also where some are alike");
}

void addBackground(CLI::App *command, ScenarioOptions &options) {
    command->add_option("--background", options.background,
                        "Others' traffic as shares of links over time: worker0.up:0.3@0-2s,server0.down:0.5@1-4s, or a CSV "
                        "file with link,from_seconds,to_seconds,share");
}

void addJudge(CLI::App *command, std::string &judge) {
    std::string help;
    for (const ExpressionInfo &info : judges())
        help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", info.signature(), info.description);
    command->add_option("--judge", judge, help)->capture_default_str();
}

/// "bandwidth, latency, ..."
std::string knobNames() {
    std::string names;
    for (const Dimension &dimension : scenarioSpace())
        names += (names.empty() ? "" : ", ") + dimension.id;
    return names;
}

std::string oneLine(std::string text) {
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

int run(int argc, char **argv) {
    CLI::App app{"Syncopate: how every way of synchronising a training job's variables would play out."};
    app.name("syncopate-cli");
    app.require_subcommand(1);
    app.footer("Exit status: 0 done, 1 a run-time failure, 2 bad usage or bad input (one line on stderr).");
    Common common;
    ScenarioOptions options;
    std::function<Outcome()> action;
    addCommon(&app, common);

    auto *catalogCommand =
        app.add_subcommand("catalog", "List the built-in jobs, clusters, strategy builders, communication policies, search methods or judges");
    std::string what;
    catalogCommand->add_option("what", what, "jobs, clusters, builders, policies, methods or judges")
        ->required()
        ->check(CLI::IsMember({"jobs", "clusters", "builders", "policies", "methods", "judges"}));
    catalogCommand->callback([&] { action = [&] { return catalog(common, what); }; });

    auto *importCommand = app.add_subcommand("import", "Read a profile: steps, layers, gradient sizes; write it as a job file");
    ImportArguments imported;
    importCommand
        ->add_option("profile", imported.profiles,
                     "PyTorch Kineto trace (JSON, gzipped or not), a folder or archive of the ranks of one job, execution traces "
                     "beside them; TensorFlow timelines, each a step of one job; exports of the older autograd profiler; "
                     "Nsight Systems' SQLite exports; Chakra .et; PipeDream's graph.txt")
        ->required();
    importCommand->add_option("-o,--output", imported.output, "Job file to write");
    importCommand->add_option("--step", imported.step, "Step to take, counted from 0, or 'all': the median of the complete steps")
        ->capture_default_str();
    importCommand->add_option(
        "--variables", imported.variables,
        "List of the model's variables, where the profile lacks their sizes: job file, .safetensors, list of "
        "tensors (JSON), ONNX model or TensorFlow checkpoint .index");
    importCommand->add_option(
        "--limit", imported.limit,
        "Memory that reading may take, such as 16GiB, or 'none' (three quarters of what the machine has left); "
        "also lets files through that unpack to far more than traces do");
    importCommand->add_flag("--overlap", imported.overlapOnly,
                            "Print only how much communication lies under compute, by device; takes any trace, training or not");
    importCommand->callback([&] { action = [&] { return import(common, imported); }; });

    auto *buildCommand = app.add_subcommand("build", "Build a strategy and write it as AutoDist .pb or as .json");
    std::string builder, output;
    addCluster(buildCommand, options);
    buildCommand->add_option("--builder", builder, "Builder expression, such as 'AllReduce(chunk_size=128)'")->required();
    buildCommand->add_option("-o,--output", output, "Strategy file; .json for JSON, anything else AutoDist's format")->required();
    buildCommand->callback([&] { action = [&] { return build(common, options, builder, output); }; });

    auto *simulateApp = app.add_subcommand("simulate", "Simulate one strategy and print its iteration time and overlap");
    SimulateOptions outputs;
    addScenario(simulateApp, options);
    addBackground(simulateApp, options);
    simulateApp->add_option("--strategy", options.strategy, "Builder expression or strategy file")->required();
    simulateApp->add_option("--trace", outputs.traceFile, "Write the timeline as Chrome JSON (opens in Perfetto)");
    simulateApp->add_option("--table", outputs.tableFile, "Write the per-variable table as CSV");
    simulateApp->add_option("--picture", outputs.pictureFile, "Write a picture of the timeline as PNG");
    simulateApp->callback([&] { action = [&] { return simulateCommand(common, options, outputs); }; });

    auto *compareCommand = app.add_subcommand("compare", "Simulate two strategies and print both and the difference");
    std::string a, b, policyB;
    addScenario(compareCommand, options);
    addBackground(compareCommand, options);
    compareCommand->add_option("--a", a, "Strategy A: builder expression or strategy file")->required();
    compareCommand->add_option("--b", b, "Strategy B")->required();
    compareCommand->add_option("--policy-b", policyB, "Policy of B, where it is not A's");
    compareCommand->add_option("--picture", outputs.pictureFile, "Write a picture of both timelines as PNG");
    compareCommand->callback([&] { action = [&] { return compare(common, options, a, b, policyB, outputs.pictureFile); }; });

    auto *sweepApp = app.add_subcommand("sweep", "Simulate over the values of one knob, a curve, or of two, a map");
    SweepArguments swept;
    addScenario(sweepApp, options);
    sweepApp->add_option("--strategy", options.strategy, "Builder expression or strategy file")->required();
    sweepApp
        ->add_option(
            "--knob", swept.knobs,
            "K=FROM..TO[:STEPS][:log], such as bandwidth=1..100 (Gbit/s) or partition=64KiB..64MiB:13:log; a second --knob "
            "makes a map. K: " +
                knobNames() + ". Without STEPS 11 values, or every one of few whole numbers; log: by equal factors")
        ->required()
        ->take_all()
        ->allow_extra_args(false);
    sweepApp->add_option("-o,--output", swept.output, "Table to write, as CSV");
    sweepApp->callback([&] { action = [&] { return sweepCommand(common, options, swept); }; });

    auto *whyApp = app.add_subcommand(
        "why", "Explain an iteration: causes, remedies by gain, what half and twice each knob would do, and bounds");
    addScenario(whyApp, options);
    whyApp->add_option("--strategy", options.strategy, "Builder expression or strategy file")->required();
    whyApp->callback([&] { action = [&] { return whyCommand(common, options); }; });

    auto *exportApp = app.add_subcommand("export", "Write a strategy, timeline, table, picture, report or launcher's settings");
    ExportArguments exported;
    addScenario(exportApp, options, false);
    exportApp->add_option("--strategy,--builder", options.strategy,
                          "Strategy file, or builder expression (then --job and --cluster too)");
    auto *projectOption =
        exportApp->add_option("--project", exported.project, "Project file (.syncopate) to export from, as the explorer would");
    for (CLI::Option *option : exportApp->get_options()) // a project says all of it
        if (option != projectOption && option->get_name() != "--help" && option->get_name() != "--json" &&
            option->get_name() != "--quiet" && option->get_name() != "--seed")
            projectOption->excludes(option);
    exportApp
        ->add_option("--scenario", exported.scenario, "Of a project: a kept scenario's name; without it, what its window showed")
        ->needs(projectOption);
    exportApp->add_option("--side", exported.side, "Of a project: a or b, in formats of one side")
        ->check(CLI::IsMember({"a", "b"}))
        ->needs(projectOption)
        ->capture_default_str();
    exportApp->add_option("--candidate", exported.candidate, "Of a project's search: a trial's number, a builder, or best")
        ->needs(projectOption);
    std::vector<std::string> formats;
    std::string formatHelp;
    for (const ExportFormat &format : exportFormats()) {
        formats.push_back(format.name);
        formatHelp += (formatHelp.empty() ? "" : "; ") + format.name + ": " + format.description;
    }
    exportApp->add_option("--format", exported.format, formatHelp)->check(CLI::IsMember(formats).name(""))->capture_default_str();
    exportApp->add_option("--b", exported.b, "A second strategy, for html, png and pdf")->excludes(projectOption);
    exportApp->add_option("--policy-b", exported.policyB, "Its policy, where it is not the first one's")->excludes(projectOption);
    exportApp->add_option("-o,--output", exported.output, "File to write")->required();
    exportApp->callback([&] { action = [&] { return exportCommand(common, exported, options); }; });

    auto *trialApp = app.add_subcommand("trial", "Judge one strategy as a search judges its candidates");
    std::string judge = "simulated()";
    addScenario(trialApp, options);
    trialApp->add_option("--strategy", options.strategy, "Builder expression or strategy file")->required();
    addJudge(trialApp, judge);
    trialApp->callback([&] { action = [&] { return trialCommand(common, options, judge); }; });

    auto *searchApp = app.add_subcommand("search", "Search for a strategy that is faster than every builder's");
    SearchArguments search;
    addScenario(searchApp, options);
    std::string methodHelp;
    for (const ExpressionInfo &method : searchMethods())
        methodHelp += fmt::format("{}{}: {}", methodHelp.empty() ? "" : "; ", method.signature(), method.description);
    searchApp->add_option("--method", search.method, methodHelp)->capture_default_str();
    addJudge(searchApp, search.judge);
    searchApp->add_option("--trials", search.trials, "Strategies to try")->check(CLI::Range(1, 1000000))->capture_default_str();
    searchApp->add_option("--objective", search.objective, "Objective to minimise: iteration or exposed (communication)")
        ->check(CLI::IsMember({"iteration", "exposed"}))
        ->capture_default_str();
    searchApp->add_option("--threads", search.threads, "Candidates judged at once, 0: one per core; changes only the time")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    searchApp->add_option("--synchronisers", search.synchronisers, "ps, allreduce or both (both)")
        ->check(CLI::IsMember({"ps", "allreduce", "both"}));
    searchApp->add_option("--whole-up-to", search.wholeUpTo, "Size up to which variables stay whole (100KB)");
    searchApp->add_option("--split-from", search.splitFrom, "Size from which they are always partitioned (2147483647)");
    searchApp->add_option("--parts", search.parts, "Parts of a partitioned variable (2-40)");
    searchApp->add_option("--groups", search.groups, "All-reduce groups (1-20)");
    searchApp->add_flag("!--no-balance", search.balance, "Without c_lb: served variables go to any server");
    searchApp->add_option("--balance-slack", search.balanceSlack, "c_lb: temperature of the choice between servers (1 byte)");
    searchApp->add_flag("!--no-merge", search.merge, "Without c_am: groups are drawn, not stretches of layers");
    searchApp->add_option("-o,--output", search.output,
                          "Strategy file for the best; .json for JSON, anything else AutoDist's format");
    searchApp->add_option("--project", search.project,
                          "Project file (.syncopate) to keep the search in, for the explorer to open; made where there is none");
    searchApp->callback([&] { action = [&] { return searchCommand(common, options, search); }; });

    auto *predictCommand = app.add_subcommand(
        "predict", "Predict the throughput of asynchronous SGD for any number of workers from a profile of one");
    PredictArguments predicted;
    predictCommand->add_option("profile", options.job, "Profile of many steps, job file or catalogue name")->required();
    predictCommand
        ->add_option("--cluster", options.cluster, "Catalogue name or description; grown or shrunk to each number of workers")
        ->required();
    predictCommand->add_option("--workers", predicted.workers, "Numbers of workers: 1-10, or 1,2,4")->capture_default_str();
    predictCommand->add_option("--servers", options.servers, "Parameter servers, each with a node's link; 1 unless given")
        ->check(CLI::Range(1, 10000));
    predictCommand->add_option("--bandwidth", options.bandwidthGbits, "Every node's link, Gbit/s each way")
        ->check(CLI::Range(1e-6, 1e6));
    predictCommand->add_option("--latency", options.latency, "One-way time per message between nodes, such as 50us");
    predictCommand->add_option(
        "--strategy", options.strategy,
        "Builder expression or strategy file: asynchronous servers place the variables (else greedily by bytes); "
        "synchronous ones, partitions and collectives go through the simulator, with --policy");
    predictCommand->add_option("--policy", options.policy, "Communication policy of the simulator, as in simulate")
        ->capture_default_str();
    predictCommand
        ->add_option(
            "--window", predicted.window,
            "HTTP/2 flow-control window: bytes a stream sends the first time, off, or auto: from recorded ends of transfers")
        ->capture_default_str();
    predictCommand
        ->add_option(
            "--overhead", predicted.overhead,
            "Parsing of received tensors in timelines: seconds per byte and per tensor (2e-10,50us), auto: fitted, or off")
        ->capture_default_str();
    predictCommand->add_option("--batch-size", predicted.batchSize, "Samples per step, where the profile does not say")
        ->check(CLI::Range(1e-9, 1e9));
    predictCommand
        ->add_option("--profile-bandwidth", predicted.profileBandwidthGbits,
                     "Gbit/s that a stream reached where the profile was recorded; the cluster's unless given")
        ->check(CLI::Range(1e-6, 1e6));
    predictCommand->add_option("--order", predicted.order, "Order of transfers")
        ->check(CLI::IsMember({"fifo", "reverse", "random", "tic", "tac"}))
        ->capture_default_str();
    predictCommand->add_option("--steps", predicted.steps, "Steps per worker that count")
        ->check(CLI::Range(1, 10000000))
        ->capture_default_str();
    predictCommand->add_option("--warm-up", predicted.warmUp, "Steps per worker before them that do not")
        ->check(CLI::Range(0, 10000000))
        ->capture_default_str();
    predictCommand
        ->add_option("--sharing", predicted.sharing,
                     "equal: fairly at every moment; uneven: by drawn weights; tcp: windows over first-come queues, two-way "
                     "traffic; auto: tcp where the profile's transfers were recorded, else equal")
        ->check(CLI::IsMember({"auto", "equal", "uneven", "tcp"}))
        ->capture_default_str();
    predictCommand->add_option("--tcp-window", predicted.tcpWindow, "Window of a connection where sharing is tcp, such as 1MiB")
        ->capture_default_str();
    predictCommand
        ->add_option("--starts", predicted.starts,
                     "Independent runs of every point: their mean, and its interval; workers may lock into step for a whole run")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    addBackground(predictCommand, options);
    predictCommand->add_option(
        "--pairs", predicted.pairs,
        "Captured pairs (CSV with bytes, arrived_us, end_us, plain or gzip) that the parsing overhead is fitted to");
    predictCommand->add_option("--staleness", predicted.staleness, "Steps a worker may be ahead of the slowest; -1: asynchronous")
        ->check(CLI::Range(-1, 1000000))
        ->capture_default_str();
    predictCommand->add_flag(
        "--per-layer", predicted.perLayer,
        "A variable comes back as soon as its gradient arrived; else a step starts when the one before is done");
    predictCommand
        ->add_option("--gain", predicted.gain, "Bottleneck point: another worker adds less than this share of the first")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    predictCommand->add_option("--price", predicted.pricePerNodeHour, "Price of a node-hour, for the cost per sample")
        ->check(CLI::Range(0.0, 1e9));
    predictCommand->callback([&] { action = [&] { return predict(common, options, predicted); }; });

    auto *validateCommand = app.add_subcommand(
        "validate",
        "Hold the model against a folder of measured runs, published charts or logs of collectives, and print the errors");
    std::string folder;
    validateCommand
        ->add_option(
            "folder", folder,
            "Folder with runs.csv, platform.json and jobs/ or profiles/, with charts as in measured/published, or with logs of "
            "nccl-tests, OSU or vTrain")
        ->required();
    validateCommand->callback([&] { action = [&] { return validate(common, folder); }; });

    for (CLI::App *command : app.get_subcommands({})) // --json and its like stand before or after the command
        addCommon(command, common);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &request) { // --help
        return app.exit(request);
    } catch (const CLI::ParseError &error) {
        std::fprintf(stderr, "error: %s; see syncopate-cli --help\n", oneLine(error.what()).c_str());
        return 2;
    }
    const Outcome outcome = action();
    if (outcome)
        return 0;
    std::fprintf(stderr, "error: %s\n", oneLine(outcome.error().error.toString()).c_str());
    return outcome.error().exitCode;
}

} // namespace

int main(int argc, char **argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception &error) { // out of memory and its like
        std::fprintf(stderr, "error: %s; try a smaller input\n", error.what());
        return 1;
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include "engine/space/space.h"
#include "engine/strategy/policy.h"
#include "engine/trial/judge.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>

namespace syncopate::cli {

namespace {

/// "fifo, ddp, ..."
std::string policyNames() {
    std::string names;
    for (const Policy *policy : policies())
        names += (names.empty() ? "" : ", ") + policy->name;
    return names;
}

} // namespace

CLI::Validator between(double min, double max) {
    CLI::Range range(min, max);
    const auto check = [range, min, max](std::string &text) {
        double value = 0;
        if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value))
            return fmt::format("Value {} is not a number from {} to {}", text, min, max);
        return range(text);
    };
    return CLI::Validator(check, range.get_description());
}

CLI::Validator bandwidth() {
    const Space &space = scenarioSpace();
    const Dimension &dimension = space[*space.indexOf("bandwidth")];
    const auto convert = [&dimension](std::string &text) {
        const auto value = dimension.parse(text);
        const auto checked = value ? dimension.check(*value) : Result<void>();
        if (!value || !checked)
            return (value ? checked.error() : value.error()).toString();
        text = fmt::format("{}", *value);
        return std::string();
    };
    return CLI::Validator(convert, CLI::Range(dimension.lowest, dimension.highest).get_description());
}

void addCommon(CLI::App &command, Common &common) {
    command.add_flag("--json", common.json, "Print one JSON object on stdout, nothing else");
    command.add_flag("--quiet", common.quiet, "Print results only");
    command.add_flag("--force", common.force, "Replace existing files, but never the command's inputs");
    command
        .add_option(
            "--seed", common.seed,
            "Seed of what is random: a search's trials, and the policy random where it names none itself; the judge noisy and "
            "random builders have seeds of their own")
        ->check(CLI::Range(0, 2147483647));
}

CLI::Option *addOutput(CLI::App &command, Common &common, const std::string &name, std::string &path, const std::string &help) {
    CLI::Option *option = command.add_option(name, path, help);
    // A script whose variable is empty would lose the result.
    option->check([](const std::string &text) { return text.empty() ? std::string("it names no file") : std::string(); });
    common.outputs.push_back(&path);
    common.outputOptions.push_back(option);
    return option;
}

void addBandwidthAndLatency(CLI::App &command, ScenarioOptions &options) {
    command
        .add_option("--bandwidth", options.bandwidthGbits,
                    "Every node's link each way: Gbit/s, or with a unit, such as 800Mbit/s")
        ->transform(bandwidth());
    command.add_option("--latency", options.latency, "One-way time per message between nodes, such as 50us");
}

void addCluster(CLI::App &command, ScenarioOptions &options, bool needed) {
    command.add_option("--job", options.job, "Catalogue name, job file or profile")->required(needed);
    command.add_option("--variables", options.variables,
                       "Sizes for a profile that lacks them: job file, .safetensors, ONNX model, TensorFlow checkpoint .index");
    command.add_option("--measured", options.measured,
                       "Times for the job: a profile of the same model (PipeDream's layers, an imported step), or its job file");
    command
        .add_option("--batch-size", options.batchSize,
                    "Samples per worker and step, where the profile does not say: without them rates are steps/s")
        ->check(between(1e-9, 1e9));
    command
        .add_option(
            "--cluster", options.cluster,
            "Catalogue name, resource_spec.yml, nvidia-smi topo -m, NCCL XML, ASTRA-sim network or InfraGraph, or \"recorded\": "
            "the machines of the profile")
        ->required(needed);
    command.add_option("--workers", options.workers, "Replicas in all, instead of the cluster's own")
        ->check(CLI::Range(1, 100000));
    command
        .add_option("--servers", options.servers,
                    "Dedicated parameter servers in place of the cluster's own, each with a node's link")
        ->check(CLI::Range(0, 10000));
    addBandwidthAndLatency(command, options);
}

void addScenario(CLI::App &command, ScenarioOptions &options, bool needed) {
    addCluster(command, options, needed);
    command
        .add_option("--policy", options.policy,
                    policyNames() +
                        ", with settings in brackets, such as ddp(bucket_cap=50MiB); \"catalog policies\" lists them. "
                        "In any: barrier=on|off, connections=N, sharing=messages|all|none, form=analytic|flows, "
                        "algorithm=ring|tree|hd|hierarchical|rsag|breduce")
        ->capture_default_str();
    command.add_option("--iterations", options.iterations, "Iterations to unroll")
        ->check(CLI::Range(ScenarioOptions::minIterations, ScenarioOptions::maxIterations))
        ->capture_default_str();
    command.add_option("--curves", options.curves,
                       "Logs of measured collectives (nccl-tests, NCCL Inspector, OSU, vTrain): a file or folder. Analytic "
                       "collectives among the same number of replicas take the measured times");
    command.add_flag("!--no-fold", options.fold, "Simulate every node, also where some are alike");
}

void addStrategy(CLI::App &command, ScenarioOptions &options, bool needed) {
    command.add_option("--strategy", options.strategy, strategyHelp)->required(needed);
}

void addBackground(CLI::App &command, ScenarioOptions &options) {
    command.add_option("--background", options.background,
                       "Others' traffic as shares of links over time: worker0.up:0.3@0-2s,server0.down:0.5@1-4s, or a CSV "
                       "file with link,from_seconds,to_seconds,share");
}

void addSharing(CLI::App &command, ScenarioOptions &options) {
    command
        .add_option_function<std::string>(
            "--sharing",
            [&options](const std::string &name) { options.linkModel = linkModelNamed(name).value_or(LinkModel::Fluid); },
            "How messages between nodes share links. fluid: fairly at every moment; tcp: segments of connections queue at the "
            "links, first come, first served")
        ->check(CLI::IsMember(std::vector<std::string>(linkModelNames.begin(), linkModelNames.end())))
        ->default_str(std::string(nameOf(LinkModel::Fluid)));
}

Result<void> refuseSharing(const ScenarioOptions &options, const std::string &what) {
    if (options.linkModel == LinkModel::Fluid)
        return {};
    return fail(fmt::format("it says how simulated messages share links, and {} follows no such option", what), "leave it out",
                "--sharing");
}

void addJudge(CLI::App &command, std::string &judge) {
    command.add_option("--judge", judge, nameExpressions(judges(), "judges"))->capture_default_str();
}

std::string nameExpressions(const std::vector<ExpressionInfo> &expressions, const char *catalogue) {
    std::string text;
    for (const ExpressionInfo &info : expressions)
        text += (text.empty() ? "" : ", ") + info.name;
    return fmt::format("{}; \"catalog {}\" describes them and their arguments", text, catalogue);
}

} // namespace syncopate::cli

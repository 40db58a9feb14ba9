// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/job/job_file.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/profile.h"
#include "engine/profile/step_samples.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <memory>

namespace syncopate::cli {

namespace {

struct ImportArguments {
    std::vector<std::string> profiles;
    std::string output;       ///< job file to write, empty = none
    std::string step = "all"; ///< a number, or "all"
    std::string variables;    ///< list of variables for a profile without sizes, empty = none
    std::string limit;        ///< memory limit for reading, "8GiB" or "none"; empty = according to the machine's free memory
    bool overlapOnly = false; ///< only the overlap figures, of any trace
};

void addOverlap(JsonWriter &json, const std::vector<OverlapFigures> &overlap) {
    json.key("overlap").beginArray();
    for (const OverlapFigures &f : overlap) {
        json.beginObject().member("rank", f.rank).member("device", f.device);
        json.member("compute_kernels", f.computeKernels).member("communication_kernels", f.communicationKernels);
        json.member("copies", f.copies).member("compute_seconds", f.computeSeconds);
        json.member("communication_seconds", f.communicationSeconds).member("hidden_seconds", f.hiddenSeconds);
        json.member("hidden_ratio", f.hiddenRatio()).member("busy_seconds", f.busySeconds).endObject();
    }
    json.endArray();
}

void addRanks(JsonWriter &json, const std::vector<RankFigures> &ranks) {
    json.key("ranks").beginArray();
    for (const RankFigures &f : ranks) {
        json.beginObject().member("rank", f.rank).member("file", f.file).member("clock_offset_seconds", f.clockOffsetSeconds);
        json.member("step_seconds", f.stepSeconds).member("compute_seconds", f.computeSeconds);
        json.member("collectives", f.collectives).member("transfer_seconds", f.transferSeconds);
        constexpr double unknown = std::numeric_limits<double>::quiet_NaN(); // null in JSON
        json.member("waiting_seconds", f.waitingKnown ? f.waitingSeconds : unknown).endObject();
    }
    json.endArray();
}

std::string rankTable(const std::vector<RankFigures> &ranks) {
    std::string text = fmt::format("{:>5} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "rank", "clock us", "step ms",
                                   "compute ms", "collectives", "transfer ms", "waiting ms");
    for (const RankFigures &f : ranks)
        text += fmt::format("{:>5} {:>12.3f} {:>12.3f} {:>12.3f} {:>12} {:>12.3f} {:>12}\n", f.rank, f.clockOffsetSeconds * 1e6,
                            f.stepSeconds * 1e3, f.computeSeconds * 1e3, f.collectives, f.transferSeconds * 1e3,
                            f.waitingKnown ? fmt::format("{:.3f}", f.waitingSeconds * 1e3) : "not known");
    return text;
}

std::string overlapTable(const std::vector<OverlapFigures> &overlap) {
    std::string text = fmt::format("{:>5} {:>6} {:>8} {:>6} {:>7} {:>12} {:>12} {:>12} {:>8} {:>12}\n", "rank", "device",
                                   "kernels", "comm", "copies", "compute ms", "comm ms", "hidden ms", "hidden", "busy ms");
    for (const OverlapFigures &f : overlap)
        text +=
            fmt::format("{:>5} {:>6} {:>8} {:>6} {:>7} {:>12.3f} {:>12.3f} {:>12.3f} {:>8} {:>12.3f}\n",
                        f.rank < 0 ? "-" : std::to_string(f.rank), f.device, f.computeKernels, f.communicationKernels, f.copies,
                        f.computeSeconds * 1e3, f.communicationSeconds * 1e3, f.hiddenSeconds * 1e3,
                        f.communicationSeconds > 0 ? fmt::format("{:.1f} %", 100 * f.hiddenRatio()) : "-", f.busySeconds * 1e3);
    return text;
}

Result<std::int32_t> stepOf(const std::string &text) {
    std::int32_t step = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), step);
    if (status != std::errc() || end != text.data() + text.size() || step < 0)
        return fail(fmt::format("--step {} is neither a step number nor 'all'", text), "count steps from 0");
    return step;
}

Result<std::uint64_t> limitOf(const std::string &text) {
    if (text == "none")
        return ReadLimits::unlimited;
    const auto bytes = parseBytes(text);
    if (!bytes || *bytes < 1 || *bytes > 1e18)
        return fail(fmt::format("--limit {} is neither a size nor 'none'", text), "write it as 8GiB");
    return static_cast<std::uint64_t>(*bytes);
}

Result<ImportOptions> optionsOf(const ImportArguments &arguments) {
    ImportOptions options;
    if (arguments.step != "all")
        options.step = TRY(stepOf(arguments.step));
    options.variables = arguments.variables;
    if (!arguments.limit.empty())
        options.limitBytes = TRY(limitOf(arguments.limit));
    return options;
}

Outcome overlapOnly(const Common &common, const ImportArguments &arguments) {
    if (arguments.profiles.size() != 1)
        return badInput("--overlap takes one profile, folder or archive", "put the ranks into a folder");
    const auto options = TRY(orBadInput(optionsOf(arguments)));
    const auto overlap = TRY(orBadInput(measureOverlap(arguments.profiles.front(), {}, nullptr, options.limitBytes)));
    JsonWriter json;
    json.beginObject().member("file", arguments.profiles.front());
    addOverlap(json, overlap);
    json.endObject().newLine();
    printEither(common, json, overlapTable(overlap));
    return {};
}

void addSteps(JsonWriter &json, const std::vector<ProfileStep> &steps) {
    json.key("steps").beginArray();
    for (const ProfileStep &s : steps)
        json.beginObject()
            .member("name", s.name)
            .member("seconds", s.endSeconds - s.startSeconds)
            .member("forward_seconds", s.forwardSeconds)
            .member("backward_seconds", s.backwardSeconds)
            .member("update_seconds", s.updateSeconds)
            .member("communication_seconds", s.communicationSeconds)
            .member("exposed_communication_seconds", s.exposedCommunicationSeconds)
            .endObject();
    json.endArray();
}

void addGradients(JsonWriter &json, const std::vector<GradientCollective> &gradients) {
    json.key("gradient_collectives").beginArray();
    for (const GradientCollective &g : gradients)
        json.beginObject()
            .member("step", g.step)
            .member("elements", g.elements)
            .member("dtype", nameOf(g.dtype))
            .member("start_seconds", g.startSeconds)
            .member("seconds", g.durationSeconds)
            .endObject();
    json.endArray();
}

void writeJson(JsonWriter &json, const ImportedProfile &p) {
    json.beginObject().member("file", p.file).member("job", p.job.name).member("events", p.eventCount);
    json.member("layers", static_cast<std::uint64_t>(p.job.layers.size()));
    json.member("variables", static_cast<std::uint64_t>(p.job.variables.size())).member("parameters", p.job.parameterCount());
    json.member("forward_seconds", p.job.forwardSeconds()).member("backward_seconds", p.job.backwardSeconds());
    json.member("update_seconds", p.job.updateSeconds);
    addSteps(json, p.steps);
    addGradients(json, p.gradients);
    json.key("variables_without_size").beginArray();
    for (const UnsizedVariable &variable : p.unsized)
        json.value(variable.name);
    json.endArray();
    json.member("step_samples", static_cast<std::uint64_t>(p.samples.size()));
    addOverlap(json, p.overlap);
    addRanks(json, p.ranks);
    for (const auto &[key, list] : {std::pair{"read", &p.read}, std::pair{"inferred", &p.inferred}}) {
        json.key(key).beginArray();
        for (const std::string &sentence : *list)
            json.value(sentence);
        json.endArray();
    }
    json.endObject().newLine();
}

std::string report(const ImportedProfile &p) {
    std::string text = fmt::format("{}: {} events\nread\n", p.file, p.eventCount);
    for (const std::string &sentence : p.read)
        text += "  " + sentence + "\n";
    if (!p.ranks.empty())
        text += "ranks\n" + rankTable(p.ranks) + "overlap\n" + overlapTable(p.overlap);
    text += "inferred\n";
    for (const std::string &sentence : p.inferred)
        text += "  " + sentence + "\n";
    return text;
}

std::string jobText(const ImportedProfile &p) {
    Job job = p.job;
    if (!p.opGraphs.empty()) // explains why `predict` differs for the job file
        job.notes.emplace_back(
            "The job file has the times of layers in each step, but neither the dependencies of the profile's ops nor the times "
            "of its transfers: predict gives other throughputs for it than for the profile itself.");
    return writeJobText(job, p.samples);
}

Outcome import(const Common &common, const ImportArguments &arguments) {
    if (arguments.overlapOnly)
        return overlapOnly(common, arguments);
    const auto options = TRY(orBadInput(optionsOf(arguments)));
    const auto profile = TRY(orBadInput(importProfiles(arguments.profiles, options)));
    if (!arguments.output.empty())
        TRY(save(common, arguments.output, jobText(*profile)));
    JsonWriter json;
    if (common.json)
        writeJson(json, *profile);
    printEither(common, json, common.quiet ? std::string() : report(*profile));
    return {};
}

Action declareImport(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<ImportArguments>();
    command
        .add_option("profile", arguments->profiles,
                    "PyTorch Kineto trace (JSON, gzipped or not), a folder or archive of the ranks of one job, execution traces "
                    "beside them; TensorFlow timelines, each a step of one job; exports of the older autograd profiler; "
                    "Nsight Systems' SQLite exports; Chakra .et; PipeDream's graph.txt")
        ->required();
    CLI::Option *const output = addOutput(command, common, "-o,--output", arguments->output, "Job file to write");
    CLI::Option *const step =
        command.add_option("--step", arguments->step, "Step to take, counted from 0, or 'all': the median of the complete steps")
            ->capture_default_str();
    CLI::Option *const variables =
        command.add_option("--variables", arguments->variables,
                           "List of the model's variables, where the profile lacks their sizes: job file, .safetensors, list of "
                           "tensors (JSON), ONNX model or TensorFlow checkpoint .index");
    command.add_option("--limit", arguments->limit,
                       "Memory that reading may take, such as 16GiB, or 'none' (three quarters of the free memory); also accepts "
                       "files that unpack to far more than traces do");
    command
        .add_flag("--overlap", arguments->overlapOnly,
                  "Print only how much communication lies under compute, by device; takes any trace, training or not")
        ->excludes(output, step, variables); // it makes no job
    return [&common, arguments] { return import(common, *arguments); };
}

} // namespace

const CommandEntry importEntry{"import", "Read a profile: steps, layers, gradient sizes; write it as a job file", declareImport};

} // namespace syncopate::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/calibrate_files.h"

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "engine/base/input_file.h"
#include "engine/base/units.h"
#include "engine/session/load_scenario.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace syncopate::cli {

namespace {

struct CalibrateArguments {
    std::vector<std::string> files;
    std::string alone, beside; ///< profiles, empty = those among `files`
    std::string cluster, output;
    LogUse logs;
};

/// The profiles of --alone and --beside, or those among the files.
Result<ProfilePair> profilesOf(const CalibrateArguments &arguments, const CalibrationFiles &inputs) {
    if (arguments.alone.empty())
        return profilePair(inputs.profiles);
    if (!inputs.profiles.empty())
        return fail("there is a profile besides those of --alone and --beside", "leave it out", inputs.profiles.front()->file);
    ProfilePair pair;
    pair.alone = TRY(importProfiles({arguments.alone}));
    pair.beside = TRY(importProfiles({arguments.beside}));
    return pair;
}

void write(JsonWriter &json, const FitError &error) {
    json.member("measurements", static_cast<std::uint64_t>(error.count))
        .member("median_error", error.median)
        .member("max_error", error.worst);
}

void writeJson(JsonWriter &json, const Calibration &calibration) {
    json.beginObject().key("figures").beginArray();
    for (const CalibratedFigure &figure : calibration.figures) {
        json.newLine().beginObject().member("key", figure.key).member("before", figure.before).member("after", figure.after);
        json.member("source", figure.source).member("basis", figure.basis);
        write(json, figure.error);
        json.endObject();
    }
    json.endArray().key("rows").beginArray();
    for (const CalibrationRow &row : calibration.rows)
        json.newLine()
            .beginObject()
            .member("source", row.source)
            .member("what", row.what)
            .member("measured_seconds", row.measuredSeconds)
            .member("predicted_seconds", row.predictedSeconds)
            .member("error", row.error())
            .endObject();
    json.endArray().key("logs").beginArray();
    for (const CalibratedLog &log : calibration.logs) {
        json.newLine().beginObject().member("file", log.fit.log.source).member("tool", log.fit.log.tool);
        json.member("collective", nameOf(log.fit.log.kind)).member("ranks", log.fit.log.ranks).member("nodes", log.fit.log.nodes);
        json.member("sizes", static_cast<std::uint64_t>(log.fit.log.samples.size())).member("used", log.error.count > 0);
        json.member("remark", log.remark);
        json.member("line_median_error", log.fit.lineResiduals.median).member("line_max_error", log.fit.lineResiduals.worst);
        json.member("curve_median_error", log.fit.curveResiduals.median).member("curve_max_error", log.fit.curveResiduals.worst);
        write(json, log.error);
        json.endObject();
    }
    json.endArray().key("slowdowns").beginArray();
    for (const Slowdown &slowdown : calibration.slowdowns)
        json.newLine()
            .beginObject()
            .member("factor", slowdown.factor)
            .member("lower", slowdown.lower)
            .member("upper", slowdown.upper)
            .member("ops", static_cast<std::uint64_t>(slowdown.ops))
            .member("seconds", slowdown.seconds)
            .member("clear_factor", slowdown.clearFactor)
            .member("clear_ops", static_cast<std::uint64_t>(slowdown.clearOps))
            .member("matched_share", slowdown.matchedShare)
            .endObject();
    json.endArray().key("notes").beginArray();
    for (const std::string &note : calibration.notes)
        json.value(note);
    json.endArray().endObject().newLine();
}

std::string report(const Calibration &calibration, bool quiet) {
    std::string text = fmt::format("{:32} {:>11} {:>11}  {:>16}  {}\n", "key", "before", "after", "error", "from");
    for (const CalibratedFigure &figure : calibration.figures)
        text += fmt::format("{:32} {:>11.4g} {:>11.4g}  {:>6.1f}% {:>7.1f}%  {} ({})\n", figure.key, figure.before, figure.after,
                            100 * figure.error.median, 100 * figure.error.worst, figure.source, figure.basis);
    text += "error: median and worst of |predicted / measured - 1|\n";
    if (quiet)
        return text;
    for (const CalibrationRow &row : calibration.rows)
        text += fmt::format("{:64} {:>12} {:>12} {:>+7.1f}%\n", row.what, formatSeconds(row.measuredSeconds),
                            formatSeconds(row.predictedSeconds), 100 * row.error());
    for (const CalibratedLog &log : calibration.logs)
        text += fmt::format(
            "{} {}, {} sizes: {}; one line misses it by {:.1f} % (worst {:.1f} %), {} lines by {:.1f} % ({:.1f} %){}\n",
            log.fit.log.source, nameOf(log.fit.log.kind), log.fit.log.samples.size(), log.remark,
            100 * log.fit.lineResiduals.median, 100 * log.fit.lineResiduals.worst, log.fit.curve.segments.size(),
            100 * log.fit.curveResiduals.median, 100 * log.fit.curveResiduals.worst,
            log.error.count == 0
                ? ", not used"
                : fmt::format(", the cluster by {:.1f} % ({:.1f} %)", 100 * log.error.median, 100 * log.error.worst));
    for (const Slowdown &slowdown : calibration.slowdowns)
        text += fmt::format(
            "{} ops under communication take {:.3f} times what they take alone (quartiles {:.3f} to {:.3f}); {} ops clear "
            "of it {:.3f} times\n",
            slowdown.ops, slowdown.factor, slowdown.lower, slowdown.upper, slowdown.clearOps, slowdown.clearFactor);
    for (const std::string &note : calibration.notes)
        text += note + "\n";
    return text;
}

/// The comment lines at the top of a cluster file, which the writer would lose: it knows only values.
std::string leadingComments(const std::string &path) {
    const auto text = readInputFile(path);
    std::string comments;
    for (std::string_view rest = text ? std::string_view(*text) : std::string_view(); rest.starts_with('#');) {
        const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
        comments += rest.substr(0, end);
        rest.remove_prefix(end);
    }
    if (!comments.empty() && comments.back() != '\n')
        comments += '\n';
    return comments;
}

Result<Calibration> calibrated(const CalibrateArguments &arguments) {
    if (arguments.files.empty() && arguments.alone.empty())
        return fail("nothing to calibrate from is given",
                    "give a table of message costs, logs of collectives, or --alone and --beside with two profiles");
    auto inputs = TRY(readCalibrationFiles(arguments.files));
    const ProfilePair pair = TRY(profilesOf(arguments, inputs));
    ScenarioOptions options;
    options.cluster = arguments.cluster;
    Cluster cluster = TRY(loadCluster(options, LoadedJob{.job = {}, .profile = pair.beside}));
    return calibrateCluster(std::move(cluster), std::move(inputs), pair, arguments.logs);
}

Outcome calibrate(const Common &common, const CalibrateArguments &arguments) {
    const auto calibration = TRY(orBadInput(calibrated(arguments)));
    std::error_code error;
    const std::string comments =
        std::filesystem::is_regular_file(arguments.cluster, error) ? leadingComments(arguments.cluster) : std::string();
    TRY(save(common, arguments.output, comments + writeResourceSpec(calibration.cluster)));
    JsonWriter json;
    if (common.json)
        writeJson(json, calibration);
    printEither(common, json, report(calibration, common.quiet));
    return {};
}

Action declareCalibrate(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<CalibrateArguments>();
    command.add_option(
        "file", arguments->files,
        "Tables of message costs (CSV with seconds_per_message), logs of collectives (nccl-tests' text or -J, NCCL "
        "Inspector, OSU, vTrain; files or folders), two profiles of one model");
    command
        .add_option("--cluster", arguments->cluster,
                    "Cluster whose figures are set: catalogue name, resource_spec.yml or another description, or \"recorded\"")
        ->required();
    addOutput(command, common, "-o,--output", arguments->output, "Cluster file to write")->required();
    command
        .add_option("--connections", arguments->logs.connections,
                    "Connections between two nodes that the logged collectives had (NCCL's channels), dealt to the NICs as with "
                    "a policy's connections=")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command.add_flag("--points", arguments->logs.points,
                     "Also keep the logs' sizes and times in the cluster file: collectives among as many ranks then take these "
                     "times instead of times derived from latencies and rates");
    CLI::Option *alone = command.add_option("--alone", arguments->alone, "Profile without communication, or little of it");
    CLI::Option *beside =
        command.add_option("--beside", arguments->beside, "Profile of the same model with communication that overlaps compute");
    alone->needs(beside);
    beside->needs(alone);
    return [&common, arguments] { return calibrate(common, *arguments); };
}

} // namespace

const CommandEntry calibrateEntry{
    "calibrate", "Set a cluster's figures from measured messages, collectives and profiles, and show their errors",
    declareCalibrate};

} // namespace syncopate::cli

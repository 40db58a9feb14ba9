// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/job/job_file.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/profile.h"
#include "engine/profile/step_samples.h"

#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace syncopate::cli {

namespace {

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
        constexpr double unknown = std::numeric_limits<double>::quiet_NaN(); // which JSON has as null
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

Outcome overlapOnly(const Common &common, const ImportArguments &arguments) {
    if (arguments.profiles.size() != 1)
        return badInput("--overlap takes one profile, folder or archive", "put the ranks into a folder");
    const auto overlap = measureOverlap(arguments.profiles.front());
    if (!overlap)
        return badInput(overlap.error());
    if (common.json) {
        JsonWriter json;
        json.beginObject().member("file", arguments.profiles.front());
        addOverlap(json, *overlap);
        json.endObject().newLine();
        print(json.take());
        return {};
    }
    print(overlapTable(*overlap));
    return {};
}

} // namespace

Outcome import(const Common &common, const ImportArguments &arguments) {
    if (arguments.overlapOnly)
        return overlapOnly(common, arguments);
    ImportOptions options;
    if (const std::string &step = arguments.step; step != "all") {
        const auto [end, status] = std::from_chars(step.data(), step.data() + step.size(), options.step);
        if (status != std::errc() || end != step.data() + step.size() || options.step < 0)
            return badInput(fmt::format("--step {} is neither a step number nor 'all'", step), "count steps from 0");
    }
    options.variables = arguments.variables;
    if (arguments.limit == "none") {
        options.limitBytes = ReadLimits::unlimited;
    } else if (!arguments.limit.empty()) {
        const auto bytes = parseBytes(arguments.limit);
        if (!bytes || *bytes < 1 || *bytes > 1e18)
            return badInput(fmt::format("--limit {} is neither a size nor 'none'", arguments.limit), "write it as 8GiB");
        options.limitBytes = static_cast<std::uint64_t>(*bytes);
    }
    const auto profile = importProfiles(arguments.profiles, options);
    if (!profile)
        return badInput(profile.error());
    const ImportedProfile &p = **profile;
    if (!arguments.output.empty()) {
        Job job = p.job;
        if (!p.opGraphs.empty()) // the difference that `predict` would otherwise show without a reason
            job.notes.emplace_back(
                "The job file has the times of layers in each step, not what the profile's ops waited for nor when its tensors "
                "came and went: predict gives other throughputs for it than for the profile itself.");
        TRY(save(common, arguments.output, writeJobText(job, p.samples)));
    }
    if (common.json) {
        JsonWriter json;
        json.beginObject().member("file", p.file).member("job", p.job.name).member("events", p.eventCount);
        json.member("layers", static_cast<std::uint64_t>(p.job.layers.size()));
        json.member("variables", static_cast<std::uint64_t>(p.job.variables.size())).member("parameters", p.job.parameterCount());
        json.member("forward_seconds", p.job.forwardSeconds()).member("backward_seconds", p.job.backwardSeconds());
        json.member("update_seconds", p.job.updateSeconds).key("steps").beginArray();
        for (const ProfileStep &s : p.steps)
            json.beginObject()
                .member("name", s.name)
                .member("seconds", s.endSeconds - s.startSeconds)
                .member("forward_seconds", s.forwardSeconds)
                .member("backward_seconds", s.backwardSeconds)
                .member("update_seconds", s.updateSeconds)
                .member("communication_seconds", s.communicationSeconds)
                .member("exposed_communication_seconds", s.exposedCommunicationSeconds)
                .endObject();
        json.endArray().key("gradient_collectives").beginArray();
        for (const GradientCollective &g : p.gradients)
            json.beginObject()
                .member("step", g.step)
                .member("elements", g.elements)
                .member("dtype", nameOf(g.dtype))
                .member("start_seconds", g.startSeconds)
                .member("seconds", g.durationSeconds)
                .endObject();
        json.endArray().key("variables_without_size").beginArray();
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
        print(json.take());
    } else if (!common.quiet) {
        std::string text = fmt::format("{}: {} events\nread\n", p.file, p.eventCount);
        for (const std::string &sentence : p.read)
            text += "  " + sentence + "\n";
        if (!p.ranks.empty())
            text += "ranks\n" + rankTable(p.ranks) + "overlap\n" + overlapTable(p.overlap);
        text += "inferred\n";
        for (const std::string &sentence : p.inferred)
            text += "  " + sentence + "\n";
        print(text);
    }
    return {};
}

} // namespace syncopate::cli

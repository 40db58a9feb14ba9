// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/setting.h"

#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/predict/overhead_pairs.h"
#include "engine/predict/recorded_steps.h"
#include "engine/profile/step_samples.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <string_view>

namespace syncopate {

namespace {

constexpr std::int32_t maxWorkers = 4096, maxServers = 1000;
constexpr std::size_t maxListed = 100'000; ///< workers in one list, repetitions included

/// Formats without an exponent, whose minus sign would be read as a range.
std::string plain(double number) {
    std::string text = fmt::format("{}", number);
    return text.find('e') == std::string::npos ? text : fmt::format("{:.30f}", number);
}

/// Bytes of each variable: those of its transfers down.
std::vector<double> variableBytes(const StepGraph &graph) {
    std::vector<double> bytes;
    for (const StepOp &op : graph.ops) {
        if (op.variable < 0 || op.resource != StepResource::Downlink)
            continue;
        if (static_cast<std::size_t>(op.variable) >= bytes.size())
            bytes.resize(static_cast<std::size_t>(op.variable) + 1, 0);
        bytes[static_cast<std::size_t>(op.variable)] += op.sizeBytes;
    }
    return bytes;
}

/// The servers of recorded transfers' variables, which are numbered otherwise than the job's: by the name of each, where `placed`
/// has the server of each of the job's. Others, such as the global step, go where the fewest bytes are.
Result<std::vector<std::int32_t>> placedByName(const StepGraph &graph, const std::vector<double> &bytes, const Job &job,
                                               const std::vector<std::int32_t> &placed, std::int32_t servers) {
    std::map<std::string_view, std::int32_t> known;
    for (std::size_t v = 0; v < std::min(job.variables.size(), placed.size()); ++v)
        known.emplace(job.variables[v].name, placed[v]);
    std::vector<std::int32_t> serverOf(bytes.size(), -1);
    std::vector<double> load(static_cast<std::size_t>(servers), 0);
    for (const StepOp &op : graph.ops) {
        if (op.variable < 0 || op.resource != StepResource::Downlink)
            continue;
        if (const auto found = known.find(variableOfTransfer(op.name));
            found != known.end() && found->second >= 0 && found->second < servers) {
            serverOf[static_cast<std::size_t>(op.variable)] = found->second;
            load[static_cast<std::size_t>(found->second)] += op.sizeBytes;
        }
    }
    if (std::ranges::all_of(serverOf, [](std::int32_t server) { return server < 0; }))
        return fail("the strategy places none of the tensors that the recorded worker receives",
                    "name its variables as the profile does, or leave the strategy out");
    for (std::size_t v = 0; v < serverOf.size(); ++v)
        if (serverOf[v] < 0) {
            const auto least = std::ranges::min_element(load);
            serverOf[v] = static_cast<std::int32_t>(least - load.begin());
            *least += bytes[v];
        }
    return serverOf;
}

Result<void> checkSetting(const PredictSetting &setting, const Cluster &cluster, std::int32_t servers, bool isRecorded) {
    if (setting.workers.empty() || setting.workers.front() < 1 || setting.workers.back() > maxWorkers || servers < 1 ||
        servers > maxServers)
        return fail(fmt::format("{} workers or {} servers are out of range", setting.workers.empty() ? 0 : setting.workers.back(),
                                servers),
                    fmt::format("ask for 1 to {} workers and 1 to {} servers", maxWorkers, maxServers));
    TRY(checkConnections(setting.workers.back(), servers));
    if (cluster.nodes.empty())
        return fail("the cluster has no nodes", "choose a cluster");
    if (!isRecorded && !setting.windowBytes)
        return fail("there are no recorded transfers to find the window from", "give the window a size, or turn it off");
    if (!isRecorded && setting.overhead && *setting.overhead != ParsingOverhead())
        return fail("there are no recorded transfers to subtract parsing from", "leave the parsing overhead out");
    if (isRecorded && setting.perLayer)
        return fail("steps of recorded transfers cannot overlap by layer", "turn the per-layer overlap of steps off");
    return {};
}

} // namespace

std::vector<std::int32_t> workersUpTo(std::int32_t max) {
    std::vector<std::int32_t> workers(static_cast<std::size_t>(std::clamp(max, 0, maxWorkers)));
    std::iota(workers.begin(), workers.end(), 1);
    return workers;
}

Result<std::vector<std::int32_t>> parseWorkers(std::string_view text) {
    std::vector<std::int32_t> counts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        const std::string_view part = text.substr(from, comma - from);
        const std::size_t dash = part.find('-');
        const std::string remedy = fmt::format("write 1-10, or 1,2,4, of 1 to {} workers", maxWorkers);
        if (counts.size() > maxListed)
            return fail(fmt::format("there are more than {} numbers of workers before '{}'", maxListed, cutInMiddle(part, 40)),
                        "give each number once");
        const auto first = parseNumber(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : parseNumber(part.substr(dash + 1));
        if (!first || !last || !(*first >= 1 && *first <= *last && *last <= maxWorkers) || *first != std::floor(*first) ||
            *last != std::floor(*last))
            return fail(fmt::format("'{}' is not a number of workers", cutInMiddle(part, 40)), remedy);
        for (auto w = static_cast<std::int32_t>(*first); w <= static_cast<std::int32_t>(*last); ++w)
            counts.push_back(w);
        from = comma + 1;
    }
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

std::string formatWorkers(const std::vector<std::int32_t> &workers) {
    std::string text;
    for (std::size_t i = 0, last = 0; i < workers.size(); i = last + 1) {
        for (last = i; last + 1 < workers.size() && workers[last + 1] == workers[last] + 1;)
            ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ",", workers[i]);
        if (last > i)
            text += fmt::format("-{}", workers[last]);
    }
    return text;
}

std::string formatBackground(const std::vector<BackgroundTraffic> &background) {
    std::string text;
    for (const BackgroundTraffic &traffic : background)
        text +=
            fmt::format("{}{}{}.{}:{}@{}-{}s", text.empty() ? "" : ",", traffic.server ? "server" : "worker", traffic.index,
                        traffic.up ? "up" : "down", plain(traffic.share), plain(traffic.fromSeconds), plain(traffic.toSeconds));
    return text;
}

std::string formatOverhead(const std::optional<ParsingOverhead> &overhead) {
    if (!overhead)
        return "auto";
    return *overhead == ParsingOverhead() ? "off" : fmt::format("{},{}s", overhead->secondsPerByte, overhead->seconds);
}

Result<std::optional<ParsingOverhead>> parseOverhead(std::string_view text) {
    if (text == "auto")
        return std::optional<ParsingOverhead>();
    if (text == "off")
        return std::optional(ParsingOverhead());
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto alpha = parseNumber(text.substr(0, comma));
    const auto beta = parseSeconds(text.substr(std::min(comma + 1, text.size())));
    if (!alpha || !beta || !(*alpha >= 0 && *alpha < 1 && *beta >= 0 && *beta < 60))
        return fail(fmt::format("'{}' is not a parsing overhead", text),
                    "write seconds per byte and per tensor, such as 2e-10,50us, or auto, or off");
    return std::optional(ParsingOverhead{*alpha, *beta});
}

Result<void> fitOverheadTo(const std::string &pairsFile, PredictSetting &setting) {
    const auto pairs = TRY(readOverheadPairs(pairsFile));
    setting.overhead = fitOverhead(pairs);
    const OverheadResiduals left = residualsOf(pairs, *setting.overhead);
    setting.overheadNote =
        fmt::format("Parsing was fitted to {} pairs: residuals {} at the median, {} at the 95th percentile, {} at most.",
                    pairs.size(), formatSeconds(left.median), formatSeconds(left.percentile95), formatSeconds(left.maximum));
    return {};
}

LinkSharing sharingOf(const PredictSetting &setting, bool recorded) {
    return setting.sharing.value_or(recorded ? LinkSharing::Tcp : LinkSharing::Equal);
}

Result<std::optional<double>> parseWindow(std::string_view text) {
    if (text == "auto")
        return std::optional<double>();
    if (text == "off")
        return std::optional<double>(std::numeric_limits<double>::infinity());
    const auto window = parseBytes(text);
    if (!window || !(*window >= 1))
        return fail(fmt::format("'{}' is not a window", text), "write a size such as 64KiB, or off, or auto");
    return std::optional<double>(*window);
}

bool hasRecordedTransfers(const ImportedProfile *profile) { return profile && !profile->opGraphs.empty(); }

Result<std::shared_ptr<const Reconstruction>> reconstructionOf(const Job &job, const ImportedProfile *profile,
                                                               const Cluster &cluster, const PredictSetting &setting) {
    if (!hasRecordedTransfers(profile))
        return nullptr;
    if (cluster.nodes.empty())
        return fail("the cluster has no nodes", "choose a cluster");
    const auto steps = TRY(recordedStepsOf(profile->opGraphs, profile->file, countOfStep(job)));
    ReconstructOptions options;
    options.bytesPerSecond = setting.recordedGbits > 0 ? bytesPerSecondFromGbits(setting.recordedGbits)
                             : setting.bandwidthGbits > 0 // else the recording is from this cluster
                                 ? connectionRate(withBandwidth(cluster, setting.bandwidthGbits))
                                 : connectionRate(cluster);
    options.windowBytes = setting.windowBytes;
    options.overhead = setting.overhead;
    options.replay.sharing = sharingOf(setting, true);
    options.replay.tcp.windowBytes = setting.tcpWindowBytes;
    options.replay.seed = setting.seed;
    auto reconstruction = TRY(reconstruct(steps, options));
    reconstruction.set.notes.push_back(
        fmt::format("Recorded transfers are explained by streams of {} on the link of the profile.",
                    formatBandwidth(options.bytesPerSecond)));
    if (!setting.overheadNote.empty())
        reconstruction.set.notes.push_back(setting.overheadNote);
    return std::make_shared<const Reconstruction>(std::move(reconstruction));
}

Result<std::vector<StepSample>> samplesOf(const Job &job, const ImportedProfile *profile, const std::string &source) {
    if (profile)
        return profile->samples;
    std::error_code ignored;
    return std::filesystem::is_regular_file(source, ignored) ? readStepSamples(source, job) : std::vector<StepSample>();
}

Result<std::shared_ptr<const PredictRequest>> predictRequest(const Job &job, const std::vector<StepSample> &samples,
                                                             const Reconstruction *reconstruction, const Cluster &cluster,
                                                             const PredictSetting &setting,
                                                             const std::vector<std::int32_t> &placed) {
    const std::int32_t servers =
        setting.servers != 0 ? setting.servers : std::max(static_cast<std::int32_t>(cluster.serverOnly.size()), 1);
    TRY(checkSetting(setting, cluster, servers, reconstruction != nullptr));
    auto request = std::make_shared<PredictRequest>();
    StepSet steps = reconstruction ? reconstruction->set : TRY(stepSetFromJob(job, samples, {.perLayer = setting.perLayer}));
    if (setting.batchSize > 0)
        steps.batchSize = setting.batchSize;
    const std::vector<double> bytes = variableBytes(steps.graph);
    if (bytes.empty())
        return fail("the profile has no sizes of variables, so nothing is sent", "open a profile or job file that has them");
    if (!placed.empty() && servers > 1) {
        const auto serverOf = reconstruction ? TRY(placedByName(steps.graph, bytes, job, placed, servers)) : placed;
        steps = TRY(withPlacement(std::move(steps), serverOf, servers));
    } else if (steps.graph.servers != servers) { // else recorded variables stay where they were
        steps = TRY(withPlacement(std::move(steps), placeGreedily(bytes, servers), servers));
    }
    request->steps = std::make_shared<const StepSet>(std::move(steps));
    request->cluster =
        static_cast<std::int32_t>(cluster.serverOnly.size()) == servers ? cluster : withDedicatedServers(cluster, servers);
    if (setting.bandwidthGbits > 0)
        request->cluster = withBandwidth(request->cluster, setting.bandwidthGbits);
    request->workers = setting.workers;
    request->order = setting.order;
    request->starts = setting.starts;
    request->gain = setting.gain;
    GenerateOptions &generate = request->generate;
    generate.windowBytes = reconstruction ? reconstruction->windowBytes : *setting.windowBytes;
    generate.sharing = sharingOf(setting, reconstruction != nullptr);
    generate.tcp.windowBytes = setting.tcpWindowBytes;
    generate.background = setting.background;
    generate.staleness = setting.staleness;
    generate.spreadStarts = true;
    generate.steps = setting.steps;
    generate.warmUp = setting.warmUp;
    generate.seed = setting.seed;
    return request;
}

} // namespace syncopate

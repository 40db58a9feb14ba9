// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/measured_costs.h"

#include "engine/base/input_file.h"
#include "engine/base/median.h"
#include "engine/cluster/stale_curves.h"
#include "engine/parse/byte_source.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

struct CostsSource {
    std::string link; ///< empty: none is named
    std::string path;
};

/// "LINK=PATH" or "PATH"; a path that exists may have an equals sign in it.
CostsSource sourceOf(const std::string &text) {
    std::error_code error;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || std::filesystem::exists(text, error))
        return {{}, text};
    return {text.substr(0, equals), text.substr(equals + 1)};
}

/// The file's first line.
std::string titleOf(const std::string &path) {
    constexpr std::size_t headBytes = 4096;
    std::error_code error;
    const std::string head =
        std::filesystem::is_directory(path, error) ? std::string() : readTextHead(path, headBytes).value_or("");
    return head.substr(0, head.find('\n'));
}

/// The channels' first links.
std::set<std::string> linksOf(const std::vector<Channel> &channels) {
    std::set<std::string> links;
    for (const Channel &channel : channels)
        links.insert(channel.links.front());
    return links;
}

/// The link that a log is of.
Result<std::string> linkOf(const CostsSource &source, const std::vector<Channel> &channels) {
    const std::set<std::string> links = linksOf(channels);
    if (source.link.empty() && links.size() == 1)
        return *links.begin();
    if (links.contains(source.link))
        return source.link;
    return fail(source.link.empty() ? "a log of collectives does not say on which link it was measured"
                                    : fmt::format("no channel begins with a link \"{}\"", source.link),
                fmt::format("write LINK={}, with one of {}", source.path, fmt::join(links, ", ")), source.path);
}

/// Renames channels in a table of measurements to their first links, and leaves out measurements of other links. Errors: no curve
/// is left.
Result<MotifCosts> onChannels(MotifCosts table, const std::vector<Channel> &channels, const std::string &path,
                              std::vector<std::string> &notes) {
    const std::set<std::string> links = linksOf(channels);
    std::set<std::string> others;
    const auto isOther = [&](auto &measured) {
        const auto channel = std::ranges::find(channels, measured.link, &Channel::name);
        if (!links.contains(measured.link) && channel != channels.end())
            measured.link = channel->links.front();
        if (links.contains(measured.link))
            return false;
        others.insert(measured.link);
        return true;
    };
    std::erase_if(table.curves, isOther);
    std::erase_if(table.slowdowns, isOther);
    if (table.curves.empty())
        return fail(fmt::format("it has collectives on {}, with which no channel begins", fmt::join(others, ", ")),
                    fmt::format("name in its column \"channel\" the first links of the channels: {}", fmt::join(links, ", ")),
                    path);
    if (!others.empty())
        notes.push_back(
            fmt::format("{}: measurements on {} are left out, as no channel begins with them.", path, fmt::join(others, ", ")));
    return table;
}

/// The log's samples with one time for each size.
std::vector<CollectiveSample> mediansOf(const CollectiveLog &log) {
    std::map<double, std::vector<double>> bySize;
    for (const CollectiveSample &sample : log.samples)
        bySize[sample.sizeBytes].push_back(sample.seconds);
    std::vector<CollectiveSample> samples;
    samples.reserve(bySize.size());
    for (const auto &[bytes, seconds] : bySize)
        samples.push_back({bytes, std::max(median(seconds), samples.empty() ? 0 : samples.back().seconds)});
    return samples;
}

/// The reason why a log cannot be a curve; empty: it can.
std::string reasonAgainst(const CollectiveLog &log, std::int32_t processes) {
    if (log.ranks != 0 && log.ranks != processes)
        return fmt::format("it is among {} ranks, the DAG among {} processes", log.ranks, processes);
    return hasWholeSizes(log) ? "" : pairSizesRemark;
}

/// Adds curves of other sources. Errors: one of a collective that is there already.
Result<void> addCurves(std::vector<MotifCurve> &curves, std::vector<MotifCurve> more, const std::string &path) {
    const auto measuredOf = [](const MotifCurve &curve) {
        return std::tuple(curve.kind, curve.link, curve.spline.index, curve.spline.of);
    };
    std::set<std::tuple<CollectiveKind, std::string, std::int32_t, std::int32_t>> known;
    for (const MotifCurve &curve : curves)
        known.insert(measuredOf(curve));
    for (MotifCurve &curve : more) {
        if (!known.insert(measuredOf(curve)).second)
            return fail(fmt::format("the {} on \"{}\" was measured twice", nameOf(curve.kind), curve.link),
                        "give each collective and link once", path);
        curves.push_back(std::move(curve));
    }
    return {};
}

/// As addCurves().
Result<void> addSlowdowns(std::vector<LinkSlowdown> &slowdowns, std::vector<LinkSlowdown> more, const std::string &path) {
    for (LinkSlowdown &slowdown : more) {
        if (std::ranges::find(slowdowns, slowdown.link, &LinkSlowdown::link) != slowdowns.end())
            return fail(fmt::format("the slowdown on \"{}\" was measured twice", slowdown.link), "give each link once", path);
        slowdowns.push_back(std::move(slowdown));
    }
    return {};
}

Result<std::vector<MotifCurve>> readLogs(const CostsSource &source, const CostsPlace &place, std::vector<std::string> &notes) {
    const CollectiveLogs read = readCollectiveLogFiles(TRY(filesBelow(source.path)));
    if (read.logs.empty() && !read.notRead.empty())
        return Unexpected(read.notRead.front());
    for (const Error &left : read.notRead)
        notes.push_back("Not read: " + left.toString());
    const std::string link = TRY(linkOf(source, place.channels));
    return inFile(curvesOfLogs(read.logs, link, place.processes, notes), source.path);
}

} // namespace

Result<std::vector<MotifCurve>> curvesOfLogs(const std::vector<CollectiveLog> &logs, const std::string &link,
                                             std::int32_t processes, std::vector<std::string> &notes) {
    std::vector<MotifCurve> curves;
    std::string reason;
    for (const CollectiveLog &log : logs) {
        const std::string against = reasonAgainst(log, processes);
        if (!against.empty()) {
            reason = fmt::format("{} of {} was left out: {}", nameOf(log.kind), log.source, against);
            notes.push_back(reason);
            continue;
        }
        TRY(addCurves(curves, {MotifCurve{log.kind, link, {}, mediansOf(log)}}, log.source));
    }
    if (curves.empty())
        return fail(reason.empty() ? "there is no log of a collective in it" : reason,
                    fmt::format("give logs of nccl-tests or NCCL Inspector among {} ranks", processes));
    return curves;
}

MotifCosts costsOfCluster(const Cluster &cluster, const CostsPlace &place, std::vector<std::string> &notes) {
    MotifCosts costs = modelledCosts(cluster, place.channels);
    const auto links = linksOf(place.channels);
    if (cluster.staleCurvesLeftOut)
        notes.emplace_back(staleCurvesNote);
    if (!cluster.collectives.empty() && links.size() != 1) {
        notes.push_back(
            fmt::format("The cluster's measured times of collectives are left out: they name no link, and its channels "
                        "begin with {}. Give them with --costs LINK=FILE.",
                        fmt::join(links, ", ")));
        return costs;
    }
    std::set<std::int32_t> others;
    for (const MeasuredCollective &measured : cluster.collectives) {
        if (measured.ranks != place.processes) {
            others.insert(measured.ranks);
            continue;
        }
        MotifCurve curve{measured.kind, *links.begin(), {}, {}};
        for (const MeasuredCollective::Point &point : measured.points)
            curve.samples.push_back(
                {point.sizeBytes, std::max(point.seconds, curve.samples.empty() ? 0 : curve.samples.back().seconds)});
        costs.curves.push_back(std::move(curve));
    }
    if (!others.empty())
        notes.push_back(
            fmt::format("The cluster's measured times of collectives among {} ranks are left out: the DAG has {} processes.",
                        fmt::join(others, ", "), place.processes));
    return costs;
}

Result<MotifCosts> readMeasuredCosts(const std::vector<std::string> &sources, const CostsPlace &place,
                                     std::vector<std::string> &notes) {
    MotifCosts costs;
    for (const std::string &text : sources) {
        const CostsSource source = sourceOf(text);
        const std::string title = titleOf(source.path);
        if (title.find("bytes_per_process") == std::string::npos) {
            auto curves = readLogs(source, place, notes);
            const bool isTable = title.find(',') != std::string::npos && title.find_first_of("{[#") == std::string::npos;
            if (!curves && isTable) // the error names the columns that are missing
                return readMotifCostsFile(source.path);
            TRY(addCurves(costs.curves, TRY(std::move(curves)), source.path));
            continue;
        }
        if (!source.link.empty())
            return fail("the table names its channels itself", fmt::format("write {}, without a link", source.path), source.path);
        MotifCosts table = TRY(onChannels(TRY(readMotifCostsFile(source.path)), place.channels, source.path, notes));
        TRY(addCurves(costs.curves, std::move(table.curves), source.path));
        TRY(addSlowdowns(costs.slowdowns, std::move(table.slowdowns), source.path));
    }
    return costs;
}

std::vector<std::string> fingerprintsOf(const std::vector<std::string> &sources) {
    constexpr std::size_t looked = std::size_t{64} << 20U; // no longer log is read
    std::vector<std::string> fingerprints;
    for (const std::string &text : sources)
        for (const std::string &file : filesBelow(sourceOf(text).path).value_or(std::vector<std::string>())) {
            const std::string content = readTextHead(file, looked).value_or("");
            fingerprints.push_back(fmt::format("{} {:x}", content.size(), std::hash<std::string>()(content)));
        }
    return fingerprints;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/background.h"

#include "engine/base/input_file.h"
#include "engine/base/units.h"
#include "engine/parse/csv_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace syncopate {

namespace {

constexpr std::size_t maxEntries = 10'000;
constexpr double mostSeconds = 1e9;
constexpr double maxShare = 0.999; ///< the other flows must make progress
constexpr double maxNodeIndex = 1e6;

/// "worker0.up".
Result<void> parseLink(std::string_view text, BackgroundTraffic &traffic) {
    const std::size_t dot = text.find('.');
    const std::string_view node = text.substr(0, dot);
    const std::string_view direction = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
    traffic.server = node.starts_with("server");
    const std::string_view digits = node.substr(std::min<std::size_t>(6, node.size()));
    const bool plain = !digits.empty() && digits.size() <= 6 && digits.find_first_not_of("0123456789") == std::string_view::npos;
    if ((!traffic.server && !node.starts_with("worker")) || !plain || (direction != "up" && direction != "down"))
        return fail(fmt::format("'{}' is not a link", text), "write worker0.up, worker0.down, server0.up or server0.down");
    traffic.index = static_cast<std::int32_t>(*parseNumber(digits));
    traffic.up = direction == "up";
    return {};
}

} // namespace

Result<void> checkBackground(const std::vector<BackgroundTraffic> &background) {
    if (background.size() > maxEntries)
        return fail(fmt::format("{} stretches of background traffic", background.size()),
                    fmt::format("give at most {}", maxEntries));
    std::map<std::tuple<bool, std::int32_t, bool>, std::vector<std::pair<double, double>>> changes;
    for (const BackgroundTraffic &traffic : background) {
        if (!(traffic.share >= 0 && traffic.share <= maxShare) || traffic.index < 0 || traffic.index > maxNodeIndex)
            return fail(fmt::format("background traffic takes {} of a link", traffic.share),
                        fmt::format("give a share from 0 to {}", maxShare));
        if (!(traffic.fromSeconds >= 0 && traffic.toSeconds > traffic.fromSeconds && traffic.toSeconds <= mostSeconds))
            return fail(fmt::format("background traffic from {} s to {} s", traffic.fromSeconds, traffic.toSeconds),
                        "let it begin at 0 s or later and end after it begins");
        auto &shareChanges = changes[{traffic.server, traffic.index, traffic.up}];
        shareChanges.emplace_back(traffic.fromSeconds, traffic.share);
        shareChanges.emplace_back(traffic.toSeconds, -traffic.share);
    }
    for (auto &[link, shareChanges] : changes) {
        std::sort(shareChanges.begin(), shareChanges.end()); // at equal times, ends come first
        double sum = 0;
        for (const auto &[seconds, change] : shareChanges)
            if ((sum += change) > maxShare + 1e-9)
                return fail(fmt::format("background traffic takes {:.3g} of {}{}.{} at {} s", sum,
                                        std::get<0>(link) ? "server" : "worker", std::get<1>(link),
                                        std::get<2>(link) ? "up" : "down", seconds),
                            fmt::format("leave some of the link: at most {} in all", maxShare));
    }
    return {};
}

Result<std::vector<BackgroundTraffic>> parseBackground(std::string_view text) {
    std::vector<BackgroundTraffic> entries;
    for (std::size_t from = 0; from <= text.size() && entries.size() <= maxEntries;) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        const std::string_view part = text.substr(from, comma - from);
        from = comma + 1;
        const std::size_t colon = part.find(':'), at = part.find('@'), dash = part.find('-', at);
        BackgroundTraffic traffic;
        const bool shaped =
            colon != std::string_view::npos && at != std::string_view::npos && dash != std::string_view::npos && colon < at;
        const auto share = shaped ? parseNumber(part.substr(colon + 1, at - colon - 1)) : fail("");
        const auto seconds = [](std::string_view time) {
            if (time.ends_with('s'))
                time.remove_suffix(1);
            return parseNumber(time);
        };
        const auto begin = shaped ? seconds(part.substr(at + 1, dash - at - 1)) : fail("");
        const auto end = shaped ? seconds(part.substr(dash + 1)) : fail("");
        if (!share || !begin || !end)
            return fail(fmt::format("'{}' is not background traffic", part),
                        "write LINK:SHARE@FROM-TOs, such as worker0.up:0.3@0-2s");
        TRY(parseLink(part.substr(0, colon), traffic));
        traffic.share = *share;
        traffic.fromSeconds = *begin;
        traffic.toSeconds = *end;
        entries.push_back(traffic);
    }
    TRY(checkBackground(entries));
    return entries;
}

Result<std::vector<BackgroundTraffic>> parseBackgroundTable(std::string_view text, const std::string &file) {
    const std::string header = "link,from_seconds,to_seconds,share";
    const auto table = TRY(CsvTable::parse(text, file, {"link", "from_seconds", "to_seconds", "share"}, header));
    std::vector<BackgroundTraffic> entries;
    for (std::size_t row = 0; row < table.rowCount() && entries.size() <= maxEntries; ++row) {
        const auto from = table.number(row, "from_seconds", 0, mostSeconds);
        const auto to = table.number(row, "to_seconds", 0, mostSeconds);
        const auto share = table.number(row, "share", 0, maxShare);
        for (const auto *value : {&from, &to, &share})
            if (!*value)
                return Unexpected(value->error());
        BackgroundTraffic traffic;
        if (const auto link = parseLink(table.text(row, "link"), traffic); !link)
            return fail(link.error().what, link.error().remedy, file, table.place(row));
        traffic.fromSeconds = *from;
        traffic.toSeconds = *to;
        traffic.share = *share;
        if (*to <= *from)
            return fail("the traffic ends before it begins", "let to_seconds be greater than from_seconds", file,
                        table.place(row));
        entries.push_back(traffic);
    }
    TRY(inFile(checkBackground(entries), file));
    return entries;
}

Result<std::vector<BackgroundTraffic>> readBackgroundFile(const std::string &path) {
    const auto text = TRY(readInputFile(path));
    return parseBackgroundTable(text, path);
}

std::vector<NicChange> nicChangesOf(const std::vector<BackgroundTraffic> &background, std::span<const std::int32_t> workers,
                                    std::span<const std::int32_t> servers) {
    using Nic = std::pair<std::int32_t, bool>;          // node, whether it receives
    std::vector<std::tuple<double, Nic, double>> steps; // time, NIC, change of its share
    for (const BackgroundTraffic &traffic : background) {
        const auto &nodes = traffic.server ? servers : workers;
        const auto index = static_cast<std::size_t>(traffic.index);
        if (index >= nodes.size() || !(traffic.share > 0))
            continue;
        const Nic nic{nodes[index], !traffic.up};
        steps.emplace_back(traffic.fromSeconds, nic, traffic.share);
        steps.emplace_back(traffic.toSeconds, nic, -traffic.share);
    }
    std::sort(steps.begin(), steps.end());
    std::map<Nic, std::pair<double, int>> taken; // share taken, stretches under way
    std::vector<NicChange> nicChanges;
    for (const auto &[seconds, nic, share] : steps) {
        auto &[sum, count] = taken[nic];
        sum += share;
        count += share > 0 ? 1 : -1;
        if (count == 0)
            sum = 0; // leave no rounding error behind
        nicChanges.push_back({seconds, nic.first, !nic.second, std::clamp(1 - sum, 1 - maxShare, 1.0)});
    }
    return nicChanges;
}

} // namespace syncopate

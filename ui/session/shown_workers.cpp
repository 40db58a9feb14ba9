// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/shown_workers.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>

namespace syncopate::ui {

namespace {

/// The part of `name` until the end of its word number `count`, or all of it; "" = no word.
std::string_view words(std::string_view name, std::size_t count) {
    std::size_t end = 0;
    for (; count > 0 && end < name.size(); --count)
        end = std::min(name.size(), name.find(' ', end == 0 ? 0 : end + 1));
    return name.substr(0, end);
}

/// The words that both begin with.
std::string_view commonWords(std::string_view a, std::string_view b) {
    std::string_view common;
    for (std::size_t count = 1;; ++count) {
        const std::string_view more = words(a, count);
        if (more != words(b, count) || more == common)
            return common;
        common = more;
    }
}

} // namespace

std::vector<ShownWorker> workersOf(const Recording &recording, const GraphRun *graph) {
    std::vector<ShownWorker> workers;
    if (graph) {
        for (const std::string &name : graph->graph.workerNames)
            workers.push_back({static_cast<std::int32_t>(workers.size()), name});
        return workers;
    }
    std::map<std::int32_t, std::string_view> beginnings;
    for (const Lane &lane : recording.timeline.lanes)
        if (lane.worker >= 0) {
            const auto [known, fresh] = beginnings.try_emplace(lane.worker, lane.name);
            known->second = commonWords(known->second, lane.name);
        }
    if (beginnings.empty())
        beginnings.emplace(0, "");
    // How many workers' names begin so.
    std::map<std::string_view, int> alike;
    for (const auto &[id, beginning] : beginnings)
        for (std::size_t count = 1; words(beginning, count) != words(beginning, count - 1); ++count)
            ++alike[words(beginning, count)];
    for (const auto &[id, beginning] : beginnings) {
        std::size_t count = 1;
        const auto isEnough = [&](std::string_view name) {
            return alike[name] == 1 && name.find_first_of("0123456789", name.rfind(' ') + 1) != std::string_view::npos;
        };
        while (!isEnough(words(beginning, count)) && words(beginning, count) != beginning)
            ++count;
        const std::string_view name = words(beginning, count);
        workers.push_back({id, !name.empty() && alike[name] == 1 ? std::string(name) : fmt::format("worker {}", id)});
    }
    return workers;
}

} // namespace syncopate::ui

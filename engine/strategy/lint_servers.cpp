// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/strategy/lint.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace syncopate {

namespace {

double totalOf(const ServerBytes &loads) {
    double sum = 0;
    for (const auto &[server, bytes] : loads)
        sum += bytes;
    return sum;
}

} // namespace

double meanLoad(const ServerBytes &loads, std::size_t servers) {
    return totalOf(loads) / static_cast<double>(std::max<std::size_t>(servers, 1));
}

ServerBytes::const_iterator busiestServer(const ServerBytes &loads) {
    return std::max_element(loads.begin(), loads.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
}

std::optional<LintMark> lintBalance(const ServerBytes &loads, std::size_t servers) {
    const double mean = meanLoad(loads, servers);
    const auto busiest = busiestServer(loads);
    if (servers < 2 || busiest == loads.end() || !(busiest->second > unbalancedLoad * mean))
        return std::nullopt;
    return LintMark{LintSeverity::Warning,
                    "unbalanced-servers",
                    {},
                    fmt::format("{} carries {}, {:.1f} times the mean of {} servers{}", busiest->first,
                                formatBytes(busiest->second), busiest->second / mean, servers,
                                ""), // lint() says what most of it is
                    "spread variables with PSLoadBalancing, or split the largest"};
}

std::vector<LintMark> lintSpeeds(const Cluster &cluster, const ServerBytes &loads) {
    const auto rateOf = [&cluster](std::string_view server) {
        const std::int32_t n = cluster.nodeOf(server);
        return n < 0 ? 0.0 : cluster.nodes[static_cast<std::size_t>(n)].bandwidthBytesPerSecond;
    };
    double fastest = 0, rates = 0;
    for (const Node &node : cluster.nodes)
        fastest = std::max(fastest, node.bandwidthBytesPerSecond);
    const std::vector<std::string> servers = cluster.reductionDevices();
    for (const std::string &server : servers)
        rates += rateOf(server);
    const double mean = meanLoad(loads, servers.size()), total = totalOf(loads);
    constexpr double rounding = 1e-9; // of sums of bytes
    std::vector<LintMark> marks;
    for (const auto &[server, bytes] : loads) {
        const double rate = rateOf(server), share = total * rate / rates;
        if (rate <= 0 || rate * 1.5 >= fastest || bytes <= share * (1 + rounding) ||
            bytes < std::min(mean * (1 - rounding), unbalancedLoad * share))
            continue;
        marks.push_back(
            {LintSeverity::Warning,
             "slow-server",
             {},
             fmt::format("{} carries {}, where the mean is {}, on {:g} Gbit/s; others have {:g} Gbit/s", server,
                         formatBytes(bytes), formatBytes(mean), gbitsFromBytesPerSecond(rate), gbitsFromBytesPerSecond(fastest)),
             "share the bytes out in proportion to bandwidth"});
    }
    return marks;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/plan_incast.h"

#include "engine/plan/incast.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace syncopate {

namespace {

/// `option` names it, as in PlanCosts.
Unexpected refuseIncast(std::string what, const std::string &option) {
    return fail(std::move(what), fmt::format("give {} a number such as 0.4, name=0.4 for one channel, or fit", option));
}

Result<double> incastShareOf(std::string_view text, const std::string &option) {
    double share = 0;
    const char *const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, share);
    if (read.ec != std::errc{} || read.ptr != end || !(share >= 0 && share <= maxIncast))
        return refuseIncast(fmt::format("\"{}\" is no share from 0 to {}", text, maxIncast), option);
    return share;
}

/// The name itself, and those of the parts of the cluster's channel of that name.
std::set<std::string> namedBy(std::string_view name, const Cluster &cluster) {
    std::set<std::string> names{std::string(name)};
    for (const Channel &channel : cluster.namedChannels)
        for (std::int32_t turn = 1; channel.name == name && turn <= channel.concurrent; ++turn)
            names.insert(partName(channel, turn));
    return names;
}

Result<void> fitAll(PlanRequest &request, const PlanCosts &costs, std::vector<std::string> &notes) {
    bool any = false;
    for (Channel &channel : request.channels) {
        const auto fit = fitIncast(request.costs, channel, request.dag->processes);
        if (!fit)
            continue;
        any = true;
        channel.incast = fit->incast;
        notes.push_back(fmt::format("The incast of the channel \"{}\" is {:.3f}, by {} measured all-to-alls; their time per byte "
                                    "is missed by {:.1f} % at worst.",
                                    channel.name, fit->incast, fit->curves, 100 * fit->worstError));
    }
    if (!any)
        return fail("no all-to-all in which several processes send to one was measured on a channel",
                    fmt::format("give {} with such lines, or {} a number", costs.measuredOption, costs.incastOption));
    return {};
}

Result<void> setIncastShares(PlanRequest &request, const Cluster &cluster, const PlanCosts &costs) {
    for (std::string_view rest = costs.incast; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view part = rest.substr(0, comma);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        const std::size_t equals = part.rfind('=');
        const double share =
            TRY(incastShareOf(equals == std::string_view::npos ? part : part.substr(equals + 1), costs.incastOption));
        const auto named = namedBy(part.substr(0, std::min(equals, part.size())), cluster);
        bool any = false;
        for (Channel &channel : request.channels)
            if (equals == std::string_view::npos || named.contains(channel.name)) {
                channel.incast = share;
                any = true;
            }
        if (!any)
            return refuseIncast(fmt::format("there is no channel \"{}\"", part.substr(0, equals)), costs.incastOption);
    }
    return {};
}

} // namespace

Result<void> setIncast(PlanRequest &request, const Cluster &cluster, const PlanCosts &costs, std::vector<std::string> &notes) {
    return inFile(costs.incast == "fit" ? fitAll(request, costs, notes) : setIncastShares(request, cluster, costs),
                  costs.incastOption);
}

} // namespace syncopate

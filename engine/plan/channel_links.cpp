// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/channel_links.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <utility>

namespace syncopate {

namespace {

constexpr double unitWeight = 1e4; ///< weights of hops are whole numbers (FluidLinks); of a slowdown they keep four digits

} // namespace

ChannelLinks::ChannelLinks(const std::vector<Channel> &channels, const std::vector<LinkSlowdown> &slowdowns)
    : m_channels(channels), m_slowdowns(slowdowns), m_pairs(channels.size()) {
    std::map<std::string, LinkId> known;
    std::vector<std::string> slowed;
    for (const Channel &channel : channels) {
        std::vector<LinkId> &own = m_own.emplace_back();
        for (const std::string &name : channel.links) {
            const auto [link, isNew] = known.try_emplace(name, m_links.size());
            if (isNew)
                m_links.push_back({.name = name, .bytesPerSecond = 1});
            own.push_back(link->second);
        }
        const std::string &first = channel.links.front();
        if (findSlowdown(slowdowns, channel) && std::find(slowed.begin(), slowed.end(), first) == slowed.end())
            slowed.push_back(first);
    }
    for (auto one = slowed.begin(); one != slowed.end(); ++one)
        for (auto other = std::next(one); other != slowed.end(); ++other) {
            const LinkId pair(m_links.size());
            m_links.push_back({.name = fmt::format("{} and {} together", *one, *other), .bytesPerSecond = 2 * unitWeight});
            for (std::size_t c = 0; c < channels.size(); ++c)
                if (channels[c].links.front() == *one || channels[c].links.front() == *other)
                    m_pairs[c].push_back(pair);
        }
}

double ChannelLinks::weight(ChannelId channel, double aloneSeconds) const {
    const LinkSlowdown *const slowdown = findSlowdown(m_slowdowns, m_channels[channel.index()]);
    return slowdown ? std::round(unitWeight * slowdown->factor(aloneSeconds)) : unitWeight;
}

std::vector<PathHop> ChannelLinks::hops(ChannelId channel, double weight) const {
    std::vector<PathHop> hops;
    for (const LinkId link : m_own[channel.index()])
        hops.push_back({link, 1});
    for (const LinkId pair : m_pairs[channel.index()])
        hops.push_back({pair, weight});
    return hops;
}

} // namespace syncopate

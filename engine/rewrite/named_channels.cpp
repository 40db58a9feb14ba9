// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/named_channels.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace syncopate {

NamedChannels::NamedChannels(const Cluster &cluster, const CommPolicy &policy, const Discipline &discipline,
                             std::int32_t replicas)
    : m_byPriority(discipline.orderedCollectives), m_replicas(replicas) {
    if (cluster.namedChannels.empty() || policy.form == CollectiveForm::Flows)
        return;
    std::int32_t left = discipline.channels.value_or(cluster.channels);
    for (const Channel &channel : cluster.namedChannels) {
        if (left < 1)
            break;
        m_channels.push_back(channel);
        m_channels.back().concurrent = std::min(channel.concurrent, left);
        left -= m_channels.back().concurrent;
    }
    m_costs = modelledCosts(cluster, m_channels);
    m_costs.launchSeconds = 0; // workers' hosts launch collectives one after the other, in tasks of their own
    for (const Channel &channel : m_channels)
        m_bytesPerSecond = std::max(m_bytesPerSecond, channel.bandwidthBytesPerSecond);
    m_busySeconds.assign(m_channels.size(), 0);
}

void NamedChannels::addLinks(GraphBuilder &builder) {
    std::map<std::string, LinkId> links;
    for (const Channel &channel : m_channels) {
        m_queues.push_back(builder.addQueue({.name = channel.name, .slotCount = channel.concurrent, .byPriority = m_byPriority}));
        std::vector<PathHop> hops;
        for (const std::string &name : channel.links) {
            const auto [link, isNew] = links.try_emplace(name);
            if (isNew)
                link->second = builder.addLink({.name = name, .bytesPerSecond = m_bytesPerSecond});
            if (const PathHop hop{link->second, 1}; std::find(hops.begin(), hops.end(), hop) == hops.end())
                hops.push_back(hop);
        }
        m_paths.push_back(builder.addPath(hops));
    }
}

void NamedChannels::place(CollectiveKind kind, double sizeBytes, TaskRow &row, GraphBuilder &builder) {
    if (m_queues.empty())
        addLinks(builder);
    if (row.iteration != m_iteration) {
        m_iteration = row.iteration;
        m_busySeconds.assign(m_channels.size(), 0);
    }
    const auto secondsOn = [&](std::size_t channel, double bytes) {
        return m_costs.seconds({.kind = kind}, bytes, m_replicas, m_channels[channel]);
    };
    // Collectives that a channel runs at once share its links, so it is busy for the sum of their bytes' times; their latencies
    // overlap.
    const auto busySeconds = [&](std::size_t channel) {
        return secondsOn(channel, sizeBytes) - secondsOn(channel, 0) * (1 - 1.0 / m_channels[channel].concurrent);
    };
    std::size_t first = 0;
    double end = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < m_channels.size(); ++c)
        if (const double own = m_busySeconds[c] + busySeconds(c); own < end) {
            end = own;
            first = c;
        }
    m_busySeconds[first] = end;
    row.queue = m_queues[first];
    row.path = m_paths[first];
    row.fixedSeconds = secondsOn(first, 0);
    row.sizeBytes = (secondsOn(first, sizeBytes) - row.fixedSeconds) * m_bytesPerSecond;
}

} // namespace syncopate

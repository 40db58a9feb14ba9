// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/spec_links.h"

#include "engine/base/text.h"
#include "engine/base/yaml_text.h"
#include "engine/cluster/spec_values.h"

#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>

namespace syncopate {

namespace {

constexpr std::int32_t maxChannels = 1024; ///< also collectives that all channels run at once
constexpr std::size_t maxChannelLinks = 64;
constexpr std::size_t maxHostLanes = 8;
constexpr std::size_t maxNameBytes = 512; ///< of a channel or its link

} // namespace

void readHostLanes(const YAML::Node &lanes, Cluster &cluster) {
    constexpr const char *example = "host_lanes: [{name: pcie, bandwidth: 96}]";
    if (!lanes.IsSequence() || lanes.size() == 0 || lanes.size() > maxHostLanes)
        refuse(lanes.Mark(), fmt::format("1 to {} lanes are expected", maxHostLanes), fmt::format("write {}", example));
    for (const auto &entry : lanes) {
        checkKeys(entry, "host_lanes", {"name", "bandwidth", "shared", "duplex"}, example);
        if (!entry["name"] || !entry["bandwidth"])
            refuse(entry.Mark(), "a lane has a name and a bandwidth", fmt::format("write {}", example));
        HostLane lane;
        lane.name = readText(entry["name"], "name");
        for (const HostLane &other : cluster.hostLanes)
            if (other.name == lane.name)
                refuse(entry.Mark(), fmt::format("two lanes are called {}", shown(entry["name"])), "name each once");
        lane.bytesPerSecond = readRate(entry["bandwidth"], "bandwidth");
        lane.isShared = readFlag(entry["shared"], "shared", false);
        lane.isDuplex = readFlag(entry["duplex"], "duplex", true);
        cluster.hostLanes.push_back(std::move(lane));
    }
}

void readFlowLimit(const YAML::Node &limits, Cluster &cluster) {
    if (!limits.IsMap()) {
        cluster.connectionBytesPerSecond = readRate(limits, "flow_limit");
        return;
    }
    cluster.acrossRacksBytesPerSecond = std::numeric_limits<double>::infinity(); // unless the file states it
    for (const auto &entry : limits) {
        const std::string key = readText(entry.first, "flow_limit");
        if (key == "same_node")
            cluster.inNodeConnectionBytesPerSecond = readRate(entry.second, key.c_str());
        else if (key == "same_rack")
            cluster.connectionBytesPerSecond = readRate(entry.second, key.c_str());
        else if (key == "across")
            cluster.acrossRacksBytesPerSecond = readRate(entry.second, key.c_str());
        else
            refuse(entry.first.Mark(), fmt::format("flow_limit has no key {}", shown(entry.first)),
                   "write a number, or {same_node: 40, same_rack: 10, across: 5}");
    }
}

namespace {

/// A text that plan files and projects can name again.
std::string readName(const YAML::Node &node, const char *key) {
    std::string name = readText(node, key);
    if (name.empty() || name.size() > maxNameBytes || visibleText(name) != name)
        refuse(node.Mark(), fmt::format("{} {} is not a name", key, shown(node)),
               fmt::format("write 1 to {} bytes of UTF-8, without control characters", maxNameBytes));
    return name;
}

Channel readChannel(const YAML::Node &entry) {
    if (!entry.IsMap() || !entry["name"] || !entry["bandwidth"])
        refuse(entry.Mark(), "a channel has a name and a bandwidth", "write {name: nccl, bandwidth: 100}");
    Channel channel;
    channel.name = readName(entry["name"], "name");
    channel.bandwidthBytesPerSecond = readRate(entry["bandwidth"], "bandwidth");
    if (const YAML::Node latency = entry["latency_seconds"]; isGiven(latency))
        channel.latencySeconds = readNumber(latency, "latency_seconds", 0, maxLatencySeconds);
    if (const YAML::Node incast = entry["incast"]; isGiven(incast))
        channel.incast = readNumber(incast, "incast", 0, maxIncast);
    if (const YAML::Node concurrent = entry["concurrent"]; isGiven(concurrent))
        channel.concurrent = readInteger(concurrent, "concurrent", 1, maxConcurrent);
    if (const YAML::Node links = entry["links"]; links && links.IsSequence())
        for (const auto &link : links)
            channel.links.push_back(readName(link, "links"));
    else if (isGiven(links))
        refuse(links.Mark(), "links is not a list", "write links: [nvlink, rdma]");
    if (channel.links.empty())
        channel.links = {channel.name};
    if (channel.links.size() > maxChannelLinks)
        refuse(entry.Mark(), fmt::format("a channel over {} links", channel.links.size()),
               fmt::format("name up to {}", maxChannelLinks));
    return channel;
}

} // namespace

void readChannels(const YAML::Node &channels, Cluster &cluster) {
    if (!channels.IsSequence()) {
        cluster.channels = readInteger(channels, "channels", 1, maxChannels);
        return;
    }
    if (channels.size() == 0 || channels.size() > maxChannels)
        refuse(channels.Mark(), fmt::format("1 to {} channels are expected", maxChannels),
               "write channels: [{name: nccl, bandwidth: 100}]");
    std::set<std::string> names;
    cluster.channels = 0;
    for (const auto &entry : channels) {
        Channel channel = readChannel(entry);
        if (!names.insert(channel.name).second)
            refuse(entry.Mark(), fmt::format("two channels are called {}", shown(entry["name"])), "name each once");
        cluster.channels += channel.concurrent;
        cluster.namedChannels.push_back(std::move(channel));
    }
    if (cluster.channels > maxChannels)
        refuse(channels.Mark(), fmt::format("{} collectives at once on all channels together", cluster.channels),
               fmt::format("take up to {}", maxChannels));
    std::set<std::string> planned;
    for (const Channel &channel : planChannels(cluster))
        if (!planned.insert(channel.name).second)
            refuse(channels.Mark(), fmt::format("a channel is called like a part of another, {}", channel.name.substr(0, 60)),
                   "give it another name");
}

} // namespace syncopate

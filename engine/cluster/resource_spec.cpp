// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/input_file.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "engine/cluster/addresses.h"
#include "engine/cluster/cluster.h"
#include "engine/cluster/host_keys.h"
#include "engine/cluster/yaml_refusal.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <unordered_map>
#include <yaml-cpp/yaml.h>

namespace syncopate {

namespace {

constexpr std::size_t maxSpecBytes = 64U << 20;
constexpr std::size_t maxDevices = 1024; ///< per node
constexpr std::int32_t maxNics = 64;     ///< per node
constexpr double fastestGbits = 1e6;
constexpr std::int32_t maxChannels = 1024; ///< also collectives that all channels run at once
constexpr std::size_t maxChannelLinks = 64;
constexpr std::size_t maxHostLanes = 8, maxCurves = 64, maxPoints = 1024;

/// A short, one-line rendering of a scalar for messages.
std::string shown(const YAML::Node &node) {
    if (!node.IsScalar())
        return node.IsSequence() ? "a list" : node.IsMap() ? "a map" : "nothing";
    return fmt::format("'{}'", node.Scalar().substr(0, 60));
}

double readNumber(const YAML::Node &node, const char *key, double least, double most) {
    double value = 0;
    if (!node.IsScalar() || !YAML::convert<double>::decode(node, value) || !std::isfinite(value))
        refuse(node.Mark(), fmt::format("{} is {}, not a number", key, shown(node)), "write a plain number");
    if (value < least || value > most)
        refuse(node.Mark(), fmt::format("{} is {}", key, value), fmt::format("write a number from {} to {}", least, most));
    return value;
}

std::int32_t readInteger(const YAML::Node &node, const char *key, std::int32_t least, std::int32_t most) {
    std::int32_t value = 0;
    if (!node.IsScalar() || !YAML::convert<std::int32_t>::decode(node, value) || value < least || value > most)
        refuse(node.Mark(), fmt::format("{} has {}", key, shown(node)),
               fmt::format("write a whole number from {} to {}", least, most));
    return value;
}

std::string readText(const YAML::Node &node, const char *key) {
    if (!node.IsScalar())
        refuse(node.Mark(), fmt::format("{} is {}, not a text", key, shown(node)), "write one word or a quoted text");
    return node.Scalar();
}

/// AutoDist puts the indices into a set; sorted here, like Python's set for 0..n-1.
std::vector<std::int32_t> readIndices(const YAML::Node &node, const char *key) {
    if (!node.IsSequence())
        refuse(node.Mark(), fmt::format("{} is {}, not a list of indices", key, shown(node)),
               fmt::format("write {}: [0, 1]", key));
    if (node.size() > maxDevices)
        refuse(node.Mark(), fmt::format("{} lists {} devices", key, node.size()), fmt::format("a node has up to {}", maxDevices));
    std::set<std::int32_t> indices;
    for (const auto &item : node)
        indices.insert(readInteger(item, key, 0, 65535));
    return {indices.begin(), indices.end()};
}

class SpecReader {
public:
    Cluster read(const YAML::Node &root) {
        if (!root.IsMap())
            refuse(root.Mark(), fmt::format("a cluster file is a map with the key nodes, this is {}", shown(root)),
                   "see docs/cluster-file.md");
        readOptionalKeys(root);
        if (const YAML::Node ssh = root["ssh"]; ssh && !ssh.IsNull())
            readSsh(ssh);
        const YAML::Node nodes = root["nodes"];
        if (!nodes || !nodes.IsSequence() || nodes.size() == 0)
            refuse(nodes ? nodes.Mark() : root.Mark(), "there is no list of nodes", "list at least one under nodes:");
        if (nodes.size() > static_cast<std::size_t>(maxNodes))
            refuse(nodes.Mark(), fmt::format("{} nodes are listed", nodes.size()), fmt::format("up to {} are read", maxNodes));
        if (const YAML::Node servers = root["server_only"]; servers && !servers.IsNull())
            readServerNames(servers);
        for (const auto &node : nodes)
            readNode(node);
        resolveServers(root["server_only"]);
        checkAddresses(nodes);
        chooseChief(nodes);
        return std::move(m_cluster);
    }

private:
    void readOptionalKeys(const YAML::Node &root) {
        const auto given = [&root](const char *key) {
            const YAML::Node node = root[key];
            return node && !node.IsNull();
        };
        const auto number = [&](const char *key, double &target, double least, double most) {
            if (given(key))
                target = readNumber(root[key], key, least, most);
        };
        if (given("name"))
            m_cluster.name = readText(root["name"], "name");
        number("latency_seconds", m_cluster.latencySeconds, 0, 10);
        number("message_seconds", m_cluster.messageSeconds, 0, 10);
        number("link_efficiency", m_cluster.linkEfficiency, 0.001, 1);
        number("collective_efficiency", m_cluster.collectiveEfficiency, 0.001, 1);
        if (given("intra_node_bandwidth"))
            m_cluster.intraNodeBandwidthBytesPerSecond =
                bytesPerSecondFromGbits(readNumber(root["intra_node_bandwidth"], "intra_node_bandwidth", 1e-6, fastestGbits));
        if (given("host_lanes"))
            readHostLanes(root["host_lanes"]);
        if (given("flow_limit"))
            readFlowLimit(root["flow_limit"]);
        number("burst_bytes", m_cluster.burstBytes, 0, 1e12);
        if (given("host"))
            readHost(root["host"]);
        if (given("channels"))
            readChannels(root["channels"]);
        if (given("collectives"))
            readCollectives(root["collectives"]);
        if (given("notes")) {
            if (!root["notes"].IsSequence())
                refuse(root["notes"].Mark(), "notes is not a list", "write a list of texts");
            for (const auto &note : root["notes"])
                m_cluster.notes.push_back(readText(note, "notes"));
        }
    }

    /// The keys of a map in a list, each of which is known.
    static void checkKeys(const YAML::Node &entry, const char *list, const std::set<std::string> &known, const char *example) {
        if (!entry.IsMap())
            refuse(entry.Mark(), fmt::format("{} lists {}", list, shown(entry)), fmt::format("write {}", example));
        for (const auto &field : entry)
            if (!known.contains(readText(field.first, list)))
                refuse(field.first.Mark(), fmt::format("{} has no key {}", list, shown(field.first)),
                       fmt::format("write {}", example));
    }

    static bool readFlag(const YAML::Node &node, const char *key, bool usual) {
        if (!node || node.IsNull())
            return usual;
        if (!YAML::convert<bool>::decode(node, usual))
            refuse(node.Mark(), fmt::format("{} is {}", key, shown(node)), "write true or false");
        return usual;
    }

    void readHostLanes(const YAML::Node &lanes) {
        constexpr const char *example = "host_lanes: [{name: pcie, bandwidth: 96}]";
        if (!lanes.IsSequence() || lanes.size() == 0 || lanes.size() > maxHostLanes)
            refuse(lanes.Mark(), fmt::format("1 to {} lanes are expected", maxHostLanes), fmt::format("write {}", example));
        for (const auto &entry : lanes) {
            checkKeys(entry, "host_lanes", {"name", "bandwidth", "shared", "duplex"}, example);
            if (!entry["name"] || !entry["bandwidth"])
                refuse(entry.Mark(), "a lane has a name and a bandwidth", fmt::format("write {}", example));
            HostLane lane;
            lane.name = readText(entry["name"], "name");
            for (const HostLane &other : m_cluster.hostLanes)
                if (other.name == lane.name)
                    refuse(entry.Mark(), fmt::format("two lanes are called {}", shown(entry["name"])), "name each once");
            lane.bytesPerSecond = bytesPerSecondFromGbits(readNumber(entry["bandwidth"], "bandwidth", 1e-6, fastestGbits));
            lane.isShared = readFlag(entry["shared"], "shared", false);
            lane.isDuplex = readFlag(entry["duplex"], "duplex", true);
            m_cluster.hostLanes.push_back(std::move(lane));
        }
    }

    static MeasuredCollective readCollective(const YAML::Node &entry) {
        constexpr const char *example = "{kind: all_reduce, ranks: 8, points: [[4096, 5e-5], [1048576, 9e-4]]}";
        checkKeys(entry, "collectives", {"kind", "ranks", "points"}, example);
        if (!entry["kind"] || !entry["ranks"] || !entry["points"])
            refuse(entry.Mark(), "a measured collective has a kind, ranks and points", fmt::format("write {}", example));
        MeasuredCollective measured;
        const std::string kind = readText(entry["kind"], "kind");
        auto known = static_cast<std::uint8_t>(CollectiveKind::AllReduce);
        while (known < static_cast<std::uint8_t>(CollectiveKind::Permute) && nameOf(static_cast<CollectiveKind>(known)) != kind)
            ++known;
        measured.kind = static_cast<CollectiveKind>(known);
        if (measured.kind == CollectiveKind::Permute)
            refuse(entry["kind"].Mark(), fmt::format("kind is {}", shown(entry["kind"])),
                   "write all_reduce, reduce_scatter, all_gather, reduce, broadcast or all_to_all");
        measured.ranks = readInteger(entry["ranks"], "ranks", 2, 1 << 20);
        const YAML::Node points = entry["points"];
        if (!points.IsSequence() || points.size() < 2 || points.size() > maxPoints)
            refuse(points.Mark(), fmt::format("2 to {} points are expected", maxPoints), fmt::format("write {}", example));
        for (const auto &pair : points) {
            if (!pair.IsSequence() || pair.size() != 2)
                refuse(pair.Mark(), "a point is not a pair of a size and a time", "write [bytes, seconds]");
            const MeasuredCollective::Point point{readNumber(pair[0], "a size in bytes", 1, 1e15),
                                                  readNumber(pair[1], "a time in seconds", 1e-12, 1e6)};
            if (!measured.points.empty() && !(point.sizeBytes > measured.points.back().sizeBytes))
                refuse(pair.Mark(),
                       fmt::format("a size of {} follows one of {} bytes", point.sizeBytes, measured.points.back().sizeBytes),
                       "list points by size, each size once");
            measured.points.push_back(point);
        }
        return measured;
    }

    void readCollectives(const YAML::Node &curves) {
        if (!curves.IsSequence() || curves.size() > maxCurves)
            refuse(curves.Mark(), fmt::format("up to {} measured collectives are expected", maxCurves),
                   "write collectives: [{kind: all_reduce, ranks: 8, points: [[4096, 5e-5], [1048576, 9e-4]]}]");
        for (const auto &entry : curves) {
            MeasuredCollective measured = readCollective(entry);
            for (const MeasuredCollective &other : m_cluster.collectives)
                if (other.kind == measured.kind && other.ranks == measured.ranks)
                    refuse(entry.Mark(), fmt::format("{} among {} ranks is listed twice", nameOf(measured.kind), measured.ranks),
                           "keep one of them");
            m_cluster.collectives.push_back(std::move(measured));
        }
    }

    /// Reads one number for all pairs of nodes, or one for each class of pairs.
    void readFlowLimit(const YAML::Node &limits) {
        const auto rate = [](const YAML::Node &node, const std::string &key) {
            return bytesPerSecondFromGbits(readNumber(node, key.c_str(), 1e-6, fastestGbits));
        };
        if (!limits.IsMap()) {
            m_cluster.connectionBytesPerSecond = rate(limits, "flow_limit");
            return;
        }
        m_cluster.acrossRacksBytesPerSecond = std::numeric_limits<double>::infinity(); // unless the file states it
        for (const auto &entry : limits) {
            const std::string key = readText(entry.first, "flow_limit");
            if (key == "same_node")
                m_cluster.inNodeConnectionBytesPerSecond = rate(entry.second, key);
            else if (key == "same_rack")
                m_cluster.connectionBytesPerSecond = rate(entry.second, key);
            else if (key == "across")
                m_cluster.acrossRacksBytesPerSecond = rate(entry.second, key);
            else
                refuse(entry.first.Mark(), fmt::format("flow_limit has no key {}", shown(entry.first)),
                       "write a number, or {same_node: 40, same_rack: 10, across: 5}");
        }
    }

    void readHost(const YAML::Node &host) {
        if (!host.IsMap())
            refuse(host.Mark(), fmt::format("host is {}, not a map", shown(host)), "write host: {send_seconds: 10e-6}");
        for (const auto &entry : host) {
            const std::string key = readText(entry.first, "host");
            const auto known = std::find_if(hostKeys.begin(), hostKeys.end(), [&](const HostKey &k) { return key == k.name; });
            if (key == "threads")
                m_cluster.host.threads = readInteger(entry.second, "threads", 1, 1024);
            else if (known != hostKeys.end())
                m_cluster.host.*known->member = readNumber(entry.second, known->name, 0, known->max);
            else
                refuse(entry.first.Mark(), fmt::format("host has no key {}", shown(entry.first)), "see docs/cluster-file.md");
        }
    }

    /// Reads a number of channels, or a list of named ones.
    void readChannels(const YAML::Node &channels) {
        if (!channels.IsSequence()) {
            m_cluster.channels = readInteger(channels, "channels", 1, 1024);
            return;
        }
        if (channels.size() == 0 || channels.size() > 1024)
            refuse(channels.Mark(), "1 to 1024 channels are expected", "write channels: [{name: nccl, bandwidth: 100}]");
        std::set<std::string> names;
        for (const auto &entry : channels) {
            if (!entry.IsMap() || !entry["name"] || !entry["bandwidth"])
                refuse(entry.Mark(), "a channel has a name and a bandwidth", "write {name: nccl, bandwidth: 100}");
            Channel channel;
            channel.name = readText(entry["name"], "name");
            if (!names.insert(channel.name).second)
                refuse(entry.Mark(), fmt::format("two channels are called {}", shown(entry["name"])), "name each once");
            channel.bandwidthBytesPerSecond =
                bytesPerSecondFromGbits(readNumber(entry["bandwidth"], "bandwidth", 1e-6, fastestGbits));
            if (const YAML::Node latency = entry["latency_seconds"]; latency && !latency.IsNull())
                channel.latencySeconds = readNumber(latency, "latency_seconds", 0, 10);
            if (const YAML::Node incast = entry["incast"]; incast && !incast.IsNull())
                channel.incast = readNumber(incast, "incast", 0, maxIncast);
            if (const YAML::Node concurrent = entry["concurrent"]; concurrent && !concurrent.IsNull())
                channel.concurrent = readInteger(concurrent, "concurrent", 1, maxConcurrent);
            if (const YAML::Node links = entry["links"]; links && links.IsSequence())
                for (const auto &link : links)
                    channel.links.push_back(readText(link, "links"));
            else if (links && !links.IsNull())
                refuse(links.Mark(), "links is not a list", "write links: [nvlink, rdma]");
            if (channel.links.empty())
                channel.links = {channel.name};
            if (channel.links.size() > maxChannelLinks)
                refuse(entry.Mark(), fmt::format("a channel over {} links", channel.links.size()),
                       fmt::format("name up to {}", maxChannelLinks));
            m_cluster.namedChannels.push_back(std::move(channel));
        }
        m_cluster.channels = 0;
        for (const Channel &channel : m_cluster.namedChannels)
            m_cluster.channels += channel.concurrent;
        if (m_cluster.channels > maxChannels)
            refuse(channels.Mark(), fmt::format("{} collectives at once on all channels together", m_cluster.channels),
                   fmt::format("take up to {}", maxChannels));
        std::set<std::string> planned;
        for (const Channel &channel : planChannels(m_cluster))
            if (!planned.insert(channel.name).second)
                refuse(channels.Mark(), fmt::format("a channel is called like a part of another, {}", channel.name.substr(0, 60)),
                       "give it another name");
    }

    void readSsh(const YAML::Node &ssh) {
        if (!ssh.IsMap())
            refuse(ssh.Mark(), fmt::format("ssh is {}, not a map of configurations", shown(ssh)),
                   "write ssh: {conf: {username: me}}");
        for (const auto &entry : ssh) {
            SshConfig config = readSshConfig(entry.second);
            m_cluster.ssh[readText(entry.first, "ssh")] = std::move(config);
        }
    }

    static SshConfig readSshConfig(const YAML::Node &fields) {
        SshConfig config;
        if (fields.IsNull())
            return config;
        if (!fields.IsMap())
            refuse(fields.Mark(), fmt::format("an ssh configuration is {}", shown(fields)),
                   "write a map, such as {username: me}");
        const auto text = [&fields](const char *key, std::string &target) {
            if (const YAML::Node node = fields[key]; node && !node.IsNull())
                target = readText(node, key);
        };
        text("username", config.username);
        text("python_venv", config.pythonVenv);
        text("key_file", config.keyFile);
        if (const YAML::Node port = fields["port"]; port && !port.IsNull())
            config.port = readInteger(port, "port", 1, 65535);
        if (const YAML::Node envs = fields["shared_envs"]; envs && !envs.IsNull()) {
            if (!envs.IsMap())
                refuse(envs.Mark(), "shared_envs is not a map", "write {NAME: value}");
            for (const auto &env : envs)
                config.sharedEnvs[readText(env.first, "shared_envs")] =
                    env.second.IsNull() ? std::string{} : readText(env.second, "shared_envs");
        }
        return config;
    }

    void readServerNames(const YAML::Node &servers) {
        if (!servers.IsSequence())
            refuse(servers.Mark(), "server_only is not a list", "list the addresses of nodes that only serve");
        for (const auto &server : servers)
            m_serverNames.insert(readText(server, "server_only"));
    }

    void readNode(const YAML::Node &entry) {
        if (!entry.IsMap())
            refuse(entry.Mark(), fmt::format("a node is {}", shown(entry)), "write a map with the key address");
        const YAML::Node address = entry["address"];
        if (!address || !address.IsScalar() || address.Scalar().empty())
            refuse(entry.Mark(), "a node has no address", "give it an IPv4 address");
        Node node;
        node.address = address.Scalar();
        const bool serves = m_serverNames.contains(node.address);
        // Dedicated servers are not part of AutoDist's format and may have host names.
        const bool plainName = node.address.find_first_of(": \t\n") == std::string::npos;
        if (node.address != "localhost" && !ipv4Number(node.address) && !(serves && plainName))
            refuse(address.Mark(), fmt::format("the address {} is not an IPv4 address", shown(address)),
                   "AutoDist takes IPv4 addresses or localhost, no host names");
        if (!m_indexOfAddress.try_emplace(node.address, static_cast<std::int32_t>(m_cluster.nodes.size())).second)
            refuse(address.Mark(), fmt::format("two nodes have the address {}", node.address), "list every node once");
        const auto given = [&entry](const char *key) {
            const YAML::Node value = entry[key];
            return value && !value.IsNull();
        };
        if (given("gpus"))
            node.gpus = readIndices(entry["gpus"], "gpus");
        if (given("cpus")) {
            const std::vector<std::int32_t> extra = readIndices(entry["cpus"], "cpus");
            if (node.gpus.empty())
                std::copy_if(extra.begin(), extra.end(), std::back_inserter(node.cpus),
                             [](std::int32_t cpu) { return cpu != 0; });
        }
        if (given("chief") && !YAML::convert<bool>::decode(entry["chief"], node.chief))
            refuse(entry["chief"].Mark(), fmt::format("chief is {}", shown(entry["chief"])), "write true or false");
        if (given("ssh_config"))
            node.sshConfig = readText(entry["ssh_config"], "ssh_config");
        if (given("device"))
            node.device = readText(entry["device"], "device");
        double gbits =
            given("network_bandwidth") ? readNumber(entry["network_bandwidth"], "network_bandwidth", 0, fastestGbits) : 0;
        if (gbits == 0)
            gbits = 1; // AutoDist's default
        node.bandwidthBytesPerSecond = bytesPerSecondFromGbits(gbits);
        if (given("nics"))
            node.nics = readInteger(entry["nics"], "nics", 1, maxNics);
        if (given("rack"))
            node.rack = readText(entry["rack"], "rack");
        if (given("compute_scale"))
            node.computeScale = readNumber(entry["compute_scale"], "compute_scale", 1e-3, 1e3);
        if (given("communication_slowdown"))
            node.communicationSlowdown = readNumber(entry["communication_slowdown"], "communication_slowdown", 1, 100);
        m_cluster.nodes.push_back(std::move(node));
    }

    void resolveServers(const YAML::Node &servers) {
        for (const std::string &name : m_serverNames) {
            const auto known = m_indexOfAddress.find(name);
            if (known == m_indexOfAddress.end())
                refuse(servers.Mark(), fmt::format("server_only names '{}', which is not a node's address", name.substr(0, 60)),
                       "list addresses of nodes");
            m_cluster.serverOnly.push_back(known->second);
        }
        std::sort(m_cluster.serverOnly.begin(), m_cluster.serverOnly.end());
        if (m_cluster.serverOnly.size() == m_cluster.nodes.size())
            refuse(servers.Mark(), "every node only serves", "leave at least one node to work");
    }

    void checkAddresses(const YAML::Node &nodes) const {
        std::size_t n = 0;
        const std::size_t workers = m_cluster.nodes.size() - m_cluster.serverOnly.size();
        for (const auto &entry : nodes)
            if (isLoopback(m_cluster.nodes[n++].address) && workers > 1)
                refuse(entry.Mark(), fmt::format("{} cannot be reached by the other nodes", m_cluster.nodes[n - 1].address),
                       "use the node's own address where there is more than one node");
    }

    /// A single node is its own chief; otherwise the last node marked is.
    void chooseChief(const YAML::Node &nodes) {
        std::vector<Node> &all = m_cluster.nodes;
        const auto last = std::find_if(all.rbegin(), all.rend(), [](const Node &node) { return node.chief; });
        if (last == all.rend() && all.size() > 1)
            refuse(nodes.Mark(), "no node is the chief", "mark one with chief: true");
        const std::size_t chief = last == all.rend() ? 0 : static_cast<std::size_t>(all.rend() - last) - 1;
        std::size_t n = 0;
        for (const auto &entry : nodes) {
            Node &node = all[n];
            node.chief = n++ == chief;
            if (!node.sshConfig.empty() && !m_cluster.ssh.contains(node.sshConfig))
                refuse(entry["ssh_config"].Mark(),
                       fmt::format("there is no ssh configuration '{}'", node.sshConfig.substr(0, 60)), "define it under ssh:");
            if (!node.chief && node.sshConfig.empty())
                refuse(entry.Mark(), fmt::format("node {} is not the chief and has no ssh_config", node.address),
                       "name one of the configurations under ssh:");
        }
    }

    Cluster m_cluster;
    std::set<std::string> m_serverNames;
    std::unordered_map<std::string, std::int32_t> m_indexOfAddress;
};

} // namespace

Result<Cluster> readResourceSpecText(std::string_view yaml, const std::string &file) {
    return readYamlCluster(yaml, file, {"a cluster file", "not YAML", maxSpecBytes},
                           [](const YAML::Node &root) -> Result<Cluster> {
                               if (root.IsNull())
                                   return fail("the file is empty", "list the nodes (docs/cluster-file.md)", {}, "1");
                               return SpecReader().read(root);
                           });
}

Result<Cluster> readResourceSpecFile(const std::string &path) {
    const auto text = TRY(readInputFile(path, maxSpecBytes));
    Result<Cluster> cluster = readResourceSpecText(text, path);
    if (cluster && cluster->name.empty())
        cluster->name = validUtf8(std::filesystem::path(path).stem().string());
    return cluster;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/input_file.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "engine/base/yaml_text.h"
#include "engine/cluster/addresses.h"
#include "engine/cluster/cluster.h"
#include "engine/cluster/host_keys.h"
#include "engine/cluster/spec_collectives.h"
#include "engine/cluster/spec_links.h"
#include "engine/cluster/spec_notes.h"
#include "engine/cluster/spec_values.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <unordered_map>
#include <yaml-cpp/yaml.h>

namespace syncopate {

namespace {

constexpr std::size_t maxSpecBytes = 64U << 20;
constexpr std::int32_t maxNics = 64; ///< per node

class SpecReader {
public:
    Cluster read(const YAML::Node &root) {
        if (!root.IsMap())
            refuse(root.Mark(), fmt::format("a cluster file is a map with the key nodes, this is {}", shown(root)),
                   "see docs/cluster-file.md");
        readOptionalKeys(root);
        if (const YAML::Node ssh = root["ssh"]; isGiven(ssh))
            readSsh(ssh);
        const YAML::Node nodes = root["nodes"];
        if (!nodes || !nodes.IsSequence() || nodes.size() == 0)
            refuse(nodes ? nodes.Mark() : root.Mark(), "there is no list of nodes", "list at least one under nodes:");
        if (nodes.size() > static_cast<std::size_t>(maxNodes))
            refuse(nodes.Mark(), fmt::format("{} nodes are listed", nodes.size()), fmt::format("up to {} are read", maxNodes));
        if (const YAML::Node servers = root["server_only"]; isGiven(servers))
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
        const auto given = [&root](const char *key) { return isGiven(root[key]); };
        const auto number = [&](const char *key, double &target, double min, double max) {
            if (given(key))
                target = readNumber(root[key], key, min, max);
        };
        if (given("name"))
            m_cluster.name = readText(root["name"], "name");
        number("latency_seconds", m_cluster.latencySeconds, 0, maxLatencySeconds);
        number("message_seconds", m_cluster.messageSeconds, 0, 10);
        number("link_efficiency", m_cluster.linkEfficiency, 0.001, 1);
        number("collective_efficiency", m_cluster.collectiveEfficiency, 0.001, 1);
        if (given("intra_node_bandwidth"))
            m_cluster.intraNodeBandwidthBytesPerSecond = readRate(root["intra_node_bandwidth"], "intra_node_bandwidth");
        if (given("host_lanes"))
            readHostLanes(root["host_lanes"], m_cluster);
        if (given("flow_limit"))
            readFlowLimit(root["flow_limit"], m_cluster);
        number("burst_bytes", m_cluster.burstBytes, 0, 1e12);
        if (given("host"))
            readHost(root["host"]);
        if (given("channels"))
            readChannels(root["channels"], m_cluster);
        if (given("collectives"))
            readCollectives(root["collectives"], m_cluster);
        if (given("collectives_left_out") && m_cluster.collectives.empty())
            m_cluster.staleCurvesLeftOut = readFlag(root["collectives_left_out"], "collectives_left_out", false);
        readNotes(root, m_cluster);
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
            if (const YAML::Node node = fields[key]; isGiven(node))
                target = readText(node, key);
        };
        text("username", config.username);
        text("python_venv", config.pythonVenv);
        text("key_file", config.keyFile);
        if (const YAML::Node port = fields["port"]; isGiven(port))
            config.port = readInteger(port, "port", 1, 65535);
        if (const YAML::Node envs = fields["shared_envs"]; isGiven(envs)) {
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
        const auto given = [&entry](const char *key) { return isGiven(entry[key]); };
        if (given("gpus"))
            node.gpus = readIndices(entry["gpus"], "gpus");
        if (given("cpus")) {
            // AutoDist counts CPU 0 of every node, and others where it has no GPUs.
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
        const bool isStated =
            given("network_bandwidth") && readNumber(entry["network_bandwidth"], "network_bandwidth", 0, maxSpecGbits) > 0;
        node.bandwidthBytesPerSecond = isStated ? readRate(entry["network_bandwidth"], "network_bandwidth")
                                                : bytesPerSecondFromGbits(1); // AutoDist's default
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

    /// A single node that works may be reached by its loopback address alone: dedicated servers beside it stand for machines that
    /// do not exist yet (withDedicatedServers()).
    void checkAddresses(const YAML::Node &nodes) const {
        std::size_t n = 0;
        const std::size_t workers = m_cluster.nodes.size() - m_cluster.serverOnly.size();
        for (const auto &entry : nodes)
            if (isLoopback(m_cluster.nodes[n++].address) && workers > 1)
                refuse(entry.Mark(), fmt::format("{} cannot be reached by the other nodes", m_cluster.nodes[n - 1].address),
                       "use the node's own address where more than one node works");
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
    return readYaml<Cluster>(yaml, file, {"a cluster file", "not YAML", maxSpecBytes},
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

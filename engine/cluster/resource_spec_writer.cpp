// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/cluster/cluster.h"
#include "engine/cluster/host_keys.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <yaml-cpp/yaml.h>

namespace syncopate {

namespace {

/// The number of Gbit/s that reads back as exactly this rate, if there is one.
std::string gbitsText(double bytesPerSecond) {
    const double near = gbitsFromBytesPerSecond(bytesPerSecond);
    double gbits = near;
    double below = near;
    double above = near;
    for (int step = 0; step < 4 && bytesPerSecondFromGbits(gbits) != bytesPerSecond; ++step) {
        below = std::nextafter(below, 0.0);
        above = std::nextafter(above, std::numeric_limits<double>::infinity());
        gbits = bytesPerSecondFromGbits(below) == bytesPerSecond ? below : above;
    }
    return fmt::format("{}", bytesPerSecondFromGbits(gbits) == bytesPerSecond ? gbits : near);
}

void emitText(YAML::Emitter &out, const char *key, const std::string &value) {
    out << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << value;
}

void emitNumber(YAML::Emitter &out, const char *key, double value, double usual) {
    if (value != usual)
        out << YAML::Key << key << YAML::Value << fmt::format("{}", value);
}

void emitNode(YAML::Emitter &out, const Node &node) {
    out << YAML::BeginMap << YAML::Key << "address" << YAML::Value << node.address;
    if (node.chief)
        out << YAML::Key << "chief" << YAML::Value << true;
    if (!node.gpus.empty())
        out << YAML::Key << "gpus" << YAML::Value << YAML::Flow << node.gpus;
    else if (node.cpus.size() > 1)
        out << YAML::Key << "cpus" << YAML::Value << YAML::Flow << node.cpus;
    if (!node.sshConfig.empty())
        emitText(out, "ssh_config", node.sshConfig);
    if (!node.device.empty())
        emitText(out, "device", node.device);
    emitNumber(out, "nics", node.nics, 1);
    if (!node.rack.empty())
        emitText(out, "rack", node.rack);
    emitNumber(out, "compute_scale", node.computeScale, 1);
    emitNumber(out, "communication_slowdown", node.communicationSlowdown, 1);
    out << YAML::Key << "network_bandwidth" << YAML::Value << gbitsText(node.bandwidthBytesPerSecond) << YAML::EndMap;
}

void emitChannels(YAML::Emitter &out, const std::vector<Channel> &channels) {
    out << YAML::Key << "channels" << YAML::Value << YAML::BeginSeq;
    for (const Channel &channel : channels) {
        out << YAML::BeginMap << YAML::Key << "name" << YAML::Value << channel.name;
        out << YAML::Key << "links" << YAML::Value << YAML::Flow << channel.links;
        out << YAML::Key << "bandwidth" << YAML::Value << gbitsText(channel.bandwidthBytesPerSecond);
        emitNumber(out, "latency_seconds", channel.latencySeconds, 0);
        emitNumber(out, "incast", channel.incast, 0);
        emitNumber(out, "concurrent", channel.concurrent, 1);
        out << YAML::EndMap;
    }
    out << YAML::EndSeq;
}

void emitHostLanes(YAML::Emitter &out, const std::vector<HostLane> &lanes) {
    out << YAML::Key << "host_lanes" << YAML::Value << YAML::BeginSeq;
    for (const HostLane &lane : lanes) {
        out << YAML::BeginMap;
        emitText(out, "name", lane.name);
        out << YAML::Key << "bandwidth" << YAML::Value << gbitsText(lane.bytesPerSecond);
        if (lane.isShared)
            out << YAML::Key << "shared" << YAML::Value << true;
        if (!lane.isDuplex)
            out << YAML::Key << "duplex" << YAML::Value << false;
        out << YAML::EndMap;
    }
    out << YAML::EndSeq;
}

void emitCollectives(YAML::Emitter &out, const std::vector<MeasuredCollective> &collectives) {
    out << YAML::Key << "collectives" << YAML::Value << YAML::BeginSeq;
    for (const MeasuredCollective &measured : collectives) {
        out << YAML::BeginMap << YAML::Key << "kind" << YAML::Value << std::string(nameOf(measured.kind));
        out << YAML::Key << "ranks" << YAML::Value << measured.ranks;
        out << YAML::Key << "points" << YAML::Value << YAML::Flow << YAML::BeginSeq;
        for (const MeasuredCollective::Point &point : measured.points)
            out << YAML::Flow << YAML::BeginSeq << fmt::format("{}", point.sizeBytes) << fmt::format("{}", point.seconds)
                << YAML::EndSeq;
        out << YAML::EndSeq;
        if (!measured.note.empty())
            emitText(out, "note", measured.note);
        out << YAML::EndMap;
    }
    out << YAML::EndSeq;
}

void emitSsh(YAML::Emitter &out, const SshConfig &config) {
    out << YAML::BeginMap;
    emitText(out, "username", config.username);
    out << YAML::Key << "port" << YAML::Value << config.port;
    if (!config.pythonVenv.empty())
        emitText(out, "python_venv", config.pythonVenv);
    if (!config.keyFile.empty())
        emitText(out, "key_file", config.keyFile);
    if (!config.sharedEnvs.empty()) {
        out << YAML::Key << "shared_envs" << YAML::Value << YAML::BeginMap;
        for (const auto &[variable, value] : config.sharedEnvs)
            out << YAML::Key << YAML::DoubleQuoted << variable << YAML::Value << YAML::DoubleQuoted << value;
        out << YAML::EndMap;
    }
    out << YAML::EndMap;
}

/// One number if all pairs of nodes have the same limit, else one for each class of pairs that has a limit.
void emitFlowLimit(YAML::Emitter &out, const Cluster &cluster) {
    const double across = cluster.acrossRacksBytesPerSecond.value_or(cluster.connectionBytesPerSecond);
    const auto emit = [&out](const char *key, double limit) {
        if (std::isfinite(limit))
            out << YAML::Key << key << YAML::Value << gbitsText(limit);
    };
    if (!cluster.acrossRacksBytesPerSecond && !std::isfinite(cluster.inNodeConnectionBytesPerSecond)) {
        emit("flow_limit", cluster.connectionBytesPerSecond);
        return;
    }
    out << YAML::Key << "flow_limit" << YAML::Value << YAML::Flow << YAML::BeginMap;
    emit("same_node", cluster.inNodeConnectionBytesPerSecond);
    emit("same_rack", cluster.connectionBytesPerSecond);
    emit("across", across);
    out << YAML::EndMap;
}

/// Latencies, efficiencies and bandwidths other than the defaults, and the costs of hosts.
void emitFigures(YAML::Emitter &out, const Cluster &cluster, const Cluster &usual) {
    emitNumber(out, "latency_seconds", cluster.latencySeconds, usual.latencySeconds);
    emitNumber(out, "message_seconds", cluster.messageSeconds, usual.messageSeconds);
    emitNumber(out, "link_efficiency", cluster.linkEfficiency, usual.linkEfficiency);
    emitNumber(out, "collective_efficiency", cluster.collectiveEfficiency, usual.collectiveEfficiency);
    if (cluster.intraNodeBandwidthBytesPerSecond != usual.intraNodeBandwidthBytesPerSecond)
        out << YAML::Key << "intra_node_bandwidth" << YAML::Value << gbitsText(cluster.intraNodeBandwidthBytesPerSecond);
    if (!cluster.hostLanes.empty())
        emitHostLanes(out, cluster.hostLanes);
    emitFlowLimit(out, cluster);
    emitNumber(out, "burst_bytes", cluster.burstBytes, usual.burstBytes);
    if (cluster.host == usual.host)
        return;
    out << YAML::Key << "host" << YAML::Value << YAML::BeginMap;
    for (const HostKey &key : hostKeys)
        emitNumber(out, key.name, cluster.host.*key.member, 0);
    if (cluster.host.threads != usual.host.threads)
        out << YAML::Key << "threads" << YAML::Value << cluster.host.threads;
    out << YAML::EndMap;
}

} // namespace

std::string writeResourceSpec(const Cluster &cluster) {
    const Cluster usual;
    YAML::Emitter out;
    out << YAML::BeginMap;
    if (!cluster.name.empty())
        emitText(out, "name", cluster.name);
    out << YAML::Key << "nodes" << YAML::Value << YAML::BeginSeq;
    for (const Node &node : cluster.nodes)
        emitNode(out, node);
    out << YAML::EndSeq;
    if (!cluster.ssh.empty()) {
        out << YAML::Key << "ssh" << YAML::Value << YAML::BeginMap;
        for (const auto &[name, config] : cluster.ssh) {
            out << YAML::Key << YAML::DoubleQuoted << name << YAML::Value;
            emitSsh(out, config);
        }
        out << YAML::EndMap;
    }
    emitFigures(out, cluster, usual);
    if (!cluster.namedChannels.empty())
        emitChannels(out, cluster.namedChannels);
    else if (cluster.channels != usual.channels)
        out << YAML::Key << "channels" << YAML::Value << cluster.channels;
    if (!cluster.collectives.empty())
        emitCollectives(out, cluster.collectives);
    else if (cluster.staleCurvesLeftOut)
        out << YAML::Key << "collectives_left_out" << YAML::Value << true;
    if (!cluster.serverOnly.empty()) {
        out << YAML::Key << "server_only" << YAML::Value << YAML::BeginSeq;
        for (const std::int32_t node : cluster.serverOnly)
            if (node >= 0 && static_cast<std::size_t>(node) < cluster.nodes.size())
                out << cluster.nodes[static_cast<std::size_t>(node)].address;
        out << YAML::EndSeq;
    }
    if (!cluster.notes.empty()) {
        out << YAML::Key << "notes" << YAML::Value << YAML::BeginSeq;
        for (const std::string &note : cluster.notes)
            out << YAML::DoubleQuoted << note;
        out << YAML::EndSeq;
    }
    if (!cluster.figureNotes.empty()) {
        out << YAML::Key << "figure_notes" << YAML::Value << YAML::BeginMap;
        for (const FigureNote &note : cluster.figureNotes)
            out << YAML::Key << YAML::DoubleQuoted << note.figure << YAML::Value << YAML::DoubleQuoted << note.text;
        out << YAML::EndMap;
    }
    out << YAML::EndMap;
    return std::string(out.c_str(), out.size()) + "\n";
}

} // namespace syncopate

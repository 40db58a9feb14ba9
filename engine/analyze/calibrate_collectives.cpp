// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/calibrate.h"
#include "engine/base/median.h"
#include "engine/base/units.h"
#include "engine/collective/collective_plan.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace syncopate {

namespace {

constexpr std::int32_t maxRanks = 1024;
constexpr double notALine = 0.3; ///< relative error of a size that shows more than one slope
constexpr double maxSeconds = 10, maxGbits = 1e6;

/// The model of a logged collective on the machines where it was measured, with nothing else running: launch + rounds (message +
/// share S / rate), over the rounds in which messages cross nodes, or over all rounds if none does.
struct LogShape {
    std::size_t log = 0; ///< index into Calibration::logs
    bool between = false;
    double rounds = 0;         ///< number of rounds that pay for a message
    double secondsPerByte = 0; ///< with collective_efficiency 1 or, inside a node, with lanes of 1 byte per second
};

std::vector<Node> trainingNodes(const Cluster &cluster) {
    std::vector<Node> nodes;
    for (const std::int32_t n : cluster.trainingNodes())
        nodes.push_back(cluster.nodes[static_cast<std::size_t>(n)]);
    return nodes;
}

/// Seconds per byte for the busiest NIC's share in a round; a connection carries what its NIC and the cluster allow.
double secondsPerByteBetween(const CollectiveRound &round, const std::vector<Node> &nodes, const Cluster &cluster,
                             std::int32_t connections) {
    std::vector<double> out(nodes.size(), 0), in(nodes.size(), 0);
    double most = 0;
    for (const NodeMessage &message : round.between) {
        const auto from = static_cast<std::size_t>(message.from), to = static_cast<std::size_t>(message.to);
        out[from] += message.share;
        in[to] += message.share;
        most = std::max(most, message.share / (connections * cluster.connectionLimit(nodes[from], nodes[to])));
    }
    for (std::size_t n = 0; n < nodes.size(); ++n)
        most = std::max(most, std::max(out[n], in[n]) / nodes[n].streamsBytesPerSecond(connections));
    return most / cluster.linkEfficiency;
}

/// The machines on which a log is assumed to have been measured: the cluster's first ones that can hold its ranks, or as many as
/// the log's nodes with about equally many ranks each.
std::vector<Node> machinesOf(const CollectiveLog &log, const Cluster &cluster, std::vector<std::int32_t> &replicas) {
    if (log.nodes == 0 || log.ranks < log.nodes) {
        const std::vector<Node> nodes = trainingNodes(log.ranks > 0 ? withWorkers(cluster, log.ranks) : cluster);
        for (const Node &node : nodes)
            replicas.push_back(node.replicaCount());
        return nodes;
    }
    std::vector<Node> nodes = trainingNodes(cluster);
    nodes.resize(static_cast<std::size_t>(log.nodes), nodes.back());
    for (std::int32_t n = 0; n < log.nodes; ++n)
        replicas.push_back(log.ranks / log.nodes + (n < log.ranks % log.nodes ? 1 : 0));
    return nodes;
}

/// The largest share of S that a port inside a node moves in the round.
double busiestPort(const CollectiveRound &round) {
    double busiest = 0;
    for (const PortLoad &load : round.inside)
        busiest = std::max(busiest, load.share);
    return busiest;
}

LogShape shapeOf(const CollectiveLog &log, const Cluster &cluster, std::int32_t connections) {
    std::vector<std::int32_t> replicas;
    const std::vector<Node> nodes = machinesOf(log, cluster, replicas);
    LogShape shape{.between = nodes.size() > 1};
    for (const CollectivePlan &plan : planCollective(log.kind, CollectiveAlgorithm::Ring, replicas))
        for (const CollectivePhase &phase : plan.phases)
            for (const CollectiveRound &round : phase.rounds) {
                if (shape.between ? round.between.empty() : round.inside.empty())
                    continue;
                shape.rounds += phase.repeat;
                const double lanes = busiestPort(round) / (shape.between ? cluster.intraNodeBandwidthBytesPerSecond : 1);
                shape.secondsPerByte +=
                    phase.repeat * std::max(lanes, shape.between ? secondsPerByteBetween(round, nodes, cluster, connections) : 0);
            }
    return shape;
}

double messageSeconds(const Cluster &cluster) {
    const HostCosts &host = cluster.host;
    return cluster.messageSeconds + host.sendSeconds + host.receiveSeconds + host.collectiveMessageSeconds;
}

double predictedSeconds(const LogShape &shape, const Cluster &cluster, double bytes) {
    const double message = shape.between ? messageSeconds(cluster) + cluster.latencySeconds : cluster.messageSeconds;
    const double perByte = shape.secondsPerByte / (shape.between ? 1 : cluster.intraNodeBandwidthBytesPerSecond);
    return cluster.host.collectiveSeconds + shape.rounds * message + perByte * bytes / cluster.collectiveEfficiency;
}

/// Why a log determines none of the cluster's keys; empty if it does.
std::string unusable(const CollectiveLog &log, const Cluster &cluster) {
    if (log.kind == CollectiveKind::Broadcast || log.kind == CollectiveKind::Reduce)
        return "chains in chunks have no single alpha and beta; --curves takes the log as it is";
    if (!hasWholeSizes(log))
        return pairSizesRemark;
    if (log.samples.front().sizeBytes == log.samples.back().sizeBytes)
        return "only one size was measured";
    if (cluster.replicaCount() < 1)
        return "no node of the cluster trains";
    const std::int32_t ranks = log.ranks > 0 ? log.ranks : cluster.replicaCount();
    if (ranks < 2 || ranks > maxRanks)
        return fmt::format("a collective among {} replicas", ranks);
    return {};
}

/// Sets figures from the usable logs.
class LogCalibration {
public:
    LogCalibration(Calibration &calibration, std::vector<LogShape> shapes)
        : m_calibration(calibration), m_cluster(calibration.cluster), m_shapes(std::move(shapes)) {}

    Result<void> run() {
        // Each depends on the other's figure: the launch on logs inside a node, the efficiency on logs between nodes.
        double &launch = m_cluster.host.collectiveSeconds;
        const double before = launch;
        const auto inNodes = launches();
        const auto byRanks = inNodes.empty() ? launchByRanks() : std::nullopt;
        if (byRanks || !inNodes.empty())
            launch = byRanks ? *byRanks : median(inNodes);
        TRY(between(byRanks ? &before : nullptr));
        if (!byRanks)
            launch = before;
        TRY(inside());
        for (const LogShape &shape : m_shapes) {
            CalibratedLog &log = m_calibration.logs[shape.log];
            log.error = errorOf(shape);
            if (log.fit.lineResiduals.worst > notALine)
                m_calibration.notes.push_back(
                    fmt::format("{} is not a straight line over its sizes: --curves takes it as it was measured.",
                                shownFileName(log.fit.log.source)));
        }
        return {};
    }

private:
    [[nodiscard]] const CurveFit &fit(const LogShape &shape) const { return m_calibration.logs[shape.log].fit; }
    [[nodiscard]] double alpha(const LogShape &shape) const { return fit(shape).line.segments.front().alphaSeconds; }
    [[nodiscard]] double beta(const LogShape &shape) const { return fit(shape).line.segments.front().secondsPerByte; }
    [[nodiscard]] FitError errorOf(const LogShape &shape) const {
        std::vector<double> errors;
        for (const CollectiveSample &sample : fit(shape).log.samples)
            errors.push_back(std::abs(predictedSeconds(shape, m_cluster, sample.sizeBytes) / sample.seconds - 1));
        return fitError(std::move(errors));
    }
    [[nodiscard]] std::vector<LogShape> shapes(bool between) const {
        std::vector<LogShape> found;
        std::copy_if(m_shapes.begin(), m_shapes.end(), std::back_inserter(found),
                     [&](const LogShape &shape) { return shape.between == between; });
        return found;
    }
    struct Setting {
        const char *key;
        double *member;
        double value;
    };
    /// Sets the figures; their error is that of all of them together over the logs `used`.
    void set(const std::vector<LogShape> &used, const std::vector<Setting> &settings) {
        std::vector<double> before, errors;
        for (const Setting &setting : settings)
            before.push_back(std::exchange(*setting.member, setting.value));
        for (const LogShape &shape : used)
            for (const CollectiveSample &sample : fit(shape).log.samples)
                errors.push_back(std::abs(predictedSeconds(shape, m_cluster, sample.sizeBytes) / sample.seconds - 1));
        CalibratedFigure figure;
        figure.error = fitError(std::move(errors));
        figure.source = shownFileName(fit(used.front()).log.source);
        if (used.size() > 1)
            figure.source += fmt::format(" and {} more", used.size() - 1);
        figure.basis = fmt::format("a ring {}", used.front().between ? "between nodes" : "inside a node");
        for (std::size_t i = 0; i < settings.size(); ++i) {
            *settings[i].member = before[i];
            figure.key = settings[i].key;
            setFigure(m_calibration, figure, *settings[i].member, settings[i].value);
        }
    }

    [[nodiscard]] tl::unexpected<Error> refuse(const LogShape &shape, const std::string &what, const std::string &remedy) const {
        return fail(what, remedy, fit(shape).log.source);
    }

    /// The part of the time of logs inside a node that depends neither on size nor on messages.
    [[nodiscard]] std::vector<double> launches() const {
        std::vector<double> found;
        for (const LogShape &shape : shapes(false))
            found.push_back(std::max(0.0, alpha(shape) - shape.rounds * m_cluster.messageSeconds));
        return found;
    }

    /// The launch, if logs between nodes have different numbers of steps: alpha = launch + steps x step, by least squares of
    /// relative errors, neither below 0.
    [[nodiscard]] std::optional<double> launchByRanks() const {
        double one = 0, x = 0, xx = 0, y = 0, xy = 0, fewest = std::numeric_limits<double>::infinity(), most = 0;
        for (const LogShape &shape : shapes(true)) {
            if (!(alpha(shape) > 0))
                continue;
            const double weight = 1 / alpha(shape), steps = shape.rounds * weight;
            one += weight * weight;
            x += weight * steps;
            xx += steps * steps;
            y += weight;
            xy += steps;
            fewest = std::min(fewest, shape.rounds);
            most = std::max(most, shape.rounds);
        }
        const double determinant = one * xx - x * x;
        if (!(most > fewest) || !(determinant > 1e-12 * one * xx))
            return std::nullopt;
        const double launch = (y * xx - xy * x) / determinant, step = (one * xy - x * y) / determinant;
        return step < 0 ? y / one : std::max(0.0, launch);
    }

    /// From logs inside a node: the rate of its lanes; the rest is the launch.
    Result<void> inside() {
        std::vector<double> rates;
        const std::vector<LogShape> used = shapes(false);
        for (const LogShape &shape : used) {
            const double rate = shape.secondsPerByte / (beta(shape) * m_cluster.collectiveEfficiency);
            const double launch = launches()[rates.size()];
            if (!(gbitsFromBytesPerSecond(rate) >= 1e-6 && gbitsFromBytesPerSecond(rate) <= maxGbits && launch <= maxSeconds))
                return refuse(shape,
                              fmt::format("it implies a launch of {} and lanes of {:.3g} Gbit/s", formatSeconds(launch),
                                          gbitsFromBytesPerSecond(rate)),
                              "measure more and larger sizes, and check the units of the log");
            rates.push_back(rate);
        }
        if (!used.empty())
            set(used, {{"intra_node_bandwidth", &m_cluster.intraNodeBandwidthBytesPerSecond, median(rates)},
                       {"host.collective_seconds", &m_cluster.host.collectiveSeconds, median(launches())}});
        return {};
    }

    /// From logs between nodes: the reached share of the NICs' rate, and the steps' latency beyond the launch and the hosts'
    /// costs. `launchBefore` is the launch before it was fitted to these logs; null if it was not.
    Result<void> between(const double *launchBefore) {
        std::vector<double> efficiencies, latencies;
        const std::vector<LogShape> used = shapes(true);
        for (const LogShape &shape : used) {
            const double efficiency = shape.secondsPerByte / beta(shape);
            const double step = (alpha(shape) - m_cluster.host.collectiveSeconds) / shape.rounds;
            const double latency = std::max(0.0, step - messageSeconds(m_cluster));
            if (efficiency > efficiencyNoise)
                return refuse(shape, fmt::format("its links carried {:.3g} times the rate of the cluster's links", efficiency),
                              "give the cluster that it was measured on: network_bandwidth (of all NICs of a node), gpus of each "
                              "node, flow_limit and link_efficiency; and the connections that it was measured with");
            if (!(efficiency >= minEfficiency && latency <= maxSeconds))
                return refuse(
                    shape,
                    fmt::format("it implies {:.3g} of the links' rate and {} of latency", efficiency, formatSeconds(latency)),
                    "measure more and larger sizes, and check network_bandwidth of the cluster");
            efficiencies.push_back(std::min(1.0, efficiency));
            latencies.push_back(latency);
        }
        if (used.empty())
            return {};
        std::vector<Setting> settings{{"collective_efficiency", &m_cluster.collectiveEfficiency, median(efficiencies)},
                                      {"latency_seconds", &m_cluster.latencySeconds, median(latencies)}};
        if (launchBefore) {
            settings.push_back({"host.collective_seconds", &m_cluster.host.collectiveSeconds, m_cluster.host.collectiveSeconds});
            m_cluster.host.collectiveSeconds = *launchBefore;
        }
        set(used, settings);
        return {};
    }

    Calibration &m_calibration;
    Cluster &m_cluster;
    std::vector<LogShape> m_shapes;
};

} // namespace

Result<void> calibrateCollectives(Calibration &calibration, std::vector<CollectiveLog> logs, std::int32_t connections,
                                  bool mayBeNone) {
    std::vector<LogShape> shapes;
    for (CollectiveLog &log : logs) {
        CalibratedLog calibrated;
        calibrated.remark = unusable(log, calibration.cluster);
        if (calibrated.remark.empty()) {
            LogShape shape = shapeOf(log, calibration.cluster, connections);
            shape.log = calibration.logs.size();
            shapes.push_back(shape);
            calibrated.remark = fmt::format("taken to be measured on {}{}", shape.between ? "several nodes" : "one node",
                                            log.ranks > 0 ? "" : ", among all of the cluster's replicas");
        }
        calibrated.fit = fitCurve(std::move(log));
        calibration.logs.push_back(std::move(calibrated));
    }
    if (shapes.empty() && mayBeNone)
        return {};
    if (shapes.empty())
        return fail("no figure of a cluster follows from it" +
                        (calibration.logs.empty() ? "" : ": " + calibration.logs.back().remark),
                    "give logs of all-reduce, reduce-scatter, all-gather or all-to-all over several sizes",
                    logs.empty() ? "" : calibration.logs.back().fit.log.source);
    return LogCalibration(calibration, std::move(shapes)).run();
}

} // namespace syncopate

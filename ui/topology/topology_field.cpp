// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_field.h"

#include "engine/base/units.h"

#include <cmath>
#include <limits>
#include <utility>

namespace syncopate::ui {

namespace {

Result<double> number(const QString &text) { return parseNumber(text.trimmed().toStdString()); }

/// "25", "25 Gbit/s": gigabits per second.
Result<double> gbits(QString text) { return number(text.remove(QStringLiteral("Gb/s")).remove(QStringLiteral("Gbit/s"))); }

Result<double> seconds(QString text) {
    text = text.trimmed().replace(QChar(0xb5), QLatin1Char('u')).replace(QChar(0x3bc), QLatin1Char('u'));
    return parseSeconds(text.toStdString());
}

Error refused(const char *what, const char *range) { return {what, range, {}, {}}; }

Result<double> bounded(Result<double> value, double least, double most, const char *range) {
    if (value && !(*value >= least && *value <= most))
        return Unexpected(refused("out of range", range));
    return value;
}

Result<int> wholeNumber(const QString &text, int least, int most, const char *range) {
    const auto value = TRY(bounded(number(text), least, most, range));
    if (value != std::floor(value))
        return Unexpected(refused("not a whole number", range));
    return static_cast<int>(value);
}

} // namespace

const std::vector<TopologyPanel::Field> &TopologyPanel::Field::all() {
    static const std::vector<Field> fields = [] {
        std::vector<Field> both = perNode();
        for (Field &field : perCluster())
            both.push_back(std::move(field));
        return both;
    }();
    return fields;
}

std::optional<QString> TopologyPanel::Field::sharedText(const Cluster &cluster, const std::vector<std::size_t> &nodes) const {
    const std::size_t count = !ofNodes ? 1 : nodes.empty() ? cluster.nodes.size() : nodes.size();
    QString text;
    for (std::size_t i = 0; i < count; ++i) {
        const QString one = show(cluster, nodes.empty() ? i : nodes[i]);
        if (i > 0 && one != text)
            return {};
        text = one;
    }
    return text;
}

std::vector<TopologyPanel::Field> TopologyPanel::Field::perNode() {
    return {
        {"nodeBandwidth", QT_TR_NOOP("Link"), QT_TR_NOOP("Bandwidth of all of the node's NICs together, each direction, Gbit/s."),
         true,
         [](const Cluster &c, std::size_t n) {
             return QString::fromStdString(formatBandwidth(c.nodes[n].bandwidthBytesPerSecond));
         },
         [](Cluster &c, std::size_t n, const QString &text) -> Result<void> {
             const auto value = TRY(bounded(gbits(text), 1e-3, 1e5, "give 0.001 to 100000 Gbit/s"));
             c.nodes[n].bandwidthBytesPerSecond = bytesPerSecondFromGbits(value);
             return {};
         }},
        {"nodeGpus", QT_TR_NOOP("GPUs"), QT_TR_NOOP("Devices that each hold a replica; 0: one replica per CPU."), true,
         [](const Cluster &c, std::size_t n) { return QString::number(c.nodes[n].gpus.size()); },
         [](Cluster &c, std::size_t n, const QString &text) -> Result<void> {
             const int gpus = TRY(wholeNumber(text, 0, 64, "give 0 to 64"));
             Node &node = c.nodes[n];
             node.gpus.clear();
             for (int gpu = 0; gpu < gpus; ++gpu)
                 node.gpus.push_back(gpu);
             if (!node.gpus.empty())
                 node.cpus = {0}; // AutoDist's convention for the CPUs of a node with GPUs
             return {};
         }},
        {"nodeScale", QT_TR_NOOP("Speed"),
         QT_TR_NOOP("Speed of its devices relative to the job's times: at 0.5 they take twice as long (a straggler)."), true,
         [](const Cluster &c, std::size_t n) { return QString::number(c.nodes[n].computeScale); },
         [](Cluster &c, std::size_t n, const QString &text) -> Result<void> {
             const auto value = TRY(bounded(number(text), 1e-3, 1e3, "give 0.001 to 1000"));
             c.nodes[n].computeScale = value;
             return {};
         }},
        {"nodeRack", QT_TR_NOOP("Rack"), QT_TR_NOOP("Rack, switch or placement group, for the flow limit across racks."), true,
         [](const Cluster &c, std::size_t n) { return QString::fromStdString(c.nodes[n].rack); },
         [](Cluster &c, std::size_t n, const QString &text) -> Result<void> {
             c.nodes[n].rack = text.trimmed().left(60).toStdString();
             return {};
         }},
        {"nodeDevice", QT_TR_NOOP("Device"), QT_TR_NOOP("Model of its devices, for display only: \"T4\"."), true,
         [](const Cluster &c, std::size_t n) { return QString::fromStdString(c.nodes[n].device); },
         [](Cluster &c, std::size_t n, const QString &text) -> Result<void> {
             c.nodes[n].device = text.trimmed().left(60).toStdString();
             return {};
         }},
    };
}

// One table: a field a row.
std::vector<TopologyPanel::Field> TopologyPanel::Field::perCluster() {
    return {
        {"latency", QT_TR_NOOP("Latency"), QT_TR_NOOP("Per message between nodes, one way."), false,
         [](const Cluster &c, std::size_t) { return QString::fromStdString(formatSeconds(c.latencySeconds)); },
         [](Cluster &c, std::size_t, const QString &text) -> Result<void> {
             const auto value = TRY(bounded(seconds(text), 0, 10, "give 0 s to 10 s"));
             c.latencySeconds = value;
             return {};
         }},
        {"flowLimit", QT_TR_NOOP("Flow limit"),
         QT_TR_NOOP("Limit of one connection between two nodes of a rack, however fast the links, Gbit/s; none: no limit."),
         false,
         [](const Cluster &c, std::size_t) {
             return std::isfinite(c.connectionBytesPerSecond)
                        ? QString::fromStdString(formatBandwidth(c.connectionBytesPerSecond))
                        : QStringLiteral("none");
         },
         [](Cluster &c, std::size_t, const QString &text) -> Result<void> {
             double limit = std::numeric_limits<double>::infinity();
             if (text.trimmed() != QLatin1String("none"))
                 limit = bytesPerSecondFromGbits(TRY(bounded(gbits(text), 1e-3, 1e6, "give 0.001 to 1000000 Gbit/s, or none")));
             c.connectionBytesPerSecond = limit;
             return {};
         }},
        {"acrossLimit", QT_TR_NOOP("Across racks"),
         QT_TR_NOOP("Limit of one connection between nodes of different racks, Gbit/s; as inside: the flow limit."), false,
         [](const Cluster &c, std::size_t) {
             const auto limit = c.acrossRacksBytesPerSecond;
             return !limit                  ? QStringLiteral("as inside")
                    : std::isfinite(*limit) ? QString::fromStdString(formatBandwidth(*limit))
                                            : QStringLiteral("none");
         },
         [](Cluster &c, std::size_t, const QString &text) -> Result<void> {
             std::optional<double> limit;
             if (text.trimmed() == QLatin1String("none"))
                 limit = std::numeric_limits<double>::infinity();
             else if (text.trimmed() != QLatin1String("as inside"))
                 limit = bytesPerSecondFromGbits(
                     TRY(bounded(gbits(text), 1e-3, 1e6, "give 0.001 to 1000000 Gbit/s, none, or as inside")));
             c.acrossRacksBytesPerSecond = limit;
             return {};
         }},
        {"fabric", QT_TR_NOOP("Inside nodes"),
         QT_TR_NOOP("Bandwidth between the devices of a node, per direction and device, Gbit/s."), false,
         [](const Cluster &c, std::size_t) {
             return QString::fromStdString(formatBandwidth(c.intraNodeBandwidthBytesPerSecond));
         },
         [](Cluster &c, std::size_t, const QString &text) -> Result<void> {
             const auto value = TRY(bounded(gbits(text), 1e-3, 1e6, "give 0.001 to 1000000 Gbit/s"));
             c.intraNodeBandwidthBytesPerSecond = bytesPerSecondFromGbits(value);
             return {};
         }},
        {"efficiency", QT_TR_NOOP("Efficiency"),
         QT_TR_NOOP("Share of the links' stated rates that a plain stream reaches, 0 to 1."), false,
         [](const Cluster &c, std::size_t) { return QString::number(c.linkEfficiency); },
         [](Cluster &c, std::size_t, const QString &text) -> Result<void> {
             const auto value = TRY(bounded(number(text), 1e-3, 1, "give 0.001 to 1"));
             c.linkEfficiency = value;
             return {};
         }},
        {"channels", QT_TR_NOOP("Channels"), QT_TR_NOOP("Collectives that may run at the same time."), false,
         [](const Cluster &c, std::size_t) { return QString::number(c.channels); },
         [](Cluster &c, std::size_t, const QString &text) -> Result<void> {
             c.channels = TRY(wholeNumber(text, 1, 64, "give 1 to 64"));
             return {};
         }},
    };
}

} // namespace syncopate::ui

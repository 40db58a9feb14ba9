// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of a TopologyView: what a node is and does, and what its links carry or are worth.
#include "engine/base/units.h"
#include "ui/theme/format.h"
#include "ui/topology/topology_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {

/// Why a link's saving is unknown.
QString notSimulatedText() {
    return TopologyView::tr("–: not simulated; only the %1 links that limit the iteration most are").arg(maxSimulatedLinks);
}

QString percent(double share) { return QStringLiteral("%1 %").arg(100 * share, 0, 'f', share < 0.0995 ? 1 : 0); }

} // namespace

QString TopologyView::gaugeText(LinkId link) const { return m_paint == LinkPaint::Load ? percent(load(link)) : savingOf(link); }

QString TopologyView::savingOf(LinkId link) const {
    if (!m_data->savingsKnown)
        return QStringLiteral("…");
    const auto seconds = m_data->savedSeconds(link);
    return seconds ? savingText(*seconds) : QStringLiteral("–");
}

LinkId TopologyView::strongestLane(std::size_t node) const {
    LinkId strongest;
    double share = 0;
    if (m_data->run)
        for (const LinkId lane : m_data->links[node].lanes)
            if (const double own = paintedShare(lane); own > share) {
                strongest = lane;
                share = own;
            }
    return strongest;
}

QString TopologyView::laneName(LinkId link) const {
    const FluidLink &lane = m_data->run->graph.links[link.index()];
    if (lane.hostLane < 0)
        return lane.receives ? tr("lane to the devices") : tr("lane from the devices");
    const HostLane &host = m_data->run->scenario.cluster->hostLanes[static_cast<std::size_t>(lane.hostLane)];
    const QString name = QString::fromStdString(host.name);
    if (!host.isDuplex)
        return tr("%1, both ways").arg(name);
    return lane.receives ? tr("%1, from the host").arg(name) : tr("%1, to the host").arg(name);
}

QStringList TopologyView::savingOfNode(std::size_t node) const {
    const double seconds = m_data->savedSeconds(m_data->links[node].transmit).value_or(0);
    if (std::abs(seconds) < 1e-9)
        return {};
    const QString saving = savingText(seconds);
    return {tr("+1 Gbit/s saves %1").arg(saving), tr("+1 Gbit/s: %1").arg(saving), tr("saves %1").arg(saving)};
}

bool TopologyView::onlyServes(std::size_t node) const {
    const auto &serving = m_data->cluster->serverOnly;
    return std::find(serving.begin(), serving.end(), static_cast<std::int32_t>(node)) != serving.end();
}

QString TopologyView::describe(std::size_t node) const {
    const Node &n = m_data->cluster->nodes[node];
    QStringList lines{QString::fromStdString(n.address)};
    const QString device = n.device.empty() ? QString() : QStringLiteral(" ") + QString::fromStdString(n.device);
    lines += n.gpus.empty() ? tr("CPUs: %1").arg(n.cpus.size()) + device : tr("GPUs: %1").arg(n.gpus.size()) + device;
    if (n.computeScale != 1)
        lines += tr("computes at %1 of the job's speed").arg(n.computeScale);
    if (onlyServes(node))
        lines += tr("only serves");
    const QString rate = QString::fromStdString(formatBandwidth(n.bandwidthBytesPerSecond));
    lines += n.nics == 1 ? tr("link %1, each direction").arg(rate)
                         : tr("%1 NICs, together %2, each direction; loads are those of the first").arg(n.nics).arg(rate);
    if (!m_data->run)
        return lines.join(QLatin1Char('\n'));
    const NodeLinks &links = m_data->links[node];
    lines += tr("sends at %1, receives at %2 of its capacity over the visible time")
                 .arg(percent(load(links.transmit)), percent(load(links.receive)));
    bool isUnknown = false;
    if (m_data->savingsKnown) {
        lines += tr("1 Gbit/s more, each way, saves %1 per iteration").arg(savingOf(links.transmit));
        isUnknown = !m_data->savedSeconds(links.transmit);
    }
    for (const LinkId lane : links.lanes) {
        const auto saved = m_data->savedSeconds(lane);
        if (load(lane) <= 0 && saved.value_or(0) <= 0) // not painted with either colour
            continue;
        lines += tr("inside: %1 %2; 1 Gbit/s more saves %3").arg(laneName(lane), percent(load(lane)), savingOf(lane));
        isUnknown = isUnknown || (m_data->savingsKnown && !saved);
    }
    if (isUnknown)
        lines += notSimulatedText();
    if (m_data->servers[node].units > 0)
        lines += tr("reduces %1 (%n variables or parts)", nullptr, static_cast<int>(m_data->servers[node].units))
                     .arg(bytesText(m_data->servers[node].bytes));
    return lines.join(QLatin1Char('\n'));
}

} // namespace syncopate::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/knobs/knob_bindings.h"

#include "engine/base/units.h"
#include "engine/strategy/comm_policy.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

QString tr(const char *text) { return QCoreApplication::translate("KnobBindings", text); }

std::optional<double> parsed(const Result<double> &result) { return result ? std::optional(*result) : std::nullopt; }

/// "25", "25 Gb/s", "25gbit/s", "800 Mb/s" as Gbit/s.
std::optional<double> parseGbits(const QString &text) {
    QString number = text.trimmed();
    qsizetype digits = 0;
    while (digits < number.size() && (number[digits].isDigit() || QStringLiteral(".,eE+-").contains(number[digits])))
        ++digits;
    const QString unit = number.mid(digits).trimmed().toLower();
    const auto value = parsed(parseNumber(number.left(digits).toStdString()));
    if (!value)
        return {};
    return unit.startsWith(QLatin1Char('m')) ? *value / 1000 : value;
}

std::optional<double> parseInteger(const QString &text) {
    bool ok = false;
    const int value = text.trimmed().toInt(&ok);
    return ok ? std::optional<double>(value) : std::nullopt;
}

QString formatGbits(double gbits) { return QString::fromStdString(formatBandwidth(bytesPerSecondFromGbits(gbits))); }
QString formatInteger(double value) { return QString::number(static_cast<int>(std::lround(value))); }

std::optional<double> parseSize(const QString &text) {
    auto bytes = parsed(parseBytes(text.trimmed().toStdString()));
    return bytes ? bytes : parsed(parseBytes(QString(text).remove(QLatin1Char(' ')).toStdString()));
}

std::optional<double> parseLatency(QString text) {
    text = text.trimmed().replace(QChar(0xb5), QLatin1Char('u')).replace(QChar(0x3bc), QLatin1Char('u'));
    bool plain = false;
    const double number = text.toDouble(&plain);
    return plain ? std::optional(number * 1e-6) : parsed(parseSeconds(text.toStdString())); // microseconds unless stated
}

double ownGbits(const SessionState &state) {
    return state.cluster->nodes.empty() ? 0 : gbitsFromBytesPerSecond(state.cluster->nodes.front().bandwidthBytesPerSecond);
}

QString needsCluster(const SessionState &state) { return state.cluster ? QString() : tr("Nothing is loaded yet."); }

/// A knob over `member` of the policies whose name is in `policies`; each of them has a default of its own.
KnobBinding policyKnob(const char *id, const std::vector<PolicyKind> &policies, double CommPolicy::*member) {
    KnobBinding knob;
    knob.id = QString::fromLatin1(id);
    knob.info.format = [](double v) { return QString::fromStdString(formatBytes(v)); };
    knob.info.parse = parseSize;
    const auto ofKind = [policies](const SideState &side) -> std::optional<CommPolicy> {
        const auto policy = parsePolicy(side.policy);
        const bool wanted = policy && std::find(policies.begin(), policies.end(), policy->kind) != policies.end();
        return wanted ? std::optional(*policy) : std::nullopt;
    };
    const auto usual = [member](PolicyKind kind) { return (*parsePolicy(policyName(kind))).*member; };
    knob.value = [ofKind, member, usual, first = policies.front()](const SessionState &state) {
        for (const SideState &side : state.sides)
            if (const auto policy = ofKind(side))
                return (*policy).*member;
        return usual(first);
    };
    knob.isChanged = [ofKind, member, usual](const SessionState &state) {
        return std::any_of(state.sides.begin(), state.sides.end(), [&](const SideState &side) {
            const auto policy = ofKind(side);
            return policy && (*policy).*member != usual(policy->kind);
        });
    };
    const auto setTo = [ofKind, member](SessionState &state, const std::function<double(PolicyKind)> &bytes) {
        for (SideState &side : state.sides)
            if (auto policy = ofKind(side)) {
                (*policy).*member = std::round(bytes(policy->kind));
                side.policy = formatPolicy(*policy);
            }
    };
    knob.set = [setTo](SessionState &state, double bytes) { setTo(state, [bytes](PolicyKind) { return bytes; }); };
    knob.reset = [setTo, usual](SessionState &state) { setTo(state, usual); };
    QStringList names;
    for (const PolicyKind kind : policies)
        names += QString::fromLatin1(policyName(kind));
    knob.whyNot = [ofKind, names](const SessionState &state) {
        for (const SideState &side : state.sides)
            if (ofKind(side))
                return QString();
        return names.size() == 1 ? tr("Neither A nor B uses the policy %1.").arg(names.first())
                                 : tr("Neither A nor B uses one of the policies %1.").arg(names.join(QStringLiteral(", ")));
    };
    return knob;
}

} // namespace

std::vector<KnobBinding> knobBindings() {
    std::vector<KnobBinding> knobs;

    KnobBinding bandwidth;
    bandwidth.id = QStringLiteral("bandwidth");
    bandwidth.info = {tr("Bandwidth"),
                      tr("Of every node's network card, each direction, Gbit/s (10⁹ bit/s)."),
                      0.1,
                      400,
                      true,
                      false,
                      formatGbits,
                      parseGbits};
    bandwidth.value = [](const SessionState &s) { return s.bandwidthGbits.value_or(ownGbits(s)); };
    bandwidth.isChanged = [](const SessionState &s) { return s.bandwidthGbits.has_value(); };
    bandwidth.set = [](SessionState &s, double v) { s.bandwidthGbits = v; };
    bandwidth.reset = [](SessionState &s) { s.bandwidthGbits.reset(); };
    bandwidth.whyNot = needsCluster;
    knobs.push_back(bandwidth);

    KnobBinding latency;
    latency.id = QStringLiteral("latency");
    latency.info = {tr("Latency"),
                    tr("Per message between nodes, one way."),
                    1e-7,
                    1e-2,
                    true,
                    false,
                    [](double v) { return QString::fromStdString(formatSeconds(v)); },
                    parseLatency};
    latency.value = [](const SessionState &s) { return s.latencySeconds.value_or(s.cluster->latencySeconds); };
    latency.isChanged = [](const SessionState &s) { return s.latencySeconds.has_value(); };
    latency.set = [](SessionState &s, double v) { s.latencySeconds = v; };
    latency.reset = [](SessionState &s) { s.latencySeconds.reset(); };
    latency.whyNot = needsCluster;
    knobs.push_back(latency);

    KnobBinding workers;
    workers.id = QStringLiteral("workers");
    workers.info = {tr("Workers"), tr("Model replicas in all (GPUs)."), 1, 512, true, true, formatInteger, parseInteger};
    workers.value = [](const SessionState &s) { return static_cast<double>(s.workers.value_or(s.cluster->replicaCount())); };
    workers.isChanged = [](const SessionState &s) { return s.workers.has_value(); };
    workers.set = [](SessionState &s, double v) { s.workers = static_cast<std::int32_t>(std::lround(v)); };
    workers.reset = [](SessionState &s) { s.workers.reset(); };
    workers.whyNot = needsCluster;
    knobs.push_back(workers);

    KnobBinding servers;
    servers.id = QStringLiteral("servers");
    servers.info = {tr("Servers"),
                    tr("Dedicated parameter servers: nodes that only serve. 0: the workers' nodes serve."),
                    0,
                    16,
                    false,
                    true,
                    formatInteger,
                    parseInteger};
    servers.value = [](const SessionState &s) {
        return static_cast<double>(s.servers.value_or(static_cast<std::int32_t>(s.cluster->serverOnly.size())));
    };
    servers.isChanged = [](const SessionState &s) { return s.servers.has_value(); };
    servers.set = [](SessionState &s, double v) { s.servers = static_cast<std::int32_t>(std::lround(v)); };
    servers.reset = [](SessionState &s) { s.servers.reset(); };
    servers.whyNot = needsCluster;
    knobs.push_back(servers);

    KnobBinding bucket = policyKnob("bucket", {PolicyKind::Ddp}, &CommPolicy::bucketCapBytes);
    bucket.info.name = tr("Bucket cap");
    bucket.info.toolTip = tr("Policy ddp: gradients are fused into all-reduces of up to this many bytes.");
    bucket.info.least = 64.0 * 1024;
    bucket.info.most = 1024.0 * 1024 * 1024;
    knobs.push_back(bucket);

    KnobBinding fusion = policyKnob("fusion", {PolicyKind::Horovod}, &CommPolicy::fusionBytes);
    fusion.info.name = tr("Fusion buffer");
    fusion.info.toolTip =
        tr("Policy horovod: what became ready within a cycle is fused into all-reduces of up to this many bytes.");
    fusion.info.least = 64.0 * 1024;
    fusion.info.most = 1024.0 * 1024 * 1024;
    knobs.push_back(fusion);

    KnobBinding partition =
        policyKnob("partition", {PolicyKind::Priority, PolicyKind::BytePs, PolicyKind::P3}, &CommPolicy::partitionBytes);
    partition.info.name = tr("Partition");
    partition.info.toolTip = tr("Policies bytescheduler, byteps and p3: tensors are cut into pieces of this many bytes.");
    partition.info.least = 16.0 * 1024;
    partition.info.most = 256.0 * 1024 * 1024;
    knobs.push_back(partition);

    KnobBinding credit = policyKnob("credit", {PolicyKind::Priority, PolicyKind::BytePs}, &CommPolicy::creditBytes);
    credit.info.name = tr("Credit");
    credit.info.toolTip = tr("Policies bytescheduler and byteps: bytes that may be under way at the same time.");
    credit.info.least = 64.0 * 1024;
    credit.info.most = 1024.0 * 1024 * 1024;
    knobs.push_back(credit);
    return knobs;
}

} // namespace syncopate::ui

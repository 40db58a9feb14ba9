// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/knobs/knob_bindings.h"

#include "engine/base/units.h"
#include "engine/strategy/policy.h"

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

/// A knob over the parameters of policies that name it; each of them has a default of its own.
KnobBinding policyKnob(const PolicyKnob &shared) {
    KnobBinding knob;
    knob.id = QString::fromStdString(shared.id);
    knob.info.name = QString::fromStdString(shared.label);
    knob.info.least = shared.min;
    knob.info.most = shared.max;
    knob.info.format = [](double v) { return QString::fromStdString(formatBytes(v)); };
    knob.info.parse = parseSize;
    std::vector<const Policy *> able;
    QStringList names;
    for (const Policy *policy : policies())
        if (CommPolicy(*policy).keyOfKnob(shared.id)) {
            able.push_back(policy);
            names += QString::fromStdString(policy->name);
        }
    const QString list = names.join(QStringLiteral(", "));
    knob.info.toolTip =
        (names.size() == 1 ? tr("Policy %1: %2.") : tr("Policies %1: %2.")).arg(list, QString::fromStdString(shared.about));
    const auto ofKnob = [id = shared.id](const SideState &side) -> std::optional<CommPolicy> {
        auto policy = parsePolicy(side.policy);
        return policy && policy->keyOfKnob(id) ? std::optional(*policy) : std::nullopt;
    };
    const auto valueOf = [id = shared.id](const CommPolicy &policy) { return policy.value(*policy.keyOfKnob(id)); };
    const auto usual = [valueOf](const Policy &policy) { return valueOf(CommPolicy(policy)); };
    knob.value = [ofKnob, valueOf, usual, first = able.front()](const SessionState &state) {
        for (const SideState &side : state.sides)
            if (const auto policy = ofKnob(side))
                return valueOf(*policy);
        return usual(*first);
    };
    knob.isChanged = [ofKnob, valueOf, usual](const SessionState &state) {
        return std::any_of(state.sides.begin(), state.sides.end(), [&](const SideState &side) {
            const auto policy = ofKnob(side);
            return policy && valueOf(*policy) != usual(policy->kind());
        });
    };
    const auto setTo = [ofKnob, id = shared.id](SessionState &state, const std::function<double(const Policy &)> &bytes) {
        for (SideState &side : state.sides)
            if (auto policy = ofKnob(side)) {
                policy->set(*policy->keyOfKnob(id), std::round(bytes(policy->kind())));
                side.policy = formatPolicy(*policy);
            }
    };
    knob.set = [setTo](SessionState &state, double bytes) { setTo(state, [bytes](const Policy &) { return bytes; }); };
    knob.reset = [setTo, usual](SessionState &state) { setTo(state, usual); };
    knob.whyNot = [ofKnob, names, list](const SessionState &state) {
        for (const SideState &side : state.sides)
            if (ofKnob(side))
                return QString();
        return names.size() == 1 ? tr("Neither A nor B uses the policy %1.").arg(list)
                                 : tr("Neither A nor B uses one of the policies %1.").arg(list);
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

    for (const Policy *policy : policies())
        for (const PolicyParameter &parameter : policy->parameters)
            if (parameter.knob && std::none_of(knobs.begin(), knobs.end(), [&](const KnobBinding &knob) {
                    return knob.id == QString::fromStdString(parameter.knob->id);
                }))
                knobs.push_back(policyKnob(*parameter.knob));
    return knobs;
}

} // namespace syncopate::ui

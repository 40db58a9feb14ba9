// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/knobs/knob_bindings.h"

#include "engine/base/units.h"
#include "engine/plan/dag_catalogue.h"
#include "engine/session/dag_job.h"
#include "ui/knobs/knob_names.h"
#include "ui/session/loaded_state.h"
#include "ui/session/simulate_side.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

QString tr(const char *text) { return QCoreApplication::translate("KnobBindings", text); }

Result<double> parsed(const Dimension &dimension, const QString &text) {
    if (dimension.unit == Unit::Seconds) {
        bool plain = false;
        const double number = text.trimmed().toDouble(&plain);
        if (plain && std::isfinite(number))
            return number * 1e-6; // microseconds unless stated
        if (plain)
            return fail("'" + text.toStdString() + "' is no time", "write it as 30us or 2ms");
    }
    const double value = TRY(dimension.parse(text.toStdString()));
    TRY(dimension.checkUnit(text.toStdString(), value));
    return value;
}

/// `state` with the policy of the simulated side on a side that is not: the policy kept with a measurement is unused.
SessionState withUsedPolicies(SessionState state) {
    for (const Side side : {Side::A, Side::B}) {
        const SideState &other = state.side(side == Side::A ? Side::B : Side::A);
        if (!state.side(side).hasScenario() && other.hasScenario())
            state.side(side).policy = other.policy;
    }
    return state;
}

QString whyNot(const Dimension &dimension, const SessionState &state) {
    if (showsDag(state)) {
        if (reachesPlans(dimension, false))
            return {};
        if (reachesPlans(dimension, isCatalogueDag(state.source)))
            return tr("The plans are for the number of GPUs at the time of planning: sweep the knob to plan for others.");
        if (!dimension.isOfCluster())
            return whyNotSimulated(state);
        return isCatalogueDag(state.source) ? tr("A training DAG has no parameter servers.")
                                            : tr("A training DAG states its number of processes, and has no servers.");
    }
    if (QString reason = whyNotSimulated(state); !reason.isEmpty())
        return reason;
    if (!dimension.isOfCluster() && !showsStrategy(state))
        return tr("Neither A nor B shows a strategy that a policy could send.");
    if (appliesTo(dimension, withUsedPolicies(state)))
        return {};
    QStringList names;
    for (const Policy *policy : dimension.policies)
        names += QString::fromStdString(policy->name);
    return names.size() == 1 ? tr("Neither A nor B uses the policy %1.").arg(names.first())
                             : tr("Neither A nor B uses one of the policies %1.").arg(names.join(QStringLiteral(", ")));
}

/// Whether the dimension is a figure of the links between nodes.
bool isOfLinks(const Dimension &dimension) {
    using Setting = Dimension::ClusterSetting;
    return dimension.clusterSetting == Setting(&ClusterKnobs::bandwidthGbits) ||
           dimension.clusterSetting == Setting(&ClusterKnobs::latencySeconds);
}

/// Whether the side's run has traffic between nodes. A DAG's processes fill one node after the other.
bool crossesNodes(const SideState &side, const Cluster &cluster) {
    const auto *shown = std::get_if<Planned>(&side.source);
    if (cluster.nodes.size() < 2 || !shown || shown->work->ofJob)
        return cluster.nodes.size() > 1;
    return shown->work->dag.processes > modelledCosts(cluster, planChannels(cluster)).processesPerNode;
}

/// Whether the side's plan may take times that were measured on the cluster's links. A knob of the links drops them.
bool usesMeasuredTimes(const PlannedWork &work, const SideState &side, const SessionState &state) {
    const Cluster &cluster = side.cluster ? *side.cluster : *state.cluster; // before the knobs
    return work.clusterCosts && !cluster.collectives.empty();
}

/// The setting's value in the policy of a side that is simulated; none: that policy does not have it.
std::optional<double> policyValue(const Dimension &dimension, const SessionState &state, Side side) {
    const SideState &shown = state.side(side);
    if (dimension.isOfCluster() || !shown.hasScenario() || (side == Side::B && !state.compare))
        return {};
    ScenarioRecipe settings;
    settings.policy = parsePolicy(shown.policy).value_or(CommPolicy{});
    return dimension.appliesTo(settings) ? std::optional(dimension.get(settings)) : std::nullopt;
}

QString withoutEffect(const Dimension &dimension, const SessionState &state) {
    if (!dimension.isOfCluster()) // it can be turned: A or B uses it
        return state.compare || policyValue(dimension, state, Side::A)
                   ? QString()
                   : tr("Without effect now: only B, which is hidden, uses it. Compare A and B (Ctrl+B) to see its effect.");
    if (!state.cluster)
        return {};
    bool simulated = false, crossesLinks = false;
    bool ofPlans = false, ofCluster = false; // whose channels have figures of their own
    for (const Side side : {Side::A, Side::B}) {
        const SideState &shown = state.side(side);
        if ((side == Side::B && !state.compare) || !(shown.hasScenario() || shown.isPlanned()))
            continue;
        simulated = true;
        if (!isOfLinks(dimension))
            return {};
        const auto *planned = std::get_if<Planned>(&shown.source);
        if (planned && usesMeasuredTimes(*planned->work, shown, state))
            return {};
        const Cluster cluster = effectiveCluster(state, side);
        const bool ofPlan = planned && !planned->work->onCluster, named = planned && !cluster.namedChannels.empty();
        ofPlans = ofPlans || ofPlan;
        ofCluster = ofCluster || named;
        crossesLinks = crossesLinks || (!ofPlan && !named && crossesNodes(shown, cluster));
    }
    if (!simulated)
        return tr("Without effect now: only measured or played steps are shown. Choose a strategy for a side to simulate it.");
    if (crossesLinks)
        return {};
    if (ofPlans)
        return tr("Without effect now: the plan's channels have figures of their own.");
    return ofCluster ? tr("Without effect now: the cluster's named channels have figures of their own.")
                     : tr("Without effect now: everything runs on one node, and nothing crosses a link between nodes.");
}

QString sidesOf(const Dimension &dimension, const SessionState &state) {
    if (!state.compare)
        return {};
    QStringList sides;
    for (const Side side : {Side::A, Side::B})
        if (policyValue(dimension, state, side))
            sides += side == Side::A ? tr("A") : tr("B");
    return sides.join(QStringLiteral(", "));
}

/// Over the policies of both sides.
KnobSpread policySpread(const Dimension &dimension, const SessionState &state) {
    const auto a = policyValue(dimension, state, Side::A), b = policyValue(dimension, state, Side::B);
    if (!a || !b || *a == *b)
        return {};
    const QString ofA = QString::fromStdString(dimension.format(*a)), ofB = QString::fromStdString(dimension.format(*b));
    return {QStringLiteral("%1 · %2").arg(ofA, ofB), tr("A has %1 and B %2; this sets both.").arg(ofA, ofB)};
}

/// Over the nodes of the shared cluster.
KnobSpread nodesSpread(const Dimension &dimension, const SessionState &state) {
    const auto *setting = std::get_if<std::optional<double> ClusterKnobs::*>(&dimension.clusterSetting);
    if (!setting || *setting != &ClusterKnobs::bandwidthGbits || !state.cluster || state.cluster->nodes.empty() ||
        isTurned(dimension, state))
        return {};
    const auto &nodes = state.cluster->nodes;
    const auto [low, high] = std::minmax_element(nodes.begin(), nodes.end(), [](const Node &a, const Node &b) {
        return a.bandwidthBytesPerSecond < b.bandwidthBytesPerSecond;
    });
    if (low->bandwidthBytesPerSecond == high->bandwidthBytesPerSecond)
        return {};
    const auto text = [&dimension](const Node &node) {
        return QString::fromStdString(dimension.format(gbitsFromBytesPerSecond(node.bandwidthBytesPerSecond)));
    };
    return {QStringLiteral("%1–%2").arg(text(*low).section(QLatin1Char(' '), 0, 0), text(*high)),
            tr("The nodes differ; this sets all of them.")};
}

KnobBinding bindingOf(const Dimension &dimension) {
    KnobBinding knob;
    knob.id = QString::fromStdString(dimension.id);
    knob.info.name = knobName(dimension);
    knob.info.toolTip = knobDescription(dimension);
    knob.info.least = dimension.min;
    knob.info.most = dimension.max;
    knob.info.logarithmic = dimension.scale == Scale::Logarithmic;
    knob.info.integer = dimension.integer;
    knob.info.format = [&dimension](double value) { return QString::fromStdString(dimension.format(value)); };
    knob.info.parse = [&dimension](const QString &text) { return parsed(dimension, text); };
    knob.value = [&dimension](const SessionState &state) { return valueOf(dimension, withUsedPolicies(state)); };
    knob.isChanged = [&dimension](const SessionState &state) { return isTurned(dimension, withUsedPolicies(state)); };
    knob.spread = [&dimension](const SessionState &state) {
        return dimension.isOfCluster() ? nodesSpread(dimension, state) : policySpread(dimension, state);
    };
    knob.sides = [&dimension](const SessionState &state) { return sidesOf(dimension, state); };
    knob.set = [&dimension](SessionState &state, double value) { state = withValue(std::move(state), dimension, value); };
    knob.reset = [&dimension](SessionState &state) { state = withoutValue(std::move(state), dimension); };
    knob.whyNot = [&dimension](const SessionState &state) { return whyNot(dimension, state); };
    knob.withoutEffect = [&dimension](const SessionState &state) { return withoutEffect(dimension, state); };
    return knob;
}

} // namespace

std::vector<KnobBinding> knobBindings() {
    std::vector<KnobBinding> knobs;
    for (const Dimension &dimension : scenarioSpace()) // the space outlives every knob
        knobs.push_back(bindingOf(dimension));
    return knobs;
}

} // namespace syncopate::ui

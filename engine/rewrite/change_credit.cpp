// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/change_credit.h"

#include "engine/rewrite/shape_units.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <optional>

namespace syncopate {

namespace {

/// The credit in bytes, if nothing else that a policy makes of its values changes with it.
std::optional<double> creditAlone(const CommPolicy &made, const CommPolicy &wanted, const TrainingNodes &nodes) {
    const Policy &kind = wanted.kind();
    if (kind.fuse || kind.order) // may look at any value
        return std::nullopt;
    if (kind.cut) {
        const auto before = kind.cut(made, nodes), after = kind.cut(wanted, nodes);
        if (!before || !after || *before != *after)
            return std::nullopt;
    }
    Discipline before = disciplineOf(made, nodes);
    const Discipline after = disciplineOf(wanted, nodes);
    if (!before.creditBytes || !after.creditBytes)
        return std::nullopt;
    before.creditBytes = after.creditBytes;
    return before == after ? after.creditBytes : std::nullopt;
}

} // namespace

bool differInCreditAlone(const Scenario &a, const Scenario &b) {
    if (a.job != b.job || a.strategy != b.strategy || a.iterations != b.iterations || a.fold != b.fold ||
        a.collectiveCurves != b.collectiveCurves || a.background != b.background || a.linkModel != b.linkModel)
        return false;
    const auto key = b.policy.keyOfKnob(creditKnob().id);
    if (!key || &a.policy.kind() != &b.policy.kind())
        return false;
    CommPolicy policy = a.policy;
    policy.set(*key, b.policy.value(*key));
    return policy == b.policy && (a.cluster == b.cluster || (a.cluster && b.cluster && *a.cluster == *b.cluster));
}

bool changeCredit(const Scenario &made, const Scenario &scenario, TaskGraph &graph) {
    if (!scenario.job || !scenario.cluster || !scenario.strategy || !differInCreditAlone(made, scenario))
        return false;
    const auto credit = creditAlone(made.policy, scenario.policy, trainingNodes(*scenario.cluster));
    if (!credit)
        return false;
    std::size_t changed = 0; // one of all workers, and some policies' of each worker, which are alike
    for (TaskQueue &queue : graph.queues)
        if (queue.name == creditQueue) {
            queue.windowBytes = *credit;
            ++changed;
        }
    return changed > 0;
}

} // namespace syncopate

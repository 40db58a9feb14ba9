// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/alternatives.h"

#include "engine/search/tuned_baselines.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <utility>

namespace syncopate {

namespace {

bool hasCollectives(const Strategy &strategy) {
    const auto isCollective = [](const Synchronizer &s) { return s.kind == SynchronizerKind::AllReduce; };
    return std::any_of(strategy.nodes.begin(), strategy.nodes.end(),
                       [&](const NodeConfig &node) { return anySynchronizer(node, isCollective); });
}

Alternative builderAlternative(const Scenario &present, RemedyKind kind, const std::string &builder,
                               const std::string &expression) {
    return {kind, phrase("Build with %1", expression), BuiltStrategy{expression}, builder,
            [present, expression]() -> Result<Scenario> {
                Scenario scenario = present;
                auto strategy = TRY(buildStrategy(expression, *present.job, *present.cluster));
                scenario.strategy = std::make_shared<const Strategy>(std::move(strategy));
                return scenario;
            }};
}

void addPolicies(const Scenario &present, std::vector<Alternative> &all) {
    const bool collectives = hasCollectives(*present.strategy);
    for (const Policy *kind : policies()) {
        if (kind->fuse && !collectives)
            continue;
        Scenario scenario = present;
        scenario.policy = CommPolicy(*kind);
        scenario.policy.form = present.policy.form;
        scenario.policy.algorithm = present.policy.algorithm;
        all.push_back({RemedyKind::Policy,
                       phrase("Policy %1: %2", kind->name, Phrase{kind->about}),
                       {},
                       {},
                       [scenario = std::move(scenario)] { return Result<Scenario>(scenario); }});
    }
}

} // namespace

std::vector<Alternative> alternativesTo(const Run &run, const std::vector<SearchWinner> &winners) {
    const Scenario &present = run.scenario;
    std::vector<Alternative> all;
    for (const BuilderInfo &builder : strategyBuilders())
        all.push_back(builderAlternative(present, RemedyKind::Builder, builder.name, builder.name));
    addPolicies(present, all);
    for (const SearchWinner &winner : winners) {
        Scenario scenario = present;
        scenario.strategy = winner.strategy;
        scenario.policy = winner.policy;
        all.push_back({RemedyKind::Winner, phrase("Strategy of %1", winner.name), winner, {}, [scenario = std::move(scenario)] {
                           return Result<Scenario>(scenario);
                       }});
    }
    for (const BuilderInfo &builder : strategyBuilders())
        for (const std::string &expression : tunedExpressions(builder.name))
            if (expression != builder.name)
                all.push_back(builderAlternative(present, RemedyKind::TunedBuilder, builder.name, expression));
    return all;
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tuned_baselines.h"

#include "engine/base/parallel_in_order.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace syncopate {

std::vector<std::string> tunedExpressions(const std::string &builder) {
    const auto &builders = strategyBuilders();
    const auto info = std::find_if(builders.begin(), builders.end(), [&](const BuilderInfo &b) { return b.name == builder; });
    const auto takes = [&](const char *argument) {
        return info != builders.end() && info->signature.find(argument) != std::string::npos;
    };
    std::vector<std::string> arguments{""};
    const auto cross = [&](const std::vector<std::string> &choices) {
        std::vector<std::string> all = arguments;
        for (const std::string &before : arguments)
            for (const std::string &choice : choices)
                all.push_back(before + (before.empty() ? "" : ", ") + choice);
        arguments = std::move(all);
    };
    if (takes("chunk_size"))
        cross({"chunk_size=1", "chunk_size=4", "chunk_size=8", "chunk_size=16", "chunk_size=32", "chunk_size=64",
               "chunk_size=256", "chunk_size=512"});
    if (takes("local_proxy_variable"))
        cross({"local_proxy_variable=True"});
    for (std::string &text : arguments)
        text = text.empty() ? builder : fmt::format("{}({})", builder, text);
    return arguments;
}

Result<std::vector<TunedBaseline>> tuneBaselines(const SearchRequest &request, Judge &judge, const std::stop_token &stop) {
    struct Argued {
        std::size_t builder = 0; ///< index into strategyBuilders()
        std::string expression;
        CandidateMetrics metrics{}; ///< no times if it could not be built or judged
    };
    const std::vector<BuilderInfo> &builders = strategyBuilders();
    std::vector<Argued> grid;
    for (std::size_t b = 0; b < builders.size(); ++b)
        for (std::string &expression : tunedExpressions(builders[b].name))
            grid.push_back({b, std::move(expression)});
    std::vector<TunedBaseline> best(builders.size());
    auto next = grid.begin();
    const unsigned threads = judgingThreads(request, judge);
    parallelInOrder<Argued, Argued>(
        threads, 2 * static_cast<std::size_t>(threads),
        [&]() -> std::optional<Argued> {
            return next == grid.end() || stop.stop_requested() ? std::nullopt : std::optional(std::move(*next++));
        },
        [&](Argued argued) {
            auto strategy = buildStrategy(argued.expression, *request.base.job, *request.base.cluster);
            if (!strategy)
                return argued;
            Scenario scenario = request.base;
            scenario.strategy = std::make_shared<const Strategy>(*std::move(strategy));
            if (const auto verdict = judge.judge(scenario, stop))
                argued.metrics = describeCandidate(scenario, *verdict);
            return argued;
        },
        [&](Argued argued) {
            TunedBaseline &bestOfBuilder = best[argued.builder];
            const double value = objectiveOf(argued.metrics, request.objective);
            if (value < objectiveOf(bestOfBuilder.metrics, request.objective))
                bestOfBuilder = {builders[argued.builder].name, std::move(argued.expression), argued.metrics};
            return true;
        });
    if (stop.stop_requested())
        return cancelled();
    std::erase_if(best, [](const TunedBaseline &own) { return own.expression.empty(); });
    return best;
}

namespace {

/// The min share of the parameters that a replica updates with any strategy: 1/replicas of the dense ones where the policy shards
/// the optimizer; all of the others.
double minUpdatedShare(const Scenario &base) {
    const Discipline discipline = disciplineOf(base.policy, {});
    double all = 0, updated = 0;
    for (const Variable &variable : base.job->variables) {
        const auto bytes = static_cast<double>(variable.sizeBytes());
        all += bytes;
        updated += variable.sparse ? bytes : bytes / std::max(1, base.cluster->replicaCount());
    }
    return (discipline.sharding || discipline.gather) && all > 0 ? updated / all : 1;
}

} // namespace

double computeBoundSeconds(const Scenario &base) {
    double slowest = std::numeric_limits<double>::infinity();
    for (const std::int32_t node : base.cluster->replicaNodes())
        slowest = std::min(slowest, base.cluster->nodes[static_cast<std::size_t>(node)].computeScale);
    const Job &job = *base.job;
    const double update = job.updateSeconds * minUpdatedShare(base);
    return std::isfinite(slowest) ? (job.forwardSeconds() + job.backwardSeconds() + update) / slowest : 0;
}

} // namespace syncopate

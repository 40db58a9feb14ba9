// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tuned_baselines.h"

#include "engine/strategy/builders.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace syncopate {

std::vector<std::string> tunedExpressions(const std::string &builder) {
    const auto builders = strategyBuilders();
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
    std::vector<TunedBaseline> tuned;
    for (const BuilderInfo &builder : strategyBuilders()) {
        TunedBaseline best;
        best.builder = builder.name;
        for (const std::string &expression : tunedExpressions(builder.name)) {
            auto strategy = buildStrategy(expression, *request.base.job, *request.base.cluster);
            if (!strategy)
                continue;
            Scenario scenario = request.base;
            scenario.strategy = std::make_shared<const Strategy>(*std::move(strategy));
            const auto verdict = judge.judge(scenario, stop);
            if (stop.stop_requested())
                return cancelled();
            if (!verdict)
                continue;
            const CandidateMetrics metrics = describeCandidate(scenario, *verdict);
            if (best.expression.empty() ||
                objectiveOf(metrics, request.objective) < objectiveOf(best.metrics, request.objective)) {
                best.expression = expression;
                best.metrics = metrics;
            }
        }
        if (!best.expression.empty())
            tuned.push_back(std::move(best));
    }
    return tuned;
}

double computeBoundSeconds(const Scenario &base) {
    double slowest = 1e300;
    for (const std::int32_t node : base.cluster->replicaNodes())
        slowest = std::min(slowest, base.cluster->nodes[static_cast<std::size_t>(node)].computeScale);
    const Job &job = *base.job;
    return slowest < 1e300 ? (job.forwardSeconds() + job.backwardSeconds() + job.updateSeconds) / slowest : 0;
}

} // namespace syncopate

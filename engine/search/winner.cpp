// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/winner.h"

#include "engine/base/parallel_in_order.h"
#include "engine/cluster/conditions.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace syncopate {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t maxSingles = 16; ///< variables that are restored individually
constexpr double halved = 0.5, doubled = 2, straggling = 2.0 / 3;

struct Judged {
    double iterationSeconds = none;
    std::string error;
};
/// Iteration times of scenarios, in order, judged on as many threads as the request and the judge allow.
Result<std::vector<Judged>> judgeAll(const SearchRequest &request, const std::vector<Scenario> &scenarios, Judge &judge,
                                     const std::stop_token &stop) {
    std::vector<Judged> all;
    std::size_t next = 0;
    const unsigned threads = judgingThreads(request, judge);
    parallelInOrder<std::size_t, Judged>(
        threads, 2 * static_cast<std::size_t>(threads),
        [&] { return next == scenarios.size() || stop.stop_requested() ? std::nullopt : std::optional(next++); },
        [&](std::size_t index) -> Judged {
            const auto verdict = judge.judge(scenarios[index], stop);
            return verdict ? Judged{verdict->iterationSeconds, {}} : Judged{none, verdict.error().toString()};
        },
        [&](Judged judged) {
            all.push_back(std::move(judged));
            return true;
        });
    if (stop.stop_requested())
        return cancelled();
    return all;
}

/// How a variable is treated, in words that many variables share: "4 parts on servers, with a proxy".
std::string treatment(const Variable &variable, const NodeConfig &node) {
    const Synchronizer &first = synchronizerOf(node);
    const bool served = first.kind == SynchronizerKind::ParameterServer;
    std::string text = node.isPartitioned() ? fmt::format("{} parts ", node.parts.size()) : "";
    text += served ? (node.isPartitioned() ? "on servers" : "on a server") : "all-reduced";
    if (served && first.localReplication)
        text += ", with a proxy";
    if (!served && isCompressed(variable, first))
        text += ", compressed";
    return text;
}

void shiftGroups(NodeConfig &node, std::int32_t by) {
    node.synchronizer.group += by;
    for (PartConfig &part : node.parts)
        part.synchronizer.group += by;
}

/// The number of groups of a strategy: one more than its highest group.
std::int32_t groupsOf(const Strategy &strategy) {
    std::int32_t highest = -1;
    for (const NodeConfig &node : strategy.nodes) {
        highest = std::max(highest, node.synchronizer.group);
        for (const PartConfig &part : node.parts)
            highest = std::max(highest, part.synchronizer.group);
    }
    return highest + 1;
}

/// The variables that one trial restores to the builder's choice.
struct RestoredPiece {
    std::string what;
    std::vector<std::size_t> variables;
};

std::vector<RestoredPiece> piecesOf(const Job &job, const Strategy &winner, const Strategy &builder) {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> alike;
    std::vector<std::size_t> different;
    for (std::size_t v = 0; v < winner.nodes.size(); ++v)
        if (winner.nodes[v] != builder.nodes[v]) {
            alike[{treatment(job.variables[v], winner.nodes[v]), treatment(job.variables[v], builder.nodes[v])}].push_back(v);
            different.push_back(v);
        }
    std::vector<RestoredPiece> pieces;
    for (auto &[words, variables] : alike) {
        if (variables.size() == 1) // listed individually below
            continue;
        const auto &[mine, theirs] = words;
        pieces.push_back({mine == theirs ? fmt::format("{} variables: {}, shared out or grouped otherwise by the builder",
                                                       variables.size(), mine)
                                         : fmt::format("{} variables: {}; by the builder {}", variables.size(), mine, theirs),
                          std::move(variables)});
    }
    std::stable_sort(different.begin(), different.end(), [&job](std::size_t a, std::size_t b) {
        return job.variables[a].sizeBytes() > job.variables[b].sizeBytes();
    });
    different.resize(std::min(different.size(), maxSingles));
    for (const std::size_t v : different)
        pieces.push_back(
            {fmt::format("{}: {}; by the builder {}", job.variables[v].name, treatment(job.variables[v], winner.nodes[v]),
                         treatment(job.variables[v], builder.nodes[v])),
             {v}});
    return pieces;
}

void setRegrets(std::vector<Elsewhere> &rows) {
    for (std::size_t c = 0; c < elsewhereConditions().size(); ++c) {
        double fastest = std::numeric_limits<double>::infinity();
        for (const Elsewhere &row : rows)
            fastest = std::fmin(fastest, row.iterationSeconds[c]);
        for (Elsewhere &row : rows) {
            const double regret = row.iterationSeconds[c] / fastest - 1;
            row.worstRegret = std::isnan(regret) || std::isnan(row.worstRegret) ? none : std::max(row.worstRegret, regret);
        }
    }
}

} // namespace

Result<NamedStrategy> bestBuilder(const SearchRequest &request, const SearchHistory &history,
                                  const std::vector<TunedBaseline> &tuned) {
    const std::int64_t best = history.bestBaseline(request.objective);
    NamedStrategy builder;
    double value = std::numeric_limits<double>::infinity();
    if (best >= 0) {
        const SearchBaseline &baseline = history.baselines[static_cast<std::size_t>(best)];
        builder = {baseline.builder, baseline.strategy};
        value = objectiveOf(baseline.metrics, request.objective);
    }
    for (const TunedBaseline &baseline : tuned)
        if (objectiveOf(baseline.metrics, request.objective) < value) {
            builder = {baseline.expression, nullptr};
            value = objectiveOf(baseline.metrics, request.objective);
        }
    if (builder.name.empty())
        return fail("no builder's strategy could be judged", "there is nothing to compare the winner with");
    if (!builder.strategy)
        builder.strategy =
            std::make_shared<const Strategy>(TRY(buildStrategy(builder.name, *request.base.job, *request.base.cluster)));
    return builder;
}

Result<std::vector<SetBack>> explainWinner(const SearchRequest &request, const Strategy &winner, const Strategy &builder,
                                           Judge &judge, const std::stop_token &stop) {
    const Job &job = *request.base.job;
    if (winner.nodes.size() != job.variables.size() || builder.nodes.size() != job.variables.size())
        return fail("a strategy is not of this job: it has another number of variables", "build it for this job");
    const std::vector<RestoredPiece> pieces = piecesOf(job, winner, builder);
    const std::int32_t offset = groupsOf(winner);
    std::vector<Scenario> scenarios;
    for (const RestoredPiece &piece : pieces) {
        auto changed = std::make_shared<Strategy>(winner);
        for (const std::size_t v : piece.variables) {
            changed->nodes[v] = builder.nodes[v];
            shiftGroups(changed->nodes[v], offset);
        }
        scenarios.push_back(request.base);
        scenarios.back().strategy = std::move(changed);
    }
    const std::vector<Judged> judged = TRY(judgeAll(request, scenarios, judge, stop));
    std::vector<SetBack> rows;
    for (std::size_t p = 0; p < pieces.size(); ++p)
        rows.push_back(
            {pieces[p].what, static_cast<std::int32_t>(pieces[p].variables.size()), judged[p].iterationSeconds, judged[p].error});
    std::stable_sort(rows.begin(), rows.end(), [](const SetBack &a, const SetBack &b) {
        return std::isnan(b.iterationSeconds) ? !std::isnan(a.iterationSeconds) : a.iterationSeconds > b.iterationSeconds;
    });
    return rows;
}

const std::vector<std::string> &elsewhereConditions() {
    static const std::vector<std::string> names{"as it is", "links at half", "links at twice",
                                                "one worker at two thirds of its speed"};
    return names;
}

Result<std::vector<Elsewhere>> judgeElsewhere(const SearchRequest &request, const std::vector<NamedStrategy> &strategies,
                                              Judge &judge, const std::stop_token &stop) {
    std::shared_ptr<const Cluster> asItIs = request.base.cluster;
    // Measured times of collectives are of these links: on others they are modelled, so they are on these, too.
    const bool isModelled = collectivesUseNics(*asItIs);
    if (isModelled && !asItIs->collectives.empty()) {
        Cluster modelled = *asItIs;
        modelled.collectives.clear();
        asItIs = std::make_shared<const Cluster>(std::move(modelled));
    }
    const Cluster &cluster = *asItIs;
    const std::array conditions{asItIs, std::make_shared<const Cluster>(withLinksScaled(cluster, halved)),
                                std::make_shared<const Cluster>(withLinksScaled(cluster, doubled)),
                                std::make_shared<const Cluster>(withStraggler(cluster, straggling))};
    std::vector<Scenario> scenarios;
    for (const NamedStrategy &named : strategies)
        for (const auto &condition : conditions) {
            scenarios.push_back(request.base);
            scenarios.back().strategy = named.strategy;
            scenarios.back().cluster = condition;
            if (isModelled)
                scenarios.back().collectiveCurves = nullptr;
        }
    const std::vector<Judged> judged = TRY(judgeAll(request, scenarios, judge, stop));
    std::vector<Elsewhere> rows;
    for (std::size_t s = 0; s < strategies.size(); ++s) {
        rows.push_back({strategies[s].name, {}, 0});
        for (std::size_t c = 0; c < conditions.size(); ++c)
            rows.back().iterationSeconds.push_back(judged[s * conditions.size() + c].iterationSeconds);
    }
    setRegrets(rows);
    std::stable_sort(rows.begin(), rows.end(), [](const Elsewhere &a, const Elsewhere &b) {
        return std::isnan(b.worstRegret) ? !std::isnan(a.worstRegret) : a.worstRegret < b.worstRegret;
    });
    return rows;
}

namespace {

/// Equality in which times that both lack are equal, too.
bool isSame(CandidateMetrics a, CandidateMetrics b) {
    using Metrics = CandidateMetrics;
    for (double Metrics::*const figure : {&Metrics::iterationSeconds, &Metrics::confidence, &Metrics::spreadSeconds,
                                          &Metrics::exposedSeconds, &Metrics::communicationSeconds, &Metrics::samplesPerSecond})
        if (std::isnan(a.*figure) && std::isnan(b.*figure))
            a.*figure = b.*figure = 0;
    return a == b;
}

} // namespace

Result<std::vector<NamedStrategy>> bestStrategies(const SearchHistory &history, SearchObjective objective,
                                                  const SearchMethod &method, std::size_t count, const NamedStrategy &builder) {
    std::vector<const SearchTrial *> sorted;
    for (const SearchTrial &trial : history.trials)
        if (trial.error.empty())
            sorted.push_back(&trial);
    std::stable_sort(sorted.begin(), sorted.end(), [objective](const SearchTrial *a, const SearchTrial *b) {
        return objectiveOf(a->metrics, objective) < objectiveOf(b->metrics, objective);
    });
    std::vector<NamedStrategy> best;
    std::vector<CandidateMetrics> seen;
    for (const SearchTrial *trial : sorted) {
        if (best.size() == count)
            break;
        if (std::any_of(seen.begin(), seen.end(), [&](const CandidateMetrics &other) { return isSame(other, trial->metrics); }))
            continue; // most likely the same strategy
        seen.push_back(trial->metrics);
        auto strategy = TRY(method.decode(trial->genes)).strategy;
        best.push_back({fmt::format("trial {}", trial->trial), std::move(strategy)});
    }
    best.push_back(builder);
    return best;
}

Result<WinnerReport> reportWinner(const SearchRequest &request, const SearchMethod &method, Judge &judge,
                                  const SearchHistory &history, const std::vector<TunedBaseline> &tuned,
                                  const std::stop_token &stop) {
    constexpr std::size_t contenders = 5; // best trials that are compared
    const BestCandidate best = TRY(bestCandidate(history, request.objective, method));
    const NamedStrategy builder = TRY(bestBuilder(request, history, tuned));
    WinnerReport report{best.from, builder.name, best.metrics.iterationSeconds, {}, {}, {}};
    report.common = TRY(commonTraits(request, history, method, stop));
    report.pieces = TRY(explainWinner(request, *best.strategy, *builder.strategy, judge, stop));
    if (judge.followsCluster())
        report.elsewhere = TRY(
            judgeElsewhere(request, TRY(bestStrategies(history, request.objective, method, contenders, builder)), judge, stop));
    return report;
}

} // namespace syncopate

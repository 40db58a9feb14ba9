// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/ranker.h"

#include "engine/cost/network_ranker.h"
#include "engine/cost/predefined_ranker.h"
#include "engine/cost/tree_ranker.h"
#include "engine/strategy/expression_table.h"

namespace syncopate {

namespace {

using Make = std::unique_ptr<Ranker>(const ArgumentValues &, const RankerDomain &, std::uint64_t);

std::unique_ptr<Ranker> makePredefined(const ArgumentValues &, const RankerDomain &domain, std::uint64_t) {
    return std::make_unique<PredefinedRanker>(domain);
}

std::unique_ptr<Ranker> makeTrees(const ArgumentValues &values, const RankerDomain &domain, std::uint64_t seed) {
    return std::make_unique<TreeRanker>(domain, values, seed);
}

constexpr std::array<ExpressionKind<Make>, 4> kinds{{{predefinedRankerInfo, makePredefined},
                                                     {rankRnnInfo, makeRankRnn},
                                                     {rankGatInfo, makeRankGat},
                                                     {treeRankerInfo, makeTrees}}};

} // namespace

const std::vector<ExpressionInfo> &rankers() {
    static const std::vector<ExpressionInfo> all = infosOf(kinds);
    return all;
}

Result<std::unique_ptr<Ranker>> makeRanker(std::string_view expression, const RankerDomain &domain, std::uint64_t seed) {
    const Expression parsed = TRY(parseExpression(expression));
    const auto *kind = TRY(findKind(parsed, kinds, rankers(), "ranker"));
    const ArgumentValues values = TRY(ArgumentValues::read(parsed, kind->info()));
    if (!domain.job || !domain.cluster)
        return fail("a ranker needs a job and a cluster", "load both");
    if (domain.cluster->replicaCount() < 1)
        return fail("the cluster has no replica to train on", "give a node a device");
    if (domain.job->variables.empty())
        return fail("the job has no variables to synchronise", "import a profile that shows them");
    return kind->make(values, domain, seed);
}

} // namespace syncopate

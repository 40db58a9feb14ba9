// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/ranker.h"

#include "engine/cost/network_ranker.h"
#include "engine/cost/predefined_ranker.h"
#include "engine/cost/tree_ranker.h"

#include <array>
#include <cstddef>

namespace syncopate {

namespace {

using Make = std::unique_ptr<Ranker> (*)(const ArgumentValues &, const RankerDomain &, std::uint64_t);

std::unique_ptr<Ranker> makePredefined(const ArgumentValues &, const RankerDomain &domain, std::uint64_t) {
    return std::make_unique<PredefinedRanker>(domain);
}

std::unique_ptr<Ranker> makeTrees(const ArgumentValues &values, const RankerDomain &domain, std::uint64_t seed) {
    return std::make_unique<TreeRanker>(domain, values, seed);
}

/// In the order of rankers().
constexpr std::array<Make, 4> makers{makePredefined, makeRankRnn, makeRankGat, makeTrees};

} // namespace

const std::vector<ExpressionInfo> &rankers() {
    static const std::vector<ExpressionInfo> all{predefinedRankerInfo(), rankRnnInfo(), rankGatInfo(), treeRankerInfo()};
    return all;
}

Result<std::unique_ptr<Ranker>> makeRanker(std::string_view expression, const RankerDomain &domain, std::uint64_t seed) {
    const Expression parsed = TRY(parseExpression(expression));
    const ExpressionInfo *info = TRY(findExpression(parsed, rankers(), "ranker"));
    const ArgumentValues values = TRY(ArgumentValues::read(parsed, *info));
    if (!domain.job || !domain.cluster)
        return fail("a ranker needs a job and a cluster", "load both");
    if (domain.cluster->replicaCount() < 1)
        return fail("the cluster has no replica to train on", "give a node a device");
    if (domain.job->variables.empty())
        return fail("the job has no variables to synchronise", "import a profile that shows them");
    return makers[static_cast<std::size_t>(info - rankers().data())](values, domain, seed);
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_methods.h"

#include "engine/search/random_search.h"

namespace syncopate {

const std::vector<ExpressionInfo> &searchMethods() {
    static const std::vector<ExpressionInfo> methods{randomSearchInfo()};
    return methods;
}

Result<std::unique_ptr<SearchMethod>> makeSearchMethod(std::string_view text, const SearchRequest &request) {
    const Expression expression = TRY(parseExpression(text));
    TRY(findExpression(expression, searchMethods(), "search method"));
    const SamplerSettings settings = TRY(readRandomSearch(expression));
    if (!request.base.job || !request.base.cluster)
        return fail("a search needs a job and a cluster", "load both");
    if (request.base.cluster->reductionDevices().empty())
        return fail("the cluster has no device for a parameter server", "add a node");
    return std::make_unique<RandomSearch>(request.base, settings, request.seed);
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_methods.h"

#include "engine/search/random_search.h"
#include "engine/search/rule_search.h"

#include <array>
#include <cstddef>

namespace syncopate {

namespace {

Result<void> checkRequest(const SearchRequest &request) {
    if (!request.base.job || !request.base.cluster)
        return fail("a search needs a job and a cluster", "load both");
    if (request.base.cluster->reductionDevices().empty())
        return fail("the cluster has no device for a parameter server", "add a node");
    return {};
}

using Made = Result<std::unique_ptr<SearchMethod>>;

Made makeRandom(const Expression &expression, const SearchRequest &request) {
    const SamplerSettings settings = TRY(readRandomSearch(expression));
    TRY(checkRequest(request));
    return std::make_unique<RandomSearch>(request.base, settings, request.seed);
}

Made makeRules(const Expression &expression, const SearchRequest &request) {
    const RuleSearch::Settings settings = TRY(readRuleSearch(expression));
    TRY(checkRequest(request));
    return std::make_unique<RuleSearch>(request, settings);
}

/// In the order of searchMethods().
constexpr std::array<Made (*)(const Expression &, const SearchRequest &), 2> makers{makeRandom, makeRules};

} // namespace

const std::vector<ExpressionInfo> &searchMethods() {
    static const std::vector<ExpressionInfo> methods{randomSearchInfo(), ruleSearchInfo()};
    return methods;
}

Result<std::unique_ptr<SearchMethod>> makeSearchMethod(std::string_view text, const SearchRequest &request) {
    const Expression expression = TRY(parseExpression(text));
    const ExpressionInfo *info = TRY(findExpression(expression, searchMethods(), "search method"));
    return makers[static_cast<std::size_t>(info - searchMethods().data())](expression, request);
}

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_methods.h"

#include "engine/search/anneal_search.h"
#include "engine/search/autosync_search.h"
#include "engine/search/random_search.h"
#include "engine/search/released_sampler.h"
#include "engine/search/rule_search.h"
#include "engine/strategy/expression_table.h"

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

Made makeAnneal(const Expression &expression, const SearchRequest &request) {
    const AnnealSearch::Settings settings = TRY(readAnnealSearch(expression));
    TRY(checkRequest(request));
    return std::make_unique<AnnealSearch>(request, settings);
}

Made makeAutosync(const Expression &expression, const SearchRequest &request) {
    const AutosyncSearch::Settings settings = TRY(readAutosyncSearch(expression));
    TRY(checkRequest(request));
    return makeAutosyncSearch(request, settings);
}

Made makeReleased(const Expression &expression, const SearchRequest &request) {
    TRY(checkRequest(request));
    return makeReleasedSearch(expression, request);
}

constexpr std::array<ExpressionKind<Made(const Expression &, const SearchRequest &)>, 5> kinds{
    {{randomSearchInfo, makeRandom},
     {ruleSearchInfo, makeRules},
     {annealSearchInfo, makeAnneal},
     {autosyncSearchInfo, makeAutosync},
     {releasedSearchInfo, makeReleased}}};

} // namespace

const std::vector<ExpressionInfo> &searchMethods() {
    static const std::vector<ExpressionInfo> methods = infosOf(kinds);
    return methods;
}

Result<std::unique_ptr<SearchMethod>> makeSearchMethod(std::string_view text, const SearchRequest &request) {
    const Expression expression = TRY(parseExpression(text));
    const auto *kind = TRY(findKind(expression, kinds, searchMethods(), "search method"));
    return kind->make(expression, request);
}

} // namespace syncopate

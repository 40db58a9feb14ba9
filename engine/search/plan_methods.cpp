// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/plan_methods.h"

#include "engine/search/plan_exhaustive.h"
#include "engine/search/plan_search.h"

#include <array>

namespace syncopate {

namespace {

constexpr std::array<std::string_view, planMethodCount> methodNames{"fifo",  "bs+",       "ho",     "exec",
                                                                    "sched", "syndicate", "random", "exhaustive"};
constexpr std::array<std::string_view, planMethodCount> methodTitles{"FIFO",    "BS+",       "HO",     "S-Exec",
                                                                     "S-Sched", "SYNDICATE", "Random", "Exhaustive"};
constexpr std::array<std::string_view, 4> proposalNames{"channel", "cut", "spread", "draw"};
constexpr double comparedTasks = 5e5; ///< ops of exhaustive plans, where Exhaustive was not chosen: about a second

ArgumentInfo segments() {
    return {"segments", ArgumentKind::Choice, "8", 0,
            0,          {"1", "2", "4", "8"}, "",  "A collective is cut into at most this many segments, in powers of two"};
}

ArgumentInfo chains() {
    return {"chains", ArgumentKind::Integer, "2", 1, 16, {}, "chains", "Runs of the search, one after the other"};
}

std::vector<ArgumentInfo> ofWalk() {
    return {segments(),
            chains(),
            {"greed",
             ArgumentKind::Integer,
             "100",
             1,
             100000,
             {},
             "",
             "beta: a proposal that is 1 % slower is accepted with probability exp(-greed / 100)"}};
}

} // namespace

std::string_view nameOf(PlanMethod method) { return methodNames[static_cast<std::size_t>(method)]; }
std::string_view nameOf(PlanProposal proposal) { return proposalNames[static_cast<std::size_t>(proposal)]; }

std::string_view titleOf(PlanMethod method) { return methodTitles[static_cast<std::size_t>(method)]; }

bool isEnforced(PlanMethod method) {
    return method == PlanMethod::Sched || method == PlanMethod::Syndicate || method == PlanMethod::Random ||
           method == PlanMethod::Exhaustive;
}

bool isSearch(PlanMethod method) {
    return method == PlanMethod::Exec || method == PlanMethod::Syndicate || method == PlanMethod::Random;
}

bool isBaseline(PlanMethod method) { return !isSearch(method) && method != PlanMethod::Exhaustive; }

std::vector<PlanMethod> comparedMethods(const PlanRequest &request, PlanMethod chosen) {
    const bool isSmall = exhaustiveTasksOf(request) <= comparedTasks;
    std::vector<PlanMethod> methods;
    for (std::int32_t m = 0; m < planMethodCount; ++m)
        if (const auto method = static_cast<PlanMethod>(m); method != PlanMethod::Exhaustive || isSmall || chosen == method)
            methods.push_back(method);
    return methods;
}

const std::vector<ExpressionInfo> &planMethods() {
    static const std::vector<ExpressionInfo> methods{
        {"fifo", "Collectives whole, as submitted, on the one channel that is fastest for all of them", {}},
        {"bs+", "The same channel, the last submitted first, with the best number of segments and splines", {segments()}},
        {"ho", "The same channel, all-to-alls first, with the best number of segments and splines", {segments()}},
        {"exec", "S-Exec: cuts and channels are searched, channels take motifs as submitted", ofWalk()},
        {"sched", "S-Sched: one channel, by critical path, with the best number of segments and splines", {segments()}},
        {"syndicate", "Cuts, channels and order together: Metropolis-Hastings over execution plans", ofWalk()},
        {"random", "Execution plans drawn at random, as many as syndicate may judge", {segments(), chains()}},
        {"exhaustive", "The best of all plans with whole collectives: every channel, every order, up to an iteration ahead", {}}};
    return methods;
}

Result<PlanMethod> readPlanMethod(std::string_view text, PlanRequest &request) {
    const Expression expression = TRY(parseExpression(text));
    const ExpressionInfo *info = TRY(findExpression(expression, planMethods(), "planning method"));
    const ArgumentValues values = TRY(ArgumentValues::read(expression, *info));
    const auto method = static_cast<PlanMethod>(info - planMethods().data());
    if (!info->arguments.empty())
        request.maxSegments = 1 << values.choice("segments");
    if (isSearch(method))
        request.chains = static_cast<std::int32_t>(values.number("chains"));
    if (isSearch(method) && method != PlanMethod::Random)
        request.greed = values.number("greed");
    return method;
}

} // namespace syncopate

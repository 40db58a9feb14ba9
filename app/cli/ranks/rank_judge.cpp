// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ranks/rank_judge.h"

#include "app/cli/ranks/inputs.h"
#include "engine/cluster/cluster.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/fingerprint.h"
#include "engine/strategy/strategy_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace syncopate::cli {

namespace {

constexpr std::array figures{
    &Verdict::iterationSeconds, &Verdict::spreadSeconds, &Verdict::exposedSeconds, &Verdict::communicationSeconds,
    &Verdict::samplesPerSecond, &Verdict::costSeconds,   &Verdict::confidence};
constexpr const char *isVerdict = "verdict", *isError = "error";

std::string fingerprintText(const Strategy &strategy) {
    const StrategyFingerprint fingerprint = fingerprintOf(strategy);
    return fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low);
}

/// A rank's answer; empty if the rank itself failed.
std::string textOf(const Result<Verdict> &verdict) {
    if (!verdict) {
        const Error &error = verdict.error();
        if (error.kind != ErrorKind::Input) // an error of this rank, not of the strategy: rank 0 judges it itself
            return {};
        return packTexts({isError, error.what, error.remedy, error.file, error.place});
    }
    std::vector<std::string> texts{isVerdict};
    for (const auto figure : figures)
        texts.push_back(bitsOf((*verdict).*figure));
    texts.insert(texts.end(), verdict->assumptions.begin(), verdict->assumptions.end());
    return packTexts(texts);
}

/// The verdict in a rank's answer; none if the rank itself failed.
std::optional<Result<Verdict>> verdictIn(const std::string &answer) {
    const auto texts = unpackTexts(answer);
    if (!texts || texts->empty())
        return std::nullopt;
    if (texts->front() == isError && texts->size() == 5)
        return Unexpected(Error{(*texts)[1], (*texts)[2], (*texts)[3], (*texts)[4]});
    if (texts->front() != isVerdict || texts->size() < 1 + figures.size())
        return std::nullopt;
    Verdict verdict;
    for (std::size_t f = 0; f < figures.size(); ++f)
        verdict.*figures[f] = numberOf((*texts)[1 + f]);
    verdict.assumptions.assign(texts->begin() + 1 + figures.size(), texts->end());
    return verdict;
}

bool hasOtherCluster(const Scenario &scenario, const Scenario &base) {
    return scenario.cluster != base.cluster && !(*scenario.cluster == *base.cluster);
}

/// Whether another rank can rebuild this very scenario from the texts in questionOf() and its own copy of the base.
bool travels(const Scenario &scenario, const Scenario &base) {
    if (scenario.job != base.job || scenario.iterations != base.iterations || scenario.fold != base.fold ||
        scenario.collectiveCurves != base.collectiveCurves || !(scenario.background == base.background) ||
        scenario.linkModel != base.linkModel)
        return false;
    if (!(scenario.policy == base.policy)) {
        const auto read = parsePolicy(formatPolicy(scenario.policy));
        if (!read || !(*read == scenario.policy))
            return false;
    }
    if (!hasOtherCluster(scenario, base))
        return true;
    const auto read = readResourceSpecText(writeResourceSpec(*scenario.cluster));
    return read && *read == *scenario.cluster;
}

/// The strategy with its fingerprint, and policy and cluster if they differ from the base's.
std::string questionOf(const Scenario &scenario, const Scenario &base) {
    return packTexts({fingerprintText(*scenario.strategy), writeStrategyJson(*scenario.strategy),
                      scenario.policy == base.policy ? std::string() : formatPolicy(scenario.policy),
                      hasOtherCluster(scenario, base) ? writeResourceSpec(*scenario.cluster) : std::string()});
}

} // namespace

std::string workOf(const SearchRequest &request, const Judge &judge) {
    std::vector<std::string> texts = inputTexts(request.base);
    texts.push_back(judge.text());
    return workText("search", texts);
}

bool canSpread(const Judge &judge) {
    return judge.isDeterministic() && judge.maxConcurrent() == std::numeric_limits<unsigned>::max();
}

RankJudge::RankJudge(std::shared_ptr<Judge> judge, Scenario base, Ranks &ranks, const std::vector<unsigned> &slots,
                     unsigned threads)
    : m_judge(std::move(judge)), m_base(std::move(base)), m_ranks(ranks), m_places(slots, threads) {}

Result<Verdict> RankJudge::judge(const Scenario &scenario, std::stop_token stop) {
    if (travels(scenario, m_base)) {
        const auto rank = m_places.take(stop);
        if (!rank)
            return cancelled();
        if (*rank == 0)
            return judgeHere(scenario, stop);
        if (auto verdict = TRY(judgeAt(*rank, scenario, stop)))
            return *std::move(verdict);
    }
    return m_places.takeHere(stop) ? judgeHere(scenario, stop) : cancelled();
}

Result<Verdict> RankJudge::judgeHere(const Scenario &scenario, const std::stop_token &stop) {
    auto verdict = m_judge->judge(scenario, stop);
    m_places.giveBack(0);
    return verdict;
}

Result<std::optional<Result<Verdict>>> RankJudge::judgeAt(unsigned rank, const Scenario &scenario, const std::stop_token &stop) {
    const auto answer = m_ranks.ask(rank, questionOf(scenario, m_base), stop);
    const bool isLost = !answer && !answer.error().isCancelled();
    if (!isLost)
        m_places.giveBack(rank);
    if (!answer && !isLost)
        return Unexpected(answer.error());
    return answer ? verdictIn(*answer) : std::nullopt;
}

std::string judgeForRank0(const std::string &question, const Scenario &base, Judge &judge, const std::stop_token &stop) {
    const auto texts = unpackTexts(question);
    if (!texts || texts->size() != 4)
        return {};
    const std::string &policy = (*texts)[2], &cluster = (*texts)[3];
    auto strategy = readStrategyJson((*texts)[1]);
    if (!strategy || fingerprintText(*strategy) != texts->front())
        return {};
    Scenario scenario = base;
    scenario.strategy = std::make_shared<const Strategy>(*std::move(strategy));
    if (!policy.empty()) {
        const auto read = parsePolicy(policy);
        if (!read)
            return {};
        scenario.policy = *read;
    }
    if (!cluster.empty()) {
        auto read = readResourceSpecText(cluster);
        if (!read)
            return {};
        scenario.cluster = std::make_shared<const Cluster>(*std::move(read));
    }
    return textOf(judge.judge(scenario, stop));
}

} // namespace syncopate::cli

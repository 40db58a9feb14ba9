// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ranks/rank_judge.h"

#include "app/cli/ranks/inputs.h"
#include "engine/strategy/fingerprint.h"
#include "engine/strategy/strategy_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace syncopate::cli {

namespace {

constexpr std::array figures{&Verdict::iterationSeconds,     &Verdict::spreadSeconds,    &Verdict::exposedSeconds,
                             &Verdict::communicationSeconds, &Verdict::samplesPerSecond, &Verdict::costSeconds};
constexpr const char *isVerdict = "verdict", *isError = "error";

std::string fingerprintText(const Strategy &strategy) {
    const StrategyFingerprint fingerprint = fingerprintOf(strategy);
    return fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low);
}

/// A rank's answer; empty where it cannot tell.
std::string textOf(const Result<Verdict> &verdict) {
    if (!verdict) {
        const Error &error = verdict.error();
        if (error.kind != ErrorKind::Input) // of this rank rather than of the strategy: rank 0 judges it itself
            return {};
        return packTexts({isError, error.what, error.remedy, error.file, error.place});
    }
    std::vector<std::string> texts{isVerdict};
    for (const auto figure : figures)
        texts.push_back(bitsOf((*verdict).*figure));
    texts.insert(texts.end(), verdict->assumptions.begin(), verdict->assumptions.end());
    return packTexts(texts);
}

/// The verdict in a rank's answer; none where the rank could not tell.
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
    const auto rank = m_places.take(stop);
    if (!rank)
        return cancelled();
    bool isLost = false;
    auto verdict = *rank == 0 ? m_judge->judge(scenario, stop) : judgeAt(*rank, scenario, stop, isLost);
    if (!isLost)
        m_places.giveBack(*rank);
    return verdict;
}

Result<Verdict> RankJudge::judgeAt(unsigned rank, const Scenario &scenario, const std::stop_token &stop, bool &isLost) {
    if (differsInStrategyAlone(scenario, m_base)) {
        const std::string question = packTexts({fingerprintText(*scenario.strategy), writeStrategyJson(*scenario.strategy)});
        const auto answer = m_ranks.ask(rank, question, stop);
        if (!answer && answer.error().isCancelled())
            return Unexpected(answer.error());
        isLost = !answer;
        if (auto verdict = answer ? verdictIn(*answer) : std::nullopt)
            return *std::move(verdict);
    }
    return m_judge->judge(scenario, stop);
}

std::string judgeForRank0(const std::string &question, const Scenario &base, Judge &judge, const std::stop_token &stop) {
    const auto texts = unpackTexts(question);
    if (!texts || texts->size() != 2)
        return {};
    auto strategy = readStrategyJson((*texts)[1]);
    if (!strategy || fingerprintText(*strategy) != texts->front())
        return {};
    Scenario scenario = base;
    scenario.strategy = std::make_shared<const Strategy>(*std::move(strategy));
    return textOf(judge.judge(scenario, stop));
}

} // namespace syncopate::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/ranks/places.h"
#include "app/cli/ranks/ranks.h"
#include "engine/search/search.h"
#include "engine/trial/judge.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace syncopate::cli {

/// The work of a search, for comparison between ranks: equal if the judge and all inputs of the base are equal.
[[nodiscard]] std::string workOf(const SearchRequest &request, const Judge &judge);

/// Whether other ranks may judge in place of this one: the verdict is the same everywhere and does not depend on the machine.
[[nodiscard]] bool canSpread(const Judge &judge);

/// A judge that distributes scenarios over all ranks. Strategies travel as JSON with their fingerprints, other policies and
/// clusters as their source texts, verdicts bit by bit, so that a verdict does not depend on which rank gave it. A scenario
/// that differs from the search's in more than these, one that did not arrive intact, and the work of a lost rank are judged
/// here.
class RankJudge final : public Judge {
public:
    /// `slots` are those of Ranks::begin(); `threads` judge here. `ranks` must outlive the judge.
    RankJudge(std::shared_ptr<Judge> judge, Scenario base, Ranks &ranks, const std::vector<unsigned> &slots, unsigned threads);

    [[nodiscard]] std::string text() const override { return m_judge->text(); }
    [[nodiscard]] unsigned maxConcurrent() const override { return m_places.size(); }
    [[nodiscard]] bool isDeterministic() const override { return m_judge->isDeterministic(); }
    [[nodiscard]] bool followsCluster() const override { return m_judge->followsCluster(); }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override;

    /// How many scenarios each rank was given; those it could not judge were judged here.
    [[nodiscard]] std::vector<std::uint64_t> judged() const { return m_places.done(); }

private:
    /// Uses a slot of rank 0, and frees it.
    [[nodiscard]] Result<Verdict> judgeHere(const Scenario &scenario, const std::stop_token &stop);
    /// None if the rank is lost or failed itself.
    [[nodiscard]] Result<std::optional<Result<Verdict>>> judgeAt(unsigned rank, const Scenario &scenario,
                                                                 const std::stop_token &stop);

    std::shared_ptr<Judge> m_judge;
    Scenario m_base;
    Ranks &m_ranks;
    Places m_places;
};

/// The other ranks' part: answers a question of a RankJudge.
[[nodiscard]] std::string judgeForRank0(const std::string &question, const Scenario &base, Judge &judge,
                                        const std::stop_token &stop);

} // namespace syncopate::cli

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

/// What a search judges, as ranks compare it: equal where all that the base is made from and the judge are.
[[nodiscard]] std::string workOf(const SearchRequest &request, const Judge &judge);

/// Whether other ranks may judge in place of this one: the verdict is the same everywhere, and not of a machine in particular.
[[nodiscard]] bool canSpread(const Judge &judge);

/// A judge that has scenarios judged by all ranks. Strategies travel as JSON with their fingerprints, other policies and clusters
/// as the texts that they are read from, verdicts bit by bit, so that who judged is not to be told from the verdict. A scenario
/// that differs from the search's in more than these, and one that did not arrive as it was sent, are judged here; so is what
/// a lost rank was at.
class RankJudge final : public Judge {
public:
    /// `slots` are those of Ranks::begin(); `threads` judge here. `ranks` outlives the judge.
    RankJudge(std::shared_ptr<Judge> judge, Scenario base, Ranks &ranks, const std::vector<unsigned> &slots, unsigned threads);

    [[nodiscard]] std::string text() const override { return m_judge->text(); }
    [[nodiscard]] unsigned maxConcurrent() const override { return m_places.size(); }
    [[nodiscard]] bool isDeterministic() const override { return m_judge->isDeterministic(); }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override;

    /// How many scenarios each rank was given; what it could not judge was judged here.
    [[nodiscard]] std::vector<std::uint64_t> judged() const { return m_places.done(); }

private:
    /// On a place of rank 0, which it gives back.
    [[nodiscard]] Result<Verdict> judgeHere(const Scenario &scenario, const std::stop_token &stop);
    /// None where the rank is lost or cannot tell.
    [[nodiscard]] Result<std::optional<Result<Verdict>>> judgeAt(unsigned rank, const Scenario &scenario,
                                                                 const std::stop_token &stop);

    std::shared_ptr<Judge> m_judge;
    Scenario m_base;
    Ranks &m_ranks;
    Places m_places;
};

/// The other ranks' part: the answer to a question of a RankJudge.
[[nodiscard]] std::string judgeForRank0(const std::string &question, const Scenario &base, Judge &judge,
                                        const std::stop_token &stop);

} // namespace syncopate::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a search's winner apart: the worth of each piece of its strategy, and whether it still wins where network or workers are
// not those of the search. A search ends with a strategy of hundreds of entries, of which a few decide.
#pragma once

#include "engine/search/common_traits.h"
#include "engine/search/search.h"
#include "engine/search/tuned_baselines.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// A strategy with its name in tables.
struct NamedStrategy {
    std::string name; ///< "trial 17", "AllReduce(chunk_size=32)"
    std::shared_ptr<const Strategy> strategy;
};

/// The best of all builders with default and tuned arguments by the request's objective. Errors: none could be judged.
[[nodiscard]] Result<NamedStrategy> bestBuilder(const SearchRequest &request, const SearchHistory &history,
                                                const std::vector<TunedBaseline> &tuned);

/// Variables of a winner that are set back to a builder's choice, the others left alone.
struct SetBack {
    std::string what;            ///< "14 variables: 4 parts on servers, all-reduced by the builder", or a variable's name
    std::int32_t variables = 0;  ///< number of them
    double iterationSeconds = 0; ///< after that; NaN where it cannot be judged, which `error` explains
    std::string error;
};

/// Sets back each group of several variables that the winner treats alike, and differently from the builder; then, alone, each of
/// the up to sixteen largest variables that differ. The worth of a row is its time less the winner's; worths need not add up.
/// Rows come by time, the longest first. All-reduce groups of the variables set back are groups of their own. Costs one call of
/// the judge a row. Errors: the strategies are not of the request's job, or `stop` was requested.
[[nodiscard]] Result<std::vector<SetBack>> explainWinner(const SearchRequest &request, const Strategy &winner,
                                                         const Strategy &builder, Judge &judge, const std::stop_token &stop = {});

/// A strategy under the conditions of elsewhereConditions(), in their order.
struct Elsewhere {
    std::string name;
    std::vector<double> iterationSeconds; ///< NaN where it cannot be judged
    double worstRegret = 0; ///< max share by which it is slower than the fastest of a condition; NaN if one is missing
};

/// "as it is", "links at half", "links at twice", "one worker at two thirds of its speed".
[[nodiscard]] const std::vector<std::string> &elsewhereConditions();

/// Judges each strategy under each condition. Rows by worst regret, the smallest first: the first is the robust choice.
/// Errors: `stop` was requested.
[[nodiscard]] Result<std::vector<Elsewhere>> judgeElsewhere(const SearchRequest &request,
                                                            const std::vector<NamedStrategy> &strategies, Judge &judge,
                                                            const std::stop_token &stop = {});

/// The strategies to judge elsewhere: the `count` best trials whose figures differ, then the builder. Errors: those of
/// SearchMethod::decode().
[[nodiscard]] Result<std::vector<NamedStrategy>> bestStrategies(const SearchHistory &history, SearchObjective objective,
                                                                const SearchMethod &method, std::size_t count,
                                                                const NamedStrategy &builder);

/// All of the above of one search.
struct WinnerReport {
    std::string winner, builder;      ///< by name; the same where no trial beats the builder
    double winnerSeconds = 0;         ///< an iteration of the winner
    std::vector<CommonTrait> common;  ///< of the best trials
    std::vector<SetBack> pieces;      ///< none where nothing differs
    std::vector<Elsewhere> elsewhere; ///< none where the judge does not follow the cluster
};

/// Takes the best of `history` apart, against the best builder with default or tuned arguments. Errors: those of bestCandidate(),
/// bestBuilder(), commonTraits(), explainWinner() and judgeElsewhere().
[[nodiscard]] Result<WinnerReport> reportWinner(const SearchRequest &request, const SearchMethod &method, Judge &judge,
                                                const SearchHistory &history, const std::vector<TunedBaseline> &tuned,
                                                const std::stop_token &stop = {});

} // namespace syncopate

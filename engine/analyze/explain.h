// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/link_slopes.h"
#include "engine/analyze/plan_causes.h"
#include "engine/analyze/remedy_trials.h"
#include "engine/analyze/sensitivity.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// Pieces of a chain that belong together: a run of layers, copies or compressors, or one message with its latency, transfer and
/// sharing.
struct CauseRow {
    Phrase what;         ///< "forward of 12 layers, from conv0, worker 0"
    Phrase how;          ///< "transfer 12.3 ms; sharing 4.1 ms; waited for its turn (push to 10.0.0.1)"; may be empty
    TaskId task;         ///< of the first piece
    CauseKind kind;      ///< of its longest piece
    double startSeconds; ///< from the run's start
    double endSeconds;
};

/// A wait of one worker's compute stream.
struct ComputeWait {
    std::int32_t worker = 0;
    double seconds = 0; ///< a moment of it, from the run's start
};

/// The rows of a chain of the graph: consecutive pieces of one message, or of a worker's tasks of one kind. `wordsOf` names a
/// piece.
[[nodiscard]] std::vector<CauseRow> causeRows(const CauseChain &chain, const TaskGraph &graph,
                                              const std::function<CauseWords(const Cause &)> &wordsOf);

/// Why a run's iteration (or a wait in it) is as long as it is, and what would change it.
struct Explanation {
    CauseChain chain;
    std::vector<CauseRow> causes; ///< the chain's pieces in order of time
    IterationBounds bounds;
    std::string busiestLink;      ///< the link of bounds.networkSeconds; empty: no traffic
    std::string busiestQueue;     ///< the queue of bounds.queueSeconds; empty: none
    std::vector<LinkSlope> links; ///< that limit a period (CauseFinder::ofPeriod()), or the wait, with the gain of a higher rate
    std::vector<RemedyRow> remedies;        ///< largest gain first
    std::size_t tried = 0;                  ///< scenarios; `remedies` has fewer, only the best of a builder's grid
    std::size_t leftOut = 0;                ///< scenarios over WhyOptions::maxSimulations
    std::vector<Sensitivity> sensitivities; ///< largest change first
    PlanShares shares{};                    ///< of a plan; else empty
    bool complete = false;                  ///< all remedies and sensitivities are there
};

/// The question, and the remedies to try.
struct WhyOptions {
    std::optional<ComputeWait> wait{}; ///< explained instead of the iteration
    /// Returns the remedies to try besides those that the causes suggest (alternativesTo(), engine/search/alternatives.h). Called
    /// after causes and knobs, as it decodes winners of searches; not called where compute alone decides.
    std::function<std::vector<Alternative>()> alternatives{};
    std::size_t maxSimulations = 500; ///< of remedies; each knob takes two more
    unsigned threads = 0;             ///< that simulate; 0 = one per core
};

/// Explains the iteration of `run`, made from `recipe`, or a wait in it: first the causes; then, one simulation each, the
/// remedies that they suggest, half and twice the value of each knob, and the alternatives. `progress` receives the explanation
/// after each of them, on this thread. Errors: only a requested stop.
[[nodiscard]] Result<Explanation> explain(const Run &run, const ScenarioRecipe &recipe, const WhyOptions &options = {},
                                          const std::stop_token &stop = {},
                                          const std::function<void(const Explanation &)> &progress = {});

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/link_slopes.h"
#include "engine/analyze/remedies.h"
#include "engine/analyze/sensitivity.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// Pieces of a chain that belong together: a run of layers, or one message with its latency, transfer and sharing.
struct CauseRow {
    std::string what;    ///< "forward of 12 layers, from conv0, worker 0"
    std::string how;     ///< "transfer 12.3 ms; sharing 4.1 ms; waited for its turn (push to 10.0.0.1)"
    std::int32_t task;   ///< the first one's
    CauseKind kind;      ///< of its longest piece
    double startSeconds; ///< from the run's start
    double endSeconds;
};

/// A remedy with what it gives.
struct RemedyRow {
    Remedy remedy;
    Result<double> iterationSeconds; ///< simulated
};

/// A wait of one worker's compute stream.
struct ComputeWait {
    std::int32_t worker = 0;
    double seconds = 0; ///< a moment of it, from the run's start
};

/// Why a run's iteration (or a wait in it) is as long as it is, and what would change it.
struct Explanation {
    CauseChain chain;
    std::vector<CauseRow> causes; ///< the chain's pieces in order of time
    IterationBounds bounds;
    std::string busiestLink;                ///< that bounds.networkSeconds is of; empty: no traffic
    std::string busiestQueue;               ///< that bounds.queueSeconds is of; empty: none
    std::vector<LinkSlope> links;           ///< that limit the chain, with what more of their rate is worth
    std::vector<RemedyRow> remedies;        ///< shortest iteration first
    std::vector<Sensitivity> sensitivities; ///< largest change first
    bool complete = false;                  ///< remedies and sensitivities are all in
};

/// Explains the iteration of `run`, which `recipe` gave, or `wait`. First the causes, then each remedy and each dimension that
/// applies, a simulation or two each; `progress` sees the explanation after each of them. Errors: only a requested stop.
[[nodiscard]] Result<Explanation> explain(const Run &run, const ScenarioRecipe &recipe,
                                          const std::optional<ComputeWait> &wait = {}, const std::stop_token &stop = {},
                                          const std::function<void(const Explanation &)> &progress = {});

} // namespace syncopate

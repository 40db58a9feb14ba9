// SPDX-License-Identifier: GPL-3.0-or-later
// Which rank keeps the others waiting, and what a step would take without it. A late rank is told from a slow network by its own
// compute stream: its work and its own pauses count, its waits for collectives do not. The cost of lateness cannot be read off,
// as much of it hides behind other waits; so the recorded steps are played again with other durations.
#pragma once

#include "engine/profile/profile.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// One rank, in seconds a step; means over the steps.
struct RankLag {
    std::int64_t rank = -1;
    double computeSeconds = 0;     ///< its compute lanes are busy
    double ownSeconds = 0;         ///< computeSeconds and its own pauses: all but its waits for collectives
    double behindSeconds = 0;      ///< ownSeconds less the median rank's of the same step; below 0 where it is ahead
    double worstBehindSeconds = 0; ///< in the step in which it is furthest behind
    /// A step had this rank been as fast as the median wherever it was behind; none if it never was.
    std::optional<double> asMedianSeconds{};
};

/// One step of all ranks.
struct StragglerStep {
    std::string name;
    double seconds = 0;         ///< as recorded: from the last rank's end of the step before to the last rank's end
    double medianSeconds = 0;   ///< of the ranks' own times
    std::size_t slowest = 0;    ///< index into Stragglers::ranks
    double behindSeconds = 0;   ///< of the slowest rank
    double asMedianSeconds = 0; ///< the same had no rank been behind in any step
};

/// Which ranks kept the others waiting, and the length of a step without that.
struct Stragglers {
    std::vector<RankLag> ranks; ///< in the profile's order
    std::vector<StragglerStep> steps;
    std::size_t slowest = 0;              ///< index into ranks: with the longest own time
    double stepSeconds = 0;               ///< mean of the recorded steps
    double slowestAsMedianSeconds = 0;    ///< the same had the slowest rank been as fast as the median
    double allAsMedianSeconds = 0;        ///< had every rank that was behind been as fast
    std::vector<std::string> assumptions; ///< a sentence each
};

/// Plays the steps of a profile of several ranks with the durations of ranks that were behind cut to the median's (of an even
/// number of ranks the faster of the two in the middle). Played with the recorded durations they are the recorded steps, to the
/// nanosecond. O((spans + collectives) x ranks that were behind). Errors: one rank; clocks that do not fit together; steps
/// without work; a requested stop.
[[nodiscard]] Result<Stragglers> findStragglers(const ImportedProfile &profile, const std::stop_token &stop = {});

} // namespace syncopate

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile.h"
#include "engine/profile/torch/kineto_events.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace syncopate::kineto {

/// A collective as one rank saw it; absolute times of that rank's clock, within a quarter of the range of Nanoseconds.
struct RankCollective {
    Nanoseconds start = 0, end = 0;
    std::int64_t elements = 0; ///< 0 = not known
    std::int32_t step = -1;
    std::uint32_t group = 0;    ///< index into RankFacts::groupKeys
    std::int32_t gradient = -1; ///< index into the profile's gradients
    std::string name;           ///< "allreduce"
};

/// Whether the root or the receivers of the collective may leave early.
[[nodiscard]] bool isOneSided(const std::string &collective);

/// The facts of one rank's trace for aligning it with the others, and its profile.
struct RankFacts {
    std::int64_t rank = -1, worldSize = -1;
    std::string file;
    Nanoseconds zero = 0; ///< absolute time of the profile's time 0, by this rank's clock
    std::vector<RecordedGroup> groups;
    std::vector<std::string> steps;          ///< names
    std::vector<bool> complete;              ///< of each step: all of it was recorded
    std::vector<std::string> groupKeys;      ///< Collective::group of the collectives
    std::vector<RankCollective> collectives; ///< by start; sends and receives left out
    std::shared_ptr<ImportedProfile> profile;
};

/// How the ranks' clocks and collectives fit together.
struct RankAlignment {
    std::vector<Nanoseconds> offsets; ///< of each rank's clock, to be taken off its times; the first rank's is 0
    std::vector<bool> aligned;        ///< false: no collective ties this rank to the first one
    std::uint64_t matched = 0;        ///< collectives seen by two or more ranks
    Nanoseconds endSpread = 0;        ///< median over these of the difference of the ends, clocks aligned
    /// Why these ranks may not have run at the same time, so that waiting cannot be told from transfer; empty = no sign of that.
    std::string doubt;
    std::vector<std::uint64_t> count; ///< matched collectives of each rank
    /// For each rank, sums over its matched collectives; in doubt all of it is transfer.
    std::vector<double> transferSeconds, waitingSeconds;
    std::vector<std::vector<Nanoseconds>> transferOf; ///< of each rank and collective; -1 = not matched, or in doubt
    std::vector<std::vector<std::int32_t>> matchOf;   ///< the same number on all ranks of a collective; -1 = not matched
    std::vector<std::string> steps;                   ///< that all ranks recorded whole
};

/// Pairs the k-th collective of a process group and step on one rank with the k-th on the others, and aligns the clocks on their
/// ends: all ranks leave a collective together, however late each arrived. A collective's transfer time is its shortest duration
/// over the ranks; the remainder is waiting for the slowest rank. `ranks` ascend by rank. An error says why
/// ranks do not belong together: world sizes, process groups, steps, counts, kinds or sizes of collectives that differ, or traces
/// that begin more than 104 days apart on one clock.
[[nodiscard]] Result<RankAlignment> alignRanks(const std::vector<RankFacts> &ranks);

} // namespace syncopate::kineto

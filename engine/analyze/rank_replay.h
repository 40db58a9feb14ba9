// SPDX-License-Identifier: GPL-3.0-or-later
// Plays recorded ranks again with other durations. A recording has no dependencies, so they are inferred from times: work after a
// gap in which a collective ended waited for that collective; a collective begins with its recorded delay after the work before
// it or after its group's collective before it, whichever is later. As delays between cause and effect are kept, a play with the
// recorded durations reproduces the recording.
#pragma once

#include "engine/profile/profile.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace syncopate {

/// Work of one rank without a gap, and the collective that it waited for.
struct RankPiece {
    double start = 0, end = 0;    ///< recorded, nanoseconds
    std::int32_t collective = -1; ///< index into the rank's collectives: it waited for that one's end; -1 = for none
    std::int32_t step = 0;        ///< of the common steps
};

/// How long a rank's compute stream was busy, and not waiting for a collective, in nanoseconds by step. It waits in a gap of its
/// work while a collective is under way that ends in that gap; the rest of its gaps are its own: the host, its input.
struct RankTimes {
    std::vector<double> busy, own;
};

/// Plays the recorded steps of several ranks again with some of their work faster or slower: collectives wait for their last
/// rank.
class RankReplay {
public:
    /// `profile` must have rankSteps, and must outlive this.
    explicit RankReplay(const ImportedProfile &profile);

    [[nodiscard]] std::size_t rankCount() const { return m_pieces.size(); }
    [[nodiscard]] std::size_t stepCount() const { return m_profile.rankStepNames.size(); }
    [[nodiscard]] const std::vector<RankTimes> &times() const { return m_times; }

    /// The ends of the steps, nanoseconds: each the end of the last rank's last work or collective in it. `factors[rank][step]`
    /// multiplies a rank's own times. Errors: times that contradict each other, as of clocks that drift; a requested stop.
    [[nodiscard]] Result<std::vector<double>> play(const std::vector<std::vector<double>> &factors,
                                                   const std::stop_token &stop = {}) const;
    /// The start of the first step, on the rank that began first.
    [[nodiscard]] double startNanoseconds() const { return m_start; }

private:
    void collectPieces(std::size_t rank);
    void findWaits(std::size_t rank);
    void findArrivals(std::size_t rank);

    struct Arrival {
        double at = 0;            ///< recorded
        std::int32_t piece = -1;  ///< the last work that had begun; -1 = none
        std::int32_t before = -1; ///< the last collective of the group that had ended; -1 = none
        std::int32_t step = 0;
    };
    struct Played;
    [[nodiscard]] double waitedIn(std::size_t rank, const std::vector<std::int32_t> &ended, double from) const;
    [[nodiscard]] double workStart(std::size_t rank, std::size_t piece, double factor, const Played &played) const;
    [[nodiscard]] double arrival(std::size_t rank, std::size_t collective, double factor, const Played &played) const;
    bool advance(std::size_t rank, const std::vector<double> &factors, Played &played) const;
    void complete(std::size_t match, Played &played) const;

    const ImportedProfile &m_profile;
    std::vector<std::vector<RankPiece>> m_pieces;
    std::vector<std::vector<Arrival>> m_arrivals; ///< by rank, as its collectives
    std::vector<RankTimes> m_times;
    std::vector<double> m_lastArrival;                                       ///< recorded, by match
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> m_members; ///< by match: rank and its collective
    double m_start = 0;
};

} // namespace syncopate

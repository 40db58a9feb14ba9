// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/stragglers.h"

#include "engine/analyze/rank_replay.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr double toSeconds = 1e-9;

using RankFactors = std::vector<std::vector<double>>; ///< per rank and step

/// The median; of two middle values the lower one.
double lowerMedian(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

class StragglerFinder {
public:
    StragglerFinder(const ImportedProfile &profile, const std::stop_token &stop)
        : m_profile(profile), m_stop(stop), m_replay(profile) {}

    Result<Stragglers> find() {
        TRY(compareRanks());
        const RankFactors asRecorded(ranks(), std::vector<double>(steps(), 1));
        const std::vector<double> recorded = TRY(m_replay.play(asRecorded, m_stop));
        const std::vector<double> even = TRY(m_replay.play(m_toMedian, m_stop));
        for (std::size_t step = 0; step < steps(); ++step) {
            m_answer.steps[step].seconds = lengthOf(recorded, step);
            m_answer.steps[step].asMedianSeconds = lengthOf(even, step);
        }
        m_answer.stepSeconds = meanOf(recorded);
        m_answer.allAsMedianSeconds = meanOf(even);
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            if (m_toMedian[rank] == asRecorded[rank])
                continue;
            RankFactors factors = asRecorded;
            factors[rank] = m_toMedian[rank];
            m_answer.ranks[rank].asMedianSeconds = meanOf(TRY(m_replay.play(factors, m_stop)));
        }
        m_answer.slowestAsMedianSeconds = m_answer.ranks[m_answer.slowest].asMedianSeconds.value_or(m_answer.stepSeconds);
        addAssumptions();
        return std::move(m_answer);
    }

private:
    [[nodiscard]] std::size_t ranks() const { return m_replay.rankCount(); }
    [[nodiscard]] std::size_t steps() const { return m_replay.stepCount(); }
    [[nodiscard]] double own(std::size_t rank, std::size_t step) const { return m_replay.times()[rank].own[step]; }

    /// Finds how far each rank is behind, and by which factors it would be like the median.
    Result<void> compareRanks() {
        m_toMedian.assign(ranks(), std::vector<double>(steps(), 1));
        for (const RankFigures &figures : m_profile.ranks)
            m_answer.ranks.push_back({.rank = figures.rank});
        const auto count = static_cast<double>(steps());
        for (std::size_t step = 0; step < steps(); ++step) {
            std::vector<double> times;
            for (std::size_t rank = 0; rank < ranks(); ++rank)
                times.push_back(own(rank, step));
            const double median = lowerMedian(times);
            if (!(median > 0))
                return fail(fmt::format("in step {} most ranks computed nothing", m_profile.rankStepNames[step]),
                            "record whole training steps");
            StragglerStep row;
            row.name = m_profile.rankStepNames[step];
            row.medianSeconds = median * toSeconds;
            row.slowest = static_cast<std::size_t>(std::max_element(times.begin(), times.end()) - times.begin());
            row.behindSeconds = (times[row.slowest] - median) * toSeconds;
            m_answer.steps.push_back(std::move(row));
            for (std::size_t rank = 0; rank < ranks(); ++rank) {
                RankLag &lag = m_answer.ranks[rank];
                const double behind = (times[rank] - median) * toSeconds;
                lag.computeSeconds += m_replay.times()[rank].busy[step] * toSeconds / count;
                lag.ownSeconds += times[rank] * toSeconds / count;
                lag.behindSeconds += behind / count;
                lag.worstBehindSeconds = step == 0 ? behind : std::max(lag.worstBehindSeconds, behind);
                if (times[rank] > median)
                    m_toMedian[rank][step] = median / times[rank];
            }
        }
        m_answer.slowest = static_cast<std::size_t>(
            std::max_element(m_answer.ranks.begin(), m_answer.ranks.end(),
                             [](const RankLag &a, const RankLag &b) { return a.ownSeconds < b.ownSeconds; }) -
            m_answer.ranks.begin());
        return {};
    }

    [[nodiscard]] double lengthOf(const std::vector<double> &ends, std::size_t step) const {
        return (ends[step] - (step > 0 ? ends[step - 1] : m_replay.startNanoseconds())) * toSeconds;
    }
    [[nodiscard]] double meanOf(const std::vector<double> &ends) const {
        return (ends.back() - m_replay.startNanoseconds()) * toSeconds / static_cast<double>(ends.size());
    }

    void addAssumptions() {
        m_answer.assumptions = {
            steps() == 1
                ? fmt::format(
                      "The step that all {} ranks recorded whole is played again; with the recorded durations the play is "
                      "the profile.",
                      ranks())
                : fmt::format("The {} steps that all {} ranks recorded whole are played again; with the recorded durations the "
                              "play is the profile.",
                              steps(), ranks()),
            "A step lasts from the last rank's end of the step before, the first one from the first rank's start, to the last "
            "rank's end.",
            "A rank's own time is all but its waits: gaps of its compute in which a collective runs and ends. Gaps without one "
            "are its own (its host, its input).",
            "As the median: all of a rank's own time in a step in which it was behind is cut by one factor to the median of the "
            "ranks, of an even number the faster of the two in the middle.",
            "Dependencies are inferred from times: work after such a gap waited for that collective; a collective begins as long "
            "after the work or the collective before it as recorded, and takes as long as recorded once its last rank has come. "
            "Broadcasts and reductions to one rank keep their durations."};
    }

    const ImportedProfile &m_profile;
    const std::stop_token &m_stop;
    const RankReplay m_replay;
    RankFactors m_toMedian;
    Stragglers m_answer;
};

} // namespace

Result<Stragglers> findStragglers(const ImportedProfile &profile, const std::stop_token &stop) {
    if (profile.ranks.size() < 2)
        return fail("this profile is of one rank, and a straggler is one of several", "open the ranks of one job together",
                    profile.file);
    if (profile.rankSteps.size() != profile.ranks.size() || profile.rankStepNames.empty())
        return fail("the ranks' waiting cannot be told from their transfers, as their clocks do not fit together",
                    "record all ranks in the same steps", profile.file);
    return inFile(StragglerFinder(profile, stop).find(), profile.file);
}

} // namespace syncopate

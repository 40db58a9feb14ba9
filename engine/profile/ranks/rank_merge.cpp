// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/ranks/rank_merge.h"

#include "engine/base/units.h"
#include "engine/profile/finish_profile.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

namespace syncopate::kineto {

namespace {

double stepSeconds(const ImportedProfile &profile) {
    return profile.job.forwardSeconds() + profile.job.backwardSeconds() + profile.job.updateSeconds;
}

/// The mean length of the complete steps, at least one. Profiler.step() begins a further one behind the last, which stays empty.
double meanStep(const RankFacts &rank) {
    const auto count = static_cast<double>(std::ranges::count(rank.complete, true));
    double mean = 0;
    for (std::size_t s = 0; s < rank.complete.size(); ++s)
        mean += rank.complete[s] ? rank.profile->steps[s].lengthSeconds / count : 0;
    return mean;
}

class Merger {
public:
    Merger(std::vector<RankFacts> ranks, RankAlignment alignment)
        : m_ranks(std::move(ranks)), m_alignment(std::move(alignment)) {}

    std::shared_ptr<ImportedProfile> run() {
        const std::size_t chosen = medianRank();
        Nanoseconds zero = std::numeric_limits<Nanoseconds>::max();
        for (std::size_t i = 0; i < m_ranks.size(); ++i)
            zero = std::min(zero, startOf(i));
        auto merged = std::make_shared<ImportedProfile>(takeOwn(chosen, startOf(chosen) - zero));
        addSteps(zero, *merged);
        for (std::size_t i = 0; i < m_ranks.size(); ++i)
            addRank(i, startOf(i) - zero, *merged);
        state(chosen, *merged);
        checkSizes(*merged);
        return merged;
    }

private:
    /// Time 0 of a rank's profile on the first rank's clock.
    [[nodiscard]] Nanoseconds startOf(std::size_t i) const { return m_ranks[i].zero - m_alignment.offsets[i]; }

    [[nodiscard]] std::size_t medianRank() const {
        std::vector<std::size_t> order(m_ranks.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return stepSeconds(*m_ranks[a].profile) < stepSeconds(*m_ranks[b].profile);
        });
        return order[(order.size() - 1) / 2];
    }

    /// Copies everything but the timeline, shifted in time; gradients get the duration of their transfer.
    ImportedProfile takeOwn(std::size_t chosen, Nanoseconds shift) const {
        const ImportedProfile &chosenProfile = *m_ranks[chosen].profile;
        ImportedProfile merged;
        merged.file = chosenProfile.file;
        merged.job = chosenProfile.job;
        merged.recorded = chosenProfile.recorded;
        merged.steps = chosenProfile.steps;
        merged.jobStep = chosenProfile.jobStep;
        merged.gradients = chosenProfile.gradients;
        merged.samples = chosenProfile.samples;
        merged.isBucketed = chosenProfile.isBucketed;
        merged.read = chosenProfile.read;
        merged.inferred = chosenProfile.inferred;
        merged.platform = chosenProfile.platform;
        merged.platform.ranks = std::max(merged.platform.ranks, static_cast<std::int64_t>(m_ranks.size()));
        merged.synchronises = true;
        merged.sizeDoubt = chosenProfile.sizeDoubt;
        merged.sizelessNote = chosenProfile.sizelessNote;
        for (const Nanoseconds start : chosenProfile.timeline.iterationStart)
            merged.timeline.iterationStart.push_back(start + shift);
        for (ProfileStep &step : merged.steps) {
            step.startSeconds += secondsOf(shift);
            step.endSeconds += secondsOf(shift);
        }
        for (GradientCollective &gradient : merged.gradients)
            gradient.startSeconds += secondsOf(shift);
        const std::vector<RankCollective> &collectives = m_ranks[chosen].collectives;
        for (std::size_t c = 0; c < collectives.size(); ++c) {
            const Nanoseconds transfer = m_alignment.transferOf[chosen][c];
            if (collectives[c].gradient >= 0 && transfer >= 0)
                merged.gradients[static_cast<std::size_t>(collectives[c].gradient)].durationSeconds = secondsOf(transfer);
        }
        return merged;
    }

    /// Adds the data for playing the ranks together, if their clocks are known.
    void addSteps(Nanoseconds zero, ImportedProfile &merged) const {
        if (!m_alignment.doubt.empty() ||
            std::find(m_alignment.aligned.begin(), m_alignment.aligned.end(), false) != m_alignment.aligned.end())
            return;
        const std::vector<std::string> &common = m_alignment.steps;
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            const RankFacts &rank = m_ranks[i];
            const Nanoseconds shift = startOf(i) - zero;
            RankSteps rankSteps;
            for (const ProfileStep &step : rank.profile->steps) {
                if (std::find(common.begin(), common.end(), step.name) == common.end())
                    continue;
                rankSteps.steps.emplace_back(shift + std::llround(step.startSeconds * 1e9),
                                             shift + std::llround(step.endSeconds * 1e9));
                if (i == 0)
                    merged.rankStepNames.push_back(step.name);
            }
            for (std::size_t c = 0; c < rank.collectives.size(); ++c)
                if (const std::int32_t match = m_alignment.matchOf[i][c]; match >= 0) {
                    const RankCollective &collective = rank.collectives[c];
                    const Nanoseconds moved = m_alignment.offsets[i] + zero;
                    rankSteps.collectives.push_back(
                        {match, collective.group, isOneSided(collective.name), collective.start - moved, collective.end - moved});
                }
            merged.rankSteps.push_back(std::move(rankSteps));
        }
        if (std::any_of(merged.rankSteps.begin(), merged.rankSteps.end(), [&](const RankSteps &rank) {
                return rank.steps.size() != merged.rankStepNames.size(); // a step's name occurs twice
            }))
            merged.rankSteps.clear();
    }

    /// Moves a rank's lanes into `merged`, which empties the rank's own profile.
    void addRank(std::size_t i, Nanoseconds shift, ImportedProfile &merged) {
        ImportedProfile &rankProfile = *m_ranks[i].profile;
        RankFigures figures;
        figures.rank = m_ranks[i].rank;
        figures.file = m_ranks[i].file;
        figures.clockOffsetSeconds = secondsOf(m_alignment.offsets[i]);
        figures.computeSeconds = stepSeconds(rankProfile) - rankProfile.job.hostSeconds();
        figures.stepSeconds = meanStep(m_ranks[i]);
        figures.collectives = m_alignment.count[i];
        figures.transferSeconds = m_alignment.transferSeconds[i];
        figures.waitingSeconds = m_alignment.waitingSeconds[i];
        figures.waitingKnown = m_alignment.doubt.empty();
        merged.ranks.push_back(std::move(figures));
        merged.eventCount += rankProfile.eventCount;
        merged.textBytes += rankProfile.textBytes;
        for (OverlapFigures overlap : rankProfile.overlap) {
            overlap.rank = m_ranks[i].rank;
            merged.overlap.push_back(std::move(overlap));
        }
        std::vector<std::int32_t> labels;
        for (std::string &label : rankProfile.timeline.labels) {
            const auto next = static_cast<std::int32_t>(merged.timeline.labels.size());
            const auto [place, fresh] = m_labels.try_emplace(label, next);
            if (fresh)
                merged.timeline.labels.push_back(std::move(label));
            labels.push_back(place->second);
        }
        for (Lane &lane : rankProfile.timeline.lanes) {
            for (Nanoseconds &time : lane.start)
                time += shift;
            for (Nanoseconds &time : lane.end)
                time += shift;
            for (std::int32_t &label : lane.label)
                label = labels[static_cast<std::size_t>(label)];
            lane.name = fmt::format("rank {} {}", m_ranks[i].rank, lane.name);
            lane.worker = static_cast<std::int32_t>(i);
            merged.timeline.lanes.push_back(std::move(lane));
        }
        merged.timeline.duration = std::max(merged.timeline.duration, rankProfile.timeline.duration + shift);
        rankProfile.timeline = Timeline();
    }

    [[nodiscard]] std::string waitingOf(const ImportedProfile &merged) const {
        double transfer = 0, waiting = 0, longest = 0;
        std::int64_t waiter = m_ranks.front().rank;
        for (const RankFigures &rank : merged.ranks) {
            transfer += rank.transferSeconds / static_cast<double>(m_ranks.size());
            waiting += rank.waitingSeconds / static_cast<double>(m_ranks.size());
            if (rank.waitingSeconds > longest) {
                longest = rank.waitingSeconds;
                waiter = rank.rank;
            }
        }
        return fmt::format("A collective takes its shortest duration over the ranks, the rest is waiting for the slowest: "
                           "{} of transfer and {} of waiting on a rank (mean), {} of waiting on rank {} (most).",
                           formatSeconds(transfer), formatSeconds(waiting), formatSeconds(longest), waiter);
    }

    void state(std::size_t chosen, ImportedProfile &merged) const {
        std::vector<std::string> notes;
        const std::int64_t world = m_ranks.front().worldSize;
        merged.read.insert(merged.read.begin(),
                           fmt::format("{} ranks{}, {} events in all; the notes that follow are of rank {}.", m_ranks.size(),
                                       world > 0 ? fmt::format(" of {}", world) : "", merged.eventCount, m_ranks[chosen].rank));
        notes.push_back(fmt::format("The job is rank {}'s, whose step is the median of the {} ranks by the time of its layers.",
                                    m_ranks[chosen].rank, m_ranks.size()));
        Nanoseconds least = 0, most = 0;
        std::size_t apart = 0;
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            least = std::min(least, m_alignment.offsets[i]);
            most = std::max(most, m_alignment.offsets[i]);
            apart += m_alignment.aligned[i] ? 0 : 1;
        }
        notes.push_back(fmt::format(
            "{} collectives were found on two ranks or more. Their ends align the clocks, which were up to {} "
            "apart; after that the ends differ by {} (median).",
            m_alignment.matched, formatSeconds(secondsOf(most - least)), formatSeconds(secondsOf(m_alignment.endSpread))));
        if (apart > 0)
            notes.push_back(fmt::format("{} ranks share no collective with the others: their clocks stay as recorded.", apart));
        if (m_alignment.doubt.empty())
            notes.push_back(waitingOf(merged));
        else
            notes.insert(notes.begin(),
                         fmt::format("These ranks may have been recorded at other times: {}. Waiting then cannot be told from "
                                     "transfer: collectives count with their whole durations on each rank, and lanes of two "
                                     "ranks do not belong to one moment. Record all ranks in the same steps.",
                                     m_alignment.doubt));
        merged.inferred.insert(merged.inferred.begin(), notes.begin(), notes.end());
        auto &jobNotes = merged.job.notes;
        jobNotes.insert(jobNotes.empty() ? jobNotes.begin() : jobNotes.begin() + 1, notes.begin(), notes.end());
    }

    std::vector<RankFacts> m_ranks;
    const RankAlignment m_alignment;
    std::unordered_map<std::string, std::int32_t> m_labels;
};

} // namespace

Result<std::shared_ptr<ImportedProfile>> mergeRanks(std::vector<RankFacts> ranks) {
    if (ranks.size() == 1)
        return ranks.front().profile;
    for (const RankFacts &rank : ranks) {
        if (rank.rank < 0)
            return fail("nothing says which rank this is: neither distributedInfo nor the file's name",
                        "put the rank into the file's name, such as rank_3.json", rank.file);
    }
    std::stable_sort(ranks.begin(), ranks.end(), [](const RankFacts &a, const RankFacts &b) { return a.rank < b.rank; });
    auto alignment = TRY(alignRanks(ranks));
    return Merger(std::move(ranks), std::move(alignment)).run();
}

} // namespace syncopate::kineto

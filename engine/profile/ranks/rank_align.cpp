// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/ranks/rank_align.h"

#include "engine/base/units.h"
#include "engine/profile/torch/kineto_raw_event.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace syncopate::kineto {

namespace {

constexpr Nanoseconds drift = 1'000'000; ///< how far clocks may drift apart within a profile

/// All ranks leave a collective together: on one host their ends agree within microseconds, 0.2 % of the durations for eight
/// recorded ranks. If they differ by more than this share, the k-th collectives of two ranks are not the same one.
constexpr double doubtfulSpread = 0.1;
/// Hosts' clocks agree within milliseconds if they are synchronised at all.
constexpr Nanoseconds doubtfulGap = 60'000'000'000;
constexpr Nanoseconds maxApart = Nanoseconds{1} << 53; ///< 104 days; up to here doubles of seconds are within 2 ns

/// One collective as its participants recorded it.
struct Occurrence {
    std::vector<std::pair<std::size_t, std::size_t>> members; ///< indices of the rank and of its collective
};

template <class T> T medianOf(std::vector<T> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

class Aligner {
public:
    explicit Aligner(const std::vector<RankFacts> &ranks) : m_ranks(ranks) {}

    Result<RankAlignment> run() {
        for (const auto check : {&Aligner::checkRanks, &Aligner::checkGroups, &Aligner::findSteps, &Aligner::match}) {
            TRY((this->*check)());
        }
        alignClocks();
        TRY(checkTimes());
        TRY(checkStarts());
        if (m_result.doubt.empty())
            m_result.doubt = clocksApart();
        split();
        return std::move(m_result);
    }

private:
    [[nodiscard]] std::string named(std::size_t i) const { return fmt::format("rank {}", m_ranks[i].rank); }
    [[nodiscard]] Unexpected strangers(const std::string &why, std::size_t culprit,
                                       const char *remedy = "give the ranks of one run, recorded at the same time") const {
        return fail("these ranks do not belong together: " + why, remedy, m_ranks[culprit].file);
    }

    Result<void> checkRanks() {
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            const RankFacts &rank = m_ranks[i];
            if (i > 0 && rank.rank == m_ranks[i - 1].rank)
                return strangers(fmt::format("{} and {} are both rank {}", m_ranks[i - 1].file, rank.file, rank.rank), i,
                                 "give each rank once");
            if (rank.worldSize > 0 && m_ranks[0].worldSize > 0 && rank.worldSize != m_ranks[0].worldSize)
                return strangers(
                    fmt::format("{} is one of {} ranks, {} one of {}", named(0), m_ranks[0].worldSize, named(i), rank.worldSize),
                    i);
            if (rank.worldSize > 0 && rank.rank >= rank.worldSize)
                return strangers(fmt::format("rank {} of a world of {}", rank.rank, rank.worldSize), i);
        }
        return {};
    }

    /// A group that two ranks share must be the same for both.
    Result<void> checkGroups() {
        std::map<std::string, std::vector<std::pair<std::size_t, const RecordedGroup *>>> byName;
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            for (const RecordedGroup &group : m_ranks[i].groups)
                byName[group.name].emplace_back(i, &group);
        }
        const auto holds = [](const RecordedGroup &group, std::int64_t rank) {
            return std::binary_search(group.ranks.begin(), group.ranks.end(), rank);
        };
        for (const auto &[name, views] : byName) {
            const auto &[firstRank, first] = views.front();
            for (const auto &[i, group] : views) {
                const bool shared = holds(*first, m_ranks[i].rank) || holds(*group, m_ranks[firstRank].rank);
                const bool listed = !first->ranks.empty() && !group->ranks.empty();
                if ((listed && shared && first->ranks != group->ranks) ||
                    (!listed && first->size > 0 && group->size > 0 && first->size != group->size && name == "0"))
                    return strangers(
                        fmt::format(
                            "process group \"{}\" has {} ranks on {} and {} on {}, or other ones", name,
                            std::max<std::int64_t>(first->size, static_cast<std::int64_t>(first->ranks.size())), named(firstRank),
                            std::max<std::int64_t>(group->size, static_cast<std::int64_t>(group->ranks.size())), named(i)),
                        i);
            }
        }
        return {};
    }

    /// Finds the steps, by name, that all ranks recorded completely.
    Result<void> findSteps() {
        std::map<std::string, std::size_t> seen;
        for (const RankFacts &rank : m_ranks) {
            std::set<std::string> names;
            for (std::size_t s = 0; s < rank.steps.size(); ++s) {
                if (rank.complete[s])
                    names.insert(rank.steps[s]);
            }
            for (const std::string &name : names)
                ++seen[name];
        }
        for (const auto &[name, count] : seen) {
            if (count == m_ranks.size())
                m_steps.emplace(name, m_steps.size());
        }
        if (!m_steps.empty())
            return {};
        const auto firstStep = [](const RankFacts &rank) {
            return rank.steps.empty() ? std::string("none") : rank.steps.front();
        };
        return strangers(fmt::format("no step is whole in all of them ({} begins with {}, {} with {})", named(0),
                                     firstStep(m_ranks.front()), named(m_ranks.size() - 1), firstStep(m_ranks.back())),
                         m_ranks.size() - 1);
    }

    using CollectivesByRank = std::map<std::size_t, std::vector<std::size_t>>; // indices into m_ranks and RankFacts::collectives

    /// The ranks of a group by its key, "RANKS|NAME" and of collectives on hosts "|KIND" behind it: those in the key, or those
    /// that a rank which recorded it lists under its name. Empty: not listed.
    [[nodiscard]] std::vector<std::int64_t> listedRanks(const std::string &key, const CollectivesByRank &byRank) const {
        const std::size_t bar = std::min(key.find('|'), key.size());
        std::vector<std::int64_t> ranks = integersOf(key.substr(0, bar));
        const std::string name = groupName(key);
        for (auto rank = byRank.begin(); rank != byRank.end() && ranks.empty(); ++rank)
            for (const RecordedGroup &group : m_ranks[rank->first].groups)
                if (group.name == name)
                    ranks = group.ranks;
        return ranks;
    }
    static std::string groupName(const std::string &key) {
        const std::size_t bar = key.find('|');
        return bar == std::string::npos ? std::string() : key.substr(bar + 1, key.find('|', bar + 1) - bar - 1);
    }

    /// Matches the k-th collectives of each group in each step across the ranks of the group.
    Result<void> match() {
        using Key = std::pair<std::size_t, std::string>; // step, group
        std::map<Key, CollectivesByRank> lists;
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            const RankFacts &rank = m_ranks[i];
            m_result.transferOf.emplace_back(rank.collectives.size(), Nanoseconds{-1});
            for (std::size_t c = 0; c < rank.collectives.size(); ++c) {
                const RankCollective &collective = rank.collectives[c];
                if (collective.step < 0)
                    continue;
                const auto step = m_steps.find(rank.steps[static_cast<std::size_t>(collective.step)]);
                if (step != m_steps.end())
                    lists[{step->second, rank.groupKeys[collective.group]}][i].push_back(c);
            }
        }
        for (const auto &[key, byRank] : lists) {
            const std::vector<std::int64_t> listed = listedRanks(key.second, byRank);
            const std::string name = groupName(key.second);
            const bool isOfAll = listed.empty() && (name.empty() || name == "0" || name == "default_pg");
            std::vector<std::size_t> members;
            for (std::size_t i = 0; i < m_ranks.size(); ++i) {
                if (byRank.contains(i) || isOfAll || std::find(listed.begin(), listed.end(), m_ranks[i].rank) != listed.end())
                    members.push_back(i);
            }
            TRY(pair(key.first, byRank, members));
        }
        if (m_occurrences.empty())
            return strangers("no collective was recorded in which two of them take part", m_ranks.size() - 1,
                             "give ranks of one training job, or import one file at a time");
        m_result.matched = m_occurrences.size();
        return {};
    }

    Result<void> pair(std::size_t step, const CollectivesByRank &byRank, const std::vector<std::size_t> &members) {
        if (members.size() < 2)
            return {};
        const auto listOf = [&](std::size_t i) {
            const auto found = byRank.find(i);
            return found == byRank.end() ? std::vector<std::size_t>() : found->second;
        };
        const std::vector<std::size_t> first = listOf(members.front());
        std::vector<Occurrence> occurrences(first.size());
        for (const std::size_t i : members) {
            const std::vector<std::size_t> list = listOf(i);
            if (list.size() != first.size())
                return strangers(fmt::format("{} recorded {} collectives of one group in {}, {} recorded {}",
                                             named(members.front()), first.size(), nameOfStep(step), named(i), list.size()),
                                 i);
            for (std::size_t k = 0; k < list.size(); ++k) {
                const RankCollective &mine = m_ranks[i].collectives[list[k]];
                const RankCollective &theirs = m_ranks[members.front()].collectives[first[k]];
                if (mine.name != theirs.name)
                    return strangers(fmt::format("collective {} of {} is a {} on {} and a {} on {}", k, nameOfStep(step),
                                                 theirs.name, named(members.front()), mine.name, named(i)),
                                     i);
                const bool sameSize = mine.name == "allreduce" || mine.name == "broadcast" || mine.name == "reducescatter";
                if (sameSize && mine.elements > 0 && theirs.elements > 0 && mine.elements != theirs.elements)
                    return strangers(fmt::format("they train different models: {} {} of {} has {} elements on {} and {} on {}",
                                                 mine.name, k, nameOfStep(step), theirs.elements, named(members.front()),
                                                 mine.elements, named(i)),
                                     i);
                occurrences[k].members.emplace_back(i, list[k]);
            }
        }
        m_occurrences.insert(m_occurrences.end(), occurrences.begin(), occurrences.end());
        return {};
    }

    [[nodiscard]] std::string nameOfStep(std::size_t number) const {
        for (const auto &[name, step] : m_steps) {
            if (step == number)
                return name;
        }
        return "a step";
    }

    [[nodiscard]] const RankCollective &at(const std::pair<std::size_t, std::size_t> &member) const {
        return m_ranks[member.first].collectives[member.second];
    }

    /// A time of a rank on the first rank's clock; within bounds so that damaged times do not overflow.
    [[nodiscard]] Nanoseconds onFirstClock(std::size_t i, Nanoseconds time) const {
        constexpr Nanoseconds bound = std::numeric_limits<Nanoseconds>::max() / 4;
        return std::clamp(time - m_result.offsets[i], -bound, bound);
    }

    /// Spreads from the first rank: a rank's offset is the median difference of ends over collectives shared with aligned ranks.
    void alignClocks() {
        const std::size_t count = m_ranks.size();
        m_result.offsets.assign(count, 0);
        m_result.aligned.assign(count, false);
        m_result.aligned[0] = true;
        const bool onlyOneSided = std::all_of(m_occurrences.begin(), m_occurrences.end(), [&](const Occurrence &occurrence) {
            return isOneSided(at(occurrence.members.front()).name);
        });
        for (bool progress = true; progress;) {
            progress = false;
            std::vector<std::vector<Nanoseconds>> differences(count);
            for (const Occurrence &occurrence : m_occurrences) {
                if (!onlyOneSided && isOneSided(at(occurrence.members.front()).name))
                    continue;
                const auto known = std::find_if(occurrence.members.begin(), occurrence.members.end(),
                                                [&](const auto &member) { return m_result.aligned[member.first]; });
                if (known == occurrence.members.end())
                    continue;
                const Nanoseconds end = onFirstClock(known->first, at(*known).end);
                for (const auto &member : occurrence.members) {
                    if (!m_result.aligned[member.first])
                        differences[member.first].push_back(at(member).end - end);
                }
            }
            for (std::size_t i = 0; i < count; ++i) {
                if (differences[i].empty())
                    continue;
                m_result.offsets[i] = medianOf(std::move(differences[i]));
                m_result.aligned[i] = progress = true;
            }
        }
    }

    /// No rank can leave a collective before the last one arrives: if most do, these are different runs.
    Result<void> checkTimes() {
        std::uint64_t impossible = 0, checked = 0;
        std::size_t culprit = 0;
        std::vector<Nanoseconds> spreads;
        double spreadSum = 0, longestSum = 0;
        for (const Occurrence &occurrence : m_occurrences) {
            Nanoseconds lastStart = std::numeric_limits<Nanoseconds>::min(), firstEnd = std::numeric_limits<Nanoseconds>::max();
            Nanoseconds lastEnd = std::numeric_limits<Nanoseconds>::min(), longest = 0;
            std::size_t last = 0;
            for (const auto &member : occurrence.members) {
                if (!m_result.aligned[member.first])
                    continue;
                const Nanoseconds start = onFirstClock(member.first, at(member).start);
                const Nanoseconds end = onFirstClock(member.first, at(member).end);
                if (start > lastStart) {
                    lastStart = start;
                    last = member.first;
                }
                firstEnd = std::min(firstEnd, end);
                lastEnd = std::max(lastEnd, end);
                longest = std::max(longest, at(member).end - at(member).start);
            }
            if (isOneSided(at(occurrence.members.front()).name) || lastEnd < firstEnd)
                continue;
            ++checked;
            spreads.push_back(lastEnd - firstEnd);
            spreadSum += static_cast<double>(lastEnd - firstEnd);
            longestSum += static_cast<double>(longest);
            if (lastStart > firstEnd + drift) {
                ++impossible;
                culprit = last;
            }
        }
        if (impossible * 2 > checked)
            return strangers(
                fmt::format(
                    "{} of {} collectives end on one rank before {} begins them, with any clock offset: these are different runs",
                    impossible, checked, named(culprit)),
                culprit);
        m_result.endSpread = spreads.empty() ? 0 : medianOf(std::move(spreads));
        if (spreadSum > doubtfulSpread * longestSum)
            m_result.doubt =
                fmt::format("the ends of their {} collectives differ by {:.0f} % of the collectives' durations (median {}), "
                            "and ranks that run together leave a collective together",
                            checked, 100 * spreadSum / std::max(longestSum, 1.0),
                            formatSeconds(static_cast<double>(m_result.endSpread) * 1e-9));
        return {};
    }

    /// No timeline has room for both if no collective ties a rank's clock to the others, or a damaged time is decades off.
    [[nodiscard]] Result<void> checkStarts() const {
        constexpr Nanoseconds day = 86'400'000'000'000;
        for (std::size_t i = 1; i < m_ranks.size(); ++i) {
            const Nanoseconds later = m_ranks[i].zero - m_result.offsets[i] - m_ranks[0].zero;
            if (std::abs(later) > maxApart)
                return strangers(fmt::format("the trace of {} begins {} days {} that of {}{}", named(i), std::abs(later) / day,
                                             later < 0 ? "before" : "after", named(0),
                                             m_result.aligned[i] ? "" : ", and no collective ties their clocks"),
                                 i, "leave it out, or set the clocks of all hosts and record again");
        }
        return {};
    }

    /// A single step can always be aligned, whenever it was recorded; then only the ranks' own clocks give evidence.
    [[nodiscard]] std::string clocksApart() const {
        Nanoseconds latestStart = std::numeric_limits<Nanoseconds>::min(), earliestEnd = std::numeric_limits<Nanoseconds>::max();
        std::size_t late = 0, early = 0;
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            const auto &collectives = m_ranks[i].collectives;
            if (collectives.empty())
                continue;
            Nanoseconds end = collectives.front().end;
            for (const RankCollective &collective : collectives)
                end = std::max(end, collective.end);
            if (collectives.front().start > latestStart) {
                latestStart = collectives.front().start;
                late = i;
            }
            if (end < earliestEnd) {
                earliestEnd = end;
                early = i;
            }
        }
        if (latestStart <= earliestEnd || latestStart - earliestEnd < doubtfulGap)
            return {};
        return fmt::format("by their own clocks {} was recorded {} after {} had ended", named(late),
                           formatSeconds(static_cast<double>(latestStart - earliestEnd) * 1e-9), named(early));
    }

    void split() {
        m_result.count.assign(m_ranks.size(), 0);
        m_result.transferSeconds.assign(m_ranks.size(), 0);
        m_result.waitingSeconds.assign(m_ranks.size(), 0);
        for (const RankFacts &rank : m_ranks)
            m_result.matchOf.emplace_back(rank.collectives.size(), -1);
        for (const auto &[name, index] : m_steps)
            m_result.steps.push_back(name);
        std::int32_t number = 0;
        for (const Occurrence &occurrence : m_occurrences) {
            Nanoseconds shortest = std::numeric_limits<Nanoseconds>::max();
            for (const auto &member : occurrence.members)
                shortest = std::min(shortest, at(member).end - at(member).start);
            for (const auto &member : occurrence.members) {
                ++m_result.count[member.first];
                const Nanoseconds duration = at(member).end - at(member).start;
                const Nanoseconds transfer = m_result.doubt.empty() ? shortest : duration;
                m_result.transferSeconds[member.first] += static_cast<double>(transfer) * 1e-9;
                m_result.waitingSeconds[member.first] += static_cast<double>(duration - transfer) * 1e-9;
                m_result.transferOf[member.first][member.second] = m_result.doubt.empty() ? shortest : -1;
                m_result.matchOf[member.first][member.second] = number;
            }
            ++number;
        }
    }

    const std::vector<RankFacts> &m_ranks;
    std::map<std::string, std::size_t> m_steps;
    std::vector<Occurrence> m_occurrences;
    RankAlignment m_result;
};

} // namespace

bool isOneSided(const std::string &collective) { return collective == "broadcast" || collective == "reduce"; }

Result<RankAlignment> alignRanks(const std::vector<RankFacts> &ranks) { return Aligner(ranks).run(); }

} // namespace syncopate::kineto

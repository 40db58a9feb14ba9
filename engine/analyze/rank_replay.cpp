// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/rank_replay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace syncopate {

namespace {

/// The step at a time: the last one to have begun, or the first.
std::int32_t stepAt(const RankSteps &rank, Nanoseconds time) {
    const auto next = std::upper_bound(rank.steps.begin(), rank.steps.end(), time,
                                       [](Nanoseconds t, const auto &step) { return t < step.first; });
    return std::max(0, static_cast<std::int32_t>(next - rank.steps.begin()) - 1);
}

} // namespace

/// State of a replay.
struct RankReplay::Played {
    std::vector<std::vector<double>> pieceStart, pieceEnd; ///< per rank and piece
    std::vector<std::vector<double>> collectiveEnd;        ///< per rank and collective; NaN until all ranks have arrived
    std::vector<std::vector<double>> arrived;
    std::vector<std::size_t> nextPiece, nextArrival; ///< per rank
    std::vector<std::size_t> missing;                ///< per match: number of ranks that have not arrived
};

RankReplay::RankReplay(const ImportedProfile &profile) : m_profile(profile) {
    const std::size_t ranks = profile.rankSteps.size();
    m_pieces.resize(ranks);
    m_arrivals.resize(ranks);
    m_times.resize(ranks);
    m_start = std::numeric_limits<double>::infinity();
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const RankSteps &rankSteps = profile.rankSteps[rank];
        for (std::size_t c = 0; c < rankSteps.collectives.size(); ++c) {
            const auto match = static_cast<std::size_t>(rankSteps.collectives[c].match);
            if (match >= m_members.size()) {
                m_members.resize(match + 1);
                m_lastArrival.resize(match + 1, -std::numeric_limits<double>::infinity());
            }
            m_members[match].emplace_back(rank, c);
            m_lastArrival[match] = std::max(m_lastArrival[match], static_cast<double>(rankSteps.collectives[c].start));
        }
        if (!rankSteps.steps.empty())
            m_start = std::min(m_start, static_cast<double>(rankSteps.steps.front().first));
        collectPieces(rank);
        findWaits(rank);
        findArrivals(rank);
    }
}

void RankReplay::collectPieces(std::size_t rank) {
    const RankSteps &rankSteps = m_profile.rankSteps[rank];
    if (rankSteps.steps.empty())
        return;
    const Nanoseconds from = rankSteps.steps.front().first, to = rankSteps.steps.back().second;
    std::vector<std::pair<Nanoseconds, Nanoseconds>> spans;
    for (const Lane &lane : m_profile.timeline.lanes) {
        if (!lane.isCompute || lane.worker != static_cast<std::int32_t>(rank))
            continue;
        for (std::size_t s = 0; s < lane.size(); ++s)
            if (!isCommunication(lane.category[s]) && lane.start[s] >= from && lane.start[s] < to)
                spans.emplace_back(lane.start[s], lane.end[s]);
    }
    std::sort(spans.begin(), spans.end());
    Nanoseconds until = from;
    for (const auto &[start, end] : spans) { // concurrent streams count once
        const Nanoseconds begin = std::max(start, until);
        if (end <= begin)
            continue;
        m_pieces[rank].push_back({static_cast<double>(begin), static_cast<double>(end), -1, stepAt(rankSteps, begin)});
        until = end;
    }
}

void RankReplay::findWaits(std::size_t rank) {
    std::vector<RankPiece> &pieces = m_pieces[rank];
    const std::vector<RankedCollective> &collectives = m_profile.rankSteps[rank].collectives;
    std::vector<std::int32_t> byEnd(collectives.size());
    for (std::size_t c = 0; c < byEnd.size(); ++c)
        byEnd[c] = static_cast<std::int32_t>(c);
    const auto startOf = [&](std::int32_t c) { return static_cast<double>(collectives[static_cast<std::size_t>(c)].start); };
    const auto endOf = [&](std::int32_t c) { return static_cast<double>(collectives[static_cast<std::size_t>(c)].end); };
    std::stable_sort(byEnd.begin(), byEnd.end(), [&](std::int32_t a, std::int32_t b) { return endOf(a) < endOf(b); });
    RankTimes &times = m_times[rank];
    times.busy.assign(stepCount(), 0);
    times.own.assign(stepCount(), 0);
    std::size_t next = 0; // index into byEnd
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        const double before = p > 0 ? pieces[p - 1].end : static_cast<double>(m_profile.rankSteps[rank].steps.front().first);
        std::vector<std::int32_t> ended; // collectives that ended in the gap before this piece
        for (; next < byEnd.size() && endOf(byEnd[next]) <= pieces[p].start; ++next)
            if (endOf(byEnd[next]) > before && startOf(byEnd[next]) < pieces[p].start) // one of no duration follows the work
                ended.push_back(byEnd[next]);
        if (!ended.empty())
            pieces[p].collective = ended.back();
        const auto step = static_cast<std::size_t>(pieces[p].step);
        times.busy[step] += pieces[p].end - pieces[p].start;
        times.own[step] += pieces[p].end - before - waitedIn(rank, ended, before);
    }
}

/// Length, after `from`, of the union of collectives that are sorted by end.
double RankReplay::waitedIn(std::size_t rank, const std::vector<std::int32_t> &ended, double from) const {
    double waited = 0, start = std::numeric_limits<double>::infinity(); // start of the counted time, going backwards
    for (auto it = ended.rbegin(); it != ended.rend(); ++it) {
        const RankedCollective &collective = m_profile.rankSteps[rank].collectives[static_cast<std::size_t>(*it)];
        const double begin = std::max(from, static_cast<double>(collective.start));
        const double end = std::min(start, static_cast<double>(collective.end));
        waited += std::max(0.0, end - begin);
        start = std::min(start, begin);
    }
    return waited;
}

void RankReplay::findArrivals(std::size_t rank) {
    const std::vector<RankPiece> &pieces = m_pieces[rank];
    const RankSteps &rankSteps = m_profile.rankSteps[rank];
    std::map<std::uint32_t, std::vector<std::int32_t>> groups; // collectives so far, by their ends
    const auto endOf = [&](std::int32_t c) { return rankSteps.collectives[static_cast<std::size_t>(c)].end; };
    for (std::size_t c = 0; c < rankSteps.collectives.size(); ++c) {
        const RankedCollective &collective = rankSteps.collectives[c];
        Arrival arrival;
        arrival.at = static_cast<double>(collective.start);
        arrival.step = stepAt(rankSteps, collective.start);
        const auto after = std::upper_bound(pieces.begin(), pieces.end(), arrival.at,
                                            [](double time, const RankPiece &piece) { return time < piece.start; });
        arrival.piece = static_cast<std::int32_t>(after - pieces.begin()) - 1;
        std::vector<std::int32_t> &group = groups[collective.group];
        const auto running = std::upper_bound(group.begin(), group.end(), collective.start,
                                              [&](Nanoseconds time, std::int32_t other) { return time < endOf(other); });
        if (running != group.begin())
            arrival.before = *std::prev(running);
        m_arrivals[rank].push_back(arrival);
        group.insert(std::upper_bound(group.begin(), group.end(), collective.end,
                                      [&](Nanoseconds end, std::int32_t other) { return end < endOf(other); }),
                     static_cast<std::int32_t>(c));
    }
}

double RankReplay::workStart(std::size_t rank, std::size_t piece, double factor, const Played &played) const {
    const RankPiece &rankPiece = m_pieces[rank][piece];
    const double begin = static_cast<double>(m_profile.rankSteps[rank].steps.front().first);
    const double recorded = piece > 0 ? m_pieces[rank][piece - 1].end : begin;
    const double before = piece > 0 ? played.pieceEnd[rank][piece - 1] : begin;
    if (rankPiece.collective < 0)
        return before + (rankPiece.start - recorded) * factor;
    const auto c = static_cast<std::size_t>(rankPiece.collective);
    const double pause = rankPiece.start - static_cast<double>(m_profile.rankSteps[rank].collectives[c].end);
    return std::max(before, played.collectiveEnd[rank][c]) + pause * factor;
}

double RankReplay::arrival(std::size_t rank, std::size_t collective, double factor, const Played &played) const {
    const Arrival &own = m_arrivals[rank][collective];
    const double begin = static_cast<double>(m_profile.rankSteps[rank].steps.front().first);
    double recorded = begin, cause = begin;
    if (own.piece >= 0) {
        const RankPiece &piece = m_pieces[rank][static_cast<std::size_t>(own.piece)];
        const bool hadEnded = piece.end <= own.at; // otherwise the collective began during the piece
        recorded = hadEnded ? piece.end : piece.start;
        cause = (hadEnded ? played.pieceEnd : played.pieceStart)[rank][static_cast<std::size_t>(own.piece)];
    }
    if (own.before >= 0) {
        const auto before = static_cast<std::size_t>(own.before);
        recorded = std::max(recorded, static_cast<double>(m_profile.rankSteps[rank].collectives[before].end));
        cause = std::max(cause, played.collectiveEnd[rank][before]);
    }
    return cause + (own.at - recorded) * factor;
}

void RankReplay::complete(std::size_t match, Played &played) const {
    double last = -std::numeric_limits<double>::infinity();
    for (const auto &[rank, c] : m_members[match])
        last = std::max(last, played.arrived[rank][c]);
    for (const auto &[rank, c] : m_members[match]) {
        const auto recorded = static_cast<double>(m_profile.rankSteps[rank].collectives[c].end);
        played.collectiveEnd[rank][c] = last + (recorded - m_lastArrival[match]);
    }
}

/// Plays on until the rank must wait for something unfinished; returns false if that is so at once.
bool RankReplay::advance(std::size_t rank, const std::vector<double> &factors, Played &played) const {
    const std::vector<RankPiece> &pieces = m_pieces[rank];
    const std::vector<Arrival> &arrivals = m_arrivals[rank];
    std::size_t &p = played.nextPiece[rank], &c = played.nextArrival[rank];
    const auto isOpen = [&](std::int32_t collective) {
        return collective >= 0 && std::isnan(played.collectiveEnd[rank][static_cast<std::size_t>(collective)]);
    };
    bool moved = false;
    for (;; moved = true) {
        // Collectives that began before the next work come first, so that the collective that the work waits for has been
        // reached.
        if (c < arrivals.size() && arrivals[c].piece < static_cast<std::int32_t>(p) && !isOpen(arrivals[c].before)) {
            played.arrived[rank][c] = arrival(rank, c, factors[static_cast<std::size_t>(arrivals[c].step)], played);
            const RankedCollective &collective = m_profile.rankSteps[rank].collectives[c];
            const auto match = static_cast<std::size_t>(collective.match);
            if (collective.leavesEarly)
                played.collectiveEnd[rank][c] = played.arrived[rank][c] + static_cast<double>(collective.end - collective.start);
            else if (--played.missing[match] == 0)
                complete(match, played);
            ++c;
        } else if (p < pieces.size() && !isOpen(pieces[p].collective)) {
            const double factor = factors[static_cast<std::size_t>(pieces[p].step)];
            played.pieceStart[rank][p] = workStart(rank, p, factor, played);
            played.pieceEnd[rank][p] = played.pieceStart[rank][p] + (pieces[p].end - pieces[p].start) * factor;
            ++p;
        } else {
            return moved;
        }
    }
}

Result<std::vector<double>> RankReplay::play(const std::vector<std::vector<double>> &factors, const std::stop_token &stop) const {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    Played played;
    for (std::size_t rank = 0; rank < rankCount(); ++rank) {
        played.pieceStart.emplace_back(m_pieces[rank].size(), unknown);
        played.pieceEnd.emplace_back(m_pieces[rank].size(), unknown);
        played.collectiveEnd.emplace_back(m_arrivals[rank].size(), unknown);
        played.arrived.emplace_back(m_arrivals[rank].size(), unknown);
    }
    played.nextPiece.assign(rankCount(), 0);
    played.nextArrival.assign(rankCount(), 0);
    for (const auto &members : m_members)
        played.missing.push_back(members.size());
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t rank = 0; rank < rankCount(); ++rank) {
            if (stop.stop_requested())
                return cancelled();
            moved = advance(rank, factors[rank], played) || moved;
        }
    }
    std::vector<double> ends(stepCount(), m_start);
    for (std::size_t rank = 0; rank < rankCount(); ++rank) {
        if (played.nextPiece[rank] < m_pieces[rank].size() || played.nextArrival[rank] < m_arrivals[rank].size())
            return fail("the times of the ranks contradict each other: one waits for a collective that waits for it",
                        "record the ranks in the same steps, on hosts whose clocks are kept in step");
        for (std::size_t p = 0; p < m_pieces[rank].size(); ++p) {
            double &end = ends[static_cast<std::size_t>(m_pieces[rank][p].step)];
            end = std::max(end, played.pieceEnd[rank][p]);
        }
        for (std::size_t c = 0; c < m_arrivals[rank].size(); ++c) {
            double &end = ends[static_cast<std::size_t>(m_arrivals[rank][c].step)];
            end = std::max(end, played.collectiveEnd[rank][c]);
        }
    }
    return ends;
}

} // namespace syncopate

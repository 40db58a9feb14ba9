// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Moves chunks between all processes as motifs do: the ground truth that the engine's proof is compared with.

#include "tests/plan/random_motifs.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace syncopate::testing {

/// A random valid order of the motifs.
inline std::vector<std::size_t> randomOrder(const std::vector<Motif> &motifs, Rng &rng) {
    std::vector<std::size_t> order;
    std::vector<bool> done(motifs.size(), false);
    while (order.size() < motifs.size()) {
        const auto m = static_cast<std::size_t>(upTo(rng, motifs.size()));
        const auto &after = motifs[m].after;
        if (done[m] ||
            !std::all_of(after.begin(), after.end(), [&](int before) { return done[static_cast<std::size_t>(before)]; }))
            continue;
        done[m] = true;
        order.push_back(m);
    }
    return order;
}

/// The members of every group of a motif, by their index in it.
inline std::vector<std::vector<int>> groupsOf(const ProcessGroup &group, int processes) {
    const int size = group.sizeAmong(processes);
    std::map<std::pair<int, int>, std::vector<int>> groups;
    for (int p = 0; p < processes; ++p)
        if (p % group.every == 0)
            groups[{p % group.stride, p / (group.stride * size)}].push_back(p);
    std::vector<std::vector<int>> all;
    for (auto &[key, members] : groups)
        all.push_back(std::move(members));
    return all;
}

/// How often each process has contributed to a chunk.
using Sum = std::map<int, int>;
inline const Sum undefinedContents{{-1, 1}}; ///< no sum with it is a collective's result

/// Buffers of `parts` times as many chunks as processes; chunk c belongs to process c mod N in a scattered buffer.
class Buffers {
public:
    Buffers(CollectiveKind kind, int processes, int parts)
        : m_kind(kind), m_processes(processes), m_chunks(processes * parts),
          m_held(static_cast<std::size_t>(processes), std::vector<Sum>(static_cast<std::size_t>(processes * parts))) {
        for (int p = 0; p < processes; ++p)
            for (int c = 0; c < m_chunks; ++c)
                if (kind == CollectiveKind::Broadcast ? p == 0 : kind != CollectiveKind::AllGather || c % processes == p)
                    at(p, c) = {{p, 1}};
                else
                    at(p, c) = undefinedContents;
    }

    void run(const Motif &motif) {
        const int shards = motif.group.stride / motif.group.every;
        for (const auto &members : groupsOf(motif.group, m_processes))
            for (int c = motif.segment.index * m_chunks / motif.segment.of;
                 c < (motif.segment.index + 1) * m_chunks / motif.segment.of; ++c) {
                const int owner = c % m_processes;
                if (owner % shards == members[0] / motif.group.every % shards)
                    move(motif, members, c, static_cast<std::size_t>(owner / shards) % members.size());
            }
    }

    [[nodiscard]] bool isDone() {
        Sum all;
        for (int p = 0; p < m_processes; ++p)
            all[p] = 1;
        for (int p = 0; p < m_processes; ++p)
            for (int c = 0; c < m_chunks; ++c) {
                const int owner = c % m_processes;
                const bool counts = m_kind == CollectiveKind::Reduce          ? p == 0
                                    : m_kind == CollectiveKind::ReduceScatter ? p == owner
                                                                              : true;
                const Sum wanted = m_kind == CollectiveKind::Broadcast   ? Sum{{0, 1}}
                                   : m_kind == CollectiveKind::AllGather ? Sum{{owner, 1}}
                                                                         : all;
                if (counts && at(p, c) != wanted)
                    return false;
            }
        return true;
    }

private:
    Sum &at(int p, int c) { return m_held[static_cast<std::size_t>(p)][static_cast<std::size_t>(c)]; }

    void add(const Sum &from, Sum &to) {
        for (const auto &[process, times] : from)
            to[process] += times;
    }

    void move(const Motif &motif, const std::vector<int> &members, int c, std::size_t ownerIndex) {
        if (motif.spline.of > 1)
            return sendDirectly(motif, members, c, static_cast<int>(ownerIndex));
        const CollectiveKind kind = motif.kind;
        const int owner = members[ownerIndex];
        Sum sum;
        for (const int p : members)
            add(at(p, c), sum);
        if (kind == CollectiveKind::Broadcast || kind == CollectiveKind::AllGather)
            sum = at(kind == CollectiveKind::Broadcast ? members[0] : owner, c);
        for (const int p : members) {
            if (kind == CollectiveKind::Reduce && p != members[0])
                continue;
            at(p, c) = kind == CollectiveKind::ReduceScatter && p != owner ? undefinedContents : sum;
        }
    }

    /// Every message of the spline: member i sends to the members cn/k to (c+1)n/k - 1 ahead; or the first member to, or hears
    /// from, members cn/k to (c+1)n/k - 1.
    void sendDirectly(const Motif &motif, const std::vector<int> &members, int c, int owner) {
        const int n = static_cast<int>(members.size()), begin = n * motif.spline.index / motif.spline.of,
                  end = n * (motif.spline.index + 1) / motif.spline.of;
        for (int number = begin; number < end; ++number) {
            const bool rooted = motif.kind == CollectiveKind::Broadcast || motif.kind == CollectiveKind::Reduce;
            for (int sender = 0; sender < n; ++sender) {
                int receiver = (sender + number) % n;
                if (rooted && motif.kind == CollectiveKind::Broadcast)
                    receiver = sender == 0 ? number : sender;
                else if (rooted)
                    receiver = sender == number ? 0 : sender;
                const bool isOfChunk = rooted || (motif.kind == CollectiveKind::AllGather ? sender : receiver) == owner;
                if (receiver == sender || !isOfChunk)
                    continue;
                Sum &from = at(members[static_cast<std::size_t>(sender)], c),
                    &to = at(members[static_cast<std::size_t>(receiver)], c);
                if (motif.kind == CollectiveKind::Broadcast || motif.kind == CollectiveKind::AllGather)
                    to = from;
                else
                    add(from, to);
                if (motif.kind == CollectiveKind::ReduceScatter)
                    from = undefinedContents;
            }
        }
    }

    CollectiveKind m_kind;
    int m_processes, m_chunks;
    std::vector<std::vector<Sum>> m_held; ///< processes x chunks
};

inline bool isAllToAll(const std::vector<Motif> &motifs, const std::vector<std::size_t> &order, int processes, int parts) {
    for (int part = 0; part < parts; ++part) {
        std::vector<std::vector<int>> at(static_cast<std::size_t>(processes),
                                         std::vector<int>(static_cast<std::size_t>(processes)));
        for (int s = 0; s < processes; ++s)
            std::fill(at[static_cast<std::size_t>(s)].begin(), at[static_cast<std::size_t>(s)].end(), s);
        std::vector<std::vector<int>> moves = at;
        for (auto &row : moves)
            std::fill(row.begin(), row.end(), 1);
        for (const std::size_t m : order) {
            const Motif &motif = motifs[m];
            if (part * motif.segment.of < motif.segment.index * parts ||
                part * motif.segment.of >= (motif.segment.index + 1) * parts)
                continue;
            const int size = motif.group.sizeAmong(processes), stride = motif.group.stride;
            for (int s = 0; s < processes; ++s)
                for (int d = 0; d < processes; ++d) {
                    const int hop = (d / stride % size - s / stride % size + size) % size;
                    if (hop * motif.spline.of < motif.spline.index * size ||
                        hop * motif.spline.of >= (motif.spline.index + 1) * size)
                        continue;
                    int &place = at[static_cast<std::size_t>(s)][static_cast<std::size_t>(d)];
                    place += (d / stride % size - place / stride % size) * stride;
                    moves[static_cast<std::size_t>(s)][static_cast<std::size_t>(d)] *= size;
                }
        }
        // The routed levels multiply to all processes: none left out, none twice.
        for (int s = 0; s < processes; ++s)
            for (int d = 0; d < processes; ++d)
                if (at[static_cast<std::size_t>(s)][static_cast<std::size_t>(d)] != d ||
                    moves[static_cast<std::size_t>(s)][static_cast<std::size_t>(d)] != processes)
                    return false;
    }
    return true;
}

/// Whether every process gets exactly the chunk of its predecessor.
inline bool isPermute(const std::vector<Motif> &motifs, int processes, int parts) {
    for (int part = 0; part < parts; ++part) {
        std::vector<std::vector<int>> got(static_cast<std::size_t>(processes)); // by receiver: the senders
        for (const Motif &motif : motifs) {
            if (motif.kind != CollectiveKind::Permute || motif.group.sizeAmong(processes) != processes || motif.group.every != 1)
                return false;
            for (int source = 0; source < processes; ++source)
                if (part * motif.segment.of >= motif.segment.index * parts &&
                    part * motif.segment.of < (motif.segment.index + 1) * parts &&
                    source * motif.spline.of >= motif.spline.index * processes &&
                    source * motif.spline.of < (motif.spline.index + 1) * processes)
                    got[static_cast<std::size_t>((source + 1) % processes)].push_back(source);
        }
        for (int p = 0; p < processes; ++p)
            if (got[static_cast<std::size_t>(p)] != std::vector<int>{(p + processes - 1) % processes})
                return false;
    }
    return true;
}

/// Whether the motifs, run in a random order, are equivalent to the collective.
inline bool isWhole(CollectiveKind kind, const std::vector<Motif> &motifs, int processes, Rng &rng) {
    int parts = 1;
    for (const Motif &motif : motifs)
        parts = std::lcm(parts, motif.segment.of);
    const auto order = randomOrder(motifs, rng);
    if (kind == CollectiveKind::AllToAll)
        return isAllToAll(motifs, order, processes, parts);
    if (kind == CollectiveKind::Permute)
        return isPermute(motifs, processes, parts);
    Buffers buffers(kind, processes, parts);
    for (const std::size_t m : order)
        buffers.run(motifs[m]);
    return buffers.isDone();
}

} // namespace syncopate::testing

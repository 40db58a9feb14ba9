// SPDX-License-Identifier: GPL-3.0-or-later
// Motifs, compared with the collective that they replace: chunks are moved one by one, and each process ends up with its data.
#include "engine/base/rng.h"
#include "engine/plan/motif.h"
#include "tests/checks.h"

#include <QtTest>
#include <map>
#include <set>
#include <utility>

using namespace syncopate;

namespace {

constexpr int chunks = 24; ///< of the payload, so that 2, 3, 4, 6, 8 segments end between chunks

/// The contributors to a chunk held by a process, by (process, chunk).
using Held = std::map<std::pair<int, int>, std::multiset<int>>;

bool isIn(const Slice &slice, int index, int count) {
    return index * slice.of >= slice.index * count && index * slice.of < (slice.index + 1) * count;
}

/// All-to-all: chunk c for destination d at source s goes to d. Returns a count of (d, s, c) received at each destination.
std::map<std::tuple<int, int, int>, int> receivedByAll(const std::vector<Motif> &motifs, int processes) {
    std::map<std::tuple<int, int, int>, int> received;
    for (const Motif &motif : motifs)
        for (int source = 0; source < processes; ++source)
            for (int hop = 0; hop < processes; ++hop)
                if (isIn(motif.spline, hop, processes))
                    for (int c = 0; c < chunks; ++c)
                        if (isIn(motif.segment, c, chunks))
                            ++received[{(source + hop) % processes, source, c}];
    return received;
}

/// All-reduce by motifs: every process holds the sum over all in every chunk, each contribution once.
Held reducedByAll(const std::vector<Motif> &motifs, int processes) {
    Held held;
    std::map<int, std::multiset<int>> scattered; ///< by chunk: the sum at its owner after a reduce-scatter
    for (const Motif &motif : motifs)
        for (int c = 0; c < chunks; ++c) {
            if (!isIn(motif.segment, c, chunks))
                continue;
            std::multiset<int> everyone;
            for (int p = 0; p < processes; ++p)
                everyone.insert(p);
            if (motif.kind == CollectiveKind::ReduceScatter)
                scattered[c].insert(everyone.begin(), everyone.end());
            for (int p = 0; p < processes; ++p) {
                if (motif.kind == CollectiveKind::AllReduce)
                    held[{p, c}].insert(everyone.begin(), everyone.end());
                if (motif.kind == CollectiveKind::AllGather)
                    held[{p, c}].insert(scattered[c].begin(), scattered[c].end());
            }
        }
    return held;
}

bool isAllReduce(const std::vector<Motif> &motifs, int processes) {
    std::multiset<int> everyone;
    for (int p = 0; p < processes; ++p)
        everyone.insert(p);
    const Held held = reducedByAll(motifs, processes);
    if (held.size() != static_cast<std::size_t>(processes) * chunks)
        return false;
    return std::all_of(held.begin(), held.end(), [&](const auto &entry) { return entry.second == everyone; });
}

bool isAllToAll(const std::vector<Motif> &motifs, int processes) {
    const auto received = receivedByAll(motifs, processes);
    if (received.size() != static_cast<std::size_t>(processes) * static_cast<std::size_t>(processes) * chunks)
        return false;
    return std::all_of(received.begin(), received.end(), [](const auto &entry) { return entry.second == 1; });
}

} // namespace

class TestMotif : public QObject {
    Q_OBJECT

private slots:
    /// The motifs of cutMotifs() are equivalent to the collective, and checkMotifs() confirms it.
    void cutsAreTheWhole() {
        for (const int processes : {4, 6, 12})
            for (const int segments : {1, 2, 3, 4, 8})
                for (const int splines : {1, 2}) {
                    const auto all = cutMotifs(CollectiveKind::AllToAll, {segments, splines, false});
                    QCOMPARE(all.size(), static_cast<std::size_t>(segments * splines));
                    QVERIFY(isAllToAll(all, processes));
                    VERIFY_VALUE(checkMotifs(CollectiveKind::AllToAll, all, processes));
                    for (const bool ring : {false, true}) {
                        const auto reduce = cutMotifs(CollectiveKind::AllReduce, {segments, 1, ring});
                        QVERIFY(isAllReduce(reduce, processes));
                        VERIFY_VALUE(checkMotifs(CollectiveKind::AllReduce, reduce, processes));
                    }
                }
    }

    /// Random sets of motifs, valid ones that were cut further and invalid ones: checkMotifs() agrees with moving the chunks.
    void checkAgreesWithMovingChunks() {
        Rng rng(7);
        const auto upTo = [&rng](int n) { return static_cast<int>(rng.next() % static_cast<std::uint64_t>(n)); };
        int right = 0;
        for (int round = 0; round < 2000; ++round) {
            const bool reduce = upTo(2) == 0;
            const CollectiveKind kind = reduce ? CollectiveKind::AllReduce : CollectiveKind::AllToAll;
            constexpr int counts[]{1, 2, 3, 4};
            auto motifs = cutMotifs(kind, {counts[upTo(4)], reduce ? 1 : counts[upTo(2)], false});
            if (upTo(2) == 0) { // cut one of them further
                const Motif cut = motifs.back();
                motifs.pop_back();
                for (int half = 0; half < 2; ++half) {
                    Motif part = cut;
                    part.segment = {2 * cut.segment.index + half, 2 * cut.segment.of};
                    motifs.push_back(part);
                }
            }
            const int damage = upTo(4);
            if (damage == 0)
                motifs.pop_back();
            else if (damage == 1)
                motifs.push_back(motifs.front());
            else if (damage == 2)
                motifs.front().segment.index = (motifs.front().segment.index + 1) % motifs.front().segment.of;
            const bool whole = !motifs.empty() && (reduce ? isAllReduce(motifs, 4) : isAllToAll(motifs, 4));
            right += whole;
            QCOMPARE(checkMotifs(kind, motifs, 4).has_value(), whole);
        }
        COMPARE_ABOVE(right, 300);
        COMPARE_BELOW(right, 1700);
    }

    /// Halves of halves, first of the payload and then of the pattern: the smallest of them, 2^-32 of the whole, is missed.
    void theSmallestPieceIsMissed() {
        std::vector<Motif> motifs;
        for (std::int32_t of = 2; of <= 65536; of *= 2)
            motifs.push_back({CollectiveKind::AllToAll, {of - 2, of}, {}, {}, {}});
        for (std::int32_t of = 2; of <= 65536; of *= 2)
            motifs.push_back({CollectiveKind::AllToAll, {65535, 65536}, {of - 2, of}, {}, {}});
        const auto part = checkMotifs(CollectiveKind::AllToAll, motifs, 65536);
        QVERIFY(!part.has_value());
        QVERIFY2(part.error().what.find("leave out a part") != std::string::npos, part.error().toString().c_str());
        motifs.push_back({CollectiveKind::AllToAll, {65535, 65536}, {65535, 65536}, {}, {}});
        VERIFY_VALUE(checkMotifs(CollectiveKind::AllToAll, motifs, 65536));
    }

    /// An all-gather that does not wait for its reduce-scatter gathers no result.
    void gathersWaitForWhatTheyGather() {
        auto motifs = cutMotifs(CollectiveKind::AllReduce, {2, 1, true});
        VERIFY_VALUE(checkMotifs(CollectiveKind::AllReduce, motifs, 4));
        motifs[3].after = {0};
        QVERIFY(!checkMotifs(CollectiveKind::AllReduce, motifs, 4).has_value());
        motifs[3].after = {};
        QVERIFY(!checkMotifs(CollectiveKind::AllReduce, motifs, 4).has_value());
        motifs.pop_back();
        motifs[1].segment = {0, 1}; // gathers everything, but lists the reduce-scatter of its first half twice
        std::swap(motifs[1], motifs[2]);
        motifs[2].after = {0, 0};
        QVERIFY(!checkMotifs(CollectiveKind::AllReduce, motifs, 4).has_value());
    }

    /// The bytes of the motifs add up to the whole's: B (N-1)/N for an all-to-all, twice that for an all-reduce.
    void bytesAddUp() {
        const auto sum = [](CollectiveKind kind, const MotifCut &cut, int processes) {
            double bytes = 0;
            for (const Motif &motif : cutMotifs(kind, cut))
                bytes += sentBytes(motif, 1200, processes);
            return bytes;
        };
        COMPARE_CLOSE(sum(CollectiveKind::AllToAll, {}, 4), 900);
        COMPARE_CLOSE(sum(CollectiveKind::AllToAll, {3, 2, false}, 4), 900);
        COMPARE_CLOSE(sum(CollectiveKind::AllReduce, {}, 4), 1800);
        COMPARE_CLOSE(sum(CollectiveKind::AllReduce, {4, 1, true}, 4), 1800);
        // Splines of a gather send as much as its ring; the root of a broadcast sends all of it to each of the three others.
        COMPARE_CLOSE(sum(CollectiveKind::AllGather, {3, 2, false}, 4), 900);
        COMPARE_CLOSE(sum(CollectiveKind::ReduceScatter, {1, 4, false}, 4), 900);
        COMPARE_CLOSE(sum(CollectiveKind::Broadcast, {2, 2, false}, 4), 3600);
        COMPARE_CLOSE(sum(CollectiveKind::Reduce, {1, 4, false}, 4), 3600);
        COMPARE_CLOSE(sum(CollectiveKind::Broadcast, {2, 1, false}, 4), 1200);
        // tests/data/measured/plan/README.md: of two splines among four, one carries a third, to the next host, the other two
        // thirds.
        const auto splines = cutMotifs(CollectiveKind::AllToAll, {1, 2, false});
        COMPARE_CLOSE(sentBytes(splines[0], 1200, 4), 300);
        COMPARE_CLOSE(sentBytes(splines[1], 1200, 4), 600);
    }
};

QTEST_APPLESS_MAIN(TestMotif)
#include "tst_motif.moc"

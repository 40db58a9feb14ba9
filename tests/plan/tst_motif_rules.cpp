// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the motif algebra, composed at random, compared with the collective that they rewrite: every chunk is moved among all
// processes, in a random order among those that the plan allows.
#include "tests/checks.h"
#include "tests/plan/random_motifs.h"

#include <QtTest>
#include <algorithm>
#include <map>
#include <numeric>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// A random valid order of the motifs.
std::vector<std::size_t> randomOrder(const std::vector<Motif> &motifs, Rng &rng) {
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
std::vector<std::vector<int>> groupsOf(const ProcessGroup &group, int processes) {
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
const Sum undefinedContents{{-1, 1}}; ///< any sum of it is none that a collective wants

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
                    move(motif.kind, members, c, members[static_cast<std::size_t>(owner / shards) % members.size()]);
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

    void move(CollectiveKind kind, const std::vector<int> &members, int c, int owner) {
        Sum sum;
        for (const int p : members)
            for (const auto &[from, times] : at(p, c))
                sum[from] += times;
        if (kind == CollectiveKind::Broadcast || kind == CollectiveKind::AllGather)
            sum = at(kind == CollectiveKind::Broadcast ? members[0] : owner, c);
        for (const int p : members) {
            if (kind == CollectiveKind::Reduce && p != members[0])
                continue;
            at(p, c) = kind == CollectiveKind::ReduceScatter && p != owner ? undefinedContents : sum;
        }
    }

    CollectiveKind m_kind;
    int m_processes, m_chunks;
    std::vector<std::vector<Sum>> m_held; ///< processes x chunks
};

bool isAllToAll(const std::vector<Motif> &motifs, const std::vector<std::size_t> &order, int processes, int parts) {
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
bool isPermute(const std::vector<Motif> &motifs, int processes, int parts) {
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
bool isWhole(CollectiveKind kind, const std::vector<Motif> &motifs, int processes, Rng &rng) {
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

} // namespace

class TestMotifRules : public QObject {
    Q_OBJECT

private slots:
    /// All results of the rules equal the collective, both by the engine's proof and by moving all chunks.
    void compositionsAreTheCollective() {
        Rng rng(3);
        std::map<CollectiveKind, int> grouped;
        for (int round = 0; round < 700; ++round) {
            const CollectiveKind kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
            const int processes = std::array{4, 6, 12, 16, 24}[static_cast<std::size_t>(upTo(rng, 5))];
            const auto motifs = composed(kind, processes, rng);
            const auto checked = checkMotifs(kind, motifs, processes);
            QVERIFY2(checked.has_value(), checked ? "" : (textOf(motifs) + checked.error().toString()).c_str());
            for (int order = 0; order < 3; ++order)
                QVERIFY2(isWhole(kind, motifs, processes, rng), textOf(motifs).c_str());
            grouped[kind] += std::any_of(motifs.begin(), motifs.end(), [kind](const Motif &motif) {
                return kind == CollectiveKind::Permute ? motif.spline.of > 1 && motif.segment.of > 1 : motif.group.size > 0;
            });
        }
        for (const CollectiveKind kind : kinds)
            COMPARE_AT_LEAST(grouped[kind], 20);
    }

    /// A damaged plan is rejected, or still computes the collective in every order that it allows.
    void damagedCompositionsAreRefused() {
        Rng rng(5);
        int refused = 0, accepted = 0;
        for (int round = 0; round < 1050; ++round) {
            const CollectiveKind kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
            const int processes = std::array{4, 8, 12}[static_cast<std::size_t>(upTo(rng, 3))];
            auto motifs = composed(kind, processes, rng);
            if (kind != CollectiveKind::Permute &&
                std::none_of(motifs.begin(), motifs.end(), [](const Motif &motif) { return motif.group.size > 0; }))
                continue;
            Motif &hit = motifs[static_cast<std::size_t>(upTo(rng, motifs.size()))];
            switch (upTo(rng, 5)) {
            case 0:
                hit.after.clear();
                break;
            case 1:
                hit.group = {};
                break;
            case 2:
                hit.kind = kinds[static_cast<std::size_t>(upTo(rng, kinds.size()))];
                break;
            case 3:
                hit.segment = {0, 2 * hit.segment.of};
                break;
            default:
                hit.group.stride *= 2;
                break;
            }
            if (!checkMotifs(kind, motifs, processes)) {
                ++refused;
                continue;
            }
            ++accepted;
            for (int order = 0; order < 5; ++order)
                QVERIFY2(isWhole(kind, motifs, processes, rng), textOf(motifs).c_str());
        }
        COMPARE_AT_LEAST(refused, 150);
        COMPARE_ABOVE(accepted, 20); // those without dependencies
    }

    /// All-to-alls in groups of four and across them: without the first of two splines across, every chunk of the few
    /// representative processes is in place, but those to the next group are not.
    void aSplineThatIsLeftOutIsMissed() {
        const Motif inside{.kind = CollectiveKind::AllToAll, .group = {.size = 4}};
        std::vector<Motif> motifs{inside};
        for (const std::int32_t spline : {0, 1})
            motifs.push_back(
                {.kind = CollectiveKind::AllToAll, .spline = {spline, 2}, .after = {0}, .group = {.size = 4, .stride = 4}});
        VERIFY_VALUE(checkMotifs(CollectiveKind::AllToAll, motifs, 16));
        for (const std::ptrdiff_t missing : {1, 2}) {
            std::vector<Motif> some = motifs;
            some.erase(some.begin() + missing);
            QVERIFY2(!checkMotifs(CollectiveKind::AllToAll, some, 16), qPrintable(QString("without motif %1").arg(missing)));
        }
    }

    /// A tree of fan-in 8 among 128: two levels of reduces, an all-reduce of the two roots, two levels of broadcasts.
    void treesAreRecursive() {
        const auto tree = cutMotifs(CollectiveKind::AllReduce, {.tree = 8}, 128);
        QCOMPARE(tree.size(), std::size_t{5});
        QVERIFY((tree[0].group == ProcessGroup{8, 1, 1}) && tree[0].kind == CollectiveKind::Reduce);
        QVERIFY((tree[1].group == ProcessGroup{8, 8, 8}) && tree[1].kind == CollectiveKind::Reduce);
        QVERIFY((tree[2].group == ProcessGroup{2, 64, 64}) && tree[2].kind == CollectiveKind::AllReduce);
        QVERIFY(tree[4].kind == CollectiveKind::Broadcast && tree[4].group == tree[0].group);
        VERIFY_VALUE(checkMotifs(CollectiveKind::AllReduce, tree, 128));
        const auto cut = cutMotifs(CollectiveKind::AllReduce, {.segments = 2, .partition = 8}, 128);
        QCOMPARE(cut.size(), std::size_t{6});
        QVERIFY((cut[5].after == std::vector<std::int32_t>{4}) && cut[3].after.empty());
        VERIFY_VALUE(checkMotifs(CollectiveKind::AllReduce, cut, 128));
        // Many processes do not cost more: only the number of levels counts.
        VERIFY_VALUE(checkMotifs(CollectiveKind::AllReduce, cutMotifs(CollectiveKind::AllReduce, {.tree = 256}, 65536), 65536));
    }

    /// A permute performed by half of the senders, twice by some, within groups, or by another collective is not accepted;
    /// neither is a part of one.
    void permutesAreProvedToo() {
        const auto halves = cutMotifs(CollectiveKind::Permute, {.splines = 2});
        QVERIFY(checkMotifs(CollectiveKind::Permute, halves, 8).has_value());
        QVERIFY(!checkMotifs(CollectiveKind::Permute, halves, 7).has_value());
        QVERIFY(!checkMotifs(CollectiveKind::Permute, {halves[0]}, 8).has_value());
        QVERIFY(!checkMotifs(CollectiveKind::Permute, {halves[0], halves[0]}, 8).has_value());
        QVERIFY(!checkMotifs(CollectiveKind::Permute, {halves[0], {CollectiveKind::Permute}}, 8).has_value());
        QVERIFY(!checkMotifs(CollectiveKind::Permute, {{CollectiveKind::Permute, {}, {}, {}, {4, 1}}}, 8).has_value());
        for (const CollectiveKind kind : kinds) {
            const bool same = kind == CollectiveKind::Permute;
            QVERIFY(checkMotifs(CollectiveKind::Permute, {{kind}}, 8).has_value() == same);
            QVERIFY(checkMotifs(kind, {{CollectiveKind::Permute}}, 8).has_value() == same);
        }
    }

    /// Contents that are undefined are nobody's zeros: what a reduce-scatter leaves of other members' parts, and buffers that an
    /// all-gather or a broadcast has yet to fill.
    void undefinedContentsAreNotSummedUp() {
        const auto twoOf = [](CollectiveKind first, CollectiveKind second) {
            return std::vector<Motif>{{first}, {second, {}, {}, {0}, {}}};
        };
        using enum CollectiveKind;
        QVERIFY(!checkMotifs(AllReduce, twoOf(ReduceScatter, AllReduce), 4).has_value());
        QVERIFY(!checkMotifs(Reduce, twoOf(ReduceScatter, Reduce), 4).has_value());
        QVERIFY(!checkMotifs(AllGather, {{AllReduce}}, 4).has_value());
        QVERIFY(!checkMotifs(Broadcast, twoOf(Reduce, Broadcast), 4).has_value());
        VERIFY_VALUE(checkMotifs(AllReduce, twoOf(ReduceScatter, AllGather), 4));
        VERIFY_VALUE(checkMotifs(AllReduce, twoOf(Reduce, Broadcast), 4));
    }

    /// Plans whose proof would take minutes are rejected: correct broadcasts, repeated, at eight levels and in 500
    /// parts.
    void proofsHaveAnEnd() {
        std::vector<Motif> motifs{{CollectiveKind::Broadcast}};
        for (std::int32_t m = 0; m < 500; ++m)
            motifs.push_back({CollectiveKind::Broadcast, {}, {}, {m}, {2, 1 << (m % 8), 1 << (m % 8)}});
        VERIFY_VALUE(checkMotifs(CollectiveKind::Broadcast, motifs, 256));
        for (std::int32_t m = 0; m < 500; ++m)
            motifs.push_back({CollectiveKind::Broadcast, {m, 500}, {}, {500}, {}});
        const auto checked = checkMotifs(CollectiveKind::Broadcast, motifs, 256);
        QVERIFY(!checked.has_value());
        QCOMPARE(QString::fromStdString(checked.error().what), QStringLiteral("the motifs are too many to be proved"));
    }

    void rulesRefuseWhatTheyAreNotFor() {
        const std::vector<Motif> allToAll{{CollectiveKind::AllToAll}}, reduce{{CollectiveKind::AllReduce}};
        QVERIFY(!rewriteMotif(allToAll, 0, MotifRule::Ring, 1, 8).has_value());
        QVERIFY(!rewriteMotif(reduce, 0, MotifRule::Spline, 2, 8).has_value());
        QVERIFY(!rewriteMotif(reduce, 0, MotifRule::Tree, 3, 8).has_value());
        QVERIFY(!rewriteMotif(reduce, 0, MotifRule::Partition, 8, 8).has_value());
        QVERIFY(!rewriteMotif(reduce, 1, MotifRule::Segment, 2, 8).has_value());
        QVERIFY(!rewriteMotif(reduce, 0, MotifRule::Segment, 100'000, 8).has_value());
        const std::vector<Motif> permute{{CollectiveKind::Permute}};
        for (const MotifRule rule : {MotifRule::Ring, MotifRule::Tree, MotifRule::Partition})
            QVERIFY(!rewriteMotif(permute, 0, rule, 2, 8).has_value());
        QVERIFY(!rewriteMotif(permute, 0, MotifRule::Spline, 3, 8).has_value());
        QVERIFY(rewriteMotif(permute, 0, MotifRule::Spline, 4, 8).has_value());
        // The parts left by an inner reduce-scatter have no single root.
        const auto groups = rewriteMotif(reduce, 0, MotifRule::Partition, 4, 16);
        VERIFY_VALUE(groups);
        QVERIFY(!rewriteMotif(*groups, 1, MotifRule::Tree, 2, 16).has_value());
        VERIFY_VALUE(rewriteMotif(*groups, 1, MotifRule::Ring, 1, 16));
    }
};

QTEST_APPLESS_MAIN(TestMotifRules)
#include "tst_motif_rules.moc"

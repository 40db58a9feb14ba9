// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the motif algebra, composed at random, compared with the collective that they rewrite: every chunk is moved among all
// processes, in a random order among those that the plan allows.
#include "tests/checks.h"
#include "tests/plan/moved_chunks.h"
#include "tests/plan/random_motifs.h"

#include <QtTest>
#include <algorithm>
#include <map>
#include <set>
#include <string>

using namespace syncopate;
using namespace syncopate::testing;

class TestMotifRules : public QObject {
    Q_OBJECT

private slots:
    /// The motifs of a collective have names of their own, so that the levels of a tree and of a hierarchy can be told apart.
    void motifsAreToldApart() {
        for (const MotifCut &cut : {MotifCut{.tree = 2}, MotifCut{.segments = 2, .tree = 2}, MotifCut{.partition = 4}}) {
            std::set<std::string> names;
            const std::vector<Motif> motifs = cutMotifs(CollectiveKind::AllReduce, cut, 16);
            for (const Motif &motif : motifs)
                names.insert(nameOf(motif));
            QCOMPARE(names.size(), motifs.size());
        }
    }

    /// All results of the rules equal the collective, both by the engine's proof and by moving all chunks.
    void compositionsAreTheCollective() {
        Rng rng(3);
        std::map<CollectiveKind, int> grouped, splined;
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
            for (const Motif &motif : motifs)
                splined[motif.kind] += motif.spline.of > 1 && (motif.kind != kind || motif.group.size > 0);
        }
        for (const CollectiveKind kind : kinds) {
            COMPARE_AT_LEAST(grouped[kind], 20);
            if (kind != CollectiveKind::Permute && kind != CollectiveKind::AllReduce)
                COMPARE_AT_LEAST(splined[kind], 20); // of groups, or of a ring
        }
    }

    /// A damaged plan is rejected, or still computes the collective in every order that it allows.
    void damagedCompositionsAreRefused() {
        Rng rng(5);
        int refused = 0, accepted = 0;
        for (int round = 0; round < 1050; ++round) {
            const CollectiveKind kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
            const int processes = std::array{4, 8, 12}[static_cast<std::size_t>(upTo(rng, 3))];
            auto motifs = composed(kind, processes, rng);
            if (kind != CollectiveKind::Permute && std::none_of(motifs.begin(), motifs.end(), [](const Motif &motif) {
                    return motif.group.size > 0 || motif.spline.of > 1;
                }))
                continue;
            Motif &hit = motifs[static_cast<std::size_t>(upTo(rng, motifs.size()))];
            switch (upTo(rng, 6)) {
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
            case 4:
                hit.spline = {(hit.spline.index + 1) % hit.spline.of, hit.spline.of};
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
        COMPARE_ABOVE(accepted, 20); // motifs without dependencies
    }

    /// All-to-alls in groups of four and across them: without the first of two splines across, every chunk of the few
    /// representative processes is in place, but the messages to the next group are not.
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

    /// All splines of a kind are the whole, one fewer or one twice is not: for the collective itself, and for a step of one,
    /// where a following motif has to wait for each of them.
    void splinesDoTheirShareOnce() {
        Rng rng(1);
        using enum CollectiveKind;
        for (const CollectiveKind kind : {AllGather, ReduceScatter, Broadcast, Reduce})
            for (const std::int32_t k : {2, 4, 8}) {
                const auto splines = cutMotifs(kind, {.splines = k});
                VERIFY_VALUE(checkMotifs(kind, splines, 8));
                VERIFY_VALUE(checkMotifs(kind, splines, 65536));
                QVERIFY(isWhole(kind, splines, 8, rng));
                auto some = splines;
                some.pop_back();
                QVERIFY(!checkMotifs(kind, some, 8) && !isWhole(kind, some, 8, rng));
                some.push_back(some.front());
                QVERIFY(!checkMotifs(kind, some, 8));
            }
        for (const CollectiveKind kind : {Reduce, ReduceScatter}) {
            const auto steps = rewriteMotif({{kind}}, 0, MotifRule::Partition, 4, 16);
            VERIFY_VALUE(steps);
            const auto splines = rewriteMotif(*steps, 0, MotifRule::Spline, 4, 16);
            VERIFY_VALUE(splines);
            QCOMPARE(splines->size(), std::size_t{5});
            VERIFY_VALUE(checkMotifs(kind, *splines, 16));
            for (std::size_t missing = 1; missing < 4; ++missing) { // the first one has no sender
                auto early = *splines, twice = *splines;
                early[4].after.erase(early[4].after.begin() + static_cast<std::ptrdiff_t>(missing));
                const auto checked = checkMotifs(kind, early, 16);
                QVERIFY(!checked && checked.error().what.find("does not wait") != std::string::npos);
                twice[0] = twice[missing];
                QVERIFY(!checkMotifs(kind, twice, 16));
            }
        }
        // The parts that a ring gathers are complete when all splines of its reduce-scatter are done.
        auto ring = *rewriteMotif(cutMotifs(AllReduce, {.ring = true}), 0, MotifRule::Spline, 2, 4);
        ring = *rewriteMotif(ring, 2, MotifRule::Spline, 4, 4);
        QCOMPARE(ring.size(), std::size_t{6});
        VERIFY_VALUE(checkMotifs(AllReduce, ring, 4));
        VERIFY_VALUE(checkMotifs(AllReduce, ring, 256));
        QVERIFY(!checkMotifs(AllReduce, ring, 512)); // all processes are moved among
        ring[5].after = {0};
        QVERIFY(!checkMotifs(AllReduce, ring, 4));
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

    /// Undefined contents are not zeros: other members' parts after a reduce-scatter, and buffers that an all-gather or a
    /// broadcast has yet to fill.
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
        const auto splined = rewriteMotif(reduce, 0, MotifRule::Spline, 2, 8);
        QVERIFY(!splined && splined.error().what.find("by way of a ring or a tree") != std::string::npos);
        for (const CollectiveKind kind : {CollectiveKind::AllGather, CollectiveKind::Broadcast}) {
            const std::vector<Motif> half{{kind, {}, {1, 2}, {}, {}}};
            QVERIFY(!rewriteMotif(half, 0, MotifRule::Partition, 2, 8).has_value()); // a spline has no steps
            QVERIFY(!rewriteMotif(half, 0, MotifRule::Spline, 8, 8).has_value());
            VERIFY_VALUE(rewriteMotif(half, 0, MotifRule::Spline, 4, 8));
        }
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

// SPDX-License-Identifier: GPL-3.0-or-later
// Costs of motifs: the bytes that they send, splines and permutes against all processes, incast, launches and bounds.
#include "engine/plan/incast.h"
#include "tests/checks.h"
#include "tests/plan/random_motifs.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>

using namespace syncopate;
using namespace syncopate::testing;

class TestMotifCosts : public QObject {
    Q_OBJECT

private slots:
    /// The bytes of the pieces: hierarchical all-reduce sends (7/8 + 7/8) B within a node and 2 * 15/16 * B/8 across.
    void piecesSendTheirShare() {
        const auto cut = cutMotifs(CollectiveKind::AllReduce, {.partition = 8}, 128);
        COMPARE_CLOSE(sentBytes(cut[0], 1024, 128), 896.0, 1e-9);
        COMPARE_CLOSE(sentBytes(cut[1], 1024, 128), 2 * 15.0 / 16 * 128, 1e-9);
        COMPARE_CLOSE(sentBytes(cut[2], 1024, 128), 896.0, 1e-9);
    }

    /// Compared with all processes and their peers: a permute takes as long as its slowest transfer.
    void permutesTakeTheSlowestTransfer() {
        Rng rng(21);
        for (int round = 0; round < 400; ++round) {
            MotifCosts costs;
            costs.processesPerNode = std::array{1, 2, 4, 8}[static_cast<std::size_t>(upTo(rng, 4))];
            const int processes = costs.processesPerNode * std::array{2, 3, 4, 16}[static_cast<std::size_t>(upTo(rng, 4))];
            const Channel channel{"c", {"l"}, 1.0 + upTo(rng, 4), 0.25};
            const double local = 1.0 + upTo(rng, 40);
            costs.localRates = {{"l", local}};
            DagOp op{.name = "x", .collective = CollectiveKind::Permute, .sizeBytes = 1000};
            if (upTo(rng, 2) == 0 && costs.processesPerNode > 1) // within nodes, or across them
                op.group = upTo(rng, 2) == 0 ? ProcessGroup{costs.processesPerNode, 1, 1}
                                             : ProcessGroup{processes / costs.processesPerNode, costs.processesPerNode, 1};
            const int members = op.group.sizeAmong(processes), stride = op.group.stride;
            op.shift = 1 + upTo(rng, static_cast<std::size_t>(members) - 1);
            if (upTo(rng, 2) == 0)
                op.shift -= members;
            double slowest = 0;
            for (int p = 0; p < processes; ++p) {
                const int member = p / stride % members, peer = p + ((member + op.shift + members) % members - member) * stride;
                const bool leaves = p / costs.processesPerNode != peer / costs.processesPerNode;
                slowest = std::max(slowest, 0.25 + 1000 / (leaves ? channel.bandwidthBytesPerSecond : local));
            }
            const std::string which = std::to_string(op.shift) + " of " + std::to_string(members);
            COMPARE_CLOSE(costs.seconds({CollectiveKind::Permute}, op, processes, channel), slowest, 1e-12, About(which));
        }
    }

    /// Three neighbours on nodes of eight: 6, 7 and 8 are on two, where 8 gets the others' parts over its one card. Twelve: the
    /// node with four of them gets the other eight's parts over four cards. Groups that stay inside a node leave none.
    void groupsAcrossNodesLeaveThem() {
        MotifCosts costs;
        costs.processesPerNode = 8;
        const double bytes = 1200, card = 2, local = 1000;
        costs.localRates = {{"l", local}};
        const auto seconds = [&](CollectiveKind kind, std::int32_t members) {
            DagOp op{.name = "x", .collective = kind, .sizeBytes = bytes};
            op.group = {members, 1};
            return costs.seconds({kind}, op, 24, {"c", {"l"}, card, 0});
        };
        for (const CollectiveKind kind : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter, CollectiveKind::AllToAll}) {
            const About about{std::string(nameOf(kind))};
            COMPARE_CLOSE(seconds(kind, 3), bytes * 2 / 3 / card, 1e-12, about);
            COMPARE_AT_LEAST(seconds(kind, 12), bytes * 8 / 12 / (4 * card), about);
            COMPARE_CLOSE(seconds(kind, 4), bytes * 3 / 4 / local, 1e-12, about);
            // Groups of different sizes are planned only where each stays inside a node or fills nodes, as 3 + 5 on one of eight.
            DagOp uneven{.name = "x", .collective = kind, .sizeBytes = bytes};
            uneven.groupSizes = {3, 5};
            COMPARE_CLOSE(costs.seconds({kind}, uneven, 8, {"c", {"l"}, card, 0}), bytes * 4 / 5 / local, 1e-12, about);
        }
    }

    /// In n splines an all-to-all of n processes is n - 1 permutes of one step, by 1 to n - 1, besides the piece that a process
    /// keeps; fewer splines share the steps of the whole between them.
    void splinesShareTheStepsOfTheWhole() {
        const MotifCosts costs;
        const Channel channel{"c", {"l"}, 16, 0.25};
        for (const std::int32_t n : {2, 4, 6, 64}) {
            const About about(std::to_string(n) + " processes");
            const DagOp all{.name = "a", .collective = CollectiveKind::AllToAll, .sizeBytes = 1000};
            DagOp one{.name = "p", .collective = CollectiveKind::Permute, .sizeBytes = 1000.0 / n};
            for (one.shift = 1; one.shift < n; ++one.shift)
                COMPARE_CLOSE(costs.seconds({CollectiveKind::AllToAll, {}, {one.shift, n}, {}, {}}, all, n, channel),
                              costs.seconds({CollectiveKind::Permute}, one, n, channel), 1e-12, about);
            for (std::int32_t k = 1; k <= n; ++k) {
                if (n % k != 0)
                    continue;
                double seconds = 0;
                for (const Motif &motif : cutMotifs(CollectiveKind::AllToAll, {.splines = k}))
                    seconds += costs.seconds(motif, all, n, channel);
                COMPARE_CLOSE(seconds, (n - 1) * (0.25 + 1000.0 / n / 16), 1e-12, about);
            }
        }
    }

    /// Splines of other kinds send directly: on equal hosts a gather's share the steps and bytes of its ring between them, the
    /// root of a broadcast sends all of it to each. Compared with every message, one after the other at the busiest process.
    void splinesOfSumsAndCopiesAreMessages() {
        const Channel channel{"c", {"l"}, 16, 0.25};
        MotifCosts costs;
        const auto seconds = [&](CollectiveKind kind, std::int32_t k, std::int32_t n) {
            double sum = 0;
            for (const Motif &motif : cutMotifs(kind, {.splines = k}))
                sum += costs.seconds(motif, 1000, n, channel);
            return sum;
        };
        for (const std::int32_t n : {4, 12})
            for (const std::int32_t k : {2, 4}) {
                for (const CollectiveKind kind : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter}) {
                    COMPARE_CLOSE(seconds(kind, k, n), (n - 1) * (0.25 + 1000.0 / n / 16), 1e-12);
                    COMPARE_CLOSE(seconds(kind, k, n), seconds(kind, 1, n), 1e-12);
                }
                for (const CollectiveKind kind : {CollectiveKind::Broadcast, CollectiveKind::Reduce})
                    COMPARE_CLOSE(seconds(kind, k, n), (n - 1) * (0.25 + 1000.0 / 16), 1e-12);
            }
        // Nodes of four, members counted one by one: of the broadcast's six splines only the first has some on the root's node.
        costs.processesPerNode = 4;
        costs.localRates = {{"l", 64}};
        for (std::int32_t c = 0; c < 2; ++c) {
            double inside = 0, outside = 0;
            for (int member = 6 * c; member < 6 * (c + 1); ++member)
                (member < 4 ? inside : outside) += member == 0 ? 0 : 1000;
            for (const CollectiveKind kind : {CollectiveKind::Broadcast, CollectiveKind::Reduce})
                COMPARE_CLOSE(costs.seconds({kind, {}, {c, 2}, {}, {}}, 1000, 12, channel),
                              (6 - (c == 0)) * 0.25 + std::max(inside / 64, outside / 16), 1e-12);
        }
    }

    /// Where several send to one at once, splines have incast; a broadcast has one sender.
    void splinesHaveIncast() {
        const MotifCosts costs;
        const Channel lossy{"c", {"l"}, 1, 0, 0.5};
        const auto seconds = [&](CollectiveKind kind) { return costs.seconds({kind, {}, {1, 2}, {}, {}}, 16, 16, lossy); };
        COMPARE_CLOSE(seconds(CollectiveKind::AllGather), 8 * (1 + 0.5 * std::log2(8)));
        COMPARE_CLOSE(seconds(CollectiveKind::ReduceScatter), 8 * (1 + 0.5 * std::log2(8)));
        COMPARE_CLOSE(seconds(CollectiveKind::Reduce), 8 * 16 * (1 + 0.5 * std::log2(8)));
        COMPARE_CLOSE(seconds(CollectiveKind::Broadcast), 8 * 16);
    }

    /// Unmeasured splines: a share of the whole's time by the bytes that they send, of its own kind before an all-reduce's.
    void splinesTakeTheirShareOfWhatWasMeasured() {
        MotifCosts costs;
        const Channel channel{"c", {"l"}, 1, 0};
        const auto seconds = [&](CollectiveKind kind, Slice spline) {
            return costs.seconds({kind, {}, spline, {}, {}}, 1e6, 4, channel);
        };
        costs.curves = {{CollectiveKind::AllReduce, "l", {}, {{1e6, 12.0}}}};
        COMPARE_CLOSE(seconds(CollectiveKind::AllGather, {1, 2}), 6 * 2.0 / 3);
        costs.curves.push_back({CollectiveKind::AllGather, "l", {}, {{1e6, 9.0}}});
        COMPARE_CLOSE(seconds(CollectiveKind::AllGather, {0, 2}), 3);
        COMPARE_CLOSE(seconds(CollectiveKind::AllGather, {1, 2}), 6);
        COMPARE_CLOSE(seconds(CollectiveKind::ReduceScatter, {1, 2}), 6 * 2.0 / 3);
        costs.curves.push_back({CollectiveKind::Broadcast, "l", {}, {{1e6, 5.0}}});
        COMPARE_CLOSE(seconds(CollectiveKind::Broadcast, {1, 2}), 10); // to two, each as long as the whole
        costs.curves.push_back({CollectiveKind::Broadcast, "l", {1, 2}, {{1e6, 7.0}}});
        COMPARE_CLOSE(seconds(CollectiveKind::Broadcast, {1, 2}), 7);
    }

    /// Incast slows down several senders to one receiver over the NIC, by a share per doubling; splines have fewer senders,
    /// segments as many as the whole.
    void incastIsOfWideAllToAlls() {
        MotifCosts costs;
        Channel channel{"c", {"l"}, 1, 0};
        const auto seconds = [&](const MotifCut &cut, CollectiveKind kind = CollectiveKind::AllToAll) {
            double sum = 0;
            for (const Motif &motif : cutMotifs(kind, cut))
                sum += costs.seconds(motif, 16, 16, channel);
            return sum;
        };
        COMPARE_CLOSE(seconds({}), 15.);
        COMPARE_CLOSE(seconds({.splines = 4}), 15.);
        const double reduce = seconds({}, CollectiveKind::AllReduce);
        channel.incast = 0.5;
        COMPARE_CLOSE(seconds({}), 15 * (1 + 0.5 * std::log2(15)));
        COMPARE_CLOSE(seconds({.segments = 4}), 15 * (1 + 0.5 * std::log2(15)));
        COMPARE_CLOSE(seconds({.splines = 4}), 3 * (1 + 0.5 * std::log2(3)) + 12 * 2.0); // the first keeps one for itself
        COMPARE_CLOSE(seconds({.splines = 16}), 15.);
        COMPARE_CLOSE(seconds({}, CollectiveKind::AllReduce), reduce);
        costs.processesPerNode = 4; // twelve are on other nodes; within the node nothing is lost
        costs.localRates = {{"l", 1e9}};
        COMPARE_CLOSE(seconds({}), 12 * (1 + 0.5 * std::log2(12)));
        costs.processesPerNode = 16;
        COMPARE_CLOSE(seconds({}), 15 / 1e9);
    }

    /// Collectives that were measured with a known cost of dispatching yield it. Every piece that was not measured itself pays it
    /// once, and measured pieces cost no more than measured.
    void launchesAreMeasuredBySplines() {
        constexpr double launch = 0.003;
        constexpr std::int32_t n = 4;
        const Channel channel{"fast", {"e0"}, 125e6, 0};
        const auto measuredSeconds = [&](const Motif &motif, double bytes) {
            return launch + sentBytes(motif, bytes, n) / channel.bandwidthBytesPerSecond;
        };
        MotifCosts costs;
        COMPARE_CLOSE(costs.launchSecondsOn(channel), 0);
        for (const Motif &motif :
             {Motif{CollectiveKind::AllReduce}, Motif{CollectiveKind::AllToAll},
              Motif{CollectiveKind::AllToAll, {}, {0, 2}, {}, {}}, Motif{CollectiveKind::AllToAll, {}, {1, 2}, {}, {}}}) {
            costs.curves.push_back({motif.kind, "e0", motif.spline, {}});
            for (const double bytes : {65536., 1e6, 4e6})
                costs.curves.back().samples.push_back({bytes, measuredSeconds(motif, bytes)});
        }
        COMPARE_CLOSE(costs.launchSecondsOn(channel), launch);
        COMPARE_CLOSE(costs.launchSecondsOn({"slow", {"e1"}, 5e7, 0}), 0);
        const auto seconds = [&](CollectiveKind kind, const MotifCut &cut) {
            double sum = 0;
            for (const Motif &motif : cutMotifs(kind, cut, n))
                sum += costs.seconds(motif, 2e6, n, channel);
            return sum;
        };
        const double sent = 0.75 * 2e6 / channel.bandwidthBytesPerSecond;
        for (const std::int32_t k : {1, 2, 4}) // the four were not measured
            COMPARE_CLOSE(seconds(CollectiveKind::AllToAll, {.splines = k}), k * launch + sent, 1e-9, About(std::to_string(k)));
        COMPARE_CLOSE(seconds(CollectiveKind::AllReduce, {}), launch + 2 * sent);
        COMPARE_CLOSE(seconds(CollectiveKind::AllReduce, {.ring = true}), 2 * launch + 2 * sent);
        COMPARE_CLOSE(seconds(CollectiveKind::Broadcast, {}), launch + 2e6 / channel.bandwidthBytesPerSecond); // by the model
        const DagOp op{.name = "a", .sizeBytes = 2e6};
        COMPARE_CLOSE(costs.launchSecondsOf({CollectiveKind::AllToAll}, op, n, channel), 0); // in its curve
        COMPARE_CLOSE(costs.launchSecondsOf({CollectiveKind::AllGather}, op, n, channel), launch);
        costs.curves.front().samples.front().seconds = launch / 3; // no launch is longer than a whole collective
        COMPARE_CLOSE(costs.launchSecondsOf({CollectiveKind::AllGather}, op, n, channel), launch / 3);
    }

    /// Times measured under a known incast yield that incast, at any latency of the collective.
    void incastIsFitted() {
        MotifCosts costs;
        const MotifCosts model;
        const Channel channel{"fast", {"e0"}, 125e6, 0};
        Channel lossy = channel;
        lossy.incast = 0.37;
        for (const Slice spline : {Slice{0, 1}, Slice{0, 2}, Slice{1, 2}}) {
            MotifCurve curve{CollectiveKind::AllToAll, "e0", spline, {}};
            for (double bytes = 65536; bytes < 1e8; bytes *= 4)
                curve.samples.push_back(
                    {bytes, 0.002 + model.seconds({CollectiveKind::AllToAll, {}, spline, {}, {}}, bytes, 4, lossy)});
            costs.curves.push_back(curve);
        }
        const auto fit = fitIncast(costs, channel, 4);
        QVERIFY(fit.has_value());
        COMPARE_CLOSE(fit->incast, 0.37, 1e-6);
        QCOMPARE(fit->curves, 2); // in the first spline one process sends to one
        COMPARE_AT_MOST(fit->worstError, 1e-6);
        QVERIFY(!fitIncast(costs, {"slow", {"e1"}, 5e7, 0}, 4).has_value());
    }

    /// On nodes of several processes bytes inside a node may take longer than those to others, until incast lengthens these. Two
    /// nodes of eight: a process sends 8/16 of its bytes to eight on the other node, 7/16 to seven on its own. Its first spline
    /// of two goes to seven others, all of them on the other node at worst.
    void incastBeyondLinksInsideNodesIsFitted() {
        MotifCosts costs;
        costs.processesPerNode = costs.largestNode = 8;
        costs.localRates = {{"e0", 12e9}};
        const Channel channel{"fast", {"e0"}, 25e9, 0};
        const auto measure = [&](double wholePerByte, double splinePerByte) {
            costs.curves.clear();
            for (const auto &[spline, perByte] : {std::pair(Slice{0, 1}, wholePerByte), std::pair(Slice{0, 2}, splinePerByte)}) {
                MotifCurve curve{CollectiveKind::AllToAll, "e0", spline, {}};
                for (double bytes = 65536; bytes < 1e8; bytes *= 4)
                    curve.samples.push_back({bytes, 0.002 + bytes * perByte});
                costs.curves.push_back(curve);
            }
        };
        constexpr double incast = 0.37, inside = 7.0 / 16 / 12e9;
        const double whole = 8.0 / 16 / 25e9 * (1 + incast * 3), spline = 7.0 / 16 / 25e9 * (1 + incast * std::log2(7));
        COMPARE_ABOVE(whole, inside);
        COMPARE_BELOW(spline, inside); // so it takes as long as without incast
        measure(whole, inside);
        const auto fit = fitIncast(costs, channel, 16);
        QVERIFY(fit.has_value());
        COMPARE_CLOSE(fit->incast, incast, 1e-6);
        QCOMPARE(fit->curves, 2);
        COMPARE_AT_MOST(fit->worstError, 1e-6);
        // What no incast explains is missed, and said to be: nothing is faster than the links inside.
        measure(inside / 1.25, inside / 1.25);
        const auto missed = fitIncast(costs, channel, 16);
        QVERIFY(missed.has_value());
        QCOMPARE(missed->incast, 0.0);
        COMPARE_CLOSE(missed->worstError, 0.25, 1e-6);
        // An incast that takes more than 1 to be longer than the bytes inside.
        costs.localRates = {{"e0", 3e9}};
        measure(8.0 / 16 / 25e9 * (1 + 10 * 3), 7.0 / 16 / 25e9 * (1 + 10 * std::log2(7)));
        const auto large = fitIncast(costs, channel, 16);
        QVERIFY(large.has_value());
        COMPARE_CLOSE(large->incast, 10.0, 1e-6);
    }

    /// No composition is faster than the bytes that must cross around processes or nodes allow.
    void cutBoundsAreNeverBeaten() {
        Rng rng(9);
        double closest = 1e300;
        for (int round = 0; round < 600; ++round) {
            const CollectiveKind kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
            MotifCosts costs;
            costs.processesPerNode = std::array{1, 2, 4, 8}[static_cast<std::size_t>(upTo(rng, 4))];
            const int processes = costs.processesPerNode * std::array{1, 2, 3, 4, 16}[static_cast<std::size_t>(upTo(rng, 5))];
            if (processes < 2)
                continue;
            const Channel channel{"c", {"l"}, 1.0 + upTo(rng, 4), 0};
            costs.localRates = {{"l", 1.0 + upTo(rng, 40)}};
            DagOp op{.name = "x", .collective = kind, .sizeBytes = 1000};
            op.shift = 1 + upTo(rng, static_cast<std::size_t>(processes) - 1);
            const auto motifs = composed(kind, processes, rng);
            double seconds = 0; // one channel runs them sequentially
            for (const Motif &motif : motifs)
                seconds += costs.seconds(motif, op, processes, channel);
            for (const auto cut : {MotifCosts::Cut::Process, MotifCosts::Cut::Node}) {
                const double bound = costs.cutBoundSeconds(op, processes, channel, cut);
                COMPARE_AT_LEAST(seconds, bound * (1 - 1e-9), About(textOf(motifs)));
                closest = std::min(closest, seconds / bound);
            }
        }
        COMPARE_CLOSE(closest, 1.0, 1e-6); // and some compositions reach it
    }

    /// Of groups of three on nodes of eight, one has members on two nodes: it may use links inside and between them, which may be
    /// the faster ones. Where all processes share one node, it only uses those inside.
    void groupsMayLieAcrossNodes() {
        MotifCosts costs;
        costs.processesPerNode = costs.largestNode = 8;
        costs.localRates = {{"l", 10}};
        const Channel channel{"c", {"l"}, 50, 0};
        for (const CollectiveKind kind : kinds) {
            DagOp op{.name = "x", .collective = kind, .sizeBytes = 900, .group = {3, 1}};
            const double seconds = costs.seconds({kind}, op, 24, channel);
            for (const auto cut : {MotifCosts::Cut::Process, MotifCosts::Cut::Node})
                COMPARE_AT_LEAST(seconds, costs.cutBoundSeconds(op, 24, channel, cut) * (1 - 1e-9),
                                 About(std::string(nameOf(kind))));
            COMPARE_AT_LEAST(costs.seconds({kind}, op, 6, channel), seconds * 2, About(std::string(nameOf(kind))));
        }
        const DagOp all{.name = "x", .collective = CollectiveKind::AllReduce, .sizeBytes = 900};
        COMPARE_CLOSE(costs.seconds({CollectiveKind::AllReduce}, all, 6, channel), 2 * 5.0 / 6 * 900 / 10, 1e-12);
        COMPARE_CLOSE(costs.cutBoundSeconds(all, 6, channel, MotifCosts::Cut::Process), 2 * 5.0 / 6 * 900 / 10, 1e-12);
    }

    /// Every motif, of any size, pays the cluster's time to launch a collective; a measured one has it in its time.
    void motifsPayTheClustersLaunch() {
        Cluster cluster = uniformCluster(4, 10);
        cluster.namedChannels = {{"e0", {"e0"}, 1e9, 1e-5}};
        const DagOp op{.name = "g", .collective = CollectiveKind::AllReduce, .sizeBytes = 1e6};
        const auto secondsOf = [&](std::int32_t segments) {
            const MotifCosts costs = modelledCosts(cluster, cluster.namedChannels);
            double seconds = 0;
            for (const Motif &motif : cutMotifs(CollectiveKind::AllReduce, {.segments = segments}))
                seconds += costs.seconds(motif, op, 4, cluster.namedChannels.front());
            return seconds;
        };
        const double whole = secondsOf(1), cut = secondsOf(8);
        cluster.host.collectiveSeconds = 3e-3;
        COMPARE_CLOSE(secondsOf(1), whole + 3e-3, 1e-12);
        COMPARE_CLOSE(secondsOf(8), cut + 8 * 3e-3, 1e-12);
        MotifCosts measured = modelledCosts(cluster, cluster.namedChannels);
        measured.curves = {{CollectiveKind::AllReduce, "e0", {}, {{1e6, 5e-3}}}};
        COMPARE_CLOSE(measured.seconds({CollectiveKind::AllReduce}, op, 4, cluster.namedChannels.front()), 5e-3, 1e-12);
    }
};

QTEST_APPLESS_MAIN(TestMotifCosts)
#include "tst_motif_costs.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Cost curves and their crossovers: compared with the crossing of two alpha-beta lines, with brute force over random lines, and
// with the costs themselves where they were measured.
#include "engine/base/rng.h"
#include "engine/plan/planned_costs.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QtTest>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr double kibi = 1024, gibi = 1024.0 * 1024 * 1024;

/// alpha + beta * size at these sizes.
CostCurve line(double alpha, double beta, const std::vector<double> &sizes) {
    CostCurve curve;
    for (const double size : sizes)
        curve.points.push_back({size, alpha + beta * size});
    return curve;
}

double costOf(const CostCurve &curve, const DagOp &like, std::int32_t processes, const std::vector<Channel> &channels,
              const MotifCosts &costs, double size) {
    DagOp op = like;
    op.sizeBytes = size;
    double seconds = 0;
    for (const Motif &motif : cutMotifs(*op.collective, curve.cut, op.group.sizeAmong(processes)))
        seconds += costs.seconds(motif, op, processes, channels[curve.channel.index()]);
    return seconds;
}

} // namespace

class TestCostCurves : public QObject {
    Q_OBJECT

private slots:
    /// An all-to-all of B bytes among 7 takes 6 L + 6/7 B / W: two such lines cross at 7 (L1 - L2) / (1 / W2 - 1 / W1).
    void twoChannelsCrossWhereTheirLinesDo() {
        const std::vector<Channel> channels{{"far", {"far"}, 1e9, 2e-4}, {"near", {"near"}, 2e8, 1e-5}};
        const DagOp like = commOp("a", CollectiveKind::AllToAll, 1, {});
        const double want = 7 * (2e-4 - 1e-5) / (1 / 2e8 - 1 / 1e9);
        const CostCurves made = costCurves(like, 7, channels, {}, kibi, gibi);
        QCOMPARE(made.curves.size(), std::size_t{2}); // 7 has no divisor
        QCOMPARE(made.crossovers.size(), std::size_t{1});
        const Crossover &crossover = made.crossovers.front();
        QVERIFY(crossover.below == 1 && crossover.above == 0 && crossover.isOfFastest);
        COMPARE_CLOSE(crossover.sizeBytes, want, 1e-9);
        COMPARE_CLOSE(crossover.seconds, 6 * 2e-4 + 6.0 / 7 * want / 1e9, 1e-9);
        // None outside of the given range.
        QVERIFY(costCurves(like, 7, channels, {}, 2 * want, gibi).crossovers.empty());
        QVERIFY(costCurves(like, 7, channels, {}, kibi, want / 2).crossovers.empty());
        // Among 4 there are other cuts, too: groups of 2 take one step less, and a third more bytes.
        const CostCurves more = costCurves(like, 4, channels, {}, kibi, gibi);
        QCOMPARE(more.curves.size(), std::size_t{8}); // whole, 2 and 4 splines, groups of 2, on two channels
        const auto found = std::find_if(more.crossovers.begin(), more.crossovers.end(),
                                        [](const Crossover &each) { return each.below == 3 && each.above == 0; });
        QVERIFY(found != more.crossovers.end()); // 2 L + B / W against 3 L + 3/4 B / W
        COMPARE_CLOSE(found->sizeBytes, 4 * 2e-4 * 1e9, 1e-9);
    }

    void randomLinesCrossWhereTheyDo() {
        Rng rng(3);
        for (int run = 0; run < 40; ++run) {
            std::vector<double> sizes{1};
            while (sizes.size() < 12)
                sizes.push_back(sizes.back() * rng.uniform(1.1, 4));
            std::vector<CostCurve> curves;
            std::vector<std::pair<double, double>> lines;
            for (int c = 0; c < 5; ++c) {
                lines.emplace_back(rng.uniform(0, 50), rng.uniform(0.001, 2));
                curves.push_back(line(lines.back().first, lines.back().second, sizes));
            }
            const auto found = crossoversOf(curves);
            std::size_t expected = 0;
            const About about(QStringLiteral("run %1").arg(run));
            for (std::size_t a = 0; a < 5; ++a)
                for (std::size_t b = a + 1; b < 5; ++b) {
                    const double at = (lines[b].first - lines[a].first) / (lines[a].second - lines[b].second);
                    if (at <= sizes.front() || at >= sizes.back())
                        continue;
                    ++expected;
                    const std::size_t below = lines[a].first < lines[b].first ? a : b, above = a + b - below;
                    const auto one = std::find_if(found.begin(), found.end(),
                                                  [&](const Crossover &c) { return c.below == below && c.above == above; });
                    QVERIFY(one != found.end());
                    COMPARE_CLOSE(one->sizeBytes, at, 1e-6, about);
                    const double seconds = lines[a].first + lines[a].second * at;
                    COMPARE_CLOSE(one->seconds, seconds, 1e-6, about);
                    bool fastest = true;
                    for (const auto &[alpha, beta] : lines)
                        fastest = fastest && alpha + beta * at >= seconds * (1 - 1e-6);
                    QCOMPARE(one->isOfFastest, fastest);
                }
            QCOMPARE(found.size(), expected);
            QVERIFY(std::is_sorted(found.begin(), found.end(),
                                   [](const auto &a, const auto &b) { return a.sizeBytes < b.sizeBytes; }));
        }
    }

    /// Curves that touch do not cross; curves that coincide over a range cross at its beginning.
    void touchingIsNotCrossing() {
        const auto curve = [](std::initializer_list<double> seconds) {
            CostCurve made;
            for (const double each : seconds)
                made.points.push_back({static_cast<double>(made.points.size() + 1), each});
            return made;
        };
        QVERIFY(crossoversOf({curve({1, 2, 3}), curve({2, 2, 4})}).empty());
        const auto stretch = crossoversOf({curve({1, 2, 3, 5}), curve({2, 2, 3, 4})});
        QCOMPARE(stretch.size(), std::size_t{1});
        COMPARE_CLOSE(stretch[0].sizeBytes, 2.0);
        QCOMPARE(stretch[0].below, std::size_t{0});
        QVERIFY(crossoversOf({curve({1, 2, 3}), curve({1, 2, 3})}).empty());
        CostCurve compared = curve({3, 2, 1});
        compared.isPriced = false;
        QVERIFY(crossoversOf({curve({1, 2, 3}), compared}).empty());
    }

    /// Without measurements a ring of two halves equals the all-reduce; curves equal the costs, also between their points.
    void curvesAreTheCosts() {
        const std::vector<Channel> channels{{"x", {"x"}, 1e9, 2e-5}};
        MotifCosts costs;
        costs.processesPerNode = 4;
        costs.localRates = {{"x", 5e9}};
        const DagOp like = commOp("a", CollectiveKind::AllReduce, 1, {});
        const CostCurves made = costCurves(like, 16, channels, costs, kibi, gibi);
        QCOMPARE(made.curves.size(), std::size_t{4}); // whole, ring, tree of 4, groups of 4
        QCOMPARE(made.curves[1].sameAs, 0);
        QCOMPARE(made.curves[2].cut.tree, 4);
        QCOMPARE(made.curves[3].cut.partition, 4);
        for (const CostCurve &curve : made.curves) {
            QVERIFY(!curve.isMeasured && curve.isPriced);
            COMPARE_CLOSE(curve.points.front().sizeBytes, kibi);
            COMPARE_CLOSE(curve.points.back().sizeBytes, gibi);
            for (std::size_t p = 0; p + 1 < curve.points.size(); ++p) {
                const CollectiveSample &from = curve.points[p], &to = curve.points[p + 1];
                COMPARE_CLOSE(from.seconds, costOf(curve, like, 16, channels, costs, from.sizeBytes));
                COMPARE_CLOSE((from.seconds + to.seconds) / 2,
                              costOf(curve, like, 16, channels, costs, (from.sizeBytes + to.sizeBytes) / 2));
            }
        }
    }

    /// The measured links' cost of a launch, by hand from the file's lines of 64 KiB: the time of two splines beyond that of the
    /// whole, or on e1 the time of the whole, which is less.
    void measuredLinksSayWhatLaunchesCost() {
        const MotifCosts costs = *readMotifCostsFile(SYNCOPATE_SOURCE "/tests/data/measured/plan/collectives.csv");
        COMPARE_CLOSE(costs.launchSecondsOn({"e0", {"e0"}, 1.25e8, 0}), 0.002485 + 0.002167 - 0.003641, 1e-9);
        COMPARE_CLOSE(costs.launchSecondsOn({"e1", {"e1"}, 5e7, 0}), std::min(0.001231 + 0.002295 - 0.001308, 0.001308), 1e-9);
    }

    /// With measurements: crossovers are where the costs cross, and the model's curve is shown beside.
    void measuredCurvesCrossToo() {
        const MotifCosts costs = *readMotifCostsFile(SYNCOPATE_SOURCE "/tests/data/measured/plan/collectives.csv");
        const std::vector<Channel> channels{{"e0", {"e0"}, 1.25e8, 0}, {"e1", {"e1"}, 5e7, 0}};
        for (const CollectiveKind kind : {CollectiveKind::AllToAll, CollectiveKind::AllReduce}) {
            const DagOp like = commOp("a", kind, 1, {});
            const CostCurves made = costCurves(like, 4, channels, costs, 1e4, 2e8);
            std::size_t compared = 0;
            for (const CostCurve &curve : made.curves) {
                compared += curve.isPriced ? 0U : 1U;
                QVERIFY(curve.isMeasured == (curve.isPriced && curve.cut.tree == 1 && curve.cut.partition == 1));
                if (curve.isPriced)
                    for (std::size_t p = 0; p + 1 < curve.points.size(); ++p)
                        COMPARE_CLOSE((curve.points[p].seconds + curve.points[p + 1].seconds) / 2,
                                      costOf(curve, like, 4, channels, costs,
                                             (curve.points[p].sizeBytes + curve.points[p + 1].sizeBytes) / 2));
            }
            QCOMPARE(compared, std::size_t{2});
            QVERIFY(!made.crossovers.empty());
            for (const Crossover &crossover : made.crossovers) {
                const auto cost = [&](std::size_t curve, double size) {
                    return costOf(made.curves[curve], like, 4, channels, costs, size);
                };
                COMPARE_CLOSE(cost(crossover.below, crossover.sizeBytes), crossover.seconds, 1e-9);
                COMPARE_CLOSE(cost(crossover.above, crossover.sizeBytes), crossover.seconds, 1e-9);
                COMPARE_AT_MOST(cost(crossover.below, crossover.sizeBytes * (1 - 1e-4)),
                                cost(crossover.above, crossover.sizeBytes * (1 - 1e-4)));
                COMPARE_AT_LEAST(cost(crossover.below, crossover.sizeBytes * (1 + 1e-4)),
                                 cost(crossover.above, crossover.sizeBytes * (1 + 1e-4)));
            }
        }
    }

    /// A file with very many sizes yields curves of a few thousand points, each of which is an exact cost.
    void veryManySizesAreThinned() {
        const std::vector<Channel> channels{{"x", {"x"}, 1e9, 0}};
        const DagOp like = commOp("a", CollectiveKind::AllReduce, 1, {});
        MotifCosts costs;
        costs.curves.push_back({CollectiveKind::AllReduce, "x", {}, {}});
        const auto pointsOf = [&](int sizes) {
            auto &samples = costs.curves.front().samples;
            samples.clear();
            for (int s = 0; s < sizes; ++s)
                samples.push_back({1e4 + 1e3 * s, 1e-3 + 1e-6 * s});
            return costCurves(like, 4, channels, costs, kibi, gibi).curves.front().points;
        };
        COMPARE_AT_LEAST(pointsOf(4000).size(), maxCurveBends);
        const auto points = pointsOf(9001);
        COMPARE_AT_LEAST(points.size(), maxCurveBends / 2);
        COMPARE_AT_MOST(points.size(), maxCurveBends + 96);
        COMPARE_CLOSE(points.front().sizeBytes, kibi);
        COMPARE_CLOSE(points.back().sizeBytes, gibi);
        for (std::size_t p = 0; p < points.size(); p += 100)
            COMPARE_CLOSE(points[p].seconds, costOf({}, like, 4, channels, costs, points[p].sizeBytes));
    }

    void waysDivideTheirGroups() {
        QCOMPARE(comparedCuts(CollectiveKind::AllReduce, 7, 1).size(), std::size_t{2}); // 7 has no divisor
        QCOMPARE(comparedCuts(CollectiveKind::AllToAll, 6, 1).size(), std::size_t{3});  // 2 splines, groups of 2
        QCOMPARE(comparedCuts(CollectiveKind::AllGather, 8, 1).size(), std::size_t{4}); // 2 and 4 splines, groups of 2
        QCOMPARE(comparedCuts(CollectiveKind::Reduce, 7, 1).size(), std::size_t{1});
        QCOMPARE(comparedCuts(CollectiveKind::Permute, 8, 4).size(), std::size_t{1}); // neither splines nor groups
        QCOMPARE(comparedCuts(CollectiveKind::Broadcast, 16, 8).back().partition, 8);
        QCOMPARE(comparedCuts(CollectiveKind::Broadcast, 8, 8).back().partition, 2); // all in one node
        std::vector<Channel> many;
        for (int c = 0; c < 12; ++c)
            many.push_back({"c" + std::to_string(c), {"l" + std::to_string(c)}, 1e9, 0});
        const CostCurves made = costCurves(commOp("a", CollectiveKind::Reduce, 1, {}), 7, many, {}, kibi, gibi);
        QCOMPARE(made.curves.size(), maxCurveChannels);
        QCOMPARE(made.channelsLeftOut, std::size_t{4});
    }

    /// The first 32 kinds and groups of a DAG have curves; the others are counted, however many ops each has.
    void kindsBeyondTheLimitAreCounted() {
        std::vector<DagOp> ops{computeOp("fwd", 1)};
        for (const int twice : {0, 1})
            for (const CollectiveKind kind : {CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::Broadcast})
                for (std::int32_t stride = 1; stride <= 2048; stride *= 2) {
                    ops.push_back(commOp("c" + std::to_string(ops.size()), kind, 1e6 * (1 + twice), {}));
                    ops.back().group = {2, stride};
                }
        const TrainingDag dag = dagOf(ops, 4096);
        QVERIFY(validateDag(dag).has_value());
        const std::vector<Channel> channels{{"c", {"l"}, 1e9, 0}};
        const PlannedCosts made = plannedCosts(dag, channels, {});
        QCOMPARE(made.kinds.size(), maxPlannedKinds);
        QCOMPARE(made.kindsLeftOut, std::size_t{3 * 12 - 32});
        QCOMPARE(made.kinds.front().sizesBytes, (std::vector{1e6, 2e6}));
        const PlannedCosts one = plannedCosts(dag, channels, {}, CollectiveKind::Broadcast);
        QCOMPARE(one.kinds.size(), std::size_t{12});
        QCOMPARE(one.kindsLeftOut, std::size_t{0});
    }

    /// Of 8 processes on nodes of 4, a shift of 4 sends everything to the other node, a shift of 1 a quarter: two curves. A shift
    /// of -7 is one of 1.
    void permutesOfDifferentShiftsHaveCurvesOfTheirOwn() {
        std::vector<DagOp> ops{computeOp("fwd", 1)};
        for (const std::int32_t shift : {1, 4, -7}) {
            ops.push_back(commOp("c" + std::to_string(ops.size()), CollectiveKind::Permute, 1e6, {}));
            ops.back().shift = shift;
        }
        const TrainingDag dag = dagOf(ops, 8);
        QVERIFY(validateDag(dag).has_value());
        MotifCosts costs;
        costs.processesPerNode = costs.largestNode = 4;
        const std::vector<Channel> channels{{"c", {"l"}, 1e9, 0}};
        const PlannedCosts made = plannedCosts(dag, channels, costs);
        QCOMPARE(made.kinds.size(), std::size_t{2});
        QCOMPARE(nameOf(made, made.kinds[0]), std::string("permute among 8, shift 1"));
        QCOMPARE(nameOf(made, made.kinds[1]), std::string("permute among 8, shift 4"));
    }
};

QTEST_GUILESS_MAIN(TestCostCurves)
#include "tst_cost_curves.moc"

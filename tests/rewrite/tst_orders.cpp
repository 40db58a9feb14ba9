// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/rng.h"
#include "engine/rewrite/rewrite.h"
#include "engine/rewrite/shape_units.h"
#include "engine/rewrite/sync_units.h"
#include "engine/strategy/layer_orders.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

using Ranks = std::vector<std::int32_t>;

/// A DAG: forward seconds and parents of each layer, each with one variable.
Job dag(const std::vector<double> &forward, const std::vector<std::vector<std::int32_t>> &parents) {
    std::vector<LayerSpec> layers;
    for (const double seconds : forward)
        layers.push_back({seconds, 1, 1000});
    Job job = chainJob(layers);
    for (std::size_t l = 0; l < parents.size(); ++l)
        job.layers[l].parents = parents[l];
    return job;
}

Ranks order(const Result<std::vector<std::int32_t>> &ranks) {
    if (!ranks)
        return {};
    Ranks byRank(ranks->size());
    for (std::size_t l = 0; l < ranks->size(); ++l)
        byRank[static_cast<std::size_t>((*ranks)[l])] = static_cast<std::int32_t>(l);
    return byRank;
}

std::vector<std::vector<std::size_t>> groupsOf(const std::vector<SyncUnit> &units) {
    std::vector<std::vector<std::size_t>> groups;
    for (const SyncUnit &unit : units)
        groups.emplace_back(unit.variables.begin(), unit.variables.end());
    return groups;
}

} // namespace

class TestOrders : public QObject {
    Q_OBJECT

private slots:
    void chainsGoForward() {
        const Job job = dag({1, 2, 3, 4}, {{}, {0}, {1}, {2}});
        QCOMPARE(order(ticOrder(job, {4, 3, 2, 1})), (Ranks{0, 1, 2, 3}));
        QCOMPARE(order(tacOrder(job, {4, 3, 2, 1})), (Ranks{0, 1, 2, 3}));
    }

    /// By hand: M+ counts transfers. 1 -> 2 -> 3 is a long branch of 0, 4 a short one: 4 waits for {0, 4}, so it precedes 2.
    void ticByHand() {
        const Job job = dag({1, 1, 1, 1, 1}, {{}, {0}, {1}, {2}, {0}});
        QCOMPARE(order(ticOrder(job, {9, 9, 9, 9, 9})), (Ranks{0, 1, 4, 2, 3}));
    }

    /// By hand: after the root comes the branch with a short transfer and a long op.
    void tacByHand() {
        const std::vector<std::vector<std::int32_t>> parents{{}, {0}, {0}, {1, 2}};
        QCOMPARE(order(tacOrder(dag({1, 5, 1, 1}, parents), {1, 1, 4, 1})), (Ranks{0, 1, 2, 3}));
        QCOMPARE(order(tacOrder(dag({1, 1, 5, 1}, parents), {1, 4, 1, 1})), (Ranks{0, 2, 1, 3}));
        // TIC ignores times.
        QCOMPARE(order(ticOrder(dag({1, 1, 5, 1}, parents), {1, 4, 1, 1})), (Ranks{0, 1, 2, 3}));
    }

    /// A message of several layers' variables gives each layer the time of its own bytes.
    void transfersTakeTheirOwnBytes() {
        const Job job = chainJob({{1, 1, 1000}, {1, 1, 10}, {1, 1, 0}});
        const std::vector<std::int32_t> both{1, 0};
        const Traffic traffic{job, {{.variables = both, .sizeBytes = 4040}}, {0, 1}, {.minBytesPerSecond = 40}};
        const std::vector<double> seconds = layerTransferSeconds(traffic);
        QCOMPARE(seconds.size(), std::size_t{3});
        COMPARE_CLOSE(seconds[0], 100);
        COMPARE_CLOSE(seconds[1], 1);
        COMPARE_WITHIN(seconds[2], 0, 0);
    }

    /// Two transfers that unlock an op each: of the two orders, TAC chooses the one with the smaller makespan.
    void tacOfTwoIsOptimal() {
        Rng rng(3);
        int swapped = 0;
        for (int trial = 0; trial < 500; ++trial) {
            const double p0 = rng.uniform(0, 5), p1 = rng.uniform(0, 5), m0 = rng.uniform(0.1, 5), m1 = rng.uniform(0.1, 5);
            const auto makespan = [](double ma, double pa, double mb, double pb) { return std::max(ma + pa, ma + mb) + pb; };
            const Ranks taken = order(tacOrder(dag({p0, p1}, {{}, {}}), {m0, m1}));
            const double forward = makespan(m0, p0, m1, p1), backward = makespan(m1, p1, m0, p0);
            swapped += taken[0] == 1 ? 1 : 0;
            COMPARE_AT_MOST((taken[0] == 0 ? forward : backward), std::min(forward, backward) + 1e-12);
        }
        COMPARE_ABOVE(swapped, 100);
        COMPARE_BELOW(swapped, 400);
    }

    /// Also where a layer has more transfers than a priority has places for them, as strategies of millions of parts do.
    void placesStayWithinTheirLayer() {
        for (const std::int64_t layer : {0, 3, 100'000})
            for (const int bits : {0, 23, 24, 25, 40}) {
                const std::int64_t place = std::int64_t{1} << bits;
                const About about(fmt::format("layer {}, place {}", layer, place));
                COMPARE_AT_LEAST(transferPriority(layer, place), transferPriority(layer, place - 1), about);
                COMPARE_BELOW(transferPriority(layer, place), transferPriority(layer + 1, 0), about);
            }
        COMPARE_BELOW(transferPriority(3, 4), transferPriority(3, 5));
    }

    void hugeDagsAreRefused() {
        std::vector<double> forward(5000, 1);
        std::vector<std::vector<std::int32_t>> star(5000, {0}), chain(5000);
        star[0].clear();
        for (std::int32_t l = 1; l < 5000; ++l)
            chain[static_cast<std::size_t>(l)] = {l - 1};
        QVERIFY(!ticOrder(dag(forward, star), forward).has_value());
        QVERIFY(!tacOrder(dag(forward, star), forward).has_value());
        VERIFY_VALUE(tacOrder(dag(forward, chain), forward));
    }

    void randomIsAPermutation() {
        const Job job = dag(std::vector<double>(50, 1), {});
        const auto drawn = [&](std::int32_t seed) {
            std::vector<std::int64_t> priorities;
            const auto ordered =
                shapeUnits(job, *partitionVariables(job, allReduceEach(job)), policyOf("random", {{"seed", seed}}), {});
            for (const SyncUnit &unit : *ordered)
                priorities.push_back(unit.priority);
            return priorities;
        };
        QCOMPARE(drawn(1), drawn(1));
        QVERIFY(drawn(1) != drawn(2));
        auto sorted = drawn(7);
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 0; i < sorted.size(); ++i)
            QCOMPARE(sorted[i], static_cast<std::int64_t>(i));
    }

    /// Horovod's cycles of 1 ms during a backward pass: gradients are ready at 0.4, 0.9, 1.5, 2 and 2.1 ms.
    void cyclesByHand() {
        const Job job = chainJob(
            {{1e-3, 0.1e-3, 1000}, {1e-3, 0.5e-3, 1000}, {1e-3, 0.6e-3, 1000}, {1e-3, 0.5e-3, 1000}, {1e-3, 0.4e-3, 1000}});
        CommPolicy policy = policyOf("horovod");
        const auto fuse = [&](double computeScale) {
            return *shapeUnits(job, *partitionVariables(job, allReduceEach(job)), policy, {.minComputeScale = computeScale});
        };
        auto fused = fuse(1);
        QCOMPARE(groupsOf(fused), (std::vector<std::vector<std::size_t>>{{4, 3}, {2, 1}, {0}}));
        COMPARE_WITHIN(fused[0].launchDelaySeconds, 0.1e-3, 1e-12);
        COMPARE_WITHIN(fused[1].launchDelaySeconds, 0, 1e-12);
        COMPARE_WITHIN(fused[2].launchDelaySeconds, 0.9e-3, 1e-12);
        // The slowest worker decides: at half speed gradients are ready at 0.8, 1.8, 3, 4 and 4.2 ms.
        fused = fuse(0.5);
        QCOMPARE(groupsOf(fused), (std::vector<std::vector<std::size_t>>{{4}, {3}, {2}, {1}, {0}}));
        policy.set("cycle", 5e-3);
        QCOMPARE(groupsOf(fuse(1)).size(), std::size_t{1});
        policy.set("fusion", 0); // off
        QCOMPARE(groupsOf(fuse(1)).size(), std::size_t{5});
    }

    /// Horovod's FuseResponses: in order while the sum fits; another type may be skipped while fused and skipped bytes fit
    /// together.
    void thresholdByHand() {
        const auto grouped = [](const std::vector<std::pair<std::int64_t, DataType>> &gradients, double threshold) {
            std::vector<LayerSpec> layers(gradients.size(), {0, 0, 1});
            Job job = chainJob(layers);
            job.layers.front().backwardSeconds = job.layers.back().backwardSeconds = 0;
            for (std::size_t i = 0; i < gradients.size(); ++i) { // the last layer is ready first
                Variable &variable = job.variables[gradients.size() - 1 - i];
                variable.shape = {gradients[i].first};
                variable.dtype = gradients[i].second;
            }
            std::vector<std::vector<std::size_t>> groups =
                groupsOf(*shapeUnits(job, *partitionVariables(job, allReduceEach(job)),
                                     policyOf("horovod", {{"fusion", threshold}}), {.minComputeScale = 1}));
            for (auto &group : groups)
                for (std::size_t &v : group)
                    v = gradients.size() - 1 - v;
            return groups;
        };
        using Groups = std::vector<std::vector<std::size_t>>;
        const auto f32 = DataType::Float32;
        const auto f16 = DataType::Float16;
        QCOMPARE(grouped({{150, f32}, {125, f32}, {75, f32}}, 1024), (Groups{{0}, {1, 2}}));   // 600, 500, 300 bytes
        QCOMPARE(grouped({{100, f32}, {100, f16}, {75, f32}}, 1024), (Groups{{0, 2}, {1}}));   // 200 bytes are skipped
        QCOMPARE(grouped({{100, f32}, {350, f16}, {75, f32}}, 1024), (Groups{{0}, {1}, {2}})); // 700 are too many
        QCOMPARE(grouped({{100, f32}, {100, f32}}, 600), (Groups{{0, 1}}));                    // 600 is rounded up to 1024
        QCOMPARE(grouped({{1000, f32}, {1, f32}, {2, f32}}, 1024), (Groups{{0}, {1, 2}}));     // larger than the buffer: alone
    }

    void slices() {
        const Job job = chainJob({{1, 1, 1'000'000}});
        const auto units = *partitionVariables(job, allReduceEach(job));
        const auto sizes = [&](double partition, PieceSizes of) {
            std::vector<double> bytes;
            const auto made = sliceUnits(job, units, {partition, of});
            for (const SyncUnit &unit : *made)
                bytes.push_back(unit.sizeBytes);
            return bytes;
        };
        QCOMPARE(sizes(1.5e6, PieceSizes::Even), (std::vector<double>(3, 4e6 / 3)));
        const auto parts = sizes(1.5e6, PieceSizes::Full);
        QCOMPARE(parts.size(), std::size_t{3});
        COMPARE_WITHIN(parts[0], 1.5e6, 1e-6);
        COMPARE_WITHIN(parts[2], 1e6, 1e-6);
        const auto refused = [&](double partition) { return !sliceUnits(job, units, {partition}).has_value(); };
        QVERIFY(refused(1)); // 4 million slices
        QVERIFY(refused(0));
        QVERIFY(refused(std::numeric_limits<double>::quiet_NaN()));
    }

    /// ByteScheduler's release: ceil(size / partition) parts but no more than rows, the last ones a row larger.
    void slicesOfRows() {
        Job job = chainJob({{1, 1, 7 * 100}});
        job.variables.front().shape = {7, 100}; // rows of 400 bytes
        const auto rows = [&](const Strategy &strategy, double partition) {
            std::vector<double> found;
            const auto made = sliceUnits(job, *partitionVariables(job, strategy), {partition, PieceSizes::Rows});
            for (const SyncUnit &unit : *made)
                found.push_back(std::round(unit.sizeBytes / 400 * 1e6) / 1e6);
            return found;
        };
        using Rows = std::vector<double>;
        const Strategy whole = allReduceEach(job);
        QCOMPARE(rows(whole, 2800), (Rows{7}));
        QCOMPARE(rows(whole, 1000), (Rows{2, 2, 3}));
        QCOMPARE(rows(whole, 500), (Rows{1, 1, 1, 1, 1, 2}));
        QCOMPARE(rows(whole, 1), (Rows(7, 1)));
        const auto made = shapeUnits(job, *partitionVariables(job, whole),
                                     policyOf("bytescheduler", {{"partition", 1000}, {"cut", 1}}), {.minComputeScale = 1});
        QCOMPARE(made->size(), std::size_t{3});
        COMPARE_CLOSE(made->back().sizeBytes, 1200.0);
        // A strategy's parts, of four and three rows, are cut by themselves.
        Strategy parts = allReduceEach(job);
        parts.nodes.front().partitions = {2, 1};
        parts.nodes.front().parts.assign(2, {"", parts.nodes.front().synchronizer});
        QCOMPARE(rows(parts, 800), (Rows{2, 2, 1, 2}));
    }

    /// A bucket of one part is that part, and one of several is none of them.
    void bucketsOfParts() {
        Job job = chainJob({{1, 1, 6 * 100}});
        job.variables.front().shape = {6, 100};
        Strategy parts = allReduceEach(job);
        parts.nodes.front().partitions = {2, 1};
        parts.nodes.front().parts.assign(2, {"", parts.nodes.front().synchronizer});
        using Names = std::vector<std::pair<std::string, std::int32_t>>; // and parts
        const auto names = [&](const CommPolicy &policy) {
            Names found;
            for (const SyncUnit &unit :
                 must(shapeUnits(job, must(partitionVariables(job, parts)), policy, {.minComputeScale = 1})))
                found.emplace_back(unit.name, unit.part);
            std::sort(found.begin(), found.end());
            return found;
        };
        const Names apart{{"layer0/kernel:0 part 0", 0}, {"layer0/kernel:0 part 1", 1}};
        QVERIFY(names(policyOf("bytescheduler")) == apart);
        QVERIFY(names(policyOf("ddp", {{"bucket_cap", 1}, {"first_bucket", 1}})) == apart);
        QVERIFY(names(policyOf("horovod", {{"fusion", 0}})) == apart);
        QVERIFY(names(policyOf("ddp")) == (Names{{"bucket 0 (2 gradients)", -1}}));
        QVERIFY(names(policyOf("fifo")) == (Names{{"group 0 (2 gradients)", -1}}));
    }

    /// A variable that was moved from an asynchronous server to an all-reduce keeps the server's settings, which do not count.
    void nothingIsLeftOfAServer() {
        const Job job = chainJob({{1, 1, 100}, {1, 1, 100}});
        const Strategy reduced = allReduceEach(job);
        Strategy moved = reduced;
        for (NodeConfig &node : moved.nodes) {
            node.synchronizer.reductionDestination = "n0:CPU:0";
            node.synchronizer.transferDestination = "n1:CPU:0";
            node.synchronizer.localReplication = true;
            node.synchronizer.sync = false;
        }
        for (const SyncUnit &unit : must(partitionVariables(job, moved))) {
            QCOMPARE(unit.destination, std::string());
            QCOMPARE(unit.transferDestination, std::string());
            QVERIFY(!unit.localReplication);
            QCOMPARE(unit.staleness, 0);
        }
        const auto assumptionsOf = [&](const Strategy &strategy) {
            return must(rewrite(scenario(job, plainCluster(3, 1e9), strategy))).assumptions;
        };
        QVERIFY(assumptionsOf(moved) == assumptionsOf(reduced)); // none of asynchronous throughput
    }
};

QTEST_GUILESS_MAIN(TestOrders)
#include "tst_orders.moc"

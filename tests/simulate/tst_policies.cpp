// SPDX-License-Identifier: GPL-3.0-or-later
// Each policy by itself: the figures of its paper span by span, orders against a plain list schedule, cycles, credits and
// windows.
#include "engine/base/rng.h"
#include "tests/checks.h"
#include "tests/scenarios.h"
#include "tests/simulate/policies.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

struct Span {
    std::int32_t what; ///< layer of an op, or of a message's variable
    double start, end;
    bool operator==(const Span &) const = default;
};

/// Spans of one kind and iteration in chronological order, relative to `zero`, to 1e-6.
std::vector<Span> spans(const Run &r, TaskKind kind, std::int32_t iteration, double zero) {
    std::vector<Span> found;
    const auto rounded = [](double seconds) { return std::round(seconds * 1e6) / 1e6; };
    for (std::size_t t = 0; t < r.graph.size(); ++t)
        if (r.graph.kind[t] == kind && r.graph.iteration[t] == iteration) {
            const UnitId unit = r.graph.unit[t];
            found.push_back({unit.exists() ? r.graph.units[unit.index()].lastLayer.number() : r.graph.layer[t].number(),
                             rounded(r.startSeconds[t] - zero), rounded(r.endSeconds[t] - zero)});
        }
    std::sort(found.begin(), found.end(),
              [](const Span &a, const Span &b) { return std::pair(a.start, a.what) < std::pair(b.start, b.what); });
    return found;
}

std::string text(const std::vector<Span> &all) {
    std::string out;
    for (const Span &s : all)
        out += QString("%1:%2-%3 ").arg(s.what).arg(s.start).arg(s.end).toStdString();
    return out;
}

/// One worker, one server, per layer; pushes in order of readiness, pulls by `rank` among the waiting ones, each alone on the
/// link; a plain list schedule. Returns the distance of the last two iteration starts.
double listSchedule(const std::vector<LayerSpec> &layers, const std::vector<std::int64_t> &rank, double bytesPerSecond,
                    double pullsPerPush) {
    const std::size_t n = layers.size();
    std::vector<double> value(n, 0);
    double stream = 0, uplink = 0, downlink = 0, before = 0, start = 0;
    for (int iteration = 0; iteration < 6; ++iteration) {
        for (std::size_t l = 0; l < n; ++l) {
            stream = std::max(stream, value[l]);
            if (l == 0) {
                before = start;
                start = stream;
            }
            stream += layers[l].forwardSeconds;
        }
        std::vector<double> arrives(n);
        for (std::size_t l = n; l-- > 0;) {
            stream += layers[l].backwardSeconds;
            uplink = std::max(uplink, stream) + 4.0 * static_cast<double>(layers[l].elements) / bytesPerSecond;
            arrives[l] = uplink;
        }
        std::vector<bool> done(n, false);
        for (std::size_t k = 0; k < n; ++k) {
            double now = 1e300;
            for (std::size_t l = 0; l < n; ++l)
                if (!done[l])
                    now = std::min(now, std::max(downlink, arrives[l]));
            std::size_t best = n;
            for (std::size_t l = 0; l < n; ++l)
                if (!done[l] && arrives[l] <= now + 1e-12 && (best == n || rank[l] < rank[best]))
                    best = l;
            done[best] = true;
            downlink = value[best] = now + pullsPerPush * 4.0 * static_cast<double>(layers[best].elements) / bytesPerSecond;
        }
    }
    return start - before;
}

} // namespace

class TestPolicies : public QObject {
    Q_OBJECT

private slots:
    /// Figure 2 of ByteScheduler (Peng et al., SOSP 2019), span by span. Time 0 is the start of the backward pass.
    void toyFirstInFirstOut() {
        const Job job = chainJob({{1, 1, 150}, {1, 1, 300}, {1, 1, 150}}); // 1.5, 3, 1.5 units at 400 bytes per unit
        CommPolicy policy;
        policy.barrier = false;
        const auto r = runOf(scenario(job, servedCluster(1, 400), parameterServers(job, {"n1:CPU:0"}), policy));
        QVERIFY(r);
        const auto expect = [&](TaskKind kind, std::int32_t iteration, const std::vector<Span> &expected) {
            const auto got = spans(*r, kind, iteration, 3);
            QVERIFY2(got == expected, (text(got) + " not " + text(expected)).c_str());
        };
        expect(TaskKind::Backward, 0, {{2, 0, 1}, {1, 1, 2}, {0, 2, 3}});
        expect(TaskKind::Push, 0, {{2, 1, 2.5}, {1, 2.5, 5.5}, {0, 5.5, 7}});
        expect(TaskKind::Pull, 0, {{2, 2.5, 4}, {1, 5.5, 8.5}, {0, 8.5, 10}});
        expect(TaskKind::Forward, 1, {{0, 10, 11}, {1, 11, 12}, {2, 12, 13}});
    }

    /// A stream takes the ops that are ready in program order: without a barrier, a layer's update comes right before its next
    /// forward op, behind that of the layer before. Transfers take no time here. When the backward pass ends (time 0), layer 0's
    /// gradient is still on its way, so layer 1 is updated meanwhile.
    void updatesKeepProgramOrder() {
        Job job = chainJob({{1, 1, 100}, {1, 1, 100}, {1, 1, 100}});
        job.updateSeconds = 3;
        CommPolicy policy;
        policy.barrier = false;
        const auto r = runOf(scenario(job, plainCluster(2, 1e15), allReduceEach(job), policy));
        QVERIFY(r);
        const auto expect = [&](TaskKind kind, std::int32_t iteration, const std::vector<Span> &expected) {
            std::vector<Span> got = spans(*r, kind, iteration, 6);
            got.erase(std::unique(got.begin(), got.end()), got.end()); // both workers do the same
            QVERIFY2(got == expected, (text(got) + " not " + text(expected)).c_str());
        };
        expect(TaskKind::Update, 0, {{1, 0, 1}, {0, 1, 2}, {2, 4, 5}});
        expect(TaskKind::Forward, 1, {{0, 2, 3}, {1, 3, 4}, {2, 5, 6}});
    }

    void toyByPriority_data() {
        QTest::addColumn<QString>("name");
        for (const char *name : {"bytescheduler", "p3"})
            QTest::newRow(name) << QString(name);
    }

    void toyByPriority() {
        QFETCH(QString, name);
        const auto elements = [&](double units) { return static_cast<std::int64_t>(std::llround(units * 100)); };
        const Job job = chainJob({{1, 1, elements(1.5)}, {1, 1, elements(3)}, {1, 1, elements(1.5)}});
        // One part being pushed, one being pulled.
        CommPolicy policy = policyOf(name.toStdString(), {{"partition", 200}, {"slice", 200}, {"credit", 400}});
        policy.barrier = false;
        const auto r = runOf(scenario(job, servedCluster(1, 400), parameterServers(job, {"n1:CPU:0"}), policy));
        QVERIFY(r);
        std::vector<Span> pushes, pulls;
        double at = 1;
        for (const std::int32_t layer : {2, 2, 1, 1, 0, 0, 0, 1, 1, 1, 1, 2}) {
            pushes.push_back({layer, at, at + 0.5});
            pulls.push_back({layer, at + 0.5, at + 1});
            at += 0.5;
        }
        const auto expect = [&](TaskKind kindOfTask, std::int32_t iteration, const std::vector<Span> &expected) {
            const auto got = spans(*r, kindOfTask, iteration, 3);
            QVERIFY2(got == expected, (text(got) + " not " + text(expected)).c_str());
        };
        expect(TaskKind::Push, 0, pushes);
        expect(TaskKind::Pull, 0, pulls);
        expect(TaskKind::Forward, 1, {{0, 5, 6}, {1, 7, 8}, {2, 8, 9}});
        COMPARE_CLOSE(r->iterationSeconds, 9);
    }

    /// DeAR: reduce-scatters (1.5 units each) follow the backward pass, all-gathers begin when the last one is over, in the order
    /// of the next forward pass, and each layer waits for its own. Time 0 is the start of the backward pass.
    void toyDear() {
        const Job job = chainJob({{1, 1, 300}, {1, 1, 300}, {1, 1, 300}}); // half of an all-reduce: 600 bytes at 400 per unit
        const auto r = runOf(scenario(job, plainCluster(2, 400), allReduceEach(job), policyOf("dear", {{"threshold", 1}})));
        QVERIFY(r);
        const auto expect = [&](TaskKind kind, std::int32_t iteration, const std::vector<Span> &expected) {
            const auto got = spans(*r, kind, iteration, 3);
            QVERIFY2(got == expected, (text(got) + " not " + text(expected)).c_str());
        };
        expect(TaskKind::ReduceScatter, 0, {{2, 1, 2.5}, {1, 2.5, 4}, {0, 4, 5.5}});
        expect(TaskKind::AllGather, 0, {{0, 5.5, 7}, {1, 7, 8.5}, {2, 8.5, 10}});
        expect(TaskKind::Forward, 1, {{0, 7, 8}, {1, 8.5, 9.5}, {2, 10, 11}});
        COMPARE_CLOSE(r->iterationSeconds, 11);
        // Halves of 0.5 units leave gaps during the backward pass, which no all-gather fills.
        const Job light = chainJob({{1, 1, 100}, {1, 1, 100}, {1, 1, 100}});
        const auto gaps =
            runOf(scenario(light, plainCluster(2, 400), allReduceEach(light), policyOf("dear", {{"threshold", 1}})));
        QVERIFY(gaps);
        const std::vector<Span> gathers{{0, 3.5, 4}, {1, 4, 4.5}, {2, 4.5, 5}};
        const auto got = spans(*gaps, TaskKind::AllGather, 0, 3);
        QVERIFY2(got == gathers, (text(got) + " not " + text(gathers)).c_str());
        COMPARE_CLOSE(gaps->iterationSeconds, 7);
        // Whole all-reduces when ready: 3 units each, and every forward op waits for the first layer's, which is the last.
        const auto whole = runOf(scenario(job, plainCluster(2, 400), allReduceEach(job), policyOf("fifo")));
        QVERIFY(whole);
        COMPARE_CLOSE(whole->iterationSeconds, 13);
        // All in one group: nothing overlaps.
        const auto fused = runOf(scenario(job, plainCluster(2, 400), allReduceEach(job), policyOf("dear", {{"threshold", 1e6}})));
        QVERIFY(fused);
        COMPARE_CLOSE(fused->iterationSeconds, 15);
        // As explicit steps on the links, unfolded.
        CommPolicy flows = policyOf("dear", {{"threshold", 1}});
        flows.form = CollectiveForm::Flows;
        Scenario explicitly = scenario(job, plainCluster(2, 400), allReduceEach(job), flows);
        for (const bool fold : {true, false}) {
            explicitly.fold = fold;
            const auto steps = runOf(explicitly);
            QVERIFY(steps);
            COMPARE_CLOSE(steps->iterationSeconds, 11);
        }
    }

    /// Layers of 1200 bytes each and one of 3600: groups in forward order stay below the threshold.
    void dearFusesLayersInForwardOrder() {
        const Job job = chainJob({{1, 1, 300}, {1, 1, 300}, {1, 1, 900}, {1, 1, 300}});
        const auto groupsOf = [&](double threshold) {
            std::vector<std::vector<std::int32_t>> groups;
            const auto r =
                runOf(scenario(job, plainCluster(2, 400), allReduceEach(job), policyOf("dear", {{"threshold", threshold}})));
            for (const SyncUnit &unit : r->graph.units)
                groups.push_back(unit.variables);
            return groups;
        };
        using Groups = std::vector<std::vector<std::int32_t>>;
        QCOMPARE(groupsOf(2401), (Groups{{3}, {2}, {1, 0}})); // the last group is ready first
        QCOMPARE(groupsOf(2400), (Groups{{3}, {2}, {1}, {0}}));
        QCOMPARE(groupsOf(6001), (Groups{{3}, {2, 1, 0}}));
    }

    /// Poseidon: pairs follow the backward pass in its order, and the next forward pass waits for all.
    void toyPoseidon() {
        const Job job = chainJob({{1, 1, 150}, {1, 1, 300}, {1, 1, 150}}); // 1.5, 3, 1.5 units at 400 bytes per unit
        const auto r = runOf(
            scenario(job, servedCluster(1, 400), parameterServers(job, {"n1:CPU:0"}), policyOf("poseidon", {{"pair", 200}})));
        QVERIFY(r);
        std::vector<Span> pushes, pulls;
        double at = 1;
        for (const std::int32_t layer : {2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0}) {
            pushes.push_back({layer, at, at + 0.5});
            pulls.push_back({layer, at + 0.5, at + 1});
            at += 0.5;
        }
        const auto expect = [&](TaskKind kind, std::int32_t iteration, const std::vector<Span> &expected) {
            const auto got = spans(*r, kind, iteration, 3);
            QVERIFY2(got == expected, (text(got) + " not " + text(expected)).c_str());
        };
        expect(TaskKind::Push, 0, pushes);
        expect(TaskKind::Pull, 0, pulls);
        expect(TaskKind::Forward, 1, {{0, 7.5, 8.5}, {1, 8.5, 9.5}, {2, 9.5, 10.5}});
        COMPARE_CLOSE(r->iterationSeconds, 10.5);
        // Two workers, two servers, two layers of two pairs: each layer goes to both servers at half the NICs' rate, a unit up
        // and a unit down. Placed by the strategy, a layer takes two units in each direction.
        const Job two = chainJob({{1, 1, 100}, {1, 1, 100}});
        Cluster cluster = plainCluster(4, 400);
        cluster.serverOnly = {2, 3};
        const Strategy strategy = parameterServers(two, {"n2:CPU:0", "n3:CPU:0"});
        const auto spread = runOf(scenario(two, cluster, strategy, policyOf("poseidon", {{"pair", 200}})));
        const auto placed = runOf(scenario(two, cluster, strategy, policyOf("fifo")));
        QVERIFY(spread && placed);
        COMPARE_CLOSE(spread->iterationSeconds, 2 + 4);
        COMPARE_CLOSE(placed->iterationSeconds, 2 + 6);
    }

    /// One worker whose four devices pull each: pulls queue up and the order shows. Compared with a plain list schedule; no
    /// enumerated order beats the best that the list schedule finds, and tic is not slower than reverse.
    void ordersOfPulls() {
        Rng rng(41);
        for (int trial = 0; trial < 8; ++trial) {
            std::vector<LayerSpec> layers;
            for (int l = 0; l < 5; ++l)
                layers.push_back(
                    {rng.uniform(1e-3, 9e-3), rng.uniform(1e-3, 9e-3), static_cast<std::int64_t>(rng.uniform(1e5, 2e6))});
            const Job job = chainJob(layers);
            Cluster cluster = servedCluster(1, gigabyte);
            cluster.nodes[0].gpus = {0, 1, 2, 3};
            cluster.intraNodeBandwidthBytesPerSecond = 1e18;
            const auto simulated = [&](const char *name, std::int32_t seed, std::vector<std::int64_t> &rank) {
                const CommPolicy policy = policyOf(name, {{"seed", seed}});
                const auto r = runOf(scenario(job, cluster, parameterServers(job, {"n1:CPU:0"}), policy));
                rank.assign(layers.size(), 0);
                for (const SyncUnit &unit : r->graph.units)
                    rank[unit.lastLayer.index()] = unit.priority;
                return r->iterationSeconds;
            };
            std::vector<std::int64_t> rank{0, 1, 2, 3, 4}, drawn;
            const double tic = simulated("tic", 1, drawn);
            COMPARE_CLOSE(tic, listSchedule(layers, rank, gigabyte, 4), 1e-7);
            COMPARE_CLOSE(simulated("tac", 1, drawn), tic); // a chain
            double least = 1e300, most = 0;
            do {
                const double seconds = listSchedule(layers, rank, gigabyte, 4);
                least = std::min(least, seconds);
                most = std::max(most, seconds);
            } while (std::next_permutation(rank.begin(), rank.end()));
            const double reverse = simulated("reverse", 1, drawn);
            COMPARE_CLOSE(reverse, listSchedule(layers, {4, 3, 2, 1, 0}, gigabyte, 4), 1e-7);
            for (std::int32_t seed = 0; seed < 5; ++seed) {
                const double random = simulated("random", seed, drawn);
                COMPARE_CLOSE(random, listSchedule(layers, drawn, gigabyte, 4), 1e-7);
                COMPARE_ABOVE(random, least * (1 - 1e-7));
                COMPARE_BELOW(random, most * (1 + 1e-7));
            }
            COMPARE_AT_MOST(tic, reverse * (1 + 1e-9));
            COMPARE_ABOVE(tic, least * (1 - 1e-7));
        }
    }

    /// Collectives that wait for the channel are ordered, too: layer 3's starts alone, the others wait for its end.
    void ordersOfCollectives() {
        const std::vector<LayerSpec> layers(4, {1, 0.1, 250'000'000}); // 1 s each between two nodes
        const Job job = chainJob(layers);
        const auto taken = [&](const char *name) {
            CommPolicy policy = policyOf(name, {{"slice", 4.0 * 1024 * 1024}});
            policy.barrier = true;
            const auto r = runOf(scenario(job, plainCluster(2, gigabyte), allReduceEach(job), policy));
            std::vector<std::int32_t> order;
            for (const Span &span : spans(*r, TaskKind::AllReduce, 1, 0))
                order.push_back(span.what);
            return order;
        };
        using Order = std::vector<std::int32_t>;
        QCOMPARE(taken("fifo"), (Order{3, 2, 1, 0}));
        QCOMPARE(taken("reverse"), (Order{3, 2, 1, 0}));
        QCOMPARE(taken("tic"), (Order{3, 0, 1, 2}));
        QCOMPARE(taken("tac"), (Order{3, 0, 1, 2}));
        QCOMPARE(taken("p3").front(), 3); // its slices, then in the order of need
    }

    /// Horovod: a gradient waits for the end of its cycle; gradients that become ready in one cycle are reduced together.
    void horovodWaitsForItsCycle() {
        const Job job = chainJob({{2e-3, 1.2e-3, 250'000}, {1e-3, 2.2e-3, 500'000}}); // ready at 2.2 and 3.4 ms
        Cluster cluster = plainCluster(4, gigabyte);
        CommPolicy policy = policyOf("horovod");
        policy.set("cycle", 5e-3); // both at 5 ms: 1.5 * 3 MB
        COMPARE_CLOSE(runOf(scenario(job, cluster, allReduceEach(job), policy))->iterationSeconds, 3e-3 + 5e-3 + 4.5e-3);
        policy.set("cycle", 3e-3); // 3 ms: 1.5 * 2 MB until 6 ms; 6 ms: 1.5 * 1 MB
        COMPARE_CLOSE(runOf(scenario(job, cluster, allReduceEach(job), policy))->iterationSeconds, 3e-3 + 6e-3 + 1.5e-3);
        policy.set("cycle", 0); // at once: 2.2 to 5.2, then 1.5 more
        COMPARE_CLOSE(runOf(scenario(job, cluster, allReduceEach(job), policy))->iterationSeconds, 3e-3 + 5.2e-3 + 1.5e-3);
        // Three layers of 0.1 ms are ready at 0.1, 0.2 and, in doubles, a little after 0.3 ms: within one cycle of 0.3 ms.
        const Job even = chainJob({{1e-3, 1e-4, 250'000}, {1e-3, 1e-4, 250'000}, {1e-3, 1e-4, 250'000}});
        policy.set("cycle", 3e-4);
        const auto run = runOf(scenario(even, cluster, allReduceEach(even), policy));
        QCOMPARE(run->graph.units.size(), std::size_t{1});
        COMPARE_CLOSE(run->iterationSeconds, 3e-3 + 3e-4 + 4.5e-3);
        cluster.nodes[2].computeScale = 0.5; // ready at 4.4 and 6.8 ms, forward 6 ms
        policy.set("cycle", 5e-3);           // 5 ms until 8; 10 ms
        COMPARE_CLOSE(runOf(scenario(job, cluster, allReduceEach(job), policy))->iterationSeconds, 6e-3 + 10e-3 + 1.5e-3);
    }

    /// A window of one and a half partitions: ByteScheduler's credit releases a second one.
    void byteSchedulerMayExceedItsCredit() {
        const Job job = chainJob({{0.25, 0.5, 10 * 1024}}); // 10 partitions of 4096 bytes, each 1 ms on the link
        CommPolicy policy = policyOf("bytescheduler", {{"partition", 4096}, {"credit", 6144}});
        policy.barrier = true;
        const auto run = runOf(scenario(job, servedCluster(1, 4096e3), parameterServers(job, {"n1:CPU:0"}), policy));
        COMPARE_CLOSE(run->iterationSeconds, 0.75 + 11e-3); // pull in parallel with the next push
    }

    /// BytePS's credit limits the sums over a machine's devices, and is never exceeded.
    void bytePsNeverExceedsItsCredit() {
        const Job job = chainJob({{0.25, 0.5, 20 * 1024}}); // 10 partitions of two pages, each 1 ms on a lane and on the link
        const auto seconds = [&](std::vector<std::int32_t> devices, double credit) {
            Cluster cluster = servedCluster(1, 8192e3);
            cluster.nodes[0].gpus = std::move(devices);
            cluster.intraNodeBandwidthBytesPerSecond = 8192e3;
            const CommPolicy policy = policyOf("byteps", {{"partition", 8192}, {"credit", credit}});
            const auto run = runOf(scenario(job, cluster, parameterServers(job, {"n1:CPU:0"}), policy));
            return run ? run->iterationSeconds : -1;
        };
        // The lane sums one partition after the other; the last is pushed, pulled and broadcast in 3 ms more.
        COMPARE_CLOSE(seconds({0, 1}, 1.5 * 8192), 0.75 + 13e-3);
        COMPARE_CLOSE(seconds({0, 1}, 2 * 8192), 0.75 + 14e-3); // two share the lane, and are pushed when both are there
        COMPARE_CLOSE(seconds({0, 1}, 32e9), 0.75 + 22e-3);     // all share it
        COMPARE_CLOSE(seconds({0}, 8192), 0.75 + 11e-3);        // nothing to sum: the credit changes nothing
        COMPARE_CLOSE(seconds({0}, 32e9), 0.75 + 11e-3);
        COMPARE_CLOSE(seconds({0, 1}, 8191), -1.0);
    }

    /// Partitions waiting for credit go by priority, except for a sum that exceeds the credit: a smaller one behind it overtakes
    /// it.
    void bytePsPassesOver() {
        const std::vector<LayerSpec> layers{{1, 0.1, 2048}, {1, 0.1, 512}, {1, 0.1, 1024}, {1, 1, 2048}};
        Cluster cluster = servedCluster(1, gigabyte);
        cluster.nodes[0].gpus = {0, 1};
        cluster.intraNodeBandwidthBytesPerSecond = 4096;
        const Job job = chainJob(layers);
        const auto sums = [&](double credit) {
            CommPolicy policy = policyOf("byteps", {{"partition", 8192}, {"credit", credit}});
            policy.barrier = false;
            const auto run = runOf(scenario(job, cluster, parameterServers(job, {"n1:CPU:0"}), policy));
            return run ? spans(*run, TaskKind::LocalReduce, 0, 4) : std::vector<Span>();
        };
        // One at a time: layer 3 from its gradient on, then the waiting ones, the one needed first before the others.
        const std::vector<Span> inTurn = sums(8192);
        QVERIFY2(inTurn == (std::vector<Span>{{3, 1, 3}, {0, 3, 5}, {1, 5, 6}, {2, 5, 6.5}}), text(inTurn).c_str());
        // Layers 3 and 2 fill the credit and share the lane. When 2 is summed, its 4096 bytes are too few for layer 0, which is
        // needed first, and enough for layer 1.
        const std::vector<Span> shared = sums(12288);
        QVERIFY2(shared == (std::vector<Span>{{3, 1, 4.5}, {2, 1.1, 3.1}, {1, 3.1, 4.1}, {0, 4.5, 6.5}}), text(shared).c_str());
    }

    /// Where a system's worker is a machine, a dense value crosses its NIC once for all devices, which have it by broadcast.
    void machinesPullOnce() {
        Cluster cluster = servedCluster(1, 4096);
        cluster.nodes[0].gpus = {0, 1, 2, 3};
        for (const auto &[name, seconds] : {std::pair{"fifo", 4.0}, {"byteps", 1.0}, {"p3", 1.0}, {"bytescheduler", 4.0}})
            for (const bool sparse : {false, true})
                for (const bool sync : {true, false}) {
                    Job job = chainJob({{0.25, 0.5, 1024}});
                    job.variables.front().sparse = sparse;
                    Strategy strategy = parameterServers(job, {"n1:CPU:0"});
                    strategy.nodes.front().synchronizer.sync = sync;
                    const auto run = runOf(scenario(job, cluster, strategy, policyOf(name)));
                    QVERIFY(run);
                    const auto pulls = spans(*run, TaskKind::Pull, 0, 0),
                               broadcasts = spans(*run, TaskKind::LocalBroadcast, 0, 0);
                    QVERIFY2(pulls.size() == 1, name);
                    const double wanted = sparse ? 4 : seconds;
                    COMPARE_WITHIN(pulls.front().end - pulls.front().start, wanted, 1e-5,
                                   fmt::format("{}, sparse {}, sync {}", name, sparse, sync));
                    QCOMPARE(broadcasts.size(), wanted == 1 ? std::size_t{1} : std::size_t{0});
                }
        const Job job = chainJob({{0.25, 0.5, 1024}});
        const auto mxnet =
            runOf(scenario(job, cluster, parameterServers(job, {"n1:CPU:0"}), *parsePolicy("bytescheduler(hash=mxnet)")));
        QVERIFY(mxnet);
        QCOMPARE(spans(*mxnet, TaskKind::LocalBroadcast, 0, 0).size(), std::size_t{1});
    }

    /// Partitions are whole pages on every device.
    void bytePsRoundsItsPartition() {
        const Job job = chainJob({{1, 1, 5'000'000}});
        const CommPolicy policy = policyOf("byteps", {{"partition", 4096000}, {"credit", 4 * 4096000}});
        Cluster cluster = servedCluster(1, gigabyte);
        cluster.nodes[0].gpus = {0, 1, 2};
        const auto r = runOf(scenario(job, cluster, parameterServers(job, {"n1:CPU:0"}), policy));
        QVERIFY(r);
        COMPARE_CLOSE(r->graph.units.front().sizeBytes, 334 * 12288.0);
        double sum = 0;
        for (const SyncUnit &unit : r->graph.units)
            sum += unit.sizeBytes;
        COMPARE_CLOSE(sum, 20e6);
    }

    /// gRPC's streams (async-SGD paper, section 3.2): 100 bytes first, then the other streams, then the rest.
    void http2Window() {
        const Job job = chainJob({{1, 0.5, 25}, {1, 0, 75}}); // 100 bytes, 300 bytes at 100 bytes/s
        CommPolicy policy = policyOf("http2", {{"window", 100}});
        auto r = runOf(scenario(job, servedCluster(1, 100), parameterServers(job, {"n1:CPU:0"}), policy));
        auto pushes = spans(*r, TaskKind::Push, 0, 2), pulls = spans(*r, TaskKind::Pull, 0, 2);
        QVERIFY2(pushes == (std::vector<Span>{{1, 0, 1}, {0, 1, 2}, {1, 2, 4}}), text(pushes).c_str());
        QVERIFY2(pulls == (std::vector<Span>{{0, 2, 3}, {1, 4, 5}, {1, 5, 7}}), text(pulls).c_str());
        policy.set("window", std::numeric_limits<double>::infinity());
        r = runOf(scenario(job, servedCluster(1, 100), parameterServers(job, {"n1:CPU:0"}), policy));
        pushes = spans(*r, TaskKind::Push, 0, 2);
        pulls = spans(*r, TaskKind::Pull, 0, 2);
        QVERIFY2(pushes == (std::vector<Span>{{1, 0, 3}, {0, 3, 4}}), text(pushes).c_str());
        QVERIFY2(pulls == (std::vector<Span>{{1, 3, 6}, {0, 6, 7}}), text(pulls).c_str());
    }

    /// P3's consumer sends one slice at a time, to any server.
    void p3PushesOneSlice() {
        const Job job = chainJob({{1e-3, 1e-3, 1'000'000}, {1e-3, 1e-3, 2'000'000}, {1e-3, 1e-3, 500'000}});
        Cluster cluster = plainCluster(5, gigabyte);
        cluster.serverOnly = {3, 4};
        const auto r = runOf(scenario(job, cluster, parameterServers(job, {"n3:CPU:0", "n4:CPU:0"}), smallParts("p3")));
        QVERIFY(r);
        const auto pushes = spans(*r, TaskKind::Push, 2, 0);
        QCOMPARE(pushes.size(), std::size_t{4 + 8 + 2});
        for (std::size_t i = 1; i < pushes.size(); ++i)
            COMPARE_AT_LEAST(pushes[i].start, pushes[i - 1].end - 1e-6);
    }

    /// MXNet's p3store_dist.h: full slices and the remainder, on the servers in turn, wherever the strategy places the tensor.
    void p3SpreadsSlices() {
        const Job job = chainJob({{1e-3, 1e-3, 1'000'000}, {1e-3, 1e-3, 900'000}});
        Cluster cluster = plainCluster(4, gigabyte);
        cluster.serverOnly = {2, 3};
        const auto r = runOf(scenario(job, cluster, parameterServers(job, {"n2:CPU:0"}), policyOf("p3", {{"slice", 1.5e6}})));
        const auto both =
            runOf(scenario(job, cluster, parameterServers(job, {"n2:CPU:0", "n3:CPU:0"}), policyOf("p3", {{"slice", 1.5e6}})));
        QVERIFY(r && both);
        using Slices = std::vector<std::pair<std::string, double>>;
        const auto slicesOf = [](const Run &run, std::int32_t variable) {
            Slices slices;
            for (const SyncUnit &unit : run.graph.units)
                if (unit.variables.front() == variable)
                    slices.push_back({unit.destination, unit.sizeBytes});
            return slices;
        };
        QVERIFY(slicesOf(*r, 0) == (Slices{{"n2:CPU:0", 1'500'000}, {"n2:CPU:0", 1'500'000}, {"n2:CPU:0", 1'000'000}}));
        QVERIFY(slicesOf(*both, 0) == (Slices{{"n2:CPU:0", 1'500'000}, {"n3:CPU:0", 1'500'000}, {"n2:CPU:0", 1'000'000}}));
        QVERIFY(slicesOf(*both, 1) == (Slices{{"n3:CPU:0", 1'500'000}, {"n2:CPU:0", 1'500'000}, {"n3:CPU:0", 600'000}}));
    }
};

QTEST_GUILESS_MAIN(TestPolicies)
#include "tst_policies.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// How generated traces share links: NICs, limits of a connection, background traffic, several servers, all compared with closed
// forms.
#include "tests/checks.h"
#include "tests/predict/step_sets.h"

#include <QtTest>
#include <algorithm>
#include <fmt/format.h>

using namespace syncopate;
using namespace syncopate::testing;

class TestGenerateLinks : public QObject {
    Q_OBJECT

private slots:
    /// Workers are assigned to a server's NICs in turn, whichever transfers share a link; a worker has a NIC for each of two
    /// servers.
    void severalNics() {
        const StepSet set = oneOp(StepResource::Downlink, 0, 1e5);
        constexpr double rate = 1e6;
        for (const LinkSharing sharing : {LinkSharing::Equal, LinkSharing::Tcp}) {
            GenerateOptions options;
            options.sharing = sharing;
            PredictMachines slower = machinesLike(1, 1, rate / 3);
            slower.nodeBytesPerSecond.front() = rate;
            const double alone = samplesPerSecond(set, slower, options);
            if (sharing == LinkSharing::Equal)
                COMPARE_CLOSE(alone, rate / 3 / 1e5);
            for (int workers = 1; workers <= 3; ++workers) {
                PredictMachines machines = machinesLike(workers, 1, rate);
                machines.nodeNics.assign(machines.nodeBytesPerSecond.size(), 1);
                machines.nodeNics.back() = 3;
                COMPARE_CLOSE(samplesPerSecond(set, machines, options), workers * alone, 1e-9,
                              fmt::format("{} workers", workers));
            }
        }
        PredictMachines machines = machinesLike(5, 1, rate); // two workers on each of the first two NICs, one on the third
        machines.nodeNics = {1, 1, 1, 1, 1, 3};
        COMPARE_CLOSE(samplesPerSecond(set, machines), rate / 1e5, 1e-2);
        StepSet two = oneOp(StepResource::Downlink, 0, 1e5);
        two.graph.ops.push_back(two.graph.ops.front());
        two.graph.ops.back().server = 1;
        two.graph.servers = 2;
        two.seconds = {{0, 0}};
        PredictMachines apart = machinesLike(1, 2, rate);
        COMPARE_CLOSE(samplesPerSecond(two, apart), rate / 2e5, 1e-9); // in parallel over the worker's NIC
        apart.nodeNics = {2, 1, 1};
        COMPARE_CLOSE(samplesPerSecond(two, apart), rate / 2 / 1e5, 1e-9); // each over one at half the rate
        apart.nodeNics = {2, 0, 1};
        COMPARE_CLOSE(samplesPerSecond(two, apart), -1.0);
    }

    /// Background traffic takes its share on each of a node's NICs.
    void backgroundOnSeveralNics() {
        const StepSet set = oneOp(StepResource::Downlink, 0, 1e5);
        PredictMachines machines = machinesLike(4, 1, 1e6);
        GenerateOptions options;
        options.background = {{.server = true, .index = 0, .up = true, .fromSeconds = 0, .toSeconds = 1e9, .share = 0.5}};
        const double one = samplesPerSecond(set, machines, options);
        machines.nodeNics = {1, 1, 1, 1, 4};
        COMPARE_CLOSE(one, 5.0);
        COMPARE_CLOSE(samplesPerSecond(set, machines, options), 5.0);
    }

    /// Each connection reaches its limit, until together they fill the server's link.
    void flowLimit_data() {
        QTest::addColumn<int>("sharing");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("equal") << static_cast<int>(LinkSharing::Equal) << 1e-9;
        QTest::newRow("uneven") << static_cast<int>(LinkSharing::Uneven) << 2e-2;
        QTest::newRow("TCP") << static_cast<int>(LinkSharing::Tcp) << 5e-2; // its queues are empty at times
    }
    void flowLimit() {
        QFETCH(int, sharing);
        QFETCH(double, tolerance);
        constexpr double rate = 1e8, bytes = 1e8;
        GenerateOptions options;
        options.sharing = static_cast<LinkSharing>(sharing);
        options.steps = 20;
        options.warmUp = 2;
        for (const StepResource way : {StepResource::Downlink, StepResource::Uplink})
            for (const double limit : {rate / 4, rate / 2, 2 * rate})
                for (const int workers : {1, 2, 3, 6}) {
                    PredictMachines machines = machinesLike(workers, 1, rate);
                    machines.limits = {limit, limit};
                    COMPARE_CLOSE(samplesPerSecond(oneOp(way, 0, bytes), machines, options),
                                  std::min(workers * limit, rate) / bytes, tolerance,
                                  fmt::format("limit {}, {} workers", limit, workers));
                }
        // The last of three workers is in the server's rack.
        PredictMachines machines = machinesLike(3, 1, rate);
        machines.limits = {rate / 2, rate / 8, {1, 1, 2, 2}};
        COMPARE_CLOSE(samplesPerSecond(oneOp(StepResource::Downlink, 0, bytes), machines, options),
                      (rate / 2 + 2 * rate / 8) / bytes, 5e-2);
        machines.limits = {0, 0};
        COMPARE_CLOSE(samplesPerSecond(oneOp(StepResource::Downlink, 0, bytes), machines, options), -1.0);
        machines.limits = {rate, rate / 2, {1}};
        COMPARE_CLOSE(samplesPerSecond(oneOp(StepResource::Downlink, 0, bytes), machines, options), -1.0);
    }

    /// Section 5: alone on server 0 and one of n on server 1, a worker gets 1 - 1/n from server 0, and 1/n from server 1.
    void twoServersAsThePaperShares() {
        for (const int n : {2, 3, 5, 8}) {
            // Worker 0 pulls from both servers; the others' pulls from server 0 are empty. All start at the same time.
            StepSet set = oneOp(StepResource::Downlink, 0, 1e6);
            set.graph.servers = 2;
            set.graph.ops.push_back(set.graph.ops[0]);
            set.graph.ops[1].server = 1;
            set.seconds = {{0, 0}};
            // Workers differ in their steps: all but worker 0 are delayed by 1000 s before a pull from server 0.
            GenerateOptions options;
            options.steps = 1;
            options.warmUp = 0;
            options.traceSteps = 1;
            options.stopEach = true;
            set.seconds = {{0, 0}, {1000, 0}};
            // Sampled with replacement: find a seed whose first steps are 0, 1, 1, ..., 1.
            for (;; ++options.seed) {
                const auto made = generateTrace(set, machinesLike(n, 2, 1e6), options);
                VERIFY_VALUE(made);
                bool fits = made->sampledFrom[0] == 0;
                for (int w = 1; w < n; ++w)
                    fits = fits && made->sampledFrom[static_cast<std::size_t>(w)] == 1;
                if (!fits)
                    continue;
                for (const TraceChunk &chunk : made->trace)
                    if (chunk.worker == WorkerId(0))
                        COMPARE_CLOSE(chunk.endSeconds, chunk.op == OpId(0) ? 1 / (1 - 1.0 / n) : n, 1e-9,
                                      QString("op %1 ends at %2").arg(chunk.op.number()).arg(chunk.endSeconds));
                break;
            }
        }
    }

    /// With one server the general solution is the paper's 1/n: keeping the links of workers (a second server makes them possible
    /// bottlenecks) changes nothing.
    void oneServerIsASpecialCase() {
        const StepSet set = randomSteps(9, 6);
        GenerateOptions options;
        options.steps = 40;
        options.traceSteps = 40;
        const auto one = generateTrace(set, machinesLike(4, 1, 1e8), options);
        StepSet wider = set;
        wider.graph.servers = 2;
        const auto two = generateTrace(wider, machinesLike(4, 2, 1e8), options);
        QVERIFY(one.has_value() && two.has_value());
        QCOMPARE(one->trace.size(), two->trace.size());
        for (std::size_t i = 0; i < one->trace.size(); ++i) {
            QCOMPARE(one->trace[i].op, two->trace[i].op);
            COMPARE_CLOSE(one->trace[i].endSeconds, two->trace[i].endSeconds);
        }
    }

    void unevenSharesFillTheLink() {
        GenerateOptions options;
        options.sharing = LinkSharing::Uneven;
        // Links that are always full carry the same however they are shared.
        for (const int workers : {1, 2, 5})
            COMPARE_CLOSE(samplesPerSecond(oneOp(StepResource::Uplink, 0, 2e6), machinesLike(workers, 1, 1e6), options), 0.5,
                          2e-2);
        // Two equal transfers that start together: the mean share of the first to end is E max(u, 1 - u) = 3/4.
        StepSet set = oneOp(StepResource::Uplink, 0, 1e6);
        options.steps = 1;
        options.warmUp = 0;
        options.stopEach = true;
        double share = 0;
        const int runs = 4000;
        for (int i = 0; i < runs; ++i) {
            options.seed = static_cast<std::uint64_t>(i);
            share += 1 / generateTrace(set, machinesLike(2, 1, 1e6), options)->completionSeconds.front() / runs;
        }
        COMPARE_WITHIN(share, 0.75, 0.02);
    }

    /// At almost no bandwidth bytes / rate overflows, and no transfer would ever end: refused.
    void linksAreFastEnoughForTime() {
        const StepSet set = oneOp(StepResource::Downlink, 0, 1e6);
        for (const double rate : {0.0, 1e-320, 1e-300, 1e-9})
            QVERIFY(!generateTrace(set, machinesLike(2, 1, rate), {}));
        VERIFY_VALUE(generateTrace(set, machinesLike(2, 1, 1e-3), {}));
    }
};

QTEST_GUILESS_MAIN(TestGenerateLinks)
#include "tst_generate_links.moc"

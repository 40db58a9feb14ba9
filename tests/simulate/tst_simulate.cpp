// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/metrics.h"
#include "engine/base/rng.h"
#include "engine/graph/graph_builder.h"
#include "engine/job/job_file.h"
#include "engine/simulate/event_loop.h"
#include "engine/simulate/measured_run.h"
#include "engine/simulate/run_timeline.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QFileInfo>
#include <QtTest>
#include <array>
#include <cmath>
#include <map>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr double gigabyte = 1e9;

double iterationOf(const Scenario &s) {
    const auto run = simulate(s);
    if (!run) {
        qWarning("%s", run.error().toString().c_str());
        return -1;
    }
    return (*run)->iterationSeconds;
}

} // namespace

class TestSimulate : public QObject {
    Q_OBJECT

private slots:
    void goldenRing_data() {
        QTest::addColumn<QString>("job");
        QTest::addColumn<int>("workers");
        QTest::addColumn<bool>("flows");
        QTest::addColumn<bool>("fold");
        QTest::addColumn<double>("milliseconds");
        // golden/ring/README.md, closed form
        QTest::newRow("resnet50 8 analytic") << "resnet50" << 8 << false << true << 231.006;
        QTest::newRow("resnet50 8 flows") << "resnet50" << 8 << true << true << 231.006;
        QTest::newRow("resnet50 8 flows, every node") << "resnet50" << 8 << true << false << 231.006;
        QTest::newRow("bert 8 analytic") << "bert_large" << 8 << false << true << 1124.733;
        QTest::newRow("bert 8 flows") << "bert_large" << 8 << true << true << 1124.733;
        QTest::newRow("resnet50 64 analytic") << "resnet50" << 64 << false << true << 1139.755;
        QTest::newRow("resnet50 64 flows") << "resnet50" << 64 << true << true << 1139.755;
        QTest::newRow("bert 64 analytic") << "bert_large" << 64 << false << true << 3445.663;
        QTest::newRow("bert 64 flows") << "bert_large" << 64 << true << true << 3445.663;
        QTest::newRow("resnet50 512 analytic") << "resnet50" << 512 << false << true << 8353.383;
        QTest::newRow("resnet50 512 flows") << "resnet50" << 512 << true << true << 8353.383;
    }

    void goldenRing() {
        QFETCH(QString, job);
        QFETCH(int, workers);
        QFETCH(bool, flows);
        QFETCH(bool, fold);
        QFETCH(double, milliseconds);
        const QString path = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/golden/ring/%1.job.json").arg(job);
        const auto read = readJobFile(path.toStdString());
        VERIFY_VALUE(read);
        Cluster cluster = plainCluster(workers, 3.125e9);
        cluster.latencySeconds = 50e-6;
        CommPolicy policy;
        policy.form = flows ? CollectiveForm::Flows : CollectiveForm::Analytic;
        Scenario s = scenario(*read, cluster, allReduceEach(*read), policy);
        s.iterations = 3;
        s.fold = fold;
        const double simulated = iterationOf(s) * 1e3;
        COMPARE_CLOSE(simulated, milliseconds, 1e-3);
    }

    /// Figure 2 of ByteScheduler (Peng et al., SOSP 2019): one worker, one server, duplex, per layer.
    void toySchedule_data() {
        QTest::addColumn<bool>("priority");
        QTest::addColumn<double>("iteration");
        QTest::newRow("first in, first out") << false << 13.0;
        QTest::newRow("priority, half-unit parts") << true << 9.0;
    }

    void toySchedule() {
        QFETCH(bool, priority);
        QFETCH(double, iteration);
        // 1 byte takes 1 unit: 1.5, 3 and 1.5 units for layers 0, 1, 2 in units of 4-byte elements.
        const Job job = chainJob({{1, 1, 150}, {1, 1, 300}, {1, 1, 150}});
        // Half a unit at 400 B per unit; one part being pushed, one being pulled.
        CommPolicy policy = policyOf(priority ? "bytescheduler" : "fifo", {{"partition", 200}, {"credit", 400}});
        policy.barrier = false;
        const Scenario s = scenario(job, servedCluster(1, 400), parameterServers(job, {"n1:CPU:0"}), policy);
        COMPARE_CLOSE(iterationOf(s), iteration);
    }

    /// Synchronous PS, one large variable, no overlap possible: push n S / B, pull n S / B, through the server's one NIC.
    void serverLinkIsShared() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        CommPolicy policy;
        for (const int n : {1, 2, 5, 16}) {
            const Scenario s = scenario(job, servedCluster(n, gigabyte),
                                        parameterServers(job, {QStringLiteral("n%1:CPU:0").arg(n).toStdString()}), policy);
            COMPARE_CLOSE(iterationOf(s), 0.75 + 2 * n * 0.1);
        }
    }

    /// A worker that also serves: the others share its NIC, its own gradient stays within the node.
    void colocatedServer() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Cluster cluster = plainCluster(4, gigabyte);
        cluster.intraNodeBandwidthBytesPerSecond = 100 * gigabyte;
        const Scenario s = scenario(job, cluster, parameterServers(job, {"n0:CPU:0"}));
        COMPARE_CLOSE(iterationOf(s), 0.75 + 2 * 3 * 0.1);
    }

    void foldingIsExact_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("barrier");
        for (int kind = 0; kind < 6; ++kind)
            for (const bool barrier : {true, false})
                QTest::addRow("%d %s", kind, barrier ? "barrier" : "per layer") << kind << barrier;
    }

    void foldingIsExact() {
        QFETCH(int, kind);
        QFETCH(bool, barrier);
        Rng rng(17);
        std::vector<LayerSpec> layers;
        for (int l = 0; l < 12; ++l)
            layers.push_back(
                {rng.uniform(1e-3, 9e-3), rng.uniform(1e-3, 9e-3), static_cast<std::int64_t>(rng.uniform(1e3, 4e6))});
        const Job job = chainJob(layers);
        CommPolicy policy = policyOf(kind % 3 == 0   ? "fifo"
                                     : kind % 3 == 1 ? "ddp"
                                                     : "bytescheduler",
                                     {{"concurrent", 2}, {"bucket_cap", 5e6}, {"partition", 1e6}, {"credit", 3e6}});
        policy.barrier = barrier;
        Cluster cluster = servedCluster(5, gigabyte);
        cluster.latencySeconds = 20e-6;
        const Strategy strategy = kind < 3 ? allReduceEach(job) : parameterServers(job, {"n5:CPU:0", "n0:CPU:0"});
        Scenario s = scenario(job, cluster, strategy, policy);
        const double folded = iterationOf(s);
        s.fold = false;
        COMPARE_ABOVE(folded, 0);
        COMPARE_CLOSE(folded, iterationOf(s), 1e-6);
    }

    void analyticEqualsFlows() {
        const Job job = chainJob({{1e-3, 2e-3, 1'000'000}, {2e-3, 1e-3, 30'000}, {1e-3, 4e-3, 7'000'000}});
        for (const int n : {2, 3, 7}) {
            Cluster cluster = plainCluster(n, gigabyte);
            cluster.latencySeconds = 30e-6;
            Scenario s = scenario(job, cluster, allReduceEach(job));
            const double analytic = iterationOf(s);
            s.policy.form = CollectiveForm::Flows;
            COMPARE_CLOSE(analytic, iterationOf(s), 1e-9);
            s.fold = false;
            COMPARE_CLOSE(analytic, iterationOf(s), 1e-9);
        }
    }

    /// Rings of many steps are played by the event loop itself: equal to the same steps as tasks, and to the closed form.
    void streamedRings() {
        // 60 tensors and 20 nodes: 2280 steps folded (tasks), 45600 with every node (played).
        std::vector<LayerSpec> layers(60, {1e-4, 2e-4, 50'000});
        const Job job = chainJob(layers);
        Cluster cluster = plainCluster(20, gigabyte);
        cluster.latencySeconds = 30e-6;
        CommPolicy policy = policyOf("ddp", {{"bucket_cap", 1}, {"first_bucket", 1}}); // several rings at a time
        policy.form = CollectiveForm::Flows;
        for (const int concurrent : {1, 2}) {
            policy.set("concurrent", concurrent);
            Scenario s = scenario(job, cluster, allReduceEach(job), policy);
            const auto asTasks = simulate(s);
            s.fold = false;
            const auto played = simulate(s);
            QVERIFY((*asTasks)->graph.rings.empty());
            QCOMPARE((*played)->graph.rings.size(), std::size_t{1});
            COMPARE_ABOVE((*played)->events, 2 * 6 * 60 * 38 * 20);
            COMPARE_CLOSE((*asTasks)->iterationSeconds, (*played)->iterationSeconds, 1e-9);
        }
        // Folded and played: the event loop skips over equal steps, and still counts them.
        layers.resize(400, {1e-4, 2e-4, 50'000});
        const Job long_ = chainJob(layers);
        policy.set("concurrent", 1);
        Scenario s = scenario(long_, plainCluster(40, gigabyte), allReduceEach(long_), policy);
        const auto leaping = simulate(s);
        QCOMPARE((*leaping)->graph.rings.size(), std::size_t{1});
        COMPARE_ABOVE((*leaping)->events, 2 * 6 * 400 * 78);
        s.policy.form = CollectiveForm::Analytic;
        COMPARE_CLOSE((*leaping)->iterationSeconds, iterationOf(s), 1e-9);
    }

    /// The buckets that PyTorch logs for ResNet-18: sizes in bytes, with caps of 25 and 35 MiB.
    void ddpBuckets() {
        std::vector<LayerSpec> layers; // parameters in registration order
        const auto add = [&](std::int64_t elements) { layers.push_back({1e-3, 1e-3, elements}); };
        const auto conv = [&](std::int64_t in, std::int64_t out, std::int64_t k) {
            add(in * out * k * k);
            add(out);
            add(out);
        };
        conv(3, 64, 7);
        std::int64_t in = 64;
        for (const std::int64_t out : {64, 128, 256, 512}) {
            for (int block = 0; block < 2; ++block) {
                conv(in, out, 3);
                conv(out, out, 3);
                if (in != out)
                    conv(in, out, 1);
                in = out;
            }
        }
        add(512 * 1000);
        add(1000);
        const auto buckets = [](const Job &job, double capMiB) {
            const CommPolicy policy = policyOf("ddp", {{"bucket_cap", capMiB * 1024 * 1024}});
            const auto run = simulate(scenario(job, plainCluster(2, gigabyte), allReduceEach(job), policy));
            std::vector<double> sizes;
            for (const SyncUnit &unit : (*run)->graph.units)
                sizes.push_back(unit.sizeBytes);
            return sizes;
        };
        const Job resnet = chainJob(layers);
        QCOMPARE(buckets(resnet, 25), (std::vector<double>{2052000, 28852224, 15853824}));
        QCOMPARE(buckets(resnet, 35), (std::vector<double>{2052000, 38297600, 6408448}));
        // A bucket that is exactly full is closed: gradients of 1 MiB, the first alone, the others in pairs.
        const Job even = chainJob(std::vector<LayerSpec>(5, {1e-3, 1e-3, 1 << 18}));
        QCOMPARE(buckets(even, 2), (std::vector<double>{1 << 20, 2 << 20, 2 << 20}));
    }

    /// Links never exceed their capacity, every task follows its parents, all bytes arrive; random scenarios.
    void conservation() {
        Rng rng(5);
        for (int trial = 0; trial < 60; ++trial) {
            std::vector<LayerSpec> layers;
            const int count = 1 + static_cast<int>(rng.uniform(0, 8));
            for (int l = 0; l < count; ++l)
                layers.push_back({rng.uniform(0, 5e-3), rng.uniform(0, 5e-3), static_cast<std::int64_t>(rng.uniform(0, 3e6))});
            layers.push_back({1e-3, 1e-3, 1000});
            const Job job = chainJob(layers);
            const int nodes = 1 + static_cast<int>(rng.uniform(0, 6));
            Cluster cluster = servedCluster(nodes, rng.uniform(1e8, 2e9));
            for (Node &node : cluster.nodes)
                node.bandwidthBytesPerSecond *= rng.uniform(0.3, 1);
            const char *kind = std::array{"fifo", "ddp", "bytescheduler"}[static_cast<std::size_t>(rng.uniform(0, 3))];
            const bool barrier = rng.uniform(0, 1) < 0.5;
            CommPolicy policy = policyOf(kind, {{"partition", rng.uniform(1e5, 4e6)},
                                                {"credit", rng.uniform(1e5, 8e6)},
                                                {"concurrent", 1 + static_cast<int>(rng.uniform(0, 3))}});
            policy.barrier = barrier;
            const std::string server = "n" + std::to_string(nodes) + ":CPU:0";
            const Strategy strategy = rng.uniform(0, 1) < 0.5 ? allReduceEach(job) : parameterServers(job, {server, "n0:CPU:0"});
            const auto run = simulate(scenario(job, cluster, strategy, policy));
            VERIFY_VALUE(run);
            checkRun(**run);
            double compute = job.forwardSeconds() + job.backwardSeconds() + job.updateSeconds;
            COMPARE_AT_LEAST((*run)->iterationSeconds, compute * (1 - 1e-9));
            const auto again = simulate((*run)->scenario);
            QCOMPARE((*again)->endSeconds, (*run)->endSeconds); // same scenario, same bits
        }
    }

    /// Three thirds of 2 MB are a whole credit of 2 MB, whatever the rounding of their sum: the fourth part waits for one of
    /// them.
    void partsThatFillACreditLeaveNone() {
        GraphBuilder builder;
        TaskQueue credit;
        credit.slotCount = 100;
        credit.windowBytes = 2e6;
        credit.byPriority = true;
        TaskRow part;
        part.kind = TaskKind::Push;
        part.queue = builder.addQueue(credit);
        part.fixedSeconds = 1;
        part.windowBytes = 2e6 / 3;
        for (part.orderKey = 0; part.orderKey < 4; ++part.orderKey)
            (void)builder.addTask(part);
        const Schedule schedule = runEventLoop(builder.take());
        QVERIFY(schedule.complete);
        QCOMPARE(schedule.startSeconds, (std::vector<double>{0, 0, 0, 1}));
    }

    /// The event loop looks for a stop request every 64 moments, since a moment of hundreds of flows takes a tenth of a
    /// millisecond and more.
    void eventLoopLooksOftenWhetherToStop() {
        GraphBuilder builder;
        TaskRow row;
        row.kind = TaskKind::Push;
        row.fixedSeconds = 1;
        TaskId before = builder.addTask(row);
        for (int t = 1; t < 1000; ++t) {
            const TaskId task = builder.addTask(row);
            builder.addEdge(before, task);
            before = task;
        }
        const TaskGraph graph = builder.take();
        QVERIFY(runEventLoop(graph).complete);
        std::stop_source source;
        source.request_stop();
        const Schedule stopped = runEventLoop(graph, source.get_token());
        QVERIFY(!stopped.complete);
        const auto ended = [](double end) { return std::isfinite(end); };
        COMPARE_AT_MOST(std::count_if(stopped.endSeconds.begin(), stopped.endSeconds.end(), ended), 64);
    }

    void cancelAnswers() {
        std::stop_source source;
        source.request_stop();
        std::vector<LayerSpec> layers(200, {1e-3, 1e-3, 100'000});
        const Job job = chainJob(layers);
        CommPolicy policy;
        policy.form = CollectiveForm::Flows;
        const auto run = simulate(scenario(job, plainCluster(32, gigabyte), allReduceEach(job), policy), source.get_token());
        QVERIFY(!run.has_value());
        QVERIFY(run.error().isCancelled());
    }

    void timelinesGiveUpWhenStopped() {
        const Job job = chainJob(std::vector<LayerSpec>(50, {1e-3, 1e-3, 100'000}));
        const auto run = simulate(scenario(job, plainCluster(4, gigabyte), allReduceEach(job)));
        VERIFY_VALUE(run);
        const Schedule schedule = runEventLoop((*run)->graph);
        const Timeline whole = makeTimeline(job, (*run)->graph, schedule);
        QCOMPARE(whole.spanCount(), (*run)->timeline.spanCount());
        COMPARE_ABOVE(whole.spanCount(), 0);
        // Tasks that start together keep their order.
        for (const Lane &lane : whole.lanes)
            for (std::size_t i = 1; i < lane.size(); ++i)
                QVERIFY(std::pair(lane.start[i - 1], lane.task[i - 1]) < std::pair(lane.start[i], lane.task[i]));
        std::stop_source source;
        source.request_stop();
        QCOMPARE(makeTimeline(job, (*run)->graph, schedule, {}, source.get_token()).spanCount(), std::size_t{0});
        QCOMPARE(areaStatistics(whole, 0, whole.duration, 0, source.get_token()).spans, std::size_t{0});
        COMPARE_ABOVE(areaStatistics(whole, 0, whole.duration, 0).spans, 0);
        auto profile = std::make_shared<ImportedProfile>();
        profile->timeline = whole;
        const auto sharedJob = std::make_shared<const Job>(job);
        QCOMPARE(measuredRecording(profile, sharedJob)->timeline.spanCount(), whole.spanCount());
        QCOMPARE(measuredRecording(profile, sharedJob, source.get_token())->timeline.spanCount(), std::size_t{0});
    }

    void badScenariosAreRefused() {
        const Job job = chainJob({{1, 1, 10}});
        Scenario s = scenario(job, plainCluster(2, gigabyte), parameterServers(job, {"elsewhere:CPU:0"}));
        QVERIFY(!simulate(s).has_value());
        s = scenario(job, plainCluster(2, gigabyte), allReduceEach(job));
        s.iterations = 2;
        QVERIFY(!simulate(s).has_value());
        s = scenario(job, plainCluster(2, gigabyte), Strategy{});
        QVERIFY(!simulate(s).has_value());
    }

    /// A job that states where its device waits for the host takes as long as one that does not; these waits are gaps after the
    /// ops, a third kind besides compute and exposed communication, even if traffic is in progress during them.
    void waitingForTheHostIsAThirdKind_data() {
        QTest::addColumn<bool>("barrier");
        QTest::newRow("update at the end") << true;
        QTest::newRow("each layer on its own") << false;
    }
    void waitingForTheHostIsAThirdKind() {
        QFETCH(bool, barrier);
        Job plain = chainJob({{0.010, 0.020, 25'000'000}, {0.010, 0.020, 25'000'000}});
        plain.updateSeconds = 0.004;
        Job waiting = plain;
        waiting.layers[0].forwardHostSeconds = 0.004;
        waiting.layers[0].backwardHostSeconds = 0.001;
        waiting.layers[1].backwardHostSeconds = 0.015; // no all-reduce has begun that could cover a part of it
        waiting.updateHostSeconds = 0.002;
        COMPARE_WITHIN(waiting.hostSeconds(), 0.022, 1e-15);
        QVERIFY(validateJob(waiting));
        const auto runOf = [&](const Job &job) {
            CommPolicy policy = policyOf("fifo");
            policy.barrier = barrier;
            return *simulate(scenario(job, plainCluster(2, gigabyte), allReduceEach(job), policy));
        };
        const auto without = runOf(plain), with = runOf(waiting);
        QCOMPARE(with->iterationSeconds, without->iterationSeconds); // to the last bit
        QCOMPARE(with->endSeconds, without->endSeconds);
        const AreaStatistics plainArea = iterationStatistics(*without), area = iterationStatistics(*with);
        COMPARE_WITHIN(plainArea.hostWaitSeconds, 0, 1e-15);
        COMPARE_WITHIN(area.hostWaitSeconds, 0.022, 1e-8);
        COMPARE_WITHIN(area.computeSeconds, plainArea.computeSeconds - 0.022, 1e-8);
        COMPARE_WITHIN(area.exposedSeconds, plainArea.exposedSeconds, 1e-8);
        COMPARE_WITHIN(area.waitSeconds, area.exposedSeconds + area.hostWaitSeconds, 1e-8);
        COMPARE_WITHIN(area.backwardSeconds, plainArea.backwardSeconds - 0.016, 1e-8);
        double exposed = 0, before = 0;
        for (const auto &[from, to] : exposedIntervals(with->timeline, 0))
            exposed += static_cast<double>(to - from) * 1e-9;
        for (const auto &[from, to] : exposedIntervals(without->timeline, 0))
            before += static_cast<double>(to - from) * 1e-9;
        COMPARE_WITHIN(exposed, before, 1e-7);
        for (const Lane &lane : with->timeline.lanes) {
            QCOMPARE(lane.hostUntil.size(), lane.isCompute ? lane.size() : std::size_t{0});
            for (std::size_t i = 0; i < lane.hostUntil.size(); ++i)
                QVERIFY(lane.end[i] > lane.start[i] && lane.hostUntil[i] >= lane.end[i] &&
                        (i == 0 || lane.start[i] >= lane.hostUntil[i - 1]));
        }
        waiting.layers[1].backwardHostSeconds = 0.021; // longer than the op
        const auto bad = validateJob(waiting, "job.json");
        QVERIFY(!bad && bad.error().place.find("backward_host_seconds") != std::string::npos);
    }

    void areaStatisticsAddUp() {
        const Job job = chainJob({{2e-3, 3e-3, 2'000'000}, {1e-3, 5e-3, 3'000'000}});
        const auto run = simulate(scenario(job, plainCluster(4, gigabyte), allReduceEach(job)));
        VERIFY_VALUE(run);
        const auto from = static_cast<Nanoseconds>((*run)->windowStartSeconds * 1e9);
        const auto to = from + static_cast<Nanoseconds>((*run)->iterationSeconds * 1e9);
        const AreaStatistics s = areaStatistics((*run)->timeline, from, to, 0);
        // Layer 1's gradient is sent while layer 0's backward runs: 3 ms hidden; the ring takes 1.5 S / B.
        COMPARE_CLOSE(s.computeSeconds, 11e-3, 1e-6);
        COMPARE_CLOSE(s.communicationSeconds, 1.5 * 20e-3, 1e-6);
        COMPARE_CLOSE(s.overlappedSeconds, 3e-3, 1e-5);
        COMPARE_CLOSE(s.exposedSeconds, 27e-3, 1e-5);
        COMPARE_CLOSE(s.windowSeconds, 38e-3, 1e-6);
        const auto check = [](const AreaStatistics &area, std::size_t transfers) {
            QCOMPARE(area.transfers, transfers);
            COMPARE_CLOSE(area.shortestTransferSeconds, 12e-3, 1e-6);
            COMPARE_CLOSE(area.meanTransferSeconds, 15e-3, 1e-6);
            COMPARE_CLOSE(area.longestTransferSeconds, 18e-3, 1e-6);
        };
        check(s, 2);
        // A window within the transfers counts their full lengths; and the transfers of both workers if all are requested.
        Timeline two = (*run)->timeline;
        const std::vector<Lane> lanes = two.lanes;
        for (Lane lane : lanes) {
            lane.worker = 1;
            two.lanes.push_back(std::move(lane));
        }
        check(areaStatistics(two, from + 12'000'000, to - 6'000'000), 4);
        // Of a measurement, ids without a lane are no workers: the mean of two equal workers is either.
        two.waitsAreTraffic = false;
        for (std::size_t i = lanes.size(); i < two.lanes.size(); ++i)
            two.lanes[i].worker = 4;
        const AreaStatistics mean = areaStatistics(two, from, to), first = areaStatistics(two, from, to, 0);
        COMPARE_CLOSE(mean.windowSeconds, 38e-3, 1e-6);
        COMPARE_CLOSE(mean.computeSeconds, 11e-3, 1e-6);
        COMPARE_CLOSE(mean.exposedSeconds, first.exposedSeconds);
        // Nor is one of them the worker with the most exposed communication.
        Recording measured = **run;
        measured.measured = true;
        measured.timeline = two;
        measured.windowIterations = 1;
        COMPARE_CLOSE(iterationStatistics(measured).computeSeconds, 11e-3, 1e-6);
    }

private:
    static void checkRun(const Run &run) {
        const TaskGraph &g = run.graph;
        for (std::size_t t = 0; t < g.size(); ++t) {
            COMPARE_AT_LEAST(run.startSeconds[t], run.readySeconds[t]);
            COMPARE_AT_LEAST(run.endSeconds[t], run.startSeconds[t] + g.fixedSeconds[t] - 1e-12);
            for (std::uint32_t s = g.successorOffsets[t]; s < g.successorOffsets[t + 1]; ++s)
                COMPARE_AT_LEAST(run.readySeconds[g.successors[s].index()], run.endSeconds[t]);
        }
        // The average load of a link over its busy interval never exceeds its rate.
        std::vector<double> bytes(g.links.size(), 0), first(g.links.size(), 1e300), last(g.links.size(), 0);
        for (std::size_t t = 0; t < g.size(); ++t) {
            if (!g.path[t].exists())
                continue;
            const auto p = g.path[t].index();
            for (std::uint32_t h = g.pathOffsets[p]; h < g.pathOffsets[p + 1]; ++h) {
                const std::size_t link = g.pathHops[h].link.index();
                bytes[link] += g.pathHops[h].weight * g.sizeBytes[t];
                first[link] = std::min(first[link], run.startSeconds[t]);
                last[link] = std::max(last[link], run.endSeconds[t]);
            }
        }
        for (std::size_t l = 0; l < g.links.size(); ++l)
            if (bytes[l] > 0)
                COMPARE_AT_MOST(bytes[l], (last[l] - first[l]) * g.links[l].bytesPerSecond * (1 + 1e-9) + 1e-6);
    }
};

QTEST_GUILESS_MAIN(TestSimulate)
#include "tst_simulate.moc"

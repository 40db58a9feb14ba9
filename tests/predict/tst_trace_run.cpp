// SPDX-License-Identifier: GPL-3.0-or-later
// The steps behind a point of a throughput curve: compared with the trace generator over the whole run, and settings with
// hand-made requests.
#include "engine/analyze/metrics.h"
#include "engine/job/catalogue.h"
#include "engine/predict/setting.h"
#include "engine/predict/trace_run.h"
#include "tests/checks.h"

#include <QtTest>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

using namespace syncopate;

namespace {

PredictSetting smallSetting() {
    PredictSetting setting;
    setting.workers = workersUpTo(3);
    setting.servers = 2;
    setting.bandwidthGbits = 5;
    setting.windowBytes = 65535;
    setting.steps = 20;
    setting.warmUp = 4;
    return setting;
}

} // namespace

class TestTraceRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void settingIsTheRequestByHand() {
        const Job job = *catalogueJob("alexnet");
        PredictSetting setting = smallSetting();
        setting.order = TransferOrder::Reverse;
        setting.sharing = LinkSharing::Uneven;
        setting.seed = 7;
        setting.batchSize = 3;
        const auto made = predictRequest(job, {}, nullptr, uniformCluster(1, 10), setting);
        VERIFY_VALUE(made);
        PredictRequest byHand;
        auto steps = stepSetFromJob(job);
        steps->batchSize = 3;
        std::vector<double> bytes;
        for (const Variable &variable : job.variables)
            bytes.push_back(static_cast<double>(variable.sizeBytes()));
        byHand.steps = std::make_shared<const StepSet>(*withPlacement(*steps, placeGreedily(bytes, 2), 2));
        byHand.cluster = withBandwidth(withDedicatedServers(uniformCluster(1, 10), 2), 5);
        byHand.workers = {1, 2, 3};
        byHand.order = TransferOrder::Reverse;
        byHand.starts = setting.starts;
        byHand.generate.spreadStarts = true;
        byHand.generate.sharing = LinkSharing::Uneven;
        byHand.generate.seed = 7;
        byHand.generate.windowBytes = 65535;
        byHand.generate.steps = 20;
        byHand.generate.warmUp = 4;
        const auto a = predictCurve(**made), b = predictCurve(byHand);
        QVERIFY(a && b);
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(a->points[i].throughput.samplesPerSecond, b->points[i].throughput.samplesPerSecond);
    }

    /// A curve and its steps say for how long workers run on alone.
    void boundsOfStalenessAreStated() {
        PredictSetting setting = smallSetting();
        setting.starts = 1;
        for (const std::int32_t staleness : {-1, 0, 1, 3}) {
            setting.staleness = staleness;
            const auto made = predictRequest(*catalogueJob("alexnet"), {}, nullptr, uniformCluster(1, 10), setting);
            VERIFY_VALUE(made);
            const auto curve = predictCurve(**made);
            VERIFY_VALUE(curve);
            TraceRequest asked{*made, 2, curve->points[1].throughput.samplesPerSecond, {}, {}};
            asked.job = std::make_shared<const Job>(*catalogueJob("alexnet"));
            const auto steps = traceRun(asked);
            VERIFY_VALUE(steps);
            for (const auto *lines : {&curve->assumptions, &(*steps)->assumptions}) {
                const auto says = [&](const char *text) {
                    return std::ranges::any_of(*lines, [&](const std::string &line) { return line.starts_with(text); });
                };
                QCOMPARE(says("Synchronous: "), staleness == 0);
                QCOMPARE(says("Bounded staleness of 1: a worker waits while it is more than one step ahead "), staleness == 1);
                QCOMPARE(says("Bounded staleness of 3: a worker waits while it is more than 3 steps ahead "), staleness == 3);
                QVERIFY(!says("Generated, not recorded: steps of asynchronous") || staleness < 0);
            }
        }
    }

    void refusesWhatCannotBeAsked() {
        const Job job = *catalogueJob("alexnet");
        PredictSetting setting;
        setting.windowBytes.reset(); // nothing was recorded
        QVERIFY(!predictRequest(job, {}, nullptr, uniformCluster(1, 10), setting));
        setting = {};
        for (const std::int32_t wrong : {0, -1, 2'000'000'000}) {
            setting.workers = {wrong};
            QVERIFY(!predictRequest(job, {}, nullptr, uniformCluster(1, 10), setting));
        }
        setting = {};
        setting.workers = {10, 4096}; // four million connections would take gigabytes, on every thread
        setting.servers = 1000;
        const auto refused = predictRequest(job, {}, nullptr, uniformCluster(1, 10), setting);
        QVERIFY(!refused && !refused.error().remedy.empty());
        QVERIFY2(refused.error().what.find("4096000 connections") != std::string::npos, refused.error().what.c_str());
        setting.workers = {1000};
        setting.servers = 50;
        VERIFY_VALUE(predictRequest(job, {}, nullptr, uniformCluster(1, 10), setting));
        setting = {};
        QVERIFY(!predictRequest(job, {}, nullptr, Cluster(), setting));
        Job bare = job;
        for (Layer &layer : bare.layers)
            layer.variables.clear();
        bare.variables.clear();
        QVERIFY(!predictRequest(bare, {}, nullptr, uniformCluster(1, 10), setting));
        QVERIFY(!traceRun({}));
    }

    /// Recorded transfers number variables in the order in which the worker received them, the job by layer: a strategy's
    /// servers are those of names. Without a strategy variables stay on the servers with which they were recorded.
    void recordedVariablesAreOnTheirServers() {
        Job job;
        job.name = "recorded";
        job.variables = {{"a", {250'000}}, {"b", {500'000}}};
        job.layers = {Layer{"l", 0.01, 0.02, {}, {0, 1}}};
        Reconstruction reconstruction;
        StepSet &set = reconstruction.set;
        set.seconds.resize(1);
        const auto add = [&](const char *name, StepResource resource, std::int32_t variable, std::int32_t server, double bytes) {
            StepOp op;
            op.name = name;
            op.resource = resource;
            op.variable = variable;
            op.server = server;
            op.sizeBytes = bytes;
            op.rank = static_cast<std::int64_t>(set.graph.ops.size());
            set.graph.ops.push_back(op);
            set.seconds[0].push_back(resource == StepResource::Worker ? 0.01 : 0);
        };
        add("b/read", StepResource::Downlink, 0, 1, 2e6);
        add("a", StepResource::Downlink, 1, 0, 1e6);
        add("global_step", StepResource::Downlink, 2, 1, 8);
        add("compute", StepResource::Worker, -1, 0, 0);
        add("a_grad", StepResource::Uplink, 1, 0, 1e6);
        add("b_grad", StepResource::Uplink, 0, 1, 2e6);
        set.graph.edges = {{0, 3}, {1, 3}, {2, 3}, {3, 4}, {3, 5}};
        set.graph.servers = 2;
        const auto serversOf = [&](const std::vector<std::int32_t> &placed) {
            const auto request = predictRequest(job, {}, &reconstruction, uniformCluster(1, 10), smallSetting(), placed);
            std::string text = request ? "" : request.error().toString();
            if (request)
                for (const StepOp &op : (*request)->steps->graph.ops)
                    if (isTransfer(op.resource))
                        text += fmt::format("{} {}, ", op.name, op.server);
            return text;
        };
        QCOMPARE(serversOf({0, 1}), std::string("b/read 1, a 0, global_step 0, a_grad 0, b_grad 1, ")); // 8 bytes: on the lighter
        QCOMPARE(serversOf({1, 0}), std::string("b/read 0, a 1, global_step 1, a_grad 1, b_grad 0, "));
        QCOMPARE(serversOf({}), std::string("b/read 1, a 0, global_step 1, a_grad 0, b_grad 1, ")); // as recorded
        set.graph.ops[4].variable = -1; // its server is known all the same
        QCOMPARE(serversOf({}), std::string("b/read 1, a 0, global_step 1, a_grad 0, b_grad 1, "));
    }

    void lanesAreTheChunksOfTheWholeRun() {
        const auto job = std::make_shared<const Job>(*catalogueJob("alexnet"));
        const auto request = *predictRequest(*job, {}, nullptr, uniformCluster(1, 10), smallSetting());
        const auto run = traceRun({request, 3, 123, job, "3 workers"});
        VERIFY_VALUE(run);
        const Timeline &timeline = (*run)->timeline;
        QCOMPARE((*run)->samplesPerSecond, 123.0);
        QCOMPARE((*run)->iterationSeconds, 3 * job->batchSize / 123);
        std::set<std::string> names;
        for (const Lane &lane : timeline.lanes)
            names.insert(lane.name);
        QCOMPARE(timeline.lanes.size(), std::size_t(3 * 7)); // compute, and three resources of each of two servers
        for (const char *name :
             {"worker 0 downlink 0", "worker 0 downlink 1", "worker 1 compute", "worker 2 uplink 1", "worker 2 ps 0"})
            QVERIFY2(names.contains(name), name);

        // The whole run, with the order and machines of the curve; its first steps must equal these.
        GenerateOptions options = request->generate;
        options.traceSteps = 24;
        const auto machines = machinesOf(withWorkers(request->cluster, 3), 2);
        const auto whole = generateTrace(*request->steps, *machines, options);
        QVERIFY(whole);
        std::multiset<std::tuple<std::int32_t, std::int64_t, std::int64_t>> expected; // op, start, end
        const auto ns = [](double seconds) { return static_cast<std::int64_t>(std::llround(seconds * 1e9)); };
        // The window begins with worker 0's first step after the four warm-up steps, one iteration after time 0.
        double windowStart = HUGE_VAL;
        for (const TraceChunk &chunk : whole->trace)
            if (chunk.worker == WorkerId(0) && chunk.step == StepId(4))
                windowStart = std::min(windowStart, chunk.startSeconds);
        const std::int64_t zero = ns(windowStart) - ns((*run)->windowStartSeconds);
        COMPARE_WITHIN(static_cast<double>(zero) * 1e-9, windowStart - (*run)->iterationSeconds, 1e-8);
        for (const TraceChunk &chunk : whole->trace)
            expected.insert(
                {chunk.op.number(), std::max<std::int64_t>(ns(chunk.startSeconds) - zero, 0), ns(chunk.endSeconds) - zero});
        std::size_t found = 0;
        for (const Lane &lane : timeline.lanes)
            for (std::size_t i = 0; i < lane.size(); ++i) {
                const auto at = expected.find({lane.task[i], lane.start[i], lane.end[i]});
                QVERIFY2(at != expected.end(), qPrintable(QString::fromStdString(lane.name)));
                expected.erase(at);
                ++found;
                if (i > 0)
                    COMPARE_AT_LEAST(lane.start[i], lane.end[i - 1]); // one at a time
                const StepResource resource = request->steps->graph.ops[static_cast<std::size_t>(lane.task[i])].resource;
                const std::string word = resource == StepResource::Worker ? "compute" : nameOf(resource);
                QVERIFY(lane.name.find(word) != std::string::npos);
                QCOMPARE(isCommunication(lane.category[i]), isTransfer(resource));
            }
        COMPARE_ABOVE(found, 3 * request->steps->graph.ops.size());
        QVERIFY(std::find(timeline.iterationStart.begin(), timeline.iterationStart.end(), ns((*run)->windowStartSeconds)) !=
                timeline.iterationStart.end());
    }

    void lanesOverTcpShowOneTransferAtATime_data() {
        QTest::addColumn<double>("window");
        QTest::newRow("whole streams") << HUGE_VAL;
        QTest::newRow("HTTP/2") << 65535.0;
    }
    /// A connection takes transfers before the ones in front of them have arrived. Without overlap, spans cover as much time as
    /// the union of the chunks that arrived meanwhile.
    void lanesOverTcpShowOneTransferAtATime() {
        QFETCH(const double, window);
        const auto job = std::make_shared<const Job>(*catalogueJob("alexnet"));
        PredictSetting setting = smallSetting();
        setting.servers = 1;
        setting.sharing = LinkSharing::Tcp;
        setting.windowBytes = window;
        const auto request = *predictRequest(*job, {}, nullptr, uniformCluster(1, 10), setting);
        const auto run = traceRun({request, 3, 123, job, "3 workers"});
        VERIFY_VALUE(run);
        constexpr std::int32_t steps = 4 + 8; // after the warm-up as many as are shown
        GenerateOptions options = request->generate;
        options.traceSteps = steps;
        const auto whole = generateTrace(*request->steps, *machinesOf(withWorkers(request->cluster, 3), 1), options);
        VERIFY_VALUE(whole);
        const auto ns = [](double seconds) { return static_cast<Nanoseconds>(std::llround(seconds * 1e9)); };
        double windowStart = HUGE_VAL;
        for (const TraceChunk &chunk : whole->trace)
            if (chunk.worker == WorkerId(0) && chunk.step == StepId(4))
                windowStart = std::min(windowStart, chunk.startSeconds);
        const Nanoseconds zero = ns(windowStart) - ns((*run)->windowStartSeconds);
        std::size_t transferLanes = 0;
        for (const Lane &lane : (*run)->timeline.lanes) {
            const bool down = lane.name.ends_with("downlink");
            if (!down && !lane.name.ends_with("uplink"))
                continue;
            ++transferLanes;
            Nanoseconds shown = 0;
            for (std::size_t i = 0; i < lane.size(); ++i) {
                if (i > 0)
                    COMPARE_AT_LEAST(lane.start[i], lane.end[i - 1], lane.name);
                shown += lane.end[i] - lane.start[i];
            }
            QVERIFY(lane.size() > 20);
            std::vector<std::pair<Nanoseconds, Nanoseconds>> chunks;
            for (const TraceChunk &chunk : whole->trace) {
                const StepResource resource = request->steps->graph.ops[chunk.op.index()].resource;
                const Nanoseconds end = ns(chunk.endSeconds) - zero;
                if (chunk.worker.number() == lane.worker && end <= lane.end.back() &&
                    resource == (down ? StepResource::Downlink : StepResource::Uplink))
                    chunks.emplace_back(std::max<Nanoseconds>(ns(chunk.startSeconds) - zero, 0), end);
            }
            std::sort(chunks.begin(), chunks.end());
            Nanoseconds covered = 0, until = 0;
            for (const auto &[start, end] : chunks) {
                covered += std::max<Nanoseconds>(0, end - std::max(start, until));
                until = std::max(until, end);
            }
            COMPARE_CLOSE(static_cast<double>(shown), static_cast<double>(covered), 1e-12, lane.name);
        }
        QCOMPARE(transferLanes, std::size_t{6});
    }

    /// Launch gaps of each sampled step are shown as gaps after its ops, proportionally longer on slower workers.
    void launchGapsAreShown() {
        Job job;
        job.name = "gaps";
        job.variables = {{"w", {250'000}}};
        job.layers = {Layer{"a", 0.01, 0.02, {}, {0}}};
        job.layers[0].backwardHostSeconds = 0.005;
        const std::vector<StepSample> samples{{0, {0.01}, {0.02}, 0, {0.004}, {0}, 0}, {1, {0.01}, {0.04}, 0}};
        PredictSetting setting = smallSetting();
        setting.servers = 1;
        setting.workers = {2};
        Cluster cluster = uniformCluster(2, 10);
        cluster.nodes[1].computeScale = 0.5;
        const auto request = predictRequest(job, samples, nullptr, cluster, setting);
        VERIFY_VALUE(request);
        const auto run = traceRun({*request, 2, 10, std::make_shared<const Job>(job), "2 workers"});
        VERIFY_VALUE(run);
        std::map<std::tuple<std::int32_t, std::int64_t, std::int64_t>, int> found; // worker, busy, waiting
        for (const Lane &lane : (*run)->timeline.lanes) {
            QCOMPARE(lane.hostUntil.size(), lane.isCompute ? lane.size() : std::size_t{0});
            for (std::size_t i = 1; lane.isCompute && i + 1 < lane.size(); ++i) { // the first may begin before time 0
                const auto microseconds = [](Nanoseconds ns) { return (ns + 500) / 1000; };
                ++found[{lane.worker, microseconds(lane.end[i] - lane.start[i]), microseconds(lane.hostUntil[i] - lane.end[i])}];
                COMPARE_AT_MOST(lane.hostUntil[i], lane.start[i + 1]);
            }
        }
        std::set<std::tuple<std::int32_t, std::int64_t, std::int64_t>> kinds;
        for (const auto &[kind, count] : found)
            kinds.insert(kind);
        // The first step's forward pass states that it waits 4 of 10 ms; in the second, the backward pass has the job's
        // quarter.
        const std::set<std::tuple<std::int32_t, std::int64_t, std::int64_t>> expected{
            {0, 6000, 4000},  {0, 10000, 0}, {0, 20000, 0}, {0, 30000, 10000},
            {1, 12000, 8000}, {1, 20000, 0}, {1, 40000, 0}, {1, 60000, 20000}};
        std::string text;
        for (const auto &[worker, busy, waiting] : kinds)
            text += fmt::format("{}: {} {}\n", worker, busy, waiting);
        QVERIFY2(kinds == expected, text.c_str());
    }

    /// What a server does for a worker is on a lane of the worker's, but it is not the worker's compute, and it does not hide the
    /// worker's traffic: here the first variable is updated while the second one's gradient is sent.
    void updatesOfServersAreNotComputeOfWorkers() {
        StepSet set;
        const auto add = [&](const char *name, StepResource resource, double bytes, double seconds) {
            StepOp op;
            op.name = name;
            op.resource = resource;
            op.sizeBytes = bytes;
            op.rank = static_cast<std::int64_t>(set.graph.ops.size());
            set.graph.ops.push_back(op);
            set.seconds.resize(1);
            set.seconds[0].push_back(seconds);
        };
        add("a", StepResource::Downlink, 5e6, 0);
        add("a/forward", StepResource::Worker, 0, 0.01);
        add("a/up", StepResource::Uplink, 3e6, 0);
        add("b/up", StepResource::Uplink, 4e6, 0);
        add("a/update", StepResource::Server, 0, 0.02);
        set.graph.edges = {{0, 1}, {1, 2}, {1, 3}, {2, 4}};
        auto request = std::make_shared<PredictRequest>();
        request->steps = std::make_shared<const StepSet>(set);
        request->cluster = withDedicatedServers(uniformCluster(1, 8), 1);
        request->workers = {1};
        request->generate.steps = 8;
        request->generate.warmUp = 2;
        const auto run = traceRun({request, 1, 10, std::make_shared<const Job>(), "1 worker"});
        VERIFY_VALUE(run);
        const Timeline &timeline = (*run)->timeline;
        COMPARE_ABOVE(timeline.iterationStart.size(), std::size_t{4});
        const AreaStatistics step = areaStatistics(timeline, timeline.iterationStart[2], timeline.iterationStart[3], 0);
        COMPARE_WITHIN(step.communicationSeconds, (5e6 + 3e6 + 4e6) / 1e9, 1e-8);
        COMPARE_WITHIN(step.computeSeconds, 0.01, 1e-8);
        COMPARE_WITHIN(step.updateSeconds, 0, 1e-8);
        COMPARE_WITHIN(step.exposedSeconds, step.communicationSeconds, 1e-8);
        Nanoseconds exposed = 0; // of the whole timeline, as the views show it
        for (const auto &[from, to] : exposedIntervals(timeline, 0))
            exposed +=
                std::max<Nanoseconds>(0, std::min(to, timeline.iterationStart[3]) - std::max(from, timeline.iterationStart[2]));
        COMPARE_WITHIN(static_cast<double>(exposed) * 1e-9, (5e6 + 3e6 + 4e6) / 1e9, 1e-8);
    }

    void tooMuchToShowIsRefused() {
        const auto job = std::make_shared<const Job>(*catalogueJob("resnet50"));
        const auto request = *predictRequest(*job, {}, nullptr, uniformCluster(1, 10), {});
        const auto run = traceRun({request, 50'000, 1, job, ""});
        QVERIFY(!run);
        QVERIFY(!run.error().remedy.empty());
    }
};

QTEST_GUILESS_MAIN(TestTraceRun)
#include "tst_trace_run.moc"

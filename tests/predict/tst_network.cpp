// SPDX-License-Identifier: GPL-3.0-or-later
// Networks beyond fair shares: TCP's windows over queues, HTTP/2's windows on top, background traffic, captured pairs, and time
// between steps. Compared with closed forms.
#include "engine/predict/curve.h"
#include "engine/predict/overhead_pairs.h"
#include "tests/checks.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace syncopate;

namespace {

constexpr double rate = 1e6; // bytes/s of every link

PredictMachines machinesLike(std::int32_t workers) {
    PredictMachines m;
    m.nodeBytesPerSecond.assign(static_cast<std::size_t>(workers) + 1, rate);
    m.workerScale.assign(static_cast<std::size_t>(workers), 1);
    for (std::int32_t w = 0; w < workers; ++w)
        m.workerNode.push_back(w);
    m.serverNode = {workers};
    return m;
}

/// Pulls of `bytes`, a compute op of `seconds` after them, a push of `upBytes`.
StepSet steps(const std::vector<double> &bytes, double seconds, double upBytes) {
    StepSet set;
    const auto add = [&](StepResource resource, double size) {
        StepOp op;
        op.name = "op" + std::to_string(set.graph.ops.size());
        op.resource = resource;
        op.sizeBytes = size;
        op.rank = static_cast<std::int64_t>(set.graph.ops.size());
        set.graph.ops.push_back(op);
    };
    for (const double size : bytes)
        add(StepResource::Downlink, size);
    const auto compute = static_cast<std::int32_t>(bytes.size());
    add(StepResource::Worker, 0);
    add(StepResource::Uplink, upBytes);
    for (std::int32_t i = 0; i < compute; ++i)
        set.graph.edges.emplace_back(i, compute);
    set.graph.edges.emplace_back(compute, compute + 1);
    set.seconds = {std::vector<double>(set.graph.ops.size(), 0)};
    set.seconds[0][static_cast<std::size_t>(compute)] = seconds;
    return set;
}

/// The end of the last chunk of op `op` in step 0 of worker 0.
double endOf(const Generated &made, std::int32_t op) {
    double end = -1;
    for (const TraceChunk &chunk : made.trace)
        if (chunk.worker == WorkerId(0) && chunk.step == StepId(0) && chunk.op.number() == op)
            end = chunk.endSeconds;
    return end;
}

Generated generated(const StepSet &set, std::int32_t workers, GenerateOptions options) {
    options.steps = std::min(options.steps, 20);
    options.warmUp = 0;
    options.traceSteps = 2;
    auto made = generateTrace(set, machinesLike(workers), options);
    if (!made)
        qFatal("%s", made.error().toString().c_str());
    return std::move(*made);
}

/// Bytes per second that unlimited connections (from, to) reach within `seconds`.
std::vector<double> goodput(const std::vector<std::pair<int, int>> &connections, double seconds) {
    const TcpOptions options{.windowBytes = 64e3, .segmentBytes = 4e3, .smallQueueSeconds = 0};
    TcpLinks links({rate, rate, rate, rate}, options);
    std::vector<double> arrived(connections.size(), 0);
    constexpr double piece = 8e3;
    for (const auto &[from, to] : connections) {
        const PathId connection = links.connect(from, to);
        links.start(FlowId(connection.number()), connection, piece, 0);
    }
    std::vector<NetworkEvent> seen;
    while (links.next(0) < seconds) {
        const double now = links.next(0);
        seen.clear();
        links.advance(0, seen);
        for (const NetworkEvent &event : seen) {
            if (event.kind == NetworkEvent::Kind::Written)
                links.start(event.flow, PathId(event.flow.number()), piece, now);
            else
                arrived[event.flow.index()] += now > seconds / 2 ? piece : 0;
        }
    }
    for (double &bytes : arrived)
        bytes /= seconds / 2;
    return arrived;
}

} // namespace

class TestNetwork : public QObject {
    Q_OBJECT

private slots:
    /// One connection fills its links; a second link stores and forwards a segment.
    void aloneOverTcp() {
        TcpLinks links({rate, rate}, {.windowBytes = 1e6, .segmentBytes = 5e4, .smallQueueSeconds = 0});
        links.start(FlowId(0), links.connect(0, 1), 2e6, 0);
        double end = 0;
        std::vector<NetworkEvent> seen;
        while (links.next(0) < std::numeric_limits<double>::infinity()) {
            seen.clear();
            const double now = links.next(0);
            links.advance(0, seen);
            for (const NetworkEvent &event : seen)
                if (event.kind == NetworkEvent::Kind::Arrived)
                    end = now;
        }
        COMPARE_CLOSE(end, (2e6 + 5e4) / rate);
    }

    /// Equal windows share a queue equally, and if both directions are busy every connection through the server has the same
    /// round trip, so each gets 1 / max(connections down, connections up) of the rate.
    void twoWays() {
        for (const double up : goodput({{1, 0}, {2, 0}}, 40))
            COMPARE_CLOSE(up, rate / 2, 0.01);
        const auto both = goodput({{1, 0}, {2, 0}, {3, 0}, {0, 1}}, 40);
        for (const double each : both)
            COMPARE_CLOSE(each, rate / 3, 0.12);
        const auto down = goodput({{1, 0}, {0, 1}, {0, 2}, {0, 3}}, 40);
        COMPARE_CLOSE(down[0], rate / 3, 0.12);
    }

    /// A message waits only for messages queued before it.
    void messagesWait() {
        TcpLinks links({rate, rate, rate}, {.windowBytes = 1e5, .segmentBytes = 1e4, .smallQueueSeconds = 0});
        const auto busy = links.connect(0, 1), other = links.connect(0, 2);
        links.start(FlowId(busy.number()), busy, 1e6, 0);
        links.message(FlowId(7), other, 0);
        std::vector<NetworkEvent> seen;
        double now = 0;
        while (std::none_of(seen.begin(), seen.end(), [](const auto &e) { return e.kind == NetworkEvent::Kind::Message; })) {
            seen.clear();
            now = links.next(0);
            links.advance(0, seen);
        }
        COMPARE_CLOSE(now, 1e5 / rate);
    }

    /// After a pause a token bucket passes its size at once.
    void bursts() {
        TcpLinks links({rate, rate}, {.windowBytes = 1e6, .segmentBytes = 1e4, .burstBytes = 1e5, .smallQueueSeconds = 0});
        links.start(FlowId(0), links.connect(0, 1), 3e5, 0);
        double end = 0;
        std::vector<NetworkEvent> seen;
        while (links.next(0) < std::numeric_limits<double>::infinity()) {
            end = links.next(0);
            links.advance(0, seen);
        }
        COMPARE_CLOSE(end, 2e5 / rate);
    }

    /// First turns share one window of a connection: ten streams of half a window need a round trip for every two.
    void connectionWindow() {
        StepSet set = steps(std::vector<double>(10, 5e3), 0.1, 1);
        GenerateOptions options;
        options.sharing = LinkSharing::Tcp;
        options.tcp.segmentBytes = 5e3;
        options.tcp.smallQueueSeconds = 0;
        const double open = endOf(generated(set, 1, options), 9);
        COMPARE_CLOSE(open, (10 + 1) * 5e3 / rate);
        options.windowBytes = 5e3; // one stream at a time: the next starts when the window's update has arrived
        const double shut = endOf(generated(set, 1, options), 9);
        COMPARE_CLOSE(shut, 10 * 2 * 5e3 / rate);
    }

    /// A receiver opens a stream's window when the message begins to arrive: large ones do not stall after one window.
    void streamWindow() {
        const StepSet set = steps({3e4}, 0.1, 1);
        GenerateOptions options;
        options.sharing = LinkSharing::Tcp;
        options.tcp.segmentBytes = 2e3;
        options.tcp.smallQueueSeconds = 0;
        options.windowBytes = 1e4;
        const double end = endOf(generated(set, 1, options), 0);
        COMPARE_CLOSE(end, (3e4 + 2e3) / rate);
        options.windowBytes = 2e3; // nothing left to send until the first update arrives
        const double stopped = endOf(generated(set, 1, options), 0);
        COMPARE_CLOSE(stopped, (2 * 2e3 + 3e4) / rate);
    }

    /// Small queues: alone, a connection keeps between one and two of its congestion window's pacing times in its own queue
    /// (round trip = bytes in flight / rate, window between that and about twice that), and its link full.
    void smallQueues() {
        TcpLinks links({rate, 10 * rate, 10 * rate}, {.windowBytes = 1e6, .segmentBytes = 1460, .smallQueueSeconds = 0.05});
        const auto busy = links.connect(0, 1), other = links.connect(0, 2);
        links.start(FlowId(busy.number()), busy, 5e6, 0);
        std::vector<NetworkEvent> seen;
        double asked = -1, waited = -1, end = 0;
        while (links.next(0) < std::numeric_limits<double>::infinity()) {
            const double now = links.next(0);
            if (now > 3 && asked < 0) {
                links.message(FlowId(1), other, now);
                asked = now;
            }
            seen.clear();
            links.advance(0, seen);
            for (const NetworkEvent &event : seen) {
                if (event.kind == NetworkEvent::Kind::Message)
                    waited = now - asked;
                if (event.kind == NetworkEvent::Kind::Arrived)
                    end = now;
            }
        }
        COMPARE_ABOVE(waited, 2 * 0.05 * 0.9);
        COMPARE_BELOW(waited, 4 * 0.05 * 1.1);
        COMPARE_CLOSE(end, 5e6 / rate, 0.02);
    }

    /// Half of the link is taken for half a second: the transfer ends a quarter of a second later, at either end of it.
    void background() {
        const StepSet set = steps({1e6}, 0.1, 1);
        for (const LinkSharing sharing : {LinkSharing::Equal, LinkSharing::Tcp})
            for (const char *text :
                 {"server0.up:0.5@0.5-1s", "worker0.down:0.5@0.5-1.0", "server0.up:0.25@0.5-1,server0.up:0.25@0.5-1"}) {
                GenerateOptions options;
                options.sharing = sharing;
                options.tcp.segmentBytes = 2000;
                options.tcp.windowBytes = 10000;
                options.background = *parseBackground(text);
                const double end = endOf(generated(set, 1, options), 0);
                const bool tcp = sharing == LinkSharing::Tcp;
                COMPARE_CLOSE(end, 1.25, tcp ? 0.03 : 1e-9);
            }
        GenerateOptions longer; // traffic in the other direction or on unknown nodes has no effect
        longer.background = *parseBackground("server0.down:0.9@0-100,worker7.down:0.9@0-100");
        COMPARE_CLOSE(endOf(generated(set, 1, longer), 0), 1);
    }

    void noBackgroundIsBitIdentical() {
        const StepSet set = steps({3e5, 7e4, 11}, 0.1, 2e5);
        GenerateOptions options;
        const Generated without = generated(set, 5, options);
        options.background = *parseBackground("server0.up:0@0-1000,worker2.up:0@1-2");
        const Generated with = generated(set, 5, options);
        QVERIFY(without.completionSeconds == with.completionSeconds);
    }

    void badBackground_data() {
        QTest::addColumn<QString>("text");
        for (const char *text : {"", "worker0.up", "worker0.up:0.3", "worker0.up:0.3@0", "worker.up:0.3@0-1", "worker0:0.3@0-1",
                                 "worker0.left:0.3@0-1", "worker0.up:nan@0-1", "worker0.up:1@0-1", "worker0.up:-1@0-1",
                                 "worker0.up:0.3@1-1", "worker0.up:0.3@2-1", "worker0.up:0.3@-1-1", "worker9999999.up:0.3@0-1",
                                 "worker0.up:0.6@0-2,worker0.up:0.6@1-3", "worker0.up:0.3@0-1e300", "worker0.up:0.3@0-1,"})
            QTest::newRow(text) << text;
    }
    void badBackground() {
        QFETCH(QString, text);
        const auto made = parseBackground(text.toStdString());
        QVERIFY(!made);
        QVERIFY(!made.error().what.empty() && !made.error().remedy.empty());
    }

    void backgroundTable() {
        const auto made =
            parseBackgroundTable("link,from_seconds,to_seconds,share\nworker0.up,0,2,0.3\r\n\nserver1.down,1,3,0.5\n");
        QVERIFY(made);
        QVERIFY(*made == *parseBackground("worker0.up:0.3@0-2,server1.down:0.5@1-3"));
        // Blank lines count, before the columns' names, too.
        const auto later = parseBackgroundTable("\n\r\nlink,from_seconds,to_seconds,share\nworker0.up,0,2,0.3\n");
        VERIFY_VALUE(later);
        QVERIFY(*later == *parseBackground("worker0.up:0.3@0-2"));
        const auto lacks = parseBackgroundTable("\n\nlink,share\nworker0.up,0.3\n", "b.csv");
        QVERIFY(!lacks);
        QVERIFY2(lacks.error().place == "3", lacks.error().place.c_str());
        for (const char *text :
             {"", "link,share\n", "link,from_seconds,to_seconds,share\nworker0.up,0,2\n",
              "link,from_seconds,to_seconds,share\nworker0.up,2,1,0.3\n",
              "link,from_seconds,to_seconds,share\nworker0.up,0,2,inf\n", "link,link,from_seconds,to_seconds,share\n"}) {
            const auto bad = parseBackgroundTable(text, "b.csv");
            QVERIFY(!bad);
            QVERIFY(bad.error().toString().starts_with("b.csv:"));
        }
    }

    /// The fit finds the line although a third of the pairs are far off.
    void pairs() {
        std::string text = "step,direction,variable,bytes,start_us,arrived_us,end_us\n";
        for (int i = 0; i < 30; ++i)
            text +=
                "1,down,v," + std::to_string(1000 * i) + ",0,100," + std::to_string(100 + 50 + 2 * i + (i % 3 ? 0 : 5000)) + "\n";
        const auto read = parseOverheadPairs(text);
        QVERIFY(read);
        QCOMPARE(read->size(), 30U);
        const ParsingOverhead line = fitOverhead(*read);
        COMPARE_CLOSE(line.secondsPerByte, 2e-9, 1e-6);
        COMPARE_CLOSE(line.seconds, 50e-6, 1e-6);
        const OverheadResiduals left = residualsOf(*read, line);
        COMPARE_BELOW(left.median, 1e-9);
        COMPARE_CLOSE(left.percentile95, 5e-3, 1e-6);
        COMPARE_CLOSE(left.maximum, 5e-3, 1e-6);
        for (const char *bad :
             {"", "bytes,arrived_us,end_us\n", "bytes,arrived_us\n1,2\n", "bytes,arrived_us,end_us\n1,5,4\n",
              "bytes,arrived_us,end_us\n-1,5,6\n", "bytes,arrived_us,end_us\n1,nan,6\n", "bytes,arrived_us,end_us\n1,2\n"})
            QVERIFY(!parseOverheadPairs(bad, "p.csv"));
    }

    /// Time between steps is part of every cycle, and each step keeps its own order.
    void betweenStepsAndOrders() {
        StepSet set = steps({1e5, 2e5}, 0.1, 1e5);
        set.betweenSeconds = 0.5;
        set.downlinkOrder = {{1, 0}};
        GenerateOptions options;
        const Generated made = generated(set, 1, options);
        COMPARE_CLOSE(endOf(made, 1), 0.2);
        COMPARE_CLOSE(endOf(made, 0), 0.3);
        const double cycle = 0.3 + 0.1 + 0.1 + 0.5;
        for (std::size_t i = 0; i < made.completionSeconds.size(); ++i)
            COMPARE_CLOSE(made.completionSeconds[i], 0.5 + static_cast<double>(i) * cycle);
        options.sharing = LinkSharing::Tcp;
        options.tcp.segmentBytes = 2000;
        const auto over = throughputOf(generated(set, 1, options), 1, 1);
        QVERIFY(over);
        COMPARE_CLOSE(over->samplesPerSecond, 1 / cycle, 0.05);
        set.downlinkOrder = {{0, 0}};
        QVERIFY(!validateStepSet(set));
        set.downlinkOrder = {{2}};
        QVERIFY(!validateStepSet(set));
    }

    /// Workers of one machine start one after another, as many at a time as it has cores; without that all begin at once.
    void sharedCores() {
        StepSet set = steps({0}, 0.1, 0);
        set.betweenSeconds = 0.25;
        GenerateOptions options;
        for (const auto &[cores, expected] :
             {std::pair<int, std::array<double, 3>>{0, {0, 0, 0}}, {1, {0.25, 0.5, 0.75}}, {2, {0.25, 0.25, 0.5}}}) {
            options.sharedCores = cores;
            const Generated made = generated(set, 3, options);
            std::array<double, 3> began{-1, -1, -1}; // the first step's compute, op 1
            for (const TraceChunk &chunk : made.trace)
                if (chunk.op == OpId(1) && chunk.step == StepId(0))
                    began[chunk.worker.index()] = chunk.startSeconds;
            std::sort(began.begin(), began.end());
            for (std::size_t i = 0; i < 3; ++i)
                COMPARE_CLOSE(began[i] + 1, expected[i] + 1);
        }
        options.sharedCores = -1;
        QVERIFY(!generateTrace(set, machinesLike(1), options));
    }

    /// Counting by time includes steps that end within it. Here they end at 0.1, 1.1, 2.1 and so on.
    void countedByTime() {
        StepSet set = steps({0}, 0.1, 0);
        set.betweenSeconds = 0.9;
        GenerateOptions options;
        options.warmUpSeconds = 2.05;
        options.countedSeconds = 3;
        const Generated made = generated(set, 1, options);
        COMPARE_CLOSE(made.warmUpEndSeconds, 2.05);
        COMPARE_CLOSE(made.endSeconds, 5.05);
        QCOMPARE(made.completionSeconds.size(), 3U);
        COMPARE_CLOSE(made.completionSeconds.front(), 2.1);
        COMPARE_CLOSE(made.completionSeconds.back(), 4.1);
        const auto rate = throughputOf(made, 1, 1);
        QVERIFY(rate);
        COMPARE_CLOSE(rate->samplesPerSecond, 1);
        options.stopEach = true;
        QVERIFY(!generateTrace(set, machinesLike(1), options));
        options = {};
        options.countedSeconds = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!generateTrace(set, machinesLike(1), options));
    }

    /// The first start equals a single run; the mean and its interval are over the starts.
    void starts() {
        StepSet set = steps({3e5, 7e4}, 0.2, 3e5);
        set.seconds.push_back(set.seconds.front());
        set.seconds.back()[2] = 0.05;
        PredictRequest request;
        request.steps = std::make_shared<const StepSet>(set);
        request.cluster = withDedicatedServers(uniformCluster(1, 0.01), 1);
        request.workers = {1, 2};
        request.generate.steps = 30;
        const auto one = predictCurve(request);
        request.starts = 3;
        const auto three = predictCurve(request);
        QVERIFY(one && three);
        for (std::size_t i = 0; i < 2; ++i) {
            const CurvePoint &point = three->points[i];
            QCOMPARE(point.starts.size(), 3U);
            QCOMPARE(point.starts[0], one->points[i].throughput.samplesPerSecond);
            const double mean = (point.starts[0] + point.starts[1] + point.starts[2]) / 3;
            COMPARE_CLOSE(point.throughput.samplesPerSecond, mean);
            double squares = 0;
            for (const double start : point.starts)
                squares += (start - mean) * (start - mean);
            COMPARE_ABOVE(squares, 0);
            COMPARE_CLOSE(point.throughput.high, mean + 4.303 * std::sqrt(squares / 6));
        }
        request.starts = 0;
        QVERIFY(!predictCurve(request));
    }
};

QTEST_APPLESS_MAIN(TestNetwork)
#include "tst_network.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of a cluster from measurements: constants are recovered from tables, logs and profiles that were generated from them,
// and the simulator then reproduces the measurements.
#include "engine/analyze/calibrate_files.h"
#include "engine/base/units.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/scenarios.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const std::string folder = SYNCOPATE_SOURCE "/tests/data/";

Calibration of(Cluster cluster) {
    Calibration calibration;
    calibration.cluster = std::move(cluster);
    return calibration;
}

const CalibratedFigure *figure(const Calibration &calibration, const std::string &key) {
    const auto found = std::find_if(calibration.figures.begin(), calibration.figures.end(),
                                    [&](const CalibratedFigure &one) { return one.key == key; });
    return found == calibration.figures.end() ? nullptr : &*found;
}

Result<void> calibrateTable(Calibration &calibration, const std::string &path) {
    return calibrateMessages(calibration, TRY(readMessageRows(path)), path);
}

/// The simulator's time of one undisturbed ring all-reduce of this many bytes on this cluster.
double simulatedAllReduce(const Cluster &cluster, std::int64_t bytes, std::int32_t connections = 1) {
    Job job = chainJob({{0.5, 0.5, bytes / 4}});
    Scenario scenario;
    scenario.policy = *parsePolicy("fifo");
    scenario.policy.connections = connections;
    scenario.strategy = std::make_shared<const Strategy>(*buildStrategy("AllReduce(chunk_size=1)", job, cluster));
    scenario.job = std::make_shared<const Job>(std::move(job));
    scenario.cluster = std::make_shared<const Cluster>(cluster);
    const auto run = simulate(scenario);
    return run ? (*run)->iterationSeconds - 1 : -1;
}

CollectiveLog allReduceLog(std::int32_t ranks, double alpha, double beta) {
    CollectiveLog log;
    log.source = "made/allreduce.log";
    log.ranks = ranks;
    for (double bytes = 1024; bytes <= 1 << 28; bytes *= 4)
        log.samples.push_back({bytes, alpha + beta * bytes});
    return log;
}

/// Steps of one second each: ops "a", "b", "c" of 100, 200 and 100 ms, and communication from - to, in ms of the step.
struct StepSpec {
    double a = 100, b = 200, c = 100;
    std::vector<std::pair<int, int>> communication;
};

ImportedProfile profileOf(const std::vector<StepSpec> &steps, const std::vector<std::string> &names = {"a", "b", "c"}) {
    ImportedProfile profile;
    profile.file = "made.json";
    Timeline &timeline = profile.timeline;
    timeline.labels = names;
    timeline.labels.emplace_back("all-reduce");
    Lane compute, communication;
    compute.isCompute = true;
    compute.worker = communication.worker = 0;
    const auto add = [](Lane &lane, double from, double to, Category category, std::int32_t label) {
        lane.start.push_back(static_cast<Nanoseconds>(from * 1e6));
        lane.end.push_back(static_cast<Nanoseconds>(to * 1e6));
        lane.category.push_back(category);
        lane.label.push_back(label);
    };
    double zero = 0;
    for (const StepSpec &step : steps) {
        timeline.iterationStart.push_back(static_cast<Nanoseconds>(zero * 1e6));
        double at = zero;
        std::int32_t label = 0;
        for (const double length : {step.a, step.b, step.c}) {
            add(compute, at, at + length, Category::Backward, label++);
            at += length;
        }
        for (const auto &[from, to] : step.communication)
            add(communication, zero + from, zero + to, Category::AllReduce, 3);
        zero += 1000;
    }
    timeline.lanes = {compute, communication};
    return profile;
}

} // namespace

class TestCalibrate : public QObject {
    Q_OBJECT

private slots:
    /// Recovers the constants that the table was made from (tests/data/README.md).
    void messages() {
        Calibration calibration = of(uniformCluster(4, 10));
        calibration.cluster.messageSeconds = 1e-3;
        calibration.cluster.notes = {"Mine.", "Calibrated: latency_seconds by hand."}; // people's notes stay in any wording
        calibration.cluster.figureNotes = {{"latency_seconds", "A guess."}, {"burst_bytes", "Another guess."}};
        for (int again = 0; again < 2; ++again) {
            const auto done = calibrateTable(calibration, folder + "calibrate/message_cost.csv");
            VERIFY_VALUE(done);
        }
        const Cluster &cluster = calibration.cluster;
        COMPARE_CLOSE(cluster.linkEfficiency, 0.9, 1e-6);
        COMPARE_CLOSE(cluster.host.sendSeconds, 4e-6, 1e-3);
        COMPARE_CLOSE(cluster.host.receiveSeconds, 4e-6, 1e-3);
        COMPARE_CLOSE(cluster.latencySeconds, 60e-6, 1e-3);
        QCOMPARE(cluster.messageSeconds, 0.0);
        COMPARE_CLOSE(cluster.host.collectiveSeconds, 0.7e-3, 0.02);
        COMPARE_CLOSE(cluster.host.collectiveMessageSeconds, 0.2e-3 - 68e-6, 0.05);
        COMPARE_CLOSE(cluster.collectiveEfficiency, 1 / (1 + 0.1e-9 * 0.9 * 1.25e9), 0.01);
        for (const CalibratedFigure &one : calibration.figures) {
            COMPARE_AT_MOST(one.error.worst, 0.05, one.key);
            QCOMPARE(one.source, std::string("message_cost.csv"));
        }
        QCOMPARE(calibration.cluster.notes.size(), std::size_t{2});
        QCOMPARE(calibration.cluster.figureNotes.size(), 1 + calibration.figures.size()); // without duplicates
        QCOMPARE(calibration.cluster.figureNotes.front().text, std::string("Another guess."));
        for (const FigureNote &note : calibration.cluster.figureNotes)
            QVERIFY2(note.text != "A guess.", note.figure.c_str());
        QCOMPARE(calibration.cluster.allNotes().size(), 3 + calibration.figures.size());
        // The simulator reproduces such an all-reduce: launch, 2 (n - 1) steps, and the wire.
        const double wire = 1.5 * (1 << 24) * (1 / (0.9 * 1.25e9) + 0.1e-9);
        COMPARE_CLOSE(simulatedAllReduce(cluster, 1 << 24), 0.7e-3 + 6 * 0.2e-3 + wire, 0.01);
        const auto read = readResourceSpecText(writeResourceSpec(cluster));
        VERIFY_VALUE(read);
        QVERIFY(*read == cluster);
    }

    /// Real messages over TCP: docs/validation.md.
    void measuredMessages() {
        Calibration calibration = of(uniformCluster(4, 2));
        calibration.cluster.burstBytes = 65536;
        const auto done = calibrateTable(calibration, folder + "measured/sched/message_cost.csv");
        VERIFY_VALUE(done);
        COMPARE_WITHIN(calibration.cluster.linkEfficiency, 0.955, 0.003);
        QVERIFY(figure(calibration, "link_efficiency"));
        COMPARE_AT_MOST(figure(calibration, "link_efficiency")->error.worst, 0.01);
        COMPARE_AT_MOST(figure(calibration, "latency_seconds")->error.median, 0.10);
        COMPARE_AT_MOST(figure(calibration, "host.collective_seconds")->error.median, 0.15);
        COMPARE_ABOVE(calibration.rows.size(), 40);
        QVERIFY(!mentions(calibration.notes, "burst_bytes"));
        Calibration unshaped = of(uniformCluster(4, 2)); // the bucket is not stated
        VERIFY_VALUE(calibrateTable(unshaped, folder + "measured/sched/message_cost.csv"));
        QVERIFY(mentions(unshaped.notes, "burst_bytes"));
        for (const CalibrationRow &row : calibration.rows)
            QVERIFY2(std::isfinite(row.error()), row.what.c_str());
    }

    /// All-reduces of four over links of 0.15 Gbit/s whose token bucket absorbs small all-reduces: their launch cost is visible
    /// only if the bucket is stated. Without it, 4 kB all-reduces came out 36 and 61 % too fast.
    void launchesBehindATokenBucket() {
        const std::string path = folder + "measured/replay/message_cost.csv";
        Cluster cluster = uniformCluster(4, 0.15);
        cluster.burstBytes = 32812;
        Calibration calibration = of(cluster);
        VERIFY_VALUE(calibrateTable(calibration, path));
        COMPARE_WITHIN(calibration.cluster.host.collectiveSeconds, 1.4e-3, 0.15e-3);
        COMPARE_AT_MOST(figure(calibration, "host.collective_seconds")->error.median, 0.03);
        COMPARE_AT_MOST(figure(calibration, "host.collective_seconds")->error.worst, 0.25);
    }

    /// The same on generated data: launch, steps and bytes are recovered, and a table without a bucket is fitted without one.
    void launchesAreFoundAgain() {
        const double launch = 2e-3, step = 20e-6, perByte = 1e-9, rate = 0.5e9 / 8, bucket = 32000;
        for (const double filled : {bucket, 0.0}) {
            std::vector<MessageRow> rows;
            for (const double workers : {2.0, 4.0})
                for (const double bytes : {2e3, 2e4, 1e5, 1e6})
                    for (const bool oneAtATime : {true, false}) {
                        const double steps = 2 * (workers - 1), sent = steps / workers * bytes;
                        const double wire = std::max(0.0, sent - (oneAtATime ? filled : 0)) / rate + sent * perByte;
                        rows.push_back(
                            {.kind = MessageKind::AllReduce,
                             .oneAtATime = oneAtATime,
                             .answered = true,
                             .workers = workers,
                             .bandwidthBytesPerSecond = rate,
                             .bytes = bytes,
                             .seconds = oneAtATime ? launch + steps * step + wire : std::max(launch, steps * step / 2 + wire)});
                    }
            const MessageCosts costs = fitMessageCosts(rows, 1, bucket);
            COMPARE_CLOSE(costs.collectiveSeconds, launch, 0.02, fmt::format("{} filled", filled));
            COMPARE_CLOSE(costs.stepSeconds, step, 0.1, fmt::format("{} filled", filled));
            COMPARE_CLOSE(costs.collectiveSecondsPerByte, perByte, 0.05, fmt::format("{} filled", filled));
            QCOMPARE(costs.collectiveBurstBytes, filled);
        }
    }

    /// Small pushes of known costs over a fast link show what handling takes; over a slow one the wire bounds them, and handling
    /// and latency cannot be told apart. Each fit predicts the rows that it was made from.
    void pushesBoundByTheWire() {
        const double handling = 40e-6, latency = 30e-6, bytes = 4000, bucket = 3000;
        std::vector<MessageRow> slow, both;
        for (const double rate : {0.15e9 / 8, 2.5e9 / 8})
            for (const double workers : {1.0, 2.0})
                for (const bool oneAtATime : {true, false}) {
                    const double alone = 2 * latency + 4 * handling + 2 * std::max(0.0, workers * bytes - bucket) / rate;
                    const double busy = std::max(2 * workers * handling, workers * bytes / rate);
                    both.push_back({.oneAtATime = oneAtATime,
                                    .answered = true,
                                    .workers = workers,
                                    .bandwidthBytesPerSecond = rate,
                                    .bytes = bytes,
                                    .seconds = oneAtATime ? alone : busy});
                }
        slow.assign(both.begin(), both.begin() + 4);
        const MessageCosts costs = fitMessageCosts(both, 1, bucket);
        COMPARE_CLOSE(costs.messageSeconds, handling);
        COMPARE_CLOSE(costs.latencySeconds, latency);
        for (const auto &rows : {slow, both}) {
            const MessageCosts fitted = fitMessageCosts(rows, 1, bucket);
            for (const MessageRow &row : rows)
                COMPARE_CLOSE(
                    predictedSeconds(row, fitted, 1, bucket), row.seconds, 1e-9,
                    fmt::format("{} rows, {} workers, {}", rows.size(), row.workers, row.oneAtATime ? "alone" : "busy"));
        }
    }

    /// Each way of sending is fitted by its own smallest pushes: a table may have other sizes one at a time than back to back.
    void pushesOfOtherSizesOneAtATime() {
        const double handling = 40e-6, latency = 30e-6, rate = 1.25e9;
        for (const auto &[alone, busy] : {std::pair(20e3, 1e3), std::pair(1e3, 20e3)}) {
            std::vector<MessageRow> rows;
            for (const double workers : {1.0, 2.0})
                for (const bool oneAtATime : {true, false}) {
                    const double bytes = oneAtATime ? alone : busy;
                    rows.push_back({.oneAtATime = oneAtATime,
                                    .answered = true,
                                    .workers = workers,
                                    .bandwidthBytesPerSecond = rate,
                                    .bytes = bytes,
                                    .seconds = oneAtATime ? 2 * latency + 4 * handling + 2 * workers * bytes / rate
                                                          : std::max(2 * workers * handling, workers * bytes / rate)});
                }
            Calibration calibration = of(uniformCluster(2, 10));
            calibration.cluster.latencySeconds = 1e-3;
            const auto done = calibrateMessages(calibration, rows, "made.csv");
            VERIFY_VALUE(done);
            COMPARE_CLOSE(calibration.cluster.host.sendSeconds, handling, 1e-6, fmt::format("{} B one at a time", alone));
            COMPARE_CLOSE(calibration.cluster.latencySeconds, latency, 1e-6, fmt::format("{} B one at a time", alone));
        }
    }

    /// Without pushes back to back nothing tells handling from latency: all that the wire does not explain is latency.
    void pushesOneAtATimeAlone() {
        const MessageRow alone{
            .oneAtATime = true, .answered = true, .workers = 1, .bandwidthBytesPerSecond = 1e9, .bytes = 1e3, .seconds = 102e-6};
        const MessageCosts costs = fitMessageCosts({alone}, 1);
        QCOMPARE(costs.messageSeconds, 0.0);
        COMPARE_CLOSE(costs.latencySeconds, 50e-6);
    }

    /// Collectives are among the nodes that train: the slow link of a dedicated server does not make them efficient.
    void serversTakePartInNoCollective() {
        Cluster cluster = uniformCluster(5, 10);
        cluster.serverOnly = {4};
        cluster.nodes[4].bandwidthBytesPerSecond = bytesPerSecondFromGbits(1);
        Calibration calibration = of(cluster);
        VERIFY_VALUE(calibrateTable(calibration, folder + "calibrate/message_cost.csv"));
        COMPARE_CLOSE(calibration.cluster.collectiveEfficiency, 1 / (1 + 0.1e-9 * 0.9 * 1.25e9), 0.01);
    }

    /// A collective's connection uses one NIC of a node, so its cost per byte adds to that NIC's time, not to that of all.
    void aConnectionPaysOnOneNic() {
        Cluster cluster = uniformCluster(4, 20);
        for (Node &node : cluster.nodes)
            node.nics = 2; // each as fast as the table's links
        Calibration calibration = of(cluster);
        VERIFY_VALUE(calibrateTable(calibration, folder + "calibrate/message_cost.csv"));
        COMPARE_CLOSE(calibration.cluster.collectiveEfficiency, 1 / (1 + 0.1e-9 * 0.9 * 1.25e9), 0.01);
        const std::string basis = figure(calibration, "collective_efficiency")->basis;
        QVERIFY2(basis.ends_with("at 10 Gbit/s"), basis.c_str());
        const double wire = 1.5 * (1 << 24) * (1 / (0.9 * 1.25e9) + 0.1e-9);
        COMPARE_CLOSE(simulatedAllReduce(calibration.cluster, 1 << 24), 0.7e-3 + 6 * 0.2e-3 + wire, 0.01);
    }

    /// Halves of an all-reduce, one in flight, beside each other in a table.
    void halvesAreFoundAgain() {
        const double launch = 1e-3, step = 0.2e-3, perByte = 2e-9, rate = 0.9 * 25e6;
        QByteArray table = "architecture,workers,bandwidth_gbits,mode,answer,message_bytes,seconds_per_message\n";
        for (const int workers : {2, 4})
            for (const double bytes : {4e3, 1e5, 1e6, 4e6}) {
                const double steps = workers - 1, wire = steps / workers * bytes * (1 / rate + perByte);
                const auto add = [&](const char *mode, double seconds) {
                    table += QStringLiteral("fsdp2,%1,0.2,%2,whole,%3,%4\n")
                                 .arg(workers)
                                 .arg(QLatin1String(mode))
                                 .arg(bytes)
                                 .arg(seconds, 0, 'g', 12)
                                 .toUtf8();
                };
                add("one_at_a_time", launch + steps * step + wire);
                add("back_to_back", std::max(launch, steps * step + wire));
            }
        const auto rows = readMessageRowsText(table.toStdString(), "costs.csv");
        VERIFY_VALUE(rows);
        const MessageCosts costs = fitMessageCosts(*rows, 0.9);
        COMPARE_CLOSE(costs.collectiveSeconds, launch, 0.02);
        COMPARE_CLOSE(costs.stepSeconds, step, 0.05);
        COMPARE_CLOSE(costs.collectiveSecondsPerByte, perByte, 0.02);
    }

    /// A table is recognised by the header that its reader reads: with a byte order mark, empty lines before it, blanks around
    /// fields.
    void tablesAreRecognisedAsTheyAreRead() {
        const QTemporaryDir dir;
        const std::string row = "bsar,2,1,one_at_a_time,whole,1000,0.001\n";
        for (const std::string header :
             {"architecture,workers,bandwidth_gbits,mode,answer,message_bytes,seconds_per_message\n",
              "architecture, workers, bandwidth_gbits, mode, answer, message_bytes, seconds_per_message\r\n",
              "\n \t\narchitecture,workers,bandwidth_gbits,mode,answer,message_bytes,seconds_per_message\n",
              "\xef\xbb\xbf"
              "seconds_per_message_,architecture,workers,bandwidth_gbits,mode,answer,message_bytes\n",
              "\xef\xbb\xbf"
              "architecture,workers,bandwidth_gbits,mode,answer,message_bytes,\tseconds_per_message\n"}) {
            const bool isTable = header.find("message_,") == std::string::npos;
            const std::string file = dir.filePath(QStringLiteral("costs.csv")).toStdString();
            writeFile(QString::fromStdString(file), QByteArray::fromStdString(header + row));
            QCOMPARE(readMessageRows(file).has_value(), isTable);
            const auto read = readCalibrationFiles({file});
            QCOMPARE(read.has_value(), isTable);
            if (isTable)
                QCOMPARE(read->tables, std::vector<std::string>{file});
        }
        QVERIFY(!isMessageTable("") && !isMessageTable("\n\n") && !isMessageTable("# seconds_per_message\n"));
    }

    /// A cost on which no row depends is 0, not the guess that the search begins with.
    void costsThatNoRowShowsAreNone() {
        const double step = 1e-3, rate = 1e9 / 8, bytes = 1e6;
        MessageRow busy{.kind = MessageKind::AllReduce,
                        .answered = true,
                        .workers = 4,
                        .bandwidthBytesPerSecond = rate,
                        .bytes = bytes,
                        .seconds = 3 * step + 1.5 * bytes / rate}; // a launch hides behind them
        QCOMPARE(fitMessageCosts({busy}, 1).collectiveSeconds, 0.0);
        MessageRow alone = busy;
        alone.oneAtATime = true;
        alone.workers = 1; // neither steps nor bytes
        alone.seconds = 2e-3;
        const MessageCosts costs = fitMessageCosts({alone}, 1);
        COMPARE_CLOSE(costs.collectiveSeconds, alone.seconds, 1e-3);
        QCOMPARE(costs.stepSeconds, 0.0);
        QCOMPARE(costs.collectiveSecondsPerByte, 0.0);
    }

    /// Days instead of milliseconds are reached in as many steps, not in one for each millisecond.
    void launchesFarOffAreFound() {
        const MessageRow days{.kind = MessageKind::AllReduce,
                              .oneAtATime = true,
                              .answered = true,
                              .workers = 2,
                              .bandwidthBytesPerSecond = 1.25e9,
                              .bytes = 1e8,
                              .seconds = 231852};
        const MessageCosts costs = fitMessageCosts({days}, 1, 0);
        const double wire = days.bytes / days.bandwidthBytesPerSecond + days.bytes * costs.collectiveSecondsPerByte;
        COMPARE_CLOSE(costs.collectiveSeconds + 2 * costs.stepSeconds + wire, days.seconds, 1e-3);
    }

    void messagesRefused_data() {
        QTest::addColumn<QByteArray>("row");
        QTest::addColumn<QString>("says");
        QTest::newRow("none") << QByteArray() << "no row";
        QTest::newRow("architecture") << QByteArray("ps,1,10,back_to_back,whole,100,1e-5\n") << "architecture";
        QTest::newRow("half a worker") << QByteArray("bsps,1.5,10,back_to_back,whole,100,1e-5\n") << "workers is 1.5";
        QTest::newRow("escape codes") << QByteArray("bsps,1,10,\x1b[2J,whole,100,1e-5\n") << "\\x1b[2J";
        QTest::newRow("NaN") << QByteArray("bsps,1,10,back_to_back,whole,100,nan\n") << "seconds_per_message";
        QTest::newRow("negative") << QByteArray("bsps,1,-10,back_to_back,whole,100,1e-5\n") << "bandwidth_gbits";
        QTest::newRow("huge") << QByteArray("bsps,1,10,back_to_back,whole,100,1e5\n") << "seconds_per_message";
        QTest::newRow("faster than its link") << QByteArray("bsps,1,10,back_to_back,empty,1000000,1e-5\n") << "bandwidth_gbits";
    }
    void messagesRefused() {
        QFETCH(QByteArray, row);
        QFETCH(QString, says);
        QTemporaryDir dir;
        QFile file(dir.filePath("costs.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("architecture,workers,bandwidth_gbits,mode,answer,message_bytes,seconds_per_message\n" + row);
        file.close();
        Calibration calibration = of(uniformCluster(2, 10));
        const auto done = calibrateTable(calibration, file.fileName().toStdString());
        QVERIFY(!done.has_value());
        const QString error = QString::fromStdString(done.error().toString());
        QVERIFY2(error.startsWith(file.fileName()) && error.contains(says), qPrintable(error));
    }

    /// Four nodes of 25 Gbit/s: the log's line becomes latency and efficiency, and the simulator's all-reduce matches the log.
    void collectivesBetweenNodes() {
        Calibration calibration = of(uniformCluster(8, 25));
        auto logs = readCollectiveLogFiles({folder + "calibrate/nccl_tests_4_hosts.json"});
        const CollectiveLog log = logs.logs.at(0);
        const auto done = calibrateCollectives(calibration, std::move(logs.logs));
        VERIFY_VALUE(done);
        COMPARE_CLOSE(calibration.cluster.collectiveEfficiency, 0.8, 1e-4);
        COMPARE_CLOSE(calibration.cluster.latencySeconds, 20e-6, 1e-4);
        COMPARE_AT_MOST(calibration.logs.at(0).error.worst, 1e-3);
        for (const std::size_t i : {std::size_t{4}, std::size_t{8}, log.samples.size() - 1})
            COMPARE_CLOSE(
                simulatedAllReduce(withWorkers(calibration.cluster, 4), static_cast<std::int64_t>(log.samples[i].sizeBytes)),
                log.samples[i].seconds, 1e-3);
    }

    /// Four NICs, of which a collective with one connection uses one; and two racks with a limit between them.
    void collectivesOverSeveralNics() {
        Cluster cluster = uniformCluster(4, 8); // 1 GB/s
        for (Node &node : cluster.nodes)
            node.nics = 4;
        for (const std::int32_t connections : {1, 2, 4}) {
            Calibration calibration = of(cluster);
            const double rate = connections * 0.25e9;
            const auto done = calibrateCollectives(calibration, {allReduceLog(4, 120e-6, 1.5 / (0.8 * rate))}, connections);
            VERIFY_VALUE(done);
            COMPARE_CLOSE(calibration.cluster.collectiveEfficiency, 0.8, 1e-4, fmt::format("{} connections", connections));
            COMPARE_CLOSE(simulatedAllReduce(calibration.cluster, 1 << 26, connections), 120e-6 + 1.5 * (1 << 26) / (0.8 * rate),
                          1e-3);
        }
        Calibration one = of(cluster);
        const auto faster = calibrateCollectives(one, {allReduceLog(4, 120e-6, 1.5 / 0.8e9)});
        QVERIFY(!faster.has_value() && faster.error().remedy.find("connections") != std::string::npos);
        cluster.acrossRacksBytesPerSecond = 0.05e9;
        cluster.nodes[2].rack = cluster.nodes[3].rack = "far";
        Calibration far = of(cluster);
        VERIFY_VALUE(calibrateCollectives(far, {allReduceLog(4, 120e-6, 1.5 / (0.8 * 0.1e9))}, 2));
        COMPARE_CLOSE(far.cluster.collectiveEfficiency, 0.8, 1e-4);
    }

    /// One node with four devices: sets its intra-node bandwidth and the launch, and leaves the NICs unchanged.
    void collectivesInsideANode() {
        Cluster cluster = uniformCluster(1, 25);
        cluster.nodes.front().gpus = {0, 1, 2, 3};
        Calibration calibration = of(cluster);
        const auto done = calibrateCollectives(calibration, {allReduceLog(4, 34e-6, 1.5 / 100e9)});
        VERIFY_VALUE(done);
        COMPARE_CLOSE(calibration.cluster.intraNodeBandwidthBytesPerSecond, 100e9, 1e-4);
        COMPARE_CLOSE(calibration.cluster.host.collectiveSeconds, 34e-6, 1e-4);
        QCOMPARE(calibration.cluster.latencySeconds, 0.0);
        COMPARE_CLOSE(simulatedAllReduce(calibration.cluster, 1 << 26), 34e-6 + 1.5 * (1 << 26) / 100e9, 1e-3);
    }

    /// Two nodes with two ranks each, as the Inspector's header says, on machines with more devices than that.
    void collectivesOfTheInspector() {
        Cluster cluster = uniformCluster(3, 100);
        for (Node &node : cluster.nodes)
            node.gpus = {0, 1, 2, 3};
        cluster.intraNodeBandwidthBytesPerSecond = 1e12;
        Calibration calibration = of(cluster);
        const auto files = filesBelow(folder + "calibrate/inspector");
        VERIFY_VALUE(files);
        const auto done = calibrateCollectives(calibration, readCollectiveLogFiles(*files).logs);
        VERIFY_VALUE(done);
        COMPARE_CLOSE(calibration.cluster.collectiveEfficiency, 0.5, 1e-3);
        COMPARE_CLOSE(calibration.cluster.latencySeconds, 30e-6, 1e-2);
    }

    /// Logs of several numbers of ranks: the part common to all is the launch, the rest is due to their steps.
    void collectivesOfSeveralRanks() {
        Calibration calibration = of(uniformCluster(16, 8));
        std::vector<CollectiveLog> logs;
        for (const int ranks : {2, 4, 16})
            logs.push_back(allReduceLog(ranks, 50e-6 + 2 * (ranks - 1) * 5e-6, 2.0 * (ranks - 1) / ranks / 0.5e9));
        const auto done = calibrateCollectives(calibration, std::move(logs));
        VERIFY_VALUE(done);
        COMPARE_CLOSE(calibration.cluster.host.collectiveSeconds, 50e-6, 1e-4);
        COMPARE_CLOSE(calibration.cluster.latencySeconds, 5e-6, 1e-3);
        COMPARE_CLOSE(calibration.cluster.collectiveEfficiency, 0.5, 1e-4);
        COMPARE_AT_MOST(figure(calibration, "host.collective_seconds")->error.worst, 1e-3);
        QCOMPARE(figure(calibration, "host.collective_seconds")->before, 0.0);
        QVERIFY(calibration.notes.empty());
    }

    /// Measured points go into the cluster file and out of it, and simulations take them.
    void pointsAreKept() {
        Calibration calibration = of(uniformCluster(4, 25));
        CollectiveLog log = allReduceLog(4, 120e-6, 1.5 / (0.8 * 3.125e9)), again = log;
        for (CollectiveSample &sample : again.samples)
            sample.seconds *= 3; // the median of two is twice the first
        VERIFY_VALUE(keepPoints(calibration, {log, again}));
        QCOMPARE(calibration.cluster.collectives.size(), std::size_t{1});
        const MeasuredCollective &measured = calibration.cluster.collectives.front();
        QCOMPARE(measured.ranks, 4);
        QCOMPARE(measured.points.size(), log.samples.size());
        for (std::size_t p = 0; p < measured.points.size(); ++p)
            COMPARE_CLOSE(measured.points[p].seconds, 2 * log.samples[p].seconds);
        const auto read = readResourceSpecText(writeResourceSpec(calibration.cluster));
        VERIFY_VALUE(read);
        QVERIFY(read->collectives == calibration.cluster.collectives);
        COMPARE_CLOSE(simulatedAllReduce(*read, static_cast<std::int64_t>(log.samples.back().sizeBytes)),
                      2 * log.samples.back().seconds, 1e-9);
        // Once more, from a log that does not state its ranks: all of the cluster's. The old points and their note go.
        log.ranks = 0;
        VERIFY_VALUE(keepPoints(calibration, {log}));
        QCOMPARE(calibration.cluster.collectives.size(), std::size_t{1});
        COMPARE_CLOSE(calibration.cluster.collectives.front().points.back().seconds, log.samples.back().seconds);
        QVERIFY(calibration.cluster.collectives.front().note.starts_with("Measured: all_reduce among 4 ranks"));
        QCOMPARE(calibration.cluster.allNotes(), std::vector{calibration.cluster.collectives.front().note});
        // A broadcast sets no figure, but its points can be kept; one size cannot.
        CollectiveLog broadcast = allReduceLog(4, 1e-4, 1e-8), oneSize = broadcast;
        broadcast.kind = CollectiveKind::Broadcast;
        CalibrationFiles files;
        files.logs = {broadcast};
        VERIFY_VALUE(calibrateCluster(uniformCluster(4, 25), files, {}, {.points = true}));
        QVERIFY(!calibrateCluster(uniformCluster(4, 25), files, {}).has_value());
        for (CollectiveSample &sample : oneSize.samples)
            sample.sizeBytes = 1024;
        Calibration none = of(uniformCluster(4, 25));
        QVERIFY(!keepPoints(none, {oneSize}).has_value());
        QCOMPARE(none.notes.size(), std::size_t{1});
        VERIFY_VALUE(keepPoints(none, {oneSize, broadcast}));
        QCOMPARE(none.cluster.collectives.size(), std::size_t{1});
    }

    /// Four ranks in one node and four on four nodes are two collectives: the median of both would be neither's time.
    void pointsAreOfTheClustersNodes() {
        CollectiveLog inside = allReduceLog(4, 12e-6, 1e-11), across = allReduceLog(4, 120e-6, 6e-10), unstated = inside;
        unstated.source = "made/unstated.log";
        inside.nodes = 1;
        inside.source = "made/inside.log";
        across.nodes = 4;
        across.source = "made/across.log";
        Cluster dense = uniformCluster(2, 25);
        for (Node &node : dense.nodes)
            node.gpus = {0, 1, 2, 3};
        const auto kept = [&](const Cluster &cluster, const std::vector<CollectiveLog> &logs, const char *note) {
            Calibration calibration = of(cluster);
            if (!keepPoints(calibration, logs) || !mentions(calibration.notes, note))
                return std::vector<double>();
            std::vector<double> seconds;
            for (const auto &point : calibration.cluster.collectives.front().points)
                seconds.push_back(point.seconds);
            return seconds;
        };
        const auto secondsOf = [](const CollectiveLog &log) {
            std::vector<double> seconds;
            for (const CollectiveSample &sample : log.samples)
                seconds.push_back(sample.seconds);
            return seconds;
        };
        QCOMPARE(kept(dense, {across, inside}, "from across.log are kept: 4 ranks were on 4 nodes, the cluster's are on 1."),
                 secondsOf(inside));
        QCOMPARE(kept(uniformCluster(8, 25), {across, inside}, "from inside.log are kept: 4 ranks were on 1 node, the"),
                 secondsOf(across));
        // Alone a log is taken at its word, as is one that does not say while no others differ.
        QCOMPARE(kept(dense, {across}, "from across.log."), secondsOf(across));
        QCOMPARE(kept(dense, {unstated, unstated}, "and 1 more."), secondsOf(unstated));
        QCOMPARE(kept(dense, {inside, unstated}, "from inside.log and 1 more."), secondsOf(inside));
        const char *const unknown = "from unstated.log are kept: it does not state its nodes, and other logs of 4 ranks differ";
        QCOMPARE(kept(uniformCluster(8, 25), {unstated, across, inside}, unknown), secondsOf(across));
        // None is of the cluster's four nodes with a rank each.
        inside.nodes = 2;
        across.nodes = 3;
        Calibration none = of(uniformCluster(8, 25));
        QVERIFY(!keepPoints(none, {unstated, across, inside}));
        QVERIFY(mentions(none.notes, unknown));
    }

    /// What a cluster file cannot hold is counted: sizes beyond 1,024, and samples beyond its limits.
    void pointsLeftOutAreCounted() {
        CollectiveLog log;
        log.source = "made/many.log";
        log.ranks = 4;
        for (int size = 1; size <= 3000; ++size)
            log.samples.push_back({1e3 * size, 1e-6 * size});
        log.samples.insert(log.samples.begin(), {{0, 1e-6}, {0.5, 1e-6}});
        log.samples.push_back({1e9, 1e7}); // longer than a million seconds
        Calibration calibration = of(uniformCluster(4, 25));
        VERIFY_VALUE(keepPoints(calibration, {log}));
        QCOMPARE(calibration.cluster.collectives.front().points.size(), std::size_t{1024});
        QCOMPARE(calibration.notes.size(), std::size_t{3});
        QVERIFY(mentions(calibration.notes, "from many.log: 3 samples,"));
        QVERIFY(mentions(calibration.notes, "1976 of 3000 sizes,"));
    }

    /// OSU's sizes of an all-gather are for one pair of processes: its log sets no figure and no points.
    void sizesOfPairsSetNothing() {
        CollectiveLog ofPairs = allReduceLog(4, 1e-4, 1e-8);
        ofPairs.kind = CollectiveKind::AllGather;
        ofPairs.tool = "OSU";
        CalibrationFiles files;
        files.logs = {ofPairs};
        const auto figures = calibrateCluster(uniformCluster(4, 25), files, {});
        QVERIFY(!figures);
        QVERIFY2(figures.error().what.find("one pair of processes") != std::string::npos, figures.error().what.c_str());
        Calibration points = of(uniformCluster(4, 25));
        QVERIFY(!keepPoints(points, {ofPairs}).has_value());
        QVERIFY(points.cluster.collectives.empty());
        ofPairs.kind = CollectiveKind::AllReduce;
        VERIFY_VALUE(keepPoints(points, {ofPairs}));
    }

    void collectivesRefused() {
        Calibration slow = of(uniformCluster(4, 1));
        const auto faster = calibrateCollectives(slow, {allReduceLog(4, 1e-4, 1.5 / 3e9)});
        QVERIFY(!faster.has_value());
        QVERIFY2(faster.error().what.find("times the rate of the cluster's links") != std::string::npos,
                 faster.error().what.c_str());
        Calibration none = of(uniformCluster(4, 1));
        CollectiveLog broadcast = allReduceLog(4, 1e-4, 1e-8);
        broadcast.kind = CollectiveKind::Broadcast;
        const auto refused = [&](const CollectiveLog &log, const char *says) {
            const auto done = calibrateCollectives(none, {log});
            QVERIFY2(!done && done.error().what.find(says) != std::string::npos, done ? says : done.error().what.c_str());
        };
        refused(broadcast, "no single alpha and beta");
        CollectiveLog oneSize = allReduceLog(4, 1e-4, 1e-8);
        for (CollectiveSample &sample : oneSize.samples)
            sample.sizeBytes = 1024;
        refused(oneSize, "only one size was measured");
        refused(allReduceLog(1'000'000, 1e-4, 1e-8), "among 1000000 replicas");
        refused(allReduceLog(1, 1e-4, 1e-8), "among 1 replicas");
        // Beside a usable log, an unusable one only yields a note.
        VERIFY_VALUE(calibrateCollectives(none, {oneSize, allReduceLog(4, 1e-4, 1.5 / 1e8)}));
        COMPARE_CLOSE(none.cluster.collectiveEfficiency, 0.8, 1e-3);
    }

    /// 200 ms of compute under communication take a quarter longer, the rest as long as alone.
    void interference() {
        const StepSpec alone, beside{.b = 250, .communication = {{90, 360}}};
        Calibration calibration = of(withDedicatedServers(uniformCluster(2, 10), 1));
        const auto done = calibrateSlowdown(calibration, profileOf({alone, alone}), profileOf({beside, beside, beside}));
        VERIFY_VALUE(done);
        const Slowdown &slowdown = calibration.slowdowns.at(0);
        COMPARE_CLOSE(slowdown.factor, 1.25);
        QCOMPARE(slowdown.ops, std::size_t{3});
        COMPARE_CLOSE(slowdown.lower, 1.25);
        COMPARE_CLOSE(slowdown.upper, 1.25);
        QCOMPARE(slowdown.clearOps, std::size_t{0}); // "a" and "c" are partly covered
        COMPARE_CLOSE(calibration.cluster.nodes[0].communicationSlowdown, 1.25);
        COMPARE_CLOSE(calibration.cluster.nodes[1].communicationSlowdown, 1.25);
        QCOMPARE(calibration.cluster.nodes[2].communicationSlowdown, 1.0);
        QVERIFY(calibration.cluster.figureNotes.back().text.starts_with("Calibrated: communication_slowdown 1.25 "));
    }

    /// If only a server has the profile's device, the factor is of all nodes that train, as if no node had it.
    void interferenceOfAServersDevice() {
        const StepSpec alone, beside{.b = 250, .communication = {{90, 360}}};
        Calibration calibration = of(withDedicatedServers(uniformCluster(2, 10), 1));
        ImportedProfile disturbed = profileOf({beside, beside, beside});
        disturbed.platform.device = "A100";
        for (const std::int32_t server : calibration.cluster.serverOnly)
            calibration.cluster.nodes[static_cast<std::size_t>(server)].device = "A100";
        QVERIFY(calibration.cluster.serverOnly == std::vector<std::int32_t>{2});
        VERIFY_VALUE(calibrateSlowdown(calibration, profileOf({alone, alone}), disturbed));
        COMPARE_CLOSE(calibration.cluster.nodes[0].communicationSlowdown, 1.25);
        COMPARE_CLOSE(calibration.cluster.nodes[1].communicationSlowdown, 1.25);
        COMPARE_CLOSE(calibration.cluster.nodes[2].communicationSlowdown, 1.0);
        QVERIFY(calibration.cluster.figureNotes.back().text.find("nodes of that device") == std::string::npos);
    }

    /// Ops differ: the factor uses their sums, the quartiles show the spread, uncovered ops are the control.
    void interferenceSpread() {
        const StepSpec alone, beside{.a = 110, .b = 300, .c = 100, .communication = {{0, 410}}};
        const auto slowdown = measureSlowdown(profileOf({alone}), profileOf({beside}));
        VERIFY_VALUE(slowdown);
        COMPARE_CLOSE(slowdown->factor, 410.0 / 300);
        COMPARE_CLOSE(slowdown->lower, 1.1);
        COMPARE_CLOSE(slowdown->clearFactor, 1.0);
        QCOMPARE(slowdown->clearOps, std::size_t{1});
    }

    /// Ops that overlap communication in the profile "without communication" are excluded from its times.
    void aloneIsAlone() {
        const StepSpec alone, disturbed{.b = 400, .communication = {{100, 500}}}, beside{.b = 240, .communication = {{100, 340}}};
        const auto slowdown = measureSlowdown(profileOf({alone, disturbed, disturbed}), profileOf({beside}));
        VERIFY_VALUE(slowdown);
        COMPARE_CLOSE(slowdown->factor, 1.2);
        COMPARE_ABOVE(communicatingShare(profileOf({disturbed})), communicatingShare(profileOf({alone})));
    }

    void interferenceRefused() {
        const StepSpec alone, beside{.b = 250, .communication = {{100, 350}}};
        const auto refused = [](const ImportedProfile &first, const ImportedProfile &second, const char *says) {
            const auto slowdown = measureSlowdown(first, second);
            if (slowdown || slowdown.error().what.find(says) == std::string::npos)
                return QString("expected: %1, got: %2")
                    .arg(QLatin1String(says),
                         slowdown ? QString("a factor") : QString::fromStdString(slowdown.error().toString()));
            return QString();
        };
        const auto check = [&](const QString &wrong) { QVERIFY2(wrong.isEmpty(), qPrintable(wrong)); };
        check(refused(profileOf({alone}, {"a", "x", "c"}), profileOf({beside}), "do not have the same ops"));
        check(refused(profileOf({alone}), profileOf({alone}), "lies under communication"));
        check(refused(ImportedProfile(), profileOf({beside}), "no ops in time"));
        StepSpec faster = beside;
        faster.a = faster.c = 20;
        faster.communication = {{20, 270}};
        check(refused(profileOf({alone}), profileOf({faster}), "beside which nothing communicates"));
        check(refused(profileOf({beside}), profileOf({beside}), "lies under communication"));
    }
};

QTEST_GUILESS_MAIN(TestCalibrate)
#include "tst_calibrate.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/metrics.h"
#include "engine/export/export.h"
#include "engine/export/timeline_formats.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

class TestExport : public QObject {
    Q_OBJECT

private slots:
    void rowsTellWhatTheTrafficDid() {
        // Two layers on one server at 1 GB/s: 40 ms and 80 ms each way.
        const Job job = chainJob({{0.1, 0.1, 10'000'000}, {0.1, 0.1, 20'000'000}});
        CommPolicy policy;
        const auto run = simulate(scenario(job, servedCluster(1, 1e9), parameterServers(job, {"n1:CPU:0"}), policy));
        VERIFY_VALUE(run);
        const auto rows = variableRows(**run);
        QCOMPARE(rows.size(), std::size_t{2});
        // Layer 1's backward ends at 0.3 s: push to 0.38, pull to 0.46. Layer 0's at 0.4: push to 0.44, pull after layer 1's, to
        // 0.5.
        COMPARE_WITHIN(rows[1].firstStartSeconds, 0.3, 1e-9);
        COMPARE_WITHIN(rows[1].lastEndSeconds, 0.46, 1e-9);
        COMPARE_WITHIN(rows[1].communicationSeconds, 0.16, 1e-9);
        COMPARE_WITHIN(rows[0].lastEndSeconds, 0.5, 1e-9);
        COMPARE_WITHIN(rows[0].communicationSeconds, 0.08, 1e-9);
        QCOMPARE(rows[0].synchroniser, std::string("PS"));
        QCOMPARE(rows[0].destination, std::string("n1:CPU:0"));
        QCOMPARE(rows[0].parts, 1);
        const QByteArray csv = QByteArray::fromStdString(writeTableCsv(**run));
        QCOMPARE(csv.count('\n'), 3);
        QCOMPARE(csv.split('\n')[1].count(','), csv.split('\n')[0].count(','));
    }

    /// Servers whose names contain each other are all named, and each once.
    void rowsNameEveryServer() {
        const Job job = chainJob({{0.1, 0.1, 40}});
        Cluster cluster = plainCluster(2, 1e9);
        cluster.nodes[0].address = "110.0.0.1";
        cluster.nodes[1].address = "10.0.0.1";
        Strategy strategy = parameterServers(job, {"110.0.0.1:CPU:0"});
        NodeConfig &node = strategy.nodes[0];
        node.partitions = {3};
        for (const char *server : {"110.0.0.1:CPU:0", "10.0.0.1:CPU:0", "110.0.0.1:CPU:0"}) {
            node.parts.push_back({"part", node.synchronizer});
            node.parts.back().synchronizer.reductionDestination = server;
        }
        const auto run = simulate(scenario(job, cluster, strategy));
        VERIFY_VALUE(run);
        const auto rows = variableRows(**run);
        QCOMPARE(rows[0].parts, 3);
        QCOMPARE(rows[0].destination, std::string("110.0.0.1:CPU:0 10.0.0.1:CPU:0"));
    }

    /// A variable whose parts are in several groups names each of them once; `group` stays a number, -1 without any.
    void rowsNameEveryGroup() {
        const Job job = chainJob({{0.1, 0.1, 40}, {0.1, 0.1, 40}});
        Strategy strategy = allReduceEach(job);
        strategy.nodes[1] = parameterServers(job, {"n0:CPU:0"}).nodes[1];
        NodeConfig &node = strategy.nodes[0];
        node.partitions = {4};
        for (const std::int32_t group : {1, 11, 2, 1}) {
            node.parts.push_back({"part", node.synchronizer});
            node.parts.back().synchronizer.group = group;
        }
        const auto run = simulate(scenario(job, plainCluster(2, 1e9), strategy));
        VERIFY_VALUE(run);
        const auto rows = variableRows(**run);
        QCOMPARE(rows[0].groups, std::string("1..2 11"));
        QCOMPARE(rows[0].group, 1);
        QCOMPARE(rows[1].groups, std::string());
        QCOMPARE(rows[1].group, -1);
        const QList<QByteArray> lines = QByteArray::fromStdString(writeTableCsv(**run)).split('\n');
        const qsizetype column = lines[0].split(',').indexOf("group");
        QCOMPARE(lines[0].split(',')[column + 1], QByteArray("groups"));
        QCOMPARE(lines[1].split(',')[column], QByteArray("1"));
        QCOMPARE(lines[1].split(',')[column + 1], QByteArray("1..2 11"));
        QCOMPARE(lines[2].split(',')[column], QByteArray("-1"));
        QCOMPARE(lines[2].split(',')[column + 1], QByteArray(""));
    }

    /// Rings of many steps are one task each, which has lanes in place of a path. Every step moves a 64th of the variable.
    void rowsTellWhatLongRingsDid() {
        const Job job = chainJob(std::vector<LayerSpec>(6, {0.02, 0.02, 1'000'000}));
        constexpr int nodes = 64;
        Scenario rings = scenario(job, plainCluster(nodes, 1e9), allReduceEach(job));
        rings.policy.form = CollectiveForm::Flows;
        rings.fold = false;
        const auto run = simulate(rings);
        VERIFY_VALUE(run);
        QVERIFY(!(*run)->graph.rings.empty());
        for (const VariableRow &row : variableRows(**run))
            COMPARE_CLOSE(row.communicationSeconds, 2.0 * (nodes - 1) / nodes * 0.004, 1e-6);
    }

    /// An all-reduce whose time was measured has no traffic on links, and takes its time all the same.
    void rowsTellWhatMeasuredCollectivesDid() {
        const Job job = chainJob({{0.1, 0.1, 10'000'000}, {0.1, 0.1, 20'000'000}});
        Scenario measured = scenario(job, plainCluster(2, 1e9), allReduceEach(job));
        measured.collectiveCurves = std::make_shared<const std::vector<CollectiveCurve>>(
            1, CollectiveCurve{CollectiveKind::AllReduce, 2, {{0, 0.05, 0}}});
        const auto run = simulate(measured);
        VERIFY_VALUE(run);
        for (const VariableRow &row : variableRows(**run)) {
            COMPARE_WITHIN(row.communicationSeconds, 0.05, 1e-9);
            COMPARE_WITHIN(row.lastEndSeconds - row.firstStartSeconds, 0.05, 1e-9);
        }
    }

    void traceHoldsEverySpan() {
        Job job = chainJob({{1e-3, 2e-3, 1000}, {1e-3, 1e-3, 5000}});
        job.layers[0].name = "quote \" backslash \\ tab \t"; // names come from files
        const auto run = simulate(scenario(job, plainCluster(3, 1e9), allReduceEach(job)));
        VERIFY_VALUE(run);
        QJsonParseError error{};
        const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(writeChromeTrace(**run)), &error);
        QCOMPARE(error.error, QJsonParseError::NoError);
        std::size_t spans = 0;
        double last = 0;
        for (const auto &value : document.object()["traceEvents"].toArray()) {
            const QJsonObject event = value.toObject();
            if (event["ph"].toString() == "X" && event["cat"].toString() != "exposed") {
                ++spans;
                last = std::max(last, event["ts"].toDouble() + event["dur"].toDouble());
            }
        }
        QCOMPARE(spans, (*run)->timeline.spanCount());
        COMPARE_WITHIN(last * 1e3, static_cast<double>((*run)->timeline.duration), 1);
    }

    void traceHasTheExposedCommunicationOfTheFigures_data() {
        QTest::addColumn<QString>("kind");
        for (const char *kind : {"all-reduce", "servers", "server on worker 0"})
            QTest::newRow(kind) << kind;
    }
    /// One thread in the process of the worker that waits longest; its spans of the iteration sum to the table's figure.
    void traceHasTheExposedCommunicationOfTheFigures() {
        QFETCH(const QString, kind);
        const Job job = chainJob({{0.1, 0.1, 10'000'000}, {0.1, 0.1, 20'000'000}});
        const bool colocated = kind == "server on worker 0";
        const Cluster cluster = kind == "servers" ? servedCluster(3, 1e9) : plainCluster(3, 1e9);
        const Strategy strategy =
            kind == "all-reduce" ? allReduceEach(job) : parameterServers(job, {colocated ? "n0:CPU:0" : "n3:CPU:0"});
        const auto run = simulate(scenario(job, cluster, strategy));
        VERIFY_VALUE(run);
        const AreaStatistics area = iterationStatistics(**run);
        COMPARE_ABOVE(area.exposedSeconds, 0.01);
        if (colocated) { // a lane of worker 0 would be another one
            const auto [from, to] = iterationWindow(**run);
            COMPARE_BELOW(areaStatistics((*run)->timeline, from, to, 0).exposedSeconds, 0.99 * area.exposedSeconds);
        }

        const QJsonObject trace = QJsonDocument::fromJson(QByteArray::fromStdString(writeChromeTrace(**run))).object();
        QJsonObject thread;
        std::set<int> otherThreads;
        for (const auto &value : trace["traceEvents"].toArray()) {
            const QJsonObject event = value.toObject();
            if (event["name"].toString() != "thread_name")
                continue;
            if (event["args"].toObject()["name"].toString() == "exposed communication") {
                QVERIFY2(thread.isEmpty(), "a second thread of exposed communication");
                thread = event;
            } else {
                otherThreads.insert(event["tid"].toInt());
            }
        }
        QVERIFY2(!thread.isEmpty(), "no thread of exposed communication");
        QCOMPARE(thread["pid"].toInt(), area.worker);
        QVERIFY(otherThreads.count(thread["tid"].toInt()) == 0);

        const double from = (*run)->windowStartSeconds * 1e6, to = from + (*run)->iterationSeconds * 1e6;
        double marked = 0, within = 0; // microseconds
        for (const auto &value : trace["traceEvents"].toArray()) {
            const QJsonObject event = value.toObject();
            const bool ofThread = event["tid"] == thread["tid"] && event["pid"] == thread["pid"];
            QCOMPARE(event["cat"].toString() == "exposed", ofThread && event["ph"].toString() == "X");
            if (event["cat"].toString() != "exposed")
                continue;
            const double start = event["ts"].toDouble(), length = event["dur"].toDouble();
            COMPARE_ABOVE(length, 0.0);
            if (event["args"].toObject()["in_window"].toBool())
                marked += length;
            within += std::max(0.0, std::min(start + length, to) - std::max(start, from));
        }
        COMPARE_CLOSE(marked * 1e-6, area.exposedSeconds, 1e-9);
        COMPARE_WITHIN(within * 1e-6, area.exposedSeconds, 2e-9); // the window's ends are rounded to nanoseconds
        COMPARE_CLOSE(trace["otherData"].toObject()["exposed_communication_seconds"].toDouble(), area.exposedSeconds, 1e-9);
        COMPARE_CLOSE(trace["otherData"].toObject()["window_start_seconds"].toDouble(), (*run)->windowStartSeconds, 1e-9);
    }

    /// Arrows bind to spans: each begins within a span and ends where another starts, and its source has ended by then.
    void traceDrawsWhatWaitsForTheTraffic() {
        const Job job = chainJob({{0.1, 0.1, 10'000'000}, {0.1, 0.1, 20'000'000}});
        CommPolicy policy;
        const auto run = simulate(scenario(job, servedCluster(1, 1e9), parameterServers(job, {"n1:CPU:0"}), policy));
        VERIFY_VALUE(run);
        const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(writeChromeTrace(**run)));
        struct Slice {
            double start, end;
            QString category, name;
        };
        std::map<int, std::vector<Slice>> lanes;
        std::map<int, QJsonObject> starts, ends;
        for (const auto &value : document.object()["traceEvents"].toArray()) {
            const QJsonObject event = value.toObject();
            const QString kind = event["ph"].toString();
            const double at = event["ts"].toDouble();
            if (kind == "X")
                lanes[event["tid"].toInt()].push_back(
                    {at, at + event["dur"].toDouble(), event["cat"].toString(), event["name"].toString()});
            else if (kind == "s" || kind == "f")
                (kind == "s" ? starts : ends)[event["id"].toInt()] = event;
        }
        QVERIFY(!starts.empty());
        QCOMPARE(starts.size(), ends.size());
        const auto sliceOf = [&](const QJsonObject &arrow) {
            for (const Slice &slice : lanes[arrow["tid"].toInt()])
                if (arrow["ts"].toDouble() >= slice.start - 1e-6 && arrow["ts"].toDouble() < slice.end)
                    return slice;
            return Slice{0, 0, {}, {}};
        };
        int backwardToPush = 0, pushToPull = 0, pullToForward = 0;
        for (const auto &[id, start] : starts) {
            QVERIFY(ends.count(id) == 1);
            const Slice from = sliceOf(start), to = sliceOf(ends[id]);
            COMPARE_ABOVE(from.end, 0, "an arrow that no span has");
            COMPARE_ABOVE(to.end, 0, "an arrow that no span has");
            COMPARE_AT_MOST(from.end, to.start + 1e-3, from.name + " to " + to.name); // a nanosecond, in microseconds
            QVERIFY(ends[id]["bp"].toString() == "e");
            backwardToPush += from.category == "backward" && to.category == "push";
            pushToPull += from.category == "push" && to.category == "pull";
            pullToForward += from.category == "pull" && to.category == "forward";
        }
        // Two variables in each iteration; the first forward waits for nothing.
        const int iterations = (*run)->graph.iterations;
        QCOMPARE(backwardToPush, 2 * iterations);
        QCOMPARE(pushToPull, 2 * iterations);
        COMPARE_AT_LEAST(pullToForward, iterations - 1);
    }

    /// Slices of a variable share bytes; a trace contains whole numbers.
    void traceSizesAreWhole() {
        const Job job = chainJob({{1e-3, 2e-3, 1000}, {1e-3, 1e-3, 5001}});
        const auto run = simulate(scenario(job, plainCluster(3, 1e9), allReduceEach(job)));
        auto shares = std::make_shared<Run>(**run);
        std::size_t changed = 0;
        for (Lane &lane : shares->timeline.lanes)
            for (double &size : lane.sizeBytes)
                if (size > 0) {
                    size += 0.375;
                    ++changed;
                }
        COMPARE_ABOVE(changed, 0);
        const QRegularExpression fraction(QStringLiteral("\"size_bytes\": ?[0-9]+[.e]"));
        QVERIFY(!QString::fromStdString(writeChromeTrace(*shares)).contains(fraction));
    }

    /// Traces of millions of spans are written in pieces; memory never holds the whole.
    void tracesComeInPieces() {
        Job job = chainJob(std::vector<LayerSpec>(600, {1e-3, 2e-3, 100000}));
        const auto run = simulate(scenario(job, plainCluster(3, 1e9), allReduceEach(job)));
        VERIFY_VALUE(run);
        std::string whole;
        int pieces = 0;
        std::size_t largest = 0;
        QVERIFY(writeChromeTrace(**run, [&](std::string_view piece) {
            ++pieces;
            largest = std::max(largest, piece.size());
            whole += piece;
            return true;
        }));
        COMPARE_ABOVE(pieces, 2);
        COMPARE_BELOW(largest, (1u << 19));
        QCOMPARE(whole, writeChromeTrace(**run));
        int taken = 0;
        QVERIFY(!writeChromeTrace(**run, [&](std::string_view) { return ++taken < 2; }));
        QCOMPARE(taken, 2);

        // Written to a file completely or not at all.
        QTemporaryDir dir;
        const std::string path = dir.filePath("trace.json").toStdString();
        const auto trace = [&](const TextSink &sink) { return writeChromeTrace(**run, sink); };
        VERIFY_VALUE(writeFile(path, trace));
        QCOMPARE(static_cast<std::size_t>(QFileInfo(QString::fromStdString(path)).size()), whole.size());
        QVERIFY(!writeFile(path, [&](const TextSink &sink) { return sink("the beginning") && false; }).has_value());
        QCOMPARE(static_cast<std::size_t>(QFileInfo(QString::fromStdString(path)).size()), whole.size());
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files).size(), 1);
        QVERIFY(!writeFile("/dev/full", trace).has_value());
    }

    void everyTimelineFormat_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<bool>("simulated");
        for (const TimelineFormat &format : timelineFormats())
            for (const bool simulated : {true, false})
                QTest::addRow("%s of a %s", format.name, simulated ? "simulation" : "recording") << format.name << simulated;
    }
    /// Every format in the table takes simulations and recordings, and stops when its reader has enough.
    void everyTimelineFormat() {
        QFETCH(const QString, format);
        QFETCH(const bool, simulated);
        const Job job = chainJob({{1e-3, 2e-3, 1000}, {1e-3, 1e-3, 5000}});
        const auto run = simulate(scenario(job, plainCluster(2, 1e9), allReduceEach(job)));
        VERIFY_VALUE(run);
        const TimelineFormat *found = findTimelineFormat(format.toStdString());
        QVERIFY(found);
        const TimelineToExport of{**run, simulated ? &**run : nullptr, "a title"};
        std::string whole;
        QVERIFY(found->write(of, [&](std::string_view piece) {
            whole += piece;
            return true;
        }));
        QVERIFY2(whole.find((*run)->timeline.lanes.front().name) != std::string::npos, whole.substr(0, 400).c_str());
        QVERIFY(!found->write(of, [](std::string_view) { return false; }));
        QCOMPARE(findTimelineFormat("csv"), nullptr);
    }

    void filesAreWholeOrUntouched() {
        QTemporaryDir dir;
        const std::string path = dir.filePath("out.txt").toStdString();
        VERIFY_VALUE(writeFile(path, "first"));
        VERIFY_VALUE(writeFile(path, "second"));
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("second"));
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files).size(), 1); // no temporary file left
        const auto failed = writeFile(dir.filePath("no/such/folder/out.txt").toStdString(), "x");
        QVERIFY(!failed.has_value());
        QVERIFY(failed.error().toString().find("no/such/folder") != std::string::npos);
        // A folder of that name, and a path that is not a regular file.
        QVERIFY(QDir(dir.path()).mkdir("folder"));
        QVERIFY(!writeFile(dir.filePath("folder").toStdString(), "x").has_value());
        VERIFY_VALUE(writeFile("/dev/null", "x"));
        QVERIFY(!QFileInfo("/dev/null").isFile());
        QVERIFY(!writeFile("/dev/full", "x").has_value());
        QVERIFY(!QFileInfo("/dev/full").isFile());
        QVERIFY(!writeFile("/proc/syncopate.txt", "x").has_value());
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files).size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestExport)
#include "tst_export.moc"

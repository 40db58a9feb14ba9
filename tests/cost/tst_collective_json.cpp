// SPDX-License-Identifier: GPL-3.0-or-later
// JSON written by NCCL's tools: nccl-tests -J and the Inspector plugin's logs.
#include "engine/base/input_file.h"
#include "engine/collective/collective_log.h"
#include "engine/collective/curve_fit.h"
#include "engine/collective/inspector_log.h"
#include "engine/collective/nccl_json.h"
#include "engine/session/load_scenario.h"
#include "tests/checks.h"
#include "tests/foreign_traces.h"
#include "tests/profile/tiny_trace.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <fmt/format.h>
#include <utility>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const std::string folder = SYNCOPATE_SOURCE "/tests/data/calibrate/";

std::string textOf(const std::string &path) {
    auto text = readInputFile(path);
    return text ? *text : std::string();
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? std::string() : text.replace(at, from.size(), to);
}

} // namespace

class TestCollectiveJson : public QObject {
    Q_OBJECT

private slots:
    void ncclTests() {
        const auto log = readCollectiveLogFile(folder + "nccl_tests_4_hosts.json");
        VERIFY_VALUE(log);
        QCOMPARE(log->tool, std::string("nccl-tests"));
        QCOMPARE(static_cast<int>(log->kind), static_cast<int>(CollectiveKind::AllReduce));
        QCOMPARE(log->ranks, 4);
        QCOMPARE(log->nodes, 4);
        QCOMPARE(log->samples.size(), std::size_t{13});
        COMPARE_CLOSE(log->samples.front().sizeBytes, 8.0);
        COMPARE_CLOSE(log->samples.back().seconds, 6 * 20e-6 + 1.5 * (8 << 24) / 2.5e9, 1e-6);
    }

    /// A killed run leaves a document that may end anywhere: complete parts are read, or the error names the missing part.
    void ncclTestsCutOff() {
        const std::string text = textOf(folder + "nccl_tests_4_hosts.json");
        const auto whole = readCollectiveLogText(text);
        VERIFY_VALUE(whole);
        std::size_t most = 0;
        for (std::size_t length = 0; length < text.size(); length += 7) {
            const auto log = readNcclTestsJson(text.substr(0, length), "allreduce.json");
            if (!log) {
                QVERIFY(!log.error().remedy.empty());
                continue;
            }
            COMPARE_AT_LEAST(log->samples.size(), std::max<std::size_t>(most, 3), fmt::format("cut at byte {}", length));
            most = log->samples.size();
            for (std::size_t i = 0; i < most; ++i)
                QVERIFY(log->samples[i] == whole->samples[i]);
        }
        QCOMPARE(most, whole->samples.size());
    }

    /// Under MPI a process lists only its first GPU; a single process lists all of its own.
    void ranksOfDevices() {
        const std::string text = textOf(folder + "nccl_tests_4_hosts.json");
        const auto several = readCollectiveLogText(replaced(text, "\"ngpus\":1", "\"ngpus\":8"));
        VERIFY_VALUE(several);
        QCOMPARE(several->ranks, 32);
        std::string one = replaced(text, "\"ngpus\":1", "\"ngpus\":4");
        for (const char *change : {"101", "102", "103"})
            one = replaced(one, std::string("\"pid\":") + change, "\"pid\":100");
        for (const char *host : {"host1", "host2", "host3"})
            one = replaced(one, host, "host0");
        const auto single = readCollectiveLogText(one);
        VERIFY_VALUE(single);
        QCOMPARE(single->ranks, 4);
        QCOMPARE(single->nodes, 1);
    }

    /// Without a list of devices, six decimals of a single bandwidth tell 64 ranks, which two do not.
    void ranksThatBandwidthsTell() {
        std::string rows;
        for (const int size : {1024, 2048, 4096})
            rows += fmt::format("{}{{\"size\":{},\"out_of_place\":{{\"time\":20.0,\"alg_bw\":11.370000,\"bus_bw\":22.384688}}}}",
                                rows.empty() ? "" : ",", size);
        const auto log = readNcclTestsJson("{\"args\":[\"all_reduce_perf\"],\"results\":[" + rows + "]}", "x.json");
        VERIFY_VALUE(log);
        QCOMPARE(log->ranks, 64);
    }

    void ncclTestsRefused_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("negative time") << R"("time":)"
                                       << R"("time":-)"
                                       << "results[0]";
        QTest::newRow("negative size") << R"("size":8,)"
                                       << R"("size":-8,)"
                                       << "results[0]";
        QTest::newRow("huge size") << R"("size":8,)"
                                   << R"("size":1e300,)"
                                   << "results[0]";
        QTest::newRow("no size") << R"("size":8,)"
                                 << R"("bytes":8,)"
                                 << "results[0].size";
        QTest::newRow("text for a size") << R"("size":8,)"
                                         << R"("size":"8",)"
                                         << "results[0].size";
        QTest::newRow("NaN") << R"("size":8,)"
                             << R"("size":nan,)"
                             << "results[0]";
        QTest::newRow("negative ngpus") << R"("ngpus":1)"
                                        << R"("ngpus":-1)"
                                        << "ngpus";
        QTest::newRow("not JSON") << R"("results":)"
                                  << R"("results")"
                                  << "byte ";
    }
    void ncclTestsRefused() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, says);
        const std::string text = replaced(textOf(folder + "nccl_tests_4_hosts.json"), from.toStdString(), to.toStdString());
        QVERIFY(!text.empty());
        const auto log = readCollectiveLogText(text, "x.json");
        QVERIFY(!log.has_value());
        const QString error = QString::fromStdString(log.error().toString());
        QVERIFY2(error.startsWith("x.json:") && error.contains(says), qPrintable(error));
    }

    /// A row whose time is the text "nan" is skipped; the others stay.
    void ncclTestsWithoutTime() {
        std::string text = textOf(folder + "nccl_tests_4_hosts.json");
        for (int i = 0; i < 2; ++i)
            text = replaced(text, "\"time\":120.0048", "\"time\":\"nan\"");
        const auto log = readCollectiveLogText(text, "x.json");
        VERIFY_VALUE(log);
        QCOMPARE(log->samples.size(), std::size_t{12});
        QCOMPARE(log->notes.size(), std::size_t{1});
    }

    /// The ranks' files in both formats: the shortest duration of each collective, which excludes waiting.
    void inspector() {
        const auto files = filesBelow(folder + "inspector");
        VERIFY_VALUE(files);
        QCOMPARE(files->size(), std::size_t{4});
        const CollectiveLogs read = readCollectiveLogFiles(*files);
        QCOMPARE(read.notRead.size(), std::size_t{0});
        QCOMPARE(read.logs.size(), std::size_t{1});
        const CollectiveLog &log = read.logs.front();
        QCOMPARE(log.tool, std::string("NCCL Inspector"));
        QCOMPARE(log.ranks, 4);
        QCOMPARE(log.nodes, 2);
        QCOMPARE(log.samples.size(), std::size_t{4});
        for (const CollectiveSample &sample : log.samples)
            COMPARE_CLOSE(sample.seconds, 180e-6 + 1.5 * sample.sizeBytes / 6.25e9, 1e-5);
    }

    /// A reduce-scatter and an all-gather of 32 ranks: NCCL states the 64 KiB of one rank, nccl-tests the 2 MiB of all. The
    /// plugin's own README has 19.065018 GB/s for 65,536 bytes in 110 us, which are 2 MiB in that time.
    void inspectorSizesAreOfAllRanks() {
        for (const auto &[name, kind] :
             {std::pair("ReduceScatter", CollectiveKind::ReduceScatter), std::pair("AllGather", CollectiveKind::AllGather),
              std::pair("Broadcast", CollectiveKind::Broadcast)}) {
            std::string text =
                "{\"header\":{\"id\":\"a\",\"n_ranks\":32},\"metadata\":{\"inspector_output_format_version\":\"v4.3\"}}\n";
            for (const int number : {1, 2, 3})
                text += fmt::format("{{\"coll_perf\":{{\"coll\":\"{}\",\"coll_sn\":{},\"coll_msg_size_bytes\":65536,"
                                    "\"coll_exec_time_us\":110}}}}\n",
                                    name, number);
            InspectorLogs logs;
            VERIFY_VALUE(logs.add(text, "x.log"));
            const auto finished = logs.finish();
            QCOMPARE(finished.size(), std::size_t{1});
            VERIFY_VALUE(finished.front());
            QCOMPARE(static_cast<int>(finished.front()->kind), static_cast<int>(kind));
            const CollectiveSample &sample = finished.front()->samples.front();
            COMPARE_CLOSE(sample.sizeBytes / sample.seconds / 1e9, kind == CollectiveKind::Broadcast ? 19.065018 / 32 : 19.065018,
                          1e-6);
        }
    }

    /// As found in archives.
    void inspectorPacked() {
        const std::string text = textOf(folder + "inspector/host0-pid8.log"), packed = tiny::gzip(text);
        QTemporaryDir dir;
        QFile file(dir.filePath("host0-pid8.log.gz"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(packed.data(), static_cast<qint64>(packed.size()));
        file.close();
        const CollectiveLogs read = readCollectiveLogFiles({file.fileName().toStdString()});
        QCOMPARE(read.logs.size(), std::size_t{1});
        QCOMPARE(read.logs.front().samples.size(), std::size_t{4});
    }

    void inspectorRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("says");
        const QByteArray header = R"({"header":{"id":"a","n_ranks":2},"metadata":{"inspector_output_format_version":"v4.3"}})"
                                  "\n";
        QTest::newRow("not JSON") << header + "{\n{}\n"
                                  << "x.log:2:"
                                  << "JSON";
        QTest::newRow("negative time")
            << header + R"({"coll_perf":{"coll":"AllReduce","coll_sn":1,"coll_msg_size_bytes":8,"coll_exec_time_us":-8}})"
            << "x.log:2:"
            << "are not a size and a time";
        QTest::newRow("no number") << header +
                                          R"({"coll_perf":{"coll":"AllReduce","coll_msg_size_bytes":8,"coll_exec_time_us":8}})"
                                   << "x.log:2:"
                                   << "lacks coll, coll_sn";
        QTest::newRow("no header") << QByteArray(
                                          R"({"inspector_output_format_version":1,"coll_perf":{"coll":"AllReduce","coll_sn":1}})")
                                   << "x.log:1:"
                                   << "before any header";
        QTest::newRow("a billion ranks") << QByteArray(header).replace("2}", "1000000000}") << "x.log:1:"
                                         << "no id and n_ranks";
    }
    void inspectorRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        QFETCH(QString, says);
        QVERIFY(isInspectorLog(text.toStdString()));
        InspectorLogs logs;
        const auto added = logs.add(text.toStdString(), "x.log");
        QVERIFY(!added.has_value());
        const QString error = QString::fromStdString(added.error().toString());
        QVERIFY2(error.startsWith(place) && error.contains(says), qPrintable(error));
    }

    void inspectorCutOff() {
        const std::string text = textOf(folder + "inspector/host0-pid8.log");
        InspectorLogs logs;
        VERIFY_VALUE(logs.add(text.substr(0, text.rfind("p2p_perf")), "x.log"));
        const auto finished = logs.finish();
        QCOMPARE(finished.size(), std::size_t{1});
        VERIFY_VALUE(finished.front());
        QCOMPARE(finished.front()->samples.size(), std::size_t{4});
    }

    /// A simulation takes one curve for a collective and a number of ranks, so logs on other numbers of nodes are refused.
    void nodesAreNotMixed() {
        QTemporaryDir logs;
        const std::string four = textOf(folder + "nccl_tests_4_hosts.json");
        const std::string two = replaced(replaced(four, "\"host2\"", "\"host0\""), "\"host3\"", "\"host1\"");
        const auto write = [&](const char *name, const std::string &text) {
            QFile file(logs.filePath(QString::fromLatin1(name)));
            return file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(text)) > 0;
        };
        QVERIFY(write("four.json", four) && write("again.json", four));
        const std::string path = logs.path().toStdString();
        VERIFY_VALUE(loadCurves(path));
        QVERIFY(write("two.json", two));
        QCOMPARE(readCollectiveLogFile(path + "/two.json")->ranks, 4);
        QCOMPARE(readCollectiveLogFile(path + "/two.json")->nodes, 2);
        const auto mixed = loadCurves(path);
        QVERIFY(!mixed);
        const QString error = QString::fromStdString(mixed.error().toString());
        QVERIFY2(error.startsWith(logs.path()) && error.contains("among 4 ranks on 4 nodes") && error.contains("on 2 (") &&
                     error.contains("two.json"),
                 qPrintable(error));
    }

    void foreign() {
        REQUIRE_FOREIGN_TRACE("nccl_json");
        const auto tests = readCollectiveLogFile(foreignTrace("nccl_json/made_nccl_tests_allreduce_8xA100.json"));
        VERIFY_VALUE(tests);
        QCOMPARE(tests->ranks, 8);
        QCOMPARE(tests->nodes, 1);
        QCOMPARE(tests->samples.size(), std::size_t{31});
        double sum = 0;
        for (const CollectiveSample &sample : tests->samples)
            sum += sample.seconds;
        COMPARE_CLOSE(sum, 130089.39e-6, 1e-9);
        const auto fitted = fitFolder(foreignTrace("nccl_json/made_inspector_v40"));
        VERIFY_VALUE(fitted);
        QCOMPARE(fitted->fits.size(), std::size_t{2});
        const CollectiveLog &log = fitted->fits.front().log;
        QCOMPARE(log.ranks + fitted->fits.back().log.ranks, 6);
        const CollectiveLog &reduce = log.ranks == 4 ? log : fitted->fits.back().log;
        QCOMPARE(reduce.samples.size(), std::size_t{9});
        COMPARE_CLOSE(reduce.samples.front().seconds, 640e-6, 1e-9);
        COMPARE_CLOSE(reduce.samples.back().seconds, 2950e-6, 1e-9);
    }
};

QTEST_GUILESS_MAIN(TestCollectiveJson)
#include "tst_collective_json.moc"

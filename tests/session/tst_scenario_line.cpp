// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a batch: how text is split into lines, and a line parsed into a scenario's options.
#include "engine/base/units.h"
#include "engine/parse/line_reader.h"
#include "engine/session/scenario_line.h"
#include "tests/checks.h"

#include <QtTest>
#include <algorithm>
#include <cstring>

using namespace syncopate;

namespace {

ScenarioLine whole() {
    ScenarioLine line;
    line.options.job = "bert_large";
    line.options.cluster = "B7";
    line.options.strategy = "AllReduce";
    return line;
}

/// The lines of `text`, read in chunks of `piece` bytes: "number:text".
std::vector<std::string> linesOf(const std::string &text, std::size_t piece, std::size_t maximumBytes = 100) {
    std::size_t at = 0;
    LineReader reader(
        [&](char *into, std::size_t size) -> Result<std::size_t> {
            const std::size_t count = std::min({piece, size, text.size() - at});
            std::memcpy(into, text.data() + at, count);
            at += count;
            return count;
        },
        maximumBytes);
    std::vector<std::string> lines;
    for (;;) {
        const auto line = reader.next();
        if (!line || !*line)
            return lines;
        lines.push_back(std::to_string((*line)->number) + ":" + ((*line)->isTooLong ? "too long" : (*line)->text));
    }
}

} // namespace

class TestScenarioLine : public QObject {
    Q_OBJECT

private slots:
    void linesAreFoundInPiecesOfAnySize() {
        const std::string text = "one\n\n  \t\r\nfour\r\n" + std::string(100, 'x') + "\n" + std::string(101, 'y') + "\n" +
                                 std::string(5000, 'z') + "\nlast";
        const std::vector<std::string> want{"1:one",      "4:four",     "5:" + std::string(100, 'x'),
                                            "6:too long", "7:too long", "8:last"};
        for (const std::size_t piece : {1U, 2U, 3U, 7U, 64U, 100000U})
            QCOMPARE(linesOf(text, piece), want);
        QCOMPARE(linesOf("", 9), std::vector<std::string>());
        QCOMPARE(linesOf("\n\n", 9), std::vector<std::string>());
    }

    void everyKeyIsRead() {
        const auto read = readScenarioLine(
            R"({"job": "a", "cluster": "b", "strategy": "PS", "policy": "ddp", "workers": 12,
                "servers": 0, "bandwidth": 12.5, "latency": "50us", "iterations": 7, "fold": false, "batch_size": 8.5, "variables": "v",
                "measured": "m", "curves": "c", "background": "worker0.up:0.3@0-2s", "sharing": "tcp", "costs": ["e0=x.log", "y"],
                "incast": 0.25, "seed": 2147483647})",
            {});
        QVERIFY2(read.has_value(), read ? "" : read.error().error.toString().c_str());
        const ScenarioOptions &o = read->options;
        QCOMPARE(o.job + o.cluster + o.variables + o.measured + o.curves, std::string("abvmc"));
        QCOMPARE(o.strategy + o.policy + o.background, std::string("PSddpworker0.up:0.3@0-2s"));
        QCOMPARE(o.workers, 12);
        QCOMPARE(o.servers, 0);
        QCOMPARE(o.bandwidthGbits, 12.5);
        QCOMPARE(parseSeconds(o.latency).value(), parseSeconds("50us").value());
        QCOMPARE(o.iterations, 7);
        QCOMPARE(o.fold, false);
        QVERIFY(o.linkModel == LinkModel::Tcp);
        QCOMPARE(o.batchSize, 8.5);
        QVERIFY((read->costs.measured == std::vector<std::string>{"e0=x.log", "y"}));
        QCOMPARE(read->costs.incast, std::string("0.25"));
        QCOMPARE(read->seed, 2147483647);
    }

    void numbersMayBeTexts() {
        const auto read = readScenarioLine(
            R"({"workers": "3", "bandwidth": "800 Mbit/s", "latency": 0.25, "iterations": "5", "batch_size": "8.5"})", whole());
        QVERIFY2(read.has_value(), read ? "" : read.error().error.toString().c_str());
        QCOMPARE(read->options.workers, 3);
        COMPARE_CLOSE(read->options.bandwidthGbits, 0.8);
        QCOMPARE(read->options.latency, std::string("0.25s"));
        QCOMPARE(read->options.iterations, 5);
        QCOMPARE(read->options.batchSize, 8.5);
        QCOMPARE(read->options.job, std::string("bert_large")); // the default
    }

    /// Whether a job is a training DAG, which needs no strategy, is not asked for each line: that reads its file.
    void aStrategyMayBeMissing() {
        const auto read = readScenarioLine(R"({"strategy": ""})", whole());
        QVERIFY2(read.has_value(), read ? "" : read.error().error.toString().c_str());
        QVERIFY(read->options.strategy.empty());
        QCOMPARE(missingKey("strategy").place, std::string("strategy"));
    }

    void badLines_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("isJson");
        QTest::addColumn<QByteArray>("place");
        QTest::addColumn<QByteArray>("says");
        const auto bad = [](const char *name, const char *line, bool isJson, const char *place, const char *says) {
            QTest::newRow(name) << QByteArray(line) << isJson << QByteArray(place) << QByteArray(says);
        };
        bad("unknown key", R"({"wrokers": 3})", true, "wrokers", "'wrokers'");
        bad("given twice", R"({"workers": 3, "workers": 4})", true, "workers", "twice");
        bad("text for a flag", R"({"fold": "yes"})", true, "fold", "true or false");
        bad("number for a text", R"({"policy": 3})", true, "policy", "a text");
        bad("list for a number", R"({"workers": [3]})", true, "workers", "a number");
        bad("no such network", R"({"sharing": "udp"})", true, "sharing", "'udp'");
        bad("null", R"({"workers": null})", true, "workers", "a number");
        bad("nothing of a number", R"({"bandwidth": "fast"})", true, "bandwidth", "fast");
        bad("no workers", R"({"workers": 0})", true, "workers", "0");
        bad("no batch", R"({"batch_size": 0})", true, "batch_size", "0");
        bad("no batch as a text", R"({"batch_size": "nan"})", true, "batch_size", "nan");
        bad("half a worker", R"({"workers": 2.5})", true, "workers", "whole");
        bad("a number too large", R"({"workers": 1e300})", true, "workers", "1e+300");
        bad("NaN as a text", R"({"bandwidth": "nan"})", true, "bandwidth", "nan");
        bad("infinity as a text", R"({"latency": "inf"})", true, "latency", "inf");
        bad("time without a unit as a text", R"({"latency": "5"})", true, "latency", "latency 5 has no unit");
        bad("negative time", R"({"latency": -1})", true, "latency", "1 s is out of range");
        bad("too few iterations", R"({"iterations": 2})", true, "iterations", "2");
        bad("negative seed", R"({"seed": -1})", true, "seed", "-1");
        bad("NUL", R"({"job": "bert\u0000large"})", true, "job", "NUL");
        bad("without a job", R"({"job": ""})", true, "job", "missing");
        bad("NaN", R"({"bandwidth": NaN})", false, "byte 14", "not JSON");
        bad("a number beyond double", R"({"bandwidth": 1e999})", false, "byte 14", "not JSON");
        bad("cut off", "{\"job\": \"bert_", false, "byte 14", "not JSON");
        bad("two objects", R"({"job": "a"}{"job": "b"})", false, "byte 12", "not JSON");
        bad("a list", R"([{"job": "a"}])", false, "byte 0", "not an object");
        bad("a text", R"("job")", false, "byte 0", "not an object");
        bad("not UTF-8", "{\"job\": \"\xff\"}", false, "byte 9", "not JSON");
        bad("an escape code", "{\"\x1b[31mjob\": 1}", false, "byte 2", "not JSON");
        bad("deep", "{\"job\": [[[[[[[[[[[[1]]]]]]]]]]]]}", false, "", "not JSON");
    }
    void badLines() {
        QFETCH(QByteArray, line);
        QFETCH(bool, isJson);
        QFETCH(QByteArray, place);
        QFETCH(QByteArray, says);
        const auto read = readScenarioLine(line.toStdString(), whole());
        QVERIFY(!read);
        const Error &error = read.error().error;
        QCOMPARE(read.error().isJson, isJson);
        QVERIFY2(QByteArray::fromStdString(error.what).contains(says), error.toString().c_str());
        QVERIFY2(place.isEmpty() || error.place == place.toStdString(), error.toString().c_str());
        QVERIFY2(!error.remedy.empty(), error.toString().c_str());
    }

    void longKeysAreCut() {
        const auto read = readScenarioLine("{\"" + std::string(100000, 'k') + "\": 1}", whole());
        QVERIFY(!read);
        COMPARE_AT_MOST(read.error().error.what.size(), 300);
        COMPARE_AT_MOST(read.error().error.place.size(), 210);
    }
};

QTEST_GUILESS_MAIN(TestScenarioLine)
#include "tst_scenario_line.moc"

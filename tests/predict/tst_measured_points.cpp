// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of measured throughput: how they are parsed into series, what is refused with which place, and errors of predictions by
// hand.
#include "engine/base/utf8.h"
#include "engine/predict/measured_points.h"
#include "tests/checks.h"

#include <QTemporaryFile>
#include <QtTest>

using namespace syncopate;

namespace {

QString placeOf(const char *text) {
    const auto read = readMeasuredPoints(text, "x.csv");
    return read ? QStringLiteral("read") : QString::fromStdString(read.error().place);
}

} // namespace

class TestMeasuredPoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatPeopleWrite_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("inSteps");
        QTest::newRow("plain") << QByteArray("workers,throughput\n1,10\n2,18.5\n") << false;
        QTest::newRow("steps, spaces, carriage returns")
            << QByteArray("Workers , Steps per second\r\n 1 , 10 \r\n2,18.5\r\n") << true;
        QTest::newRow("semicolons, /s") << QByteArray("num_workers;note;examples/s\n1;a,b;10\n2;;18.5\n") << false;
        QTest::newRow("tabs, quotes") << QByteArray("\"workers\"\t\"images/sec\"\n\"1\"\t\"10\"\n2\t18.5") << false;
        QTest::newRow("mark, comments, blank lines")
            << QByteArray("\xef\xbb\xbf# a run\n\nworkers,samples_per_s\n# more\n2,18.5\n\n1,10\n") << false;
        QTest::newRow("steps before samples")
            << QByteArray("workers,examples_per_second,steps_per_second\n1,5,10\n2,6,18.5\n") << true;
    }
    void readsWhatPeopleWrite() {
        QFETCH(QByteArray, text);
        QFETCH(bool, inSteps);
        const auto read = readMeasuredPoints(std::string_view(text.data(), static_cast<std::size_t>(text.size())));
        QVERIFY2(read, read ? "" : read.error().toString().c_str());
        QCOMPARE(read->size(), std::size_t(1));
        const MeasuredSeries &series = read->front();
        QCOMPARE(series.inSteps, inSteps);
        QCOMPARE(series.points.size(), std::size_t(2));
        QCOMPARE(series.points[0].workers, 1);
        QCOMPARE(series.points[0].perSecond, 10.0);
        QCOMPARE(series.points[1].workers, 2);
        QCOMPARE(series.points[1].perSecond, 18.5);
        QCOMPARE(series.samplesPerSecond(series.points[1], 8), inSteps ? 148.0 : 18.5);
    }

    void rowsOfOtherRunsAreOtherSeries() {
        const auto read = readMeasuredPoints("job,bandwidth_gbits,workers,steps_per_second,late\n"
                                             "a,1,2,20,x\nb,1,1,5,x\na,1,1,11,x\na,0.5,1,9,x\na,1,2,22,x\n");
        QVERIFY(read);
        QCOMPARE(read->size(), std::size_t(3));
        QCOMPARE(read->at(0).name, std::string("a, bandwidth_gbits 1"));
        QCOMPARE(read->at(1).name, std::string("b, bandwidth_gbits 1"));
        QCOMPARE(read->at(2).name, std::string("a, bandwidth_gbits 0.5"));
        QCOMPARE(read->at(0).points.size(), std::size_t(3)); // two starts with two workers stay two points
        QCOMPARE(read->at(0).points[0].perSecond, 11.0);
        QCOMPARE(read->at(0).points[1].perSecond, 20.0);
        QCOMPARE(read->at(0).points[2].perSecond, 22.0);
    }

    void refusesWithTheLine() {
        QCOMPARE(placeOf("workers,speed\n1,2\n"), QStringLiteral("1"));
        QCOMPARE(placeOf("nodes,throughput\n1,2\n"), QStringLiteral("1"));
        QCOMPARE(placeOf("workers,throughput\n1,2\n2\n"), QStringLiteral("3"));
        for (const char *workers : {"0", "-1", "1.5", "nan", "inf", "1e9", "", "two"})
            QCOMPARE(placeOf((std::string("# x\nworkers,throughput\n1,2\n") + workers + ",3\n").c_str()), QStringLiteral("4"));
        for (const char *rate : {"0", "-1", "nan", "inf", "1e300", "", "fast", "0x10"})
            QCOMPARE(placeOf((std::string("workers,throughput\n2,") + rate + "\n").c_str()), QStringLiteral("2"));
        QCOMPARE(placeOf(""), QString());
        QCOMPARE(placeOf("workers,throughput\n"), QString());
        QVERIFY(!readMeasuredPoints(std::string_view("\0\xff\0,\n", 5)));
        QVERIFY(!readMeasuredPoints("workers,throughput" + std::string(5000, ',') + "\n1,2\n"));
        std::string long_ = "workers,throughput\n";
        for (int i = 0; i <= 100'000; ++i)
            long_ += "1,2\n";
        QCOMPARE(placeOf(long_.c_str()), QStringLiteral("100002"));
        QVERIFY(!readMeasuredPointsFile("/no/such/file.csv"));
    }

    void cutsLongTextsBetweenCharacters() {
        std::string text = "workers,throughput\n1,x";
        for (int i = 0; i < 30; ++i)
            text += "\u00e4";
        const auto read = readMeasuredPoints(text + "\n");
        QVERIFY(!read);
        const std::string message = read.error().toString();
        QVERIFY2(isValidUtf8(message) && message.find("\u2026") != std::string::npos, message.c_str());
    }

    void errorsByHand() {
        const MeasuredSeries series{"", true, {{1, 10}, {2, 20}, {4, 10}, {9, 1}}};
        std::vector<Throughput> curve(3);
        curve[0].workers = 1, curve[0].samplesPerSecond = 22; // against 20: +10 %
        curve[1].workers = 2, curve[1].samplesPerSecond = 38; // against 40: -5 %
        curve[2].workers = 4, curve[2].samplesPerSecond = 26; // against 20: +30 %
        const PointErrors errors = pointErrors(series, curve, 2);
        QCOMPARE(errors.points.size(), std::size_t(3));
        COMPARE_WITHIN(errors.points[0].relative(), 0.10, 1e-12);
        COMPARE_WITHIN(errors.points[1].relative(), -0.05, 1e-12);
        COMPARE_WITHIN(errors.median, 0.10, 1e-12);
        COMPARE_WITHIN(errors.worst, 0.30, 1e-12);
        QCOMPARE(errors.worstWorkers, 4);
        QCOMPARE(errors.withoutPrediction, std::size_t(1));
        QCOMPARE(pointErrors({}, curve, 2).worst, 0.0);
    }

    void readsOurOwnRuns() {
        const std::string path = SYNCOPATE_SOURCE "/tests/data/measured/async/runs.csv";
        const auto read = readMeasuredPointsFile(path);
        QVERIFY2(read, read ? "" : read.error().toString().c_str());
        QCOMPARE(read->size(), std::size_t(2));
        QVERIFY(read->at(0).inSteps);
        QCOMPARE(read->at(0).points.size(), std::size_t(3));
        QCOMPARE(read->at(0).points[0].perSecond, 1.5121);
    }
};

QTEST_GUILESS_MAIN(TestMeasuredPoints)
#include "tst_measured_points.moc"

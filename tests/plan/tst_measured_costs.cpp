// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of collectives as costs of motifs: compared with the lines that the logs were made from.
#include "engine/plan/measured_costs.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const std::string logs = SYNCOPATE_SOURCE "/tests/data/calibrate/";

CollectiveLog logOf(CollectiveKind kind, std::int32_t ranks, std::vector<CollectiveSample> samples) {
    CollectiveLog log;
    log.source = "made";
    log.tool = "nccl-tests";
    log.kind = kind;
    log.ranks = ranks;
    log.samples = std::move(samples);
    return log;
}

} // namespace

class TestMeasuredCosts : public QObject {
    Q_OBJECT

private slots:
    /// nccl-tests -J of 4 hosts, made of 120 us + 0.6 ns a byte, is the time of an all-reduce and its pieces of any size on the
    /// link.
    void ncclTestsArePrices() {
        std::vector<std::string> notes;
        const auto costs = readMeasuredCosts({"fast=" + logs + "nccl_tests_4_hosts.json"},
                                             {{unitChannel("fast"), unitChannel("slow")}, 4}, notes);
        VERIFY_VALUE(costs);
        for (const double bytes : {8., 100., 3e5, 1e8}) {
            const About about(std::to_string(bytes) + " bytes");
            COMPARE_CLOSE(costs->seconds({CollectiveKind::AllReduce}, bytes, 4, unitChannel("fast")), 120e-6 + 6e-10 * bytes,
                          1e-4, about); // the log has ten-thousandths of a microsecond
            COMPARE_CLOSE(costs->seconds({CollectiveKind::AllReduce, {1, 2}, {}, {}, {}}, bytes * 2, 4, unitChannel("fast")),
                          120e-6 + 6e-10 * bytes, 1e-4, about);
        }
        COMPARE_CLOSE(costs->seconds({CollectiveKind::AllReduce}, 100, 4, unitChannel("slow")),
                      2 * 3 / 4. * 100 / 1); // a ring at unitChannel()'s 1 byte/s
    }

    /// The only link needs no name; a folder of NCCL Inspector's logs of all processes is one log.
    void oneLinkNeedsNoName() {
        std::vector<std::string> notes;
        const auto costs = readMeasuredCosts({logs + "inspector"}, {{unitChannel("only")}, 4}, notes);
        VERIFY_VALUE(costs);
        QVERIFY(costs->isMeasured(CollectiveKind::AllReduce));
        // The minimum of the four processes' times for the first collective, 1 MiB: the others waited.
        COMPARE_CLOSE(costs->seconds({CollectiveKind::AllReduce}, 1048576, 4, unitChannel("only")), 431.658e-6, 1e-9);
    }

    /// The median of several times of one size counts, and a longer message takes no less.
    void samplesBecomeCurves() {
        std::vector<std::string> notes;
        const auto curves = curvesOfLogs(
            {logOf(CollectiveKind::AllGather, 0, {{10, 3}, {10, 1}, {10, 2}, {20, 1.5}, {40, 7}, {40, 9}})}, "l", 8, notes);
        VERIFY_VALUE(curves);
        QCOMPARE(curves->size(), std::size_t{1});
        QVERIFY((curves->front() == MotifCurve{CollectiveKind::AllGather, "l", {}, {{10, 2}, {20, 2}, {40, 8}}}));
    }

    /// Logs among other numbers of ranks, and sizes of pairs, are left out with the reason; it is an error if nothing is left.
    void whatDoesNotFitIsTold() {
        std::vector<std::string> notes;
        CollectiveLog ofPairs = logOf(CollectiveKind::AllToAll, 4, {{1, 1}, {2, 2}, {3, 3}});
        ofPairs.tool = "OSU";
        const CollectiveLog ofEight = logOf(CollectiveKind::AllReduce, 8, {{1, 1}, {2, 2}, {3, 3}});
        const auto none = curvesOfLogs({ofPairs, ofEight}, "l", 4, notes);
        QVERIFY(!none.has_value());
        QVERIFY2(none.error().what.find("among 8 ranks, the DAG among 4 processes") != std::string::npos,
                 none.error().what.c_str());
        QCOMPARE(notes.size(), std::size_t{2});
        QVERIFY2(notes[0].find("one pair of processes") != std::string::npos, notes[0].c_str());
        const auto twice = curvesOfLogs({ofEight, ofEight}, "l", 8, notes);
        QVERIFY(!twice.has_value());
        QVERIFY2(twice.error().what.find("measured twice") != std::string::npos, twice.error().what.c_str());
    }

    /// The times of a cluster whose channels begin with different links are left out, and the note names the links.
    void clustersNameNoLink() {
        const Cluster cluster = withAllReduces(uniformCluster(4, 10), 1e-3);
        std::vector<std::string> notes;
        const MotifCosts one = costsOfCluster(cluster, {{unitChannel("e0")}, 4}, notes);
        QCOMPARE(one.curves.size(), std::size_t{1});
        QVERIFY2(notes.empty(), notes.empty() ? "" : notes.front().c_str());
        const MotifCosts two = costsOfCluster(cluster, {{unitChannel("e0"), unitChannel("e1")}, 4}, notes);
        QVERIFY(two.curves.empty());
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY2(notes.front().find("its channels begin with e0, e1.") != std::string::npos, notes.front().c_str());
    }

    void badSourcesAreRefused_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("what");
        const QString json = QString::fromStdString(logs) + QStringLiteral("nccl_tests_4_hosts.json");
        QTest::newRow("no link") << json << QStringLiteral("on which link");
        QTest::newRow("other link") << QStringLiteral("e7=") + json << QStringLiteral("\"e7\"");
        QTest::newRow("no file") << QStringLiteral("/nonexistent.log") << QStringLiteral("there is no such file");
        QTest::newRow("table with a link") << QStringLiteral("fast=" SYNCOPATE_SOURCE "/tests/data/measured/plan/collectives.csv")
                                           << QStringLiteral("names its channels");
        QTest::newRow("another table") << QString::fromStdString(logs) + QStringLiteral("message_cost.csv")
                                       << QStringLiteral("case");
    }
    void badSourcesAreRefused() {
        QFETCH(QString, source);
        QFETCH(QString, what);
        std::vector<std::string> notes;
        const auto costs = readMeasuredCosts({source.toStdString()}, {{unitChannel("fast"), unitChannel("slow")}, 4}, notes);
        QVERIFY(!costs.has_value());
        QVERIFY2(QString::fromStdString(costs.error().toString()).contains(what), costs.error().toString().c_str());
    }

    /// A table and a log add up, but not of the same collective and link.
    void tablesAndLogsAddUp() {
        const QTemporaryDir folder;
        QFile table(folder.filePath(QStringLiteral("costs.csv")));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("case,collective,channel,spline,bytes_per_process,all_ranks_seconds_median\n"
                    "alone,all_to_all,fast,0/1,1000,1\nalone,all_reduce,slow,0/1,1000,2\n");
        table.close();
        const std::string csv = table.fileName().toStdString(), json = logs + "nccl_tests_4_hosts.json";
        const CostsPlace place{{unitChannel("fast"), unitChannel("slow")}, 4};
        std::vector<std::string> notes;
        const auto both = readMeasuredCosts({csv, "fast=" + json}, place, notes);
        VERIFY_VALUE(both);
        QCOMPARE(both->curves.size(), std::size_t{3});
        const auto twice = readMeasuredCosts({csv, "slow=" + json}, place, notes);
        QVERIFY(!twice.has_value());
        QVERIFY2(twice.error().what.find("measured twice") != std::string::npos, twice.error().what.c_str());
    }

    /// Two tables may not both have the slowdown of a link, even if they measured different collectives on it.
    void slowdownsAreGivenOnce() {
        const QTemporaryDir folder;
        const auto write = [&](const char *name, const std::string &kind) {
            QFile table(folder.filePath(QString::fromLatin1(name)));
            if (!table.open(QIODevice::WriteOnly))
                return std::string();
            std::string lines = "case,collective,channel,spline,bytes_per_process,all_ranks_seconds_median\n";
            for (const char *channel : {"fast", "slow"})
                lines += "alone," + kind + "," + channel + ",0/1,1000,1\n";
            for (const char *channel : {"fast", "slow"})
                lines += "two channels," + kind + "," + channel + ",0/1,1000,1.5\n";
            table.write(lines.c_str());
            return table.fileName().toStdString();
        };
        const std::string first = write("first.csv", "all_reduce"), second = write("second.csv", "all_to_all");
        const CostsPlace place{{unitChannel("fast"), unitChannel("slow")}, 4};
        std::vector<std::string> notes;
        const auto one = readMeasuredCosts({first}, place, notes);
        VERIFY_VALUE(one);
        QCOMPARE(one->slowdowns.size(), std::size_t{2});
        const auto both = readMeasuredCosts({first, second}, place, notes);
        QVERIFY(!both.has_value());
        QCOMPARE(both.error().what, std::string("the slowdown on \"fast\" was measured twice"));
        QCOMPARE(both.error().file, second);
    }

    /// A table's channels are the first links of the plan's, or the channels' own names; other names are reported; it is an error
    /// if all are others, or if a collective is there twice or takes no time.
    void tablesNameChannels() {
        const QTemporaryDir folder;
        const auto read = [&](const char *lines, std::vector<std::string> &notes) {
            QFile table(folder.filePath(QStringLiteral("costs.csv")));
            if (!table.open(QIODevice::WriteOnly))
                return Result<MotifCosts>(fail("cannot write", "free the disk"));
            table.write("case,collective,channel,spline,bytes_per_process,all_ranks_seconds_median\n");
            table.write(lines);
            table.close();
            Channel first{"first", {"eth0", "pcie"}, 1, 0};
            return readMeasuredCosts({table.fileName().toStdString()}, {{first, unitChannel("slow")}, 4}, notes);
        };
        std::vector<std::string> notes;
        const auto some = read("alone,all_to_all,first,0/1,1000,1\nalone,all_reduce,eth0,0/1,1000,2\n"
                               "alone,all_reduce,typo,0/1,1000,2\n",
                               notes);
        VERIFY_VALUE(some);
        QCOMPARE(some->curves.size(), std::size_t{2});
        for (const MotifCurve &curve : some->curves)
            QCOMPARE(curve.link, std::string("eth0"));
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY2(notes.front().find("typo") != std::string::npos, notes.front().c_str());
        for (const auto &[lines, what] : {std::pair("alone,all_reduce,typo,0/1,1000,2\n", "with which no channel begins"),
                                          {"alone,all_reduce,slow,0/1,1000,2\nalone,all_reduce,slow,0/1,1000,3\n", "twice"},
                                          {"alone,all_reduce,slow,0/1,1000,0\n", "all_ranks_seconds_median"}}) {
            const auto refused = read(lines, notes);
            QVERIFY2(!refused, lines);
            QVERIFY2(refused.error().toString().find(what) != std::string::npos, refused.error().toString().c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestMeasuredCosts)
#include "tst_measured_costs.moc"

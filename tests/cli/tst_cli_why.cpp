// SPDX-License-Identifier: GPL-3.0-or-later
// `why --scaling`, and `why` on recorded ranks, on the built program: the numbers match `simulate` and the
// recording.
#include "tests/cli/cli.h"
#include "tests/profile/rank_traces.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

using namespace syncopate::testing;

namespace {

const QStringList scenario{"--job", "alexnet", "--cluster", "A2", "--strategy", "AllReduce", "--policy", "ddp"};

} // namespace

class TestCliWhy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scalingIsSimulations() {
        const ProcessResult answer = cli(QStringList{"why", "--json", "--scaling", "1-16"} + scenario);
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject scaling = answer.json()["scaling"].toObject();
        const QJsonArray points = scaling["points"].toArray();
        COMPARE_AT_LEAST(points.size(), 8);
        double one = 0, best = 0;
        int knee = 0;
        for (const QJsonValue &value : points) {
            const QJsonObject point = value.toObject();
            const int workers = point["workers"].toInt();
            const ProcessResult simulated =
                cli(QStringList{"simulate", "--json", "--workers", QString::number(workers)} + scenario);
            QCOMPARE(point["iteration_seconds"].toDouble(), simulated.json()["iteration_seconds"].toDouble());
            const double throughput = simulated.json()["samples_per_second"].toDouble();
            QCOMPARE(point["samples_per_second"].toDouble(), throughput);
            if (workers == 1)
                one = throughput;
            COMPARE_CLOSE(point["efficiency"].toDouble(), throughput / workers / one);
            if (knee == 0 || throughput - one * workers / 2 > best + 1e-9 * std::abs(best)) {
                knee = workers;
                best = throughput - one * workers / 2;
            }
            double shares = 0;
            for (const QJsonValue &share : point["shares"].toObject())
                shares += share.toDouble();
            COMPARE_CLOSE(shares, 1);
        }
        QCOMPARE(scaling["knee"].toObject()["workers"].toInt(), knee);
        COMPARE_AT_LEAST(scaling["low"].toObject()["workers"].toInt(), 1);
        COMPARE_AT_MOST(scaling["low"].toObject()["workers"].toInt(), knee);
        COMPARE_AT_LEAST(scaling["high"].toObject()["workers"].toInt(), knee);
        QCOMPARE(static_cast<int>(scaling["conditions"].toArray().size()), 3);
        int next = 1; // regions cover the points
        for (const QJsonValue &region : scaling["regions"].toArray()) {
            QCOMPARE(region.toObject()["from"].toInt(), next);
            next = region.toObject()["to"].toInt() + 1;
        }
        QCOMPARE(next, 17);
        QVERIFY(!scaling["worth_benchmarking"].toArray().isEmpty());
        QVERIFY(!scaling["assumptions"].toArray().isEmpty());
        const ProcessResult text = cli(QStringList{"why", "--scaling", "1-16"} + scenario);
        QVERIFY2(text.out.contains("knee: " + QByteArray::number(knee)), text.out.constData());
        QVERIFY(text.out.contains("worth benchmarking") && text.out.contains("regions"));
        // A higher worthwhile share ends scaling earlier.
        const ProcessResult dear = cli(QStringList{"why", "--json", "--scaling", "1-16", "--knee", "95"} + scenario);
        const int nearer = dear.json()["scaling"].toObject()["knee"].toObject()["workers"].toInt();
        COMPARE_AT_LEAST(nearer, 1, dear.err);
        COMPARE_AT_MOST(nearer, knee);
    }

    void badRangesAreRefused() {
        for (const QStringList &bad : {QStringList{"--scaling", "8"},
                                       {"--scaling", "8-4"},
                                       {"--scaling", "1-8", "--knee", "0"},
                                       {"--scaling", "1-8", "--knee", "100"},
                                       {"--scaling", "1-8", "--knee", "nan"},
                                       {"--knee", "60"},
                                       {"--scaling", "1-8", "--all"},
                                       {"--scaling", "1-8", "--simulations", "3"},
                                       {"--scaling", "1-8", "--threads", "2"},
                                       {"--scaling", "1-8", "--project", "p.syncopate"}}) {
            const ProcessResult answer = cli(QStringList{"why", "--json"} + scenario + bad);
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.out.isEmpty() && answer.isOneError(), answer.err.constData());
        }
    }

    /// Rank 1 takes 40 us longer; the closed form is in tests/analyze/tst_stragglers.cpp.
    void ranksAreComparedWhereThereAreSome() {
        QTemporaryDir folder;
        for (int rank = 0; rank < 2; ++rank)
            ranks::write(folder.filePath(QString("trace_%1.json").arg(rank)), ranks::straggler(rank, rank == 1 ? 40 : 0, 40));
        const QStringList question{"--job", folder.path(), "--cluster", "A2", "--strategy", "AllReduce"};
        const ProcessResult answer = cli(QStringList{"why", "--json"} + question);
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject found = answer.json()["stragglers"].toObject();
        QCOMPARE(found["slowest"].toInt(), 1);
        COMPARE_CLOSE(found["step_seconds"].toDouble(), 430e-6);
        COMPARE_CLOSE(found["slowest_as_median_seconds"].toDouble(), (400 * 375.0 / 415 + 30) * 1e-6);
        const QJsonArray all = found["ranks"].toArray();
        QCOMPARE(static_cast<int>(all.size()), 2);
        COMPARE_CLOSE(all[1].toObject()["behind_seconds"].toDouble(), 40e-6);
        const ProcessResult text = cli(QStringList{"why"} + question);
        QVERIFY2(text.out.contains("had rank 1 been as the median"), text.out.constData());
        // A single rank has nothing to be compared with.
        const ProcessResult alone =
            cli({"why", "--json", "--job", folder.filePath("trace_0.json"), "--cluster", "A2", "--strategy", "AllReduce"});
        QVERIFY2(alone.exitCode == 0, alone.err.constData());
        QVERIFY(!alone.json().contains("stragglers"));
    }
};

QTEST_MAIN(TestCliWhy)
#include "tst_cli_why.moc"

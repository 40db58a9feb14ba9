// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/collective/curve_fit.h"
#include "engine/collective/log_parts.h"
#include "engine/space/recipe.h"
#include "engine/strategy/lint.h"
#include "tests/checks.h"
#include "tests/foreign_traces.h"
#include "tests/scenarios.h"

#include <QDir>
#include <QFileInfo>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

QString logs(const QString &name = {}) { return QString::fromStdString(foreignTrace("comm_bench/")) + name; }

} // namespace

class TestCollectiveCurves : public QObject {
    Q_OBJECT

private slots:
    /// Where logs are expected, every error advises the same kinds of them.
    void errorsAdviseTheSameLogs() {
        for (const std::string_view text : {std::string_view("hello"), std::string_view("a\0b", 3)}) {
            const auto log = readCollectiveLogText(text, "x.log");
            QVERIFY(!log);
            QCOMPARE(log.error().remedy, std::string("give ") + readCollectiveLogKinds);
        }
    }

    /// Names as programs, titles and folders write them; a name inside another word is not meant.
    void collectivesByName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("kind"); // -1: none
        const auto row = [](const char *name, int kind) { QTest::newRow(name) << QString(name) << kind; };
        for (const char *name :
             {"all_reduce_perf", "ncclAllReduce", "NCCLAllReduce", "ALLREDUCE", "osu_iallreduce", "all-reduce 8"})
            row(name, static_cast<int>(CollectiveKind::AllReduce));
        row("reduce_scatter_perf", static_cast<int>(CollectiveKind::ReduceScatter));
        row("all_gather", static_cast<int>(CollectiveKind::AllGather));
        row("alltoallv", static_cast<int>(CollectiveKind::AllToAll));
        row("OSU MPI Bcast", static_cast<int>(CollectiveKind::Broadcast));
        for (const char *name : {"MPI_Reduce", "reduce_perf", "small-reduce"})
            row(name, static_cast<int>(CollectiveKind::Reduce));
        for (const char *name : {"solar-gpus", "reduced", "overall-gather", "mapreduce", "results", ""})
            row(name, -1);
    }
    void collectivesByName() {
        QFETCH(QString, name);
        QFETCH(int, kind);
        const auto named = collectiveNamed(name.toStdString());
        QCOMPARE(named ? static_cast<int>(*named) : -1, kind);
    }

    /// The file's own name comes before those of its folders; "AR_GPU8" of vTrain's tables begins it.
    void collectivesByPath() {
        const auto kindOf = [](const char *path) {
            const auto named = collectiveOfPath(path);
            return named ? static_cast<int>(*named) : -1;
        };
        QCOMPARE(kindOf("AR_GPU8_1M.csv"), static_cast<int>(CollectiveKind::AllReduce));
        QCOMPARE(kindOf("tables/AR_GPU8_1M.csv"), static_cast<int>(CollectiveKind::AllReduce));
        QCOMPARE(kindOf("a/all_gather/job.log"), static_cast<int>(CollectiveKind::AllGather));
        for (const char *path : {"solar-gpus/x.log", "ar_gpu8/x.log", "reduced/x.log", "job.log", ""})
            QVERIFY2(kindOf(path) == -1, path);
    }

    /// The error counts measurements, of which several may have one size.
    void tooFewMeasurements() {
        const auto log =
            readCollectiveLogText("#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
                                  "1024 256 float sum -1 20.0 0.05 0.05 0\n1024 256 float sum -1 20.0 0.05 0.05 0\n",
                                  "all_reduce.log");
        QVERIFY(!log);
        QVERIFY2(log.error().what == "only 2 measurements are in it", log.error().what.c_str());
    }

    /// The dialects, a few lines each: nccl-tests with and without the table of ranks, empty columns, OSU, vTrain.
    void readsEveryDialect_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("ranks");
        const int reduce = static_cast<int>(CollectiveKind::AllReduce), exchange = static_cast<int>(CollectiveKind::AllToAll);
        const QString ranks = "#  Rank  0 Pid 7 on one device  0 [0x00] GPU\n#  Rank  1 Pid 7 on one device  1 [0x01] GPU\n";
        const QString title =
            "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   "
            "busbw #wrong\n";
        const QString rows = "1024 256 float sum -1 20.0 0.05 0.05 0 19.0 0.05 0.05 0\n"
                             "1048576 262144 float sum -1 40.0 26.21 %1 0 41.0 25.58 25.58 0\n"
                             "2097152 524288 float sum -1 80.0 26.21 %1 0 81.0 25.89 25.89 0\n";
        QTest::newRow("nccl-tests") << "all_reduce.log" << ranks + title + rows.arg("26.21") << reduce << 2;
        QString prefixed; // four ranks, from busbw / algbw = 2 * 3 / 4
        for (const QString &line : (title + rows.arg("39.32")).split('\n', Qt::SkipEmptyParts))
            prefixed += "[1,0]<stdout>:" + line + "\n";
        QTest::newRow("under mpirun, ranks by busbw") << "allreduce_mpirun.log" << prefixed << reduce << 4;
        QString empty = rows.arg("13.1");
        QTest::newRow("empty columns") << "alltoall.log" << ranks + title + empty.replace("float sum -1", "float") << exchange
                                       << 2;
        QTest::newRow("OSU") << "latency.txt"
                             << "# OSU MPI All-to-All Personalized Exchange Latency Test v5.7\n# Size       Avg Latency(us)\n"
                                "1024 20.0\n1048576 40.0\n2097152 80.0\n"
                             << exchange << 0;
        QTest::newRow("vTrain") << "AR_GPU2_1M_2M_LUT.csv"
                                << "size(B),count,type,time(ns),algbw,busbw,error\n1024,256,float,20000,0,0,0\n"
                                   "1048576,262144,float,40000,0,0,0\n2097152,524288,float,80000,0,0,0\n"
                                << reduce << 2;
        QTest::newRow("vTrain, a folder with a number")
            << "GPU4/A100GPU8/AR_GPU2_1M_A100GPU.csv"
            << "size(B),count,type,time(ns),algbw,busbw,error\n1024,256,float,20000,0,0,0\n"
               "1048576,262144,float,40000,0,0,0\n2097152,524288,float,80000,0,0,0\n"
            << reduce << 2;
    }

    /// Without a list of ranks, bandwidths tell the ranks where their two decimals leave one number. 64 ranks: busbw is 63/32 of
    /// algbw. 11.37 and 22.38 alone fit 61 to 65 ranks; 48.36 and 95.21 leave 64. No number fits runs of 4 and of 8 ranks.
    void ranksThatBandwidthsTell() {
        const auto ranksOf = [](const std::vector<std::string> &bandwidths) {
            std::string text = "#       size         count      type   redop    root     time   algbw   busbw #wrong\n";
            for (std::size_t row = 0; row < 3; ++row)
                text += fmt::format("{} 256 float sum -1 20.0 {} 0\n", 1024 << row, bandwidths[row % bandwidths.size()]);
            const auto log = readCollectiveLogText(text, "all_reduce.log");
            return log ? log->ranks : -1;
        };
        QCOMPARE(ranksOf({"11.37 22.38"}), 0);
        QCOMPARE(ranksOf({"48.36 95.21", "11.37 22.38"}), 64);
        QCOMPARE(ranksOf({"26.21 26.21"}), 2);
        QCOMPARE(ranksOf({"26.21 39.32", "26.21 45.87"}), 0);
        QCOMPARE(ranksOf({"10.01 20.02"}), 0);                       // beyond counting
        QCOMPARE(ranksOf({"1125899906842624 2251799813160960"}), 0); // 2^32 ranks
    }

    /// A log to which several runs were appended: their ranks are the same ones, not more, and of one number.
    void appendedRunsShareTheirRanks() {
        const auto listOf = [](int ranks) {
            std::string text;
            for (int r = 0; r < ranks; ++r)
                text += fmt::format("#  Rank  {0} Group  0 Pid {0} on one device  {0} [0x00] GPU\n", r);
            return text;
        };
        const std::string table = "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
                                  "1024 256 float sum -1 20.0 0.05 0.05 0\n1048576 262144 float sum -1 40.0 26.21 39.32 0\n"
                                  "2097152 524288 float sum -1 80.0 26.21 39.32 0\n";
        const auto twice = readCollectiveLogText(listOf(4) + table + listOf(4) + table, "all_reduce.log");
        VERIFY_VALUE(twice);
        QCOMPARE(twice->ranks, 4);
        QCOMPARE(twice->samples.size(), std::size_t{6});
        const auto mixed = readCollectiveLogText(listOf(8) + table + listOf(4) + table + listOf(8) + table, "all_reduce.log");
        QVERIFY(!mixed.has_value());
        QCOMPARE(mixed.error().what, std::string("it has runs of 4 and of 8 ranks"));
    }

    void readsEveryDialect() {
        QFETCH(QString, file);
        QFETCH(QString, text);
        QFETCH(int, kind);
        QFETCH(int, ranks);
        const auto log = readCollectiveLogText(text.toStdString(), file.toStdString());
        VERIFY_VALUE(log);
        QCOMPARE(static_cast<int>(log->kind), kind);
        QCOMPARE(log->ranks, ranks);
        QCOMPARE(log->samples.size(), std::size_t{3});
        QCOMPARE(log->samples[1].sizeBytes, 1048576.0);
        COMPARE_CLOSE(log->samples[0].seconds, 20e-6);
        COMPARE_CLOSE(log->samples[2].seconds, 80e-6);
    }

    /// Compared with counts made independently for each file; -1 where nothing was counted.
    void readsRealLogs_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("samples");
        QTest::addColumn<double>("lastBytes");
        QTest::addColumn<double>("lastSeconds");
        const int reduce = static_cast<int>(CollectiveKind::AllReduce), broadcast = static_cast<int>(CollectiveKind::Broadcast);
        QTest::newRow("nccl all-reduce") << "superbench/nccl_allreduce.log" << reduce << 8 << -1 << 8589934592.0 << -1.0;
        QTest::newRow("nccl all-to-all, empty columns")
            << "superbench/nccl_alltoall.log" << static_cast<int>(CollectiveKind::AllToAll) << 8 << -1 << 8589934592.0
            << 33508e-6;
        QTest::newRow("nccl all-gather") << "superbench/nccl_allgather.log" << static_cast<int>(CollectiveKind::AllGather) << 8
                                         << -1 << 8589934592.0 << -1.0;
        QTest::newRow("two nodes") << "abci2/allreduce/inter_anode/job02.sh.7194279.nccl" << reduce << 16 << 24 << 33554432.0
                                   << 1887.3e-6;
        QTest::newRow("sixteen nodes") << "abci2/allreduce/inter_anode/job16.sh.7194312.nccl" << reduce << 128 << 24 << 33554432.0
                                       << -1.0;
        QTest::newRow("mpirun's prefix; ranks by busbw")
            << "aws/p5_h100_allreduce_mpirun_prefix.log" << reduce << 8 << -1 << 17179869184.0 << 62239e-6;
        QTest::newRow("OSU") << "abci2/bcast/inter_anode/job02.sh.7194646.mpi-cpu" << broadcast << 0 << 26 << 33554432.0
                             << 7622.81e-6;
        QTest::newRow("vTrain") << "vtrain/a100/AR_GPU2_1M_1024M_LUT.csv" << reduce << 2 << 1024 << 1073741824.0 << -1.0;
    }

    void readsRealLogs() {
        QFETCH(QString, file);
        QFETCH(int, kind);
        QFETCH(int, ranks);
        QFETCH(int, samples);
        QFETCH(double, lastBytes);
        QFETCH(double, lastSeconds);
        REQUIRE_FOREIGN_TRACE("comm_bench");
        const QString path = logs(file);
        const auto log = readCollectiveLogFile(path.toStdString());
        VERIFY_VALUE(log);
        QCOMPARE(static_cast<int>(log->kind), kind);
        QCOMPARE(log->ranks, ranks);
        if (samples > 0)
            QCOMPARE(static_cast<int>(log->samples.size()), samples);
        QCOMPARE(log->samples.back().sizeBytes, lastBytes);
        if (lastSeconds > 0)
            COMPARE_CLOSE(log->samples.back().seconds, lastSeconds, 1e-12);
    }

    /// Residuals on every log; the piecewise curve is never worse than the line.
    void fitsRealLogs() {
        REQUIRE_FOREIGN_TRACE("comm_bench");
        const QString folder = logs();
        const auto fitted = fitFolder(folder.toStdString());
        VERIFY_VALUE(fitted);
        COMPARE_AT_LEAST(fitted->fits.size(), 40);
        QCOMPARE(fitted->notFitted.size(), std::size_t{5}); // Galvatron: bandwidths without sizes
        std::vector<double> medians;
        for (const CurveFit &fit : fitted->fits) {
            COMPARE_AT_MOST(fit.curveResiduals.median, fit.lineResiduals.median + 0.02, fit.log.source);
            // OSU over MPI-CUDA switches between protocols: three lines for 26 sizes have a median error of 10 %.
            COMPARE_BELOW(fit.curveResiduals.median, (fit.log.tool == "OSU" ? 0.11 : 0.06), fit.log.source);
            medians.push_back(fit.curveResiduals.median);
            for (const CurveSegment &segment : fit.curve.segments) {
                COMPARE_AT_LEAST(segment.alphaSeconds, 0);
                COMPARE_AT_LEAST(segment.secondsPerByte, 0);
            }
        }
        std::sort(medians.begin(), medians.end());
        COMPARE_BELOW(medians[medians.size() / 2], 0.04);
    }

    /// A known curve is recovered from its points, despite noise.
    void recoversKnownCurve() {
        CollectiveLog log;
        for (int i = 2; i < 34; ++i) {
            const double bytes = std::pow(2, i);
            const double noise = 1 + 0.01 * ((i * 7) % 5 - 2) / 2;
            log.samples.push_back({bytes, (bytes < 1e6 ? 20e-6 + bytes / 1e9 : 300e-6 + bytes / 20e9) * noise});
        }
        const CurveFit fit = fitCurve(log);
        QCOMPARE(fit.curve.segments.size(), std::size_t{2});
        COMPARE_CLOSE(fit.curve.segments[0].alphaSeconds, 20e-6, 0.02);
        COMPARE_CLOSE(fit.curve.segments[0].secondsPerByte * 1e9, 1, 0.02);
        COMPARE_CLOSE(fit.curve.segments[1].alphaSeconds, 300e-6, 0.02);
        COMPARE_CLOSE(fit.curve.segments[1].secondsPerByte * 20e9, 1, 0.02);
        COMPARE_BELOW(fit.curveResiduals.worst, 0.02);
        COMPARE_ABOVE(fit.lineResiduals.worst, 0.2);
    }

    void curveIsTheAnalyticForm() {
        const Job job = chainJob({{1e-3, 1e-3, 1'000'000}, {1e-3, 1e-3, 1000}});
        Scenario s = scenario(job, plainCluster(4, 1e9), allReduceEach(job));
        CollectiveCurve curve{CollectiveKind::AllReduce, 4, {{0, 5e-3, 0}, {1e6, 0, 1e-8}}};
        s.collectiveCurves = std::make_shared<const std::vector<CollectiveCurve>>(1, curve);
        // 4 kB: 5 ms, 4 MB: 40 ms, one after the other; the first starts after 3 ms of compute.
        COMPARE_WITHIN((*simulate(s))->iterationSeconds, 0.048, 1e-9);
        curve.ranks = 8; // another number of replicas: the closed form is used
        s.collectiveCurves = std::make_shared<const std::vector<CollectiveCurve>>(1, curve);
        COMPARE_WITHIN((*simulate(s))->iterationSeconds, 4e-3 + 1.5 * 4e-3, 1e-5);
    }

    /// A cluster file's points: exact where measured, linear between, with a note beyond their range, and for one number of
    /// ranks.
    void clusterHasMeasuredTimes() {
        const Job job = chainJob({{1e-3, 1e-3, 250'000}}); // 1 MB
        Cluster cluster = plainCluster(4, 1e9);
        cluster.collectives = {{CollectiveKind::AllReduce, 4, {{1e5, 2e-3}, {1e6, 5e-3}, {2e6, 6e-3}}}};
        const auto runWith = [&](std::int64_t elements) {
            const Job sized = chainJob({{1e-3, 1e-3, elements}});
            return *simulate(scenario(sized, cluster, allReduceEach(sized)));
        };
        const auto seconds = [&](std::int64_t elements) { return runWith(elements)->iterationSeconds - 2e-3; };
        COMPARE_CLOSE(seconds(250'000), 5e-3);
        COMPARE_CLOSE(seconds(25'000), 2e-3);
        COMPARE_CLOSE(seconds(137'500), 3.5e-3); // half-way
        COMPARE_CLOSE(seconds(2'500), 2e-3);     // below: as the smallest
        COMPARE_CLOSE(seconds(1'000'000), 8e-3); // beyond: the last slope, 1 ms a MB
        const auto says = [](const Run &run, const char *text) {
            const auto &notes = run.graph.assumptions;
            return std::any_of(notes.begin(), notes.end(),
                               [&](const std::string &note) { return note.find(text) != std::string::npos; });
        };
        QVERIFY(says(*runWith(250'000), "all_reduce takes the time measured with 4 ranks"));
        QVERIFY(!says(*runWith(250'000), "go beyond") && !says(*runWith(250'000), "below the"));
        QVERIFY(says(*runWith(1'000'000), "go beyond"));
        QVERIFY(says(*runWith(2'500), "below the"));
        // The efficiency is in the measured time; a curve that is given takes precedence.
        cluster.collectiveEfficiency = 0.5;
        COMPARE_CLOSE(seconds(250'000), 5e-3);
        Scenario s = scenario(job, cluster, allReduceEach(job));
        s.collectiveCurves = std::make_shared<const std::vector<CollectiveCurve>>(
            1, CollectiveCurve{CollectiveKind::AllReduce, 4, {{0, 7e-3, 0}}});
        COMPARE_CLOSE((*simulate(s))->iterationSeconds, 9e-3);
        s.collectiveCurves = nullptr;
        QVERIFY(lintChannels(cluster, s.policy).empty());
        // The measured time includes the launch of a collective.
        cluster.host.collectiveSeconds = 1e-3;
        COMPARE_CLOSE(seconds(250'000), 5e-3);
        cluster.host.collectiveSeconds = 0;
        // As flows, and for other numbers of ranks, they are not used, which lint and assumptions say.
        cluster.collectiveEfficiency = 1;
        s = scenario(job, cluster, allReduceEach(job));
        s.policy.form = CollectiveForm::Flows;
        COMPARE_CLOSE((*simulate(s))->iterationSeconds, 2e-3 + 1.5e-3);
        QCOMPARE(lintChannels(cluster, s.policy).size(), std::size_t{1});
        cluster.collectives.front().ranks = 8;
        COMPARE_CLOSE(seconds(250'000), 1.5e-3);
        QVERIFY(says(*runWith(250'000), "all_reduce with 8 ranks"));
        QCOMPARE(lintChannels(cluster, CommPolicy()).size(), std::size_t{1});
        // Knobs that change the links disable them.
        cluster.collectives.front().ranks = 4;
        ClusterKnobs knobs;
        knobs.bandwidthGbits = 4;
        QVERIFY(withKnobs(cluster, knobs).collectives.empty());
        knobs = {};
        knobs.workers = 2;
        QVERIFY(withKnobs(cluster, knobs).collectives == cluster.collectives);
    }

    void damagedLogsAreRefused() {
        const QDir folder(QStringLiteral(SYNCOPATE_SOURCE "/tests/damaged/cost"));
        COMPARE_AT_LEAST(folder.entryList(QDir::Files).size(), 6);
        for (const QString &name : folder.entryList(QDir::Files)) {
            const auto log = readCollectiveLogFile(folder.filePath(name).toStdString());
            QVERIFY2(!log.has_value(), qPrintable(name));
            QVERIFY2(!log.error().what.empty() && !log.error().remedy.empty() &&
                         log.error().toString().find(name.toStdString()) != std::string::npos,
                     log.error().toString().c_str());
        }
        QVERIFY(!fitFolder("/nowhere/at/all").has_value());
    }
};

QTEST_GUILESS_MAIN(TestCollectiveCurves)
#include "tst_collective_curves.moc"

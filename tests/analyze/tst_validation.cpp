// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/effect_table.h"
#include "engine/analyze/message_costs.h"
#include "engine/analyze/validation.h"
#include "tests/checks.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

using namespace syncopate;

class TestValidation : public QObject {
    Q_OBJECT

private slots:
    /// If a log has a setting a thousand times, each row gets a prediction, but it is computed once.
    void repeatedRunsArePredictedOnce() {
        const QString from = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/ps/");
        const auto once = validateFolder(from.toStdString());
        QVERIFY(once);
        QTemporaryDir dir;
        QVERIFY(QDir(dir.path()).mkdir("jobs"));
        for (const QString &job : QDir(from + "jobs").entryList(QDir::Files))
            QVERIFY(QFile::copy(from + "jobs/" + job, dir.filePath("jobs/" + job)));
        QVERIFY(QFile::copy(from + "platform.json", dir.filePath("platform.json")));
        QFile runs(from + "runs.csv"), thrice(dir.filePath("runs.csv"));
        QVERIFY(runs.open(QIODevice::ReadOnly) && thrice.open(QIODevice::WriteOnly));
        const QByteArray header = runs.readLine(), rows = runs.readAll();
        thrice.write(header + rows + rows + rows);
        thrice.close();
        std::size_t made = 0;
        const auto count = [&](const WorkTexts &, std::size_t parts, const MakePart &make) -> Result<std::vector<std::string>> {
            std::vector<std::string> texts;
            for (; made < parts; ++made)
                texts.push_back(make(made, {}));
            return texts;
        };
        const auto validation = validateFolder(dir.path().toStdString(), effectsOfRuns, count);
        QVERIFY(validation);
        QCOMPARE(made, once->rows.size());
        QCOMPARE(validation->rows.size(), 3 * once->rows.size());
        for (std::size_t r = 0; r < validation->rows.size(); ++r)
            QCOMPARE(validation->rows[r].predictedSeconds, once->rows[r % once->rows.size()].predictedSeconds);
    }

    /// Real training steps. The bounds are looser than the errors that docs/validation.md reports.
    void measured_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<double>("median");
        QTest::addColumn<double>("worst");
        QTest::newRow("ps") << "ps" << 0.02 << 0.10;
        QTest::newRow("ddp") << "ddp" << 0.05 << 0.15;
    }

    void measured() {
        QFETCH(QString, folder);
        QFETCH(double, median);
        QFETCH(double, worst);
        const QString path = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/") + folder;
        const auto validation = validateFolder(path.toStdString());
        VERIFY_VALUE(validation);
        COMPARE_AT_LEAST(validation->rows.size(), 16);
        COMPARE_AT_MOST(validation->medianError, median);
        COMPARE_AT_MOST(validation->maxError, worst);
    }

    /// A run with a closed form: two workers, one server, one layer, no overlap possible.
    void closedForm() {
        QTemporaryDir dir;
        write(dir, "platform.json", R"({"link_efficiency": 1.0, "message_seconds": 0})");
        write(dir, "runs.csv", "job,architecture,workers,bandwidth_gbits,iteration_seconds_median\none,ps,2,8,0.9\n");
        QDir(dir.path()).mkdir("jobs");
        write(dir, "jobs/one.job.json", R"({"name": "one", "batch_size": 1, "layers": [{"name": "a", "forward_seconds": 0.1,
            "backward_seconds": 0.3, "variables": [{"name": "a/k", "shape": [12500000], "dtype": "float32", "sparse": false}]}]})");
        const auto validation = validateFolder(dir.path().toStdString());
        VERIFY_VALUE(validation);
        // 0.4 s of compute; 2 x 50 MB in and 2 x 50 MB out of the server at 1 GB/s
        COMPARE_WITHIN(validation->rows.front().predictedSeconds, 0.6, 1e-9);
        COMPARE_WITHIN(validation->maxError, 0.3 / 0.9, 1e-9);
    }

    /// Errors name file and line, also for an unknown architecture.
    void errorsNameTheLine() {
        QTemporaryDir dir;
        write(dir, "platform.json", R"({"link_efficiency": 1.0, "message_seconds": 0})");
        write(dir, "runs.csv",
              "job,architecture,workers,bandwidth_gbits,iteration_seconds_median\none,ps,2,8,0.9\n\n"
              "one,mesh,2,8,0.9\n");
        const auto validation = validateFolder(dir.path().toStdString());
        QVERIFY(!validation);
        QVERIFY2(validation.error().toString().starts_with(dir.filePath("runs.csv").toStdString() + ":4: architecture 'mesh'"),
                 validation.error().toString().c_str());
    }

    /// A job without variables has no gradients whose handling its run with one worker could show.
    void jobsMayHaveNoVariables() {
        QTemporaryDir dir;
        write(dir, "platform.json", R"({"link_efficiency": 1.0, "message_seconds": 0})");
        write(dir, "runs.csv",
              "job,architecture,workers,bandwidth_gbits,iteration_seconds_median\none,ddp,1,8,0.5\none,ddp,2,8,0.5\n");
        QDir(dir.path()).mkdir("jobs");
        write(dir, "jobs/one.job.json",
              R"({"name": "one", "layers": [{"name": "a", "forward_seconds": 0.1, "backward_seconds": 0.3}]})");
        const auto validation = validateFolder(dir.path().toStdString());
        VERIFY_VALUE(validation);
        for (const ValidationRow &row : validation->rows)
            COMPARE_CLOSE(row.predictedSeconds, 0.4);
    }

    /// Asynchronous workers over links that TCP shares unevenly.
    void asynchronous() {
        const std::string folder = SYNCOPATE_SOURCE "/tests/data/measured/async";
        const auto validation = validateFolder(folder);
        VERIFY_VALUE(validation);
        QCOMPARE(validation->rows.size(), std::size_t{6});
        QCOMPARE(validation->rows.front().measuredSeconds, 1 / 1.5121);
        for (const ValidationRow &row : validation->rows)
            COMPARE_CLOSE(row.measuredSeconds, row.predictedSeconds, 0.1, row.job); // of throughput
    }

    /// ByteScheduler's partitions and credits, from message costs alone (table in docs/validation.md).
    void scheduled() {
        const auto validation = validateFolder(SYNCOPATE_SOURCE "/tests/data/measured/sched");
        VERIFY_VALUE(validation);
        QCOMPARE(validation->rows.size(), std::size_t{64});
        std::vector<double> servers, collectives;
        for (const ValidationRow &row : validation->rows)
            (row.architecture == "bsps" ? servers : collectives).push_back(std::abs(row.error()));
        std::sort(servers.begin(), servers.end());
        std::sort(collectives.begin(), collectives.end());
        COMPARE_AT_MOST(servers[servers.size() / 2], 0.025);
        COMPARE_AT_MOST(servers.back(), 0.17);
        COMPARE_AT_MOST(collectives[collectives.size() / 2], 0.05);
        COMPARE_AT_MOST(collectives.back(), 0.12);
        // The folder's README: links of 2 Gbit/s are shaped with bursts of 64 KB, the one of 0.5 Gbit/s with 32 KB.
        const auto isOnBursts = [](const std::string &note) {
            return note.find("let 64 KiB (below 2 Gbit/s 32 KiB) pass at once") != std::string::npos;
        };
        QVERIFY(std::ranges::any_of(validation->notes, isOnBursts));
        QCOMPARE(validation->grids.size(), std::size_t{6});
        for (const ValidationGrid &grid : validation->grids)
            if (grid.first.architecture == "bsps") {
                COMPARE_AT_MOST(grid.loss(), 0.03, grid.first.job);
                COMPARE_AT_LEAST(grid.spearman, 0.9, grid.first.job);
            }
    }

    /// One table may have rows of several kinds: the notes say how each of them was predicted. A column whose name only begins
    /// like that of rates is none.
    void notesAreOfAllKindsOfRows() {
        QTemporaryDir dir;
        write(dir, "platform.json", R"({"link_efficiency": 1.0})");
        write(dir, "message_cost.csv",
              "architecture,workers,bandwidth_gbits,mode,answer,message_bytes,seconds_per_message\n"
              "bsps,1,8,back_to_back,whole,100,1e-5\nbsps,1,8,one_at_a_time,whole,100,1e-4\n");
        QDir(dir.path()).mkdir("jobs");
        write(dir, "jobs/one.job.json", R"({"name": "one", "batch_size": 1, "layers": [{"name": "a", "forward_seconds": 0.1,
            "backward_seconds": 0.3, "variables": [{"name": "a/k", "shape": [1250], "dtype": "float32", "sparse": false}]}]})");
        const auto kindsOf = [&](const QByteArray &rows) {
            write(dir, "runs.csv",
                  "job,architecture,workers,bandwidth_gbits,iteration_seconds_median,iterations_per_second_all_workers_std\n" +
                      rows);
            const auto validation = validateFolder(dir.path().toStdString());
            QStringList kinds{validation ? QString() : QString::fromStdString(validation.error().toString())};
            for (const std::string &note : validation ? validation->notes : std::vector<std::string>())
                for (const char *kind : {"bsps:", "ddp:", "fsdp2:"})
                    if (note.starts_with(kind))
                        kinds += kind;
            for (const ValidationRow &row : validation ? validation->rows : std::vector<ValidationRow>())
                kinds += QString::number(row.measuredSeconds);
            return kinds.join(' ');
        };
        QCOMPARE(kindsOf("one,bsps,1,8,0.5,0\n"), QStringLiteral(" bsps: 0.5"));
        QCOMPARE(kindsOf("one,ps,1,8,0.25,0\n"), QStringLiteral(" ddp: 0.25"));
        QCOMPARE(kindsOf("one,ps,1,8,0.25,0\none,bsps,1,8,0.5,0\none,fsdp2,2,8,0.5,0\n"),
                 QStringLiteral(" fsdp2: bsps: ddp: 0.25 0.5 0.5"));
    }

    /// A table without credits has none that limits its partitions.
    void partitionsWithoutCredits() {
        QTemporaryDir dir;
        writePartitionedInputs(dir);
        const auto predicted = [&](const QByteArray &columns, const QByteArray &values) {
            write(dir, "runs.csv",
                  "job,architecture,workers,bandwidth_gbits," + columns + "iteration_seconds_median\none,bsps,2,8," + values +
                      "0.9\n");
            const auto validation = validateFolder(dir.path().toStdString());
            return validation ? std::pair(validation->rows.at(0).predictedSeconds, validation->rows.at(0).partitionBytes)
                              : std::pair(0.0, 0.0);
        };
        const auto unlimited = predicted("partition_elements,credit_elements,", "100000,0,");
        QVERIFY(unlimited.first > 0);
        QCOMPARE(unlimited.second, 4e5);
        QVERIFY(predicted("partition_elements,", "100000,") == unlimited);
        const auto whole = predicted("", "");
        QVERIFY(whole.first > 0 && whole.first != unlimited.first);
    }

    /// Neither the grids nor their figures depend on the order of the rows: a run of whole layers belongs to its own scheduler's
    /// grid wherever it stands, and a setting that was measured twice is one, with the median of its runs.
    void gridsDoNotDependOnTheOrderOfRows() {
        QTemporaryDir dir;
        writePartitionedInputs(dir);
        QList<QByteArray> rows{"one,bsps,2,8,0,0,own,0.9",
                               "one,bsps,2,8,1000000,4000000,own,0.7",
                               "one,bsps,2,8,1000000,4000000,own,0.8",
                               "one,bsps,2,8,4000000,4000000,own,0.75",
                               "one,bsps,2,8,0,0,rank0,0.95",
                               "one,bsps,2,8,1000000,4000000,rank0,0.72",
                               "one,bsps,2,8,4000000,4000000,rank0,0.78"};
        const auto gridsOfRows = [&] {
            write(dir, "runs.csv",
                  "job,architecture,workers,bandwidth_gbits,partition_elements,credit_elements,scheduler,iteration_seconds_"
                  "median\n" +
                      rows.join('\n') + '\n');
            const auto validation = validateFolder(dir.path().toStdString());
            std::map<std::string, std::tuple<std::size_t, double, double, double>> grids; // by scheduler
            for (const ValidationGrid &grid : validation ? validation->grids : std::vector<ValidationGrid>())
                grids[grid.first.scheduler] = {grid.settings.size(), grid.bestSeconds, grid.chosenSeconds, grid.spearman};
            return grids;
        };
        const auto grids = gridsOfRows();
        QCOMPARE(grids.size(), std::size_t{2});
        QCOMPARE(std::get<0>(grids.at("own")), std::size_t{3}); // of four rows
        COMPARE_CLOSE(std::get<1>(grids.at("own")), (0.7 + 0.8) / 2);
        QCOMPARE(std::get<0>(grids.at("rank0")), std::size_t{3});
        for (qsizetype order = 1; order < 2 * rows.size(); ++order) {
            std::rotate(rows.begin(), rows.begin() + 1, rows.end());
            if (order == rows.size())
                std::reverse(rows.begin(), rows.end());
            QVERIFY2(gridsOfRows() == grids, rows.join('\n').constData());
        }
    }

    /// The effects in use have smaller errors than none at all, and `as used` equals validateFolder().
    void effectsOfScheduledRuns() {
        const std::string folder = SYNCOPATE_SOURCE "/tests/data/measured/sched";
        const auto table = tabulateEffects(folder);
        VERIFY_VALUE(table);
        const auto validation = validateFolder(folder);
        VERIFY_VALUE(validation);
        double worst = 0;
        for (const ValidationRow &row : validation->rows)
            if (row.architecture == "bsar")
                worst = std::max(worst, std::abs(row.error()));
        const auto errorsOf = [&](const char *effect) {
            return std::find_if(table->begin(), table->end(), [&](const EffectRow &row) { return row.effect == effect; })->errors;
        };
        QCOMPARE(errorsOf("as used")[1].rows, std::string("bsar"));
        QCOMPARE(errorsOf("as used")[1].worst, worst);
        COMPARE_BELOW(errorsOf("as used")[1].median, errorsOf("none")[1].median);
        COMPARE_BELOW(errorsOf("hosts")[1].median, errorsOf("none")[1].median);  // launches and steps matter
        QVERIFY(errorsOf("flow limit")[0].median == errorsOf("none")[0].median); // these links have none
    }

    /// FSDP2's modules, prefetch and resharding, from the costs of its collectives alone (table in docs/validation.md).
    void sharded() {
        const auto validation = validateFolder(SYNCOPATE_SOURCE "/tests/data/measured/fsdp");
        VERIFY_VALUE(validation);
        QCOMPARE(validation->rows.size(), std::size_t{88});
        COMPARE_AT_MOST(validation->medianError, 0.012);
        COMPARE_AT_MOST(validation->maxError, 0.04);
        QCOMPARE(validation->grids.size(), std::size_t{8});
        for (const ValidationGrid &grid : validation->grids) {
            COMPARE_AT_MOST(grid.loss(), 0.01, grid.first.job);
            COMPARE_AT_LEAST(grid.spearman, 0.75, grid.first.job); // up to seven settings of eleven are alike
        }
    }

    /// The effect of each setting against the default of the same job, ranks and links, measured and predicted.
    void shardedSettings_data() {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<double>("largest"); // the measured change of the row on which it matters most
        QTest::newRow("no backward prefetch") << "backward_prefetch=0" << 0.3;
        QTest::newRow("two modules ahead") << "backward_prefetch=2" << 0.01;
        QTest::newRow("no resharding") << "reshard_after_forward=off" << 0.15;
        QTest::newRow("two groups") << "separate_reduce_scatter_group=on" << 0.03;
    }
    void shardedSettings() {
        QFETCH(QString, setting);
        QFETCH(double, largest);
        const auto validation = validateFolder(SYNCOPATE_SOURCE "/tests/data/measured/fsdp");
        VERIFY_VALUE(validation);
        double change = 0;
        int pairs = 0;
        for (const ValidationRow &row : validation->rows)
            for (const ValidationRow &usual : validation->rows) {
                if (row.job != usual.job || row.workers != usual.workers || row.bandwidthGbits != usual.bandwidthGbits ||
                    row.policy != usual.policy.substr(0, usual.policy.size() - 1) + "," + setting.toStdString() + ")")
                    continue;
                const double measured = row.measuredSeconds / usual.measuredSeconds - 1;
                COMPARE_WITHIN(row.predictedSeconds / usual.predictedSeconds - 1, measured, 0.03, row.policy);
                change = std::max(change, std::abs(measured));
                ++pairs;
            }
        COMPARE_AT_LEAST(pairs, 8);
        COMPARE_AT_LEAST(change, largest);
    }

    /// Without costs and overlap: a gather, both passes, a scatter, and the update of a shard.
    void shardedClosedForm() {
        QTemporaryDir dir;
        write(dir, "platform.json", R"({"link_efficiency": 1.0, "message_seconds": 0})");
        write(dir, "runs.csv",
              "job,architecture,workers,bandwidth_gbits,module,backward_prefetch,iteration_seconds_median\none,fsdp2,4,8,model,1,"
              "1\n");
        write(dir, "message_cost.csv",
              "architecture,workers,bandwidth_gbits,mode,answer,message_bytes,seconds_per_message\n"
              "fsdp2,4,8,back_to_back,whole,400000000,0.3\nfsdp2,2,8,one_at_a_time,whole,400000000,0.2\n");
        QDir(dir.path()).mkdir("jobs");
        write(dir, "jobs/one.job.json", R"({"name": "one", "batch_size": 1, "update_seconds": 0.04, "layers": [{"name": "a",
            "forward_seconds": 0.1, "backward_seconds": 0.3,
            "variables": [{"name": "a/k", "shape": [12500000], "dtype": "float32", "sparse": false}]}]})");
        const auto validation = validateFolder(dir.path().toStdString());
        VERIFY_VALUE(validation);
        // 3/4 of 50 MB at 1 GB/s, twice
        COMPARE_WITHIN(validation->rows.front().predictedSeconds, 0.1 + 0.3 + 0.04 / 4 + 2 * 0.0375, 1e-4);
        QCOMPARE(validation->rows.front().policy, std::string("fsdp2(module=model)"));
    }

    /// Costs are recovered from a table that was generated from them.
    void messageCosts() {
        const double message = 4e-6, flight = 60e-6, launch = 0.7e-3, step = 50e-6, perByte = 0.3e-9, rate = 0.9 * 250e6;
        QByteArray table = "architecture,workers,bandwidth_gbits,mode,answer,message_bytes,seconds_per_message\n";
        const auto add = [&](const char *architecture, int workers, const char *mode, double bytes, double seconds) {
            table += QStringLiteral("%1,%2,2,%3,whole,%4,%5\n")
                         .arg(QLatin1String(architecture))
                         .arg(workers)
                         .arg(QLatin1String(mode))
                         .arg(bytes)
                         .arg(seconds, 0, 'g', 12)
                         .toUtf8();
        };
        for (const int workers : {1, 2})
            add("bsps", workers, "back_to_back", 100, 2 * workers * message);
        add("bsps", 1, "one_at_a_time", 100, 2 * flight + 4 * message + 2 * 100 / rate);
        for (const int workers : {2, 3})
            for (const double bytes : {1e3, 1e5, 1e6, 1e7}) {
                const double steps = 2 * (workers - 1), wire = steps / workers * bytes * (1 / rate + perByte);
                add("bsar", workers, "one_at_a_time", bytes, launch + steps * step + wire);
                add("bsar", workers, "back_to_back", bytes, std::max(launch, steps * step / 2 + wire));
            }
        QTemporaryDir dir;
        write(dir, "message_cost.csv", table);
        const auto rows = readMessageRows(dir.filePath("message_cost.csv").toStdString());
        VERIFY_VALUE(rows);
        const MessageCosts costs = fitMessageCosts(*rows, 0.9);
        COMPARE_CLOSE(costs.messageSeconds, message, 1e-6);
        COMPARE_CLOSE(costs.latencySeconds, flight, 1e-6);
        COMPARE_CLOSE(costs.collectiveSeconds, launch, 0.02);
        COMPARE_CLOSE(costs.stepSeconds, step, 0.1);
        COMPARE_CLOSE(costs.collectiveSecondsPerByte, perByte, 0.02);
    }

    void damaged_data() {
        QTest::addColumn<QByteArray>("platform");
        QTest::addColumn<QByteArray>("runs");
        QTest::addColumn<QString>("says");
        const QByteArray good = R"({"link_efficiency": 1.0})";
        const QByteArray header = "job,architecture,workers,bandwidth_gbits,iteration_seconds_median\n";
        QTest::newRow("platform no JSON") << QByteArray("{") << header + "one,ps,1,1,1\n"
                                          << "platform.json";
        QTest::newRow("platform no object") << QByteArray("[]") << header + "one,ps,1,1,1\n"
                                            << "not a JSON object";
        QTest::newRow("efficiency out of range") << QByteArray(R"({"link_efficiency": -3})") << header << "link_efficiency";
        QTest::newRow("no header") << good << QByteArray("one,ps,1,2,3\n") << "no column";
        QTest::newRow("empty") << good << QByteArray() << "no column";
        QTest::newRow("no line") << good << header << "no run";
        QTest::newRow("short line") << good << header + "one,ps,1\n"
                                    << "runs.csv:2";
        QTest::newRow("NaN") << good << header + "one,ps,1,nan,1\n"
                             << "runs.csv:2";
        QTest::newRow("no workers") << good << header + "one,ps,0,1,1\n"
                                    << "runs.csv:2";
        QTest::newRow("half a worker") << good << header + "one,ps,2.5,1,1\n"
                                       << "workers is 2.5";
        QTest::newRow("unknown architecture") << good << header + "one,gossip,1,1,1\n"
                                              << "gossip";
        const QByteArray sharded = "job,architecture,workers,bandwidth_gbits,module,iteration_seconds_median\n";
        QTest::newRow("module of no size") << good << sharded + "one,fsdp2,2,1,many,1\n"
                                           << "runs.csv:2";
        QTest::newRow("no message costs") << good << sharded + "one,fsdp2,2,1,5MB,1\n"
                                          << "message_cost.csv";
        QTest::newRow("no job file") << good << header + "one,ps,1,1,1\n"
                                     << "one.job.json";
    }

    void damaged() {
        QFETCH(QByteArray, platform);
        QFETCH(QByteArray, runs);
        QFETCH(QString, says);
        QTemporaryDir dir;
        write(dir, "platform.json", platform);
        write(dir, "runs.csv", runs);
        const auto validation = validateFolder(dir.path().toStdString());
        QVERIFY(!validation.has_value());
        const QString text = QString::fromStdString(validation.error().toString());
        QVERIFY2(text.contains(says), qPrintable(text));
        QVERIFY2(!validation.error().remedy.empty(), qPrintable(text));
    }

private:
    /// What runs.csv needs beside it for job "one", of one variable of 50 MB.
    static void writePartitionedInputs(const QTemporaryDir &dir) {
        write(dir, "platform.json", R"({"link_efficiency": 1.0})");
        write(dir, "message_cost.csv",
              "architecture,workers,bandwidth_gbits,mode,answer,message_bytes,seconds_per_message\n"
              "bsps,1,8,back_to_back,whole,100,1e-5\nbsps,2,8,back_to_back,whole,100,2e-5\n"
              "bsps,1,8,one_at_a_time,whole,100,1e-4\n");
        QDir(dir.path()).mkdir("jobs");
        write(dir, "jobs/one.job.json", R"({"name": "one", "batch_size": 1, "layers": [{"name": "a", "forward_seconds": 0.1,
            "backward_seconds": 0.3, "variables": [{"name": "a/k", "shape": [12500000], "dtype": "float32", "sparse": false}]}]})");
    }
    static void write(const QTemporaryDir &dir, const QString &name, const QByteArray &bytes) {
        QFile file(dir.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
};

QTEST_GUILESS_MAIN(TestValidation)
#include "tst_validation.moc"

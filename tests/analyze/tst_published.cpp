// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/effect_table.h"
#include "engine/analyze/published.h"
#include "engine/analyze/rank_correlation.h"
#include "engine/job/catalogue.h"
#include "tests/checks.h"
#include "tests/files.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace syncopate;

namespace {

const QByteArray autoDist = "model,builder,gpus,samples_per_s_per_gpu\n";
const QByteArray byteScheduler = "model,system,gpus,samples_or_tokens_per_s\n";

} // namespace

class TestPublished : public QObject {
    Q_OBJECT

private slots:
    /// Worked out by hand; cases with ties agree with scipy.stats.spearmanr and kendalltau (tau-b).
    void rankCorrelation() {
        QCOMPARE(spearman({1, 2, 3, 4}, {10, 20, 30, 40}), 1.0);
        QCOMPARE(kendall({1, 2, 3, 4}, {10, 20, 30, 40}), 1.0);
        QCOMPARE(spearman({1, 2, 3, 4}, {4, 3, 2, 1}), -1.0);
        QCOMPARE(kendall({1, 2, 3, 4}, {4, 3, 2, 1}), -1.0);
        // One neighbouring pair swapped: rho = 1 - 6 * 2 / (4 * 15), tau = (5 - 1) / 6.
        QCOMPARE(spearman({1, 2, 3, 4}, {1, 3, 2, 4}), 0.8);
        QCOMPARE(kendall({1, 2, 3, 4}, {1, 3, 2, 4}), 4.0 / 6);
        // A tie: ranks 0, 1.5, 1.5, 3 against 0, 1, 2, 3: 4.5 / sqrt(4.5 * 5); 5 of 5 ordered pairs against 6.
        QCOMPARE(spearman({1, 2, 2, 3}, {1, 2, 3, 4}), 4.5 / std::sqrt(4.5 * 5));
        QCOMPARE(kendall({1, 2, 2, 3}, {1, 2, 3, 4}), 5 / std::sqrt(5.0 * 6));
        QVERIFY(std::isnan(spearman({1, 1}, {1, 2})));
        QVERIFY(std::isnan(kendall({}, {})));
    }

    /// The step in closed form: the published compute of one GPU, then one ring of all gradients over the flow limit.
    void oneRing() {
        QTemporaryDir dir;
        testing::writeFile(dir.filePath("chart.csv"),
                           autoDist + "VGG16,AllReduce(chunk_size=100),1,80\nVGG16,AllReduce(chunk_size=100),16,20\n");
        const auto validation = validatePublished(dir.path().toStdString());
        VERIFY_VALUE(validation);
        QCOMPARE(validation->rows.size(), std::size_t{2});
        const PublishedRow &one = validation->rows[0], &all = validation->rows[1];
        QVERIFY(one.calibrated && !all.calibrated);
        COMPARE_WITHIN(one.error(), 0, 1e-6);
        const auto job = catalogueJob("vgg16");
        const double bytes = static_cast<double>(job->parameterBytes());
        // 16 replicas: 30 steps of a sixteenth, each over a flow of 10 Gbit/s with 30 us of latency.
        const double ring = 30 * (bytes / 16 / 1.25e9 + 30e-6);
        const double expected = 16 * 32 / (32 / 80.0 + ring);
        COMPARE_CLOSE(all.predicted, expected, 1e-3, QString("%1 for %2").arg(all.predicted).arg(expected));
        QCOMPARE(all.published, 320.0);
        QCOMPARE(validation->medianError, std::abs(all.predicted / 320 - 1));
        QVERIFY(validation->rankings.empty());
    }

    /// The same with and without the limit of a connection; the ring includes latency either way.
    void effectsAreSwitchedOnAlone() {
        QTemporaryDir dir;
        testing::writeFile(dir.filePath("chart.csv"),
                           autoDist + "VGG16,AllReduce(chunk_size=100),1,80\nVGG16,AllReduce(chunk_size=100),16,20\n");
        const auto table = tabulateEffects(dir.path().toStdString());
        VERIFY_VALUE(table);
        const double bytes = static_cast<double>(catalogueJob("vgg16")->parameterBytes());
        const auto errorAt = [&](double rate) {
            return std::abs(16 * 32 / (32 / 80.0 + 30 * (bytes / 16 / rate + 30e-6)) / 320 - 1);
        };
        int seen = 0;
        for (const EffectRow &row : *table) {
            QCOMPARE(row.errors.size(), std::size_t{1});
            QCOMPARE(row.errors.front().rows, std::string("AutoDist"));
            const bool limited = row.effect == "flow limit" || row.effect == "as used";
            if (!limited && row.effect != "none")
                continue;
            COMPARE_CLOSE(row.errors.front().median, errorAt(limited ? 1.25e9 : 6e9), 0.02, row.effect);
            ++seen;
        }
        QCOMPARE(seen, 3);
        const auto refused = tabulateEffects(SYNCOPATE_SOURCE "/tests/data/measured/ps");
        QVERIFY(!refused.has_value());
        QVERIFY(refused.error().what.find("bsps") != std::string::npos);
    }

    /// Calibration uses only the 1-GPU row of the same builder; with twice the compute an iteration takes longer, at most twice
    /// as long.
    void calibratesOnOneGpuOnly() {
        const auto predicted = [](const QByteArray &rows) {
            QTemporaryDir dir;
            testing::writeFile(dir.filePath("chart.csv"), autoDist + rows);
            const auto validation = validatePublished(dir.path().toStdString());
            return validation && !validation->rows.empty() ? validation->rows.back().predicted : 0.0;
        };
        const double first = predicted("ResNet101,PS,1,50\nResNet101,PS,8,40\n");
        COMPARE_ABOVE(first, 0);
        QCOMPARE(predicted("ResNet101,PS,1,50\nResNet101,PS,8,4\n"), first);
        QCOMPARE(predicted("ResNet101,AllReduce,1,5\nResNet101,PS,1,50\nResNet101,PS,8,40\n"), first);
        const double slow = predicted("ResNet101,PS,1,25\nResNet101,PS,8,40\n");
        COMPARE_BELOW(slow, 0.8 * first);
        COMPARE_AT_LEAST(slow, 0.5 * first * (1 - 1e-6));
    }

    void linearIsTheYardstick() {
        QTemporaryDir dir;
        testing::writeFile(dir.filePath("chart.csv"),
                           byteScheduler + "resnet50,Linear,16,3200\nresnet50,Linear,8,1600\nresnet50,Baseline,16,3000\n");
        const auto validation = validatePublished(dir.path().toStdString());
        VERIFY_VALUE(validation);
        QCOMPARE(validation->rows.size(), std::size_t{1});
        COMPARE_BELOW(validation->rows[0].predicted, 3200 * (1 + 1e-9));
        COMPARE_ABOVE(validation->rows[0].predicted, 1600);
    }

    void ranksSystems() {
        QTemporaryDir dir;
        // The rows of one GPU are for calibration; the fourth system of 16 GPUs cannot be predicted.
        testing::writeFile(dir.filePath("chart.csv"),
                           autoDist + "VGG16,AllReduce,1,75\nVGG16,PS,1,75\nVGG16,PSLoadBalancing,1,75\nVGG16,AllReduce,16,30\n"
                                      "VGG16,PS,16,10\nVGG16,PSLoadBalancing,16,12\nVGG16,TF-Distribute,16,5\n");
        const auto validation = validatePublished(dir.path().toStdString());
        VERIFY_VALUE(validation);
        QCOMPARE(validation->rankings.size(), std::size_t{1}); // the 1-GPU rows are calibrated
        const PublishedRanking &ranking = validation->rankings.front();
        QCOMPARE(ranking.systems, 3);
        QCOMPARE(ranking.publishedBest, std::string("AllReduce"));
        std::vector<double> predicted;
        for (const PublishedRow &row : validation->rows)
            if (row.gpus == 16)
                predicted.push_back(row.predicted);
        QCOMPARE(ranking.spearman, spearman({30, 10, 12}, predicted));
        QCOMPARE(validation->notPredicted.size(), std::size_t{1});
    }

    void damaged_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << QByteArray() << "no published chart";
        QTest::newRow("another table") << QByteArray("a,b\n1,2\n") << "no published chart";
        QTest::newRow("header only") << autoDist << "no row";
        QTest::newRow("short line") << autoDist + "VGG16,PS,1\n"
                                    << "chart.csv:2";
        QTest::newRow("no GPUs") << autoDist + "VGG16,PS,0,1\n"
                                 << "chart.csv:2";
        QTest::newRow("half a GPU") << autoDist + "VGG16,PS,1.5,1\n"
                                    << "chart.csv:2";
        QTest::newRow("half a node") << autoDist + "VGG16,PS,6,1\n"
                                     << "chart.csv:2";
        QTest::newRow("too many GPUs") << autoDist + "VGG16,PS,1e9,1\n"
                                       << "chart.csv:2";
        QTest::newRow("NaN") << autoDist + "VGG16,PS,1,nan\n"
                             << "chart.csv:2";
        QTest::newRow("negative") << autoDist + "VGG16,PS,1,-3\n"
                                  << "chart.csv:2";
        QTest::newRow("unknown model") << autoDist + "NoNet,PS,1,1\n"
                                       << "NoNet";
        QTest::newRow("unknown builder") << autoDist + "VGG16,Gossip,1,1\nVGG16,Gossip,2,1\n"
                                         << "Gossip";
        QTest::newRow("nothing to predict") << autoDist + "VGG16,PS,4,1\n"
                                            << "1 GPU";
        QTest::newRow("faster than the bus") << autoDist + "VGG16,PS,1,1e9\nVGG16,PS,2,1e9\n"
                                             << "variables alone";
        QTest::newRow("very long") << autoDist + QByteArray("VGG16,PS,1,1\n").repeated(3000) << "more than";
    }
    void damaged() {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        QTemporaryDir dir;
        testing::writeFile(dir.filePath("chart.csv"), text);
        const auto validation = validatePublished(dir.path().toStdString());
        QVERIFY(!validation.has_value());
        const QString error = QString::fromStdString(validation.error().toString());
        QVERIFY2(error.contains(says), qPrintable(error));
        QVERIFY(!QString::fromStdString(validation.error().remedy).isEmpty());
    }

    /// The figures that docs/validation.md states about the real charts.
    void charts() {
        const QString path = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/published");
        const auto validation = validatePublished(path.toStdString());
        VERIFY_VALUE(validation);
        COMPARE_ABOVE(validation->rows.size(), 180);
        COMPARE_BELOW(validation->medianError, 0.15);
        COMPARE_ABOVE(validation->medianSpearman, 0.5);
        // The most obvious facts of the charts, which any model must get right.
        const auto row = [&](const char *model, const char *system, int gpus) {
            const auto found = std::find_if(validation->rows.begin(), validation->rows.end(), [&](const PublishedRow &r) {
                return r.model == model && r.system == system && r.gpus == gpus;
            });
            return found == validation->rows.end() ? std::nan("") : found->predicted;
        };
        for (const int gpus : {16, 32}) {
            COMPARE_ABOVE(row("BERT-large", "PartitionedPS", gpus), 1.3 * row("BERT-large", "AllReduce", gpus));
            COMPARE_BELOW(row("VGG16", "PS", gpus), 0.7 * row("VGG16", "AllReduce", gpus));
        }
    }
};

QTEST_GUILESS_MAIN(TestPublished)
#include "tst_published.moc"

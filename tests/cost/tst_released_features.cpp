// SPDX-License-Identifier: GPL-3.0-or-later
// The 12 features of AutoSync's released simulator, compared with tests/data/golden/autosync.
#include "engine/cost/released_features.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "tests/golden.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace syncopate;
using namespace syncopate::testing;

class TestReleasedFeatures : public QObject {
    Q_OBJECT

private slots:
    void againstGolden_data() {
        QTest::addColumn<QJsonObject>("example");
        const QJsonArray cases = golden("autosync/cases.json")["cases"].toArray();
        int index = 0;
        for (const auto &entry : cases) {
            const QJsonObject object = entry.toObject();
            // For ResNet-50's sampled strategies the file has only a checksum.
            if (object["strategy"].toString().startsWith("sampler:") && !object.contains("node_config"))
                continue;
            QTest::addRow("%d %s %s %s", index++, qPrintable(object["model"].toString()), qPrintable(object["spec"].toString()),
                          qPrintable(object["strategy"].toString()))
                << object;
        }
        QCOMPARE(index, 140);
    }

    void againstGolden() {
        QFETCH(QJsonObject, example);
        static const QJsonObject models = golden("autodist/models.json");
        const Job job = jobOf(models[example["model"].toString()].toArray());
        const std::string spec = SYNCOPATE_SOURCE "/tests/data/golden/autodist/" + example["spec"].toString().toStdString();
        const auto cluster = readResourceSpecFile(spec);
        QVERIFY(cluster.has_value());
        Strategy strategy;
        if (example.contains("node_config")) {
            strategy = strategyOf(example["node_config"].toArray());
        } else {
            QString builder = example["strategy"].toString();
            builder.replace("AllReduce_c25_AUTO", "AllReduce(25, AUTO)");
            auto built = buildStrategy(builder.toStdString(), job, *cluster);
            QVERIFY2(built.has_value(), built ? "" : built.error().toString().c_str());
            strategy = std::move(*built);
        }
        const auto features = releasedFeatures(job, *cluster, strategy, {example["batch"].toDouble(), example["seq"].toDouble()});
        QVERIFY2(features.has_value(), features ? "" : features.error().toString().c_str());
        const QJsonArray want = example["features"].toArray();
        QCOMPARE(static_cast<std::size_t>(want.size()), features->size());
        for (std::size_t i = 0; i < features->size(); ++i)
            COMPARE_CLOSE((*features)[i], want[static_cast<qsizetype>(i)].toDouble(), 1e-9, std::to_string(i));
    }

    /// The golden cases' clusters have equal cards. The release takes the least of bandwidth[worker j][worker i], i <= j, which
    /// is the rate of j's card: the first machine's never counts.
    void firstCardIsNoRingsRate() {
        const Job job = jobOf(golden("autodist/models.json")["edge"].toArray());
        Cluster cluster = uniformCluster(3, 40);
        const auto transmission = [&](std::size_t slow) {
            Cluster uneven = cluster;
            uneven.nodes[slow].bandwidthBytesPerSecond /= 4;
            const auto features = releasedFeatures(job, uneven, *buildStrategy("AllReduce", job, uneven), {});
            return features ? (*features)[9] : 0;
        };
        COMPARE_ABOVE(transmission(0), 0.0);
        COMPARE_CLOSE(transmission(1), 4 * transmission(0));
        COMPARE_CLOSE(transmission(2), 4 * transmission(0));
    }

    void refuses() {
        const Job job = jobOf(golden("autodist/models.json")["edge"].toArray());
        const Cluster cluster = uniformCluster(2, 10);
        const auto empty = releasedFeatures(job, cluster, {}, {});
        QVERIFY2(!empty && empty.error().what.find("the strategy has 0 variables") != std::string::npos,
                 empty ? "" : empty.error().what.c_str());
        Strategy strategy = *buildStrategy("PS", job, cluster);
        VERIFY_VALUE(releasedFeatures(job, cluster, strategy, {}));
        strategy.nodes[0].synchronizer.reductionDestination = "10.9.9.9:CPU:0";
        const auto elsewhere = releasedFeatures(job, cluster, strategy, {});
        QVERIFY2(!elsewhere && elsewhere.error().what.find("'10.9.9.9:CPU:0' is not in the cluster") != std::string::npos,
                 elsewhere ? "" : elsewhere.error().what.c_str());
    }
};

QTEST_GUILESS_MAIN(TestReleasedFeatures)
#include "tst_released_features.moc"

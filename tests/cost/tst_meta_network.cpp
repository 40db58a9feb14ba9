// SPDX-License-Identifier: GPL-3.0-or-later
// AutoByte's meta-network: its input from a scenario, that it learns and adapts, and that it rejects invalid files.
#include "engine/cost/meta_network.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// A job of two layers on `workers` nodes whose NICs carry this many megabytes per second.
RuntimeMetrics metricsOf(double megabytes, std::int32_t workers = 4) {
    const Job job = chainJob({{0.01, 0.02, 1'000'000}, {0.02, 0.03, 3'000'000}});
    return *runtimeMetricsOf(scenario(job, plainCluster(workers, megabytes * 1e6), allReduceEach(job)));
}

/// A made-up law: a partition of 4 ms of NIC time is fastest, 0.9 of the bound; each factor of 2 away from it costs 0.05.
double shareOf(double partitionBytes, double megabytes) {
    return 0.9 - 0.05 * std::abs(std::log2(partitionBytes / (megabytes * 4e3)));
}

MetaExample exampleOf(double megabytes, std::size_t pairs = 10) {
    MetaExample example{metricsOf(megabytes), {}, {}};
    for (std::size_t i = 0; i < pairs; ++i) {
        const double partition = 16384 * std::exp2(8.0 * static_cast<double>(i) / static_cast<double>(pairs - 1));
        example.settings.push_back({partition, partition * 2});
        example.samplesPerSecond.push_back(shareOf(partition, megabytes) * example.metrics.boundSamplesPerSecond());
    }
    return example;
}

MetaNetwork trained() {
    std::vector<MetaExample> examples;
    for (int i = 0; i < 32; ++i)
        examples.push_back(exampleOf(25 * std::exp2(i / 8.0)));
    MetaNetwork network(7);
    const auto learned = network.train(examples, {.epochs = 150, .batch = 8}, 7);
    return learned ? network : MetaNetwork(0);
}

QByteArray bytesOf(const std::string &text) { return QByteArray::fromStdString(text); }

} // namespace

class TestMetaNetwork : public QObject {
    Q_OBJECT

    MetaNetwork network{0};

private slots:
    void initTestCase() { network = trained(); }

    void metricsAreThoseOfTheScenario() {
        const Job job = chainJob({{0.01, 0.02, 1'000'000}, {0.02, 0.03, 3'000'000}});
        Cluster cluster = plainCluster(3, 1e8);
        cluster.nodes[1].computeScale = 0.5;
        cluster.nodes[2].bandwidthBytesPerSecond = 5e7;
        cluster.linkEfficiency = 0.9;
        cluster.messageSeconds = 1e-5;
        const auto metrics = runtimeMetricsOf(scenario(job, cluster, allReduceEach(job)));
        QVERIFY(metrics);
        QCOMPARE(metrics->workers(), std::size_t{3});
        QCOMPARE(metrics->layerBytes, (std::vector<double>{4e6, 12e6}));
        QCOMPARE(metrics->largestVariableBytes, 12e6);
        QCOMPARE(metrics->servedShare, 0.0);
        COMPARE_CLOSE(metrics->backwardSeconds(1, 0), 0.03);
        COMPARE_CLOSE(metrics->backwardSeconds(1, 1), 0.06);
        COMPARE_CLOSE(metrics->upBytesPerSecond[2], 4.5e7);
        COMPARE_CLOSE(metrics->computeSeconds(), 0.16);
        // A ring of three sends 4/3 of 16 MB over the slowest NIC, which takes longer than the compute.
        COMPARE_CLOSE(metrics->boundSamplesPerSecond(), 3 / (16e6 * 4 / 3 / 4.5e7));
    }

    void serversAreMeasured() {
        const Job job = chainJob({{0.01, 0.02, 1'000'000}});
        const auto apart = runtimeMetricsOf(scenario(job, servedCluster(2, 1e8), parameterServers(job, {"n2:CPU:0"})));
        QVERIFY(apart);
        QCOMPARE(apart->servedShare, 1.0);
        QCOMPARE(apart->servers, 1.0);
        QVERIFY(!apart->serversTrain);
        COMPARE_CLOSE(apart->boundSamplesPerSecond(), 2 / (2 * 4e6 / 1e8)); // both workers' gradients go to one server
        const auto beside = runtimeMetricsOf(scenario(job, plainCluster(2, 1e8), parameterServers(job, {"n0:CPU:0"})));
        QVERIFY(beside);
        QVERIFY(beside->serversTrain);
    }

    void whatIsNoJobIsRefused() {
        QVERIFY(!runtimeMetricsOf(Scenario()));
        const Job idle = chainJob({{0, 0, 0}});
        QVERIFY(!runtimeMetricsOf(scenario(idle, plainCluster(2, 1e8), allReduceEach(idle))));
    }

    /// Between the training conditions, it finds the best pair within 5 %, and its speed within 10 %.
    void itLearnsALaw() {
        for (const double megabytes : {30.0, 70.0, 150.0, 280.0}) {
            const MetaExample example = exampleOf(megabytes, 33);
            const auto predicted = network.samplesPerSecond(example.metrics, example.settings);
            const auto chosen = std::max_element(predicted.begin(), predicted.end()) - predicted.begin();
            const double best = *std::max_element(example.samplesPerSecond.begin(), example.samplesPerSecond.end());
            const double got = example.samplesPerSecond[static_cast<std::size_t>(chosen)];
            COMPARE_AT_LEAST(got, 0.95 * best, std::to_string(megabytes));
            COMPARE_CLOSE(predicted[static_cast<std::size_t>(chosen)], got, 0.1, std::to_string(megabytes));
        }
    }

    void trainingIsAFunctionOfItsSeed() { QCOMPARE(bytesOf(trained().save()), bytesOf(network.save())); }

    void aFileGivesTheSameNetwork() {
        const auto read = MetaNetwork::load(network.save(), "n.json");
        VERIFY_VALUE(read);
        const MetaExample example = exampleOf(100);
        QCOMPARE(read->samplesPerSecond(example.metrics, example.settings),
                 network.samplesPerSecond(example.metrics, example.settings));
        QCOMPARE(bytesOf(read->save()), bytesOf(network.save()));
    }

    void hostileFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        const QByteArray good = bytesOf(network.save());
        const auto with = [&](const char *from, const char *to) {
            QByteArray changed = good;
            changed.replace(from, to);
            return changed;
        };
        QTest::newRow("empty") << QByteArray() << QByteArray("not a meta-network");
        QTest::newRow("no JSON") << QByteArray("weights") << QByteArray("not a meta-network");
        QTest::newRow("a list") << QByteArray("[1, 2]") << QByteArray("not a meta-network");
        QTest::newRow("truncated") << good.left(good.size() / 2) << QByteArray("not a meta-network");
        QTest::newRow("another format") << with("syncopate meta-network", "rnn()") << QByteArray("not a meta-network");
        QTest::newRow("version") << with("\"version\": 1", "\"version\": 2") << QByteArray("version 2");
        QTest::newRow("no version") << with("\"version\": 1", "\"version\": \"1\"") << QByteArray("not a meta-network");
        QTest::newRow("no weights") << with("\"weights\"", "\"weight\"") << QByteArray("lacks");
        QTest::newRow("a matrix less") << with("dense.1.bias", "dense.1.b") << QByteArray("dense.1.bias");
        QTest::newRow("a value more") << with("\"dense.1.bias\": [", "\"dense.1.bias\": [1,") << QByteArray("2 values");
        QTest::newRow("a word") << with("\"dense.1.bias\": [", "\"dense.1.bias\": [\"a\",") << QByteArray("not a finite number");
        QTest::newRow("null") << with("\"dense.1.bias\": [", "\"dense.1.bias\": [null,") << QByteArray("not a finite number");
        QTest::newRow("infinite") << with("\"dense.1.bias\": [", "\"dense.1.bias\": [1e300,")
                                  << QByteArray("not a finite number");
        const auto bias = good.indexOf('[', good.indexOf("\"dense.1.bias\"")) + 1;
        QTest::newRow("huge") << good.left(bias) + "1e30" + good.mid(good.indexOf(']', bias)) << QByteArray("beyond");
        QTest::newRow("too large") << QByteArray(static_cast<qsizetype>(MetaNetwork::maxBytes) + 1, ' ') << QByteArray("at most");
    }
    void hostileFilesAreRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto read = MetaNetwork::load(text.toStdString(), "n.json");
        QVERIFY(!read);
        const std::string error = read.error().toString();
        QVERIFY2(error.find(says.toStdString()) != std::string::npos && error.starts_with("n.json"), error.c_str());
    }

    /// One sample from a uniformly 30 % slower machine adapts the predicted speed, and keeps the order of pairs.
    void aSampleAdaptsTheDenseLayersAlone() {
        MetaNetwork adapted = network;
        const MetaExample all = exampleOf(100, 17);
        const MetaExample one{all.metrics, {all.settings[4]}, {0.7 * all.samplesPerSecond[4]}};
        adapted.adapt({&one, 1});
        COMPARE_CLOSE(adapted.samplesPerSecond(one.metrics, one.settings).front(), one.samplesPerSecond.front(), 0.03);
        const auto predicted = adapted.samplesPerSecond(all.metrics, all.settings);
        const auto chosen = static_cast<std::size_t>(std::max_element(predicted.begin(), predicted.end()) - predicted.begin());
        COMPARE_AT_LEAST(all.samplesPerSecond[chosen],
                         0.9 * *std::max_element(all.samplesPerSecond.begin(), all.samplesPerSecond.end()));
        const QByteArray before = bytesOf(network.save()), after = bytesOf(adapted.save());
        const auto dense = before.indexOf("\"dense.0.weights\"");
        COMPARE_ABOVE(dense, 0);
        QCOMPARE(after.left(dense), before.left(dense));
        QVERIFY(after.mid(dense) != before.mid(dense));
        MetaNetwork again = network;
        again.adapt({&one, 1});
        QCOMPARE(bytesOf(again.save()), after);
    }

    void hostileExamplesAreRefused() {
        MetaNetwork own = network;
        QVERIFY(!own.train({}, {}, 1));
        const MetaExample uneven{metricsOf(100), {{1e6, 1e6}}, {}};
        QVERIFY(!own.train({&uneven, 1}, {}, 1));
        const MetaExample infinite{metricsOf(100), {{1e6, 1e6}}, {std::numeric_limits<double>::infinity()}};
        QVERIFY(!own.train({&infinite, 1}, {}, 1));
        own.adapt({&infinite, 1});
        QCOMPARE(bytesOf(own.save()), bytesOf(network.save()));
    }

    void theShippedNetworkIsOne() {
        const auto shipped = shippedMetaNetwork();
        VERIFY_VALUE(shipped);
        QVERIFY(QString::fromStdString(shipped->origin()).startsWith("tune --train"));
        const std::vector<SchedulerSetting> settings{{4096, 4096}, {1e9, 1e300}};
        for (const double megabytes : {1.0, 100.0, 1e5})
            for (const double speed : shipped->samplesPerSecond(metricsOf(megabytes, 64), settings)) {
                COMPARE_ABOVE(speed, 0);
                COMPARE_BELOW(speed, 1e9);
            }
    }
};

QTEST_APPLESS_MAIN(TestMetaNetwork)
#include "tst_meta_network.moc"

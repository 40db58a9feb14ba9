// SPDX-License-Identifier: GPL-3.0-or-later
// AutoByte's meta-network: its input from a scenario, that it learns and adapts, and that it rejects invalid files.
#include "engine/cost/meta_network.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// A job of two layers on `workers` nodes whose NICs carry this many megabytes per second.
RuntimeMetrics metricsOf(double megabytes, std::int32_t workers = 4) {
    const Job job = chainJob({{0.01, 0.02, 1'000'000}, {0.02, 0.03, 3'000'000}});
    return *runtimeMetricsOf(scenario(job, plainCluster(workers, megabytes * 1e6), allReduceEach(job)));
}

/// The metrics after a look at each of these bandwidths, the newest last.
RuntimeMetrics metricsAfterAll(const std::vector<double> &megabytes) {
    std::vector<RuntimeMetrics> looks;
    for (const double value : megabytes)
        looks.push_back(metricsOf(value));
    return metricsAfter(looks);
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
    for (int i = 0; i < 32; ++i) { // half of them after a change, from five times as high or low
        const double megabytes = 25 * std::exp2(i / 8.0);
        std::vector<double> series(bandwidthLooks, megabytes);
        std::fill_n(series.begin(), 1 + i % 7, i % 2 == 0 ? megabytes * 5 : megabytes / 5);
        examples.push_back(exampleOf(megabytes));
        examples.back().metrics = metricsAfterAll(series);
    }
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
        QCOMPARE(metrics->upBytesPerSecond.rows, std::size_t{1});
        COMPARE_CLOSE(metrics->upBytesPerSecond(0, 2), 4.5e7);
        COMPARE_CLOSE(metrics->downBytesPerSecond(0, 0), 9e7);
        COMPARE_CLOSE(metrics->computeSeconds(), 0.16);
        // A ring of three sends 4/3 of 16 MB over the slowest NIC, which takes longer than the compute.
        COMPARE_CLOSE(metrics->boundSamplesPerSecond(), 3 / (16e6 * 4 / 3 / 4.5e7));
    }

    /// Bound and static parameters belong to the newest look; a series has at most eight looks.
    void looksMakeASeries() {
        const RuntimeMetrics metrics = metricsAfterAll({10, 20, 30});
        QCOMPARE(metrics.workers(), std::size_t{4});
        QCOMPARE(metrics.upBytesPerSecond.rows, std::size_t{3});
        COMPARE_CLOSE(metrics.upBytesPerSecond(0, 3), 1e7);
        COMPARE_CLOSE(metrics.downBytesPerSecond(2, 0), 3e7);
        COMPARE_CLOSE(metrics.boundSamplesPerSecond(), metricsOf(30).boundSamplesPerSecond());
        const RuntimeMetrics many = metricsAfterAll({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        QCOMPARE(many.upBytesPerSecond.rows, bandwidthLooks);
        COMPARE_CLOSE(many.upBytesPerSecond(0, 0), 3e6);
        // A look after a series adds one: only its newest row counts.
        const RuntimeMetrics both[] = {metrics, metricsAfterAll({40, 50})};
        QCOMPARE(metricsAfter(both).upBytesPerSecond.rows, std::size_t{2});
        COMPARE_CLOSE(metricsAfter(both).upBytesPerSecond(0, 0), 3e7);
        COMPARE_CLOSE(metricsAfter(both).upBytesPerSecond(1, 0), 5e7);
    }

    /// Before the oldest look, the bandwidth is taken to equal it, so that a steady series has the same effect at any length.
    void aSteadySeriesIsItsMoment() {
        const MetaExample example = exampleOf(100);
        const auto moment = network.samplesPerSecond(example.metrics, example.settings);
        for (const std::size_t looks : {std::size_t{2}, bandwidthLooks, std::size_t{20}})
            QCOMPARE(network.samplesPerSecond(metricsAfterAll(std::vector<double>(looks, 100)), example.settings), moment);
    }

    /// Seen during training, a change counts: the best pair is the one for the newest bandwidth, and the older bandwidths are
    /// read.
    void theNewestLookCounts() {
        for (const double megabytes : {40.0, 100.0, 200.0})
            for (const double factor : {0.2, 5.0})
                for (const std::size_t ago : {1, 4, 7}) {
                    std::vector<double> series(bandwidthLooks, megabytes * factor);
                    std::fill(series.end() - static_cast<std::ptrdiff_t>(ago), series.end(), megabytes);
                    const MetaExample example = exampleOf(megabytes, 33);
                    const RuntimeMetrics changed = metricsAfterAll(series);
                    const auto predicted = network.samplesPerSecond(changed, example.settings);
                    QVERIFY(predicted != network.samplesPerSecond(example.metrics, example.settings));
                    const auto chosen = std::max_element(predicted.begin(), predicted.end()) - predicted.begin();
                    const double best = *std::max_element(example.samplesPerSecond.begin(), example.samplesPerSecond.end());
                    COMPARE_AT_LEAST(example.samplesPerSecond[static_cast<std::size_t>(chosen)], 0.92 * best,
                                     std::to_string(megabytes) + " after " + std::to_string(factor * megabytes));
                }
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

    /// Between the training conditions, it finds a pair within 10 % of the best (less than a factor of four away from it; the
    /// range has 256), and its speed within 15 %.
    void itLearnsALaw() {
        for (const double megabytes : {30.0, 70.0, 150.0, 280.0}) {
            const MetaExample example = exampleOf(megabytes, 33);
            const auto predicted = network.samplesPerSecond(example.metrics, example.settings);
            const auto chosen = std::max_element(predicted.begin(), predicted.end()) - predicted.begin();
            const double best = *std::max_element(example.samplesPerSecond.begin(), example.samplesPerSecond.end());
            const double got = example.samplesPerSecond[static_cast<std::size_t>(chosen)];
            COMPARE_AT_LEAST(got, 0.9 * best, std::to_string(megabytes));
            COMPARE_CLOSE(predicted[static_cast<std::size_t>(chosen)], got, 0.15, std::to_string(megabytes));
        }
    }

    /// A file states its network's errors, in words, too.
    void aFileStatesItsErrors() {
        MetaNetwork own = network;
        own.setOrigin({"tune --train FILE --seed 9", 9, {20, 0.057, 0.28, 0.02, 0.9}, {0, 0, 0, 0.05, 0}});
        const auto read = MetaNetwork::load(own.save(), "n.json");
        VERIFY_VALUE(read);
        QCOMPARE(read->origin().seed, std::uint64_t{9});
        QCOMPARE(read->origin().heldOut.conditions, std::uint64_t{20});
        COMPARE_CLOSE(read->origin().heldOut.medianError, 0.057);
        COMPARE_CLOSE(read->origin().heldOut.withinGoal, 0.9);
        QCOMPARE(
            bytesOf(read->origin().describe()),
            QByteArray(
                "tune --train FILE --seed 9: on 20 other conditions of its models, speeds are off by 5.7 % (median) and "
                "28 % (90 %), and 90 % of the choices are within 2 % of the best; not tested on conditions of other models"));
    }

    /// No share is written with an exponent: from 10 % on it is whole.
    void largeErrorsAreWholePercents() {
        const MetaOrigin origin{"tune", 1, {2, 0.0996, 1.2, 0.02, 1}, {3, 0.995, 25, 0.05, 0}};
        QCOMPARE(
            bytesOf(origin.describe()),
            QByteArray("tune: on 2 other conditions of its models, speeds are off by 10 % (median) and 120 % (90 %), and 100 % "
                       "of the choices are within 2 % of the best; on 3 conditions of other models, speeds are off by 100 % "
                       "(median) and 2500 % (90 %), and 0 % of the choices are within 5 % of the best"));
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
        const auto with = [&](const char *from, const QByteArray &to) {
            QByteArray changed = good;
            const auto at = changed.indexOf(from); // the first
            return changed.replace(at, static_cast<qsizetype>(std::strlen(from)), to);
        };
        QTest::newRow("empty") << QByteArray() << QByteArray("not a meta-network");
        QTest::newRow("no JSON") << QByteArray("weights") << QByteArray("not a meta-network");
        QTest::newRow("a list") << QByteArray("[1, 2]") << QByteArray("not a meta-network");
        QTest::newRow("truncated") << good.left(good.size() / 2) << QByteArray("not a meta-network");
        QTest::newRow("another format") << with("syncopate meta-network", "rnn()") << QByteArray("not a meta-network");
        QTest::newRow("version") << with("\"version\": 3", "\"version\": 1") << QByteArray("version 1");
        QTest::newRow("no version") << with("\"version\": 3", "\"version\": \"2\"") << QByteArray("not a meta-network");
        QTest::newRow("no seed") << with("\"seed\"", "\"seeds\"") << QByteArray("its seed");
        QTest::newRow("long origin") << with("\"origin\": \"", "\"origin\": \"" + QByteArray(500, 'a'))
                                     << QByteArray("its origin");
        QTest::newRow("no errors") << with("\"left_out\"", "\"left\"") << QByteArray("left_out");
        QTest::newRow("errors in words") << with("\"p90_error\": ", "\"p90_error\": \"a\",\"b\": ")
                                         << QByteArray("held_out.p90_error");
        QTest::newRow("negative errors") << with("\"median_error\": ", "\"median_error\": -1,\"b\": ")
                                         << QByteArray("held_out.median_error");
        QTest::newRow("more than all") << with("\"within_goal\": ", "\"within_goal\": 2") << QByteArray("held_out.within_goal");
        QTest::newRow("no weights") << with("\"weights\"", "\"weight\"") << QByteArray("lacks");
        QTest::newRow("no members") << with("\"members\"", "\"member\"") << QByteArray("no members");
        QByteArray members;
        for (std::size_t i = 0; i <= MetaNetwork::maxMembers; ++i)
            members += "{},";
        QTest::newRow("nine members") << with("\"members\": [", "\"members\": [" + members) << QByteArray("more than 8");
        QTest::newRow("an empty member") << with("\"members\": [", "\"members\": [{},") << QByteArray("lacks");
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
        COMPARE_CLOSE(adapted.samplesPerSecond(one.metrics, one.settings).front(), one.samplesPerSecond.front(), 0.06);
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

    /// Joined networks predict with their mean, adapt separately, and survive a file; nine are too many.
    void membersPredictTogether() {
        const MetaExample example = exampleOf(100, 5);
        std::vector<MetaNetwork> members{network, MetaNetwork(1), MetaNetwork(2)};
        MetaNetwork joined = members[0];
        QVERIFY(joined.join(members[1]) && joined.join(members[2]));
        QCOMPARE(joined.members(), std::size_t{3});
        QCOMPARE(joined.weightCount(), 3 * network.weightCount());
        const auto isTheMean = [&](const MetaNetwork &whole) {
            const auto together = whole.samplesPerSecond(example.metrics, example.settings);
            for (std::size_t i = 0; i < together.size(); ++i) {
                double mean = 0;
                for (const MetaNetwork &member : members)
                    mean += member.samplesPerSecond(example.metrics, example.settings)[i] / 3;
                COMPARE_CLOSE(together[i], mean);
            }
        };
        isTheMean(joined);
        const auto read = MetaNetwork::load(joined.save(), "n.json");
        VERIFY_VALUE(read);
        QCOMPARE(read->members(), std::size_t{3});
        QCOMPARE(bytesOf(read->save()), bytesOf(joined.save()));
        const MetaExample one{example.metrics, {example.settings[2]}, {0.7 * example.samplesPerSecond[2]}};
        joined.adapt({&one, 1});
        for (MetaNetwork &member : members)
            member.adapt({&one, 1});
        isTheMean(joined);
        MetaNetwork pairs = joined;
        QVERIFY(pairs.join(joined)); // members of a joined network become members
        QCOMPARE(pairs.members(), std::size_t{6});
        QVERIFY(!pairs.join(joined));
        QCOMPARE(pairs.members(), std::size_t{6});
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
        const MetaOrigin &origin = shipped->origin();
        QVERIFY(origin.command.starts_with("tune --train"));
        QVERIFY(origin.command.find("--seed " + std::to_string(origin.seed) + " ") != std::string::npos);
        QVERIFY(origin.command.ends_with("--members " + std::to_string(shipped->members())));
        for (const MetaOrigin::Errors *errors : {&origin.heldOut, &origin.leftOut}) {
            COMPARE_AT_LEAST(errors->conditions, 10);
            COMPARE_ABOVE(errors->medianError, 0);
            COMPARE_ABOVE(errors->p90Error, errors->medianError);
            COMPARE_ABOVE(errors->withinGoal, 0.5);
        }
        QCOMPARE(origin.heldOut.goal, 0.02);
        QCOMPARE(origin.leftOut.goal, 0.05);
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

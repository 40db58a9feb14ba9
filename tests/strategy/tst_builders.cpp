// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/builders.h"
#include "engine/strategy/part_counts.h"
#include "engine/strategy/strategy_file.h"
#include "tests/golden.h"

#include <QtTest>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <map>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// The builders behind the golden files' names (tests/data/README.md).
const std::map<QString, std::string> goldenBuilders{
    {"AllReduce", "AllReduce"},
    {"AllReduce_c1_RING_EF", "AllReduce(chunk_size=1, all_reduce_spec='RING', compressor='HorovodCompressorEF')"},
    {"AllReduce_c25_AUTO", "AllReduce(25, AUTO)"},
    {"PS", "PS"},
    {"PS_async", "PS(sync=False)"},
    {"PS_proxy_stale2", "PS(local_proxy_variable=True, staleness=2)"},
    {"PSLoadBalancing", "PSLoadBalancing()"},
    {"PartitionedPS", "PartitionedPS"},
    {"UnevenPartitionedPS", "UnevenPartitionedPS"},
    {"PartitionedAR", "PartitionedAR"},
    {"PartitionedAR_c4", "PartitionedAR(chunk_size=4)"},
    {"RandomAxisPartitionAR_seed0", "RandomAxisPartitionAR(seed=0)"},
    {"RandomAxisPartitionAR_c4_seed1", "RandomAxisPartitionAR(chunk_size=4, seed=1)"},
    {"Parallax", "Parallax"},
    {"Parallax_c4", "Parallax(chunk_size=4)"},
};

Job jobWith(std::vector<Variable> variables) {
    Job job;
    job.variables = std::move(variables);
    job.layers.push_back({"all", 1, 1, {}, {}});
    for (std::size_t v = 0; v < job.variables.size(); ++v)
        job.layers[0].variables.push_back(static_cast<std::int32_t>(v));
    return job;
}

} // namespace

class TestBuilders : public QObject {
    Q_OBJECT
private slots:
    void goldenFiles_data();
    void goldenFiles();
    void everySignatureBuilds();
    void greedyLoads();
    void partsGoToTheLeastLoaded();
    void unevenCounts();
    void allReduceGroups();
    void dedicatedServersReduce();
    void refuses_data();
    void refuses();
    void absurdPartCounts();
    void divisorsUpToALimit();
};

void TestBuilders::goldenFiles_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/golden/autodist"));
    QVERIFY(!folder.entryList({"*.pb"}).isEmpty());
    for (const auto &file : folder.entryInfoList({"*.pb"}, QDir::Files))
        QTest::newRow(qPrintable(file.completeBaseName())) << file.absoluteFilePath();
}

void TestBuilders::goldenFiles() {
    QFETCH(QString, path);
    const QFileInfo info(path);
    const QStringList parts = info.completeBaseName().split("__");
    QCOMPARE(parts.size(), 3);
    QVERIFY2(goldenBuilders.contains(parts[2]), "a golden file of a builder that is not known here");
    static const QJsonObject models = [&info] {
        QFile file(info.dir().filePath("models.json"));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    }();
    Job job = jobOf(models[parts[0]].toArray());
    job.name = parts[0].toStdString();
    QVERIFY(!job.variables.empty());
    const auto cluster = readResourceSpecFile(info.dir().filePath(parts[1] + ".yml").toStdString());
    QVERIFY2(cluster.has_value(), cluster ? "" : cluster.error().toString().c_str());
    auto strategy = buildStrategy(goldenBuilders.at(parts[2]), job, *cluster);
    QVERIFY2(strategy.has_value(), strategy ? "" : strategy.error().toString().c_str());
    QVERIFY(strategy->id.empty()); // a pure function has no clock
    strategy->id = "20210101T000000M000000";

    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string golden = file.readAll().toStdString();
    QVERIFY(writeStrategyProto(*strategy) == golden);
    const auto read = readStrategyFile(path.toStdString());
    QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
    QVERIFY(*read == *strategy);
    const auto fromJson = readStrategyJson(writeStrategyJson(*strategy));
    QVERIFY2(fromJson.has_value(), fromJson ? "" : fromJson.error().toString().c_str());
    QVERIFY(*fromJson == *strategy);
    const auto matched = matchStrategy(*read, job);
    QVERIFY2(matched.has_value(), matched ? "" : matched.error().toString().c_str());
    QVERIFY(*matched == *strategy);
}

void TestBuilders::everySignatureBuilds() {
    const Job job = jobWith({{"a", {6, 4}, DataType::Float32, false, false}, {"b", {}, DataType::Float32, true, false}});
    const Cluster cluster = uniformCluster(3, 10);
    QCOMPARE(strategyBuilders().size(), std::size_t{8});
    for (const BuilderInfo &info : strategyBuilders()) {
        QVERIFY(!info.description.empty());
        const auto full = buildStrategy(info.signature, job, cluster);
        QVERIFY2(full.has_value(), full ? "" : full.error().toString().c_str());
        const auto bare = buildStrategy(info.name, job, cluster);
        QVERIFY(bare.has_value());
        QVERIFY(*full == *bare); // the signature states the defaults
        QCOMPARE(full->replicas.size(), std::size_t{3});
        QVERIFY(matchStrategy(*full, job).has_value());
    }
}

void TestBuilders::greedyLoads() {
    const Job job = jobWith({{"a", {10}, DataType::Float32, false, false},
                             {"b", {4}, DataType::Float32, false, false},
                             {"c", {3}, DataType::Float64, false, false},
                             {"d", {1}, DataType::Float32, false, false},
                             {"e", {1}, DataType::Float32, false, false}});
    const auto strategy = buildStrategy("PSLoadBalancing", job, uniformCluster(2, 10));
    // Bytes: a 40 -> 1; b 16, c 24 -> 2 (40 each); d 4 -> 1, the first of equals; e -> 2.
    const std::vector<std::string> expected{"10.0.0.1:CPU:0", "10.0.0.2:CPU:0", "10.0.0.2:CPU:0", "10.0.0.1:CPU:0",
                                            "10.0.0.2:CPU:0"};
    for (std::size_t v = 0; v < expected.size(); ++v)
        QCOMPARE(strategy->nodes[v].synchronizer.reductionDestination, expected[v]);
}

void TestBuilders::partsGoToTheLeastLoaded() {
    const Job job = jobWith({{"a:0", {1, 8}, DataType::Float32, false, false},
                             {"b:0", {9, 2}, DataType::Float32, false, false},
                             {"c:0", {8}, DataType::Float32, false, true}});
    const auto strategy = buildStrategy("PartitionedPS", job, uniformCluster(2, 10));
    QVERIFY(!strategy->nodes[0].isPartitioned());
    QVERIFY((strategy->nodes[1].partitions == std::vector<std::int32_t>{3, 1}));
    QCOMPARE(strategy->nodes[1].partitionAxis(), 0);
    QCOMPARE(strategy->nodes[1].parts[2].name, std::string("b/part_2:0"));
    QCOMPARE(strategy->nodes[1].parts[0].synchronizer.reductionDestination, std::string("10.0.0.2:CPU:0"));
    QCOMPARE(strategy->nodes[1].parts[1].synchronizer.reductionDestination, std::string("10.0.0.1:CPU:0"));
    QCOMPARE(strategy->nodes[1].parts[2].synchronizer.reductionDestination, std::string("10.0.0.2:CPU:0"));
    QVERIFY(!strategy->nodes[2].isPartitioned()); // read by a control-flow op
}

void TestBuilders::unevenCounts() {
    for (const auto &[dimension, parts] : std::map<std::int64_t, std::size_t>{{1, 0}, {2, 2}, {3, 2}, {4, 3}, {6, 4}, {12, 5}}) {
        const Job job = jobWith({{"v", {dimension}, DataType::Float32, false, false}});
        QCOMPARE(buildStrategy("UnevenPartitionedPS", job, uniformCluster(2, 10))->nodes[0].parts.size(), parts);
    }
}

void TestBuilders::allReduceGroups() {
    std::vector<Variable> variables;
    for (int v = 0; v < 7; ++v)
        variables.push_back({"v" + std::to_string(v), {2}, DataType::Float32, v == 3, false});
    const Job job = jobWith(variables);
    const auto strategy = buildStrategy("AllReduce(chunk_size=3)", job, uniformCluster(2, 10));
    for (std::size_t v = 0; v < 7; ++v) {
        QCOMPARE(strategy->nodes[v].synchronizer.group, static_cast<std::int32_t>(v / 3));
        QCOMPARE(strategy->nodes[v].synchronizer.spec, AllReduceSpec::Nccl);
    }
    const auto parallax = buildStrategy("Parallax(chunk_size=2, local_proxy_variable=True)", job, uniformCluster(2, 10));
    QCOMPARE(parallax->nodes[3].synchronizer.kind, SynchronizerKind::ParameterServer);
    QVERIFY(!parallax->nodes[3].synchronizer.localReplication);
    QCOMPARE(parallax->nodes[4].synchronizer.group, 2);
}

void TestBuilders::dedicatedServersReduce() {
    const Job job = jobWith({{"v", {2}, DataType::Float32, false, false}, {"w", {2}, DataType::Float32, false, false}});
    const auto strategy = buildStrategy("PSLoadBalancing", job, withDedicatedServers(uniformCluster(2, 10), 2));
    QCOMPARE(strategy->nodes[0].synchronizer.reductionDestination, std::string("ps0:CPU:0"));
    QCOMPARE(strategy->nodes[1].synchronizer.reductionDestination, std::string("ps1:CPU:0"));
    QCOMPARE(strategy->replicas.size(), std::size_t{2});
}

void TestBuilders::refuses_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("empty") << ""
                           << "name";
    QTest::newRow("unknown builder") << "AllReduced"
                                     << "UnevenPartitionedPS";
    QTest::newRow("unknown argument") << "AllReduce(chunk=1)"
                                      << "chunk_size, all_reduce_spec, compressor";
    QTest::newRow("unknown value") << "AllReduce(all_reduce_spec=MPI)"
                                   << "AUTO, NCCL, RING";
    QTest::newRow("chunk zero") << "AllReduce(chunk_size=0)"
                                << "whole number from 1";
    QTest::newRow("chunk negative") << "AllReduce(chunk_size=-3)"
                                    << "whole number from 1";
    QTest::newRow("chunk huge") << "AllReduce(chunk_size=99999999999)"
                                << "whole number from 1";
    QTest::newRow("chunk fractional") << "AllReduce(chunk_size=1.5)"
                                      << "whole number";
    QTest::newRow("twice") << "AllReduce(chunk_size=1, chunk_size=1)"
                           << "twice";
    QTest::newRow("twice by position") << "AllReduce(1, chunk_size=1)"
                                       << "twice";
    QTest::newRow("position after name") << "AllReduce(chunk_size=1, NCCL)"
                                         << "named argument";
    QTest::newRow("too many") << "PartitionedAR(1, 2)"
                              << "too many";
    QTest::newRow("not closed") << "PS(sync=True"
                                << "')'";
    QTest::newRow("goes on") << "PS() PS()"
                             << "end";
    QTest::newRow("open quote") << "AllReduce(compressor='None"
                                << "quoted";
    QTest::newRow("no value") << "PS(sync=)"
                              << "value";
    QTest::newRow("only a comma") << "PS(,)"
                                  << "value";
    QTest::newRow("flag") << "PS(sync=maybe)"
                          << "on or off";
    QTest::newRow("staleness without sync") << "PS(sync=False, staleness=2)"
                                            << "sync=True";
    QTest::newRow("staleness negative") << "PS(staleness=-1)"
                                        << "whole number from 0";
}

void TestBuilders::refuses() {
    QFETCH(QString, expression);
    QFETCH(QString, mentions);
    const Job job = jobWith({{"v", {2}, DataType::Float32, false, false}});
    const auto strategy = buildStrategy(expression.toStdString(), job, uniformCluster(2, 10));
    QVERIFY(!strategy);
    const QString text = QString::fromStdString(strategy.error().toString());
    QVERIFY2(text.contains(mentions), qPrintable(text));
}

void TestBuilders::absurdPartCounts() {
    // NCF's user table is really split into 138,493 parts; the prime 2^31 - 1 of rows is refused, rather than filling the memory.
    const Job ncf = jobWith({{"user:0", {138493, 192}, DataType::Float32, true, false}});
    QCOMPARE(buildStrategy("PartitionedAR", ncf, uniformCluster(2, 10))->nodes[0].parts.size(), std::size_t{138493});
    const Job absurd = jobWith({{"v", {(std::int64_t{1} << 31) - 1}, DataType::Int8, false, false}});
    for (const char *builder : {"PartitionedPS", "PartitionedAR", "RandomAxisPartitionAR"}) {
        const auto strategy = buildStrategy(builder, absurd, uniformCluster(2, 10));
        QVERIFY(!strategy);
        QVERIFY(strategy.error().what.find("'v'") != std::string::npos);
    }
}

/// Against trial division. A product of two primes beyond the limit counts as a prime, and is not tried any further: of 60 bits
/// that would take seconds for each variable of a job file.
void TestBuilders::divisorsUpToALimit() {
    for (std::int64_t number = 1; number <= 3000; ++number) {
        std::int64_t divisor = std::min<std::int64_t>(number, 2);
        while (number % divisor != 0)
            ++divisor;
        for (const std::int64_t most : {10, 1000, 5'000'000})
            QCOMPARE(smallestDivisor(number, most), divisor <= most ? divisor : number);
    }
    const std::int64_t prime = 1'000'003;
    QCOMPARE(smallestDivisor(prime * prime, 5'000'000), prime);
    QCOMPARE(smallestDivisor(prime * prime, 1000), prime * prime);
}

QTEST_GUILESS_MAIN(TestBuilders)
#include "tst_builders.moc"

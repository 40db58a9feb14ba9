// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"
#include "tests/files.h"

#include <QtTest>

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <fmt/format.h>
#include <fstream>

using namespace syncopate;
using syncopate::testing::must;

namespace {

Synchronizer server(const std::string &destination, bool sync = true, std::int32_t staleness = 0) {
    Synchronizer synchronizer;
    synchronizer.kind = SynchronizerKind::ParameterServer;
    synchronizer.reductionDestination = destination;
    synchronizer.sync = sync;
    synchronizer.staleness = staleness;
    return synchronizer;
}

Synchronizer reduced(std::int32_t group, AllReduceSpec spec = AllReduceSpec::Auto, Compressor compressor = Compressor::None) {
    Synchronizer synchronizer;
    synchronizer.group = group;
    synchronizer.spec = spec;
    synchronizer.compressor = compressor;
    return synchronizer;
}

Strategy sample() {
    Strategy strategy;
    strategy.id = "20200601T080115M902347";
    strategy.path = "/tmp/s";
    strategy.nodes = {{"a:0", {}, reduced(0), {}},
                      {"b:0", {}, reduced(7, AllReduceSpec::Ring, Compressor::HorovodEF), {}},
                      {"c:0", {}, server("10.0.0.1:CPU:0", true, 3), {}},
                      {"d:0", {1, 2}, {}, {{"d/part_0:0", server("10.0.0.2:CPU:0", false)}, {"d/part_1:0", reduced(1)}}}};
    strategy.replicas = {"10.0.0.1:GPU:0", "10.0.0.2:GPU:0"};
    return strategy;
}

Job sampleJob() {
    Job job;
    job.name = "sample";
    job.layers.push_back({"all", 1, 1, {}, {0, 1, 2, 3}});
    job.variables = {{"d:0", {5, 4}, DataType::Float32, false, false},
                     {"c:0", {}, DataType::Float32, false, false},
                     {"b:0", {3}, DataType::Float32, false, false},
                     {"a:0", {2}, DataType::Float32, false, false}};
    return job;
}

constexpr auto &field = testing::protobufField;

/// sample() with reductions that AutoDist's format cannot express.
Strategy reducedOtherwise() {
    Strategy strategy = sample();
    strategy.nodes[0].synchronizer.reduction = Reduction::ScatterGather;
    strategy.nodes[3].parts[1].synchronizer.reduction = Reduction::ReduceBroadcast;
    return strategy;
}

} // namespace

class TestStrategyFile : public QObject {
    Q_OBJECT
private slots:
    /// Settings for which AutoDist has no field are written only to JSON, marked as ours; its own format refuses them.
    void reductions() {
        const Strategy strategy = reducedOtherwise();
        const std::string json = writeStrategyJson(strategy);
        const auto read = readStrategyJson(json);
        VERIFY_VALUE(read);
        QVERIFY(*read == strategy);
        QVERIFY(json.find("\"syncopate_reduction\": \"REDUCE_SCATTER_ALL_GATHER\"") != std::string::npos);
        VERIFY_VALUE(checkWritable(strategy));
        const auto refused = checkForAutoDist(strategy);
        QVERIFY(!refused.has_value());
        QVERIFY2(refused.error().what.find("'a:0'") != std::string::npos, refused.error().what.c_str());
        Strategy part = strategy;
        part.nodes[0].synchronizer.reduction = Reduction::AllReduce;
        QVERIFY(checkForAutoDist(part).error().what.find("'d:0'") != std::string::npos);
        VERIFY_VALUE(checkForAutoDist(sample()));
        QVERIFY(writeStrategyJson(sample()).find("syncopate") == std::string::npos);
        std::string wrong = json;
        wrong.replace(wrong.find("\"REDUCE_SCATTER_ALL_GATHER\""), 27, "7");
        QVERIFY(!readStrategyJson(wrong).has_value());
    }

    /// The format has no field for a transfer destination, neither of a variable nor of a part.
    void transferDestinationsAreRefused() {
        VERIFY_VALUE(checkWritable(sample()));
        for (const std::size_t node : {std::size_t{2}, std::size_t{3}}) {
            Strategy strategy = sample();
            NodeConfig &config = strategy.nodes[node];
            (config.parts.empty() ? config.synchronizer : config.parts.front().synchronizer).transferDestination =
                "10.0.0.2:CPU:0";
            const auto refused = checkWritable(strategy);
            QVERIFY(!refused.has_value());
            QVERIFY2(refused.error().what.find(config.variableName) != std::string::npos, refused.error().what.c_str());
        }
    }

    void bytesOnTheWire();
    void roundTrips();
    void jsonIsAutoDistsOwn();
    void refusesWire_data();
    void refusesWire();
    void refusesJson_data();
    void refusesJson();
    void truncations();
    void flippedBytesNeverCrash();
    void decidesByContent();
    void damagedFiles();
    void ids();
    void matching();
    void oldVersions();
    void oldChunkSizes();
    void removedCompressor();
    void poseidon();
};

void TestStrategyFile::bytesOnTheWire() {
    Strategy strategy;
    strategy.nodes = {{"v", {}, reduced(0), {}}};
    // Node {"v", AllReduceSynchronizer{}} and GraphConfig{}: present, although empty.
    QVERIFY(writeStrategyProto(strategy) == std::string("\x1a\x05\x0a\x01v\x1a\x00\x22\x00", 9));
    const auto read = readStrategyProto(std::string_view("\x1a\x05\x0a\x01v\x1a\x00", 7));
    VERIFY_VALUE(read);
    QVERIFY(*read == strategy);
}

void TestStrategyFile::roundTrips() {
    const auto wire = readStrategyProto(writeStrategyProto(sample()));
    VERIFY_VALUE(wire);
    QVERIFY(*wire == sample());
    const auto json = readStrategyJson(writeStrategyJson(sample()));
    VERIFY_VALUE(json);
    QVERIFY(*json == sample());
}

void TestStrategyFile::jsonIsAutoDistsOwn() {
    const std::string json = writeStrategyJson(sample());
    for (const char *piece :
         {"\"node_config\"", "\"var_name\": \"a:0\"", "\"AllReduceSynchronizer\": {", "\"compressor\": \"HorovodCompressorEF\"",
          "\"PSSynchronizer\"", "\"reduction_destination\": \"10.0.0.1:CPU:0\"", "\"partitioner\": \"1,2\"", "\"part_config\"",
          "\"graph_config\""})
        QVERIFY2(json.find(piece) != std::string::npos, (std::string(piece) + " is not in\n" + json).c_str());
}

void TestStrategyFile::refusesWire_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("place");
    const auto row = [](const char *name, const std::string &bytes, const char *place) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(place);
    };
    const std::string name = field(1, "v:0");
    const std::string ar = field(3, "");
    const auto node = [](const std::string &content) { return field(3, content); };
    row("empty", "", "byte 0");
    row("text", "this is no strategy", "byte 0");
    row("trailing garbage", writeStrategyProto(sample()) + "garbage", "byte 0");
    row("trailing field", writeStrategyProto(sample()) + field(9, "x"), "");
    row("no nodes", field(1, "id"), "node_config");
    row("no name", node(ar), "node_config[0].var_name");
    row("no synchronizer", node(name + ar) + node(name), "node_config[1]");
    row("unknown field in a node", node(name + ar + field(6, "x")), "node_config[0]");
    row("unknown field in a synchronizer", node(name + field(3, field(9, "x"))), "node_config[0].AllReduceSynchronizer");
    row("no destination", node(name + field(2, "")), "node_config[0].PSSynchronizer.reduction_destination");
    row("stale without sync", node(name + field(2, field(1, "d") + std::string("\x20\x02"))),
        "node_config[0].PSSynchronizer.staleness");
    row("spec", node(name + field(3, std::string("\x08\x07"))), "node_config[0].AllReduceSynchronizer.spec");
    row("compressor", node(name + field(3, std::string("\x10\x03"))), "node_config[0].AllReduceSynchronizer.compressor");
    row("group", node(name + field(3, std::string("\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))),
        "node_config[0].AllReduceSynchronizer.group");
    const std::string part = field(5, name + ar);
    row("parts without partitioner", node(name + part + part), "node_config[0].partitioner");
    row("parts and a synchronizer", node(name + ar + field(4, "2,1") + part + part), "node_config[0]");
    row("too few parts", node(name + field(4, "3,1") + part + part), "node_config[0].part_config");
    row("too many parts", node(name + field(4, "2") + part + part + part), "node_config[0].part_config");
    row("a million parts", node(name + field(4, "2000000000")), "node_config[0].part_config");
    for (const char *bad : {"x", "2,", ",2", "2,,1", "1,1", "2,2", "0,2", "-2", "2 ", "99999999999", "2.0"})
        row((std::string("partitioner ") + bad).c_str(), node(name + field(4, bad) + part + part), "node_config[0].partitioner");
    row("part of a part", node(name + field(4, "2") + part + field(5, name + field(4, "2") + part + part)),
        "node_config[0].part_config[1]");
    row("part of a part without partitioner", node(name + field(4, "2") + part + field(5, name + ar + part)),
        "node_config[0].part_config[1]");
    row("part without synchronizer", node(name + field(4, "2") + part + field(5, name)), "node_config[0].part_config[1]");
    std::string deep = name + ar;
    for (int level = 0; level < 200; ++level)
        deep = name + field(4, "2") + field(5, deep);
    row("deep recursion", node(deep), "byte 0");
    row("not UTF-8", node(field(1, "\xff\xfe") + ar), "byte 0");
    // The poseidon branch: partitioner is field 5, parts are field 6.
    row("poseidon", node(name + field(5, "2,1") + field(6, name + ar)), "byte 0");
}

void TestStrategyFile::refusesWire() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, place);
    const auto strategy = readStrategyProto(bytes.toStdString(), "s.pb");
    QVERIFY(!strategy);
    QCOMPARE(strategy.error().file, std::string("s.pb"));
    QVERIFY(!strategy.error().remedy.empty());
    QVERIFY2(QString::fromStdString(strategy.error().place) == place, strategy.error().toString().c_str());
}

void TestStrategyFile::refusesJson_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << "";
    QTest::newRow("list") << "[]";
    QTest::newRow("number") << "3";
    QTest::newRow("no nodes") << "{}";
    QTest::newRow("unknown field") << R"({"nodes": []})";
    QTest::newRow("wrong type") << R"({"node_config": 5})";
    QTest::newRow("group is a text") << R"({"node_config": [{"var_name": "v", "AllReduceSynchronizer": {"group": "x"}}]})";
    QTest::newRow("spec") << R"({"node_config": [{"var_name": "v", "AllReduceSynchronizer": {"spec": "MPI"}}]})";
    QTest::newRow("two synchronizers")
        << R"({"node_config": [{"var_name": "v", "AllReduceSynchronizer": {}, "PSSynchronizer": {"reduction_destination": "d"}}]})";
    QTest::newRow("no synchronizer") << R"({"node_config": [{"var_name": "v"}]})";
    QTest::newRow("cut") << R"({"node_config": [{"var_name": "v", "AllReduceSynchronizer": {})";
    QTest::newRow("goes on") << R"({"node_config": [{"var_name": "v", "AllReduceSynchronizer": {}}]} x)";
    QTest::newRow("deep") << QString(5000, '[');
    QTest::newRow("deep objects") << QString(R"({"node_config": [{"part_config": [)").repeated(300);
}

void TestStrategyFile::refusesJson() {
    QFETCH(QString, text);
    const auto strategy = readStrategyJson(text.toStdString(), "s.json");
    QVERIFY(!strategy);
    QCOMPARE(strategy.error().file, std::string("s.json"));
    QVERIFY(!strategy.error().what.empty());
    QVERIFY(!strategy.error().remedy.empty());
}

void TestStrategyFile::truncations() {
    // Truncated between two top-level fields it is a shorter strategy; any other truncation is refused.
    const std::string wire = writeStrategyProto(sample());
    int whole = 0;
    for (std::size_t length = 0; length < wire.size(); ++length)
        whole += readStrategyProto(std::string_view(wire).substr(0, length)).has_value() ? 1 : 0;
    QCOMPARE(whole, 4);
    const std::string json = writeStrategyJson(sample());
    for (std::size_t length = 0; length + 2 < json.size(); ++length)
        QVERIFY2(!readStrategyJson(std::string_view(json).substr(0, length)), fmt::format("cut at {}", length).c_str());
}

void TestStrategyFile::flippedBytesNeverCrash() {
    const std::string wire = writeStrategyProto(sample());
    for (std::size_t at = 0; at < wire.size(); ++at)
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = wire;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            const auto strategy = readStrategyProto(damaged);
            if (strategy)
                VERIFY_VALUE(readStrategyProto(writeStrategyProto(*strategy)));
            else
                QVERIFY2(!strategy.error().what.empty(), fmt::format("bit {} of byte {}", bit, at).c_str());
        }
}

void TestStrategyFile::decidesByContent() {
    QTemporaryDir folder;
    const auto save = [&folder](const char *name, const std::string &content) {
        const std::string path = folder.filePath(name).toStdString();
        std::ofstream(path, std::ios::binary) << content;
        return path;
    };
    // The names contradict the content.
    QVERIFY(*readStrategyFile(save("a.json", writeStrategyProto(sample()))) == sample());
    for (const char *space : {"\n  ", "\n", "\n\n", " \n"}) // a line feed is also the first byte of protobuf
        QVERIFY(must(readStrategyFile(save("b.pb", space + writeStrategyJson(sample())))) == sample());
    const auto missing = readStrategyFile("/nowhere/s.pb");
    QVERIFY(!missing);
    QCOMPARE(missing.error().file, std::string("/nowhere/s.pb"));
}

void TestStrategyFile::damagedFiles() {
    const QDir folder(QStringLiteral(SYNCOPATE_SOURCE "/tests/damaged/strategy"));
    const auto files = folder.entryInfoList(QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const auto &file : files) {
        const std::string path = file.absoluteFilePath().toStdString();
        const auto strategy = readStrategyFile(path);
        QVERIFY2(!strategy, path.c_str());
        QCOMPARE(strategy.error().file, path);
    }
}

void TestStrategyFile::ids() {
    const QRegularExpression form("^20\\d{6}T\\d{6}M\\d{6}$");
    QVERIFY(form.match(QString::fromStdString(newStrategyId())).hasMatch());
}

void TestStrategyFile::matching() {
    const auto matched = matchStrategy(sample(), sampleJob());
    VERIFY_VALUE(matched);
    const std::vector<std::string> order{"d:0", "c:0", "b:0", "a:0"};
    for (std::size_t v = 0; v < order.size(); ++v)
        QCOMPARE(matched->nodes[v].variableName, order[v]);
    QCOMPARE(matched->nodes[0].parts.size(), std::size_t{2});
    QCOMPARE(matched->id, sample().id);

    const auto refused = [](const Strategy &strategy, const Job &job, const char *mentions) {
        const auto result = matchStrategy(strategy, job, "s.pb");
        return !result && result.error().file == "s.pb" && result.error().what.find(mentions) != std::string::npos;
    };
    Strategy strategy = sample();
    strategy.nodes.pop_back();
    QVERIFY(refused(strategy, sampleJob(), "'d:0'"));
    strategy = sample();
    strategy.nodes.push_back(strategy.nodes[0]);
    QVERIFY(refused(strategy, sampleJob(), "'a:0'"));
    strategy = sample();
    strategy.nodes[1].variableName = "other";
    QVERIFY(refused(strategy, sampleJob(), "'other'"));
    Job job = sampleJob();
    job.variables[0].shape = {5, 1};
    QVERIFY(refused(sample(), job, "'d:0'"));
    job.variables[0].shape = {5};
    QVERIFY(refused(sample(), job, "'d:0'"));
    strategy = sample();
    strategy.nodes[3].parts.pop_back();
    QVERIFY(refused(strategy, sampleJob(), "'d:0'"));
    // A hand-written job may omit TensorFlow's ":0".
    job = sampleJob();
    for (Variable &variable : job.variables)
        variable.name.resize(1);
    const auto loose = matchStrategy(sample(), job);
    VERIFY_VALUE(loose);
    QCOMPARE(loose->nodes[3].variableName, std::string("a"));
}

namespace {

/// A number below 128, encoded by hand: these files have a format that the code no longer writes.
std::string number(int tag, int value) { return {static_cast<char>(tag << 3), static_cast<char>(value)}; }

} // namespace

void TestStrategyFile::oldVersions() {
    // AutoDist: several destinations mean parts along dimension 0; a single one is the present format.
    const std::string ps = field(1, "h0:CPU:0") + field(1, "h1:CPU:0") + field(1, "h0:CPU:0") + number(3, 1) + number(4, 2);
    const std::string one = field(1, "h1:CPU:0") + number(3, 1);
    const std::string bytes = field(1, "old") + field(3, field(1, "w:0") + field(2, ps)) +
                              field(3, field(1, "b:0") + field(2, one)) + field(4, field(1, "h0:GPU:0"));
    const auto strategy = readStrategyProto(bytes);
    VERIFY_VALUE(strategy);
    QCOMPARE(strategy->id, std::string("old"));
    const NodeConfig &node = strategy->nodes[0];
    QCOMPARE(node.parts.size(), std::size_t{3});
    QCOMPARE(node.parts[1].name, std::string("w/part_1:0"));
    QCOMPARE(node.parts[1].synchronizer.reductionDestination, std::string("h1:CPU:0"));
    QCOMPARE(node.parts[2].synchronizer.reductionDestination, std::string("h0:CPU:0"));
    QCOMPARE(node.parts[2].synchronizer.staleness, 2);
    QVERIFY(!strategy->nodes[1].isPartitioned());
    QCOMPARE(strategy->nodes[1].synchronizer.reductionDestination, std::string("h1:CPU:0"));
    QVERIFY(*readStrategyProto(writeStrategyProto(*strategy)) == *strategy);

    Job job;
    job.name = "old";
    job.variables = {{"w:0", {7, 4, 2}, DataType::Float32, false, false}, {"b:0", {4}, DataType::Float32, false, false}};
    job.layers = {{"layer", 1, 1, {}, {0, 1}}};
    const auto matched = matchStrategy(*strategy, job);
    VERIFY_VALUE(matched);
    QVERIFY((matched->nodes[0].partitions == std::vector<std::int32_t>{3, 1, 1}));
    job.variables[0].shape = {2, 4, 2}; // three parts for two rows
    QVERIFY(!matchStrategy(*strategy, job));
}

void TestStrategyFile::oldChunkSizes() {
    const auto reduced = [](const char *name, int third) {
        return field(3, field(1, name) + field(3, number(1, 1) + number(3, third)));
    };
    const std::string split = field(3, field(1, "w:0") + field(2, field(1, "h0:CPU:0") + field(1, "h1:CPU:0") + number(3, 1)));
    std::string bytes = split;
    for (const char *name : {"a:0", "b:0", "c:0", "d:0", "e:0"})
        bytes += reduced(name, 2);
    const auto old = readStrategyProto(bytes);
    VERIFY_VALUE(old);
    std::vector<std::int32_t> groups;
    for (std::size_t n = 1; n < old->nodes.size(); ++n)
        groups.push_back(old->nodes[n].synchronizer.group);
    QVERIFY((groups == std::vector<std::int32_t>{0, 0, 1, 1, 2}));
    // Without such a variable the number is the present group: nothing is changed silently.
    const auto today = readStrategyProto(reduced("a:0", 2) + reduced("b:0", 2));
    QCOMPARE(today->nodes[1].synchronizer.group, 2);
}

void TestStrategyFile::removedCompressor() {
    const auto strategy = readStrategyProto(field(3, field(1, "w:0") + field(3, number(2, 3))), "s.pb");
    QVERIFY(!strategy);
    QVERIFY(strategy.error().what.find("PowerSGD") != std::string::npos);
    QCOMPARE(strategy.error().place, std::string("node_config[0].AllReduceSynchronizer.compressor"));
}

void TestStrategyFile::poseidon() {
    // The branch moved the partitioner to 5 and the parts to 6.
    const std::string node = field(1, "w:0") + field(6, field(1, "w/part_0:0") + field(3, ""));
    const auto strategy = readStrategyProto(field(3, node), "s.pb");
    QVERIFY(!strategy);
    QVERIFY(strategy.error().remedy.find("poseidon") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestStrategyFile)
#include "tst_strategy_file.moc"

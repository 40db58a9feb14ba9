// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks.h"
#include "tests/profile/tiny_trace.h"

#include "engine/profile/profile.h"
#include "engine/profile/torch/execution_trace.h"
#include "tests/foreign_traces.h"

#include <QtTest>

#include <QFile>
#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <map>

using namespace syncopate;

namespace {

const std::string traces = testing::foreignTrace("");

Result<ExecutionTrace> readFile(const std::string &path) {
    auto source = ByteSource::openFile(path);
    return source ? readExecutionTrace(**source, path) : tl::unexpected(source.error());
}

Result<ExecutionTrace> readText(const std::string &text) {
    const auto source = ByteSource::fromMemory(text);
    return readExecutionTrace(*source, "et_0.json");
}

/// Two all-reduces and two gradients in schema 1.0.1.
std::string flat(int elements = 6) {
    return fmt::format(
        R"~({{"schema": "1.0.1", "pid": 1, "time": "now", "start_ts": 1, "nodes": [
        {{"name": "record_param_comms", "id": 9, "rf_id": 4, "tid": 2, "inputs": [[[1, 2, 0, 2, 4, "cuda:0"]], 150, 77, 0, "allreduce", [], []],
          "input_shapes": [[[2]], []], "input_types": ["GenericList[Tensor(float)]", "Int"], "outputs": [[[1, 2, 0, 2, 4, "cuda:0"]]]}},
        {{"name": "record_param_comms", "id": 12, "rf_id": 5, "tid": 2, "inputs": [[[1, 2, 0, {}, 4, "cuda:0"]], 151, 77, 0, "allreduce", [], []],
          "input_shapes": [[[6]], []], "input_types": ["GenericList[Tensor(float)]", "Int"], "outputs": []}},
        {{"name": "torch::autograd::AccumulateGrad", "id": 11, "tid": 2, "inputs": [[5, 6, 0, 6, 4, "cuda:0"]],
          "input_shapes": [[2, 3, 1, 1]], "input_types": ["Tensor(float)"]}},
        {{"name": "torch::autograd::AccumulateGrad", "id": 7, "tid": 2, "inputs": [[5, 6, 0, 2, 4, "cuda:0"]],
          "input_shapes": [[2]], "input_types": ["Tensor(float)"]}}
        ], "finish_ts": 2}})~",
        elements);
}

/// tiny::trace() with record_param_comms around the two launches, without sizes.
std::string silentTrace(bool sizes = false) {
    tiny::Spelling s;
    s.shapes = s.metadata = false;
    const std::string args = sizes ? R"("Collective name": "allreduce", "In msg nelems": 6, "Group size": 2)" : "";
    return R"({"distributedInfo": {"rank": 0, "world_size": 2}, "traceEvents": [)" + tiny::events(s) + ",\n" +
           tiny::host(s, s.op, s.backwardThread, "record_param_comms", 75, 3, "") + ",\n" +
           tiny::host(s, s.op, s.backwardThread, "record_param_comms", 95, 3, args) + "]}";
}

} // namespace

class TestExecutionTrace : public QObject {
    Q_OBJECT

private slots:
    /// Counts and sizes read from the files independently.
    void realFiles() {
        REQUIRE_FOREIGN_TRACE("pytorch_et");
        using Counts = std::map<std::string, int>;
        const auto count = [](const ExecutionTrace &trace) {
            Counts counts;
            for (const auto &c : trace.communications) {
                if (c.name != "wait")
                    ++counts[fmt::format("{}[{}] {}", c.name, c.inElements, c.type)];
            }
            return counts;
        };
        const auto resnet = readFile(traces + "pytorch_et/param_resnet50_ddp_ws1_et_1.1.0.json.gz");
        VERIFY_VALUE(resnet);
        QCOMPARE(resnet->schema, std::string("1.1.0-chakra.0.0.4"));
        QCOMPARE(resnet->nodeCount, std::uint64_t{14392});
        QVERIFY((count(*resnet) == Counts{{"broadcast[53120] Float", 3},
                                          {"broadcast[53] Long", 3},
                                          {"allreduce[2049000] Float", 3},
                                          {"allreduce[7875584] Float", 3},
                                          {"allreduce[6563840] Float", 3},
                                          {"allreduce[6637568] Float", 3},
                                          {"allreduce[2431040] Float", 3}}));
        QCOMPARE(resnet->gradients.size(), std::size_t{483});
        std::int64_t elements = 0;
        for (std::size_t i = 0; i < 161; ++i) {
            std::int64_t product = 1;
            for (const std::int64_t d : resnet->gradients[i].dims)
                product *= d;
            elements += product;
        }
        QCOMPARE(elements, std::int64_t{25557032});
        QCOMPARE(resnet->groups.size(), std::size_t{1});
        QCOMPARE(resnet->communications.front().groupSize, std::int64_t{1});
        const auto linear = readFile(traces + "pytorch_et/param_linear_et_1.0.1.json.gz");
        VERIFY_VALUE(linear);
        QCOMPARE(linear->nodeCount, std::uint64_t{931});
        QVERIFY(linear->communications.empty());
        QCOMPARE(linear->gradients.size(), std::size_t{42});
    }

    /// The 1-GPU trace of 21 linear layers has no shapes; its execution trace does.
    void shapesForALinearModel() {
        REQUIRE_FOREIGN_TRACE("pytorch_et");
        const auto profile =
            importProfiles({traces + "kineto/param_linear_1gpu.json.gz", traces + "pytorch_et/param_linear_et_1.0.1.json.gz"});
        VERIFY_VALUE(profile);
        const Job &job = (*profile)->job;
        QCOMPARE(job.variables.size(), std::size_t{42});
        QCOMPARE(job.parameterCount() % (1024 * 1024 + 1024), std::int64_t{0});
        QCOMPARE(job.parameterCount(), std::int64_t{21} * (1024 * 1024 + 1024));
        QVERIFY((job.variables[0].shape == std::vector<std::int64_t>{1024, 1024}) ||
                (job.variables[0].shape == std::vector<std::int64_t>{1024}));
    }

    /// Eight ranks with their execution traces, both in archives, compared with sizes read independently.
    void dlrmByOrder() {
        REQUIRE_FOREIGN_TRACE("pytorch_et");
        for (const bool companionsFirst : {false, true}) {
            std::vector<std::string> paths{traces + "kineto/param_dlrm_v100_ws8_all_ranks.tar.gz",
                                           traces + "pytorch_et/param_dlrm_ws8_all_ranks_et.tar.gz"};
            if (companionsFirst)
                std::swap(paths[0], paths[1]);
            const auto profile = importProfiles(paths);
            VERIFY_VALUE(profile);
            QCOMPARE((*profile)->ranks.size(), std::size_t{8});
            QCOMPARE((*profile)->gradients.size(), std::size_t{3});
            QCOMPARE((*profile)->gradients[0].elements, std::int64_t{394241});
            QCOMPARE((*profile)->gradients[1].elements, std::int64_t{112});
            QCOMPARE((*profile)->gradients[2].elements, std::int64_t{226960});
            std::map<double, int> bytes; // rank 0's collectives: 4-byte floats and ints, 8-byte longs
            for (const Lane &lane : (*profile)->timeline.lanes) {
                for (std::size_t i = 0; i < lane.size(); ++i) {
                    if (lane.worker == 0 && isCommunication(lane.category[i]))
                        ++bytes[lane.sizeBytes[i]];
                }
            }
            QVERIFY((bytes == std::map<double, int>{{4. * 394241, 1},
                                                    {4. * 112, 1},
                                                    {4. * 226960, 1},
                                                    {4. * 6144, 2},
                                                    {4. * 384, 1},
                                                    {4. * 3392, 1},
                                                    {8. * 24, 1}}));
        }
    }

    void strangersAreRefused() {
        REQUIRE_FOREIGN_TRACE("pytorch_et");
        const auto strange = [](const std::string &kineto, const std::string &companion, const char *why) {
            const auto profile = importProfiles({traces + kineto, traces + companion});
            QVERIFY(!profile);
            QVERIFY2(profile.error().what.find(why) != std::string::npos, profile.error().toString().c_str());
            QCOMPARE(profile.error().file, traces + companion);
        };
        strange("kineto/hta_resnet50_ddp_a100_ws2_rank0.json.gz", "pytorch_et/param_resnet50_ddp_ws1_et_1.1.0.json.gz",
                "is among 1 ranks, there among 2");
        strange("kineto/kineto_resnet50_v100_2021_old_format_a.json.gz", "pytorch_et/param_resnet50_ddp_ws1_et_1.1.0.json.gz",
                "does not belong to the Kineto trace");
        const auto alone = importProfile(traces + "pytorch_et/param_linear_et_1.0.1.json.gz");
        QVERIFY(!alone);
        QVERIFY(alone.error().what.find("execution trace") != std::string::npos);
        const auto unpaired = importProfiles({traces + "pytorch_et/param_dlrm_ws8_all_ranks_et.tar.gz",
                                              traces + "kineto/hta_resnet50_ddp_a100_ws2_rank0.json.gz"});
        QVERIFY(!unpaired);
    }

    void joinByOrder() {
        const std::string text = silentTrace();
        const auto source = ByteSource::fromMemory(text);
        auto trace = readTraceEvents(*source);
        VERIFY_VALUE(trace);
        const auto companion = readText(flat());
        VERIFY_VALUE(companion);
        QCOMPARE(companion->rank, std::int64_t{0});
        QCOMPARE(companion->gradients[0].id, std::int64_t{7}); // by id, not by position
        const auto use = applyExecutionTrace(*trace, *companion);
        VERIFY_VALUE(use);
        QCOMPARE(use->sizes, std::uint64_t{2});
        QCOMPARE(use->groups, std::uint64_t{2});
        QCOMPARE(use->variables, std::uint64_t{2});
        const auto profile = analyseTrace(*trace, "tiny.json", {}, {});
        VERIFY_VALUE(profile);
        const Job &job = (*profile)->job;
        QCOMPARE(job.variables.size(), std::size_t{2});
        QVERIFY((job.variables[0].shape == std::vector<std::int64_t>{2, 3, 1, 1}));
        QCOMPARE((*profile)->gradients[0].elements, std::int64_t{2});
        QCOMPARE((*profile)->gradients[1].elements, std::int64_t{6});
    }

    void sizesThatDiffer() {
        const std::string text = silentTrace(true);
        const auto source = ByteSource::fromMemory(text);
        auto trace = readTraceEvents(*source);
        VERIFY_VALUE(trace);
        const auto companion = readText(flat(5));
        VERIFY_VALUE(companion);
        const auto use = applyExecutionTrace(*trace, *companion);
        QVERIFY(!use);
        QVERIFY(use.error().what.find("has 5 elements, there 6") != std::string::npos);
        QCOMPARE(use.error().file, std::string("et_0.json"));
    }

    /// Groups are listed in one node, by name and in old schemas by an id; a communication that names none has none.
    void groupsByNameAndId() {
        const auto communication = [](int id, const char *group) {
            return fmt::format(
                R"({{"id": {}, "name": "record_param_comms", "inputs": [[], 150, {}, 0, "allreduce", [], []], "outputs": []}})",
                id, group);
        };
        const auto trace = readText(
            "{\"schema\": \"1.0.2\", \"nodes\": [{\"id\": 1, \"name\": \"## process_group:init ##\", \"inputs\": "
            "[\"[{\\\"pg_name\\\": \\\"0\\\", \\\"group_size\\\": 8}, "
            "{\\\"pg_name\\\": \\\"7\\\", \\\"backend_id\\\": 93, \\\"group_size\\\": 2}]\"]}, " +
            communication(2, "0") + "," + communication(3, "93") + "," + communication(4, "7") + "," + communication(5, "null") +
            "," + communication(6, R"(["0", "default_pg"])") + "," + communication(7, "5") +
            R"(,{"id": 8, "name": "record_param_comms", "inputs": [150, ["0", "default_pg"], 7, "barrier"], "outputs": []},)"
            R"({"id": 9, "name": "record_param_comms", "inputs": [[150, false], ["0", "default_pg"], 7, "wait"], "outputs": []}]})");
        VERIFY_VALUE(trace);
        QCOMPARE(trace->groups.size(), std::size_t{2});
        QStringList got;
        for (const ExecutionTrace::Communication &one : trace->communications)
            got.push_back(QString("%1: '%2' of %3").arg(one.id).arg(QString::fromStdString(one.groupName)).arg(one.groupSize));
        const QStringList want{"2: '' of -1", "3: '7' of 2",  "4: '7' of 2", "5: '' of -1",
                               "6: '0' of 8", "7: '5' of -1", "8: '0' of 8", "9: '0' of 8"}; // without tensors; 7 is the rank
        QCOMPARE(got, want);
    }

    /// In newer traces both sides have the same record function ids; order does not matter then.
    void joinByRecordId() {
        tiny::Spelling s;
        s.shapes = s.metadata = false;
        const std::string text =
            "[" + tiny::events(s) + ",\n" +
            tiny::host(s, s.op, s.backwardThread, "record_param_comms", 75, 3, R"("Record function id": 41)") + ",\n" +
            tiny::host(s, s.op, s.backwardThread, "record_param_comms", 95, 3, R"("Record function id": 40)") + "]";
        const auto node = [](int id, int record, int elements) {
            return fmt::format(R"({{"id": {}, "name": "record_param_comms", "ctrl_deps": 1,
                "inputs": {{"values": [[[1, 2, 0, {}, 4, "cuda:0"]], 3, ["0", "default_pg"], 0, "allreduce", [], [], 0, 1, 2], "shapes": [], "types": []}},
                "outputs": {{"values": [], "shapes": [], "types": []}},
                "attrs": [{{"name": "rf_id", "type": "uint64", "value": {}}}, {{"name": "tid", "type": "uint64", "value": 2}},
                {{"name": "collective_name", "type": "string", "value": "allreduce"}}, {{"name": "in_msg_nelems", "type": "uint64", "value": {}}},
                {{"name": "dtype", "type": "string", "value": "Float"}}, {{"name": "pg_name", "type": "string", "value": "0"}}, {{"name": "pg_size", "type": "uint64", "value": 2}}]}})",
                               id, elements, record, elements);
        };
        const auto companion = readText(R"({"schema": "1.1.0-chakra.0.0.4", "nodes": [)" + node(5, 40, 6) + "," + node(6, 41, 2) +
                                        "," + node(7, 99, 1) + "]}");
        VERIFY_VALUE(companion);
        QCOMPARE(companion->communications[0].groupSize, std::int64_t{2});
        const auto source = ByteSource::fromMemory(text);
        auto trace = readTraceEvents(*source);
        VERIFY_VALUE(trace);
        const auto use = applyExecutionTrace(*trace, *companion);
        VERIFY_VALUE(use);
        QVERIFY(use->byRecordId);
        const auto profile = analyseTrace(*trace, "tiny.json", {}, {});
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->gradients[0].elements, std::int64_t{2});
        QCOMPARE((*profile)->gradients[1].elements, std::int64_t{6});
        QCOMPARE((*profile)->job.parameterCount(), std::int64_t{8});
    }

    /// Files in any order: by name, each rank's after its execution trace, and all of the latter first or last.
    void mixedFolders() {
        for (const char *prefixes : {"abcd", "cdab", "acbd", "badc"}) {
            QTemporaryDir folder;
            const auto write = [&](char prefix, const char *name, const std::string &text) {
                std::ofstream(folder.filePath(QChar(prefix) + QString(name)).toStdString()) << text;
            };
            write(prefixes[0], "_et_rank_0.json", flat());
            write(prefixes[1], "_rank_0.json", silentTrace());
            write(prefixes[2], "_et_rank_1.json", flat());
            write(prefixes[3], "_rank_1.json", tiny::replaced(silentTrace(), "\"rank\": 0", "\"rank\": 1"));
            const auto profile = importProfile(folder.path().toStdString());
            VERIFY_VALUE(profile);
            QCOMPARE((*profile)->ranks.size(), std::size_t{2});
            for (const Lane &lane : (*profile)->timeline.lanes) {
                if (!lane.isCompute)
                    QCOMPARE(lane.sizeBytes, (std::vector<double>{8, 24}));
            }
        }
        QTemporaryDir folder;
        std::ofstream(folder.filePath("rank_0.json").toStdString()) << silentTrace();
        std::ofstream(folder.filePath("et_7.json").toStdString()) << flat();
        const auto other = importProfile(folder.path().toStdString());
        QVERIFY(!other);
        QVERIFY2(other.error().what.find("no Kineto trace of rank 7") != std::string::npos, other.error().toString().c_str());
    }

    /// A folder of ranks with one execution trace, which is that of the rank in its name, whichever rank is read first.
    void aFolderAndOneExecutionTrace() {
        QTemporaryDir folder, other;
        std::ofstream(folder.filePath("rank_0.json").toStdString()) << silentTrace();
        std::ofstream(folder.filePath("rank_1.json").toStdString())
            << tiny::replaced(silentTrace(), "\"rank\": 0", "\"rank\": 1");
        const std::string ranks = folder.path().toStdString(), own = other.filePath("et_rank_1.json").toStdString(),
                          strange = other.filePath("et_rank_7.json").toStdString();
        for (const std::string &file : {own, strange}) // without groups, which one rank alone would name
            std::ofstream(file) << tiny::replaced(flat(), ", 77, 0", ", null, 0");
        for (const auto &paths : {std::vector{ranks, own}, std::vector{own, ranks}}) {
            const auto profile = importProfiles(paths);
            VERIFY_VALUE(profile);
            QCOMPARE((*profile)->ranks.size(), std::size_t{2});
            std::map<std::int32_t, std::vector<double>> sizes;
            for (const Lane &lane : (*profile)->timeline.lanes)
                if (!lane.isCompute)
                    sizes[lane.worker] = lane.sizeBytes;
            QCOMPARE(sizes[0], (std::vector<double>{0, 0}));
            QCOMPARE(sizes[1], (std::vector<double>{8, 24}));
        }
        const auto profile = importProfiles({ranks, strange});
        QVERIFY(!profile);
        QVERIFY2(profile.error().what.find("no Kineto trace of rank 7") != std::string::npos, profile.error().toString().c_str());
    }

    void sniffs() {
        QVERIFY(looksLikeExecutionTrace(flat()));
        const std::string marked = "\xef\xbb\xbf" + flat(); // as some editors write it
        QVERIFY(looksLikeExecutionTrace(marked));
        VERIFY_VALUE(readText(marked));
        QVERIFY(looksLikeExecutionTrace("\n {\"schema\": \"1.1\", \"nodes\": [{\"id"));
        for (const char *other : {"", "{", "[]", R"({"schemaVersion": 1, "traceEvents": []})", R"({"nodes": []})",
                                  R"({"schema": 1})", R"({"workload_graph": []})", "{\"schema\": \"1"})
            QVERIFY2(!looksLikeExecutionTrace(other), other);
    }

    /// Nodes that say nothing more still take memory, which a user's limit bounds.
    void keptNodesAreLimited() {
        constexpr std::size_t nodes = 4096;
        std::string text = R"({"schema": "1.0.1", "nodes": [)";
        for (std::size_t n = 0; n < nodes; ++n)
            text += n == 0 ? R"({"name":"record_param_comms"})" : R"(,{"name":"record_param_comms"})";
        text += "]}";
        const auto all = readText(text);
        VERIFY_VALUE(all);
        QCOMPARE(all->communications.size(), nodes);
        const std::uint64_t kept = nodes * sizeof(ExecutionTrace::Communication);
        const auto within = [&](std::uint64_t bytes) {
            const auto source = ByteSource::fromMemory(text);
            source->setLimits(ReadLimits::of(bytes));
            return readExecutionTrace(*source, "et_0.json");
        };
        VERIFY_VALUE(within(2 * kept));
        const auto beyond = within(kept / 2);
        QVERIFY(!beyond);
        QVERIFY2(beyond.error().toString().find("--limit") != std::string::npos, beyond.error().toString().c_str());
    }

    void truncationsAndDamage() {
        const std::string text = flat();
        for (std::size_t length = 0; length < text.size(); ++length) {
            const auto trace = readText(text.substr(0, length));
            QVERIFY2(!trace, std::to_string(length).c_str());
            QVERIFY(!trace.error().what.empty() && trace.error().file == "et_0.json");
        }
        for (std::size_t at = 0; at < text.size(); ++at) {
            for (const char wrong : {'"', '\0', '[', '}', '9'}) {
                std::string changed = text;
                changed[at] = wrong;
                const auto trace = readText(changed);
                QVERIFY(trace || !trace.error().what.empty());
                if (!trace)
                    continue;
                const std::string silent = silentTrace();
                const auto source = ByteSource::fromMemory(silent);
                auto events = readTraceEvents(*source);
                const auto use = applyExecutionTrace(*events, *trace);
                QVERIFY(use || !use.error().what.empty());
            }
        }
    }

    void damagedFiles() {
        int files = 0;
        for (const auto &entry : std::filesystem::directory_iterator(SYNCOPATE_SOURCE "/tests/damaged/execution_trace")) {
            const auto trace = readFile(entry.path().string());
            QVERIFY2(!trace, entry.path().c_str());
            QVERIFY2(!trace.error().what.empty() && trace.error().file == entry.path().string(), entry.path().c_str());
            ++files;
        }
        COMPARE_AT_LEAST(files, 4);
    }
};

QTEST_GUILESS_MAIN(TestExecutionTrace)
#include "tst_execution_trace.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// For a known format that is not supported, the error names it: for a file, in a folder, in an archive and in a set.
#include "tests/files.h"
#include "tests/foreign_traces.h"
#include "tests/profile/rank_traces.h"

#include "engine/profile/profile.h"

#include <QtTest>

#include <filesystem>

using namespace syncopate;

namespace {

constexpr auto &field = testing::protobufField;

std::string chakra() {
    const std::string metadata = field(1, "0.0.4"), node = "\x08\x01" + field(2, "op") + "\x18\x04";
    return std::string(1, static_cast<char>(metadata.size())) + metadata + static_cast<char>(node.size()) + node;
}

std::string xplane() { return field(1, "\x08\x02" + field(2, "/device:TPU:0") + field(3, std::string(200, 'x'))); }

std::string perfetto() { // packets with a timestamp and a sequence id
    const std::string packet = field(1, std::string("\x40\x05\x50\x01", 4));
    return packet + packet + packet;
}

/// All packets are in a compressed one, longer than the part of a file by which its format is recognised.
std::string packedPerfetto() { return field(1, field(50, "\x78\x9c" + std::string(100'000, 'z'))); }

const std::string astra =
    "HYBRID_DATA_MODEL\t\t\r\n2\t\t\r\nlayer_1\t-1\t10\tALLGATHER\t100\t10\tALLREDUCE\t100\t10\tNONE\t0\t10\r\n";
const std::string simai =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1\n1\nnorm\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\n";
const std::string rocpd = "SQLite format 3" + std::string(600, '\0') + "CREATE TABLE \"rocpd_kernel_dispatch_00\" (id INTEGER)";
const std::string rocprofTable =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\"\n\"KERNEL_DISPATCH\",1,1,1,\"k\"\n";

const std::string resourceSpec = "# ours\nname: two\nnodes:\n  - {address: 10.0.0.1, gpus: [0], chief: true}\n";
const std::string strategyProto = field(1, "20200601T080115M902347") + field(3, field(1, "conv/kernel"));

/// Texts that are no profiles, each with a part of its error and of its remedy.
const struct {
    const char *name;
    std::string bytes;
    const char *what, *remedy;
} texts[]{
    {"nccl-tests -J", R"({"version":3,"args":["all_reduce_perf"],"nccl_version":23004,"config":{},"results":[]})",
     "nccl-tests wrote with -J", "--curves"},
    {"NCCL Inspector v4.3",
     "{\"header\":{\"id\":\"0x1\",\"n_ranks\":4},\"metadata\":{\"inspector_output_format_version\":\"v4.3\"}}\n{\"coll_perf\":{}}"
     "\n",
     "NCCL's Inspector", "--curves"},
    {"OSU table", "# OSU MPI Allreduce Latency Test v7\n# Size  Avg Latency(us)\n4 2.0\n", "log of collectives", "--curves"},
    {"Chakra listing", "{\n  \"version\": \"0.0.4\"\n}\n{\n  \"id\": \"1\",\n  \"type\": \"COMP_NODE\"\n}\n",
     "Chakra workload converted to JSON", "the .et file"},
    {"ASTRA-sim system", R"({"scheduling-policy": "LIFO", "all-reduce-implementation": ["ring"]})", "ASTRA-sim's description",
     "--policy"},
    {"ASTRA-sim system, version 1", "scheduling-policy: LIFO\nendpoint-delay: 10\n", "ASTRA-sim's description", "--policy"},
    {"ASTRA-sim network", "topology: [ Ring ]\nnpus_count: [ 8 ]\n", "network file of ASTRA-sim", "as the cluster"},
    {"NCCL topology", "<system version=\"1\">\n  <cpu numaid=\"0\"/>\n</system>\n", "topology of NCCL", "as the cluster"},
    {"InfraGraph", "name: x\ndevices:\n- name: m\n  components:\n  - {name: cpu, choice: cpu, count: 1}\n", "InfraGraph",
     "as the cluster"},
    {"InfraGraph JSON", R"({"name": "x", "components": [{"name": "cpu", "choice": "cpu"}]})", "InfraGraph", "as the cluster"},
    {"nvidia-smi topo -m", "\tGPU0\tGPU1\nGPU0\t X \tNV1\n", "nvidia-smi topo -m", "as the cluster"},
    {"cluster YAML", resourceSpec, "cluster file", "as the cluster"},
    {"cluster JSON", R"({"nodes": [{"address": "10.0.0.1", "gpus": [0]}]})", "cluster file", "as the cluster"},
    {"strategy JSON", R"({"id": "1", "node_config": [{"var_name": "a"}]})", "strategy file", "--strategy"},
    {"strategy", strategyProto, "strategy file", "--strategy"},
    {"platform.json", R"({"link_efficiency": 0.957, "message_seconds": null})", "platform.json", "validate"},
    {"rocprof statistics", "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n\"k\",1,2,2,100\n",
     "rocprof's statistics", "torch.profiler"},
    {"Nsight Compute", std::string("NVR\0", 4) + std::string(100, '\1'), "Nsight Compute", "nsys"},
    {"GraphDef", "node {\n  name: \"x\"\n  op: \"Const\"\n}\n", "graph of TensorFlow or XLA", "timeline"},
    {"HLO", "HloModule jit_step, is_scheduled=true\n\nENTRY main {\n", "graph of TensorFlow or XLA", "timeline"},
    {"step statistics", "# made\nstep_stats {\n  dev_stats {\n", "step statistics", "chrome_trace"},
    {"XSpace", "planes {\n  name: \"/host:CPU\"\n}\n", "XPlane profile as a text", ".xplane.pb"},
    {"job file", "{\"name\": \"the \\\"workload_graph\\\"\", \"layers\": []}", "job file", "as the job"},
};

void refused(const std::string &path, const QString &what) {
    const auto profile = importProfile(path);
    QVERIFY2(!profile, path.c_str());
    const std::string text = profile.error().toString();
    QVERIFY2(QString::fromStdString(text).contains(what), fmt::format("'{}' is not in: {}", what.toStdString(), text).c_str());
    QVERIFY2(text.find("not JSON") == std::string::npos, text.c_str());
    QVERIFY(!profile.error().remedy.empty());
}

} // namespace

class TestForeignFormats : public QObject {
    Q_OBJECT

private slots:
    void files_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("what");
        const auto row = [](const char *name, const std::string &bytes, const char *what) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(what);
            QTest::addRow("%s, gzip", name) << QByteArray::fromStdString(tiny::gzip(bytes)) << QString(what);
        };
        row("xplane", xplane(), "XPlane");
        row("perfetto", perfetto(), "Perfetto");
        row("perfetto, packed", packedPerfetto(), "Perfetto");
        row("ASTRA-sim", astra, "ASTRA-sim or SimAI");
        row("SimAI", simai, "ASTRA-sim or SimAI");
        row("rocpd", rocpd, "rocpd");
        row("rocprof table", rocprofTable, "rocprof");
        row("rocprof JSON", R"({"rocprofiler-sdk-tool": [{}]})", "rocprof");
        row("Chakra JSON", R"({"workload_graph": [{"Id": 1}]})", "Chakra workload converted to JSON");
        for (const auto &text : texts)
            row(text.name, text.bytes, text.what);
        QTest::newRow("packed database") << QByteArray::fromStdString(tiny::gzip("SQLite format 3" + std::string(100, '\0')))
                                         << QString("packed with gzip");
    }
    void files() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, what);
        QTemporaryDir folder;
        ranks::write(folder.filePath("some.file"), bytes.toStdString()); // its name does not matter
        refused(folder.filePath("some.file").toStdString(), what);
        // It is also named in a folder or an archive.
        ranks::write(folder.filePath("set/some.file"), bytes.toStdString());
        refused(folder.filePath("set").toStdString(), what);
        refused(folder.filePath("set").toStdString(), "some.file");
        ranks::write(folder.filePath("set.tar"), ranks::tar({{"some.file", bytes.toStdString()}}));
        refused(folder.filePath("set.tar").toStdString(), what);
    }

    /// Opened as a job, the same files are named, too: the reader of job files would miss a 'name' in them.
    void notJobs() {
        QTemporaryDir folder;
        for (const auto &text : texts) {
            if (text.name == std::string_view("job file"))
                continue;
            ranks::write(folder.filePath("some.file"), text.bytes);
            const auto job = loadJob(folder.filePath("some.file").toStdString());
            QVERIFY2(!job, text.name);
            const Error &error = job.error();
            QVERIFY2(error.what.find(text.what) != std::string::npos, (text.name + (": " + error.toString())).c_str());
            QVERIFY2(error.remedy.find(text.remedy) != std::string::npos, (text.name + (": " + error.toString())).c_str());
        }
    }

    /// Reports in formats of their own are known by their names.
    void reports() {
        QTemporaryDir folder;
        for (const auto &[name, what] : {std::pair{"a.ncu-rep", "Nsight Compute"}, std::pair{"a.nsys-rep", "Nsight Systems"}}) {
            ranks::write(folder.filePath(name), "\1\2\3\4");
            refused(folder.filePath(name).toStdString(), what);
        }
    }

    /// Words of other formats in names and values do not change a file's format: only its outermost keys count.
    void namesAreNotFormats() {
        QTemporaryDir folder;
        const std::string words = "nodes: address nccl_version config components choice npus_count GPU0 busbw algbw node_config:";
        const std::string layers = R"("layers": [{"name": "a", "forward_seconds": 1, "backward_seconds": 2}])";
        const std::string path = folder.filePath("job.json").toStdString();
        // A name longer than the head hides the layers behind it.
        for (const std::string &name : {words, words + std::string(100'000, 'n')}) {
            ranks::write(folder.filePath("job.json"), "{\"name\": \"" + name + "\", " + layers + "}");
            const auto job = loadJob(path);
            QVERIFY2(job, job ? "" : job.error().toString().substr(0, 300).c_str());
            QVERIFY(!job->profile);
        }
        ranks::write(folder.filePath("job.json"),
                     R"({"schemaVersion": 1, "nodes": "address", "nccl_version": 1, "config": 2, "traceEvents": []})");
        const auto trace = importProfile(path);
        QVERIFY(!trace);
        QVERIFY2(trace.error().what.find("cluster") == std::string::npos && trace.error().what.find("nccl") == std::string::npos,
                 trace.error().toString().c_str());
    }

    /// Formats that support only one file per profile, given a set.
    void setsOfProfiles() {
        QTemporaryDir folder;
        for (const char *name : {"set/x.0.et", "set/x.1.et"})
            ranks::write(folder.filePath(name), chakra());
        refused(folder.filePath("set").toStdString(), "none of its 2 files is a Kineto trace");
        refused(folder.filePath("set").toStdString(), "x.0.et, ... has the format \"Chakra trace\"");
        refused(folder.filePath("set").toStdString(), "import one of them");
        ranks::write(folder.filePath("set.tar"), ranks::tar({{"x.0.et", chakra()}}));
        refused(folder.filePath("set.tar").toStdString(), "Chakra trace");
        refused(folder.filePath("set.tar").toStdString(), "unpack it");
    }

    /// Files in none of these formats get the usual errors.
    void others() {
        QTemporaryDir folder;
        for (const auto &[text, what] : {std::pair{"hello", "not JSON"}, std::pair{"DATA\nhello\n", "not JSON"},
                                         std::pair{"\n\x05xyzab", "not JSON"}, std::pair{R"({"a": 1})", "no \"traceEvents\""}}) {
            ranks::write(folder.filePath("file"), text);
            const auto profile = importProfile(folder.filePath("file").toStdString());
            QVERIFY(!profile);
            QVERIFY2(profile.error().what.find(what) != std::string::npos, profile.error().toString().c_str());
        }
    }

    void realFiles_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("what");
        const auto row = [](const char *path, const char *what) { QTest::newRow(path) << QString(path) << QString(what); };
        for (const char *name : {"damaged_by_utf8_tpu.xplane.pb.gz", "jax_gemm_mi300_1gpu.xplane.pb",
                                 "jax_te_attention_mi355_1gpu.xplane.pb", "tpu_v6e_4chips_allreduce.xplane.pb.gz"})
            QTest::newRow(name) << QString("xplane/") + name << QString("XPlane");
        for (const char *name : {"flow_events_track_event", "gpu_compute_launch", "incremental_counter_sequences",
                                 "made_dlrm_rank0", "track_event_counters", "track_event_tracks"})
            QTest::newRow(name) << QString("pftrace/") + name + ".pftrace" << QString("Perfetto");
        for (const char *name : {"workload/MLP_HybridParallel_Data_Model.txt", "workload/Resnet50_DataParallel.txt",
                                 "workload/Transformer_HybridParallel_Fwd_In_Bckwd.txt", "workload/microAllReduce.txt",
                                 "simai/GPT13B_tp8_A100.txt", "simai/Llama7B_zero3_A100.txt", "simai/microAllReduce.txt"})
            QTest::newRow(name) << QString("astra_sim/") + name << QString("ASTRA-sim or SimAI");
        row("rocpd/amd_synthetic_v3_reduced.db", "rocpd");
        row("rocpd/made_v3_ddp_2gpu.db", "rocpd");
        row("rocpd/not_a_trace_rocprof_compute.db.gz", "rocpd");
        row("chakra_et/microbench", "Chakra trace");
        row("chakra_et/chakra_resnet_linked_et.tar.gz", "Chakra trace");
        row("chakra_et/chakra_json_et.tar.gz", "Chakra workload converted to JSON");
        row("astra_sim/workload", "ASTRA-sim or SimAI");
        row("xplane", "XPlane");
    }
    void realFiles() {
        REQUIRE_FOREIGN_TRACE("rocpd");
        QFETCH(QString, path);
        QFETCH(QString, what);
        refused(testing::foreignTrace(path.toStdString()), what);
    }
};

QTEST_GUILESS_MAIN(TestForeignFormats)
#include "tst_foreign_formats.moc"

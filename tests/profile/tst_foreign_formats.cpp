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

const std::string astra =
    "HYBRID_DATA_MODEL\t\t\r\n2\t\t\r\nlayer_1\t-1\t10\tALLGATHER\t100\t10\tALLREDUCE\t100\t10\tNONE\t0\t10\r\n";
const std::string simai =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1\n1\nnorm\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\n";
const std::string rocpd = "SQLite format 3" + std::string(600, '\0') + "CREATE TABLE \"rocpd_kernel_dispatch_00\" (id INTEGER)";
const std::string rocprofTable =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\"\n\"KERNEL_DISPATCH\",1,1,1,\"k\"\n";

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
        row("ASTRA-sim", astra, "ASTRA-sim or SimAI");
        row("SimAI", simai, "ASTRA-sim or SimAI");
        row("rocpd", rocpd, "rocpd");
        row("rocprof table", rocprofTable, "rocprof");
        row("rocprof JSON", R"({"rocprofiler-sdk-tool": [{}]})", "rocprof");
        row("Chakra JSON", R"({"workload_graph": [{"Id": 1}]})", "Chakra workload as JSON");
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

    /// Formats that support only one file per profile, given a set.
    void setsOfProfiles() {
        QTemporaryDir folder;
        for (const char *name : {"set/x.0.et", "set/x.1.et"})
            ranks::write(folder.filePath(name), chakra());
        refused(folder.filePath("set").toStdString(), "none of its 2 files is a Kineto trace");
        refused(folder.filePath("set").toStdString(), "x.0.et, ... is a Chakra trace");
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
        row("chakra_et/chakra_json_et.tar.gz", "Chakra workload as JSON");
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

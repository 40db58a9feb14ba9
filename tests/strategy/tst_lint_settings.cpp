// SPDX-License-Identifier: GPL-3.0-or-later
// Findings in launchers' settings: one row per rule, and settings without findings.
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/settings/lint_settings.h"
#include "engine/strategy/settings/near_names.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <string>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const char *sound = R"({"train_batch_size": 64, "bf16": {"enabled": true},
    "zero_optimization": {"stage": 2, "overlap_comm": true, "reduce_bucket_size": 5e8}})";

/// 4 nodes of one GPU, and a model of 100 MB.
SettingsFindings lintOf(const std::string &text) {
    const Job job = chainJob({{1e-3, 2e-3, 100'000'000}});
    const Cluster cluster = uniformCluster(4, 10);
    const auto settings = WrittenSettings::parse(text);
    return settings ? lintSettings(*settings, &job, &cluster) : SettingsFindings{};
}

std::string listOf(const SettingsFindings &findings) {
    std::string list;
    for (const SettingMark &mark : findings.marks)
        list += std::string(nameOf(mark.fault)) + " " + mark.setting + ": " + mark.text + "\n";
    return list;
}

/// Whether a name is taken for a misspelt one.
bool asksBack(const std::string &text) {
    const SettingsFindings findings = lintOf(text);
    return std::any_of(findings.marks.begin(), findings.marks.end(),
                       [](const SettingMark &mark) { return mark.remedy.starts_with("did you mean"); });
}

} // namespace

class TestLintSettings : public QObject {
    Q_OBJECT

private slots:
    void settingsAreRead() {
        const auto script = WrittenSettings::parse("#!/bin/bash\n# HOROVOD_CYCLE_TIME=9\nexport HOROVOD_CYCLE_TIME=5; "
                                                   "HOROVOD_FUSION_THRESHOLD='33554432' \\\n  python train.py --ddp_bucket_size "
                                                   "40000000 --bf16 --lr=1e-4\nexport XLA_FLAGS=\"--xla_gpu_a=1\n --xla_gpu_b\"");
        QVERIFY(script);
        QCOMPARE(script->find("HOROVOD_CYCLE_TIME")->value, std::string("5"));
        QCOMPARE(script->find("HOROVOD_CYCLE_TIME")->place, std::string("3"));
        QCOMPARE(*script->number("HOROVOD_FUSION_THRESHOLD"), 33554432.0);
        QCOMPARE(*script->number("--ddp-bucket-size"), 4e7);
        QVERIFY(script->flag("--bf16"));
        QCOMPARE(*script->number("--lr"), 1e-4);
        QCOMPARE(*script->number("--xla_gpu_a"), 1.0);
        QVERIFY(script->flag("--xla_gpu_b"));
        QVERIFY(!script->flag("HOROVOD_AUTOTUNE"));
        const auto json =
            WrittenSettings::parse(R"({"zero_optimization": {"stage": 2, "reduce_bucket_size": 5e8, "x": {"y": true}}})");
        QVERIFY(json);
        QCOMPARE(*json->number("zero_optimization.reduce_bucket_size"), 5e8);
        QVERIFY(json->flag("zero_optimization.x.y"));
    }

    /// A flag takes no value from the next command, and is set whatever follows it.
    void flagsEndWithTheirCommand() {
        for (const char *end : {"\n", " ; ", " | ", " && ", ";", "\r\n", " # last\n"}) {
            const auto script = WrittenSettings::parse(std::string("train.py --overlap-grad-reduce") + end + "off more");
            QVERIFY(script);
            QCOMPARE(script->find("--overlap-grad-reduce")->value, std::string("true"));
        }
        const auto joined = WrittenSettings::parse("train.py --ddp-bucket-size \\\n 40000000");
        QVERIFY(joined);
        QCOMPARE(*joined->number("--ddp-bucket-size"), 4e7);
        const auto flags = WrittenSettings::parse("--bf16 train.py --fp16 False --nccl-ub=0 HOROVOD_AUTOTUNE=maybe");
        QVERIFY(flags);
        QVERIFY(flags->flag("--bf16"));
        QVERIFY(!flags->flag("--fp16"));
        QVERIFY(!flags->flag("--nccl-ub"));
        QVERIFY(!flags->flag("HOROVOD_AUTOTUNE"));
    }

    void hostileTextsAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("prose") << QByteArray("no setting at all");
        QTest::newRow("half an object") << QByteArray("{\"zero_optimization\": {");
        QTest::newRow("list") << QByteArray("[1, 2]");
        QTest::newRow("huge") << QByteArray(2 << 20, 'A');
        QTest::newRow("open quote") << QByteArray("'''\"");
        QTest::newRow("bytes") << QByteArray("\xff\xfe\0\1=", 5);
        QTest::newRow("deep") << QByteArray(5000, '{');
    }
    void hostileTextsAreRefused() {
        QFETCH(QByteArray, text);
        const auto read = WrittenSettings::parse(std::string_view(text.constData(), static_cast<std::size_t>(text.size())), "f");
        QVERIFY(!read);
        QCOMPARE(read.error().file, std::string("f"));
        QVERIFY(!read.error().what.empty());
    }

    void everyRuleFinds_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("setting");
        const auto zero = [](const QString &members) { return QString("{\"zero_optimization\": {%1}}").arg(members); };
        const auto row = [](const char *name, const QString &text, const char *fault, const char *setting) {
            QTest::newRow(name) << text << fault << setting;
        };
        row("bucket in MB", zero("\"stage\": 2, \"reduce_bucket_size\": 25"), "wrong-unit",
            "zero_optimization.reduce_bucket_size");
        row("bucket 0", zero("\"stage\": 2, \"reduce_bucket_size\": 0"), "harmful", "zero_optimization.reduce_bucket_size");
        row("auto", zero("\"stage\": 2, \"reduce_bucket_size\": \"auto\""), "note", "zero_optimization.reduce_bucket_size");
        row("text", zero("\"stage\": 2, \"reduce_bucket_size\": \"big\""), "refused", "zero_optimization.reduce_bucket_size");
        row("negative", zero("\"stage\": 2, \"reduce_bucket_size\": -1"), "refused", "zero_optimization.reduce_bucket_size");
        row("no stage", zero("\"stage\": 7"), "refused", "zero_optimization.stage");
        row("stage 3 gathers", zero("\"stage\": 3, \"allgather_bucket_size\": 5e8"), "ignored",
            "zero_optimization.allgather_bucket_size");
        row("gathered at once", zero("\"stage\": 2, \"allgather_bucket_size\": 5e8"), "note",
            "zero_optimization.allgather_bucket_size");
        row("stage 0 gathers", zero("\"stage\": 0, \"allgather_bucket_size\": 5e8"), "ignored",
            "zero_optimization.allgather_bucket_size");
        row("stage 0 buckets", zero("\"stage\": 0, \"reduce_bucket_size\": 5e8"), "ignored",
            "zero_optimization.reduce_bucket_size");
        row("prefetch", zero("\"stage\": 2, \"stage3_prefetch_bucket_size\": 5e7"), "ignored",
            "zero_optimization.stage3_prefetch_bucket_size");
        row("prefetch in MB", zero("\"stage\": 3, \"prefetch_bucket_size\": 25"), "wrong-unit",
            "zero_optimization.prefetch_bucket_size");
        row("no overlap", zero("\"stage\": 2"), "harmful", "zero_optimization.overlap_comm");
        row("scatter off", zero("\"stage\": 2, \"reduce_scatter\": false"), "harmful", "zero_optimization.reduce_scatter");
        row("fragments", zero("\"stage\": 2, \"contiguous_gradients\": false"), "harmful",
            "zero_optimization.contiguous_gradients");
        row("broadcasts", zero("\"stage\": 2, \"allgather_partitions\": false"), "harmful",
            "zero_optimization.allgather_partitions");
        row("quantised", zero("\"stage\": 2, \"zero_quantized_gradients\": true"), "refused",
            "zero_optimization.zero_quantized_gradients");
        row("deprecated", zero("\"stage\": 2, \"cpu_offload\": true"), "note", "zero_optimization.cpu_offload");
        row("old form", "{\"zero_optimization\": true}", "note", "zero_optimization");
        row("predivide", "{\"zero_optimization\": {\"stage\": 1}, \"gradient_predivide_factor\": 2}", "ignored",
            "gradient_predivide_factor");
        row("fp32",
            "{\"zero_optimization\": {\"stage\": 1}, \"bf16\": {\"enabled\": true}, \"communication_data_type\": \"fp32\"}",
            "harmful", "communication_data_type");
        row("accumulation", "{\"zero_optimization\": {\"stage\": 2}, \"gradient_accumulation_steps\": 4}", "harmful",
            "gradient_accumulation_steps");
        row("bucket ignored", "--ddp-bucket-size 40000000", "ignored", "--ddp-bucket-size");
        row("bucket of 25", "--overlap-grad-reduce --ddp-bucket-size 25", "wrong-unit", "--ddp-bucket-size");
        row("reduced after", "--use-distributed-optimizer", "harmful", "--overlap-grad-reduce");
        row("gather alone", "--overlap-param-gather --overlap-grad-reduce", "refused", "--overlap-param-gather");
        row("bf16", "--overlap-grad-reduce --bf16", "note", "--bf16");
        row("instances", "--overlap-grad-reduce --num-distributed-optimizer-instances 3", "refused",
            "--num-distributed-optimizer-instances");
        row("registered", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True train.py --overlap-grad-reduce --nccl-ub", "refused",
            "--nccl-ub");
        row("connections", "--overlap-grad-reduce --tensor-model-parallel-size 2", "harmful", "CUDA_DEVICE_MAX_CONNECTIONS");
        row("ranks", "torchrun --nnodes 2 --nproc_per_node 8 train.py", "note", "--nproc-per-node");
        row("gone", "XLA_FLAGS=--xla_gpu_enable_async_all_gather=true", "refused", "--xla_gpu_enable_async_all_gather");
        row("no scheduler", "XLA_FLAGS=--xla_gpu_enable_pipelined_p2p=true", "harmful",
            "--xla_gpu_enable_latency_hiding_scheduler");
        row("one op", "XLA_FLAGS=--xla_gpu_all_reduce_combine_threshold_bytes=8589934592", "harmful",
            "--xla_gpu_all_reduce_combine_threshold_bytes");
        row("threshold in MB", "XLA_FLAGS=--xla_gpu_all_gather_combine_threshold_bytes=30", "wrong-unit",
            "--xla_gpu_all_gather_combine_threshold_bytes");
        row("sharded gathers", "XLA_FLAGS=--xla_gpu_all_gather_combine_threshold_bytes=8388608", "note",
            "--xla_gpu_all_gather_combine_threshold_bytes");
        row("sharded scatters", "XLA_FLAGS=--xla_gpu_reduce_scatter_combine_threshold_bytes=8388608", "note",
            "--xla_gpu_reduce_scatter_combine_threshold_bytes");
        row("inflated", "XLA_FLAGS=--xla_gpu_collective_inflation_factor=2", "refused", "--xla_gpu_collective_inflation_factor");
        row("sync", "XLA_FLAGS=--xla_gpu_disable_async_collectives=ALLREDUCE", "harmful", "--xla_gpu_disable_async_collectives");
        row("fusion in MB", "HOROVOD_FUSION_THRESHOLD=64", "wrong-unit", "HOROVOD_FUSION_THRESHOLD");
        row("fusion off", "HOROVOD_FUSION_THRESHOLD=0", "harmful", "HOROVOD_FUSION_THRESHOLD");
        row("cycle in s", "HOROVOD_CYCLE_TIME=0.001", "wrong-unit", "HOROVOD_CYCLE_TIME");
        row("long cycle", "HOROVOD_CYCLE_TIME=100", "harmful", "HOROVOD_CYCLE_TIME");
        row("not tuned", "HOROVOD_AUTOTUNE_LOG=x", "ignored", "HOROVOD_AUTOTUNE_LOG");
        row("fixed", "HOROVOD_AUTOTUNE=1 HOROVOD_CYCLE_TIME=2", "note", "HOROVOD_CYCLE_TIME");
        row("marks", "HOROVOD_TIMELINE_MARK_CYCLES=1", "ignored", "HOROVOD_TIMELINE_MARK_CYCLES");
        row("partition in MB", "BYTEPS_PARTITION_BYTES=4", "wrong-unit", "BYTEPS_PARTITION_BYTES");
        row("too large", "BYTEPS_PARTITION_BYTES=4e9", "refused", "BYTEPS_PARTITION_BYTES");
        row("atoi", "BYTEPS_PARTITION_BYTES=4e6", "refused", "BYTEPS_PARTITION_BYTES");
        row("credit with a power", "BYTEPS_SCHEDULING_CREDIT=1e3", "refused", "BYTEPS_SCHEDULING_CREDIT");
        row("fusion with a power", "HOROVOD_FUSION_THRESHOLD=1e9", "refused", "HOROVOD_FUSION_THRESHOLD");
        row("fusion with a point", "HOROVOD_FUSION_THRESHOLD=67108864.0", "refused", "HOROVOD_FUSION_THRESHOLD");
        row("fusion past 64 bits", "HOROVOD_FUSION_THRESHOLD=99999999999999999999", "refused", "HOROVOD_FUSION_THRESHOLD");
        row("bucket with a power", "--ddp-bucket-size 1e9 --overlap-grad-reduce --use-distributed-optimizer", "refused",
            "--ddp-bucket-size");
        row("threshold with a power", "XLA_FLAGS=\"--xla_gpu_all_reduce_combine_threshold_bytes=1e9\"", "refused",
            "--xla_gpu_all_reduce_combine_threshold_bytes");
        row("pages", "BYTEPS_PARTITION_BYTES=5000", "note", "BYTEPS_PARTITION_BYTES");
        row("too large in whole pages", "BYTEPS_PARTITION_BYTES=2147483647", "refused", "BYTEPS_PARTITION_BYTES");
        row("partitions", "BYTEPS_PARTITION_BYTES=1", "wrong-unit", "BYTEPS_PARTITION_BYTES");
        row("credit in bytes", "BYTEPS_SCHEDULING_CREDIT=16384000", "wrong-unit", "BYTEPS_SCHEDULING_CREDIT");
        row("roots", "BYTEPS_REDUCE_ROOTS=0,1 BYTEPS_PCIE_SWITCH_SIZE=1", "refused", "BYTEPS_REDUCE_ROOTS");
        row("switch", "BYTEPS_PCIE_SWITCH_SIZE=3", "ignored", "BYTEPS_PCIE_SWITCH_SIZE");
        row("coefficient", "BYTEPS_BUILT_IN_HASH_COEF=3", "ignored", "BYTEPS_BUILT_IN_HASH_COEF");
        row("trace", "BYTEPS_TRACE_DIR=x", "ignored", "BYTEPS_TRACE_DIR");
        row("bound", "BYTEPS_MIXED_MODE_BOUND=5", "ignored", "BYTEPS_MIXED_MODE_BOUND");
        row("async", "BYTEPS_ENABLE_ASYNC=1", "note", "BYTEPS_ENABLE_ASYNC");
        row("parameters", "BYTESCHEDULER_PARTITION=4", "wrong-unit", "BYTESCHEDULER_PARTITION");
        row("stop and wait", "BYTESCHEDULER_CREDIT=500000 BYTESCHEDULER_PARTITION=1000000", "harmful", "BYTESCHEDULER_CREDIT");
        row("never read", "BYTESCHEDULER_PARTITION_TUNING=1", "ignored", "BYTESCHEDULER_PARTITION_TUNING");
        row("credit tuned", "BYTESCHEDULER_CREDIT=4000000", "note", "BYTESCHEDULER_CREDIT");
        row("not used", "USE_BYTESCHEDULER=0 BYTESCHEDULER_CREDIT_TUNING=0", "ignored", "USE_BYTESCHEDULER");
    }
    void everyRuleFinds() {
        QFETCH(QString, text);
        QFETCH(QString, fault);
        QFETCH(QString, setting);
        const SettingsFindings findings = lintOf(text.toStdString());
        const auto found = std::find_if(findings.marks.begin(), findings.marks.end(), [&](const SettingMark &mark) {
            return nameOf(mark.fault) == fault && mark.setting == setting.toStdString();
        });
        QVERIFY2(found != findings.marks.end(), listOf(findings).c_str());
        QVERIFY(!found->text.empty() && !found->remedy.empty());
        QVERIFY(std::is_sorted(findings.marks.begin(), findings.marks.end(),
                               [](const SettingMark &a, const SettingMark &b) { return a.fault < b.fault; }));
    }

    /// A name that no system has is told with the one that it is nearest to.
    void nearMissesAreNamed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("meant");
        const auto row = [](const QString &text, const char *fault, const QString &setting, const QString &meant) {
            QTest::newRow(qPrintable(setting)) << text << fault << setting << meant;
        };
        const auto flag = [&](const QString &written, const char *meant) {
            row("XLA_FLAGS=" + written + "=1", "refused", written, meant);
        };
        flag("--xla_gpu_allreduce_combine_threshold_bytes", "--xla_gpu_all_reduce_combine_threshold_bytes");
        flag("--xla_gpu_all_reduce_combine_threshold", "--xla_gpu_all_reduce_combine_threshold_bytes");
        flag("--xla_gpu_all_gather_combine_threshold_mb", "--xla_gpu_all_gather_combine_threshold_bytes");
        flag("--xla_gpu_reduce_scatter_combiner_threshold_bytes", "--xla_gpu_reduce_scatter_combine_threshold_bytes");
        flag("--xla_gpu_latency_hiding_scheduler", "--xla_gpu_enable_latency_hiding_scheduler");
        flag("--xla-gpu-enable-latency-hiding-scheduler", "--xla_gpu_enable_latency_hiding_scheduler");
        flag("--xla_gpu_enable_pipelined_allgather", "--xla_gpu_enable_pipelined_all_gather");
        const auto variable = [&](const char *written, const char *meant) {
            row(QString(written) + "=1", "ignored", written, meant);
        };
        variable("HOROVOD_FUSION_TRESHOLD", "HOROVOD_FUSION_THRESHOLD");
        variable("HOROVOD_FUSION_THRESHOLD_MB", "HOROVOD_FUSION_THRESHOLD");
        variable("HOROVOD_CYCLE_TIME_MS", "HOROVOD_CYCLE_TIME");
        variable("HOROVDO_CYCLE_TIME", "HOROVOD_CYCLE_TIME");
        variable("BYTEPS_PARTITION_SIZE", "BYTEPS_PARTITION_BYTES");
        variable("BYTEPS_CREDIT", "BYTEPS_SCHEDULING_CREDIT");
        variable("BYTESCHEDULER_PARTITION_BYTES", "BYTESCHEDULER_PARTITION");
        const auto argument = [&](const char *written, const char *meant) {
            row(QString("--bf16 --use-distributed-optimizer ") + written + " 1", "refused", written, meant);
        };
        argument("--ddp-bucketsize", "--ddp-bucket-size");
        argument("--ddp-bucket-size-mb", "--ddp-bucket-size");
        argument("--overlap-grad-reduction-x", nullptr);
        argument("--tensor-parallel-size", "--tensor-model-parallel-size");
        row("--overlap-grad-reduse", "note", "--overlap-grad-reduse", "--overlap-grad-reduce");
        const auto key = [&](const QString &object, const char *fault, const char *written, const char *meant) {
            row("{\"train_batch_size\": 8, " + object + "}", fault, written, meant);
        };
        key("\"zero_optimization\": {\"reduce_bucket\": 5e8}", "refused", "zero_optimization.reduce_bucket",
            "zero_optimization.reduce_bucket_size");
        key("\"zero_optimization\": {\"overlap_com\": true}", "refused", "zero_optimization.overlap_com",
            "zero_optimization.overlap_comm");
        key("\"zero_optimization\": {\"offload_optimiser\": {\"device\": \"cpu\", \"pin_memory\": true}}", "refused",
            "zero_optimization.offload_optimiser", "zero_optimization.offload_optimizer");
        key("\"zero_optimisation\": {\"stage\": 2, \"overlap_comm\": true}", "ignored", "zero_optimisation", "zero_optimization");
        key("\"gradient_acumulation_steps\": 4", "ignored", "gradient_acumulation_steps", "gradient_accumulation_steps");
        key("\"reduce_bucket_size\": 5e8", "ignored", "reduce_bucket_size", "zero_optimization.reduce_bucket_size");
    }
    void nearMissesAreNamed() {
        QFETCH(QString, text);
        QFETCH(QString, fault);
        QFETCH(QString, setting);
        QFETCH(QString, meant);
        const SettingsFindings findings = lintOf(text.toStdString());
        std::vector<const SettingMark *> named;
        for (const SettingMark &mark : findings.marks)
            if (mark.remedy.starts_with("did you mean"))
                named.push_back(&mark);
        if (meant.isEmpty()) { // like no name
            QVERIFY2(named.empty(), listOf(findings).c_str());
            return;
        }
        QCOMPARE(named.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(named[0]->setting), setting);
        QCOMPARE(QString(nameOf(named[0]->fault)), fault);
        QCOMPARE(QString::fromStdString(named[0]->remedy), "did you mean " + meant + "?");
    }

    /// Names of systems that are not looked at here are no near misses, and neither are removed ones, which have a mark.
    void otherNamesAreLeftAlone() {
        for (const char *flag : {"disable_async_collectives",
                                 "enable_async_collectives",
                                 "enable_async_all_reduce",
                                 "enable_pipelined_p2p",
                                 "enable_pipelined_collectives",
                                 "enable_analytical_latency_estimator",
                                 "enable_command_buffer",
                                 "autotune_level",
                                 "collective_permute_decomposer_threshold",
                                 "enable_while_loop_reduce_scatter_code_motion",
                                 "enable_cublaslt",
                                 "enable_nccl_clique_optimization",
                                 "nccl_terminate_on_error",
                                 "nccl_termination_timeout_seconds",
                                 "enable_approx_costly_collectives",
                                 "enable_reassociation_for_converted_ar",
                                 "lhs_enable_gpu_async_tracker",
                                 "all_reduce_blueconnect_num_devices_per_host",
                                 "enable_pgle_accuracy_checker",
                                 "enable_triton_gemm",
                                 "async_dot",
                                 "redzone_scratch_max_megabytes",
                                 "redzone_padding_bytes",
                                 "gemm_rewrite_size_threshold",
                                 "use_memcpy_local_p2p",
                                 "enable_heuristic_pass_configuration",
                                 "collectives_use_persistent_cliques",
                                 "dot_merger_threshold_mb",
                                 "enable_host_memory_offloading",
                                 "unsafe_pipelined_loop_annotator",
                                 "enable_dynamic_slice_fusion",
                                 "enable_highest_priority_async_stream",
                                 "graph_enable_concurrent_region",
                                 "enable_shared_constants"})
            QVERIFY2(!asksBack(std::string("XLA_FLAGS=--xla_gpu_") + flag + "=1"), flag);
        for (const char *text :
             {"XLA_FLAGS='--xla_tpu_enable_latency_hiding_scheduler=true --xla_dump_to=/tmp/x --xla_cpu_use_acl=1'",
              "FUSION_THRESHOLD=1 CREDIT=4 PARTITION_BYTES=3 OMP_NUM_THREADS=4 NCCL_DEBUG=INFO MASTER_PORT=1 HOROVOD_WITH_MPI=1",
              "DMLC_NUM_WORKER=2 DMLC_NUM_SERVER=2 BYTEPS_CUDA_HOME=/x HOROVOD_NCCL_HOME=/y HOROVOD_CROSS_RANK=1",
              "vllm serve --tensor-parallel-size 2 --pipeline-parallel-size 2 --distributed-executor-backend ray --max-model-len "
              "8",
              "torchrun --nnodes 2 --nproc_per_node 8 --rdzv_backend c10d train.py --batch-size 8 --bucket-size 25",
              "pretrain_gpt.py --use-distributed-optimizer --overlap-grad-reduce --use-flash-attn --tp-comm-overlap --bf16",
              R"({"train_batch_size": 8, "steps_per_print": 10, "fp16": {"enabled": true, "loss_scale": 0}, "amp": {},
                  "optimizer": {"type": "Adam"}, "scheduler": {"type": "WarmupLR"}, "zero_optimization": {"stage": 3,
                  "offload_param": {"device": "cpu", "buffer_size": 1e8}, "sub_group_size": 1e9, "zenflow": {}}})"})
            QVERIFY2(!asksBack(text), text);
    }

    void editsAreCounted() {
        QCOMPARE(editDistance("", "", 3), std::size_t{0});
        QCOMPARE(editDistance("abc", "abc", 3), std::size_t{0});
        QCOMPARE(editDistance("abc", "ac", 3), std::size_t{1});
        QCOMPARE(editDistance("abc", "acb", 3), std::size_t{1}); // neighbours exchanged
        QCOMPARE(editDistance("abcd", "badc", 3), std::size_t{2});
        QCOMPARE(editDistance("kitten", "sitting", 3), std::size_t{3});
        QCOMPARE(editDistance("kitten", "sitting", 2), std::size_t{3}); // more than 2
        QCOMPARE(editDistance("a", "abcdef", 3), std::size_t{4});
    }

    void soundSettingsHaveNoMarks() {
        for (const char *text :
             {sound, "--overlap-grad-reduce --use-distributed-optimizer --overlap-param-gather --ddp-bucket-size 40000000",
              "XLA_FLAGS='--xla_gpu_enable_latency_hiding_scheduler=true --xla_gpu_all_reduce_combine_threshold_bytes=33554432'",
              "HOROVOD_FUSION_THRESHOLD=67108864 HOROVOD_CYCLE_TIME=3.5",
              "BYTEPS_PARTITION_BYTES=4096000 BYTEPS_SCHEDULING_CREDIT=4",
              "BYTESCHEDULER_CREDIT_TUNING=0 BYTESCHEDULER_CREDIT=4000000 BYTESCHEDULER_PARTITION=1000000"}) {
            const SettingsFindings findings = lintOf(text);
            QVERIFY2(findings.marks.empty(), listOf(findings).c_str());
            QCOMPARE(findings.meanings.size(), std::size_t{1});
        }
    }

    /// With as many nodes as there are at start-up, or as a variable says, there is nothing to compare with the cluster.
    void unknownNodesAreNotCounted() {
        for (const char *nodes : {"1:4", "$N"}) {
            const SettingsFindings findings = lintOf(std::string("torchrun --nproc_per_node 8 train.py --nnodes ") + nodes);
            QVERIFY2(findings.marks.empty(), listOf(findings).c_str());
        }
    }

    void meaningsArePolicies() {
        const auto policyOf = [](const std::string &text) { return *parsePolicy(lintOf(text).meanings.front().policy); };
        const auto is = [&](const std::string &text, const char *policy) { return policyOf(text) == *parsePolicy(policy); };
        const auto zero = [](const std::string &members) { return "{\"zero_optimization\": {" + members + "}}"; };
        QVERIFY(is(sound, "deepspeed(overlap=on,stage=2)"));
        QVERIFY(is(zero("\"stage\": 1, \"reduce_bucket_size\": 2e8"), "deepspeed(reduce_bucket=200000000)"));
        QVERIFY(is(zero("\"stage\": 1, \"allgather_bucket_size\": 1e8"), "deepspeed(allgather_bucket=100000000)"));
        QVERIFY(is(zero("\"stage\": 3, \"allgather_bucket_size\": 1e8"), "deepspeed(overlap=on,stage=2)"));
        // Without ZeRO: after the backward pass, in buckets of DeepSpeed's own size.
        QVERIFY(is(zero("\"stage\": 0, \"overlap_comm\": true, \"reduce_bucket_size\": 2e8"), "deepspeed(stage=0)"));
        QCOMPARE(lintOf(zero("\"stage\": 2")).meanings.front().defaultPolicy, std::string("deepspeed(stage=2)"));
        QVERIFY(is("--overlap-grad-reduce --ddp-bucket-size 1000000", "megatron(bucket_size=1000000,overlap_grad_reduce=on)"));
        QVERIFY(is("--ddp-bucket-size 1000000", "megatron(bucket_size=1000000)"));
        QVERIFY(is("--overlap-grad-reduce --use-distributed-optimizer --overlap-param-gather",
                   "megatron(overlap_grad_reduce=on,distributed_optimizer=on,overlap_param_gather=on)"));
        QVERIFY(is("--overlap-param-gather --overlap-grad-reduce", "megatron(overlap_grad_reduce=on)")); // which it refuses
        // Two replicas of the data, each on two GPUs: not what bucket_size=auto counts.
        QVERIFY(
            is("--overlap-grad-reduce --tensor-model-parallel-size 2", "megatron(bucket_size=40000000,overlap_grad_reduce=on)"));
        QVERIFY(is("XLA_FLAGS=--xla_gpu_enable_latency_hiding_scheduler=true", "xla(latency_hiding_scheduler=on)"));
        QVERIFY(is("XLA_FLAGS=--xla_gpu_all_reduce_combine_threshold_bytes=65536", "xla(all_reduce_combine=65536)"));
        QCOMPARE(lintOf("--overlap-grad-reduce").meanings.front().defaultPolicy, std::string("megatron"));
        COMPARE_CLOSE(policyOf("HOROVOD_CYCLE_TIME=3.5").value("cycle"), 3.5e-3);
        QCOMPARE(policyOf("HOROVOD_FUSION_THRESHOLD=0").value("fusion"), 0.0);
        COMPARE_CLOSE(policyOf("BYTEPS_SCHEDULING_CREDIT=4").value("credit"), 4 * 4096000.0);
        COMPARE_CLOSE(policyOf("BYTEPS_PARTITION_BYTES=1e15 BYTEPS_SCHEDULING_CREDIT=4000").value("credit"),
                      32.0 * 1024 * 1048576);
        COMPARE_CLOSE(policyOf("BYTESCHEDULER_PARTITION=2000000").value("partition"), 8e6);
        QVERIFY(lintOf("BYTEPS_SCHEDULING_CREDIT=4").meanings.front().servers);
        QVERIFY(!lintOf("HOROVOD_CYCLE_TIME=3.5").meanings.front().servers);
    }
};

QTEST_APPLESS_MAIN(TestLintSettings)
#include "tst_lint_settings.moc"

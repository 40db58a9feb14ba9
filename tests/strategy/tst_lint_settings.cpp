// SPDX-License-Identifier: GPL-3.0-or-later
// Findings in launchers' settings: one row per rule, and settings without findings.
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/settings/lint_settings.h"
#include "engine/strategy/settings/near_names.h"
#include "engine/strategy/settings/shell_arithmetic.h"
#include "tests/checks.h"
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

/// The settings whose names are taken for misspelt ones, with the remedies.
QStringList questionsOf(const SettingsFindings &findings) {
    QStringList questions;
    for (const SettingMark &mark : findings.marks)
        if (mark.remedy.starts_with("did you mean"))
            questions << QString::fromStdString(mark.setting + ": " + mark.remedy);
    return questions;
}

bool asksBack(const std::string &text) { return !questionsOf(lintOf(text)).isEmpty(); }

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

    /// A flag takes no value from the next command, and is set regardless of the next word.
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

    /// As `bash -c 'echo $((...))'` prints them; expressions that only a shell could evaluate have no value.
    void arithmeticIsEvaluated_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("value"); // empty: none
        const auto row = [](const char *expression, const char *value) { QTest::newRow(expression) << expression << value; };
        row("64*1024*1024", "67108864");
        row(" 64 * 1024 ** 2 ", "67108864");
        row("1 << 20", "1048576");
        row("1 + 2 << 3", "24");
        row("100 - 10 - 5", "85");
        row("7 / 2 * 2", "6");
        row("-7 % 3", "-1");
        row("2 ** 3 ** 2", "512");
        row("(1 + 2) * -(3)", "-9");
        row("0x10 + 1", "17");
        row("0X1f", "31");
        row("010 + 00", "8");
        row("0-5", "-5");
        row("SIZE * 2 + $SIZE + ${SIZE}", "32");
        row("9223372036854775807", "9223372036854775807");
        for (const char *none : {"", "1 +", "1 2", "OTHER", "1 / 0", "1 % 0", "9223372036854775807 + 1", "9223372036854775808",
                                 "3 ** 99", "1 << 63", "2 ** -1", "(1", "1)", "${SIZE", "a[0]", "1 ? 2 : 3", "1.5", "$"})
            row(none, "");
        for (const char *noNumber : {"08", "08 * 2", "0x", "0x-0", "0x1g", "2x"})
            row(noNumber, "");
        QTest::newRow("long") << QString(2000, '(') << QString();
    }
    void arithmeticIsEvaluated() {
        QFETCH(QString, expression);
        QFETCH(QString, value);
        const auto got = shellArithmetic(expression.toStdString(), [](std::string_view name) {
            return name == "SIZE" ? std::optional<std::int64_t>(8) : std::nullopt;
        });
        QCOMPARE(got ? QString::number(*got) : QString(), value);
    }

    /// Shell expressions are replaced by their values as far as the text alone gives them.
    void expressionsAreReplaced_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("value");
        const auto row = [](const char *name, const char *text, const char *value) {
            QTest::newRow(name) << QString(text) + "\nFOUND_LINE=1" << value;
        };
        row("arithmetic", "X=$((64*1024*1024))", "67108864");
        row("with blanks", "export X=$(( 64 * 1024 * 1024 ))", "67108864");
        row("in quotes", "X=\"$((64 * 1024))\"", "65536");
        row("variable", "SIZE=5; X=$SIZE", "5");
        row("of an octal variable", "SIZE=010; X=$((SIZE * 2))", "16");
        row("of a hexadecimal variable", "SIZE=0x10; X=$(($SIZE * 2))", "32");
        row("of no octal number", "SIZE=08; X=$((SIZE * 2))", "$((SIZE * 2))");
        row("in braces", "size_mb=64\nX=$((size_mb * ${size_mb}))", "4096");
        row("default", "X=${SIZE:-8}", "8");
        row("not the default", "SIZE=4\nX=${SIZE:-8}", "4");
        row("empty", "SIZE=\nX=${SIZE:-8}", "8");
        row("default of a default", "X=${A:-${B:-7}}", "7");
        row("part of a word", "N=3 X=a${N}b", "a3b");
        row("single quotes", "SIZE=5; X='$SIZE'", "$SIZE");
        row("escaped", "SIZE=5; X=\"\\$SIZE\"", "$SIZE");
        row("unknown", "X=$SIZE", "$SIZE");
        row("unknown in arithmetic", "X=$((SIZE * 2))", "$((SIZE * 2))");
        row("a command", "X=$(grep -c \"a b\" file | wc -l)", "$(grep -c \"a b\" file | wc -l)");
        row("set by a command", "SIZE=4; SIZE=$(nproc); X=$SIZE", "$SIZE");
        row("argument", "X=$1", "$1");
        row("last one", "X=1; X=2", "2");
        row("quote in quotes", "X=\"a\\\"b\"", "a\"b");
        row("lines joined in quotes", "X=\"ab\\\ncd\"", "abcd");
        row("lines joined in quotes, then taken", "SIZE=\"12\\\n34\"; X=$SIZE", "1234");
        row("lines in single quotes", "X='ab\\\ncd'", "ab\\\ncd");
    }
    void expressionsAreReplaced() {
        QFETCH(QString, text);
        QFETCH(QString, value);
        const auto script = WrittenSettings::parse(text.toStdString());
        VERIFY_VALUE(script);
        QVERIFY(script->has("X"));
        QCOMPARE(QString::fromStdString(script->find("X")->value), value);
        QCOMPARE(script->find("FOUND_LINE")->place, std::to_string(text.count('\n') + 1));
    }

    /// Repeated values do not grow: a text of 1 MiB could otherwise stand for any amount.
    void repeatedValuesStayShort() {
        std::string text = "A=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n";
        for (int i = 0; i < 40; ++i)
            text += "A=$A$A\n";
        const auto script = WrittenSettings::parse(text + "B=$A");
        VERIFY_VALUE(script);
        COMPARE_AT_MOST(static_cast<double>(script->find("B")->value.size()), 100.0);
    }

    /// Launch scripts keep arguments in variables and arrays; they are set where they are assigned.
    void argumentsOfVariablesAreRead() {
        const auto script = WrittenSettings::parse("#!/bin/bash\nTP=2\n"
                                                   "DISTRIBUTED_ARGS=(\n  --nproc_per_node 8 # devices\n  --nnodes $NNODES\n)\n"
                                                   "GPT_ARGS=\"\n  --tensor-model-parallel-size $TP \\\n  --bf16\n\"\n"
                                                   "GPT_ARGS+=\" --ddp-bucket-size 40000000\"\nEXTRA+=(--overlap-grad-reduce)\n"
                                                   "torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py $GPT_ARGS\n");
        VERIFY_VALUE(script);
        const auto is = [&](const char *name, const char *value, const char *line) {
            const WrittenSetting *setting = script->find(name);
            QVERIFY2(setting != nullptr, name);
            QCOMPARE(setting->value, std::string(value));
            QCOMPARE(setting->place, std::string(line));
        };
        is("--nproc-per-node", "8", "4");
        is("--nnodes", "$NNODES", "5");
        is("--tensor-model-parallel-size", "2", "8");
        is("--bf16", "true", "9");
        is("--ddp-bucket-size", "40000000", "11");
        is("--overlap-grad-reduce", "true", "12");
        QVERIFY(script->mentions("torchrun") && !script->mentions("devices"));
    }

    /// XLA_FLAGS holds its last assignment, with the earlier flags that it includes.
    void flagsAreThoseOfTheLastAssignment() {
        const auto flagsOf = [](const std::string &second) {
            const auto script = WrittenSettings::parse("export XLA_FLAGS=\"--xla_gpu_a=1 --xla_gpu_b=2\"\n" + second);
            QString flags;
            for (const auto &[name, written] : script->all())
                if (name.starts_with("--xla"))
                    flags += QString::fromStdString(name.substr(10) + written.value + "@" + written.place + " ");
            return flags;
        };
        for (const char *before : {"$XLA_FLAGS", "${XLA_FLAGS}", "${XLA_FLAGS:-}"})
            QCOMPARE(flagsOf(std::string("export XLA_FLAGS=\"") + before + " --xla_gpu_c=3\""), QString("a1@1 b2@1 c3@2 "));
        QCOMPARE(flagsOf("XLA_FLAGS+=' --xla_gpu_a=3'"), QString("a3@2 b2@1 "));
        QCOMPARE(flagsOf("export XLA_FLAGS=--xla_gpu_c=3"), QString("c3@2 "));
        // As bash has it, a flag goes on behind a line end that a backslash escapes; the next one begins on its own line.
        QCOMPARE(flagsOf("export XLA_FLAGS=\"--xla_gpu_c=\\\n8 \\\n--xla_gpu_d=4\""), QString("c8@2 d4@4 "));
        QCOMPARE(flagsOf("BASE=\"$XLA_FLAGS\"; export XLA_FLAGS=\"$BASE --xla_gpu_c=3\""), QString("a1@1 b2@1 c3@2 "));
    }

    /// horovodrun's config file.
    void yamlIsRead() {
        const auto yaml = WrittenSettings::parse("# Horovod\n---\nparams:\n  fusion_threshold_mb: 32\n  cycle_time_ms: 2.5\n"
                                                 "autotune:\n    enabled: true\n");
        VERIFY_VALUE(yaml);
        QCOMPARE(*yaml->number("params.fusion_threshold_mb"), 32.0);
        QCOMPARE(yaml->find("params.cycle_time_ms")->place, std::string("5"));
        QVERIFY(yaml->flag("autotune.enabled"));
        const auto broken = WrittenSettings::parse("params:\n  - [", "f.yml");
        QVERIFY(!broken);
        QCOMPARE(broken.error().file, std::string("f.yml"));
        std::string aliases = "a0: &a0 {x: 1}\n"; // 2^60 entries
        for (int i = 1; i <= 60; ++i)
            aliases += QStringLiteral("a%1: &a%1 {x: *a%2, y: *a%2}\n").arg(i).arg(i - 1).toStdString();
        QVERIFY(!WrittenSettings::parse(aliases));
        std::string texts = "text: &text " + std::string(1 << 15, 'x') + "\n"; // 64 MiB in all
        for (int i = 0; i < 2048; ++i)
            texts += QStringLiteral("t%1: *text\n").arg(i).toStdString();
        const auto repeated = WrittenSettings::parse(texts);
        QVERIFY(!repeated);
        QCOMPARE(repeated.error().what, std::string("aliases repeat more text than is read"));
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

    /// Every rule has a mark; a name that no system has is reported with the nearest known name.
    void everyRuleFinds_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("fault"); // empty: no mark is wanted
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("meant"); // empty: no name is taken for a misspelt one
        const auto zero = [](const QString &members) { return QString("{\"zero_optimization\": {%1}}").arg(members); };
        const auto row = [](const char *name, const QString &text, const char *fault, const char *setting) {
            QTest::newRow(name) << text << fault << setting << QString();
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
        row("fp32 all-reduce", "{\"train_batch_size\": 8, \"fp16\": {\"enabled\": true}, \"fp32_allreduce\": true}", "harmful",
            "fp32_allreduce");
        row("stage 0 scatters", zero("\"stage\": 0, \"reduce_scatter\": false"), "ignored", "zero_optimization.reduce_scatter");
        row("stage 0 overlaps", zero("\"stage\": 0, \"overlap_comm\": true"), "ignored", "zero_optimization.overlap_comm");
        row("copy without stage 3", zero("\"stage\": 2, \"zero_hpz_partition_size\": 4"), "ignored",
            "zero_optimization.zero_hpz_partition_size");
        row("copy by three", zero("\"stage\": 3, \"zero_hpz_partition_size\": 3"), "refused",
            "zero_optimization.zero_hpz_partition_size");
        row("copy across nodes", zero("\"stage\": 3, \"zero_hpz_partition_size\": 2"), "harmful",
            "zero_optimization.zero_hpz_partition_size");
        const auto batch = [&](const char *name, const char *members) {
            row(name, QString("{%1}").arg(members), "refused", "train_batch_size");
        };
        batch("batch of other GPUs",
              "\"train_batch_size\": 64, \"train_micro_batch_size_per_gpu\": 4, \"gradient_accumulation_steps\": 2");
        batch("batch in micro batches", "\"train_batch_size\": 64, \"train_micro_batch_size_per_gpu\": 3");
        batch("batch in steps", "\"train_batch_size\": 64, \"gradient_accumulation_steps\": 3");
        batch("batch on GPUs", "\"train_batch_size\": 6");
        row("bucket ignored", "--ddp-bucket-size 40000000", "ignored", "--ddp-bucket-size");
        row("bucket of 25", "--overlap-grad-reduce --ddp-bucket-size 25", "wrong-unit", "--ddp-bucket-size");
        row("reduced after", "--use-distributed-optimizer", "harmful", "--overlap-grad-reduce");
        row("gather alone", "--overlap-param-gather --overlap-grad-reduce", "refused", "--overlap-param-gather");
        row("bf16", "--overlap-grad-reduce --bf16", "note", "--bf16");
        row("instances", "--overlap-grad-reduce --num-distributed-optimizer-instances 3", "refused",
            "--num-distributed-optimizer-instances");
        row("registered", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True train.py --overlap-grad-reduce --nccl-ub", "refused",
            "--nccl-ub");
        row("fp32 in spite of bf16", "--overlap-grad-reduce --bf16 --grad-reduce-in-bf16 --accumulate-allreduce-grads-in-fp32",
            "note", "--accumulate-allreduce-grads-in-fp32");
        row("connections", "--overlap-grad-reduce --tensor-model-parallel-size 2", "harmful", "CUDA_DEVICE_MAX_CONNECTIONS");
        row("ranks", "torchrun --nnodes 2 --nproc_per_node 8 train.py", "note", "--nproc-per-node");
        row("one rank a node", "torchrun --nnodes 2 train.py", "note", "--nproc-per-node");
        row("standalone", "torchrun --standalone --nnodes=2 --nproc-per-node=2 train.py", "refused", "--standalone");
        row("in a script", "ARGS=(--nnodes 2 --nproc_per_node 8)\ntorchrun ${ARGS[@]} train.py", "note", "--nproc-per-node");
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
        row("fusion in bytes", "horovodrun --fusion-threshold-mb 67108864 train.py", "wrong-unit", "--fusion-threshold-mb");
        row("no fusion", "horovodrun --fusion-threshold-mb 0 train.py", "harmful", "--fusion-threshold-mb");
        row("argument in s", "horovodrun --cycle-time-ms 0.001 train.py", "wrong-unit", "--cycle-time-ms");
        row("argument not tuned", "horovodrun --autotune-log-file x train.py", "ignored", "--autotune-log-file");
        row("argument fixed", "horovodrun --autotune --cycle-time-ms 2 train.py", "note", "--cycle-time-ms");
        row("argument marks", "horovodrun --timeline-mark-cycles train.py", "ignored", "--timeline-mark-cycles");
        row("config in bytes", "params:\n  fusion_threshold_mb: 67108864\n", "wrong-unit", "params.fusion_threshold_mb");
        row("config not tuned", "params:\n  cycle_time_ms: 2\nautotune:\n  log_file: x\n", "ignored", "autotune.log_file");
        row("not known", "HOROVOD_FUSION_THRESHOLD=$SIZE", "note", "HOROVOD_FUSION_THRESHOLD");
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
        row("no such hash", "BYTEPS_KEY_HASH_FN=md5", "refused", "BYTEPS_KEY_HASH_FN");
        row("sums of one device", "BYTEPS_SCHEDULING_CREDIT=4", "ignored", "BYTEPS_SCHEDULING_CREDIT");
        row("workers", "BYTEPS_PARTITION_BYTES=4096000 DMLC_NUM_WORKER=3", "note", "DMLC_NUM_WORKER");
        row("servers", "DMLC_NUM_WORKER=4 DMLC_NUM_SERVER=2", "note", "DMLC_NUM_SERVER");
        row("async", "BYTEPS_ENABLE_ASYNC=1", "note", "BYTEPS_ENABLE_ASYNC");
        row("parameters", "BYTESCHEDULER_PARTITION=4", "wrong-unit", "BYTESCHEDULER_PARTITION");
        row("stop and wait", "BYTESCHEDULER_CREDIT=500000 BYTESCHEDULER_PARTITION=1000000", "harmful", "BYTESCHEDULER_CREDIT");
        row("never read", "BYTESCHEDULER_PARTITION_TUNING=1", "ignored", "BYTESCHEDULER_PARTITION_TUNING");
        row("credit tuned", "BYTESCHEDULER_CREDIT=4000000", "note", "BYTESCHEDULER_CREDIT");
        row("not used", "USE_BYTESCHEDULER=0 BYTESCHEDULER_CREDIT_TUNING=0", "ignored", "USE_BYTESCHEDULER");
        const auto name = [](const QString &text, const char *fault, const QString &setting, const QString &meant) {
            QTest::newRow(qPrintable(setting)) << text << fault << setting << meant;
        };
        const auto flag = [&](const QString &written, const char *meant) {
            name("XLA_FLAGS=" + written + "=1", "refused", written, meant);
        };
        flag("--xla_gpu_allreduce_combine_threshold_bytes", "--xla_gpu_all_reduce_combine_threshold_bytes");
        flag("--xla_gpu_all_reduce_combine_threshold", "--xla_gpu_all_reduce_combine_threshold_bytes");
        flag("--xla_gpu_all_gather_combine_threshold_mb", "--xla_gpu_all_gather_combine_threshold_bytes");
        flag("--xla_gpu_reduce_scatter_combiner_threshold_bytes", "--xla_gpu_reduce_scatter_combine_threshold_bytes");
        flag("--xla_gpu_latency_hiding_scheduler", "--xla_gpu_enable_latency_hiding_scheduler");
        flag("--xla-gpu-enable-latency-hiding-scheduler", "--xla_gpu_enable_latency_hiding_scheduler");
        flag("--xla_gpu_enable_pipelined_allgather", "--xla_gpu_enable_pipelined_all_gather");
        const auto variable = [&](const char *written, const char *meant) {
            name(QString(written) + "=1", "ignored", written, meant);
        };
        variable("HOROVOD_FUSION_TRESHOLD", "HOROVOD_FUSION_THRESHOLD");
        variable("HOROVOD_FUSION_THRESHOLD_MB", "HOROVOD_FUSION_THRESHOLD");
        variable("HOROVOD_CYCLE_TIME_MS", "HOROVOD_CYCLE_TIME");
        variable("HOROVDO_CYCLE_TIME", "HOROVOD_CYCLE_TIME");
        variable("BYTEPS_PARTITION_SIZE", "BYTEPS_PARTITION_BYTES");
        variable("BYTEPS_CREDIT", "BYTEPS_SCHEDULING_CREDIT");
        variable("BYTESCHEDULER_PARTITION_BYTES", "BYTESCHEDULER_PARTITION");
        const auto argument = [&](const char *written, const char *meant) {
            name(QString("--bf16 --use-distributed-optimizer ") + written + " 1", "refused", written, meant);
        };
        argument("--ddp-bucketsize", "--ddp-bucket-size");
        argument("--ddp-bucket-size-mb", "--ddp-bucket-size");
        name("--bf16 --use-distributed-optimizer --overlap-grad-reduction-x 1", "", "--overlap-grad-reduction-x", nullptr);
        argument("--tensor-parallel-size", "--tensor-model-parallel-size");
        name("--overlap-grad-reduse", "note", "--overlap-grad-reduse", "--overlap-grad-reduce");
        const auto key = [&](const QString &object, const char *fault, const char *written, const char *meant) {
            name("{\"train_batch_size\": 8, " + object + "}", fault, written, meant);
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
        name("params:\n  fusion_treshold_mb: 32\n", "ignored", "params.fusion_treshold_mb", "params.fusion_threshold_mb");
        name("params:\n  cycle_time: 2\n", "ignored", "params.cycle_time", "params.cycle_time_ms");
        name("fusion_threshold_mb: 32\n", "ignored", "fusion_threshold_mb", "params.fusion_threshold_mb");
        name("params:\n  cycle_time_ms: 2\n  optimizer: sgd\n", "", "params.optimizer", nullptr);
        name("filename: run.log\nlog_file: out\nlevel: 3\n", "", "another YAML", nullptr);
        name("library_options:\n  num_nccl_stream: 2\n", "ignored", "library_options.num_nccl_stream",
             "library_options.num_nccl_streams");
        name("BYTEPS_PARTITION_KB=4000", "ignored", "BYTEPS_PARTITION_KB", "BYTEPS_PARTITION_BYTES");
    }
    void everyRuleFinds() {
        QFETCH(QString, text);
        QFETCH(QString, fault);
        QFETCH(QString, setting);
        QFETCH(QString, meant);
        const SettingsFindings findings = lintOf(text.toStdString());
        if (!fault.isEmpty()) {
            const auto found = std::find_if(findings.marks.begin(), findings.marks.end(), [&](const SettingMark &mark) {
                return nameOf(mark.fault) == fault && mark.setting == setting.toStdString();
            });
            QVERIFY2(found != findings.marks.end(), listOf(findings).c_str());
            QVERIFY(!found->text.empty() && !found->remedy.empty());
        }
        QCOMPARE(questionsOf(findings), meant.isEmpty() ? QStringList() : QStringList(setting + ": did you mean " + meant + "?"));
        QVERIFY(std::is_sorted(findings.marks.begin(), findings.marks.end(),
                               [](const SettingMark &a, const SettingMark &b) { return a.fault < b.fault; }));
    }

    /// Names of systems outside this check are no near misses, and neither are removed names, which have a mark.
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
              "HOROVOD_FUSION_THRESHOLD=$((64*1024*1024)) HOROVOD_CYCLE_TIME=${CYCLE:-3.5}",
              "horovodrun -np 4 --fusion-threshold-mb 64 --cycle-time-ms 3.5 train.py",
              "params:\n  fusion_threshold_mb: 64\n  cycle_time_ms: 3.5\nautotune:\n  enabled: false\n",
              "SIZE=40000000\nGPT_ARGS=\"--overlap-grad-reduce --bf16 --grad-reduce-in-bf16 --ddp-bucket-size $SIZE\"",
              "BYTEPS_PARTITION_BYTES=4096000 BYTEPS_SCHEDULING_CREDIT=0 DMLC_NUM_WORKER=4 DMLC_NUM_SERVER=4",
              R"({"train_batch_size": 64, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 4,
                  "zero_optimization": {"stage": 0}})",
              "BYTESCHEDULER_CREDIT_TUNING=0 BYTESCHEDULER_CREDIT=4000000 BYTESCHEDULER_PARTITION=1000000"}) {
            const SettingsFindings findings = lintOf(text);
            QVERIFY2(findings.marks.empty(), listOf(findings).c_str());
            QCOMPARE(findings.meanings.size(), std::size_t{1});
        }
    }

    /// With a number of nodes that is set at start-up, or by a variable, there is nothing to compare with the cluster.
    void unknownNodesAreNotCounted() {
        for (const char *nodes : {"1:4", "$N"}) {
            const SettingsFindings findings = lintOf(std::string("torchrun --nproc_per_node 8 train.py --nnodes ") + nodes);
            QVERIFY2(findings.marks.empty(), listOf(findings).c_str());
        }
    }

    /// Flags of XLA on TPUs are not known here, and GPUs' rules say nothing about them.
    void flagsOfTpusAreLeftAlone() {
        for (const char *text : {"XLA_FLAGS='--xla_tpu_enable_async_collective_fusion=true --xla_enable_async_all_gather=true "
                                 "--xla_enable_latency_hiding_scheduler=true'",
                                 "LIBTPU_INIT_ARGS='--xla_tpu_data_parallel_opt_different_sized_ops=true "
                                 "--xla_enable_latency_hiding_scheduler=true'",
                                 "XLA_FLAGS=--xla_dump_to=/tmp/x"}) {
            const SettingsFindings findings = lintOf(text);
            QVERIFY2(findings.marks.empty() && findings.meanings.empty(), listOf(findings).c_str());
        }
    }

    /// Permutes carry activations, so their threshold says nothing about gradients, however large it is.
    void thresholdsOfPermutesAreNotComparedWithTheModel() {
        const SettingsFindings findings = lintOf("XLA_FLAGS='--xla_gpu_enable_latency_hiding_scheduler=true "
                                                 "--xla_gpu_collective_permute_combine_threshold_bytes=8589934592'");
        QVERIFY2(findings.marks.empty(), listOf(findings).c_str());
    }

    /// A number in a variable that the text does not set is no error.
    void whatIsNotKnownIsSaid() {
        for (const char *text :
             {"HOROVOD_FUSION_THRESHOLD=${SIZE}", "HOROVOD_CYCLE_TIME=$((A * B))", "BYTEPS_PARTITION_BYTES=`x`",
              "BYTESCHEDULER_CREDIT=$(x) BYTESCHEDULER_CREDIT_TUNING=0", "--overlap-grad-reduce --ddp-bucket-size $SIZE"}) {
            const SettingsFindings findings = lintOf(text);
            QVERIFY2(findings.marks.size() == 1 && findings.marks[0].fault == SettingFault::Note &&
                         findings.marks[0].text.ends_with("is not known here"),
                     listOf(findings).c_str());
            QCOMPARE(findings.meanings.front().leftOut.size(), std::size_t{1});
            QCOMPARE(findings.meanings.front().leftOut[0].setting, findings.marks[0].setting);
        }
    }

    /// A prediction tells which settings it does not follow.
    void whatIsLeftOutIsSaid_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("settings");
        const auto row = [](const char *name, const QString &text, const QStringList &settings) {
            QTest::newRow(name) << text << settings;
        };
        row("nothing", "--overlap-grad-reduce", {});
        row("parallelism", "--overlap-grad-reduce --tensor-model-parallel-size 2 --context-parallel-size 1",
            {"--tensor-model-parallel-size"});
        row("fp32 as the job", "--overlap-grad-reduce --bf16", {});
        row("bf16", "--overlap-grad-reduce --bf16 --grad-reduce-in-bf16", {"--grad-reduce-in-bf16"});
        const auto deepSpeed = [&](const char *name, const char *members, const QStringList &settings) {
            row(name, QString("{\"train_micro_batch_size_per_gpu\": 1, %1}").arg(members), settings);
        };
        deepSpeed("type of training", "\"bf16\": {\"enabled\": true}", {"bf16.enabled"});
        deepSpeed("type on the wire", "\"bf16\": {\"enabled\": true}, \"communication_data_type\": \"fp32\"", {});
        deepSpeed("steps", "\"gradient_accumulation_steps\": 4", {"gradient_accumulation_steps"});
        deepSpeed(
            "stage 3",
            "\"zero_optimization\": {\"stage\": 3, \"zero_quantized_weights\": true, \"offload_param\": {\"device\": "
            "\"cpu\"}}",
            {"zero_optimization.stage", "zero_optimization.zero_quantized_weights", "zero_optimization.offload_param.device"});
        deepSpeed("auto", "\"zero_optimization\": {\"stage\": 2, \"reduce_bucket_size\": \"auto\"}",
                  {"zero_optimization.reduce_bucket_size"});
        row("tuned", "HOROVOD_AUTOTUNE=1", {"HOROVOD_AUTOTUNE"});
        row("asynchronous", "BYTEPS_ENABLE_ASYNC=1", {"BYTEPS_ENABLE_ASYNC"});
        row("bound", "BYTEPS_ENABLE_MIXED_MODE=1 BYTEPS_MIXED_MODE_BOUND=5", {"BYTEPS_MIXED_MODE_BOUND"});
    }
    void whatIsLeftOutIsSaid() {
        QFETCH(QString, text);
        QFETCH(QStringList, settings);
        const SettingsFindings findings = lintOf(text.toStdString());
        QStringList leftOut;
        for (const LeftOut &left : findings.meanings.front().leftOut) {
            leftOut << QString::fromStdString(left.setting);
            QVERIFY(!left.text.empty());
        }
        QCOMPARE(leftOut, settings);
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
        // Two replicas of the data, each on two GPUs: not the number that bucket_size=auto assumes.
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
        QVERIFY(is("BYTEPS_KEY_HASH_FN=sdbm BYTEPS_SERVER_ENGINE_THREAD=8", "byteps(hash=sdbm,engine_threads=8)"));
        QVERIFY(is("BYTEPS_ENABLE_MIXED_MODE=1", "byteps(hash=mixed)"));
        QVERIFY(is("HOROVOD_HIERARCHICAL_ALLREDUCE=1", "horovod(algorithm=hierarchical)"));
        QVERIFY(is("horovodrun --hierarchical-allreduce --fusion-threshold-mb 64 -np 4 train.py",
                   "horovod(fusion=64MiB,algorithm=hierarchical)"));
        // The launcher's arguments take precedence over the environment.
        QVERIFY(is("HOROVOD_CYCLE_TIME=9 horovodrun --cycle-time-ms 3 train.py", "horovod(cycle=3ms)"));
        for (const char *blocked : {"ALLREDUCE", "allgather,allreduce", "allcollectives"})
            QVERIFY2(is(std::string("XLA_FLAGS='--xla_gpu_enable_latency_hiding_scheduler=true "
                                    "--xla_gpu_disable_async_collectives=") +
                            blocked + "'",
                        "xla(latency_hiding_scheduler=off)"),
                     blocked);
        QVERIFY(is("XLA_FLAGS='--xla_gpu_enable_latency_hiding_scheduler=true --xla_gpu_disable_async_collectives=ALLGATHER'",
                   "xla(latency_hiding_scheduler=on)"));
        for (const char *servers : {"DMLC_NUM_SERVER=2", "DMLC_ROLE=worker", "train.py --kv-store dist_sync", "--num-servers 2"})
            QVERIFY2(lintOf(std::string("BYTESCHEDULER_CREDIT=4000000 ") + servers).meanings.front().servers, servers);
        QVERIFY(!lintOf("BYTESCHEDULER_CREDIT=4000000 DMLC_NUM_SERVER=0").meanings.front().servers);
        QVERIFY(lintOf("BYTEPS_SCHEDULING_CREDIT=4").meanings.front().servers);
        QVERIFY(!lintOf("HOROVOD_CYCLE_TIME=3.5").meanings.front().servers);
    }

    /// ByteScheduler counts parameters, and all but 100 of these have four bytes.
    void parametersHaveTheSizeOfMost() {
        Job job = chainJob({{1e-3, 2e-3, 100}, {1e-3, 2e-3, 1'000'000}});
        job.variables.front().dtype = DataType::Float16;
        const WrittenSettings settings =
            must(WrittenSettings::parse("BYTESCHEDULER_PARTITION=500000 BYTESCHEDULER_CREDIT=1000000"));
        const CommPolicy policy = must(parsePolicy(lintSettings(settings, &job, nullptr).meanings.front().policy));
        QCOMPARE(policy.value("partition"), 2e6);
        QCOMPARE(policy.value("credit"), 4e6);
    }
};

QTEST_APPLESS_MAIN(TestLintSettings)
#include "tst_lint_settings.moc"

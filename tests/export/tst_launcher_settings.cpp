// SPDX-License-Identifier: GPL-3.0-or-later
// Settings files as the systems read them: units, disabled tuning, and rejection of settings that they cannot express.
#include "engine/export/export.h"
#include "engine/export/launcher_settings.h"
#include "engine/strategy/settings/lint_settings.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <yaml-cpp/yaml.h>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

Scenario reduced(const char *policy) {
    const Job job = chainJob({{1e-3, 2e-3, 1'000'000}, {1e-3, 1e-3, 5'000'000}});
    return scenario(job, plainCluster(4, 1e9), allReduceEach(job), *parsePolicy(policy));
}

Scenario served(const char *policy) {
    const Job job = chainJob({{1e-3, 2e-3, 1'000'000}, {1e-3, 1e-3, 5'000'000}});
    return scenario(job, servedCluster(3, 1e9), parameterServers(job, {"n3:CPU:0"}), *parsePolicy(policy));
}

/// The environment of a shell that has sourced the file.
QMap<QString, QString> sourced(const std::string &text) {
    QTemporaryDir dir;
    const QString file = dir.filePath("settings.env");
    if (!writeFile(file.toStdString(), text))
        return {};
    QProcess shell;
    shell.setProcessEnvironment(QProcessEnvironment());
    shell.start("/bin/sh", {"-c", "set -eu; set -a; . \"$0\"; set +a; env", file});
    shell.waitForFinished(syncopate::testing::patience);
    QMap<QString, QString> variables;
    for (const QString &line : QString::fromUtf8(shell.readAllStandardOutput()).split('\n'))
        if (const auto equals = line.indexOf('='); equals > 0)
            variables[line.left(equals)] = line.mid(equals + 1);
    return variables;
}

Result<std::string> settings(const char *format, const Scenario &scenario) {
    return writeLauncherSettings(*findLauncher(format), scenario);
}

std::string refusal(const char *format, const Scenario &scenario) {
    const auto text = settings(format, scenario);
    return text ? std::string() : text.error().toString();
}

} // namespace

class TestLauncherSettings : public QObject {
    Q_OBJECT

private slots:
    void byteSchedulerCountsParameters() {
        const auto text = settings("bytescheduler", reduced("bytescheduler(partition=32MB,credit=64MB)"));
        VERIFY_VALUE(text);
        const auto env = sourced(*text);
        QCOMPARE(env["BYTESCHEDULER_PARTITION"], QString("8000000")); // float32
        QCOMPARE(env["BYTESCHEDULER_CREDIT"], QString("16000000"));
        QCOMPARE(env["BYTESCHEDULER_CREDIT_TUNING"], QString("0"));
        QCOMPARE(env["BYTESCHEDULER_PARTITION_TUNING"], QString("0"));
        QCOMPARE(env["USE_BYTESCHEDULER"], QString("1"));
        Scenario half = reduced("bytescheduler(partition=32MB,credit=64MB)");
        Job job = *half.job;
        for (Variable &variable : job.variables)
            variable.dtype = DataType::Float16;
        half.job = std::make_shared<const Job>(job);
        QCOMPARE(sourced(*settings("bytescheduler", half))["BYTESCHEDULER_PARTITION"], QString("16000000"));
    }

    void bytePsCountsBytesAndPartitions() {
        auto env = sourced(*settings("byteps", served("byteps(partition=2MB,credit=4)")));
        QCOMPARE(env["BYTEPS_PARTITION_BYTES"], QString("2002944")); // 489 pages
        QCOMPARE(env["BYTEPS_SCHEDULING_CREDIT"], QString("4"));
        QCOMPARE(env["DMLC_NUM_WORKER"], QString("3"));
        QCOMPARE(env["DMLC_NUM_SERVER"], QString("1"));
        QCOMPARE(env["BYTEPS_ENABLE_ASYNC"], QString("0"));
        env = sourced(*settings("byteps", served("byteps")));
        QCOMPARE(env["BYTEPS_PARTITION_BYTES"], QString("4096000"));
        QCOMPARE(env["BYTEPS_SCHEDULING_CREDIT"], QString("0")); // off, as BytePS ships
        // Partitions are counted as rounded: 5 MB have more than 65,536 pieces of 64 bytes, and BytePS makes whole pages.
        env = sourced(*settings("byteps", served("byteps(partition=64)")));
        QCOMPARE(env["BYTEPS_PARTITION_BYTES"], QString("4096"));
    }

    /// Sizes between two that a system reads, such as a tuner's, are rounded to the nearest, and the file says so. A credit stays
    /// as many partitions.
    void sizesAreRoundedToWhatSystemsRead_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("policy");
        QTest::addColumn<QStringList>("lines");
        QTest::addColumn<QString>("rounded");
        const auto row = [](const char *name, const char *format, const char *policy, const QStringList &lines, const char *to) {
            QTest::newRow(name) << QString(format) << QString(policy) << lines << QString(to);
        };
        row("down", "bytescheduler", "bytescheduler(partition=130357,credit=2085712)",
            {"BYTESCHEDULER_PARTITION=32589", "BYTESCHEDULER_CREDIT=521424"},
            "bytescheduler(partition=130356,credit=2085696)"); // 16 partitions
        row("up", "bytescheduler", "bytescheduler(partition=1003,credit=3009)",
            {"BYTESCHEDULER_PARTITION=251", "BYTESCHEDULER_CREDIT=753"}, "bytescheduler(partition=1004,credit=3012)");
        row("credit", "bytescheduler", "bytescheduler(partition=4000,credit=10001)", {"BYTESCHEDULER_CREDIT=2500"},
            "bytescheduler(partition=4000,credit=10000)");
        row("slices", "bytescheduler", "p3(slice=50001)", {"BYTESCHEDULER_PARTITION=12500", "BYTESCHEDULER_CREDIT=12500"},
            "p3(slice=50000)");
        row("partitions", "byteps", "byteps(partition=4MB,credit=9500000B)", {"BYTEPS_SCHEDULING_CREDIT=2"},
            "byteps(partition=4MB,credit=2)");
        row("MiB", "horovod-yaml", "horovod(fusion=5MB,cycle=2ms)", {"  fusion_threshold_mb: 5"},
            "horovod(fusion=5MiB,cycle=2ms)");
        row("bytes", "horovod", "horovod(fusion=1000.6)", {"HOROVOD_FUSION_THRESHOLD=1001"}, "horovod(fusion=1001)");
        row("threshold", "xla", "xla(all_reduce_combine=65536.4)", {}, "xla(all_reduce_combine=65536)");
        row("cap", "ddp", "ddp(bucket_cap=1048576.4)", {}, "ddp(bucket_cap=1MiB)");
        row("module", "fsdp2", "fsdp2(module=1048576.4)", {}, "fsdp2(module=1MiB)");
    }
    void sizesAreRoundedToWhatSystemsRead() {
        QFETCH(QString, format);
        QFETCH(QString, policy);
        QFETCH(QStringList, lines);
        QFETCH(QString, rounded);
        const auto of = [&](const QString &text) {
            return settings(format.toUtf8(), format == "byteps" ? served(text.toUtf8()) : reduced(text.toUtf8()));
        };
        const auto written = of(policy);
        VERIFY_VALUE(written);
        const QString text = QString::fromStdString(*written);
        for (const QString &line : lines)
            QVERIFY2(text.contains("\n" + line + "\n"), qPrintable(line + "\n" + text));
        const QString remark = "reads: " + QString::fromStdString(formatPolicy(*parsePolicy(rounded.toStdString()))) + ".\n";
        QVERIFY2(text.contains(remark), qPrintable(remark + text));
        const auto exact = of(rounded);
        VERIFY_VALUE(exact);
        QVERIFY2(exact->find("Rounded") == std::string::npos, exact->c_str());
        const auto afterHeading = [](const std::string &file) { return file.substr(file.find('\n', file.find(" it "))); };
        QCOMPARE(afterHeading(*written), afterHeading(*exact));
    }

    /// ps-lite's counts are written only with servers; the settings are recognised by them.
    void byteSchedulerCountsItsServers() {
        const Scenario of = served("bytescheduler(hash=mxnet)");
        const auto env = sourced(*settings("bytescheduler", of));
        QCOMPARE(env["DMLC_NUM_WORKER"], QString("3"));
        QCOMPARE(env["DMLC_NUM_SERVER"], QString("1"));
        QVERIFY(!sourced(*settings("bytescheduler", reduced("bytescheduler"))).contains("DMLC_NUM_SERVER"));
        const auto read = WrittenSettings::parse(*settings("bytescheduler", of));
        VERIFY_VALUE(read);
        const SettingsMeaning meaning = lintSettings(*read, of.job.get(), of.cluster.get()).meanings.front();
        QVERIFY(meaning.servers);
        QCOMPARE(formatPolicy(*parsePolicy(meaning.policy)), formatPolicy(of.policy));
    }

    /// The settings written for a policy are recognised as that policy.
    void exportsAreReadBack_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("policy");
        const auto row = [](const char *format, const char *policy) {
            QTest::newRow(policy) << QString(format) << QString(policy);
        };
        row("deepspeed", "deepspeed");
        row("deepspeed", "deepspeed(reduce_bucket=200000000,overlap=on)");
        row("deepspeed", "deepspeed(reduce_bucket=0)");
        row("deepspeed", "deepspeed(stage=0)");
        row("deepspeed", "deepspeed(allgather_bucket=200000000,overlap=on,stage=2)");
        row("megatron", "megatron");
        row("megatron", "megatron(overlap_grad_reduce=on)");
        row("megatron", "megatron(bucket_size=1000000)");
        row("megatron", "megatron(bucket_size=123456789,overlap_grad_reduce=on,distributed_optimizer=on)");
        row("megatron", "megatron(overlap_grad_reduce=on,distributed_optimizer=on,overlap_param_gather=on)");
        row("xla", "xla");
        row("xla", "xla(all_reduce_combine=64MiB,latency_hiding_scheduler=on)");
        row("horovod", "horovod(fusion=64MiB,cycle=2.5ms)");
        row("horovod", "horovod(fusion=64MiB,algorithm=hierarchical)");
        row("horovod-yaml", "horovod(fusion=16MiB,cycle=4ms)");
        row("horovod-yaml", "horovod(fusion=0,cycle=5ms,algorithm=hierarchical)");
        row("bytescheduler", "bytescheduler(partition=32MB,credit=64MB)");
    }
    void exportsAreReadBack() {
        QFETCH(QString, format);
        QFETCH(QString, policy);
        const Scenario of = reduced(policy.toUtf8());
        const auto written = settings(format.toUtf8(), of);
        VERIFY_VALUE(written);
        const auto read = WrittenSettings::parse(*written);
        VERIFY_VALUE(read);
        const SettingsFindings found = lintSettings(*read, of.job.get(), of.cluster.get());
        QCOMPARE(found.meanings.size(), std::size_t{1});
        QCOMPARE(formatPolicy(*parsePolicy(found.meanings.front().policy)), formatPolicy(of.policy));
    }

    void settingsOfBucketsAreWhatSystemsRead() {
        const auto xla = sourced("XLA_FLAGS=--xla_dump_to=x\n" + *settings("xla", reduced("xla(all_reduce_combine=1MiB)")));
        QCOMPARE(xla["XLA_FLAGS"], QString("--xla_dump_to=x --xla_gpu_all_reduce_combine_threshold_bytes=1048576 "
                                           "--xla_gpu_enable_latency_hiding_scheduler=false"));
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(*settings("deepspeed", reduced("deepspeed"))));
        const QJsonObject zero = json.object()["zero_optimization"].toObject();
        QCOMPARE(zero["stage"].toInt(), 1);
        QCOMPARE(zero["overlap_comm"], QJsonValue(false));
        QCOMPARE(zero["reduce_bucket_size"].toInt(), 500'000'000); // elements
        QVERIFY(!zero.contains("allgather_bucket_size"));
        QVERIFY(settings("megatron", reduced("megatron(bucket_size=1000000)"))->find("\n--ddp-bucket-size 1000000\n") !=
                std::string::npos); // elements
        QVERIFY(refusal("megatron", reduced("megatron(overlap_param_gather=on)")).find("distributed_optimizer") !=
                std::string::npos);
        for (const char *system : {"deepspeed", "megatron", "xla"}) {
            QVERIFY2(refusal(system, served(system)).find("parameter servers") != std::string::npos, system);
            QVERIFY2(refusal(system, reduced((std::string(system) + "(barrier=off)").c_str())).find("barrier") !=
                         std::string::npos,
                     system);
            QVERIFY2(refusal(system, reduced((std::string(system) + "(algorithm=tree)").c_str())).find("algorithm") !=
                         std::string::npos,
                     system);
        }
    }

    void horovodCountsBytesAndMilliseconds() {
        auto env = sourced(*settings("horovod", reduced("horovod(fusion=64MiB,cycle=2.5ms)")));
        QCOMPARE(env["HOROVOD_FUSION_THRESHOLD"], QString("67108864"));
        QCOMPARE(env["HOROVOD_CYCLE_TIME"], QString("2.5"));
        QCOMPARE(env["HOROVOD_AUTOTUNE"], QString("0"));
        QCOMPARE(env["HOROVOD_HIERARCHICAL_ALLREDUCE"], QString("0"));
        env = sourced(*settings("horovod", reduced("horovod(fusion=0,cycle=3ms,algorithm=hierarchical)")));
        QCOMPARE(env["HOROVOD_FUSION_THRESHOLD"], QString("0"));
        QCOMPARE(env["HOROVOD_CYCLE_TIME"], QString("3"));
        QCOMPARE(env["HOROVOD_HIERARCHICAL_ALLREDUCE"], QString("1"));
        const YAML::Node config = YAML::Load(*settings("horovod-yaml", reduced("horovod(fusion=64MiB,cycle=2.5ms)")));
        QCOMPARE(config["params"]["fusion_threshold_mb"].as<int>(), 64);
        QCOMPARE(config["params"]["cycle_time_ms"].as<double>(), 2.5);
        QCOMPARE(config["params"]["hierarchical_allreduce"].as<bool>(), false);
        QCOMPARE(config["autotune"]["enabled"].as<bool>(), false);
    }

    void ddpSnippetWrapsWithItsCaps() {
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty())
            QSKIP("there is no python3");
        // A stand-in for PyTorch prints its arguments; `isNew` gives it the default of new versions.
        const auto ask = [&](const std::string &snippet, bool isNew) {
            QTemporaryDir dir;
            QDir(dir.path()).mkpath("torch/nn/parallel");
            QDir(dir.path()).mkpath("torch/distributed");
            for (const char *package : {"torch", "torch/nn", "torch/distributed"})
                (void)writeFile(dir.filePath(QString(package) + "/__init__.py").toStdString(), "");
            (void)writeFile(
                dir.filePath("torch/nn/parallel/__init__.py").toStdString(),
                std::string("class DistributedDataParallel:\n    def __init__(self, module, device_ids=None, bucket_cap_mb=") +
                    (isNew ? "None" : "25") + "):\n        self.cap = bucket_cap_mb\n");
            (void)writeFile(dir.filePath("settings.py").toStdString(), snippet);
            QProcess process;
            process.setWorkingDirectory(dir.path());
            process.start(python, {"-c", "import settings, torch.distributed as d\nm = settings.wrap(object(), device_ids=[0])\n"
                                         "print(m.cap, d._DEFAULT_FIRST_BUCKET_BYTES)"});
            process.waitForFinished(syncopate::testing::patience);
            const QByteArray error = process.readAllStandardError();
            return error.isEmpty() ? process.readAllStandardOutput().trimmed() : error.trimmed().split('\n').last();
        };
        const std::string shipped = *settings("ddp", reduced("ddp"));
        QCOMPARE(ask(shipped, false), QByteArray("25 1048576"));
        QCOMPARE(ask(shipped, true), QByteArray("None 1048576")); // a cap that is passed would apply to the first bucket, too
        const std::string equal = *settings("ddp", reduced("ddp(bucket_cap=10MiB,first_bucket=10MiB)"));
        QCOMPARE(ask(equal, false), QByteArray("10 10485760"));
        QCOMPARE(ask(equal, true), QByteArray("10 10485760"));
        const std::string unequal = *settings("ddp", reduced("ddp(bucket_cap=10500000,first_bucket=2MiB)"));
        const QList<QByteArray> old = ask(unequal, false).split(' ');
        QCOMPARE(static_cast<int>(old[0].toDouble() * 1024 * 1024), 10500000); // DDP's own conversion to bytes
        QCOMPARE(old[1], QByteArray("2097152"));
        QVERIFY(ask(unequal, true).startsWith("RuntimeError"));
    }

    void fsdpSnippetShardsModules() {
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty())
            QSKIP("there is no python3");
        // A stand-in for PyTorch writes down its calls, of a model with leaves a, b, c, d of 4, 4, 12 and 4 values,
        // between two that share theirs.
        const auto ask = [&](const std::string &snippet) {
            QTemporaryDir dir;
            QDir(dir.path()).mkpath("torch/distributed");
            (void)writeFile(dir.filePath("torch/__init__.py").toStdString(), "float16 = 'half'\n");
            (void)writeFile(dir.filePath("torch/distributed/__init__.py").toStdString(), "");
            (void)writeFile(dir.filePath("torch/distributed/fsdp.py").toStdString(),
                            "def fully_shard(what, reshard_after_forward=None, mp_policy=None):\n"
                            "    names = ''.join(m.name for m in what) if isinstance(what, list) else what.name\n"
                            "    print(names, reshard_after_forward, *([mp_policy] if mp_policy else []), end='; ')\n"
                            "def MixedPrecisionPolicy(reduce_dtype):\n    return 'reduce ' + reduce_dtype\n"
                            "class P:\n"
                            "    def __init__(self, n): self.n = n\n"
                            "    def numel(self): return self.n\n"
                            "    def element_size(self): return 4\n"
                            "class M:\n"
                            "    def __init__(self, name, n=0, parts=(), tied=None):\n"
                            "        self.name, self.parts = name, parts\n"
                            "        self.own = [tied.own[0]] if tied else [P(n)] if n else []\n"
                            "    def children(self): return iter(self.parts)\n"
                            "    def parameters(self, recurse=True):\n"
                            "        return iter(self.own + [p for m in self.parts if recurse for p in m.parameters()])\n"
                            "    def modules(self): return [self] + [m for part in self.parts for m in part.modules()]\n"
                            "    def say(self, what, ahead): print(self.name, what, ''.join(m.name for m in ahead), end='; ')\n"
                            "    def set_modules_to_forward_prefetch(self, ahead): self.say('f', ahead)\n"
                            "    def set_modules_to_backward_prefetch(self, ahead): self.say('b', ahead)\n"
                            "    def set_separate_reduce_scatter_group(self, on): print(self.name, 'apart', on, end='; ')\n"
                            "t = M('t', 4)\n"
                            "model = M('R', 0, [t, M('x', 0, [M('a', 4), M('-'), M('b', 4)]), M('c', 12), M('d', 4), "
                            "M('u', tied=t)])\n");
            (void)writeFile(dir.filePath("settings.py").toStdString(), snippet);
            QProcess process;
            process.setWorkingDirectory(dir.path());
            process.start(python,
                          {"-c", "import settings, torch.distributed.fsdp as f\nassert settings.shard(f.model) is f.model"});
            process.waitForFinished(syncopate::testing::patience);
            const QByteArray error = process.readAllStandardError();
            return error.isEmpty() ? process.readAllStandardOutput().trimmed() : error.trimmed().split('\n').last();
        };
        const auto of = [&](const char *policy) { return ask(*settings("fsdp2", reduced(policy))); };
        QCOMPARE(of("fsdp2"), QByteArray("R None;")); // nothing here is as large as a module
        QCOMPARE(of("fsdp2(module=32)"), QByteArray("ab True; c True; R None;"));
        QCOMPARE(of("fsdp2(module=16,reshard_after_forward=off)"), QByteArray("a False; b False; c False; d False; R None;"));
        QCOMPARE(of("fsdp2(module=32,forward_prefetch=2)"), QByteArray("ab True; c True; R None; R f ac; a f c; c f ;"));
        QCOMPARE(of("fsdp2(module=32,backward_prefetch=2)"), QByteArray("ab True; c True; R None; R b ca; c b a; a b ;"));
        QCOMPARE(of("fsdp2(module=16,backward_prefetch=3)"), // the root has the tied parameter
                 QByteArray("a True; b True; c True; d True; R None; R b dcb; d b cba; c b ba; b b a; a b ;"));
        QCOMPARE(of("fsdp2(module=48,backward_prefetch=0)"), QByteArray("abc True; R None; R b R; a b a;"));
        QCOMPARE(of("fsdp2(module=model,separate_reduce_scatter_group=on)"), QByteArray("R None; R apart True;"));
        Scenario half = reduced("fsdp2(module=48)");
        Strategy strategy = *half.strategy;
        for (NodeConfig &node : strategy.nodes)
            node.synchronizer.compressor = Compressor::Horovod;
        half.strategy = std::make_shared<const Strategy>(strategy);
        QCOMPARE(ask(*settings("fsdp2", half)), QByteArray("abc True reduce half; R None reduce half;"));
    }

    void whatASystemCannotDoIsRefused() {
        // Another system's policy.
        QVERIFY(refusal("ddp", reduced("fifo")).find("ddp(..)") != std::string::npos);
        QVERIFY(refusal("horovod", reduced("ddp")).find("horovod(..)") != std::string::npos);
        QVERIFY(refusal("bytescheduler", reduced("tic")).find("bytescheduler(..)") != std::string::npos);
        QVERIFY(refusal("byteps", served("fifo")).find("byteps(..)") != std::string::npos);
        // Architecture.
        QVERIFY(refusal("ddp", served("ddp")).find("parameter servers") != std::string::npos);
        QVERIFY(refusal("horovod", served("horovod")).find("parameter servers") != std::string::npos);
        QVERIFY(refusal("byteps", reduced("byteps")).find("all-reduces") != std::string::npos);
        // The barrier.
        QVERIFY(refusal("ddp", reduced("ddp(barrier=off)")).find("barrier") != std::string::npos);
        QVERIFY(refusal("horovod", reduced("horovod(barrier=off)")).find("barrier") != std::string::npos);
        QVERIFY(refusal("bytescheduler", reduced("bytescheduler(barrier=on)")).find("barrier") != std::string::npos);
        // Less than half of what a setting can express.
        QVERIFY(refusal("byteps", served("byteps(partition=4MB,credit=1MB)")).find("partitions") != std::string::npos);
        QVERIFY(refusal("bytescheduler", reduced("bytescheduler(partition=1)")).find("parameters") != std::string::npos);
        QVERIFY(refusal("horovod-yaml", reduced("horovod(fusion=64KiB)")).find("MiB") != std::string::npos);
        // The last page below 2^31 bytes is 2^31 - 4096; a partition that ends in it is rounded up to more than an int can hold.
        for (const char *size :
             {"byteps(partition=4GB,credit=8GB)", "byteps(partition=2147483647B)", "byteps(partition=2147479553B)"})
            QVERIFY(refusal("byteps", served(size)).find("choose 2147479552 bytes or less") != std::string::npos);
        QCOMPARE(refusal("byteps", served("byteps(partition=2147479552B)")), std::string());
        const Job large = chainJob({{1e-3, 2e-3, 300'000'000}}); // in pages more than 65,536 partitions
        const Scenario pages = scenario(large, servedCluster(3, 1e9), parameterServers(large, {"n3:CPU:0"}),
                                        *parsePolicy("byteps(partition=1,credit=1)"));
        QVERIFY(refusal("byteps", pages).find("65536") != std::string::npos);
        QVERIFY(refusal("fsdp2", served("fsdp2")).find("parameter servers") != std::string::npos);
        QVERIFY(refusal("fsdp2", reduced("fsdp2(barrier=off)")).find("barrier") != std::string::npos);
        QVERIFY(refusal("fsdp2", reduced("fsdp2(algorithm=tree)")).find("algorithm") != std::string::npos);
        QVERIFY(refusal("ddp", reduced("ddp(concurrent=2)")).find("concurrent=2") != std::string::npos);
        QVERIFY(refusal("ddp", reduced("ddp(algorithm=tree)")).find("algorithm") != std::string::npos);
        QVERIFY(refusal("horovod", reduced("horovod(algorithm=hd)")).find("hierarchical") != std::string::npos);
    }

    void strategiesPerVariableAreRefused() {
        const auto with = [](const std::function<void(Strategy &)> &edit, const char *policy) {
            Scenario changed = reduced(policy);
            Strategy strategy = *changed.strategy;
            edit(strategy);
            changed.strategy = std::make_shared<const Strategy>(strategy);
            return changed;
        };
        QVERIFY(refusal("ddp", with([](Strategy &s) { s.nodes[1].synchronizer.kind = SynchronizerKind::ParameterServer; }, "ddp"))
                    .find("layer1/kernel:0") != std::string::npos);
        QVERIFY(refusal("ddp", with([](Strategy &s) { s.nodes[1].parts.resize(2); }, "ddp")).find("2 parts") !=
                std::string::npos);
        QVERIFY(refusal("ddp", with([](Strategy &s) { s.nodes[1].synchronizer.compressor = Compressor::Horovod; }, "ddp"))
                    .find("compressor") != std::string::npos);
        const auto all = [](Compressor compressor) {
            return [compressor](Strategy &s) {
                for (NodeConfig &node : s.nodes)
                    node.synchronizer.compressor = compressor;
            };
        };
        QVERIFY(settings("ddp", with(all(Compressor::Horovod), "ddp"))->find("fp16_compress_hook") != std::string::npos);
        QVERIFY(refusal("horovod", with(all(Compressor::HorovodEF), "horovod")).find("error feedback") != std::string::npos);
        QVERIFY(!refusal("ddp", with([](Strategy &s) { s.nodes.clear(); }, "ddp")).empty());
        // A served variable keeps the compressor that it had when it was all-reduced, and does not use it.
        Scenario onServers = served("byteps");
        Strategy strategy = *onServers.strategy;
        all(Compressor::HorovodEF)(strategy);
        onServers.strategy = std::make_shared<const Strategy>(strategy);
        QCOMPARE(must(settings("byteps", onServers)), must(settings("byteps", served("byteps"))));
    }

    void namesCannotBecomeSettings() {
        Scenario hostile = reduced("horovod");
        Job job = *hostile.job;
        const QTemporaryDir folder;
        const std::string never = folder.filePath("never").toStdString();
        job.name = "x\nHOROVOD_CYCLE_TIME=99\n$(touch " + never + ")`touch " + never + "`";
        hostile.job = std::make_shared<const Job>(job);
        const auto env = sourced(*settings("horovod", hostile));
        QCOMPARE(env["HOROVOD_CYCLE_TIME"], QString("1"));
        QVERIFY(!QFile::exists(QString::fromStdString(never)));
    }
};

QTEST_GUILESS_MAIN(TestLauncherSettings)
#include "tst_launcher_settings.moc"

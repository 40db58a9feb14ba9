// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/expression.h"
#include "engine/strategy/policy.h"

#include <QtTest>

#include <cmath>

using namespace syncopate;

class TestCommPolicy : public QObject {
    Q_OBJECT
private slots:
    void defaults();
    void arguments();
    void roundTrip_data();
    void roundTrip();
    void refuses_data();
    void refuses();
    void errorsInExpressionsNameTheirOption();
};

/// Decides by the error's kind, not by its place's text: files have bytes, too.
void TestCommPolicy::errorsInExpressionsNameTheirOption() {
    for (const char *text : {"lifo", "ddp(", "ddp(bucket=1)", "fifo(barrier=perhaps)", "ddp(bucket_cap=fast)"}) {
        const auto refused = inOption(parsePolicy(text), "--policy");
        QVERIFY2(!refused && refused.error().isInExpression, text);
        QCOMPARE(refused.error().file, std::string("--policy"));
        QVERIFY2(refused.error().place.starts_with("byte "), text);
    }
    const Result<int> ofFile = fail("cut off", "copy it again", {}, "byte 812");
    QVERIFY(!ofFile.error().isInExpression);
    QCOMPARE(inOption(ofFile, "--policy").error().file, std::string());
}

void TestCommPolicy::defaults() {
    const auto fifo = parsePolicy("fifo");
    QCOMPARE(fifo->kind().name, std::string("fifo"));
    QVERIFY(fifo->barrier);
    QCOMPARE(fifo->form, CollectiveForm::Analytic);
    QVERIFY(*fifo == CommPolicy{});
    const auto ddp = parsePolicy("ddp()");
    QCOMPARE(ddp->kind().name, std::string("ddp"));
    QCOMPARE(ddp->value("bucket_cap"), 26214400.0);
    QCOMPARE(ddp->value("first_bucket"), 1048576.0);
    QCOMPARE(ddp->value("concurrent"), 1.0);
    QVERIFY(ddp->barrier);
    const auto scheduler = parsePolicy(" bytescheduler ");
    QCOMPARE(scheduler->kind().name, std::string("bytescheduler"));
    QCOMPARE(scheduler->value("partition"), 4e6);
    QCOMPARE(scheduler->value("credit"), 16e6);
    QVERIFY(!scheduler->barrier);
    // Each system's defaults: its own documentation (engine/strategy/policy/), AutoByte section II, RFC 9113 section 6.9.2.
    const auto horovod = parsePolicy("horovod");
    QCOMPARE(horovod->kind().name, std::string("horovod"));
    QCOMPARE(horovod->value("fusion"), 134217728.0);
    QCOMPARE(horovod->value("cycle"), 0.001);
    QVERIFY(horovod->barrier);
    const auto p3 = parsePolicy("p3");
    QCOMPARE(p3->kind().name, std::string("p3"));
    QCOMPARE(p3->value("slice"), 160000.0);
    QVERIFY(!p3->barrier);
    const auto byteps = parsePolicy("byteps");
    QCOMPARE(byteps->kind().name, std::string("byteps"));
    QCOMPARE(byteps->value("partition"), 4096000.0);
    QCOMPARE(byteps->value("credit"), 34359738368.0);
    QVERIFY(byteps->barrier);
    const auto http2 = parsePolicy("http2");
    QCOMPARE(http2->kind().name, std::string("http2"));
    QCOMPARE(http2->value("window"), 65535.0);
    QCOMPARE(parsePolicy("tic")->kind().name, std::string("tic"));
    QCOMPARE(parsePolicy("tac")->kind().name, std::string("tac"));
    QCOMPARE(parsePolicy("reverse")->kind().name, std::string("reverse"));
    QCOMPARE(parsePolicy("random")->kind().name, std::string("random"));
    for (const char *name : {"tic", "tac", "reverse", "random", "http2"})
        QVERIFY2(!parsePolicy(name)->barrier, name);
}

void TestCommPolicy::arguments() {
    const auto ddp = parsePolicy("ddp(bucket_cap=8MiB, first_bucket=512 KiB, concurrent=3, barrier=off, form=flows)");
    QVERIFY2(ddp.has_value(), ddp ? "" : ddp.error().toString().c_str());
    QCOMPARE(ddp->value("bucket_cap"), 8388608.0);
    QCOMPARE(ddp->value("first_bucket"), 524288.0);
    QCOMPARE(ddp->value("concurrent"), 3.0);
    QVERIFY(!ddp->barrier);
    QCOMPARE(ddp->form, CollectiveForm::Flows);
    QVERIFY(parsePolicy("bytescheduler(2MB,8MB,barrier=on)")->barrier);
    QCOMPARE(parsePolicy("bytescheduler(2MB,8MB)")->value("credit"), 8e6);
    QCOMPARE(parsePolicy("bytescheduler(partition=1e3)")->value("partition"), 1000.0);
    QCOMPARE(parsePolicy("horovod(fusion=64MiB,cycle=5ms)")->value("fusion"), 67108864.0);
    QCOMPARE(parsePolicy("horovod(fusion=64MiB,cycle=5ms)")->value("cycle"), 0.005);
    QCOMPARE(parsePolicy("horovod(fusion=0,cycle=0)")->value("fusion"), 0.0);
    QCOMPARE(parsePolicy("horovod(fusion=off)")->value("fusion"), 0.0);
    QCOMPARE(parsePolicy("p3(slice=50KB)")->value("slice"), 50000.0);
    QCOMPARE(parsePolicy("byteps(partition=1000000,credit=4)")->value("credit"),
             4e6); // BYTEPS_SCHEDULING_CREDIT counts partitions
    QCOMPARE(parsePolicy("byteps(partition=1000000,credit=4B)")->value("credit"), 4.0);
    QCOMPARE(parsePolicy("byteps(partition=1GiB,credit=32)")->value("credit"), 34359738368.0); // practically off
    QCOMPARE(parsePolicy("byteps(credit=3033438B)")->value("credit"), 3033438.0);
    QCOMPARE(parsePolicy("byteps(credit=0)")->value("credit"), 34359738368.0);
    QVERIFY(std::isinf(parsePolicy("http2(window=off)")->value("window")));
    QCOMPARE(parsePolicy("http2(window=4MiB,barrier=on)")->value("window"), 4194304.0);
    QCOMPARE(parsePolicy("random(seed=7)")->value("seed"), 7.0);
    QVERIFY(parsePolicy("tic(barrier=on)")->barrier);
    const auto fsdp = parsePolicy("fsdp2");
    QCOMPARE(fsdp->value("module"), 4e8); // min_num_params of size_based_auto_wrap_policy, float32
    QCOMPARE(fsdp->value("forward_prefetch"), 0.0);
    QCOMPARE(fsdp->value("backward_prefetch"), 1.0);
    QCOMPARE(formatPolicy(*fsdp), std::string("fsdp2(module=400MB,forward_prefetch=0,backward_prefetch=1,reshard_after_forward="
                                              "on,separate_reduce_scatter_group=off,barrier=on)"));
    QVERIFY(std::isinf(parsePolicy("fsdp2(module=model)")->value("module")));
    QCOMPARE(parsePolicy("fifo")->algorithm, CollectiveAlgorithm::Ring);
    QCOMPARE(parsePolicy("ddp(algorithm=tree)")->algorithm, CollectiveAlgorithm::Tree);
    QCOMPARE(parsePolicy("ddp(algorithm=hd)")->algorithm, CollectiveAlgorithm::HalvingDoubling);
    QCOMPARE(parsePolicy("ddp(algorithm=hierarchical)")->algorithm, CollectiveAlgorithm::Hierarchical);
    QCOMPARE(parsePolicy("ddp(algorithm=rsag)")->algorithm, CollectiveAlgorithm::ReduceScatterAllGather);
    QCOMPARE(parsePolicy("ddp(algorithm=breduce)")->algorithm, CollectiveAlgorithm::BroadcastReduce);
}

void TestCommPolicy::roundTrip_data() {
    QTest::addColumn<QString>("expression");
    for (const char *text : {"fifo",
                             "fifo(barrier=off)",
                             "fifo(form=flows)",
                             "ddp",
                             "ddp(bucket_cap=25MB,first_bucket=1234567,concurrent=8)",
                             "ddp(bucket_cap=0.3,barrier=off,form=flows)",
                             "bytescheduler",
                             "bytescheduler(partition=160KB,credit=3GiB,barrier=on)",
                             "horovod",
                             "horovod(fusion=0,cycle=2.5ms)",
                             "horovod(cycle=0)",
                             "horovod(cycle=3s)",
                             "horovod(cycle=0.123456789ms)",
                             "p3",
                             "p3(slice=123B,barrier=on)",
                             "tic",
                             "tac(barrier=on,form=flows)",
                             "reverse",
                             "fifo(algorithm=tree)",
                             "ddp(algorithm=hd,form=flows)",
                             "horovod(algorithm=hierarchical)",
                             "fifo(algorithm=rsag)",
                             "fifo(algorithm=breduce)",
                             "ddp(connections=16,sharing=all)",
                             "bytescheduler(cut=rows)",
                             "byteps(sharing=none)",
                             "random(seed=12)",
                             "byteps",
                             "byteps(credit=3)",
                             "byteps(partition=1000001,credit=1)",
                             "byteps(credit=7B)",
                             "byteps(credit=1e-5B)",
                             "dear",
                             "dear(threshold=1MiB,barrier=on)",
                             "fsdp2",
                             "fsdp2(module=model,forward_prefetch=2,backward_prefetch=0)",
                             "fsdp2(reshard_after_forward=off,separate_reduce_scatter_group=on)",
                             "deepspeed",
                             "deepspeed(reduce_bucket=123456,overlap=on)",
                             "deepspeed(reduce_bucket=0)",
                             "deepspeed(allgather_bucket=1,stage=2)",
                             "deepspeed(stage=0)",
                             "megatron",
                             "megatron(bucket_size=4e7,overlap_grad_reduce=on,distributed_optimizer=on,overlap_param_gather=on)",
                             "megatron(bucket_size=9007199254740992)",
                             "xla",
                             "xla(all_reduce_combine=64MiB,latency_hiding_scheduler=on)",
                             "poseidon",
                             "poseidon(pair=123456)",
                             "http2",
                             "http2(window=off)",
                             "http2(window=1MiB)",
                             "bytescheduler(partition=1.7MiB,credit=9007199254740992)",
                             "bytescheduler(partition=1e-5,credit=12345.678)"})
        QTest::newRow(text) << QString(text);
}

void TestCommPolicy::roundTrip() {
    QFETCH(QString, expression);
    const auto policy = parsePolicy(expression.toStdString());
    QVERIFY2(policy.has_value(), policy ? "" : policy.error().toString().c_str());
    const std::string text = formatPolicy(*policy);
    const auto again = parsePolicy(text);
    QVERIFY2(again.has_value(), text.c_str());
    QVERIFY2(*again == *policy, text.c_str());
    QCOMPARE(formatPolicy(*again), text);
}

void TestCommPolicy::refuses_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("empty") << ""
                           << "name";
    QTest::newRow("unknown policy") << "nosuch"
                                    << "bytescheduler, ";
    QTest::newRow("unknown key") << "ddp(bucket=1)"
                                 << "bucket_cap, first_bucket, concurrent, barrier, connections, sharing, form";
    QTest::newRow("another policy's key") << "fifo(credit=4MB)"
                                          << "barrier, connections, sharing, form";
    QTest::newRow("zero") << "ddp(bucket_cap=0)"
                          << "above 0";
    QTest::newRow("negative") << "ddp(first_bucket=-1MB)"
                              << "negative";
    QTest::newRow("NaN") << "bytescheduler(partition=nan)"
                         << "partition";
    QTest::newRow("infinite") << "bytescheduler(credit=inf)"
                              << "credit";
    QTest::newRow("huge") << "bytescheduler(credit=1e300)"
                          << "2^53";
    QTest::newRow("unit") << "bytescheduler(partition=4XB)"
                          << "XB";
    QTest::newRow("concurrent zero") << "ddp(concurrent=0)"
                                     << "from 1";
    QTest::newRow("barrier") << "fifo(barrier=perhaps)"
                             << "on or off";
    QTest::newRow("form") << "fifo(form=exact)"
                          << "analytic, flows";
    QTest::newRow("sharing") << "fifo(sharing=some)"
                             << "messages, all, none";
    QTest::newRow("algorithm") << "fifo(algorithm=star)"
                               << "ring, tree, hd, hierarchical, rsag, breduce";
    QTest::newRow("cycle") << "horovod(cycle=1MB)"
                           << "cycle";
    QTest::newRow("long cycle") << "horovod(cycle=1e9s)"
                                << "1e6";
    QTest::newRow("negative cycle") << "horovod(cycle=-1ms)"
                                    << "negative";
    QTest::newRow("slice zero") << "p3(slice=0)"
                                << "above 0";
    QTest::newRow("many partitions") << "byteps(partition=1GiB,credit=33)"
                                     << "beyond 32";
    QTest::newRow("bytes without a unit") << "byteps(credit=3033438)"
                                          << "a bare number counts partitions, as in BYTEPS_SCHEDULING_CREDIT: write 3033438B";
    QTest::newRow("seed") << "random(seed=-1)"
                          << "from 0";
    QTest::newRow("window") << "http2(window=wide)"
                            << "window";
    QTest::newRow("tic takes none") << "tic(seed=1)"
                                    << "barrier, connections, sharing, form";
    QTest::newRow("not closed") << "fifo("
                                << "value";
    QTest::newRow("nested") << "fifo(fifo())"
                            << "','";
}

void TestCommPolicy::refuses() {
    QFETCH(QString, expression);
    QFETCH(QString, mentions);
    const auto policy = parsePolicy(expression.toStdString());
    QVERIFY(!policy);
    const QString text = QString::fromStdString(policy.error().toString());
    QVERIFY2(text.contains(mentions), qPrintable(text));
    QVERIFY2(policy.error().place.starts_with("byte "), qPrintable(text));
}

QTEST_GUILESS_MAIN(TestCommPolicy)
#include "tst_comm_policy.moc"

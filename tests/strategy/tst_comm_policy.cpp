// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/comm_policy.h"

#include <QtTest>

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
};

void TestCommPolicy::defaults() {
    const auto fifo = parsePolicy("fifo");
    QCOMPARE(fifo->kind, PolicyKind::Fifo);
    QVERIFY(fifo->barrier);
    QCOMPARE(fifo->form, CollectiveForm::Analytic);
    QVERIFY(*fifo == CommPolicy{});
    const auto ddp = parsePolicy("ddp()");
    QCOMPARE(ddp->kind, PolicyKind::Ddp);
    QCOMPARE(ddp->bucketCapBytes, 26214400.0);
    QCOMPARE(ddp->firstBucketBytes, 1048576.0);
    QCOMPARE(ddp->concurrent, 1);
    QVERIFY(ddp->barrier);
    const auto scheduler = parsePolicy(" bytescheduler ");
    QCOMPARE(scheduler->kind, PolicyKind::Priority);
    QCOMPARE(scheduler->partitionBytes, 4e6);
    QCOMPARE(scheduler->creditBytes, 16e6);
    QVERIFY(!scheduler->barrier);
}

void TestCommPolicy::arguments() {
    const auto ddp = parsePolicy("ddp(bucket_cap=8MiB, first_bucket=512 KiB, concurrent=3, barrier=off, form=flows)");
    QVERIFY2(ddp.has_value(), ddp ? "" : ddp.error().toString().c_str());
    QCOMPARE(ddp->bucketCapBytes, 8388608.0);
    QCOMPARE(ddp->firstBucketBytes, 524288.0);
    QCOMPARE(ddp->concurrent, 3);
    QVERIFY(!ddp->barrier);
    QCOMPARE(ddp->form, CollectiveForm::Flows);
    QVERIFY(parsePolicy("bytescheduler(2MB,8MB,barrier=on)")->barrier);
    QCOMPARE(parsePolicy("bytescheduler(2MB,8MB)")->creditBytes, 8e6);
    QCOMPARE(parsePolicy("bytescheduler(partition=1e3)")->partitionBytes, 1000.0);
}

void TestCommPolicy::roundTrip_data() {
    QTest::addColumn<QString>("expression");
    for (const char *text :
         {"fifo", "fifo(barrier=off)", "fifo(form=flows)", "ddp", "ddp(bucket_cap=25MB,first_bucket=1234567,concurrent=8)",
          "ddp(bucket_cap=0.3,barrier=off,form=flows)", "bytescheduler", "bytescheduler(partition=160KB,credit=3GiB,barrier=on)",
          "bytescheduler(partition=1.7MiB,credit=9007199254740992)", "bytescheduler(partition=1e-5,credit=12345.678)"})
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
    QTest::newRow("unknown policy") << "lifo"
                                    << "fifo, ddp, bytescheduler";
    QTest::newRow("unknown key") << "ddp(bucket=1)"
                                 << "bucket_cap, first_bucket, concurrent, barrier, form";
    QTest::newRow("another policy's key") << "fifo(credit=4MB)"
                                          << "barrier, form";
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
